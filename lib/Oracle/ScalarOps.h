//===- ScalarOps.h - Scalar ops by their definitions ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar ops of arith and math by their definitions, with which the oracle
// and the simulator evaluate. The compiler does not use them, so that it does
// not share their mistakes.
//
// Each list calls X(dialect, op, value...) where the op's class is
// dialect::opOp. Operands are a, b and c. Floats are of type T. Integers are of
// type S, sign-extended, or U, zero-extended, with `width` bits; the caller
// truncates results that overflow. A quotient or remainder by 0 is 0. Where the
// program has poison (shifts by too much, conversions out of range), the value
// is arbitrary.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_SCALAROPS_H
#define ATTN_LIB_ORACLE_SCALAROPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

/// The ops from a float to a float, each with its result and its slope
/// (derivative) as functions of the operand `a`. A slope may also use `r`, the
/// result.
#define ATTN_UNARY_FLOAT_OPS(X)                                                \
  X(arith, NegF, -a, T(-1))                                                    \
  X(math, AbsF, std::fabs(a), a == 0 ? T(0) : std::copysign(T(1), a))          \
  X(math, Acos, std::acos(a), -1 / std::sqrt((1 - a) * (1 + a)))               \
  X(math, Acosh, std::acosh(a), 1 / std::sqrt((a - 1) * (a + 1)))              \
  X(math, Asin, std::asin(a), 1 / std::sqrt((1 - a) * (1 + a)))                \
  X(math, Asinh, std::asinh(a), 1 / std::hypot(T(1), a))                       \
  X(math, Atan, std::atan(a), 1 / (1 + a * a))                                 \
  X(math, Atanh, std::atanh(a), 1 / ((1 - a) * (1 + a)))                       \
  X(math, Cbrt, std::cbrt(a), 1 / (3 * r * r))                                 \
  X(math, Cos, std::cos(a), -std::sin(a))                                      \
  X(math, Cosh, std::cosh(a), std::sinh(a))                                    \
  X(math, Erf, std::erf(a), T(M_2_SQRTPI) * std::exp(-a * a))                  \
  X(math, Erfc, std::erfc(a), -T(M_2_SQRTPI) * std::exp(-a * a))               \
  X(math, Exp, std::exp(a), r)                                                 \
  X(math, Exp2, std::exp2(a), r *T(M_LN2))                                     \
  X(math, ExpM1, std::expm1(a), std::exp(a))                                   \
  X(math, Log, std::log(a), 1 / a)                                             \
  X(math, Log10, std::log10(a), 1 / (a * T(M_LN10)))                           \
  X(math, Log1p, std::log1p(a), 1 / (1 + a))                                   \
  X(math, Log2, std::log2(a), 1 / (a * T(M_LN2)))                              \
  X(math, Rsqrt, T(1) / std::sqrt(a), -r / (2 * a))                            \
  X(math, Sin, std::sin(a), std::cos(a))                                       \
  X(math, Sinh, std::sinh(a), std::cosh(a))                                    \
  X(math, Sqrt, std::sqrt(a), 1 / (2 * r))                                     \
  X(math, Tan, std::tan(a), 1 + r * r)                                         \
  X(math, Tanh, std::tanh(a), (1 - r) * (1 + r))

/// The ops from a float to a float that are piecewise constant, so that their
/// slope is 0.
#define ATTN_STEP_OPS(X)                                                       \
  X(math, Ceil, std::ceil(a))                                                  \
  X(math, Floor, std::floor(a))                                                \
  X(math, Round, std::round(a))                                                \
  X(math, RoundEven, std::nearbyint(a))                                        \
  X(math, Trunc, std::trunc(a))

