//===- AttentionOp.cpp - The attention op ---------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"
#include "Tiling.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

OpFoldResult attn::getSize(OpBuilder &builder, Location loc, Value shaped,
                           int64_t dim) {
  if (isa<MemRefType>(shaped.getType()))
    return memref::getMixedSize(builder, loc, shaped, dim);
  return tensor::getMixedSize(builder, loc, shaped, dim);
}

double attn::detail::getScale(FloatAttr scale, int64_t headDim) {
  if (scale)
    return scale.getValueAsDouble();
  return 1.0 / std::sqrt(static_cast<double>(headDim));
}

int64_t attn::detail::getDropoutThreshold(FloatAttr probability) {
  return probability ? std::lround(65536.0 * probability.getValueAsDouble())
                     : 0;
}

OpFoldResult attn::detail::getLength(OpBuilder &builder, Value array) {
  return getSize(builder, array.getLoc(), array, 2);
}

OpFoldResult attn::detail::getKvLength(OpBuilder &builder, Value key,
                                       Value pages) {
  OpFoldResult length = getLength(builder, key);
  if (!pages)
    return length;
  Location loc = pages.getLoc();
  Value product = builder.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, length),
      getValueOrCreateConstantIndexOp(builder, loc,
                                      getSize(builder, loc, pages, 1)));
  return getAsOpFoldResult(product);
}

OpFoldResult attn::detail::getOriginOrZero(OperandRange origin, unsigned i,
                                           MLIRContext *context) {
  if (origin.empty())
    return IntegerAttr::get(IndexType::get(context), 0);
  return getAsOpFoldResult(origin[i]);
}

SmallVector<NamedArray> AttentionOp::getArrays() {
  SmallVector<NamedArray> arrays = {{"query", ArrayKind::Query, getQuery()},
                                    {"key", ArrayKind::Key, getKey()},
                                    {"value", ArrayKind::Value, getValue()}};
  if (Value sink = getSink())
    arrays.push_back({"sink", ArrayKind::Sink, sink});
  static constexpr std::pair<StringLiteral, ArrayKind> kOuts[] = {
      {"output", ArrayKind::Output}, {"lse", ArrayKind::Row}};
  for (auto [named, out] : llvm::zip(kOuts, getOuts()))
    arrays.push_back({named.first, named.second, out, /*isOut=*/true});
  return arrays;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  size_t numOuts = getOuts().size();
  if (numOuts < 1 || numOuts > 2)
    return emitOpError("expected 1 or 2 outs (output and lse), found ")
           << numOuts;
  return verifyAttention(*this);
}

LogicalResult AttentionOp::verifyRegions() { return verifyBodies(*this); }
