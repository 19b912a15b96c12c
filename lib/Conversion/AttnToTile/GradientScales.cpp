//===- GradientScales.cpp - Scales in programs of gradients ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MMAs of gradients multiply the numbers that arrays store, extended exactly,
// so that scores have no rounding that the forward pass's do not have. Scales
// multiply in f32:
//
// - those of query and key the scores, and that of value dP, as one factor of
//   a head or as vectors of tokens,
// - that of keys d_query, and that of queries d_key: the sum where all addends
//   share a scale, else the gradients of scores before these are rounded.
//
// In bf16, where 8-bit MMAs compute scores from the arrays of 8 bits, copies of
// query and key are rounded products of numbers and scales, since only the
// products for d_query and d_key read them. Gradients of scores are then
// rounded once.
//
// In f16, gradients of scores times a small scale would lose bits. There, the
// copies hold the numbers times a power of two of each scale, which is exact.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Factors of copies
//===----------------------------------------------------------------------===//

bool GradientScales::differsInAddends(Extra which) {
  if (isOfTokens(which))
    return true;
  return which == Extra::QueryScale && stored.getExtra(which).findDim('h') &&
         getGroup(op, b);
}

namespace {
/// The least and the largest exponent (both inclusive) of the powers of two by
/// which all numbers of an 8-bit type can be multiplied in f16 without a
/// rounding.
struct Exponents {
  int64_t least, most;
};
} // namespace

static Exponents getExponents(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return {-15, 7};
  if (isa<Float8E5M2Type>(element))
    return {-8, 0};
  assert(element.isInteger(8) && "expected a type of 8 bits");
  return {-24, 8};
}

static Type getStoredType(AttentionBackwardOp stored, Extra which) {
  return getElementTypeOrSelf(which == Extra::QueryScale ? stored.getQuery()
                                                         : stored.getKey());
}

bool GradientScales::scalesCopy(Extra which) {
  return inputType.isBF16() && multipliesStored &&
         isNarrow(getStoredType(stored, which)) && differsInAddends(which);
}

bool GradientScales::hasPowers(Extra which) {
  return inputType.isF16() && stored.getExtra(which) &&
         isNarrow(getStoredType(stored, which)) && scalesAddends(which);
}

std::pair<Value, Value> GradientScales::splitScale(Extra which, Value scale) {
  if (!hasPowers(which))
    return {Value(), scale};
  auto [least, most] = getExponents(getStoredType(stored, which));
  auto tile = dyn_cast<RankedTensorType>(scale.getType());
  auto constant = [&](int64_t value) -> Value {
    Value word = b.word(value);
    return tile ? b.splat(word, tile.clone(b.getI32Type())) : word;
  };
  Type words = tile ? Type(tile.clone(b.getI32Type())) : b.getI32Type();
  // The biased exponent of `scale`: bits 23 to 30 of an f32.
  constexpr int64_t kBias = 127, kDigits = 23;
  Value exponent = b.shrui(b.bitcast(words, scale), constant(kDigits));
  exponent = b.andi(exponent, constant(255));
  exponent = b.minsi(b.maxsi(exponent, constant(kBias + least)),
                     constant(kBias + most));
  auto getPower = [&](Value biased) {
    return b.bitcast(scale.getType(), b.shli(biased, constant(kDigits)));
  };
  Value inverse = getPower(b.subi(constant(2 * kBias), exponent));
  return {getPower(exponent), b.mulf(scale, inverse)};
}

//===----------------------------------------------------------------------===//
// Factors in programs
//===----------------------------------------------------------------------===//

Value BackwardPrograms::readHeadScale(Extra which, Value batch, Value head) {
  ExtraOperand scale = stored.getExtra(which);
  if (!scale || scale.findDim('s') || scale.findDim('d'))
    return Value();
  return attn_tile::GatherOp::create(
      b, b.getF32Type(), scale.value,
      indexScale(scale, batch, head, /*token=*/Value()));
}

/// Returns `factors`, an f32 number or a tile, times the op's scale. If scores
/// are in units of log2 (16-bit inputs without a score region), also multiplies
/// by log2(e).
Value BackwardPrograms::multiplyByScale(Value factors) {
  bool isInLog2 = !op.hasScore() && !roundsScores();
  Value own = b.f32(isInLog2 ? scale * llvm::numbers::log2e : scale);
  if (auto type = dyn_cast<RankedTensorType>(factors.getType()))
    own = b.splat(own, type);
  return b.mulf(factors, own);
}

/// Sets those factors of the tile that are a single number for its head:
/// `queryFactor`, `valueFactor` and `scoreFactor`, which includes the op's
/// scale.
void BackwardPrograms::enterScales(ScoreTile &tile, Value kvHead) {
  Value batch = tile.at.arrayBatch;
  Value ofQuery = scoreScales
                      ? Value()
                      : readHeadScale(Extra::QueryScale, batch, tile.head);
  Value ofKey = readHeadScale(Extra::KeyScale, batch, kvHead);
  if (ofQuery && scalesAddends(Extra::QueryScale)) {
    tile.queryFactor = splitScale(Extra::QueryScale, ofQuery).second;
    if (!narrowQuery)
      ofQuery = tile.queryFactor;
  }
  if (!scoreScales && (stored.getExtra(Extra::QueryScale) ||
                       stored.getExtra(Extra::KeyScale))) {
    Value factor = ofQuery ? ofQuery : ofKey ? ofKey : b.f32(1);
    if (ofQuery && ofKey)
      factor = b.mulf(ofQuery, ofKey);
    tile.scoreFactor = multiplyByScale(factor);
  }
  // If d_output is rounded (`roundedRows`), the scale of values is already part
  // of roundedScales.
  if (!roundedRows)
    tile.valueFactor = readHeadScale(Extra::ValueScale, batch, kvHead);
}

