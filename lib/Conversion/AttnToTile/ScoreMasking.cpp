//===- ScoreMasking.cpp - Masks on tiles of scores -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreMasking.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static Value asValue(ImplicitLocOpBuilder &b, OpFoldResult ofr) {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), ofr);
}

/// `bound` between -limit and limit.
static Value clamp(ImplicitLocOpBuilder &b, OpFoldResult bound, int64_t limit) {
  AffineMap identity = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  OpFoldResult atMost = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(), identity, {b.getIndexAttr(limit), bound});
  return asValue(
      b, affine::makeComposedFoldedAffineMax(b, b.getLoc(), identity,
                                             {b.getIndexAttr(-limit), atMost}));
}

/// Compares keys of the tile with the largest and the smallest that each row
/// keeps: one comparison each, whatever the number of conditions. They fit i32:
/// a bound beyond the tile is as good as one at its edge.
Value mlir::attn::maskScores(ImplicitLocOpBuilder &b, Value scores,
                             int64_t keyAxis,
                             ArrayRef<MaskCondition> conditions, Value rows) {
  auto type = cast<RankedTensorType>(scores.getType());
  Type i32 = b.getI32Type();
  RankedTensorType i32Tile = type.clone(i32);
  auto i32Rows = RankedTensorType::get({type.getDimSize(1 - keyAxis)}, i32);
  int64_t limit = type.getDimSize(0) + type.getDimSize(1);
  Value largest, smallest, exists;
  for (const MaskCondition &condition : conditions) {
    Value bound =
        arith::IndexCastOp::create(b, i32, clamp(b, condition.bound, limit));
    if (condition.position == MaskCondition::Position::Row) {
      Value row = attn_tile::CoordinateOp::create(b, i32Tile, 1 - keyAxis);
      exists =
          arith::CmpIOp::create(b, condition.predicate, row,
                                tensor::SplatOp::create(b, bound, i32Tile));
      continue;
    }
    if (condition.predicate == arith::CmpIPredicate::slt)
      bound = arith::SubIOp::create(
          b, bound, arith::ConstantOp::create(b, b.getI32IntegerAttr(1)));
    Value ofRows = tensor::SplatOp::create(b, bound, i32Rows);
    if (condition.position == MaskCondition::Position::Distance)
      ofRows = arith::AddIOp::create(
          b,
          rows ? rows
               : attn_tile::CoordinateOp::create(b, i32Rows, 0).getResult(),
          ofRows);
    if (condition.predicate == arith::CmpIPredicate::sge)
      smallest = smallest
                     ? arith::MaxSIOp::create(b, smallest, ofRows).getResult()
                     : ofRows;
    else
      largest = largest ? arith::MinSIOp::create(b, largest, ofRows).getResult()
                        : ofRows;
  }
  Value column = attn_tile::CoordinateOp::create(b, i32Tile, keyAxis);
  Value keep = exists;
  for (auto [predicate, bounds] :
       {std::pair(arith::CmpIPredicate::sle, largest),
        {arith::CmpIPredicate::sge, smallest}}) {
    if (!bounds)
      continue;
    Value holds = arith::CmpIOp::create(
        b, predicate, column,
        attn_tile::BroadcastOp::create(b, i32Tile, bounds, keyAxis));
    keep = keep ? arith::AndIOp::create(b, keep, holds).getResult() : holds;
  }
  Value masked = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getFloatAttr(type.getElementType(), -INFINITY)));
  return arith::SelectOp::create(b, keep, scores, masked);
}
