//===- BackwardTile.cpp - Gradients of a tile of scores -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"
#include "ScoreTiling.h"

#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// A tile of scores
//===----------------------------------------------------------------------===//

ScoreTile BackwardPrograms::loadRowTile(const SequenceView &at, Value head,
                                        Value kvHead, Value row, Value allBias,
                                        Value allDelta) {
  ScoreTile tile;
  tile.rowAxis = 0;
  tile.at = at;
  tile.head = head;
  tile.row = row;
  loadQueries(tile, own, /*ofScores=*/true, /*ofValues=*/false);
  SmallVector<Value> place = {at.arrayBatch, head, row};
  bool isInBlocks = ofBlock.heads > 1 || at.packing;
  if (isInBlocks) {
    auto [heads, tokens] =
        at.packing
            ? placeHeads(op, b, at, ofTile, head, row, own)
            : std::pair(head,
                        countFrom(row, tileType({own}, b.getIndexType())));
    std::tie(place[1], place[2]) = findInVectors(heads, tokens);
  }
  auto loadOf = [&](Value vector) -> Value {
    Value part = ofUnits(at, vector);
    return isInBlocks ? Value(attn_tile::GatherOp::create(b, f32Tile({own}),
                                                          part, place))
                      : load(part, {own}, place);
  };
  tile.bias = loadOf(allBias);
  tile.delta = loadOf(allDelta);
  if (roundedRows)
    tile.roundedScales = loadOf(collapse(roundedScales));
  enterScales(tile, kvHead);
  if (scoreScales)
    tile.scoreScales = loadOf(collapse(scoreScales));
  return tile;
}

void BackwardPrograms::loadKeys(ScoreTile &tile, Value kvHead, Value position,
                                Value partial) {
  tile.key = position;
  tile.partial = partial;
  Value batch = tile.at.arrayBatch;
  tile.keyTile = loadRows(tile.at.key, block, headDim, batch, kvHead, position);
  tile.valueTile =
      loadRows(tile.at.value, block, valueHeadDim, batch, kvHead, position);
  loadKeyScales(tile, kvHead, block);
}

Value BackwardPrograms::emitMask(const ScoreTile &tile, Value scores,
                                 const ScorePlace &place) {
  int64_t keyAxis = 1 - tile.rowAxis;
  auto shape = cast<RankedTensorType>(scores.getType()).getShape();
  scores = clearRowsOfNone(tile, scores);
  return maskPartial(op, b, tile.at, scores, tile.partial, keyAxis, place, [&] {
    SmallVector<MaskCondition> conditions =
        getMaskConditions(op, b, tile.at, tile.row, tile.key, shape[keyAxis]);
    // Rows past the last one are loaded as zeros, so their gradients are zeros.
    // But a score region may yield any number for them, so with a score region
    // these rows are masked.
    if (op.hasScore())
      conditions.push_back(
          {MaskCondition::Position::Row, arith::CmpIPredicate::slt,
           apply(dim(0) - dim(1), {tile.at.numRows, tile.row})});
    return conditions;
  });
}

/// Returns the masked scores, multiplied by log2(e) unless roundsScores(), and
/// tiles of the values `wanted` of the score region, or one null value if the
/// op has no score region. Sets `tile.keep`, the pairs that dropout keeps.
std::pair<Value, SmallVector<Value>>
BackwardPrograms::emitScores(ScoreTile &tile, ArrayRef<Value> wanted) {
  bool isNarrow = tile.narrowQueryTile != nullptr;
  Value product = isNarrow
                      ? multiply(tile, tile.narrowQueryTile, tile.narrowKeyTile)
                      : multiply(tile, tile.queryTile, tile.keyTile);
  return scaleScores(tile, product, wanted);
}

/// Returns the product of a tile of rows and the transpose of a tile of keys:
/// rows x keys or, if tile.rowAxis is 1, keys x rows.
Value BackwardPrograms::multiply(const ScoreTile &tile, Value ofRows,
                                 Value ofKeys) {
  Value lhs = ofRows, rhs = ofKeys;
  if (tile.rowAxis == 1)
    std::swap(lhs, rhs);
  RankedTensorType type =
      f32Tile({cast<RankedTensorType>(lhs.getType()).getDimSize(0),
               cast<RankedTensorType>(rhs.getType()).getDimSize(0)});
  return attn_tile::DotOp::create(b, lhs, rhs, splat(type, 0.0),
                                  /*transpose_lhs=*/false,
                                  /*transpose_rhs=*/true);
}

