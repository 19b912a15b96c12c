//===- ProgramBuilder.cpp - What attention programs share -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

ProgramBuilder::ProgramBuilder(AttentionInterface op, OpBuilder &builder)
    : TileProgram(op.getLoc(), builder), op(op), inputType(getComputeType(op)),
      headDim(llvm::alignTo(op.getHeadDim(), kHeadDimStep)),
      valueHeadDim(llvm::alignTo(op.getValueHeadDim(), kHeadDimStep)) {
  auto forward = dyn_cast<AttentionOp>(op.getOperation());
  if (!forward)
    return;
  HeadDimTiles tiles = getHeadDimTiles(forward, op.getScheduleAttr());
  headDim = tiles.key;
  ropeDim = llvm::alignTo(op.getRopeColumns(), kHeadDimStep);
  valueHeadDim = tiles.value;
  isValueWithinKey = tiles.isWithin;
}

OpFoldResult ProgramBuilder::getSize(Value view, int64_t dim) {
  return memref::getMixedSize(b, b.getLoc(), view, dim);
}

bool ProgramBuilder::isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                              OpFoldResult limit) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(operands.size(), 0, expr),
               llvm::map_to_vector(operands,
                                   [](OpFoldResult o) { return Variable(o); })),
      ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(limit));
}

Value ProgramBuilder::allocate(ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return memref::AllocOp::create(b, MemRefType::get(shape, element),
                                 dynamicSizes);
}

Value ProgramBuilder::slice(Value view, OpFoldResult first,
                            OpFoldResult length) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), view);
  if (isZeroInteger(first) && sizes[2] == length)
    return view;
  sizes[2] = length;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[2] = first;
  return memref::SubViewOp::create(b, view, offsets, sizes, strides);
}

Value ProgramBuilder::viewBytes(Value array) {
  return array && isInt4(getElementTypeOrSelf(array))
             ? attn_tile::BytesOp::create(b, array)
             : array;
}

Value ProgramBuilder::createValueArray() {
  int64_t first = op.getFirstValueDim();
  if (isValueWithinKey || first < 0)
    return viewBytes(op.getValue());
  // There is no view of an array that is known to have no elements.
  if (llvm::is_contained(op.getKeyType().getShape(), 0))
    return Value();
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, b.getLoc(), op.getKey());
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets.back() = b.getIndexAttr(first);
  sizes.back() = b.getIndexAttr(op.getValueHeadDim());
  return viewBytes(
      memref::SubViewOp::create(b, op.getKey(), offsets, sizes, strides));
}

Value ProgramBuilder::transpose(Value array, ArrayRef<unsigned> order) {
  AffineMap map = AffineMap::getPermutationMap(order, b.getContext());
  return memref::TransposeOp::create(b, array, AffineMapAttr::get(map));
}

void ProgramBuilder::computeSizes() {
  keyArray = viewBytes(op.getKey());
  valueArray = createValueArray();
  for (unsigned i = 0; i < 4; ++i)
    origin[i] = op.getOriginOrZero(i);
  sequenceRow = sequenceKey = b.getIndexAttr(0);
  lengthQ = op.getTrueQueryLength(b);
  lengthKv = op.getTrueKvLength(b);
  boundLengths();
}

void ProgramBuilder::boundLengths() {
  numKeys = op.getKvLength(b);
  hasKeysBehind = !isAtMost(dim(0) + dim(1), {origin[3], numKeys}, lengthKv);
  if (hasKeysBehind)
    numKeys = max(b.getIndexAttr(0),
                  min(numKeys, apply(dim(0) - dim(1), {lengthKv, origin[3]})));
  numRows = getSize(op.getQuery(), 2);
  hasRowsBehind = !isAtMost(dim(0) + dim(1), {origin[2], numRows}, lengthQ);
  if (hasRowsBehind)
    numRows = min(numRows, apply(dim(0) - dim(1), {lengthQ, origin[2]}));
  diagonal = apply(dim(0) - dim(1), {origin[2], origin[3]});
  MaskAttr mask = op.getMaskAttr();
  if (mask && mask.getAlignment() == Alignment::BottomRight)
    diagonal = apply(dim(0) + dim(1) - dim(2), {diagonal, lengthKv, lengthQ});
}

