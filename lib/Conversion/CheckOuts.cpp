//===- CheckOuts.cpp - Checks of the arrays that ops write ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOuts.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns the value whose elements, in another type or order of dimensions,
/// are those of `array`.
static Value skipCasts(Value array) {
  while (Operation *view = array.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::TransposeOp>(view))
      break;
    array = view->getOperand(0);
  }
  return array;
}

/// Whether the type is that of an array which has no elements.
static bool isEmpty(Value array) {
  return llvm::is_contained(cast<MemRefType>(array.getType()).getShape(), 0);
}

static LogicalResult checkOuts(DestinationStyleOpInterface op) {
  llvm::SmallDenseMap<Value, int64_t> seen;
  for (int64_t i = 0, e = op.getNumDpsInits(); i < e; ++i) {
    Value out = op.getDpsInitOperand(i)->get();
    if (!isa<MemRefType>(out.getType()) || isEmpty(out))
      continue;
    auto [first, isNew] = seen.try_emplace(skipCasts(out), i);
    if (!isNew)
      return op->emitOpError("expected a different memref for each of outs, "
                             "found one as outs #")
             << first->second << " and #" << i;
  }
  return success();
}

LogicalResult mlir::attn::checkOuts(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    if (!isa<AttentionInterface, RowwiseInterface>(op))
      return WalkResult::advance();
    return WalkResult(::checkOuts(cast<DestinationStyleOpInterface>(op)));
  });
  return failure(result.wasInterrupted());
}
