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

/// The number of consecutive rows of d_query's sums that are innermost in
/// memory if threads add to the sums from registers.
static constexpr int64_t kBlockRows = 8;

void BackwardPrograms::createSums() {
  SmallVector<OpFoldResult> sizes = b.getMixedSizes(query);
  sizes.back() = b.getIndexAttr(headDim);
  if (ofBlock.heads > 1) {
    sizes[1] = getSize(bias, 1);
    sizes[2] = getSize(collapse(bias), 2);
  }
  if (!schedule.addsFromRegisters()) {
    querySums = createWorkspace(sizes);
    if (!coversBlocks())
      emitZeros(querySums);
    return;
  }
  // If threads add to the sums of d_query from registers, these sums have as
  // many rows as the vectors of lse and delta. That is a whole number of tiles,
  // so no thread adds out of bounds.
  sizes[2] = getSize(collapse(bias), 2);
  Value rows = createWorkspace(sizes);
  emitZeros(rows);
  // The memory of d_query's sums is viewed as blocks of kBlockRows rows, with
  // the rows of a block as the innermost dimension.
  Value elements = memref::CollapseShapeOp::create(
      b, rows, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  sizes[2] = apply(dim(0).floorDiv(kBlockRows), {sizes[2]});
  sizes.push_back(b.getIndexAttr(kBlockRows));
  querySums = memref::ExpandShapeOp::create(
      b, decomposeMixedValues(sizes).first, elements,
      ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3, 4}}, sizes);
}

/// Returns, for each element of a tile of d_query, its indices in the sums to
/// which threads add from registers: batch entry, head, block of kBlockRows
/// rows, column, row in the block. `first` is the position in the sums of the
/// tile's first row or, as a tile of indices, that of each element's row. In
/// each group of 8 columns, the 4 even columns come before the 4 odd ones.
///
/// A warp thus adds to 128 consecutive bytes at once. Its lanes hold row r and
/// column 2 c of an MMA's accumulators, and next column 2 c + 1, for r < 8 and
/// c < 4.
SmallVector<Value> BackwardPrograms::placeInSums(RankedTensorType tile,
                                                 Value batch, Value head,
                                                 Value first) {
  RankedTensorType type = tile.clone(b.getIndexType());
  auto coordinate = [&](unsigned axis, AffineExpr expr) -> Value {
    return b.coordinate(type, axis,
                        AffineMapAttr::get(AffineMap::get(1, 0, expr)));
  };
  AffineExpr position = dim(0);
  Value block, row;
  if (first.getType() == type) {
    Value rows = splat(type, kBlockRows);
    block = b.divui(first, rows);
    row = b.remui(first, rows);
  } else {
    first = b.divui(first, b.index(kBlockRows));
    block = b.addi(coordinate(0, position.floorDiv(kBlockRows)),
                   b.splat(first, type));
  }
  Value column = coordinate(1, position.floorDiv(8) * 8 + position % 2 * 4 +
                                   (position % 8).floorDiv(2));
  if (!row)
    row = coordinate(0, position % kBlockRows);
  return {batch, head, block, column, row};
}

/// Adds dS times the block's keys to the f32 sums of d_query in memory: element
/// by element from registers if the schedule's addsFromRegisters() is true,
/// else as a tile.
void BackwardPrograms::addQueryGradient(const ScoreTile &tile, Value dScores) {
  RankedTensorType type = f32Tile({block, headDim});
  Value part =
      attn_tile::DotOp::create(b, dScores, tile.keyTile, splat(type, 0.0),
                               /*transpose_lhs=*/true, /*transpose_rhs=*/false);
  Value head = tile.head, row = tile.row, sums = querySums;
  if (schedule.addsFromRegisters())
    row = placeInVectors(tile.at, row);
  if (ofBlock.heads > 1) {
    head = asValue(apply(dim(0).floorDiv(ofBlock.heads), {head}));
    row = asValue(apply(dim(0).floorDiv(ofBlock.tokens) * block, {row}));
  }
  if (schedule.addsFromRegisters()) {
    attn_tile::ScatterOp::create(
        b, part, sums, placeInSums(type, tile.at.arrayBatch, head, row),
        /*add=*/true, /*in_bounds=*/true);
    return;
  }
  sums =
      ofBlock.heads > 1 ? ofUnits(tile.at, sums) : rowsOf(op, b, tile.at, sums);
  attn_tile::StoreOp::create(b, part, sums,
                             {tile.at.arrayBatch, head, row, b.index(0)},
                             /*add=*/true, /*apart=*/true);
}

