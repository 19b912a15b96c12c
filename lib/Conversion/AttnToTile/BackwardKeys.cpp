//===- BackwardKeys.cpp - Programs of keys, for d_key and d_value ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

/// The number of consecutive rows that lie innermost in the memory of d_query's
/// sums if threads add to it from registers.
static constexpr int64_t kBlockRows = 8;

void BackwardPrograms::createSums() {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), query);
  sizes.back() = b.getIndexAttr(headDim);
  if (!schedule.addsFromRegisters()) {
    querySums = createWorkspace(sizes);
    return;
  }
  // If threads add from registers, the sums have as many rows as the vectors of
  // lse and delta, that is, whole tiles, so that no thread adds out of bounds.
  sizes[2] = getSize(collapse(bias), 2);
  Value rows = createWorkspace(sizes);
  emitZeros(rows);
  // Views the same memory as blocks of kBlockRows rows, in which rows are the
  // innermost dimension.
  Value elements = memref::CollapseShapeOp::create(
      b, rows, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  sizes[2] = apply(dim(0).floorDiv(kBlockRows), {sizes[2]});
  sizes.push_back(b.getIndexAttr(kBlockRows));
  querySums = memref::ExpandShapeOp::create(
      b, decomposeMixedValues(sizes).first, elements,
      ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3, 4}}, sizes);
}

/// Returns the indices of each element of a tile of d_query, which begins at
/// `row`, in the sums to which threads add from registers: batch entry, head,
/// block of kBlockRows rows, column, row in the block. Of each 8 columns, the
/// even ones come first, then the odd ones. A warp thus adds to 128 consecutive
/// bytes at once: its lanes hold row r and column 2 c of an MMA's accumulators,
/// and next column 2 c + 1, for r < 8 and c < 4.
SmallVector<Value> BackwardPrograms::placeInSums(RankedTensorType tile,
                                                 const SequenceView &at,
                                                 Value head, Value row) {
  RankedTensorType type = tile.clone(b.getIndexType());
  auto coordinate = [&](unsigned axis, AffineExpr expr) -> Value {
    return b.coordinate(type, axis,
                        AffineMapAttr::get(AffineMap::get(1, 0, expr)));
  };
  AffineExpr position = dim(0);
  Value first = b.divui(placeInVectors(at, row), b.index(kBlockRows));
  Value block = b.addi(coordinate(0, position.floorDiv(kBlockRows)),
                       b.splat(first, type));
  Value column = coordinate(1, position.floorDiv(8) * 8 + position % 2 * 4 +
                                   (position % 8).floorDiv(2));
  return {at.arrayBatch, head, block, column,
          coordinate(0, position % kBlockRows)};
}

/// Adds the product of dS and the block's keys to the f32 sums of d_query in
/// memory: element by element from registers (addsFromRegisters), or as a tile.
void BackwardPrograms::addQueryGradient(const ScoreTile &tile, Value dScores) {
  RankedTensorType type = f32Tile({block, headDim});
  Value part =
      attn_tile::DotOp::create(b, dScores, tile.keyTile, splat(type, 0.0),
                               /*transpose_lhs=*/true, /*transpose_rhs=*/false);
  if (schedule.addsFromRegisters())
    attn_tile::ScatterOp::create(
        b, part, querySums, placeInSums(type, tile.at, tile.head, tile.row),
        /*add=*/true, /*in_bounds=*/true);
  else
    attn_tile::StoreOp::create(
        b, part, rowsOf(tile.at, querySums),
        {tile.at.arrayBatch, tile.head, tile.row, b.index(0)},
        /*add=*/true, /*apart=*/true);
}

/// Whether programs that also add d_query hold the f32 probabilities in
/// registers beside the accumulators of d_key and d_value: if these have at
/// most 128 columns in all, without regions, dropout and ragged batches. If
/// not, the probabilities that were rounded for an MMA are extended to f32
/// again when they are needed.
bool BackwardPrograms::hasRoomForProbabilities() {
  constexpr int64_t kColumns = 128;
  return headDim + valueHeadDim <= kColumns && !op.hasScore() &&
         !op.hasMaskRegion() && !op.getDropoutAttr() && !op.isRagged();
}

