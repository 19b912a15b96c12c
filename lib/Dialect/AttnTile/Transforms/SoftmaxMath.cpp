//===- SoftmaxMath.cpp - Arithmetic of an online softmax ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"

#include "attn/Dialect/AttnTile/Transforms/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn_tile;

Value SoftmaxMath::broadcast(Value slice, Value like) {
  return BroadcastOp::create(b, like.getType(), slice, 1);
}

double SoftmaxMath::getFactor() {
  return static_cast<float>(factor * llvm::numbers::log2e);
}

/// Returns the factor by which scores are multiplied in the exponent of rows
/// with a huge maximum. It is the smallest power of two that is at least
/// getFactor(), so that the shift (factor times maximum) never falls when the
/// maximum rises. If the state's factor is 1, it is 1, so that each finite
/// maximum has a finite shift.
double SoftmaxMath::getPowerOfTwoFactor() {
  return factor == 1.0 ? 1.0 : std::exp2(std::ceil(std::log2(getFactor())));
}

Value SoftmaxMath::getLowestMax() {
  return splat(std::numeric_limits<float>::lowest() /
               std::max(1.0, getPowerOfTwoFactor()));
}

/// Emits, for each row, the factor of scores, the shift (factor times maximum),
/// and whether the shift is small, that is, of a magnitude below 2^28. The
/// rounding error of a shift is the same for all probabilities of a row, so it
/// cancels, unless it is so large that they overflow. The error of a small
/// shift is at most 8.
///
/// A large shift has a power of two as its factor, so it is exact. Different
/// scores then are at least 16 apart in the exponent, so that only the row's
/// maximum has a probability above 0.
SoftmaxMath::Exponent SoftmaxMath::emitExponent(Value max) {
  Value isSmall = b.olt(b.absf(max), splat(0x1p28 / getFactor()));
  Value perRow =
      b.select(isSmall, splat(getFactor()), splat(getPowerOfTwoFactor()));
  return {perRow, b.mulf(max, perRow), isSmall};
}

Value SoftmaxMath::emitTimesRows(Value scores, Value rowFactors) {
  if (!rowFactors)
    return scores;
  Value none = b.real(scores.getType(), -INFINITY);
  Value isNone = b.oeq(scores, none);
  return b.select(isNone, none, b.mulf(scores, broadcast(rowFactors, scores)));
}

Value SoftmaxMath::emitProbabilities(Value scores, Value factor, Value offset) {
  return b.exp2(
      b.fma(scores, broadcast(factor, scores), broadcast(offset, scores)));
}

Value SoftmaxMath::emitLower(Value max, double exponent) {
  if (exponent == 0.0)
    return max;
  return b.subf(max, splat(exponent / getFactor()));
}

double attn_tile::getLargestExponent(Type probability) {
  // Probabilities of f8E4M3FN, whose largest number is 448, are at most 2^8.
  constexpr double kOfFloat8 = 8.0;
  return isa<Float8E4M3FNType>(probability) ? kOfFloat8 : 0.0;
}

Value SoftmaxMath::round(Value probabilities, Type element) {
  if (element.isF32())
    return probabilities;
  auto type = cast<RankedTensorType>(probabilities.getType());
  return arith::TruncFOp::create(
      b, RankedTensorType::get(type.getShape(), element, type.getEncoding()),
      probabilities);
}

Value SoftmaxMath::emitAlpha(Value oldMax, Value newMax) {
  Exponent from = emitExponent(oldMax), to = emitExponent(newMax);
  Value decrease = b.subf(from.shift, to.shift);
  if (factor == 1.0)
    // If one maximum has a small shift and the other a large one, their shifts
    // have different factors. With the state's factor 1, the factor of large
    // shifts is the smaller one, so the difference of the shifts means nothing.
    // The difference of the maxima is used instead, and is exact enough, since
    // they are far apart. It is also used for two large shifts.
    decrease = b.select(b.andi(from.isSmall, to.isSmall), decrease,
                        b.subf(oldMax, newMax));
  return b.exp2(decrease);
}

Value attn_tile::emitRescale(attn::NumberBuilder &b, Value accumulator,
                             Value factor) {
  return b.mulf(accumulator,
                BroadcastOp::create(b, accumulator.getType(), factor, 1));
}

Value SoftmaxMath::divide(Value lhs, Value rhs, bool approximate) {
  auto quotient = arith::DivFOp::create(b, lhs, rhs);
  if (approximate)
    quotient.setFastmath(arith::FastMathFlags::afn);
  return quotient;
}

/// Emits the natural logarithm of the factor by which all probabilities of a
/// row are too large, because the shift of its exponents (factor times maximum)
/// was rounded. The fma computes the rounding error of the shift exactly.
Value SoftmaxMath::emitExcess(Value max) {
  Exponent exponent = emitExponent(max);
  Value error = b.fma(max, exponent.factor, b.negf(exponent.shift));
  return b.mulf(error, splat(llvm::numbers::ln2));
}

