//===- BackwardPrograms.cpp - Gradients as tile programs ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first grid computes two numbers for each row: delta, the sum of output
// times d_output, and the bias, the lse that is subtracted in exponents. In the
// next grid, a program has a block of keys and goes over the rows that see
// them, of all query heads that share the keys or of some (see
// BackwardGroups.cpp), for d_key and d_value. If heads have few rows, a block
// has rows of several heads (see BackwardHeads.cpp). If registers do not hold
// both gradients, each of them has its own grid. There are two ways to compute
// d_query:
//
// - In memory, to which each program of d_key adds its part, in an order that
//   differs from run to run. A block takes five MMAs, or six if d_value has a
//   grid of its own. The first grid clears that memory, and a last one rounds
//   the sums.
// - In a separate grid, in which a program has a block of rows and goes over
//   the keys: seven MMAs. No program adds to another's results, so they are the
//   same bits each time. This grid also sums the gradients of captures over the
//   keys; see SumPrograms.h.
//
// Where registers do not hold a gradient's columns, P and dS pass through
// memory instead; see BackwardStored.cpp.
//

#include "BackwardPrograms.h"
#include "DequantisedInputs.h"
#include "JoinedColumns.h"
#include "Programs.h"
#include "ScoreTiling.h"
#include "SumPrograms.h"

#include "attn/Dialect/Attn/IR/GradientForm.h"
#include "attn/Dialect/Attn/Transforms/ScoreDerivative.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

void BackwardPrograms::emitRowwise(
    Value like,
    function_ref<void(Value batch, Value head, Value position)> body) {
  OpBuilder::InsertionGuard guard(b);
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  auto place = enter(
      createGrid(op, b, like, getSize(like, 1), rowwise.getTileQ(), rowwise));
  body(place[0], place[1], place[2]);
}

attn_tile::GridOp BackwardPrograms::emitGrid(bool ofKeys, Value like,
                                             int64_t step,
                                             TileSizesAttrInterface schedule,
                                             Body body, OpFoldResult heads) {
  if (!heads)
    heads = getSize(like, 1);
  PackedTiles tiles;
  if (isPacked(op))
    tiles = listPackedTiles(op, b, ofKeys, step, schedule.getRowwise(), unit);
  OpBuilder::InsertionGuard guard(b);
  auto grid = isPacked(op) ? createPackedGrid(op, b, tiles, heads, schedule)
                           : createGrid(op, b, like, heads, step, schedule);
  auto place = enter(grid);
  Value position;
  SequenceView at = enterTile(op, b, all, tiles, place, position);
  body(at, place.drop_back().back(), position);
  return grid;
}

Value BackwardPrograms::ofUnits(const SequenceView &at, Value vector) {
  if (!isPacked(op))
    return vector;
  int64_t rowsOfUnit = unit / ofBlock.tokens * block;
  return slice(vector, apply(dim(0) * rowsOfUnit, {at.firstUnit}),
               apply(dim(0).ceilDiv(unit) * rowsOfUnit, {at.numRows}));
}

Value BackwardPrograms::placeInVectors(const SequenceView &at, Value row) {
  if (!isPacked(op))
    return row;
  return asValue(apply(dim(0) + dim(1) * unit, {row, at.firstUnit}));
}

void BackwardPrograms::emitZeros(Value out) {
  auto type = cast<MemRefType>(out.getType());
  if (isKnownEmpty(out))
    return;
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  int64_t rows = rowwise.getTileQ();
  RankedTensorType tile = tileType(
      {rows,
       static_cast<int64_t>(llvm::alignTo(type.getDimSize(3), kHeadDimStep))},
      type.getElementType());
  emitRowwise(out, [&](Value batch, Value head, Value position) {
    store(splat(tile, 0.0), out, {batch, head, position});
  });
}