/// Emits the grid whose programs compute d_key and d_value; one of the two may
/// be null.
void BackwardPrograms::emitKeyGradients(Value dKey, Value dValue,
                                        TileSizesAttrInterface ofGrid) {
  double factorOfValue = op.getDropoutAttr() ? op.getDropoutScale() : 1.0;
  Value sumsOfKey, sumsOfValue;
  if (partsOfGroup && dKey)
    sumsOfKey = createKeySums(dKey, headDim, scale);
  if (partsOfGroup && dValue)
    sumsOfValue = createKeySums(dValue, valueHeadDim, factorOfValue);
  auto body = [&](const SequenceView &at, Value ownHead, Value position) {
    Value batch = at.arrayBatch, kvHead = ownHead;
    if (partsOfGroup)
      kvHead = getHeadOfPart(ownHead);
    position = findListedTile(rowLists, at.batch, kvHead, position);
    ScoreTile tile;
    tile.rowAxis = 1;
    tile.at = at;
    tile.key = position;
    tile.keyTile = loadRows(at.key, own, headDim, batch, kvHead, position);
    if (dKey)
      tile.valueTile =
          loadRows(at.value, own, getValueColumns(), batch, kvHead, position);
    if (narrowQuery)
      loadNarrowKeys(tile, kvHead);
    // With a mask region, the rows that see the keys may depend on the head.
    auto createDomainOf = [&](Value head) {
      return createRowDomain(at, head, position, own, block,
                             /*cutsRows=*/op.hasScore());
    };
    Value domain = op.hasMaskRegion() ? Value() : createDomainOf(Value());
    SmallVector<Value> initial;
    if (dValue)
      initial.push_back(splat(f32Tile({own, valueHeadDim}), 0.0));
    if (dKey)
      initial.push_back(splat(f32Tile({own, headDim}), 0.0));

    auto emitBlock = [&](Value row, Value partial, ValueRange sums) {
      tile.row = row;
      tile.partial = partial;
      loadQueries(tile, block, /*ofScores=*/dKey != nullptr,
                  /*ofValues=*/dValue != nullptr);
      auto [scores, tiles] = emitScores(tile, derivative);
      tile.bias = loadVector(bias, tile);
      Value probabilities = emitProbabilities(tile, scores);
      Value rounded = round(probabilities, inputType);
      SmallVector<Value> next;
      auto accumulate = [&](Value left, Value right) {
        next.push_back(attn_tile::DotOp::create(
            b, round(left, inputType), right, sums[next.size()],
            /*transpose_lhs=*/false, /*transpose_rhs=*/false));
      };
      // Computes dP before the product for d_value, since the gradient of the
      // scores needs only dP. If these read different tiles of d_output, the
      // wait for the second tile would be between the products, and LLVM would
      // sink the exponentials to after it: the first product's accumulators
      // and the scores then do not fit registers.
      Value dProbabilities;
      if (dKey && !multipliesNarrow)
        dProbabilities = emitProbabilityGradient(tile);
      if (dValue)
        accumulate(dropOut(rounded, tile.keep), tile.dOutputTile);
      if (dKey && multipliesNarrow)
        dProbabilities = emitProbabilityGradient(tile);
      if (dKey) {
        // Registers do not hold both vectors of rows at a time.
        if (roundedRows)
          tile.roundedScales = loadVector(roundedScales, tile);
        dProbabilities = scaleRows(tile, dProbabilities);
        tile.delta = loadVector(delta, tile);
        if (querySums && rounded != probabilities && !hasRoomForProbabilities())
          probabilities = b.extf(probabilities.getType(), rounded);
        Value gradient =
            emitResultGradient(tile, probabilities, dProbabilities);
        Value dScores = round(
            applyDerivative(gradient, probabilities, tiles.front()), inputType);
        accumulate(dScores, tile.queryTile);
        if (querySums)
          addQueryGradient(tile, dScores);
      }
      return next;
    };
    auto overHead = [&](Value head, ValueRange sums) {
      tile.head = head;
      if (narrowQuery)
        tile.narrowFactor = readNarrowFactor(at, head, kvHead);
      return loopOverBlocks(domain ? domain : createDomainOf(head), sums,
                            emitBlock);
    };
    SmallVector<Value> sums;
    if (Value group = getGroup()) {
      Value one = b.index(1);
      Value count = partsOfGroup ? headsOfPart : group;
      Value first = b.muli(ownHead, count);
      auto heads = scf::ForOp::create(b, b.index(0), count, one, initial);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(heads.getBody());
      Value head = b.addi(first, heads.getInductionVar());
      scf::YieldOp::create(b, overHead(head, heads.getRegionIterArgs()));
      sums = heads.getResults();
    } else {
      sums = overHead(kvHead, initial);
    }
    SmallVector<Value> place = {batch, kvHead, position};
    auto storeBoth = [&] {
      if (dKey)
        storeGradient(sums.back(), keysOf(at, dKey), at.numKeys, scale, place);
      if (dValue)
        storeGradient(sums.front(), keysOf(at, dValue), at.numKeys,
                      factorOfValue, place);
    };
    if (!partsOfGroup)
      return storeBoth();
    auto branch = scf::IfOp::create(b, isDivided(), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    if (dKey)
      store(sums.back(), sumsOfKey, place, /*add=*/true);
    if (dValue)
      store(sums.front(), sumsOfValue, place, /*add=*/true);
    b.setInsertionPointToStart(branch.elseBlock());
    storeBoth();
  };
  listBlocks(all, /*ofRows=*/true, own, block, /*cutsRows=*/op.hasScore(),
             schedule.getRowwise());
  OpFoldResult heads;
  if (partsOfGroup)
    heads = b.muli(asValue(getSize(op.getKey(), 1)), partsOfGroup);
  Value times = partsOfGroup ? headsOfPart : getGroup();
  auto grid = emitGrid(/*ofKeys=*/true, op.getKey(), own, ofGrid, body, heads);
  // The bytes that a program reads and adds for each row: its query and
  // d_output, its lse (and delta for d_key), and its row in the f32 sums of
  // d_query, unless threads add to these from registers.
  constexpr int64_t kF32 = 4;
  int64_t bytes = getKeyBytes() + kF32 * (dKey ? 2 : 1);
  if (dKey && querySums && !schedule.addsFromRegisters())
    bytes += kF32 * headDim;
  // `shared` is empty: no programs read the same tiles of captured arrays,
  // since these are gathered, not loaded, if keys are the rows of a tile.
  describePrograms(grid, /*shared=*/{}, bytes, times);
}

void BackwardPrograms::roundSums(Value like, Value sums, int64_t columns,
                                 Value out, OpFoldResult length,
                                 double factor) {
  int64_t rows = schedule.getRowwise().getTileQ();
  emitRowwise(like, [&](Value batch, Value head, Value row) {
    SmallVector<Value> place = {batch, head, row};
    storeGradient(load(sums, {rows, columns}, place), out, length, factor,
                  place);
  });
}

/// Emits the grid that multiplies the f32 sums of d_query by the op's scale and
/// stores them, rounded, as the gradient. Rows before firstRow, to which
/// nothing was added, get zeros.
void BackwardPrograms::emitRounding() {
  int64_t rows = schedule.getRowwise().getTileQ();
  Value whole = op.getGradient(Gradients::Query), out = whole;
  if (!isZeroInteger(firstRow)) {
    out = slice(whole, firstRow,
                apply(dim(0) - dim(1), {getSize(whole, 2), firstRow}));
    emitZeros(clip(whole, firstRow));
  }
  if (!schedule.addsFromRegisters()) {
    // In ragged batches all rows of the array are rounded: the sums of rows
    // past a length are still zeros.
    roundSums(out, querySums, headDim, out,
              op.isRagged() ? getSize(out, 2) : all.numRows, scale);
    return;
  }
  emitGrid(/*ofKeys=*/false, out, rows, schedule.getRowwise(),
           [&](const SequenceView &at, Value head, Value row) {
             RankedTensorType type = f32Tile({rows, headDim});
             Value sums = attn_tile::GatherOp::create(
                 b, type, querySums, placeInSums(type, at, head, row));
             Value own = rowsOf(at, out);
             OpFoldResult length = op.isRagged() ? getSize(own, 2) : at.numRows;
             storeGradient(sums, own, length, scale,
                           {at.arrayBatch, head, row});
           });
}