#define ATTN_BINARY_FLOAT_OPS(X)                                               \
  X(arith, AddF, a + b)                                                        \
  X(arith, DivF, a / b)                                                        \
  X(arith, MaximumF, ::mlir::attn::getMaximum(a, b))                           \
  X(arith, MaxNumF, std::fmax(a, b))                                           \
  X(arith, MinimumF, -::mlir::attn::getMaximum(-a, -b))                        \
  X(arith, MinNumF, std::fmin(a, b))                                           \
  X(arith, MulF, a *b)                                                         \
  X(arith, RemF, std::fmod(a, b))                                              \
  X(arith, SubF, a - b)                                                        \
  X(math, Atan2, std::atan2(a, b))                                             \
  X(math, CopySign, std::copysign(a, b))                                       \
  X(math, PowF, std::pow(a, b))

#define ATTN_TERNARY_FLOAT_OPS(X)                                              \
  X(math, ClampF,                                                              \
    -::mlir::attn::getMaximum(-::mlir::attn::getMaximum(a, b), -c))            \
  X(math, Fma, std::fma(a, b, c))

/// The ops from a float to a condition. `smallest` is the smallest normal
/// number of the float's type.
#define ATTN_FLOAT_TESTS(X)                                                    \
  X(math, IsFinite, std::isfinite(a))                                          \
  X(math, IsInf, std::isinf(a))                                                \
  X(math, IsNaN, std::isnan(a))                                                \
  X(math, IsNormal, std::isfinite(a) && std::fabs(a) >= smallest)

#define ATTN_UNARY_SIGNED_OPS(X) X(math, AbsI, a < 0 ? -U(a) : U(a))

#define ATTN_UNARY_UNSIGNED_OPS(X)                                             \
  X(math, CountLeadingZeros, llvm::countl_zero(a) - (64 - width))              \
  X(math, CountTrailingZeros, a ? llvm::countr_zero(a) : int(width))           \
  X(math, CtPop, llvm::popcount(a))

#define ATTN_BINARY_SIGNED_OPS(X)                                              \
  X(arith, CeilDivSI, ::mlir::attn::divideUp(a, b))                            \
  X(arith, DivSI, ::mlir::attn::divide(a, b))                                  \
  X(arith, FloorDivSI, ::mlir::attn::divideDown(a, b))                         \
  X(arith, MaxSI, std::max(a, b))                                              \
  X(arith, MinSI, std::min(a, b))                                              \
  X(arith, RemSI, ::mlir::attn::getRemainder(a, b))                            \
  X(arith, ShRSI,                                                              \
    a >> std::min<U>(::mlir::attn::zeroExtend(b, width), width - 1))           \
  X(math, IPowI, ::mlir::attn::getPower(a, b))

#define ATTN_BINARY_UNSIGNED_OPS(X)                                            \
  X(arith, AddI, a + b)                                                        \
  X(arith, AndI, a &b)                                                         \
  X(arith, CeilDivUI, a &&b ? (a - 1) / b + 1 : 0)                             \
  X(arith, DivUI, b ? a / b : 0)                                               \
  X(arith, MaxUI, std::max(a, b))                                              \
  X(arith, MinUI, std::min(a, b))                                              \
  X(arith, MulI, a *b)                                                         \
  X(arith, OrI, a | b)                                                         \
  X(arith, RemUI, b ? a % b : 0)                                               \
  X(arith, ShLI, b < width ? a << b : 0)                                       \
  X(arith, ShRUI, b < width ? a >> b : 0)                                      \
  X(arith, SubI, a - b)                                                        \
  X(arith, XOrI, a ^ b)

/// All of the lists of scalar ops in this file.
#define ATTN_SCALAR_OPS(X)                                                     \
  ATTN_UNARY_FLOAT_OPS(X)                                                      \
  ATTN_STEP_OPS(X)                                                             \
  ATTN_BINARY_FLOAT_OPS(X)                                                     \
  ATTN_TERNARY_FLOAT_OPS(X)                                                    \
  ATTN_FLOAT_TESTS(X)                                                          \
  ATTN_UNARY_SIGNED_OPS(X)                                                     \
  ATTN_UNARY_UNSIGNED_OPS(X)                                                   \
  ATTN_BINARY_SIGNED_OPS(X)                                                    \
  ATTN_BINARY_UNSIGNED_OPS(X)

