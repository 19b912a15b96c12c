//===- ScoreTangents.cpp - Dual numbers in score programs -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the derivatives of instructions' results. Each value that depends on
// the variable has a tangent. The rules are those of calculus for scalars, and
// are written independently of the compiler's.
//
//===----------------------------------------------------------------------===//

#include "ScoreInstructions.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether the maximum (or, without `isMaximum`, the minimum) of two different
/// numbers a and b is b. If one of them is NaN, the result is the other one
/// with `skipsNaN`, and the NaN without it.
template <typename T>
static bool takesSecond(T a, T b, bool isMaximum, bool skipsNaN) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) == skipsNaN;
  return isMaximum ? b > a : b < a;
}

/// Returns the product of a slope and a tangent. The product is 0 if either is
/// 0, even if the other is infinite or NaN, so that a value that saturates has
/// tangent 0.
template <typename T> static T multiply(T slope, T tangent) {
  return slope == 0 || tangent == 0 ? T(0) : slope * tangent;
}

/// Computes the tangents of an instruction's results for each key of a piece,
/// that is, their derivatives with respect to the program's variable, in the
/// arithmetic of `T`.
template <typename T>
void ScoreProgram::differentiate(const Instruction &instruction, Frame &frame,
                                 int64_t count) const {
  const double *y = frame.getFloats(instruction.result);
  double *out = frame.getTangents(instruction.result);
  auto isActive = [&](unsigned n) {
    return ((instruction.tangentOperands >> n) & 1) != 0;
  };
  auto value = [&](unsigned n, int64_t k) {
    return static_cast<T>(frame.getFloats(instruction.operands[n])[k]);
  };
  // An operand that does not depend on the program's variable has tangent 0,
  // even where the instruction's slope is infinite.
  auto tangent = [&](unsigned n, int64_t k) {
    return isActive(n)
               ? static_cast<T>(frame.getTangents(instruction.operands[n])[k])
               : T(0);
  };
  auto scaled = [&](unsigned n, int64_t k, auto slope) {
    return isActive(n) ? multiply(static_cast<T>(slope()), tangent(n, k))
                       : T(0);
  };
  auto apply = [&](auto function) {
    for (int64_t k = 0; k < count; ++k)
      out[k] = static_cast<T>(function(k));
  };
  // Computes the tangent of a function of one operand x with the result r.
  // `slope` returns the function's derivative from x and r.
  auto apply1 = [&](auto slope) {
    apply([&](int64_t k) {
      return multiply(static_cast<T>(slope(value(0, k), static_cast<T>(y[k]))),
                      tangent(0, k));
    });
  };
  auto applyExtremum = [&](bool isMaximum, bool skipsNaN) {
    apply([&](int64_t k) {
      T a = value(0, k), b = value(1, k);
      if (a == b)
        return (tangent(0, k) + tangent(1, k)) / 2;
      return tangent(takesSecond(a, b, isMaximum, skipsNaN) ? 1 : 0, k);
    });
  };

#define ATTN_UNARY(dialect, op, value, slope)                                  \
  case Opcode::op:                                                             \
    return apply1([](T a, T r) { return slope; });

  switch (instruction.opcode) {
    ATTN_UNARY_FLOAT_OPS(ATTN_UNARY)
#undef ATTN_UNARY
  case Opcode::ConvertF:
    return apply([&](int64_t k) { return tangent(0, k); });
  case Opcode::AddF:
    return apply([&](int64_t k) { return tangent(0, k) + tangent(1, k); });
  case Opcode::SubF:
    return apply([&](int64_t k) { return tangent(0, k) - tangent(1, k); });
  case Opcode::MulF:
    return apply([&](int64_t k) {
      return scaled(0, k, [&] { return value(1, k); }) +
             scaled(1, k, [&] { return value(0, k); });
    });
  case Opcode::Fma:
    return apply([&](int64_t k) {
      return scaled(0, k, [&] { return value(1, k); }) +
             scaled(1, k, [&] { return value(0, k); }) + tangent(2, k);
    });
  case Opcode::DivF:
    return apply([&](int64_t k) {
      T a = value(0, k), b = value(1, k);
      return scaled(0, k, [&] { return 1 / b; }) -
             scaled(1, k, [&] { return a / b / b; });
    });
  case Opcode::RemF:
    // The remainder of a and b is a - n * b, where n is an integer that does
    // not change near the operands. Its derivatives are therefore 1 and -n.
    return apply([&](int64_t k) {
      T a = value(0, k), b = value(1, k), r = static_cast<T>(y[k]);
      return tangent(0, k) -
             scaled(1, k, [&] { return std::round((a - r) / b); });
    });
  case Opcode::MaximumF:
    return applyExtremum(/*isMaximum=*/true, /*skipsNaN=*/false);
  case Opcode::MaxNumF:
    return applyExtremum(/*isMaximum=*/true, /*skipsNaN=*/true);
  case Opcode::MinimumF:
    return applyExtremum(/*isMaximum=*/false, /*skipsNaN=*/false);
  case Opcode::MinNumF:
    return applyExtremum(/*isMaximum=*/false, /*skipsNaN=*/true);
  case Opcode::ClampF:
    // The derivative of a clamped x is that of the bound to which x is clamped
    // or, if x is within the bounds or equal to one of them, that of x.
    return apply([&](int64_t k) {
      T x = value(0, k), low = value(1, k), high = value(2, k);
      if ((x < low ? low : x) > high)
        return tangent(2, k);
      return tangent(x < low ? 1 : 0, k);
    });
  case Opcode::SelectF: {
    const int64_t *condition = frame.getInts(instruction.operands[0]);
    return apply([&](int64_t k) { return tangent(condition[k] ? 1 : 2, k); });
  }
  case Opcode::CopySign:
    // copysign(a, b) is |a| with the sign of b. Its derivative with respect to
    // b is 0. That with respect to a is 1 if a and b have the same sign and -1
    // otherwise, and is taken to be 0 for a = 0.
    return apply([&](int64_t k) {
      T a = value(0, k);
      if (a == 0)
        return T(0);
      return std::signbit(a) == std::signbit(value(1, k)) ? tangent(0, k)
                                                          : -tangent(0, k);
    });
  case Opcode::Atan2:
    return apply([&](int64_t k) {
      T a = value(0, k), b = value(1, k), square = a * a + b * b;
      return scaled(0, k, [&] { return b / square; }) -
             scaled(1, k, [&] { return a / square; });
    });
  case Opcode::PowF:
    return apply([&](int64_t k) {
      T a = value(0, k), b = value(1, k);
      return scaled(0, k,
                    [&] { return b == 0 ? T(0) : b * std::pow(a, b - 1); }) +
             scaled(1, k, [&] {
               return a == 0 && b >= 0 ? T(0) : std::pow(a, b) * std::log(a);
             });
    });
  case Opcode::FPowI: {
    const int64_t *exponent = frame.getInts(instruction.operands[1]);
    return apply([&](int64_t k) {
      double n = exponent[k];
      double slope = n == 0 ? 0 : n * std::pow(double(value(0, k)), n - 1);
      return multiply(static_cast<T>(slope), tangent(0, k));
    });
  }
  default:
    llvm_unreachable("not an instruction that has a tangent");
  }
}

void ScoreProgram::propagate(const Instruction &instruction,
                             Precision precision, Frame &frame,
                             int64_t count) const {
  // With Precision::Double, derivatives are computed in double and not rounded,
  // whatever type the values are rounded to.
  if (precision == Precision::Double)
    return differentiate<double>(instruction, frame, count);
  ScalarType type = instruction.resultType;
  if (type.kind == ScalarType::F64)
    differentiate<double>(instruction, frame, count);
  else
    differentiate<float>(instruction, frame, count);
  double *out = frame.getTangents(instruction.result);
  for (int64_t k = 0; k < count; ++k)
    out[k] = roundToType(type, out[k]);
}
