//===- Reductions.cpp - Arithmetic of attn_tile.reduce --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::attn_tile;

Value attn_tile::combine(ImplicitLocOpBuilder &b, ReduceKind kind, Value lhs,
                         Value rhs) {
  switch (kind) {
  case ReduceKind::Add:
    return arith::AddFOp::create(b, lhs, rhs);
  case ReduceKind::MaxNum:
    return arith::MaxNumFOp::create(b, lhs, rhs);
  case ReduceKind::And:
    return arith::AndIOp::create(b, lhs, rhs);
  case ReduceKind::Or:
    return arith::OrIOp::create(b, lhs, rhs);
  }
  llvm_unreachable("a kind of reduction");
}

TypedAttr attn_tile::getNeutral(ReduceKind kind, Type element) {
  if (kind == ReduceKind::MaxNum)
    return FloatAttr::get(
        element, APFloat::getInf(cast<FloatType>(element).getFloatSemantics(),
                                 /*Negative=*/true));
  Builder b(element.getContext());
  return kind == ReduceKind::And ? b.getIntegerAttr(element, -1)
                                 : b.getZeroAttr(element);
}