void ProgramBuilder::enterBatch(Value own) {
  batch = arrayBatch = own;
  auto read = [&](Value lengths) -> OpFoldResult {
    return b.indexCast(b.getIndexType(),
                       memref::LoadOp::create(b, lengths, own));
  };
  auto clamp = [&](OpFoldResult length, OpFoldResult all) {
    return min(max(length, b.getIndexAttr(0)), all);
  };
  if (Value lengths = op.getLengthArray(0))
    lengthQ = clamp(read(lengths), getSize(op.getQuery(), 2));
  if (Value lengths = op.getLengthArray(1))
    lengthKv = clamp(read(lengths), op.getKvLength(b));
  if (op.isRagged())
    boundLengths();
  // Memory past the true length may hold anything, NaN too, and 0 * NaN is NaN:
  // it must not be read where the true length is less than the view's. Keys and
  // values have the same length.
  Value rope = op.getExtra(Extra::KeyRope).value;
  if (op.getPages()) {
    key = keyArray;
    keyRope = rope;
    value = valueArray;
    return;
  }
  // There is no view of an array that is known to have no keys.
  bool isCut = hasKeysBehind && op.getKeyType().getDimSize(2) != 0;
  key = isCut ? clip(keyArray, numKeys) : keyArray;
  keyRope = isCut && rope ? clip(rope, numKeys) : rope;
  value = isCut && valueArray ? clip(valueArray, numKeys) : valueArray;
}

attn_tile::GridOp ProgramBuilder::createGrid(Value like, OpFoldResult heads,
                                             int64_t step,
                                             TileSizesAttrInterface schedule) {
  SmallVector<Value> sizes = {asValue(getSize(like, 0)), asValue(heads),
                              asValue(getSize(like, 2))};
  return createGridOf(op, sizes, {1, 1, step}, schedule);
}

/// Whether some region reads pairs of an array that are the same along a
/// dimension: 0 is that of batch entries, 1 that of heads.
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
  if (domainsBegin || domainsEnd)
    grid.setLongest(domainsEnd ? attn_tile::Longest::Last
                               : attn_tile::Longest::First);
  domainsBegin = domainsEnd = false;
  if (!shared.empty())
    grid.setShared(shared);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(grid);
  Value bytes = b.index(positionBytes);
  if (times)
    bytes = b.createOrFold<arith::MulIOp>(bytes, times);
  grid.getPositionBytesMutable().assign(bytes);
}

void ProgramBuilder::emitZeros(Value array, TileSizesAttrInterface schedule) {
  auto type = cast<MemRefType>(array.getType());
  if (llvm::is_contained(type.getShape(), 0))
    return;
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(asValue(getSize(array, dim)));
  SmallVector<int64_t> steps(type.getRank(), 1);
  int64_t rows = steps.back() = schedule.getTileQ();
  OpBuilder::InsertionGuard guard(b);
  auto grid = attn_tile::GridOp::create(b, sizes, steps, schedule);
  b.setInsertionPointToStart(&grid.getBody().front());
  attn_tile::StoreOp::create(
      b, splat(tileType({rows}, type.getElementType()), 0.0), array,
      grid.getBody().getArguments());
}

Value ProgramBuilder::dropDims(Value array,
                               function_ref<bool(int64_t)> isKept) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (isKept(dim))
      shape.push_back(type.getDimSize(dim));
  if (static_cast<int64_t>(shape.size()) == type.getRank())
    return array;
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, reduced, array, offsets, sizes, strides);
}

Value ProgramBuilder::getGroup() {
  // Divides before the grid, once for all of its programs.
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
  // Affine maps have no division by a variable. Without heads, the grid has no
  // programs, but the division is carried out.
  Value one = b.index(1);
  return b.createOrFold<arith::DivUIOp>(
      asValue(queryHeads),
      b.createOrFold<arith::MaxUIOp>(asValue(kvHeads), one));
}

