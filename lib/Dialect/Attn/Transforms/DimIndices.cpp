//===- DimIndices.cpp - Indices of dimensions -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/DimIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;

/// Returns the rank of the array whose size `op` returns, if the rank is known.
static std::optional<int64_t> getRank(ShapedDimOpInterface op) {
  auto type = dyn_cast<ShapedType>(op.getShapedValue().getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  return type.getRank();
}

LogicalResult mlir::attn::verifyDimIndices(Operation *root) {
  WalkResult result = root->walk([](ShapedDimOpInterface op) {
    std::optional<int64_t> rank = getRank(op);
    std::optional<int64_t> index = getConstantIntValue(op.getDimension());
    if (!rank || !index || (*index >= 0 && *index < *rank))
      return WalkResult::advance();
    op->emitOpError("expected the index of one of ")
        << *rank << " dimensions, found " << *index;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void mlir::attn::boundDimIndices(Operation *root) {
  root->walk([](ShapedDimOpInterface op) {
    std::optional<int64_t> rank = getRank(op);
    auto index = dyn_cast<Value>(op.getDimension());
    if (!rank || !index || getConstantIntValue(index))
      return;
    OpBuilder b(op);
    Value last = arith::ConstantIndexOp::create(b, op.getLoc(), *rank - 1);
    Value bounded = arith::MinUIOp::create(b, op.getLoc(), index, last);
    op->replaceUsesOfWith(index, bounded);
  });
}
