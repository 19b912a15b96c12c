//===- ProgramBuilder.cpp - Base of attention programs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static HeadDimTiles getTiles(AttentionInterface op, int64_t step) {
  if (auto forward = dyn_cast<AttentionOp>(op.getOperation()))
    return getHeadDimTiles(forward, op.getScheduleAttr());
  HeadDimTiles tiles;
  tiles.key = llvm::alignTo(op.getHeadDim(), step);
  tiles.value = llvm::alignTo(op.getValueHeadDim(), step);
  return tiles;
}

ProgramBuilder::ProgramBuilder(AttentionInterface op, OpBuilder &builder)
    : TileProgram(op.getLoc(), builder), op(op), inputType(getComputeType(op)),
      headDim(getTiles(op, kHeadDimStep).key),
      valueHeadDim(getTiles(op, kHeadDimStep).value),
      ropeDim(isa<AttentionOp>(op.getOperation())
                  ? llvm::alignTo(op.getRopeColumns(), kHeadDimStep)
                  : 0),
      isValueWithinKey(getTiles(op, kHeadDimStep).isWithin) {}

Value ProgramBuilder::viewBytes(Value array) {
  return array && isInt4(getElementTypeOrSelf(array))
             ? attn_tile::BytesOp::create(b, array)
             : array;
}

Value ProgramBuilder::createValueArray() {
  int64_t first = op.getFirstValueDim();
  if (hasValueAlongKeys(op))
    return transpose(op.getValue(), {0, 1, 3, 2});
  if (isValueWithinKey || first < 0)
    return viewBytes(op.getValue());
  // A key array that is statically empty has no view of its columns, since the
  // verifier of memref.subview would find the offsets out of bounds.
  if (isKnownEmpty(op.getKey()))
    return Value();
  return viewBytes(slice(op.getKey(), b.getIndexAttr(first),
                         b.getIndexAttr(op.getValueHeadDim()), /*dim=*/3));
}

SequenceView ProgramBuilder::viewAll() {
  SequenceView all;
  all.key = viewBytes(op.getKey());
  all.keyRope = op.getExtra(Extra::KeyRope).value;
  all.value = createValueArray();
  if (listsKeys(op, op.getScheduleAttr())) {
    for (Value *pool : {&all.key, &all.keyRope})
      if (*pool)
        *pool = transpose(*pool, {2, 1, 0, 3});
    if (all.value && !hasValueAlongKeys(op))
      all.value = transpose(all.value, {2, 1, 0, 3});
  }
  for (unsigned i = 0; i < 4; ++i)
    all.origin[i] = op.getOriginOrZero(i);
  all.firstRow = all.firstKey = b.getIndexAttr(0);
  all.lengthQ = op.getTrueQueryLength(b);
  all.lengthKv = op.getTrueKvLength(b);
  boundLengths(all);
  return all;
}

void ProgramBuilder::takeKeys(SequenceView &at, OpFoldResult first) {
  for (Value *array : {&at.key, &at.keyRope})
    if (*array)
      *array = slice(*array, first, at.numKeys);
  if (at.value)
    at.value = slice(at.value, first, at.numKeys,
                     /*dim=*/hasValueAlongKeys(op) ? 3 : 2);
}