/// Emits a grid that copies the array to workspace and returns the copy. With
/// `copiesKeptRows`, rows that attend to no key (rows of lse -inf) are zeros.
/// Rows of several heads are in the order of tokens.
Value BackwardPrograms::copyRows(Value array, int64_t width) {
  int64_t ofToken = ofTile.isByToken ? ofTile.heads : 1;
  Value copy = allocateRows(array, getElementTypeOrSelf(array.getType()),
                            /*columns=*/std::nullopt, ofToken);
  int64_t rows = schedule.getRowwise().getTileQ();
  emitRowwise(array, [&](Value batch, Value head, Value row) {
    Value own;
    if (copiesKeptRows)
      own = load(lse, {rows}, {batch, head, row});
    // The array is copied in panels of at most kMost columns, which registers
    // can hold.
    constexpr int64_t kMost = 256;
    for (int64_t first = 0; first < width; first += kMost) {
      SmallVector<Value> at = {batch, head, row, b.index(first)};
      Value tile = load(array, {rows, std::min(kMost, width - first)}, at);
      if (own)
        tile = clearEmptyRows(tile, own);
      if (ofToken == 1) {
        store(tile, copy, at);
        continue;
      }
      std::tie(at[1], at[2]) = findInVectors(
          head, countFrom(row, tileType({rows}, b.getIndexType())));
      attn_tile::ScatterOp::create(b, tile, copy, at);
    }
  });
  return copy;
}

/// For each capture that needs a gradient, appends to `reads` how the score
/// region reads it, or std::nullopt if it is a scalar. Fails if
/// findCaptureReads() fails.
LogicalResult BackwardPrograms::findCaptures() {
  for (auto [i, number] : llvm::enumerate(op.getCaptureWrt())) {
    std::optional<CaptureReads> &own = reads.emplace_back();
    if (isa<ShapedType>(op.getCaptures()[number].getType())) {
      FailureOr<CaptureReads> found = findCaptureReads(op, number);
      if (failed(found))
        return failure();
      own = *found;
    }
  }
  return success();
}

void BackwardPrograms::addGradient(CaptureGradient gradient) {
  bool isOfPairs = gradient.reads && gradient.reads->isOfPairs();
  (isOfPairs ? ofPairs : ofRows).push_back(std::move(gradient));
}

/// Adds ops to the score region that compute its derivatives with respect to
/// the score, and with respect to what it reads of each capture that needs a
/// gradient. Sets `score` to the score that the region yields and `derivative`
/// to its derivative with respect to the score. Appends captures to `ofPairs`,
/// `ofRows` or `tables`, and the gradients of arrays that the region does not
/// read to `unread`. Does nothing if the op has no score region; fails if the
/// region has no derivative.
LogicalResult BackwardPrograms::deriveRegion() {
  if (!op.hasScore())
    return success();
  Block &region = op.getScore().front();
  auto isComputed = [](const std::optional<CaptureReads> &own) {
    return own && own->has(CaptureReads::Computed);
  };
  SmallVector<SmallVector<Value>> variables = {{region.getArgument(0)}};
  for (auto [number, own] : llvm::zip(op.getCaptureWrt(), reads)) {
    SmallVector<Value> of;
    if (!own)
      of.push_back(region.getArgument(kNumScoreArguments + number));
    else
      for (ReadOp read : own->reads)
        of.push_back(read.getResult());
    if (!isComputed(own))
      variables.push_back(of);
    else
      for (Value read : of)
        variables.push_back({read});
  }
  auto found = deriveScoreOf(region, variables);
  if (failed(found))
    return failure();
  score = cast<YieldOp>(region.getTerminator()).getValue();
  for (Value &derivative : *found)
    if (!derivative) {
      // If the yielded score does not depend on a variable, the derivative is
      // null, and becomes the constant 0.
      OpBuilder inner(region.getTerminator());
      derivative = arith::ConstantOp::create(inner, op.getLoc(),
                                             inner.getF32FloatAttr(0.0));
    }
  ArrayRef<Value> rest = *found;
  auto take = [&](size_t count) {
    ArrayRef<Value> first = rest.take_front(count);
    rest = rest.drop_front(count);
    return first;
  };
  derivative = take(1).front();
  for (auto [own, written] : llvm::zip(reads, op.getCaptureGradients())) {
    bool isTable = isComputed(own);
    ArrayRef<Value> derivatives = take(isTable ? own->reads.size() : 1);
    Value out = written;
    // The dimensions of size 1 are those of the captured array's type, so the
    // gradient gets the sizes that this type has.
    if (own && !own->reads.empty()) {
      auto type = cast<MemRefType>(out.getType());
      out = b.createOrFold<memref::CastOp>(
          MemRefType::get(own->getType().getShape(), type.getElementType(),
                          type.getLayout(), type.getMemorySpace()),
          out);
    }
    // A gradient without elements is not computed, since no view of it
    // verifies.
    if (isKnownEmpty(written) || isKnownEmpty(out))
      continue;
    if (isTable)
      addTable(*own, out, derivatives);
    else if (own && own->reads.empty())
      unread.push_back(out);
    else
      addGradient({own, out, derivatives.front()});
  }
  return success();
}

