//===- BackwardStoredProducts.cpp - Products of scores that are stored ----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grids that multiply P and dS, which BackwardStored.cpp's grid has written
// to memory.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

/// Emits the grid that computes d_key or d_value for the keys of a section: the
/// sum of the products of transposed tiles of `scores` (dS or P, in memory) and
/// tiles of `rows` (query or d_output), over all rows of all query heads of the
/// group, multiplied by the factors of scaleSums().
void BackwardPrograms::emitKeyProduct(const Section &section, Value scores,
                                      Value rows, Gradients of) {
  OpBuilder::InsertionGuard guard(b);
  Value out = op.getGradient(of);
  int64_t width = getTileColumns(*getConstantIntValue(getSize(out, 3)));
  StoredTile tile = createStoredGrid(section, TilesOf::Keys, out);
  const SequenceView &at = tile.at;
  Value kvHead = tile.kvHead;
  Value batch = at.arrayBatch, column = tile.column, key = tile.key;
  // With a mask region, each query head has its own domain of rows.
  auto createDomainOf = [&](Value head) {
    return createRowDomain(op, b, at, head, ofBlock.heads, key, own,
                           ofBlock.tokens,
                           /*cutsRows=*/true);
  };
  Value domain = op.hasMaskRegion() ? Value() : createDomainOf(Value());
  Value loaded = realRowsOf(op, b, at, rows, ofTile.heads);
  scores = rowsOf(op, b, at, scores, ofTile.heads);
  auto overRows = [&](Value number, ValueRange sums) {
    Value head = getQueryHead(kvHead, number);
    return loopOverBlocks(
        domain ? domain : createDomainOf(getFirstHead(head)), sums,
        [&](Value row, Value partial, ValueRange sums) -> SmallVector<Value> {
          Value lhs =
              load(scores, {block, own},
                   placeStored(section, tile, number, row, tile.localKey));
          Value rhs = load(loaded, {block, width},
                           {batch, head, asValue(placeOfToken(row)), column});
          return {attn_tile::DotOp::create(b, lhs, rhs, sums.front(),
                                           /*transpose_lhs=*/true,
                                           /*transpose_rhs=*/false)};
        });
  };
  SmallVector<Value> sums = {splat(f32Tile({own, width}), 0.0)};
  if (getConstantIntValue(groupSize) == 1) {
    sums = overRows(b.index(0), sums);
  } else {
    auto heads = scf::ForOp::create(b, b.index(0), groupSize, b.index(1), sums);
    sums = heads.getResults();
    OpBuilder::InsertionGuard inLoop(b);
    b.setInsertionPointToStart(heads.getBody());
    scf::YieldOp::create(
        b, overRows(heads.getInductionVar(), heads.getRegionIterArgs()));
  }
  storeGradient(sums.front(), keysOf(op, b, at, out), at.numKeys, of,
                {batch, kvHead, key, column});
}