void ProgramBuilder::boundLengths(SequenceView &view) {
  OpFoldResult row = view.origin[2], key = view.origin[3];
  auto isCut = [&](OpFoldResult first, OpFoldResult count,
                   OpFoldResult length) {
    return !isAtMost(dim(0) + dim(1), {first, count}, length);
  };
  view.numKeys = op.getKvLength(b);
  view.hasKeysBehind = isCut(key, view.numKeys, view.lengthKv);
  if (view.hasKeysBehind)
    view.numKeys =
        max(b.getIndexAttr(0),
            min(view.numKeys, apply(dim(0) - dim(1), {view.lengthKv, key})));
  view.numRows = getSize(op.getQuery(), 2);
  view.hasRowsBehind = isCut(row, view.numRows, view.lengthQ);
  if (view.hasRowsBehind)
    view.numRows =
        min(view.numRows, apply(dim(0) - dim(1), {view.lengthQ, row}));
  // A view of a number of rows that is a constant below 0 would be an error.
  if (std::optional<int64_t> rows = getConstantIntValue(view.numRows))
    view.numRows = b.getIndexAttr(std::max<int64_t>(*rows, 0));
  view.diagonal = apply(dim(0) - dim(1), {row, key});
  MaskAttr mask = op.getMaskAttr();
  if (mask && mask.getAlignment() == Alignment::BottomRight)
    view.diagonal = apply(dim(0) + dim(1) - dim(2),
                          {view.diagonal, view.lengthKv, view.lengthQ});
}

SequenceView ProgramBuilder::enterBatch(const SequenceView &all, Value batch) {
  SequenceView at = all;
  at.batch = at.arrayBatch = batch;
  auto read = [&](Value lengths) -> OpFoldResult {
    return b.indexCast(b.getIndexType(),
                       memref::LoadOp::create(b, lengths, batch));
  };
  auto clamp = [&](OpFoldResult length, OpFoldResult all) {
    return min(max(length, b.getIndexAttr(0)), all);
  };
  if (Value lengths = op.getLengthArray(0))
    at.lengthQ = clamp(read(lengths), getSize(op.getQuery(), 2));
  if (Value lengths = op.getLengthArray(1))
    at.lengthKv = clamp(read(lengths), op.getKvLength(b));
  if (op.isRagged())
    boundLengths(at);
  if (listsKeys(op, op.getScheduleAttr()))
    at.keyList = viewRow(op.getPages(), {batch, b.getIndexAttr(0)}, at.numKeys);
  // Keys and values past the true length (`len_kv`) must not be read: memory
  // there may hold NaN, and a probability of 0 times NaN is NaN. So where the
  // true length may be less than the length of the view, the views of keys and
  // values are cut to the valid keys. Keys in pages are cut page by page
  // instead, and an array that statically has no keys cannot be viewed.
  if (!op.getPages() && at.hasKeysBehind && op.getKeyType().getDimSize(2) != 0)
    takeKeys(at, b.getIndexAttr(0));
  return at;
}

attn_tile::GridOp ProgramBuilder::createGrid(Value like, OpFoldResult heads,
                                             int64_t step,
                                             TileSizesAttrInterface schedule) {
  SmallVector<Value> sizes = {asValue(getSize(like, 0)), asValue(heads),
                              asValue(getSize(like, 2))};
  return createGridOf(op, sizes, {1, 1, step}, schedule);
}

/// Whether a score or mask region reads, at the row and key of each pair, an
/// array that has the same elements for all indices of the op's dimension
/// `dimension` (0 for batch entries, 1 for heads).
static bool sharesPairs(AttentionInterface op, unsigned dimension) {
  auto isShared = [&](ReadOp read) {
    for (int64_t i = 0, n = read.getIndices().size(); i < n; ++i)
      if (read.getPosition(i) == dimension)
        return false;
    return read.isOfPairs();
  };
  return (op.hasScore() &&
          llvm::any_of(op.getScore().front().getOps<ReadOp>(), isShared)) ||
         (op.hasMaskRegion() &&
          llvm::any_of(op.getMaskRegion().front().getOps<ReadOp>(), isShared));
}

SmallVector<int64_t> ProgramBuilder::findSharedDims(attn_tile::GridOp grid) {
  SmallVector<int64_t> shared;
  int64_t ofHeads = grid.getSizes().size() - 2;
  if (ofHeads > 0 && sharesPairs(op, 0))
    shared.push_back(ofHeads - 1);
  if (sharesPairs(op, 1))
    shared.push_back(ofHeads);
  return shared;
}