/// Sets `firstRow` to the first row that may see a key according to the mask's
/// upper diagonal. Lowers `all.numRows` to the end of the rows that may see a
/// key according to its lower diagonal. In ragged batches, or without a mask
/// attribute, firstRow is 0 and numRows is unchanged.
void BackwardPrograms::skipRowsWithoutKeys() {
  firstRow = skippedRows = b.getIndexAttr(0);
  MaskAttr mask = op.getMaskAttr();
  if (!mask || op.isRagged())
    return;
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    all.numRows = min(all.numRows, apply(dim(0) - dim(1) - constant(*lower),
                                         {all.numKeys, all.diagonal}));
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    firstRow = max(firstRow, apply(-dim(0) - constant(*upper), {all.diagonal}));
}

/// Makes `firstRow` the first row of the views of all arrays, and changes the
/// mask's diagonal and the origin of rows accordingly. Vectors of lse and delta
/// that were computed before have to be computed again. Does nothing if
/// firstRow is 0.
void BackwardPrograms::beginAtFirstRow() {
  if (isZeroInteger(firstRow))
    return;
  firstRow = skippedRows = min(firstRow, all.numRows);
  all.numRows = apply(dim(0) - dim(1), {all.numRows, firstRow});
  for (Value *array : {&output, &rowsOfDOutput, &lse, &dLse})
    if (*array)
      *array = slice(*array, firstRow, all.numRows);
  // Query, d_output and the 8-bit query are loaded by TMA, and a tensor map
  // needs at least one row. So if no row is valid, their views still have one
  // row, unless the array is empty. Programs then do not read the row.
  OpFoldResult size = getSize(query, 2);
  OpFoldResult count = min(max(b.getIndexAttr(1), all.numRows), size);
  OpFoldResult first = min(firstRow, apply(dim(0) - dim(1), {size, count}));
  for (Value *array : {&query, &dOutput, &narrowQuery})
    if (*array)
      *array = slice(*array, first, count);
  all.diagonal = apply(dim(0) + dim(1), {all.diagonal, firstRow});
  all.origin[2] = apply(dim(0) + dim(1), {all.origin[2], firstRow});
}

/// Whether not only rows outside of the mask's diagonals may attend to no key.
/// Programs of d_key and d_value then need copies of query and d_output with
/// zeros in such rows. To be called before deriveRegion() adds ops to the score
/// region.
bool BackwardPrograms::mustCopyKeptRows() {
  return op.hasMaskRegion() || (op.hasScore() && hasPole(op)) ||
         (op.isRagged() && op.getMaskAttr());
}

