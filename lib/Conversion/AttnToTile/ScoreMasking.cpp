//===- ScoreMasking.cpp - Masks on tiles of scores ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreTiling.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Returns `bound`, clamped to [least, most].
static Value clamp(TileBuilder &b, OpFoldResult bound, int64_t least,
                   int64_t most) {
  return b.asValue(
      b.max(b.getIndexAttr(least), b.min(b.getIndexAttr(most), bound)));
}

/// Emits a select that sets masked scores to -inf. From the conditions, the
/// first and the last position of one axis that each position of the other, the
/// own axis, keeps are computed. So an element takes at most two comparisons,
/// whatever the number of conditions. The own axis is axis 0, along which a
/// thread has few positions, unless the rows along axis 1 are not consecutive.
/// Bounds are clamped to fit i32: a bound far outside of the tile has the same
/// effect as one just outside. If positions of rows are given (`rows`), they
/// may be those of any row of the op, so bounds to which they are added, or
/// with which they are compared, may be far outside.
Value mlir::attn::maskScores(TileBuilder &b, Value scores, int64_t keyAxis,
                             ArrayRef<MaskCondition> conditions, Value rows) {
  using Position = MaskCondition::Position;
  auto type = cast<RankedTensorType>(scores.getType());
  Type i32 = b.getI32Type();
  RankedTensorType i32Tile = type.clone(i32);
  int64_t ownAxis = rows ? 1 - keyAxis : 0, otherAxis = 1 - ownAxis;
  bool isOwnRow = ownAxis != keyAxis;
  auto vector = RankedTensorType::get({type.getDimSize(ownAxis)}, i32);
  int64_t limit = type.getDimSize(0) + type.getDimSize(1);
  // The comparison with a position of the other axis subtracts the thread's
  // part of that position, which is less than `limit`, from a bound. That must
  // not wrap.
  int64_t far = (int64_t(1) << 31) - 2 - limit;
  auto splat = [&](Value word) -> Value { return b.splat(word, vector); };
  // The position of each row of the tile or, if keys are along axis 0 and rows
  // are consecutive, of each key.
  Value own = rows ? rows : b.coordinate(vector, 0);
  Value largest, smallest, exists;
  auto keepUpTo = [&](Value bound) {
    largest = largest ? b.minsi(largest, bound) : bound;
  };
  auto keepFrom = [&](Value bound) {
    smallest = smallest ? b.maxsi(smallest, bound) : bound;
  };
  for (const MaskCondition &condition : conditions) {
    bool isOfRow = rows && condition.position != Position::Key;
    bool isOfRowAlone = rows && condition.position == Position::Row;
    Value bound =
        b.indexCast(i32, clamp(b, condition.bound, isOfRow ? -far : -limit,
                               isOfRowAlone ? far : limit));
    bool isAtLeast = condition.predicate == arith::CmpIPredicate::sge;
    if (condition.predicate == arith::CmpIPredicate::slt)
      bound = b.subi(bound, b.word(1));
    if (condition.position == Position::Distance) {
      // A condition on `Distance` bounds the position of the key minus that of
      // the row, so its bound for the other axis is the bound plus or minus the
      // position along the own axis.
      Value ofOther =
          isOwnRow ? b.addi(own, splat(bound)) : b.subi(own, splat(bound));
      isAtLeast == isOwnRow ? keepFrom(ofOther) : keepUpTo(ofOther);
    } else if ((condition.position == Position::Key) == isOwnRow) {
      isAtLeast ? keepFrom(splat(bound)) : keepUpTo(splat(bound));
    } else {
      exists = b.cmpi(isAtLeast ? arith::CmpIPredicate::sge
                                : arith::CmpIPredicate::sle,
                      own, splat(bound));
    }
  }
  Value keep;
  if (exists && !smallest && !largest)
    keep = b.broadcast(type.clone(b.getI1Type()), exists, otherAxis);
  // `exists` says whether a position along the own axis meets the condition on
  // it. One that does not keeps nothing: the first kept position of the other
  // axis is past the last one, or the last kept one before the first.
  else if (exists && smallest)
    smallest = b.select(exists, smallest, splat(b.word(limit)));
  else if (exists)
    largest = b.select(exists, largest, splat(b.word(-1)));
  Value other = b.coordinate(i32Tile, otherAxis);
  for (auto [predicate, bounds] :
       {std::pair(arith::CmpIPredicate::sle, largest),
        {arith::CmpIPredicate::sge, smallest}}) {
    if (!bounds)
      continue;
    Value holds =
        b.cmpi(predicate, other, b.broadcast(i32Tile, bounds, otherAxis));
    keep = keep ? b.andi(keep, holds) : holds;
  }
  Value masked = b.real(type, -INFINITY);
  return b.select(keep, scores, masked);
}
