//===- MaskRegion.cpp - What derivations of blocks share --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskRanges.h"

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

Value mlir::attn::getNegated(Value condition) {
  auto negation = condition.getDefiningOp<arith::XOrIOp>();
  if (negation && matchPattern(negation.getRhs(), m_One()))
    return negation.getLhs();
  if (negation && matchPattern(negation.getLhs(), m_One()))
    return negation.getRhs();
  return Value();
}

void mlir::attn::emitUniformOps(AttentionInterface op, ImplicitLocOpBuilder &b,
                                Value batch, Value head,
                                function_ref<bool(Value)> isUniform,
                                IRMapping &mapping) {
  Block &body = op.getMaskRegion().front();
  mapping.map(body.getArgument(0), batch);
  mapping.map(body.getArgument(1), head);
  for (auto [argument, capture] : llvm::zip(
           body.getArguments().drop_front(kNumMaskArguments), op.getCaptures()))
    mapping.map(argument, capture);
  for (Operation &inner : body.without_terminator()) {
    if (!isUniform(inner.getResult(0)))
      continue;
    auto read = dyn_cast<ReadOp>(inner);
    if (!read) {
      b.clone(inner, mapping);
      continue;
    }
    auto indices = llvm::map_to_vector(
        read.getIndices(), [&](Value i) { return mapping.lookup(i); });
    mapping.map(read.getResult(),
                attn_tile::GatherOp::create(
                    b, read.getType(), mapping.lookup(read.getArray()), indices)
                    .getResult());
  }
}