/// Emits the factor by which the accumulator is multiplied (the inverse of the
/// row's sum) and the lse, both with the sink. The exponentials of the running
/// maximum and of the sink are computed relative to the larger of the two, in
/// natural units, so that neither overflows. In a row without keys, the factor
/// is 0.
std::pair<Value, Value> SoftmaxMath::emitFinishWithSink(Value max, Value sum,
                                                        Value sink,
                                                        bool approximate) {
  Value zero = splat(0.0), one = splat(1.0), none = splat(-INFINITY);
  auto power = [&](Value exponent, Value offset) {
    return b.exp(b.subf(exponent, offset));
  };
  Value isEmpty = b.oeq(sum, zero);
  Value own = b.select(isEmpty, emitEmptyLse(b, sink), sink);
  Value scaled = b.mulf(max, splat(factor));
  Value top = b.select(isEmpty, own, b.maximumf(scaled, own));
  Value ofSink = b.select(b.oeq(own, none), zero, power(own, top));
  Value ofKeys =
      b.select(isEmpty, zero, power(b.subf(scaled, top), emitExcess(max)));
  Value total = b.fma(sum, ofKeys, ofSink);
  Value isNothing = b.oeq(total, zero);
  Value inverse = divide(ofKeys, b.select(isNothing, one, total), approximate);
  return {inverse, b.addf(top, b.log(total))};
}

std::pair<Value, Value> SoftmaxMath::emitFinish(Value max, Value sum,
                                                Value sink, bool approximate) {
  if (sink)
    return emitFinishWithSink(max, sum, sink, approximate);
  Value zero = splat(0.0), one = splat(1.0);
  Value isEmpty = b.oeq(sum, zero);
  Value quotient = divide(one, b.select(isEmpty, one, sum), approximate);
  Value inverse = b.select(isEmpty, zero, quotient);
  // The sum of a row without keys is 0 and its maximum is finite, so its lse is
  // ln(0) = -inf. The lse of a row with a huge maximum is factor times maximum,
  // rounded once. Gradients round scaled scores in the same way before they
  // subtract the lse.
  Value rest = b.subf(b.log(sum), emitExcess(max));
  Value lse = b.fma(max, splat(factor), rest);
  return {inverse, lse};
}

Value attn_tile::emitEmptyLse(attn::NumberBuilder &b, Value sink) {
  Type type = sink.getType();
  Value isFinite = b.olt(b.absf(sink), b.real(type, INFINITY));
  return b.select(isFinite, sink, b.real(type, -INFINITY));
}

void attn_tile::replaceUpdate(ConversionPatternRewriter &rewriter,
                              SoftmaxUpdateOp op, const ExpandedStep &step) {
  SmallVector<ValueRange> results = {step.probabilities, step.state};
  for (const Value &accumulator : step.rescaled)
    results.push_back(accumulator);
  rewriter.replaceOpWithMultiple(op, results);
}

ExpandedStep attn_tile::emitStrictUpdate(attn::NumberBuilder &b,
                                         SoftmaxUpdateOp op, Value scores,
                                         Value ownMax, ValueRange state,
                                         ArrayRef<ValueRange> accumulators,
                                         RankedTensorType rows) {
  SoftmaxMath math(b, op.getState().getType(), rows);
  Type element = op.getProbabilities().getType().getElementType();
  Value max =
      b.maxnumf(state[0], math.emitLower(ownMax, getLargestExponent(element)));
  Value alpha = math.emitAlpha(state[0], max);
  SoftmaxMath::Exponent exponent = math.emitExponent(max);
  Value p =
      math.emitProbabilities(scores, exponent.factor, b.negf(exponent.shift));
  Value own = ReduceOp::create(b, rows, ReduceKind::Add, p, 1);
  Value sum = b.fma(alpha, state[1], own);
  Value probabilities = math.round(p, element);
  SmallVector<Value> rescaled;
  for (ValueRange accumulator : accumulators)
    rescaled.push_back(emitRescale(b, accumulator.front(), alpha));
  return {probabilities, {max, sum}, rescaled};
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value attn_tile::combine(attn::NumberBuilder &b, ReduceKind kind, Value lhs,
                         Value rhs) {
  switch (kind) {
  case ReduceKind::Add:
    return b.addf(lhs, rhs);
  case ReduceKind::MaxNum:
    return b.maxnumf(lhs, rhs);
  case ReduceKind::And:
    return b.andi(lhs, rhs);
  case ReduceKind::Or:
    return b.ori(lhs, rhs);
  }
  llvm_unreachable("a kind of reduction");
}

TypedAttr attn_tile::getNeutral(ReduceKind kind, Type element) {
  if (kind == ReduceKind::MaxNum)
    return FloatAttr::get(
        element, APFloat::getInf(cast<FloatType>(element).getFloatSemantics(),
                                 /*Negative=*/true));
  Builder b(element.getContext());
  return kind == ReduceKind::And ? b.getIntegerAttr(element, -1)
                                 : b.getZeroAttr(element);
}