/// Emits the grid that computes d_query, `out`: the stored dS times the
/// section's keys. If several sections have keys of the same head, it adds
/// these products to the f32 sums `querySums` instead.
void BackwardPrograms::emitQueryProduct(const Section &section, Value out) {
  OpBuilder::InsertionGuard guard(b);
  int64_t width = getTileColumns(headDim);
  StoredTile of = createStoredGrid(section, TilesOf::Rows, out);
  SequenceView at = of.at;
  at.packing = getPacking(b, ofTile);
  Value kvHead = of.kvHead;
  Value batch = at.arrayBatch, row = of.row, column = of.column;
  Value head = of.head;
  auto ranges = getMaskRanges(op, b, at, /*ofRows=*/false, head, ofTile.heads);
  auto bound = [&](Value first, Value last) {
    Interval seen = boundKeysOfTile(at, ranges, row, first, last);
    if (!isZeroInteger(getAsOpFoldResult(section.firstKey)))
      seen.lo = max(seen.lo, section.firstKey);
    if (dividesKeys)
      seen.hi = min(
          seen.hi, apply(dim(0) + dim(1), {section.firstKey, section.numKeys}));
    return seen;
  };
  Value domain;
  if (!at.keyLists.blocks && at.packing) {
    // The interval of all of the tile's tokens; see createKeyDomain().
    Value end = asValue(
        min(apply(dim(0) + constant(ofTile.tokens), {row}), at.numRows));
    domain = createDomain(b, b.index(0), own, b.getIndexAttr(own), block,
                          [&](Value, Value) { return bound(row, end); });
  } else if (!at.keyLists.blocks)
    domain = createDomain(b, row, own, at.numRows, block, bound);
  else if (!dividesKeys)
    domain = createListedDomain(b, at.keyLists, at.batch, head, row);
  else
    domain = createListedDomain(b, at.keyLists, at.batch, head, row,
                                section.firstKey,
                                b.addi(section.firstKey, section.numKeys));
  Value ofTiles = rowsOf(op, b, at, storedOfQuery, ofTile.heads);
  SmallVector<Value> sums = {splat(f32Tile({own, width}), 0.0)};
  Value gradient = loopOverBlocks(
      domain, sums,
      [&](Value key, Value partial, ValueRange sums) -> SmallVector<Value> {
        Value local = asValue(apply(dim(0) - dim(1), {key, section.firstKey}));
        Value lhs = load(ofTiles, {own, block},
                         placeStored(section, of, of.inGroup, row, local));
        Value rhs = load(at.key, {block, width}, {batch, kvHead, key, column});
        return {attn_tile::DotOp::create(b, lhs, rhs, sums.front(),
                                         /*transpose_lhs=*/false,
                                         /*transpose_rhs=*/false)};
      })[0];
  if (!dividesKeys)
    return storeRowGradient(gradient, out, at, head, row, column);
  auto branch = scf::IfOp::create(b, dividesKeys, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  Value sumsOfRows = rowsOf(op, b, at, querySums, ofTile.heads);
  if (pairsOfRows) {
    // Rows without pairs in the section add nothing.
    Value count = memref::LoadOp::create(b, pairsOfRows, of.numberOfRows);
    Value none = b.eq(count, b.word(0));
    sumsOfRows = clip(sumsOfRows, b.select(none, b.index(0),
                                           asValue(getSize(sumsOfRows, 2))));
  }
  store(gradient, sumsOfRows,
        {batch, getQueryHead(kvHead, of.inGroup), asValue(placeOfToken(row)),
         column},
        /*add=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  storeRowGradient(gradient, out, at, head, row, column);
}

/// Emits the grid that multiplies `querySums`, to which sections of keys added,
/// by the factors of scaleSums(), rounds them and stores them as d_query,
/// `out`. If one section has all keys, the sums have 0 heads, so the grid has
/// no programs.
void BackwardPrograms::roundStoredSums(Value out) {
  constexpr int64_t kPanel = 64;
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  int64_t rows = rowwise.getTileQ();
  auto body = [&](const SequenceView &at, Value head, Value row) {
    for (int64_t first = 0; first < headDim; first += kPanel) {
      Value sums = rowsOf(op, b, at, querySums, ofTile.heads),
            column = b.index(first), tile;
      RankedTensorType type = f32Tile({rows, kPanel});
      if (ofTile.heads == 1) {
        tile = load(sums, {rows, kPanel}, {at.arrayBatch, head, row, column});
      } else {
        RankedTensorType indices = type.clone(b.getIndexType());
        auto [heads, places] = findInVectors(head, countFrom(row, indices));
        tile = attn_tile::GatherOp::create(
            b, type, sums,
            ValueRange{at.arrayBatch, heads, places,
                       countFrom(column, indices, /*axis=*/1)});
      }
      storeRowGradient(tile, out, at, head, row, column);
    }
  };
  emitGrid(/*ofKeys=*/false, out, rows, rowwise, body,
           apply(dim(0) * ofTile.heads, {getSize(querySums, 1)}));
}
