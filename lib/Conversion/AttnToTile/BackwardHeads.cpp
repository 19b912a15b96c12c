//===- BackwardHeads.cpp - Gradients of tiles with rows of several heads --===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If query heads that share keys have few rows, as types or `few_rows`
// say (estimateTokens()), a block of rows that programs of keys visit
// (`ofBlock`), and a tile of programs of rows (`ofTile`), has the rows of
// several heads, as in forward programs (HeadRows.cpp). Query and
// d_output are loaded in parts. The vectors of lse and delta, and the sums of
// d_query, have their rows in the order of blocks, so that programs of keys
// read and add whole blocks; the first grid, which computes the vectors, and
// the last one, which rounds the sums, have a head each and find its rows in
// these arrays.
//
// Where P and dS pass through memory (BackwardStored.cpp), rows of several
// heads are in the order of tokens, in P and dS, in those vectors and sums, and
// in copies of query and d_output. A row's place there is its token's number
// times the number of heads, plus that of its head, whatever the number of rows
// of a tile, so that tiles of P and their blocks are consecutive rows.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "attn/Dialect/Attn/IR/GradientForm.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Sets `ofBlock` and `ofTile`. Tiles have rows of one head if sequences may
/// have many tokens, and if all queries of a head share a scale, heads do not,
/// and 8-bit MMAs compute scores of f16: copies there hold powers of two of
/// scales, and scores need the whole scales. Programs that compute the gradient
/// of an array of pairs have rows of one head, too (emitPairGradient()).
void BackwardPrograms::joinRows() {
  std::optional<int64_t> tokens = estimateTokens(op);
  bool needsWhole = stored.getExtra(Extra::QueryScale).findDim('h') &&
                    multipliesStored && inputType.isF16();
  if (!tokens || !mayJoinHeads(op) || needsWhole)
    return;
  if (!storesScores(op, schedule)) {
    ofBlock = divideTile(op, block, tokens);
    ofTile = divideTile(op, own, tokens);
    return;
  }
  ofBlock = ofTile = divideTile(op, own, tokens, /*rowsByToken=*/block);
  ofBlock.tokens = block / ofBlock.heads;
}

/// Returns the number of blocks, of `ofBlock.heads` heads each, that the heads
/// of a group have for the same tokens. Returns null if it is known to be 1.
Value BackwardPrograms::getHeadTiles() {
  Value group = getGroup(op, b);
  if (!group || ofBlock.heads == 1)
    return group;
  int64_t tiles = *getConstantIntValue(group) / ofBlock.heads;
  return tiles == 1 ? Value() : b.index(tiles);
}

/// Returns where rows are in vectors such as lse and delta, and in the sums of
/// d_query: the index in the dimension of heads and that in the dimension of
/// rows. `tokens` is a tile of indices, and `heads` the same or, if all rows
/// have one head, its index.
std::pair<Value, Value> BackwardPrograms::findInVectors(Value heads,
                                                        Value tokens) {
  if (ofBlock.heads == 1)
    return {heads, tokens};
  auto type = cast<RankedTensorType>(tokens.getType());
  Value tokensOfBlock = splat(type, ofBlock.tokens);
  Value first = b.muli(b.divui(tokens, tokensOfBlock), splat(type, block));
  Value ofToken = b.remui(tokens, tokensOfBlock);
  if (ofBlock.isByToken)
    ofToken = b.muli(ofToken, splat(type, ofBlock.heads));
  ofToken = b.addi(first, ofToken);
  if (heads.getType().isIndex()) {
    int64_t headStep = ofBlock.isByToken ? 1 : ofBlock.tokens;
    Value ofHead = asValue(apply(dim(0) % ofBlock.heads * headStep, {heads}));
    return {asValue(apply(dim(0).floorDiv(ofBlock.heads), {heads})),
            b.addi(ofToken, b.splat(ofHead, type))};
  }
  Value headsOfBlock = splat(type, ofBlock.heads);
  Value ofHead = b.muli(b.remui(heads, headsOfBlock), tokensOfBlock);
  return {b.divui(heads, headsOfBlock), b.addi(ofToken, ofHead)};
}