Value ProgramBuilder::getKvHead(Value queryHead) {
  Value group = getGroup();
  if (!group)
    return queryHead;
  if (std::optional<int64_t> size = getConstantIntValue(group))
    return asValue(apply(dim(0).floorDiv(*size), {queryHead}));
  return divideHeads(queryHead, group);
}

Value ProgramBuilder::divideHeads(Value head, Value count) {
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), value);
  };
  return arith::IndexCastUIOp::create(
      b, b.getIndexType(),
      arith::DivUIOp::create(b, narrow(head), narrow(count)));
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
ProgramBuilder::getMaskConditions(OpFoldResult row, OpFoldResult firstKey,
                                  int64_t numTileKeys) {
  using Position = MaskCondition::Position;
  SmallVector<MaskCondition> conditions;
  std::optional<int64_t> staticKeys = getConstantIntValue(numKeys);
  if (!staticKeys || *staticKeys % numTileKeys != 0)
    conditions.push_back({Position::Key, arith::CmpIPredicate::slt,
                          apply(dim(0) - dim(1), {numKeys, firstKey})});
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return conditions;
  OpFoldResult distance =
      apply(dim(0) + dim(1) - dim(2), {row, diagonal, firstKey});
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sle,
                          apply(dim(0) + constant(*upper), {distance})});
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sge,
                          apply(dim(0) + constant(*lower), {distance})});
  return conditions;
}

Value ProgramBuilder::maskPartial(
    Value scores, Value partial, int64_t keyAxis, const ScorePlace &place,
    function_ref<SmallVector<MaskCondition>()> getConditions) {
  bool isOfPartial =
      op.hasMaskRegion() &&
      ((keyAxis == 0 ? rowLists : keyLists).blocks
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
    if (place.packing.rowsOfHead) {
      auto shape = cast<RankedTensorType>(scores.getType()).getShape();
      rows = place.packing.getTokens(
          b, place.packedRow, tileType({shape[1 - keyAxis]}, b.getI32Type()));
    }
    masked = maskScores(b, masked, keyAxis, conditions, rows);
  }
  scf::YieldOp::create(b, masked);
  b.setInsertionPointToStart(cut.elseBlock());
  scf::YieldOp::create(b, scores);
  return cut.getResult(0);
}

ScorePlace ProgramBuilder::getScorePlace(Value batch, Value head, Value row,
                                         Value key, int64_t rowAxis) {
  auto place = [&](unsigned axis, Value local) {
    return asValue(apply(dim(0) + dim(1), {origin[axis], local}));
  };
  ScorePlace found = {place(0, batch), place(1, head), place(2, row),
                      place(3, key), rowAxis};
  found.isOfNone = isOfNoSequence;
  return found;
}

Value ProgramBuilder::maskByRegion(Value scores, const ScorePlace &place) {
  if (!op.hasMaskRegion())
    return scores;
  auto type = cast<RankedTensorType>(scores.getType());
  Value isKept = inlineMask(op, b, type.getShape(), place);
  return b.select(isKept, scores, splat(type, -INFINITY));
}

Value ProgramBuilder::findRealRows(OpFoldResult arrayLength,
                                   OpFoldResult length, Value first,
                                   int64_t rows) {
  if (isAtMost(dim(0), {arrayLength}, length))
    return Value();
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value bound = asValue(apply(dim(0) - dim(1), {length, first}));
  return b.slt(b.coordinate(type, 0), b.splat(bound, type));
}

/// Finds the ops within a loop that compute a value, in order. Returns false if
/// the value depends on the block, or on memory.
static bool takeProducers(Value value, Operation *loop,
                          llvm::SetVector<Operation *> &producers) {
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() > 0 ||
      !llvm::all_of(op->getOperands(), [&](Value operand) {
        return takeProducers(operand, loop, producers);
      }))
    return false;
  producers.insert(op);
  return true;
}