/// Whether programs that also add d_query keep the f32 probabilities in
/// registers next to the accumulators of d_key and d_value. They do if the
/// accumulators have at most 128 columns in total and there are no regions, no
/// dropout, no ragged batches and no two forms of dS (hasTwoGradients()).
/// Otherwise they keep only the probabilities that were rounded for an MMA, and
/// extend these to f32 when needed.
bool BackwardPrograms::hasRoomForProbabilities() {
  constexpr int64_t kColumns = 128;
  return headDim + valueHeadDim <= kColumns && !op.hasScore() &&
         !op.hasMaskRegion() && !op.getDropoutAttr() && !op.isRagged() &&
         !hasTwoGradients();
}

/// Emits the grid whose programs compute d_key and d_value for a tile of keys.
/// `dKey` or `dValue` may be null; that gradient is then not computed.
void BackwardPrograms::emitKeyGradients(Value dKey, Value dValue,
                                        TileSizesAttrInterface ofGrid) {
  Value sumsOfKey, sumsOfValue;
  if (partsOfGroup && dKey)
    sumsOfKey = createKeySums(dKey, headDim, Gradients::Key);
  if (partsOfGroup && dValue)
    sumsOfValue = createKeySums(dValue, valueHeadDim, Gradients::Value);
  auto body = [&](const SequenceView &at, Value ownHead, Value position) {
    Value batch = at.arrayBatch, kvHead = ownHead;
    if (partsOfGroup)
      kvHead = getHeadOfPart(ownHead);
    position = findListedTile(b, at.rowLists, at.batch, kvHead, position);
    ScoreTile tile;
    tile.rowAxis = 1;
    tile.at = at;
    tile.at.packing = getPacking(b, ofBlock);
    tile.key = position;
    tile.keyTile = loadRows(at.key, own, headDim, batch, kvHead, position);
    if (dKey)
      tile.valueTile =
          loadRows(at.value, own, getValueColumns(), batch, kvHead, position);
    if (narrowQuery)
      loadNarrowKeys(tile, kvHead);
    loadKeyScales(tile, kvHead, own);
    // With a mask region, the rows that see the keys may depend on the query
    // head, so a domain is created for each head. Otherwise one domain serves
    // all heads.
    auto createDomainOf = [&](Value head) {
      return createRowDomain(op, b, at, head, ofBlock.heads, position, own,
                             ofBlock.tokens, /*cutsRows=*/op.hasScore());
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
      if (scoreScales)
        tile.scoreScales = loadVector(scoreScales, tile);
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
      // dP is computed before the product for d_value, since the gradient of
      // the scores needs only dP. If the two products read different tiles of
      // d_output, the wait for the second tile would be between them, and LLVM
      // would sink the exponentials to after that wait. The first product's
      // accumulators and the scores then do not fit in registers. So in that
      // case dP is computed afterwards.
      Value dProbabilities;
      if (dKey && !multipliesNarrow)
        dProbabilities = emitProbabilityGradient(tile);
      if (dValue)
        accumulate(
            dropOut(roundsOperands() ? roundOperand(probabilities) : rounded,
                    tile.keep),
            tile.dOutputTile);
      if (dKey && multipliesNarrow)
        dProbabilities = emitProbabilityGradient(tile);
      if (dKey) {
        // The vector of scales is loaded before dP is scaled, and delta only
        // afterwards, since registers do not hold both vectors at the same
        // time.
        if (roundedRows)
          tile.roundedScales = loadVector(roundedScales, tile);
        dProbabilities = scaleDProbabilities(tile, dProbabilities);
        tile.delta = loadVector(delta, tile);
        if (querySums && rounded != probabilities && !hasRoomForProbabilities())
          probabilities = b.extf(probabilities.getType(), rounded);
        Value gradient =
            emitResultGradient(tile, probabilities, dProbabilities);
        Value dScores = applyDerivative(gradient, probabilities, tiles.front());
        Value ofRows;
        if (querySums && hasTwoGradients())
          ofRows = scaleGradient(tile, dScores, /*ofKeys=*/false);
        if (queryScales)
          tile.queryScales = loadVector(queryScales, tile);
        Value ofKeys = scaleGradient(tile, dScores, /*ofKeys=*/true);
        if (!ofRows)
          ofRows = ofKeys;
        accumulate(ofKeys, tile.queryTile);
        if (querySums)
          addQueryGradient(tile, ofRows);
      }
      return next;
    };
    auto overHead = [&](Value head, ValueRange sums) {
      tile.head = head;
      enterScales(tile, kvHead);
      return loopOverBlocks(domain ? domain : createDomainOf(head), sums,
                            emitBlock);
    };
    SmallVector<Value> sums;
    if (Value group = getHeadTiles()) {
      Value one = b.index(1);
      Value count = partsOfGroup ? headsOfPart : group;
      Value first = b.muli(ownHead, count);
      auto heads = scf::ForOp::create(b, b.index(0), count, one, initial);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(heads.getBody());
      Value head = b.addi(first, heads.getInductionVar());
      head = asValue(apply(dim(0) * ofBlock.heads, {head}));
      scf::YieldOp::create(b, overHead(head, heads.getRegionIterArgs()));
      sums = heads.getResults();
    } else {
      sums =
          overHead(asValue(apply(dim(0) * ofBlock.heads, {kvHead})), initial);
    }
    SmallVector<Value> place = {batch, kvHead, position};
    auto storeBoth = [&] {
      if (dKey)
        storeGradient(sums.back(), keysOf(op, b, at, dKey), at.numKeys,
                      Gradients::Key, place);
      if (dValue)
        storeGradient(sums.front(), keysOf(op, b, at, dValue), at.numKeys,
                      Gradients::Value, place);
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
  listBlocks(op, b, all, /*ofRows=*/true, own, ofBlock.tokens, ofBlock.heads,
             /*cutsRows=*/op.hasScore(), schedule.getRowwise());
  OpFoldResult heads;
  if (partsOfGroup)
    heads = b.muli(asValue(getSize(op.getKey(), 1)), partsOfGroup);
  Value times = partsOfGroup ? headsOfPart : getHeadTiles();
  auto grid = emitGrid(/*ofKeys=*/true, op.getKey(), own, ofGrid, body, heads);
  // The bytes that a program reads and adds for each row: those of the row's
  // query and d_output, its lse, for d_key its delta, and its row of the f32
  // sums of d_query. The latter do not count if threads add to them from
  // registers. A token of a block has a row for each of the block's heads.
  constexpr int64_t kF32 = 4;
  int64_t bytes = getKeyBytes() + kF32 * (dKey ? 2 : 1);
  if (dKey && querySums && !schedule.addsFromRegisters())
    bytes += kF32 * headDim;
  bytes *= ofBlock.heads;
  // No programs share tiles of captured arrays, so `shared` is empty: with keys
  // as the rows of a tile, such arrays are gathered and not loaded as tiles.
  describePrograms(b, grid, /*shared=*/{}, bytes, times);
}

void BackwardPrograms::roundSums(Value like, Value sums, int64_t columns,
                                 Value out, OpFoldResult length, Gradients of) {
  int64_t rows = schedule.getRowwise().getTileQ();
  emitRowwise(like, [&](Value batch, Value head, Value row) {
    SmallVector<Value> place = {batch, head, row};
    storeGradient(load(sums, {rows, columns}, place), out, length, of, place);
  });
}

/// Emits the grid that multiplies the f32 sums of d_query by the op's scale,
/// rounds them and stores them as the gradient. Rows before `firstRow`, to
/// which no program added, get zeros.
void BackwardPrograms::emitRounding() {
  int64_t rows = schedule.getRowwise().getTileQ();
  Value whole = op.getGradient(Gradients::Query), out = whole;
  if (!isZeroInteger(firstRow)) {
    out = slice(whole, firstRow,
                apply(dim(0) - dim(1), {getSize(whole, 2), firstRow}));
    emitZeros(clip(whole, firstRow));
  }
  if (!schedule.addsFromRegisters() && ofBlock.heads == 1) {
    // In ragged batches, all rows of the array of d_query are rounded: the sums
    // of rows past the true length are zeros, as these rows' gradients should
    // be.
    roundSums(out, querySums, headDim, out,
              op.isRagged() ? getSize(out, 2) : all.numRows, Gradients::Query);
    return;
  }
  emitGrid(/*ofKeys=*/false, out, rows, schedule.getRowwise(),
           [&](const SequenceView &at, Value head, Value row) {
             Value sums = gatherSums(f32Tile({rows, headDim}), at, head, row);
             Value own = rowsOf(op, b, at, out);
             OpFoldResult length = op.isRagged() ? getSize(own, 2) : at.numRows;
             storeGradient(sums, own, length, Gradients::Query,
                           {at.arrayBatch, head, row});
           });
}