LogicalResult BackwardPrograms::emit() {
  if (failed(findCaptures()) || failed(deriveRegion()))
    return failure();
  joinRows();
  Value dSink = op.getGradient(Gradients::Sink);
  if (dSink)
    emitSinkGradient(op, b, dSink);
  // All gradients but that of the sink are zeros if query or key are statically
  // empty, so that there are no tiles, or if it is known that no row sees a
  // key.
  auto emitNoPairs = [&] {
    for (Value out : op.getOuts().drop_back(op.getCaptureWrt().size()))
      if (out != dSink)
        emitZeros(out);
    CaptureSums(op, b, schedule.getRowwise())
        .storeZeros(op.getCaptureGradients());
    return success();
  };
  if (isKnownEmpty(op.getQuery()) || isKnownEmpty(op.getKey()))
    return emitNoPairs();
  if (op.getWrt() == Gradients::Sink && op.getCaptureWrt().empty())
    return success();

  all = viewAll(op, b);
  skipRowsWithoutKeys();
  if (isAtMost(dim(0), {all.numRows}, firstRow))
    return emitNoPairs();
  CaptureSums(op, b, schedule.getRowwise()).storeZeros(unread);
  query = op.getQuery();
  dOutput = op.getDOutput();
  lse = op.getLse();
  output = op.getOutput();
  dLse = op.getDLse();
  if (multipliesStored)
    narrowQuery = stored.getQuery();
  multipliesNarrow = multipliesNarrowValues();
  // The views of the op's arrays end at the last valid row, so that loads
  // return zeros for the rows past it.
  if (!isAtMost(dim(0), {getSize(query, 2)}, all.numRows)) {
    all.numRows = max(b.getIndexAttr(0), all.numRows);
    for (Value *array : {&query, &dOutput, &lse, &output, &dLse, &narrowQuery})
      if (*array)
        *array = clip(*array, all.numRows);
  }
  rowsOfDOutput = dOutput;
  bool isStored = storesScores(op, schedule);
  bool adds = !isStored && op.addsQueryGradient(schedule);
  if (!adds && !isStored &&
      (op.getGradient(Gradients::Query) || !op.getCaptureWrt().empty())) {
    createRowVectors();
    emitRows();
    // The largest number of gradients of captures that one grid computes. For
    // each of these gradients, a program keeps a vector of sums over keys in
    // registers.
    constexpr size_t kSumsOfGrid = 8;
    Value dQuery = op.getGradient(Gradients::Query);
    ArrayRef<CaptureGradient> rest = ofRows;
    while (dQuery || !rest.empty()) {
      size_t count = std::min(rest.size(), kSumsOfGrid);
      emitRowGradients(dQuery, rest.take_front(count));
      rest = rest.drop_front(count);
      dQuery = Value();
    }
    for (const CaptureGradient &gradient : ofPairs)
      emitPairGradient(gradient);
    for (const TableGradient &table : tables)
      emitTableGradient(table);
  }
  // Programs of d_key and d_value read only rows from `firstRow` on, the first
  // row that may see a key. If firstRow may not be 0, the vectors of lse and
  // delta are computed for these rows, even if they were computed for all rows
  // before.
  beginAtFirstRow();
  if (!bias || !isZeroInteger(firstRow)) {
    createRowVectors();
    if (adds)
      createSums();
    emitRows();
  }
  Value dKey = op.getGradient(Gradients::Key);
  Value dValue = op.getGradient(Gradients::Value);
  // In rows that attend to no key, a probability is 0, and its product with a
  // number that is not finite would be NaN. Programs skip those of these rows
  // that the mask's diagonals exclude. Other such rows are known only by their
  // lse, so programs read copies of query and d_output in which these rows are
  // zeros. `roundedProducts`, which only has the rows of sequences, is such a
  // copy already. Where P and dS pass through memory, copies have rows of
  // several heads in the order of P and dS.
  if (copiesKeptRows || (ofTile.isByToken && ofTile.heads > 1)) {
    if (dKey || isStored)
      query = copyRows(query, headDim);
    if (!roundedProducts && (dValue || dKey || isStored))
      dOutput = copyRows(dOutput, valueHeadDim);
  }
  divideGroup();
  if (isStored) {
    emitStoredGradients();
  } else if (dKey && dValue &&
             (!op.sumsBothKeyGradients(schedule) ||
              (roundedRows && !multipliesNarrow))) {
    // In this branch, d_key and d_value get a grid each, since registers hold
    // only one of them, or shared memory cannot hold d_output in 16 bits both
    // rounded and not rounded. Programs of d_value alone add nothing to
    // d_query, so their schedule has no reducer.
    emitKeyGradients(Value(), dValue, schedule.getWithoutAdding());
    emitKeyGradients(dKey, Value(), schedule);
  } else if (dKey || dValue) {
    emitKeyGradients(dKey, dValue, schedule);
  }
  if (querySums && !isStored)
    emitRounding();
  emitKeyRounding();
  return success();
}

LogicalResult mlir::attn::emitBackward(AttentionBackwardOp op,
                                       OpBuilder &builder) {
  JoinedColumns columns(op, builder);
  if (columns.areNeeded()) {
    AttentionBackwardOp own = columns.emit();
    LogicalResult result = emitBackward(own, builder);
    own.erase();
    columns.emitGradients();
    return result;
  }
  DequantisedInputs inputs(op, builder);
  if (!inputs.areNeeded())
    return BackwardPrograms(op, builder, op).emit();
  BackwardPrograms ofStored(op, builder, op);
  AttentionBackwardOp own =
      inputs.emit(ofStored.multipliesNarrowValues(), ofStored.multipliesStored);
  LogicalResult result = BackwardPrograms(own, builder, op).emit();
  own.erase();
  return result;
}
