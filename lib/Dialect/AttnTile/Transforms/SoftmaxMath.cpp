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

Value SoftmaxMath::splat(RankedTensorType type, double value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type,
                                b.getFloatAttr(type.getElementType(), value)));
}

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
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(b, max),
                                        splat(0x1p28 / getFactor()));
  Value perRow = arith::SelectOp::create(b, isSmall, splat(getFactor()),
                                         splat(getPowerOfTwoFactor()));
  return {perRow, arith::MulFOp::create(b, max, perRow), isSmall};
}

Value SoftmaxMath::emitProbabilities(Value scores, Value factor, Value offset) {
  return math::Exp2Op::create(
      b, math::FmaOp::create(b, scores, broadcast(factor, scores),
                             broadcast(offset, scores)));
}

Value SoftmaxMath::emitLower(Value max, double exponent) {
  if (exponent == 0.0)
    return max;
  return arith::SubFOp::create(b, max, splat(exponent / getFactor()));
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
  Value decrease = arith::SubFOp::create(b, from.shift, to.shift);
  if (factor == 1.0)
    // If one maximum has a small shift and the other a large one, their shifts
    // have different factors. With the state's factor 1, the factor of large
    // shifts is the smaller one, so the difference of the shifts means nothing.
    // The difference of the maxima is used instead, and is exact enough, since
    // they are far apart. It is also used for two large shifts.
    decrease = arith::SelectOp::create(
        b, arith::AndIOp::create(b, from.isSmall, to.isSmall), decrease,
        arith::SubFOp::create(b, oldMax, newMax));
  return math::Exp2Op::create(b, decrease);
}

Value SoftmaxMath::emitRescale(Value accumulator, Value alpha) {
  return arith::MulFOp::create(b, accumulator, broadcast(alpha, accumulator));
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
  Value error = math::FmaOp::create(b, max, exponent.factor,
                                    arith::NegFOp::create(b, exponent.shift));
  return arith::MulFOp::create(b, error, splat(llvm::numbers::ln2));
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
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(b, predicate, lhs, rhs).getResult();
  };
  auto select = [&](Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(b, condition, lhs, rhs).getResult();
  };
  auto power = [&](Value exponent, Value offset) {
    return math::ExpOp::create(b, arith::SubFOp::create(b, exponent, offset))
        .getResult();
  };
  Value isEmpty = compare(arith::CmpFPredicate::OEQ, sum, zero);
  // In a row without keys, a sink of +inf or -inf counts as no sink.
  Value isFinite = compare(arith::CmpFPredicate::OLT,
                           math::AbsFOp::create(b, sink), splat(INFINITY));
  Value own = select(isEmpty, select(isFinite, sink, none), sink);
  Value scaled = arith::MulFOp::create(b, max, splat(factor));
  Value top = select(isEmpty, own, arith::MaximumFOp::create(b, scaled, own));
  Value ofSink = select(compare(arith::CmpFPredicate::OEQ, own, none), zero,
                        power(own, top));
  Value ofKeys =
      select(isEmpty, zero,
             power(arith::SubFOp::create(b, scaled, top), emitExcess(max)));
  Value total = math::FmaOp::create(b, sum, ofKeys, ofSink);
  Value isNothing = compare(arith::CmpFPredicate::OEQ, total, zero);
  Value inverse = divide(ofKeys, select(isNothing, one, total), approximate);
  return {inverse,
          arith::AddFOp::create(b, top, math::LogOp::create(b, total))};
}

std::pair<Value, Value> SoftmaxMath::emitFinish(Value max, Value sum,
                                                Value sink, bool approximate) {
  if (sink)
    return emitFinishWithSink(max, sum, sink, approximate);
  Value zero = splat(0.0), one = splat(1.0);
  Value isEmpty =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sum, zero);
  Value quotient =
      divide(one, arith::SelectOp::create(b, isEmpty, one, sum), approximate);
  Value inverse = arith::SelectOp::create(b, isEmpty, zero, quotient);
  // The sum of a row without keys is 0 and its maximum is finite, so its lse is
  // ln(0) = -inf. The lse of a row with a huge maximum is factor times maximum,
  // rounded once. Gradients round scaled scores in the same way before they
  // subtract the lse.
  Value rest =
      arith::SubFOp::create(b, math::LogOp::create(b, sum), emitExcess(max));
  Value lse = math::FmaOp::create(b, max, splat(factor), rest);
  return {inverse, lse};
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
  Value sum = math::FmaOp::create(b, alpha, state[1], own);
  Value probabilities = math.round(p, element);
  SmallVector<Value> rescaled;
  for (ValueRange accumulator : accumulators)
    rescaled.push_back(math.emitRescale(accumulator.front(), alpha));
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