namespace mlir::attn {

inline uint64_t zeroExtend(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}
inline int64_t signExtend(uint64_t value, unsigned width) {
  return llvm::SignExtend64(value, width);
}

/// Returns the maximum of two numbers as arith.maximumf defines it: NaN if an
/// operand is NaN, and 0 is larger than -0.
template <typename T> T getMaximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

inline int64_t divide(int64_t a, int64_t b) {
  if (b == -1)
    return static_cast<int64_t>(-static_cast<uint64_t>(a));
  return b ? a / b : 0;
}
inline int64_t getRemainder(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
inline int64_t divideUp(int64_t a, int64_t b) {
  return divide(a, b) + (getRemainder(a, b) != 0 && (a < 0) == (b < 0));
}
inline int64_t divideDown(int64_t a, int64_t b) {
  return divide(a, b) - (getRemainder(a, b) != 0 && (a < 0) != (b < 0));
}

inline int64_t getPower(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1)
      return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  uint64_t power = 1, square = static_cast<uint64_t>(base);
  for (; exponent > 0; exponent >>= 1, square *= square)
    if (exponent & 1)
      power *= square;
  return static_cast<int64_t>(power);
}

/// Converts a float to an integer of `width` bits, signed or unsigned as
/// `isSigned` says, by rounding towards zero. Numbers out of the integer's
/// range are clamped to it, and NaN becomes 0.
inline int64_t toInteger(double value, unsigned width, bool isSigned) {
  llvm::APSInt integer(width, !isSigned);
  bool isExact;
  llvm::APFloat(value).convertToInteger(integer, llvm::APFloat::rmTowardZero,
                                        &isExact);
  return integer.getSExtValue();
}

/// Returns the upper `width` bits of the product of two integers of `width`
/// bits, which are both signed or both unsigned, as `isSigned` says.
inline int64_t multiplyHigh(int64_t a, int64_t b, unsigned width,
                            bool isSigned) {
  if (isSigned)
    return static_cast<int64_t>((static_cast<__int128>(a) * b) >> width);
  auto product = static_cast<unsigned __int128>(zeroExtend(a, width)) *
                 zeroExtend(b, width);
  return static_cast<int64_t>(static_cast<uint64_t>(product >> width));
}

/// The possible outcomes of a comparison of two numbers, one bit for each;
/// "unordered" means that one number is NaN.
enum Outcome : uint8_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

template <typename T> Outcome compareNumbers(T a, T b) {
  return a < b ? kLess : a == b ? kEqual : a > b ? kGreater : kUnordered;
}

/// Returns the set of outcomes (less, equal, greater, unordered) for which a
/// comparison with this predicate is true. Applies the predicate to an example
/// of each outcome.
inline uint8_t getOutcomes(arith::CmpFPredicate predicate) {
  llvm::APFloat one(1.0), two(2.0);
  auto nan = llvm::APFloat::getNaN(one.getSemantics());
  auto holds = [&](const llvm::APFloat &a, const llvm::APFloat &b) {
    return arith::applyCmpPredicate(predicate, a, b);
  };
  return kLess * holds(one, two) | kEqual * holds(one, one) |
         kGreater * holds(two, one) | kUnordered * holds(one, nan);
}
inline uint8_t getOutcomes(arith::CmpIPredicate predicate) {
  llvm::APInt one(8, 1), two(8, 2);
  auto holds = [&](const llvm::APInt &a, const llvm::APInt &b) {
    return arith::applyCmpPredicate(predicate, a, b);
  };
  return kLess * holds(one, two) | kEqual * holds(one, one) |
         kGreater * holds(two, one);
}
inline bool isUnsigned(arith::CmpIPredicate predicate) {
  return predicate >= arith::CmpIPredicate::ult;
}

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_SCALAROPS_H
