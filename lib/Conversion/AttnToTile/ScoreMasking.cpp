//===- ScoreMasking.cpp - Masks on tiles of scores ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreTiling.h"
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

/// Keeps whole rows, or compares the tile's columns with the largest and the
/// smallest that each of its rows keeps: one comparison each, whatever the
/// number of conditions, and a thread has few rows. They fit i32: a bound
/// beyond the tile is as good as one at its edge.
Value mlir::attn::maskScores(ImplicitLocOpBuilder &b, Value scores,
                             int64_t keyAxis,
                             ArrayRef<MaskCondition> conditions, Value rows) {
  using Position = MaskCondition::Position;
  auto type = cast<RankedTensorType>(scores.getType());
  Type i32 = b.getI32Type();
  RankedTensorType i32Tile = type.clone(i32);
  auto vector = RankedTensorType::get({type.getDimSize(0)}, i32);
  int64_t limit = type.getDimSize(0) + type.getDimSize(1);
  auto splat = [&](Value word) -> Value {
    return tensor::SplatOp::create(b, word, vector);
  };
  auto word = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  // The position along axis 0: a query row, or with keys as rows a key.
  Value own =
      rows ? rows : attn_tile::CoordinateOp::create(b, vector, 0).getResult();
  Value largest, smallest, exists;
  auto keepUpTo = [&](Value bound) {
    largest =
        largest ? arith::MinSIOp::create(b, largest, bound).getResult() : bound;
  };
  auto keepFrom = [&](Value bound) {
    smallest = smallest ? arith::MaxSIOp::create(b, smallest, bound).getResult()
                        : bound;
  };
  for (const MaskCondition &condition : conditions) {
    Value bound =
        arith::IndexCastOp::create(b, i32, clamp(b, condition.bound, limit));
    bool isAtLeast = condition.predicate == arith::CmpIPredicate::sge;
    if (condition.predicate == arith::CmpIPredicate::slt)
      bound = arith::SubIOp::create(b, bound, word(1));
    if (condition.position == Position::Distance) {
      // Of the key from the row.
      Value ofColumns =
          keyAxis == 1
              ? arith::AddIOp::create(b, own, splat(bound)).getResult()
              : arith::SubIOp::create(b, own, splat(bound)).getResult();
      isAtLeast == (keyAxis == 1) ? keepFrom(ofColumns) : keepUpTo(ofColumns);
    } else if ((condition.position == Position::Key) == (keyAxis == 1)) {
      isAtLeast ? keepFrom(splat(bound)) : keepUpTo(splat(bound));
    } else {
      exists = arith::CmpIOp::create(
          b, isAtLeast ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle,
          own, splat(bound));
    }
  }
  Value keep;
  if (exists && !smallest && !largest)
    keep =
        attn_tile::BroadcastOp::create(b, type.clone(b.getI1Type()), exists, 1);
  // Rows that keep nothing begin behind the last column, or end before the
  // first.
  else if (exists && smallest)
    smallest = arith::SelectOp::create(b, exists, smallest, splat(word(limit)));
  else if (exists)
    largest = arith::SelectOp::create(b, exists, largest, splat(word(-1)));
  Value column = attn_tile::CoordinateOp::create(b, i32Tile, 1);
  for (auto [predicate, bounds] :
       {std::pair(arith::CmpIPredicate::sle, largest),
        {arith::CmpIPredicate::sge, smallest}}) {
    if (!bounds)
      continue;
    Value holds = arith::CmpIOp::create(
        b, predicate, column,
        attn_tile::BroadcastOp::create(b, i32Tile, bounds, 1));
    keep = keep ? arith::AndIOp::create(b, keep, holds).getResult() : holds;
  }
  Value masked = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getFloatAttr(type.getElementType(), -INFINITY)));
  return arith::SelectOp::create(b, keep, scores, masked);
}