/// Moves reads of captured arrays, which a program does not write, before the
/// loop if their indices do not depend on the block, with the ops that compute
/// these. Vectors are then read even if the branch that reads them is not
/// taken.
static void hoistReads(attn_tile::ForBlocksOp loop) {
  SmallVector<Operation *> reads;
  loop.walk([&](Operation *op) {
    if (!isa<attn_tile::GatherOp, attn_tile::LoadOp>(op))
      return;
    auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    bool isVector = tile && tile.getRank() == 1;
    if (isVector || (isa<attn_tile::GatherOp>(op) && op->getParentOp() == loop))
      reads.push_back(op);
  });
  for (Operation *read : reads) {
    llvm::SetVector<Operation *> producers;
    if (!llvm::all_of(read->getOperands(), [&](Value operand) {
          return takeProducers(operand, loop, producers);
        }))
      continue;
    for (Operation *op : producers)
      op->moveBefore(loop);
    read->moveBefore(loop);
  }
  // Moves ops that depend on these values alone.
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody().front().without_terminator()))
    if (isPure(&op) && op.getNumRegions() == 0 &&
        llvm::all_of(op.getOperands(), [&](Value operand) {
          return !loop->isAncestor(operand.getParentBlock()->getParentOp());
        }))
      op.moveBefore(loop);
}

SmallVector<Value> ProgramBuilder::loopOverBlocks(
    Value domain, ValueRange initial,
    function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody) {
  auto loop =
      attn_tile::ForBlocksOp::create(b, TypeRange(initial), domain, initial);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types = {b.getIndexType(), b.getI1Type()};
  llvm::append_range(types, TypeRange(initial));
  Block *body = b.createBlock(&loop.getBody(), {}, types,
                              SmallVector<Location>(types.size(), b.getLoc()));
  attn_tile::YieldOp::create(b, emitBody(body->getArgument(0),
                                         body->getArgument(1),
                                         body->getArguments().drop_front(2)));
  moveLoopInvariantCode(loop);
  hoistReads(loop);
  return loop.getResults();
}

//===----------------------------------------------------------------------===//
// Sinks and dropout
//===----------------------------------------------------------------------===//

Value ProgramBuilder::emitSink(Value head, int64_t rows) {
  Value sinks = op.getSink();
  if (!sinks)
    return Value();
  Type element = cast<ShapedType>(sinks.getType()).getElementType();
  Value sink = attn_tile::GatherOp::create(b, element, sinks, ValueRange(head));
  if (!element.isF32())
    sink = b.extf(b.getF32Type(), sink);
  if (isOfNoSequence)
    sink = b.select(isOfNoSequence,
                    arith::ConstantOp::create(b, b.getF32FloatAttr(-INFINITY)),
                    sink);
  return b.splat(sink, f32Tile({rows}));
}

Value ProgramBuilder::emitEmptyLse(Value sink, int64_t rows) {
  Value none = splat(f32Tile({rows}), -INFINITY);
  if (!sink)
    return none;
  Value isFinite = b.olt(b.absf(sink), splat(f32Tile({rows}), INFINITY));
  return b.select(isFinite, sink, none);
}

Value ProgramBuilder::readNumber(Value operand) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type)
    return operand;
  SmallVector<Value> indices;
  if (type.getRank() == 1)
    indices.push_back(b.index(0));
  return attn_tile::GatherOp::create(b, type.getElementType(), operand,
                                     indices);
}

Value ProgramBuilder::emitKeep(ArrayRef<int64_t> shape,
                               const ScorePlace &place) {
  int64_t threshold = op.getDropoutThreshold();
  if (threshold == 0)
    return Value();
  Value heads = asValue(getSize(op.getQuery(), 1));
  Value plane = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place.batch, heads), place.head);
  // Blocks of keys begin at multiples of 16 from the op's first key.
  std::optional<int64_t> first = getConstantIntValue(origin[3]);
  return attn_tile::RandomKeepOp::create(
      b, tileType(shape, b.getI1Type()), readNumber(op.getSeed()),
      readNumber(op.getOffset()), plane, place.row, place.key, threshold,
      place.rowAxis, /*aligned=*/first && *first % 8 == 0);
}

Value ProgramBuilder::dropOut(Value tile, Value keep) {
  if (!keep)
    return tile;
  return b.select(keep, tile,
                  splat(cast<RankedTensorType>(tile.getType()), 0.0));
}