void ProgramBuilder::describePrograms(attn_tile::GridOp grid,
                                      ArrayRef<int64_t> shared,
                                      int64_t positionBytes, Value times) {
  if (!shared.empty())
    grid.setShared(shared);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(grid);
  Value bytes = b.index(positionBytes);
  if (times)
    bytes = b.muliOrFold(bytes, times);
  grid.getPositionBytesMutable().assign(bytes);
}

Value ProgramBuilder::getGroup() {
  // The division by the number of key heads is emitted before the grid, so that
  // it runs once and not in each program.
  OpBuilder::InsertionGuard guard(b);
  Region *region = b.getInsertionBlock()->getParent();
  if (auto grid = region->getParentOfType<attn_tile::GridOp>())
    b.setInsertionPoint(grid);
  OpFoldResult queryHeads = getSize(op.getQuery(), 1);
  OpFoldResult kvHeads = getSize(op.getKey(), 1);
  if (queryHeads == kvHeads)
    return Value();
  std::optional<int64_t> hq = getConstantIntValue(queryHeads);
  std::optional<int64_t> hkv = getConstantIntValue(kvHeads);
  if (hq && hkv && *hkv != 0)
    return asValue(b.getIndexAttr(*hq / *hkv));
  // Affine maps cannot divide by a variable, so arith.divui divides the number
  // of query heads by that of key heads. With 0 key heads the grid has no
  // programs, but the division before the grid still runs, so the divisor is at
  // least 1.
  Value one = b.index(1);
  return b.divuiOrFold(asValue(queryHeads),
                       b.maxuiOrFold(asValue(kvHeads), one));
}

Value ProgramBuilder::getKvHead(Value queryHead) {
  Value group = getGroup();
  if (!group)
    return queryHead;
  if (std::optional<int64_t> size = getConstantIntValue(group))
    return asValue(apply(dim(0).floorDiv(*size), {queryHead}));
  return divideHeads(queryHead, group);
}

bool ProgramBuilder::mayLeaveOutKeys() {
  MaskAttr mask = op.getMaskAttr();
  bool hasFirstKey =
      !mask || (mask.getAlignment() == Alignment::TopLeft &&
                !mask.getLowerDiagonal() && op.getOrigin().empty());
  return op.hasScore() || op.hasMaskRegion() || !op.getLengths().empty() ||
         op.getPages() || !hasFirstKey;
}

SmallVector<MaskCondition>
ProgramBuilder::getMaskConditions(const SequenceView &at, OpFoldResult row,
                                  OpFoldResult firstKey, int64_t numTileKeys) {
  using Position = MaskCondition::Position;
  SmallVector<MaskCondition> conditions;
  std::optional<int64_t> staticKeys = getConstantIntValue(at.numKeys);
  if (!staticKeys || *staticKeys % numTileKeys != 0)
    conditions.push_back({Position::Key, arith::CmpIPredicate::slt,
                          apply(dim(0) - dim(1), {at.numKeys, firstKey})});
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return conditions;
  OpFoldResult distance =
      apply(dim(0) + dim(1) - dim(2), {row, at.diagonal, firstKey});
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sle,
                          apply(dim(0) + constant(*upper), {distance})});
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sge,
                          apply(dim(0) + constant(*lower), {distance})});
  return conditions;
}