/// Multiplies `scores`, the products of query and keys, by the scale, and
/// applies the score region and the mask. Returns the same as emitScores(), and
/// also sets `tile.keep`.
std::pair<Value, SmallVector<Value>>
BackwardPrograms::scaleScores(ScoreTile &tile, Value scores,
                              ArrayRef<Value> wanted) {
  auto type = cast<RankedTensorType>(scores.getType());
  auto multiply = [&](Value scores, double factor) -> Value {
    return b.mulf(scores, splat(type, factor),
                  arith::FastMathFlags::contract |
                      arith::FastMathFlags::reassoc);
  };
  ScorePlace place;
  if (op.hasScore() || op.hasMaskRegion() || op.getDropoutAttr() ||
      tile.at.packing)
    place =
        getScorePlace(b, tile.at, tile.head, tile.row, tile.key, tile.rowAxis);
  tile.keep = emitKeep(op, b, type.getShape(), tile.at, place);
  auto mask = [&](Value scores) { return emitMask(tile, scores, place); };
  if (!op.hasScore()) {
    // Scores are multiplied by factors from memory before they are masked. A
    // factor may be 0 or negative, and its product with -inf would not be -inf.
    if (tile.scoreFactor || tile.scoreScales)
      return {mask(scaleProducts(tile, scores)), SmallVector<Value>(1)};
    // If the softmax may take the maximum before the multiplication
    // (mayFollowMaximum), masked scores are multiplied by the factor, since
    // this product fuses with the subtraction of the lse. Otherwise scores are
    // multiplied before they are masked.
    double factor = roundsScores() ? scale : scale * llvm::numbers::log2e;
    Value masked = mayFollowMaximum(factor) ? multiply(mask(scores), factor)
                                            : mask(multiply(scores, factor));
    return {masked, SmallVector<Value>(1)};
  }
  SmallVector<Value> results = {score};
  llvm::append_range(results, wanted);
  Value scaled = tile.scoreFactor || tile.scoreScales
                     ? scaleProducts(tile, scores)
                     : multiply(scores, scale);
  SmallVector<Value> tiles = inlineScore(op, b, scaled, place, results);
  Value masked = mask(tiles.front());
  if (!roundsScores())
    masked = multiply(masked, llvm::numbers::log2e);
  tiles.erase(tiles.begin());
  return {masked, tiles};
}

//===----------------------------------------------------------------------===//
// Scores of 8 bits
//===----------------------------------------------------------------------===//

/// Whether programs compute scores as the forward program does: as products of
/// the 8-bit numbers that query and key store, times the scales. This requires
/// MMAs that multiply 8-bit tiles as they are, which schedules with a reducer
/// have (mayAddApart); room in shared memory for the further tiles; in f16, one
/// scale for each head; and a query of which no rows have to be cleared
/// (copiesKeptRows). Otherwise scores are computed from the 16-bit copies of
/// query and key that the other products read.
bool BackwardPrograms::mayMultiplyStored() {
  // With at most 64 columns, scores are computed faster from the 16-bit copies
  // than from the 8-bit arrays (docs/lab/eight-bits.md).
  constexpr int64_t kMostSlow = 64, kMostColumns = 128;
  if (copiesKeptRows || !schedule.mayAddApart() ||
      !op.addsQueryGradient(schedule) || op.getHeadDim() <= kMostSlow ||
      op.getHeadDim() > kMostColumns)
    return false;
  bool hasTokenScales =
      isOfTokens(Extra::QueryScale) || isOfTokens(Extra::KeyScale);
  Type element = getElementTypeOrSelf(stored.getQuery());
  return isFloat8(element) && (inputType.isBF16() || !hasTokenScales) &&
         getElementTypeOrSelf(stored.getKey()) == element;
}

/// Loads the block of 8-bit keys at `tile.key`.
void BackwardPrograms::loadNarrowKeys(ScoreTile &tile, Value kvHead) {
  const SequenceView &at = tile.at;
  Value keys = stored.getKey();
  if (isPacked(op) || at.hasKeysBehind)
    keys = slice(keys, at.firstKey, at.numKeys);
  tile.narrowKeyTile =
      loadRows(keys, own, getNarrowColumns(), at.arrayBatch, kvHead, tile.key);
}

//===----------------------------------------------------------------------===//
// Probabilities and gradients
//===----------------------------------------------------------------------===//

/// Returns the probabilities P = exp(s - lse). `scores` and `tile.bias`, the
/// lse of each row, are already multiplied by log2(e) unless roundsScores().
Value BackwardPrograms::emitProbabilities(const ScoreTile &tile, Value scores) {
  auto type = cast<RankedTensorType>(scores.getType());
  Value ofRows = broadcast(tile.bias, 1 - tile.rowAxis, type.getShape());
  if (!roundsScores()) {
    Value exponent = b.subf(scores, ofRows, arith::FastMathFlags::contract);
    return b.exp2(exponent);
  }
  Value difference = b.subf(scores, ofRows);
  return b.exp2(b.mulf(difference, splat(type, llvm::numbers::log2e)));
}

