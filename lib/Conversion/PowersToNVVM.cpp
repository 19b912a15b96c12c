//===- PowersToNVVM.cpp - Powers, roots and inverses on the GPU -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"
#include "NVVMMath.h"

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Whether MLIR expands a power with this exponent to products, a quotient or a
/// root, which are right for numbers of both signs, except the roots of -inf
/// and -0.
bool hasExactExpansion(Value exponent) {
  APFloat constant(0.0);
  return matchPattern(exponent, m_ConstantFloat(&constant)) &&
         llvm::any_of(
             ArrayRef<double>{-2, -1, -0.5, 0, 0.5, 1, 2, 3},
             [&](double exact) { return constant.isExactlyValue(exact); });
}

/// Computes x^y of f32 as 2^(y log2 |x|), with the sign and the special values
/// of the C function pow: a negative x has powers of integer exponents alone,
/// which are negative if the exponent is odd, and x^0 and 1^y are 1 for all x
/// and y. MLIR expands x^y to exp(y ln x), which is NaN for a negative x.
LogicalResult toPowerOfMagnitude(math::PowFOp op, PatternRewriter &rewriter) {
  Value x = op.getLhs(), y = op.getRhs();
  if (!hasF32Elements(op) || hasExactExpansion(y))
    return failure();
  NumberBuilder b(op.getLoc(), rewriter);
  auto number = [&](float value) { return b.real(op.getType(), value); };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Value zero = number(0), one = number(1);

  Value magnitude = b.absf(x);
  Value exponent = b.mulf(y, math::Log2Op::create(b, magnitude));
  Value power = b.exp2(exponent);
  power = b.select(b.oeq(magnitude, one), one, power);

  // An integer is odd if half of it is no integer. Floats from 2^24 on are
  // even integers, and so are the infinities here.
  auto isFraction = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE,
                                 math::FloorOp::create(b, value), value);
  };
  Value isInteger = b.oeq(math::FloorOp::create(b, y), y);
  Value isOdd = b.andi(isInteger, isFraction(b.mulf(y, number(0.5))));
  power = b.select(isOdd, math::CopySignOp::create(b, power, x), power);

  // The power of a negative number with another exponent is NaN, except that
  // of the negative infinity.
  Value isFinite = b.ogt(x, number(-kInfinity));
  Value isNegative = b.andi(isFinite, b.olt(x, zero));
  Value isUndefined = b.andi(isNegative, isFraction(y));
  Value nan = number(std::numeric_limits<float>::quiet_NaN());
  power = b.select(isUndefined, nan, power);
  rewriter.replaceOp(op, b.select(b.oeq(y, zero), one, power));
  return success();
}

/// Replaces an op of f32 with what `compute` returns.
template <typename Op, Value (*compute)(Op, NumberBuilder &)>
LogicalResult toFormula(Op op, PatternRewriter &rewriter) {
  if (!hasF32Elements(op))
    return failure();
  NumberBuilder b(op.getLoc(), rewriter);
  rewriter.replaceOp(op, compute(op, b));
  return success();
}

/// Computes asinh(x) of f32 as ln(1 + m + m^2 / (1 + sqrt(m^2 + 1))) for m =
/// |x|, with the sign of x, or as ln(m) + ln(2) where m^2 could overflow. MLIR
/// expands asinh(x) to ln(x + sqrt(x^2 + 1)), whose sum cancels for a negative
/// x: below -4096 it is 0, and the logarithm an infinity.
Value getAsinh(math::AsinhOp op, NumberBuilder &b) {
  auto number = [&](float value) { return b.real(op.getType(), value); };
  constexpr float kLarge = 1e9f, kLn2 = 0x1.62e43p-1f;
  Value x = op.getOperand(), one = number(1);
  Value magnitude = b.absf(x);
  Value square = b.mulf(magnitude, magnitude);
  Value root = math::SqrtOp::create(b, b.addf(square, one));
  Value part = b.divf(square, b.addf(root, one));
  Value ofSum = math::Log1pOp::create(b, b.addf(magnitude, part));
  Value log = b.log(magnitude);
  Value ofLarge = b.addf(log, number(kLn2));
  Value isLarge = b.ogt(magnitude, number(kLarge));
  Value result = b.select(isLarge, ofLarge, ofSum);
  return math::CopySignOp::create(b, result, x);
}

/// Computes acosh(x) of f32 as ln(1 + t + sqrt(t (x + 1))) for t = x - 1, or as
/// ln(x) + ln(2) where the product could overflow. MLIR expands acosh(x) to
/// ln(x + sqrt(x^2 - 1)), which loses the digits of t near 1, and overflows.
Value getAcosh(math::AcoshOp op, NumberBuilder &b) {
  auto number = [&](float value) { return b.real(op.getType(), value); };
  constexpr float kLarge = 1e9f, kLn2 = 0x1.62e43p-1f;
  Value x = op.getOperand(), one = number(1);
  Value rest = b.subf(x, one);
  Value root = math::SqrtOp::create(b, b.mulf(rest, b.addf(x, one)));
  Value ofSum = math::Log1pOp::create(b, b.addf(rest, root));
  Value ofLarge = b.addf(b.log(x), number(kLn2));
  Value result = b.select(b.ogt(x, number(kLarge)), ofLarge, ofSum);
  Value nan = number(std::numeric_limits<float>::quiet_NaN());
  return b.select(b.olt(x, one), nan, result);
}