/// Sets the vectors of scales of the tile's `count` keys and values.
void BackwardPrograms::loadKeyScales(ScoreTile &tile, Value kvHead,
                                     int64_t count) {
  auto loadScales = [&](Extra which) {
    return loadScalesOfKeys(b, stored.getExtra(which), tile.at, kvHead,
                            tile.key, count);
  };
  if (isOfTokens(Extra::KeyScale))
    tile.keyScales =
        splitScale(Extra::KeyScale, loadScales(Extra::KeyScale)).second;
  if (isOfTokens(Extra::ValueScale))
    tile.valueScales = loadScales(Extra::ValueScale);
}

/// Returns two vectors with an element for each of the `count` queries from
/// `row` of a head on. The second has the scales of the queries, divided by the
/// powers of two that splitScale() moves to the copy. The first has these
/// numbers times the op's scale (see multiplyByScale()) and times the scale of
/// keys, if all keys of a head share one. Rows past the last one, whose scales
/// memory need not have, get 0.
std::pair<Value, Value>
BackwardPrograms::gatherQueryScales(const SequenceView &at, Value head,
                                    Value row, int64_t count) {
  ExtraOperand scale = stored.getExtra(Extra::QueryScale);
  RankedTensorType type = tileType({count}, b.getIndexType());
  Value rows = countFrom(row, type);
  Value isReal = b.slt(rows, b.splat(asValue(at.numRows), type));
  Value first = asValue(apply(dim(0) + dim(1), {at.firstRow, skippedRows}));
  Value tokens = b.addi(rows, b.splat(first, type));
  Value scales =
      gatherScale(scale, count, indexScale(scale, at.arrayBatch, head, tokens));
  scales = b.select(isReal, splitScale(Extra::QueryScale, scales).second,
                    splat(f32Tile({count}), 0.0));
  Value ofScores = scales;
  if (Value ofKey =
          readHeadScale(Extra::KeyScale, at.arrayBatch, getKvHead(op, b, head)))
    ofScores = b.mulf(scales, b.splat(ofKey, f32Tile({count})));
  return {multiplyByScale(ofScores), scales};
}

/// Returns `products`, the products of what query and key store, multiplied by
/// the scales of query and key and by the op's scale. If scores are in units of
/// log2 (see multiplyByScale()), they are also multiplied by log2(e).
Value BackwardPrograms::scaleProducts(const ScoreTile &tile, Value products) {
  auto type = cast<RankedTensorType>(products.getType());
  constexpr auto kFlags =
      arith::FastMathFlags::contract | arith::FastMathFlags::reassoc;
  auto multiply = [&](Value factors, int64_t axis) {
    products =
        b.mulf(products, broadcast(factors, axis, type.getShape()), kFlags);
  };
  if (tile.scoreScales)
    multiply(tile.scoreScales, 1 - tile.rowAxis);
  Value factor = tile.scoreFactor;
  if (tile.keyScales && factor)
    multiply(b.mulf(tile.keyScales,
                    b.splat(factor,
                            cast<RankedTensorType>(tile.keyScales.getType()))),
             tile.rowAxis);
  else if (tile.keyScales)
    multiply(tile.keyScales, tile.rowAxis);
  else if (factor)
    products = b.mulf(products, b.splat(factor, type), kFlags);
  return products;
}

/// Returns the gradients of scores as the operand of the product for d_query
/// (or, with `ofKeys`, for d_key). They are multiplied by the scales of keys
/// (with `ofKeys`, of queries) where these differ among the addends of that
/// product, and then rounded.
Value BackwardPrograms::scaleGradient(const ScoreTile &tile, Value gradient,
                                      bool ofKeys) {
  auto type = cast<RankedTensorType>(gradient.getType());
  Value vector = ofKeys                           ? tile.queryScales
                 : scalesAddends(Extra::KeyScale) ? tile.keyScales
                                                  : Value();
  int64_t axis = ofKeys ? 1 - tile.rowAxis : tile.rowAxis;
  if (vector)
    gradient = b.mulf(gradient, broadcast(vector, axis, type.getShape()));
  if (ofKeys && tile.queryFactor)
    gradient = b.mulf(gradient, b.splat(tile.queryFactor, type));
  return roundOperand(gradient);
}

/// Returns a tile of sums of d_query, d_key or d_value, of the given head of
/// that gradient, times their factors: the op's scale and the scale of keys or
/// queries that all addends share; for d_value, the scale of dropout.
Value BackwardPrograms::scaleSums(Value sums, Gradients of, Value batch,
                                  Value head) {
  auto type = cast<RankedTensorType>(sums.getType());
  double factor = of != Gradients::Value ? scale
                  : op.getDropoutAttr()  ? op.getDropoutScale()
                                         : 1.0;
  Value ofAddends;
  if (of == Gradients::Query && !differsInAddends(Extra::KeyScale))
    ofAddends = readHeadScale(Extra::KeyScale, batch, getKvHead(op, b, head));
  if (of == Gradients::Key && !differsInAddends(Extra::QueryScale))
    ofAddends = readHeadScale(Extra::QueryScale, batch, head);
  if (ofAddends)
    return b.mulf(sums, b.splat(b.mulf(ofAddends, b.f32(factor)), type));
  return factor == 1.0 ? sums : Value(b.mulf(sums, splat(type, factor)));
}
