//===- BackwardStored.cpp - Gradients by scores that are stored -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers do not hold a gradient of more than 256 columns for the rows of a
// wgmma program, and shared memory too few rows and keys to compute scores
// twice. So P and dS pass through memory, which takes five products in place of
// seven or eight:
//
// - a grid computes tiles of P and dS, each from all columns of query, keys,
//   d_output and values,
// - three grids multiply them: d_value = P^T d_output, d_key = dS^T query and
//   d_query = dS keys, in tiles of up to 256 columns.
//
// That memory is bounded: the host goes over sections of heads or, where one
// head takes more, of keys. Sections of keys add d_query in f32 memory, one
// after the other, so that results are the same bits each time.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

void BackwardPrograms::emitStoredGradients() {
  Value dQuery = op.getGradient(Gradients::Query);
  bool ofValue = bool(op.getGradient(Gradients::Value));
  bool ofScores = dQuery || op.getGradient(Gradients::Key);
  if (!ofValue && !ofScores)
    return;
  Value zero = b.index(0), one = b.index(1);
  groupSize = getHeadTiles();
  if (!groupSize)
    groupSize = one;
  bool hasBoth = dQuery && op.getGradient(Gradients::Key) && hasTwoGradients();
  SmallVector<OpFoldResult> sizes;
  Sections sections = planSections(
      2 * (int64_t(ofValue) + int64_t(ofScores) + int64_t(hasBoth)), sizes);
  auto createStored = [&] { return allocate(sizes, inputType); };
  if (ofValue)
    storedProbabilities = createStored();
  if (ofScores)
    storedOfKey = storedOfQuery = createStored();
  if (hasBoth)
    storedOfQuery = createStored();

  Value out = dQuery;
  if (dQuery && !isZeroInteger(firstRow)) {
    // Rows before firstRow see no key, so their gradient is 0.
    out = slice(dQuery, firstRow,
                apply(dim(0) - dim(1), {getSize(dQuery, 2), firstRow}));
    emitZeros(clip(dQuery, firstRow));
  }
  if (dQuery && !sections.isOneOfKeys) {
    dividesKeys = b.ugtOrFold(sections.keys, sections.keysOfSection);
    SmallVector<OpFoldResult> sums = b.getMixedSizes(out);
    sums[2] = placeOfToken(sums[2]);
    sums[1] = b.select(dividesKeys,
                       asValue(apply(dim(0).floorDiv(ofTile.heads), {sums[1]})),
                       zero);
    sums[3] = b.getIndexAttr(llvm::alignTo(headDim, getTileColumns(headDim)));
    querySums = createWorkspace(sums);
    emitZeros(querySums);
  }

  // Lists of blocks, which can exclude more blocks than the ranges of
  // MaskRanges, are only emitted if the mask region reads arrays.
  if (op.hasMaskRegion() &&
      !op.getMaskRegion().front().getOps<ReadOp>().empty())
    for (bool ofRows : {false, true})
      listBlocks(op, b, all, ofRows, ofRows ? own : ofTile.tokens,
                 ofRows ? ofBlock.tokens : block, ofTile.heads,
                 /*cutsRows=*/true, schedule.getRowwise(), /*hasMap=*/true);
  emitSections(sections, out);
  if (querySums)
    roundStoredSums(out);
}

void BackwardPrograms::emitSection(const Section &section, Value dQuery) {
  emitStoredScores(section);
  if (op.getGradient(Gradients::Value))
    emitKeyProduct(section, storedProbabilities, dOutput, Gradients::Value);
  if (op.getGradient(Gradients::Key))
    emitKeyProduct(section, storedOfKey, query, Gradients::Key);
  if (dQuery)
    emitQueryProduct(section, dQuery);
}

/// Returns the keys that the rows [first, last), which are rows of the tile
/// that begins at `row`, may see. `ranges` is empty if the mask region gives no
/// ranges.
Interval BackwardPrograms::boundKeysOfTile(const SequenceView &at,
                                           MutableArrayRef<MaskRanges> ranges,
                                           Value row, Value first, Value last) {
  SequenceView ofTile = at;
  if (at.hasRowsBehind)
    ofTile.numKeys = countForTile(b, row, at.numRows, at.numKeys);
  Interval interval = boundKeys(op, b, ofTile, first, last);
  boundByMask(b, at, ranges, /*ofRows=*/false, first, last, interval);
  interval.hiVaries |= at.hasRowsBehind;
  return interval;
}