Value ProgramBuilder::maskPartial(
    const SequenceView &at, Value scores, Value partial, int64_t keyAxis,
    const ScorePlace &place,
    function_ref<SmallVector<MaskCondition>()> getConditions) {
  bool isOfPartial =
      op.hasMaskRegion() &&
      ((keyAxis == 0 ? at.rowLists : at.keyLists).blocks
           ? BlockKinds(op).mayBeFull()
           : MaskRanges(op, /*ofRows=*/keyAxis == 0).mayBeFull());
  if (!isOfPartial)
    scores = maskByRegion(scores, place);
  auto cut = scf::IfOp::create(b, scores.getType(), partial,
                               /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(cut.thenBlock());
  SmallVector<MaskCondition> conditions = getConditions();
  if (conditions.empty() && !isOfPartial) {
    cut.erase();
    return scores;
  }
  Value masked = isOfPartial ? maskByRegion(scores, place) : scores;
  if (!conditions.empty()) {
    Value rows;
    if (place.packing) {
      auto shape = cast<RankedTensorType>(scores.getType()).getShape();
      rows = place.packing.getTokens(
          b, tileType({shape[1 - keyAxis]}, b.getI32Type()));
    }
    masked = maskScores(b, masked, keyAxis, conditions, rows);
  }
  scf::YieldOp::create(b, masked);
  b.setInsertionPointToStart(cut.elseBlock());
  scf::YieldOp::create(b, scores);
  return cut.getResult(0);
}

ScorePlace ProgramBuilder::getScorePlace(const SequenceView &at, Value head,
                                         Value row, Value key,
                                         int64_t rowAxis) {
  auto place = [&](unsigned axis, Value local) {
    return asValue(apply(dim(0) + dim(1), {at.origin[axis], local}));
  };
  ScorePlace found = {place(0, at.batch), place(1, head), place(2, row),
                      place(3, key), rowAxis};
  found.packing = at.packing;
  found.isOfNone = at.isOfNone;
  return found;
}

Value ProgramBuilder::maskByRegion(Value scores, const ScorePlace &place) {
  if (!op.hasMaskRegion())
    return scores;
  auto type = cast<RankedTensorType>(scores.getType());
  Value isKept = inlineMask(op, b, type.getShape(), place);
  return b.select(isKept, scores, splat(type, -INFINITY));
}

//===----------------------------------------------------------------------===//
// Sinks and dropout
//===----------------------------------------------------------------------===//

Value ProgramBuilder::emitSink(Value head, int64_t rows, Value isOfNone) {
  Value sinks = op.getSink();
  if (!sinks)
    return Value();
  Type element = cast<ShapedType>(sinks.getType()).getElementType();
  Value sink = attn_tile::GatherOp::create(b, element, sinks, ValueRange(head));
  if (!element.isF32())
    sink = b.extf(b.getF32Type(), sink);
  if (isOfNone)
    sink = b.select(isOfNone, b.f32(-INFINITY), sink);
  return b.splat(sink, f32Tile({rows}));
}

Value ProgramBuilder::emitEmptyLse(Value sink, int64_t rows) {
  return sink ? attn_tile::emitEmptyLse(b, sink)
              : splat(f32Tile({rows}), -INFINITY);
}

Value ProgramBuilder::emitKeep(ArrayRef<int64_t> shape, const SequenceView &at,
                               const ScorePlace &place) {
  int64_t threshold = op.getDropoutThreshold();
  if (threshold == 0)
    return Value();
  Value heads = asValue(getSize(op.getQuery(), 1));
  Value plane = b.addiOrFold(b.muliOrFold(place.batch, heads), place.head);
  // Each block of keys begins a multiple of 16 keys after the op's first key.
  // So the blocks' first keys are at multiples of 8 in the larger problem
  // (`aligned`) if the op's first key is.
  std::optional<int64_t> first = getConstantIntValue(at.origin[3]);
  SmallVector<Value> distances;
  if (place.packing) {
    RankedTensorType type = tileType({shape[place.rowAxis]}, b.getI32Type());
    for (Value ofRows :
         {place.packing.getHeads(b, type), place.packing.getTokens(b, type)})
      distances.push_back(broadcast(ofRows, 1 - place.rowAxis, shape));
  }
  return attn_tile::RandomKeepOp::create(
      b, tileType(shape, b.getI1Type()), readNumber(op.getSeed()),
      readNumber(op.getOffset()), plane, place.row, place.key, distances,
      threshold, place.rowAxis, /*aligned=*/first && *first % 8 == 0);
}