/// Computes atanh(x) of f32 as ln(1 + 2 m / (1 - m)) / 2 for m = |x|, with the
/// sign of x. MLIR expands atanh(x) to ln((1 + x) / (1 - x)) / 2, whose
/// quotient loses the digits of a small x.
Value getAtanh(math::AtanhOp op, NumberBuilder &b) {
  auto number = [&](float value) { return b.real(op.getType(), value); };
  Value x = op.getOperand();
  Value magnitude = b.absf(x);
  Value quotient =
      b.divf(b.mulf(magnitude, number(2)), b.subf(number(1), magnitude));
  Value log = math::Log1pOp::create(b, quotient);
  return math::CopySignOp::create(b, b.mulf(log, number(0.5f)), x);
}

/// Computes the cube root of f32 as that of m = |x|, y = 2^(log2(m) / 3) after
/// a step of Newton's, with the sign of x. The polynomial that MLIR has is NaN
/// for infinities.
Value getCbrt(math::CbrtOp op, NumberBuilder &b) {
  auto number = [&](float value) { return b.real(op.getType(), value); };
  Value x = op.getOperand(), third = number(0x1.555556p-2f);
  Value magnitude = b.absf(x);
  Value log = math::Log2Op::create(b, magnitude);
  Value root = b.exp2(b.mulf(log, third));
  Value rest = b.subf(root, b.divf(magnitude, b.mulf(root, root)));
  Value better = b.subf(root, b.mulf(rest, third));
  // 0 and the infinity are their own roots, for which the step is NaN.
  Value isOwn = b.oeq(b.addf(magnitude, magnitude), magnitude);
  Value result = b.select(isOwn, magnitude, better);
  return math::CopySignOp::create(b, result, x);
}

/// The coefficients of a polynomial p, that of the highest power first, with
/// which atan(q) is q + q^3 p(q^2) for q from 0 to 1. They minimise the
/// relative error (Lawson's iteration), which is 2e-8.
constexpr float kAtanSeries[] = {0x1.7ed232p-9,  -0x1.0c2c14p-6, 0x1.61fddap-5,
                                 -0x1.3556b6p-4, 0x1.b4e12ap-4,  -0x1.230adcp-3,
                                 0x1.9978f4p-3,  -0x1.5554dcp-2};

/// Computes the angle of the point (x, y) from atan(q) of the quotient of the
/// smaller by the larger magnitude. It is pi / 2 less this where y is larger,
/// then pi less the angle where x is negative, with the sign of y. The
/// polynomial that MLIR has has an error of 4e-6, and is NaN for infinities.
Value getAngle(math::Atan2Op op, NumberBuilder &b) {
  auto number = [&](float value) { return b.real(op.getType(), value); };
  constexpr float kPi = 0x1.921fb6p+1f;
  Value y = op.getLhs(), x = op.getRhs();
  Value ofY = b.absf(y), ofX = b.absf(x);
  Value isSteep = b.ogt(ofY, ofX);
  Value quotient =
      b.divf(b.select(isSteep, ofX, ofY), b.select(isSteep, ofY, ofX));
  quotient = b.select(b.oeq(ofY, ofX), number(1), quotient);
  Value square = b.mulf(quotient, quotient), sum;
  for (float coefficient : kAtanSeries)
    sum = sum ? b.fma(sum, square, number(coefficient)) : number(coefficient);
  Value angle = b.fma(b.mulf(quotient, square), sum, quotient);
  angle = b.select(isSteep, b.subf(number(kPi / 2), angle), angle);
  Value isLeft = b.olt(x, number(0));
  angle = b.select(isLeft, b.subf(number(kPi), angle), angle);
  return math::CopySignOp::create(b, angle, y);
}

/// Computes atan(x) of f32 as the angle of the point (1, x). The polynomial
/// that MLIR has has an error of 4e-6.
Value getAngleOfPoint(math::AtanOp op, NumberBuilder &b) {
  return math::Atan2Op::create(b, op.getOperand(), b.real(op.getType(), 1));
}

/// Gives powers whose exponent is of type index an exponent of i64, since the
/// expansion of powers converts the exponent to a float, which only integers of
/// known widths can be.
LogicalResult toWordPower(math::FPowIOp op, PatternRewriter &rewriter) {
  Type type = op.getRhs().getType();
  if (!getElementTypeOrSelf(type).isIndex())
    return failure();
  NumberBuilder b(op.getLoc(), rewriter);
  Type words = getTypeLike(type, b.getI64Type());
  Value exponent = b.indexCast(words, op.getRhs());
  rewriter.modifyOpInPlace(op, [&] { op.getRhsMutable().assign(exponent); });
  return success();
}

} // namespace

void mlir::attn::populatePowersToNVVMPatterns(RewritePatternSet &patterns) {
  patterns.add(toPowerOfMagnitude, /*benefit=*/2)
      .add(toFormula<math::AsinhOp, getAsinh>, /*benefit=*/2)
      .add(toFormula<math::AcoshOp, getAcosh>, /*benefit=*/2)
      .add(toFormula<math::AtanhOp, getAtanh>, /*benefit=*/2)
      .add(toFormula<math::CbrtOp, getCbrt>, /*benefit=*/2)
      .add(toFormula<math::Atan2Op, getAngle>, /*benefit=*/2)
      .add(toFormula<math::AtanOp, getAngleOfPoint>, /*benefit=*/2)
      .add(toWordPower, /*benefit=*/2);
}