/// Returns the product of d_output and values, with dropout applied. This is
/// dP, except that with narrow_products it is still to be multiplied by
/// `tile.roundedScales` (see scaleRows).
Value BackwardPrograms::emitProbabilityGradient(const ScoreTile &tile) {
  Value ofRows = roundedRows ? tile.roundedTile : tile.dOutputTile;
  return dropProduct(tile, multiply(tile, ofRows, tile.valueTile));
}

/// Applies dropout to dP: returns `product` times the dropout scale, with 0 for
/// pairs that are dropped. Without dropout, returns `product` itself.
Value BackwardPrograms::dropProduct(const ScoreTile &tile, Value product) {
  if (!tile.keep)
    return product;
  auto type = cast<RankedTensorType>(product.getType());
  return dropOut(b.mulf(product, splat(type, op.getDropoutScale())), tile.keep);
}

/// Returns dP, given the result of emitProbabilityGradient(), which is still to
/// be multiplied by the scales of values and, with narrow_products, by the
/// scales of the rows of d_output.
Value BackwardPrograms::scaleDProbabilities(const ScoreTile &tile,
                                            Value product) {
  auto type = cast<RankedTensorType>(product.getType());
  if (roundedRows)
    product = b.mulf(product, broadcast(tile.roundedScales, 1 - tile.rowAxis,
                                        type.getShape()));
  if (tile.valueFactor)
    product = b.mulf(product, b.splat(tile.valueFactor, type),
                     arith::FastMathFlags::contract);
  if (tile.valueScales)
    product = b.mulf(product,
                     broadcast(tile.valueScales, tile.rowAxis, type.getShape()),
                     arith::FastMathFlags::contract);
  return product;
}

/// Returns P (dP - delta), the gradient with respect to the score that the
/// score region yields.
Value BackwardPrograms::emitResultGradient(const ScoreTile &tile,
                                           Value probabilities,
                                           Value dProbabilities) {
  auto type = cast<RankedTensorType>(dProbabilities.getType());
  // A product with the scales of values fuses with the subtraction.
  auto flags = tile.valueFactor || tile.valueScales
                   ? arith::FastMathFlags::contract
                   : arith::FastMathFlags::none;
  Value difference =
      b.subf(dProbabilities,
             broadcast(tile.delta, 1 - tile.rowAxis, type.getShape()), flags);
  return b.mulf(probabilities, difference);
}

/// Returns `gradient` times `derivative`, the derivative of the score region,
/// or `gradient` itself if `derivative` is null. Pairs with a probability of 0
/// get 0.
Value BackwardPrograms::applyDerivative(Value gradient, Value probabilities,
                                        Value derivative) {
  Value zeros = splat(cast<RankedTensorType>(gradient.getType()), 0.0);
  if (derivative)
    gradient = b.mulf(gradient, derivative);
  // With a score region or rows that see no key, another factor of the gradient
  // may not be finite. Pairs with a probability of 0 then get 0 by a select,
  // since 0 times such a factor is NaN.
  if (!op.hasScore() && !mayLeaveOutKeys(op))
    return gradient;
  Value isOut = b.oeq(probabilities, zeros);
  return b.select(isOut, zeros, gradient);
}

/// Returns `rows` with zeros in the rows that attend to no key (lse -inf),
/// since their probability 0 times a number that is not finite would be NaN.
/// The lse is broadcast and then compared as a tile, since a vector of
/// conditions would need two layouts.
Value BackwardPrograms::clearEmptyRows(Value rows, Value lse) {
  auto type = cast<RankedTensorType>(rows.getType());
  Value ofElements = broadcast(lse, 1, type.getShape());
  Value isEmpty = b.oeq(ofElements, splat(f32Tile(type.getShape()), -INFINITY));
  return b.select(isEmpty, splat(type, 0.0), rows);
}

/// Returns the sum over keys, for each row, of the gradient of a tile of
/// scores.
Value BackwardPrograms::sumPairs(const ScoreTile &tile, Value gradient) {
  RankedTensorType type = f32Tile({own});
  return b.reduce(type, attn_tile::ReduceKind::Add, gradient, 1 - tile.rowAxis);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Multiplies a tile of a gradient's sums by their factors (scaleSums()),
/// rounds it and stores it to `out` at `place` (batch entry, head, row or key,
/// column). Rows from `length` on get zeros.
void BackwardPrograms::storeGradient(Value gradient, Value out,
                                     OpFoldResult length, Gradients of,
                                     ValueRange place) {
  auto type = cast<RankedTensorType>(gradient.getType());
  gradient = scaleSums(gradient, of, place[0], place[1]);
  if (Value isReal =
          findRealRows(getSize(out, 2), length, place[2], type.getDimSize(0)))
    gradient = b.select(broadcast(isReal, 1, type.getShape()), gradient,
                        splat(type, 0.0));
  Type element = cast<MemRefType>(out.getType()).getElementType();
  store(round(gradient, element), out, place);
}
