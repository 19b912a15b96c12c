//===- ScoreMasking.cpp - Masks on tiles of scores ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreMasking.h"
#include "BlockKinds.h"
#include "MaskRanges.h"

#include "attn/Dialect/Attn/IR/RegionDependence.h"
#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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

bool mlir::attn::masksByHead(AttentionInterface op) {
  if (!op.hasMaskRegion())
    return false;
  Block &body = op.getMaskRegion().front();
  Value kept = cast<YieldOp>(body.getTerminator()).getValue();
  return RegionDependence(body).get(kept) & RegionDependence::OnHead;
}

bool mlir::attn::mayLeaveOutKeys(AttentionInterface op) {
  MaskAttr mask = op.getMaskAttr();
  bool hasFirstKey =
      !mask || (mask.getAlignment() == Alignment::TopLeft &&
                !mask.getLowerDiagonal() && op.getOrigin().empty());
  return op.hasScore() || op.hasMaskRegion() || !op.getLengths().empty() ||
         op.getPages() || !hasFirstKey;
}

SmallVector<MaskCondition>
mlir::attn::getMaskConditions(AttentionInterface op, TileBuilder &b,
                              const SequenceView &at, OpFoldResult row,
                              OpFoldResult firstKey, int64_t numTileKeys) {
  using Position = MaskCondition::Position;
  SmallVector<MaskCondition> conditions;
  std::optional<int64_t> staticKeys = getConstantIntValue(at.numKeys);
  if (!staticKeys || *staticKeys % numTileKeys != 0)
    conditions.push_back(
        {Position::Key, arith::CmpIPredicate::slt,
         b.apply(b.dim(0) - b.dim(1), {at.numKeys, firstKey})});
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return conditions;
  OpFoldResult distance =
      b.apply(b.dim(0) + b.dim(1) - b.dim(2), {row, at.diagonal, firstKey});
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sle,
                          b.apply(b.dim(0) + b.constant(*upper), {distance})});
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sge,
                          b.apply(b.dim(0) + b.constant(*lower), {distance})});
  return conditions;
}

/// Returns the scores with -inf for pairs that the mask region excludes, or
/// `scores` if the op has no mask region.
static Value maskByRegion(AttentionInterface op, TileBuilder &b, Value scores,
                          const ScorePlace &place) {
  if (!op.hasMaskRegion())
    return scores;
  auto type = cast<RankedTensorType>(scores.getType());
  Value isKept = inlineMask(op, b, type.getShape(), place);
  return b.select(isKept, scores, b.splat(type, -INFINITY));
}

Value mlir::attn::maskPartial(
    AttentionInterface op, TileBuilder &b, const SequenceView &at, Value scores,
    Value partial, int64_t keyAxis, const ScorePlace &place,
    function_ref<SmallVector<MaskCondition>()> getConditions) {
  bool isOfPartial =
      op.hasMaskRegion() &&
      ((keyAxis == 0 ? at.rowLists : at.keyLists).blocks
           ? BlockKinds(op).mayBeFull()
           : MaskRanges(op, /*ofRows=*/keyAxis == 0).mayBeFull());
  if (!isOfPartial)
    scores = maskByRegion(op, b, scores, place);
  auto cut = scf::IfOp::create(b, scores.getType(), partial,
                               /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(cut.thenBlock());
  SmallVector<MaskCondition> conditions = getConditions();
  if (conditions.empty() && !isOfPartial) {
    cut.erase();
    return scores;
  }
  Value masked = isOfPartial ? maskByRegion(op, b, scores, place) : scores;
  if (!conditions.empty()) {
    Value rows;
    if (place.packing) {
      auto shape = cast<RankedTensorType>(scores.getType()).getShape();
      rows = place.packing.getTokens(
          b, b.tileType({shape[1 - keyAxis]}, b.getI32Type()));
    }
    masked = maskScores(b, masked, keyAxis, conditions, rows);
  }
  scf::YieldOp::create(b, masked);
  b.setInsertionPointToStart(cut.elseBlock());
  scf::YieldOp::create(b, scores);
  return cut.getResult(0);
}

ScorePlace mlir::attn::getScorePlace(TileBuilder &b, const SequenceView &at,
                                     Value head, Value row, Value key,
                                     int64_t rowAxis) {
  auto place = [&](unsigned axis, Value local) {
    return b.asValue(b.apply(b.dim(0) + b.dim(1), {at.origin[axis], local}));
  };
  ScorePlace found = {place(0, at.batch), place(1, head), place(2, row),
                      place(3, key), rowAxis};
  found.packing = at.packing;
  found.isOfNone = at.isOfNone;
  return found;
}

//===----------------------------------------------------------------------===//
// Sinks and dropout
//===----------------------------------------------------------------------===//

Value mlir::attn::emitSink(AttentionInterface op, TileBuilder &b, Value head,
                           int64_t rows, Value isOfNone) {
  Value sinks = op.getSink();
  if (!sinks)
    return Value();
  Type element = cast<ShapedType>(sinks.getType()).getElementType();
  Value sink = attn_tile::GatherOp::create(b, element, sinks, ValueRange(head));
  if (!element.isF32())
    sink = b.extf(b.getF32Type(), sink);
  if (isOfNone)
    sink = b.select(isOfNone, b.f32(-INFINITY), sink);
  return b.splat(sink, b.f32Tile({rows}));
}

Value mlir::attn::emitEmptyLse(TileBuilder &b, Value sink, int64_t rows) {
  return sink ? attn_tile::emitEmptyLse(b, sink)
              : b.splat(b.f32Tile({rows}), -INFINITY);
}

Value mlir::attn::emitKeep(AttentionInterface op, TileBuilder &b,
                           ArrayRef<int64_t> shape, const SequenceView &at,
                           const ScorePlace &place) {
  int64_t threshold = op.getDropoutThreshold();
  if (threshold == 0)
    return Value();
  Value heads = b.asValue(b.getSize(op.getQuery(), 1));
  Value plane = b.addiOrFold(b.muliOrFold(place.batch, heads), place.head);
  // Each block of keys begins a multiple of 16 keys after the op's first key.
  // So the blocks' first keys are at multiples of 8 in the larger problem
  // (`aligned`) if the op's first key is.
  std::optional<int64_t> first = getConstantIntValue(at.origin[3]);
  SmallVector<Value> distances;
  if (place.packing) {
    RankedTensorType type = b.tileType({shape[place.rowAxis]}, b.getI32Type());
    for (Value ofRows :
         {place.packing.getHeads(b, type), place.packing.getTokens(b, type)})
      distances.push_back(b.broadcast(ofRows, 1 - place.rowAxis, shape));
  }
  return attn_tile::RandomKeepOp::create(
      b, b.tileType(shape, b.getI1Type()), b.readNumber(op.getSeed()),
      b.readNumber(op.getOffset()), plane, place.row, place.key, distances,
      threshold, place.rowAxis, /*aligned=*/first && *first % 8 == 0);
}
