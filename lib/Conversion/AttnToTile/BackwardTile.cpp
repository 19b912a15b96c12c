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
                                        Value row, Value allBias,
                                        Value allDelta) {
  ScoreTile tile;
  tile.rowAxis = 0;
  tile.at = at;
  tile.head = head;
  tile.row = row;
  loadQueries(tile, own, /*ofScores=*/true, /*ofValues=*/false);
  SmallVector<Value> place = {at.arrayBatch, head, row};
  tile.bias = load(ofUnits(at, allBias), {own}, place);
  tile.delta = load(ofUnits(at, allDelta), {own}, place);
  if (roundedRows)
    tile.roundedScales =
        load(ofUnits(at, collapse(roundedScales)), {own}, place);
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
}

Value BackwardPrograms::emitMask(const ScoreTile &tile, Value scores,
                                 const ScorePlace &place) {
  int64_t keyAxis = 1 - tile.rowAxis;
  auto shape = cast<RankedTensorType>(scores.getType()).getShape();
  return maskPartial(scores, tile.partial, keyAxis, place, [&] {
    SmallVector<MaskCondition> conditions =
        getMaskConditions(tile.at, tile.row, tile.key, shape[keyAxis]);
    // Rows past the last one are loaded as zeros, and so their gradients are
    // zeros. A score region may yield any number for them, though, so they are
    // masked.
    if (op.hasScore())
      conditions.push_back(
          {MaskCondition::Position::Row, arith::CmpIPredicate::slt,
           apply(dim(0) - dim(1), {tile.at.numRows, tile.row})});
    return conditions;
  });
}

/// Returns the masked scores, times log2(e) unless roundsScores(), and tiles of
/// the values `wanted` of the score region; a null one if there is no region.
/// Sets `tile.keep`, the pairs that dropout keeps.
std::pair<Value, SmallVector<Value>>
BackwardPrograms::emitScores(ScoreTile &tile, ArrayRef<Value> wanted) {
  bool isNarrow = tile.narrowQueryTile != nullptr;
  Value product = isNarrow
                      ? multiply(tile, tile.narrowQueryTile, tile.narrowKeyTile)
                      : multiply(tile, tile.queryTile, tile.keyTile);
  return scaleScores(tile, product, wanted);
}

/// Returns the product of a tile of rows and a tile of keys: rows x keys or, if
/// tile.rowAxis is 1, keys x rows.
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