/// Emits the grid that computes and stores the section's tiles of P and dS:
/// those of the list of pairs (BackwardStoredPairs.cpp) or, without that list,
/// all. A tile without valid pairs is not stored, and the grids that multiply P
/// and dS do not read it.
void BackwardPrograms::emitStoredScores(const Section &section) {
  OpBuilder::InsertionGuard guard(b);
  Value allBias = collapse(bias), allDelta = collapse(delta);
  StoredTile of = createStoredGrid(section, TilesOf::Pairs);
  const SequenceView &at = of.at;
  Value kvHead = of.kvHead;
  Value batch = at.arrayBatch;
  ScoreTile tile;
  tile.rowAxis = 0;
  tile.at = at;
  tile.at.packing = getPacking(b, ofTile);
  tile.head = of.head;
  tile.row = of.row;
  tile.key = of.key;

  auto getEndOfTile = [&] {
    return apply(dim(0) + constant(ofTile.tokens), {tile.row});
  };
  OpFoldResult endOfRows = min(getEndOfTile(), at.numRows);
  OpFoldResult endOfKeys = apply(dim(0) + constant(own), {tile.key});
  auto ranges =
      getMaskRanges(op, b, at, /*ofRows=*/false, tile.head, ofTile.heads);
  Interval seen =
      boundKeysOfTile(at, ranges, tile.row, tile.row, asValue(endOfRows));
  auto isWithin = [&](OpFoldResult lhs, OpFoldResult rhs) -> Value {
    return b.sle(asValue(lhs), asValue(rhs));
  };
  Value isFull = of.isFull;
  if (!isFull)
    isFull = b.andi(isWithin(seen.fullLo, tile.key),
                    isWithin(endOfKeys, seen.fullHi));
  // A score region may yield any number for rows past the last one, so a tile
  // with such rows is partial.
  if (op.hasScore())
    isFull = b.andi(isFull, isWithin(getEndOfTile(), at.numRows));
  tile.partial = b.xori(isFull, b.boolean(true));
  OpFoldResult columns = b.getIndexAttr(std::max(headDim, valueHeadDim));
  Value isVisited;
  if (!ranges.empty() && !at.keyLists.blocks && !listsByRanges())
    isVisited = isKeptByRanges(at, tile.head, tile.row, tile.key);
  for (Value condition : {of.isUsed, isVisited})
    if (condition)
      columns = b.select(condition, asValue(columns), b.index(0));

  Value domain = createWholeDomain(b, b.getIndexAttr(0), columns, block);
  Value zeros = splat(f32Tile({own, own}), 0.0);
  Value loadedQuery = realRowsOf(op, b, at, query, ofTile.heads);
  Value loadedDOutput = realRowsOf(op, b, at, dOutput, ofTile.heads);
  SmallVector<Value> place = {batch, getQueryHead(kvHead, of.inGroup),
                              asValue(placeOfToken(tile.row))};
  bool ofValue = bool(storedProbabilities), ofScores = bool(storedOfKey);
  SmallVector<Value> initial(ofScores ? 2 : 1, zeros);
  auto products = loopOverBlocks(
      domain, initial, [&](Value column, Value partial, ValueRange sums) {
        SmallVector<Value> next;
        auto accumulate = [&](Value ofRows, Value ofKeys) {
          SmallVector<int64_t> shape = {own, block};
          Value lhs = load(ofRows, shape, {batch, place[1], place[2], column});
          Value rhs = load(ofKeys, shape, {batch, kvHead, tile.key, column});
          next.push_back(attn_tile::DotOp::create(
              b, lhs, rhs, sums[next.size()],
              /*transpose_lhs=*/false, /*transpose_rhs=*/true));
        };
        accumulate(loadedQuery, at.key);
        if (ofScores)
          accumulate(loadedDOutput, at.value);
        return next;
      });

  auto store = [&](Value result, Value memory) {
    OpFoldResult rows =
        isPacked(op) ? placeOfToken(at.numRows) : getSize(memory, 2);
    if (isVisited)
      rows = b.select(isVisited, asValue(rows), b.index(0));
    memory = slice(memory, placeOfToken(at.firstRow), rows);
    TileBuilder::store(
        round(result, inputType), memory,
        placeStored(section, of, of.inGroup, tile.row, of.localKey));
  };
  enterScales(tile, kvHead);
  loadKeyScales(tile, kvHead, own);
  if (queryScales) {
    tile.scoreScales = load(ofUnits(at, collapse(scoreScales)), {own}, place);
    tile.queryScales = load(ofUnits(at, collapse(queryScales)), {own}, place);
  }
  auto [scores, derivatives] = scaleScores(tile, products[0], derivative);
  tile.bias = load(ofUnits(at, allBias), {own}, place);
  Value probabilities = emitProbabilities(tile, scores);
  if (ofValue)
    store(dropOut(round(probabilities, inputType), tile.keep),
          storedProbabilities);
  if (!ofScores)
    return;
  tile.delta = load(ofUnits(at, allDelta), {own}, place);
  Value dProbabilities =
      scaleDProbabilities(tile, dropProduct(tile, products[1]));
  Value gradient =
      applyDerivative(emitResultGradient(tile, probabilities, dProbabilities),
                      probabilities, derivatives.front());
  if (op.getGradient(Gradients::Key))
    store(scaleGradient(tile, gradient, /*ofKeys=*/true), storedOfKey);
  if (op.getGradient(Gradients::Query) &&
      (storedOfQuery != storedOfKey || !op.getGradient(Gradients::Key)))
    store(scaleGradient(tile, gradient, /*ofKeys=*/false), storedOfQuery);
}