/// Stores a vector, or the columns from `column` on, of consecutive rows of a
/// head to an array whose rows are in the order of blocks. Rows past those of
/// the array, or of the packed sequence's part of it, are not stored.
void BackwardPrograms::storeToVector(Value tile, Value vector,
                                     const SequenceView &at, Value head,
                                     Value row, Value column) {
  int64_t count = cast<RankedTensorType>(tile.getType()).getDimSize(0);
  auto [heads, rows] =
      findInVectors(head, countFrom(row, tileType({count}, b.getIndexType())));
  SmallVector<Value> place = {at.arrayBatch, heads, rows};
  if (column)
    place.push_back(column);
  attn_tile::ScatterOp::create(b, tile, ofUnits(at, vector), place);
}

/// Returns a tile of the sums of d_query of consecutive rows of a head.
Value BackwardPrograms::gatherSums(RankedTensorType type,
                                   const SequenceView &at, Value head,
                                   Value row) {
  bool isInPlace = schedule.addsFromRegisters();
  if (isInPlace)
    row = placeInVectors(at, row);
  if (ofBlock.heads == 1)
    return attn_tile::GatherOp::create(
        b, type, querySums, placeInSums(type, at.arrayBatch, head, row));
  RankedTensorType indices = type.clone(b.getIndexType());
  auto [heads, rows] = findInVectors(head, countFrom(row, indices));
  if (isInPlace)
    return attn_tile::GatherOp::create(
        b, type, querySums, placeInSums(type, at.arrayBatch, heads, rows));
  return attn_tile::GatherOp::create(
      b, type, ofUnits(at, querySums),
      ValueRange{at.arrayBatch, heads, rows, b.coordinate(indices, 1)});
}

/// Returns the scores of programs of keys with -inf for the rows of the block
/// that belong to no head. Since these rows are loaded as zeros, their
/// gradients are zeros, too, unless a score region yields any number for them.
Value BackwardPrograms::clearRowsOfNone(const ScoreTile &tile, Value scores) {
  if (!op.hasScore() || tile.rowAxis == 0 || !tile.at.packing ||
      ofBlock.heads * ofBlock.tokens == block)
    return scores;
  auto type = cast<RankedTensorType>(scores.getType());
  RankedTensorType words = type.clone(b.getI32Type());
  Value isRow = b.ult(tile.at.packing.getHeads(b, words, tile.rowAxis),
                      splat(words, ofBlock.heads));
  return b.select(isRow, scores, splat(type, -INFINITY));
}

/// Stores the sums of d_query of a program of rows, whose tile begins at `row`
/// of head `head` and at column `column`, to `out`. Rows that attend to no key
/// and rows past the last valid one get zeros.
void BackwardPrograms::storeRowGradient(Value gradient, Value out,
                                        const SequenceView &at, Value head,
                                        Value row, Value column) {
  if (!at.packing) {
    int64_t rows = cast<RankedTensorType>(gradient.getType()).getDimSize(0);
    SmallVector<Value> place = {at.arrayBatch, head, row};
    if (mayLeaveOutKeys(op))
      gradient = clearEmptyRows(
          gradient, load(realRowsOf(op, b, at, lse), {rows}, place));
    if (column)
      place.push_back(column);
    return storeGradient(gradient, rowsOf(op, b, at, out), at.numRows,
                         Gradients::Query, place);
  }
  auto [heads, tokens] = placeHeads(op, b, at, ofTile, head, row, own);
  if (mayLeaveOutKeys(op))
    gradient = clearEmptyRows(gradient,
                              attn_tile::GatherOp::create(
                                  b, f32Tile({own}), realRowsOf(op, b, at, lse),
                                  ValueRange{at.arrayBatch, heads, tokens}));
  gradient = scaleSums(gradient, Gradients::Query, at.arrayBatch, head);
  auto type = cast<RankedTensorType>(gradient.getType());
  out = rowsOf(op, b, at, out);
  if (Value isReal = findStoredRows(b, at, getSize(out, 2), row, own))
    gradient = b.select(broadcast(isReal, 1, type.getShape()), gradient,
                        splat(type, 0.0));
  Type element = cast<MemRefType>(out.getType()).getElementType();
  SmallVector<Value> place = {at.arrayBatch, heads, tokens};
  if (column)
    place.push_back(column);
  attn_tile::ScatterOp::create(b, round(gradient, element), out,
                               completePosition(out, place));
}