/// Scales `scores`, the products of query and keys, applies the score region
/// and the mask, and returns and sets what emitScores() does.
std::pair<Value, SmallVector<Value>>
BackwardPrograms::scaleScores(ScoreTile &tile, Value scores,
                              ArrayRef<Value> wanted) {
  auto type = cast<RankedTensorType>(scores.getType());
  auto multiplyBy = [&](Value scores, Value factor) -> Value {
    return b.mulf(scores, factor,
                  arith::FastMathFlags::contract |
                      arith::FastMathFlags::reassoc);
  };
  auto multiply = [&](Value scores, double factor) {
    return multiplyBy(scores, splat(type, factor));
  };
  Value narrowFactor =
      tile.narrowFactor ? b.splat(tile.narrowFactor, type) : Value();
  ScorePlace place;
  if (op.hasScore() || op.hasMaskRegion() || op.getDropoutAttr())
    place = getScorePlace(tile.at, tile.head, tile.row, tile.key, tile.rowAxis);
  tile.keep = emitKeep(type.getShape(), tile.at, place);
  auto mask = [&](Value scores) { return emitMask(tile, scores, place); };
  if (!op.hasScore()) {
    // A scale in memory may be 0 or less, and what is masked is -inf.
    if (narrowFactor)
      return {mask(multiplyBy(scores, narrowFactor)), SmallVector<Value>(1)};
    // Multiplies by the factor after masking if that may be done, since the
    // product then fuses with the subtraction of the lse.
    double factor = roundsScores() ? scale : scale * llvm::numbers::log2e;
    Value masked = mayFollowMaximum(factor) ? multiply(mask(scores), factor)
                                            : mask(multiply(scores, factor));
    return {masked, SmallVector<Value>(1)};
  }
  SmallVector<Value> results = {score};
  llvm::append_range(results, wanted);
  Value scaled =
      narrowFactor ? multiplyBy(scores, narrowFactor) : multiply(scores, scale);
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

/// Whether programs compute scores as the forward programs do, as products of
/// the numbers of 8 bits that query and key store times their scales. That is
/// so where MMAs multiply tiles of 8 bits as they are, which schedules with a
/// reducer say (mayAddApart), shared memory has room for further tiles, and
/// each head has one scale. Elsewhere, scores are products of the copies of
/// query and key that the other products read.
bool BackwardPrograms::mayMultiplyNarrow() {
  // At 64 columns, products of copies are faster (docs/lab/eight-bits.md).
  constexpr int64_t kMostSlow = 64, kMostColumns = 128;
  if (!narrow || copiesKeptRows || !schedule.mayAddApart() ||
      !op.addsQueryGradient(schedule) || op.getHeadDim() <= kMostSlow ||
      op.getHeadDim() > kMostColumns)
    return false;
  Type element = getElementTypeOrSelf(narrow.getQuery());
  for (Extra which : {Extra::QueryScale, Extra::KeyScale})
    if (narrow.getExtra(which).findDim('s'))
      return false;
  return isFloat8(element) && getElementTypeOrSelf(narrow.getKey()) == element;
}

/// Loads the block of keys of 8 bits at `tile.key`.
void BackwardPrograms::loadNarrowKeys(ScoreTile &tile, Value kvHead) {
  const SequenceView &at = tile.at;
  Value keys = narrow.getKey();
  if (isPacked() || at.hasKeysBehind)
    keys = slice(keys, at.firstKey, at.numKeys);
  tile.narrowKeyTile =
      loadRows(keys, own, getNarrowColumns(), at.arrayBatch, kvHead, tile.key);
}

/// Returns the product of the scales of a query head and its key head and of
/// the op's scale, in units of log2 where scores are; null if the arrays have
/// no scales.
Value BackwardPrograms::readNarrowFactor(const SequenceView &at, Value head,
                                         Value kvHead) {
  Value factor;
  for (auto [which, ofHead] :
       {std::pair(Extra::QueryScale, head), {Extra::KeyScale, kvHead}}) {
    ExtraOperand operand = narrow.getExtra(which);
    if (!operand)
      continue;
    Value own = attn_tile::GatherOp::create(
        b, b.getF32Type(), operand.value,
        indexScale(operand, at.arrayBatch, ofHead, /*token=*/Value()));
    factor = factor ? b.mulf(factor, own) : own;
  }
  if (!factor)
    return Value();
  bool isInLog2 = !op.hasScore() && !roundsScores();
  return b.mulf(factor, b.f32(isInLog2 ? scale * llvm::numbers::log2e : scale));
}

//===----------------------------------------------------------------------===//
// Probabilities and gradients
//===----------------------------------------------------------------------===//

/// Returns the probabilities P = exp(s - lse). `scores` and the lse of each
/// row, `tile.bias`, are multiplied by log2(e) already, unless scores are
/// rounded.
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

/// Returns dP, the product of d_output and values, before `tile.roundedScales`
/// multiply it; pairs that dropout drops get 0.
Value BackwardPrograms::emitProbabilityGradient(const ScoreTile &tile) {
  Value ofRows = roundedRows ? tile.roundedTile : tile.dOutputTile;
  return dropProduct(tile, multiply(tile, ofRows, tile.valueTile));
}

/// Applies dropout to dP: returns `product` times the dropout scale, with 0 for
/// pairs that are dropped; `product` itself without dropout.
Value BackwardPrograms::dropProduct(const ScoreTile &tile, Value product) {
  if (!tile.keep)
    return product;
  auto type = cast<RankedTensorType>(product.getType());
  return dropOut(b.mulf(product, splat(type, op.getDropoutScale())), tile.keep);
}

/// Returns dP for what emitProbabilityGradient() returns.
Value BackwardPrograms::scaleRows(const ScoreTile &tile, Value product) {
  if (!roundedRows)
    return product;
  auto type = cast<RankedTensorType>(product.getType());
  return b.mulf(product, broadcast(tile.roundedScales, 1 - tile.rowAxis,
                                   type.getShape()));
}

/// Returns P (dP - delta), the gradient of what the score region yields.
Value BackwardPrograms::emitResultGradient(const ScoreTile &tile,
                                           Value probabilities,
                                           Value dProbabilities) {
  auto type = cast<RankedTensorType>(dProbabilities.getType());
  Value difference = b.subf(
      dProbabilities, broadcast(tile.delta, 1 - tile.rowAxis, type.getShape()));
  return b.mulf(probabilities, difference);
}

/// Returns the gradient times `derivative`, the score region's derivative, or
/// the gradient itself if that is null; 0 for pairs with a probability of 0.
Value BackwardPrograms::applyDerivative(Value gradient, Value probabilities,
                                        Value derivative) {
  Value zeros = splat(cast<RankedTensorType>(gradient.getType()), 0.0);
  if (derivative)
    gradient = b.mulf(gradient, derivative);
  // Where another factor may not be finite, which takes a score region or rows
  // that see no key, pairs with a probability of 0 get the gradient 0, not NaN.
  if (!op.hasScore() && !mayLeaveOutKeys())
    return gradient;
  Value isOut = b.oeq(probabilities, zeros);
  return b.select(isOut, zeros, gradient);
}

/// Returns `rows` with zeros in the rows whose lse is -inf, which attend to
/// nothing: their probability 0 times a number that is not finite would be NaN.
/// Broadcasts the lse and compares tiles, since a vector of conditions would
/// need two layouts.
Value BackwardPrograms::clearEmptyRows(Value rows, Value lse) {
  auto type = cast<RankedTensorType>(rows.getType());
  Value ofElements = broadcast(lse, 1, type.getShape());
  Value isEmpty = b.oeq(ofElements, splat(f32Tile(type.getShape()), -INFINITY));
  return b.select(isEmpty, splat(type, 0.0), rows);
}

/// Sums the gradient of a tile of scores over its keys.
Value BackwardPrograms::sumPairs(const ScoreTile &tile, Value gradient) {
  RankedTensorType type = f32Tile({own});
  return b.reduce(type, attn_tile::ReduceKind::Add, gradient, 1 - tile.rowAxis);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Stores the tile `gradient` times `factor`, rounded, to `out` at `place`;
/// rows from `length` on get zeros.
void BackwardPrograms::storeGradient(Value gradient, Value out,
                                     OpFoldResult length, double factor,
                                     ValueRange place) {
  auto type = cast<RankedTensorType>(gradient.getType());
  if (factor != 1.0)
    gradient = b.mulf(gradient, splat(type, factor));
  if (Value isReal =
          findRealRows(getSize(out, 2), length, place[2], type.getDimSize(0)))
    gradient = b.select(broadcast(isReal, 1, type.getShape()), gradient,
                        splat(type, 0.0));
  Type element = cast<MemRefType>(out.getType()).getElementType();
  store(round(gradient, element), out, place);
}
