//===- ScoreEvaluator.cpp - Evaluation of score regions -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/ScoreEvaluator.h"
#include "attn/Support/ArrayView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <memory>

using namespace mlir;
using namespace mlir::attn;

using ScalarType = ScoreProgram::ScalarType;

enum class ScoreProgram::Opcode : uint8_t {
  Unknown,
  // Floats to a float.
  ConstF,
  AddF,
  SubF,
  MulF,
  DivF,
  RemF,
  NegF,
  MaximumF,
  MaxNumF,
  MinimumF,
  MinNumF,
  AbsF,
  Acos,
  Acosh,
  Asin,
  Asinh,
  Atan,
  Atan2,
  Atanh,
  Cbrt,
  Ceil,
  ClampF,
  CopySign,
  Cos,
  Cosh,
  Erf,
  Erfc,
  Exp,
  Exp2,
  ExpM1,
  Floor,
  Fma,
  FPowI,
  Log,
  Log10,
  Log1p,
  Log2,
  PowF,
  Round,
  RoundEven,
  Rsqrt,
  Sin,
  Sinh,
  Sqrt,
  Tan,
  Tanh,
  Trunc,
  SelectF,
  // Conversions to a float, exact before they are rounded to the result type.
  ConvertF,
  SIToFP,
  UIToFP,
  BitsToF,
  // Floats to an integer.
  CmpF,
  IsFinite,
  IsInf,
  IsNaN,
  IsNormal,
  FPToSI,
  FPToUI,
  FToBits,
  // Integers to an integer.
  ConstI,
  AddI,
  SubI,
  MulI,
  DivUI,
  DivSI,
  CeilDivUI,
  CeilDivSI,
  FloorDivSI,
  RemUI,
  RemSI,
  AndI,
  OrI,
  XOrI,
  ShLI,
  ShRUI,
  ShRSI,
  MaxSI,
  MaxUI,
  MinSI,
  MinUI,
  AbsI,
  IPowI,
  CtLZ,
  CtTZ,
  CtPop,
  CmpSI,
  CmpUI,
  SelectI,
  ConvertSI,
  ConvertUI,
  AddCarry,
  MulSIHigh,
  MulUIHigh
};

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Values are evaluated in pieces of this many keys, which stay in the cache.
static constexpr int64_t kPieceSize = 256;

/// Outcomes of a comparison, as bits.
enum Outcome : uint8_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

static std::optional<ScalarType> getScalarType(Type type) {
  if (type.isF16())
    return ScalarType{ScalarType::F16, 16};
  if (type.isBF16())
    return ScalarType{ScalarType::BF16, 16};
  if (type.isF32())
    return ScalarType{ScalarType::F32, 32};
  if (type.isF64())
    return ScalarType{ScalarType::F64, 64};
  if (type.isIndex())
    return ScalarType{ScalarType::Int, 64};
  if (auto intType = dyn_cast<IntegerType>(type))
    if (intType.getWidth() >= 1 && intType.getWidth() <= 64)
      return ScalarType{ScalarType::Int,
                        static_cast<uint8_t>(intType.getWidth())};
  return std::nullopt;
}

static int64_t signExtend(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

static uint64_t zeroExtend(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

static double roundToType(ScalarType type, double value) {
  switch (type.kind) {
  case ScalarType::F16:
    return roundTo(DType::F16, value);
  case ScalarType::BF16:
    return roundTo(DType::BF16, value);
  case ScalarType::F32:
    return static_cast<float>(value);
  default:
    return value;
  }
}

static uint64_t floatToBits(ScalarType type, double value) {
  uint16_t half = 0;
  switch (type.kind) {
  case ScalarType::F16:
    storeElement(&half, DType::F16, 0, value);
    return half;
  case ScalarType::BF16:
    storeElement(&half, DType::BF16, 0, value);
    return half;
  case ScalarType::F32:
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  default:
    return llvm::bit_cast<uint64_t>(value);
  }
}

static double floatFromBits(ScalarType type, uint64_t bits) {
  uint16_t half = static_cast<uint16_t>(bits);
  switch (type.kind) {
  case ScalarType::F16:
    return loadElement(&half, DType::F16, 0);
  case ScalarType::BF16:
    return loadElement(&half, DType::BF16, 0);
  case ScalarType::F32:
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
  default:
    return llvm::bit_cast<double>(bits);
  }
}

static double getSmallestNormal(ScalarType type) {
  switch (type.kind) {
  case ScalarType::F16:
    return 0x1p-14;
  case ScalarType::F64:
    return 0x1p-1022;
  default:
    return 0x1p-126;
  }
}

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

// Where the program has undefined behaviour or poison (division by zero, shifts
// by too much, conversions out of range), any value will do, but the evaluator
// itself must not trap.

static int64_t divSigned(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return static_cast<int64_t>(-static_cast<uint64_t>(a));
  return a / b;
}

static int64_t remSigned(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

static int64_t ceilDivSigned(int64_t a, int64_t b) {
  bool roundsUp = remSigned(a, b) != 0 && (a < 0) == (b < 0);
  return divSigned(a, b) + (roundsUp ? 1 : 0);
}

static int64_t floorDivSigned(int64_t a, int64_t b) {
  bool roundsDown = remSigned(a, b) != 0 && (a < 0) != (b < 0);
  return divSigned(a, b) - (roundsDown ? 1 : 0);
}

static int64_t powSigned(int64_t base, int64_t exponent) {
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

static int64_t toSigned(double value, unsigned width) {
  if (std::isnan(value))
    return 0;
  double limit = std::ldexp(1.0, width - 1);
  if (value >= limit)
    return llvm::maxIntN(width);
  if (value <= -limit)
    return llvm::minIntN(width);
  return static_cast<int64_t>(value);
}

static int64_t toUnsigned(double value, unsigned width) {
  if (!(value > 0))
    return 0;
  if (value >= std::ldexp(1.0, width))
    return -1;
  return static_cast<int64_t>(static_cast<uint64_t>(value));
}

static int64_t mulHigh(int64_t a, int64_t b, unsigned width, bool isSigned) {
  if (isSigned)
    return static_cast<int64_t>((static_cast<__int128>(a) * b) >> width);
  auto product = static_cast<unsigned __int128>(zeroExtend(a, width)) *
                 zeroExtend(b, width);
  return static_cast<int64_t>(static_cast<uint64_t>(product >> width));
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// The values of one piece of a row.
class ScoreProgram::Frame {
public:
  Frame(const ScoreProgram &program, int64_t count)
      : count(count), floats(new double[program.numFloats * count]),
        ints(new int64_t[program.numInts * count]) {}

  double *getFloats(unsigned slot) { return &floats[slot * count]; }
  int64_t *getInts(unsigned slot) { return &ints[slot * count]; }

private:
  int64_t count;
  // Not a vector, which would clear the memory.
  std::unique_ptr<double[]> floats;
  std::unique_ptr<int64_t[]> ints;
};

template <typename T> static T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename T> static T minimum(T a, T b) { return -maximum(-a, -b); }

/// Instructions that yield a float, in the arithmetic of `T`.
template <typename T>
void ScoreProgram::executeFloat(const Instruction &instruction, Frame &frame,
                                int64_t count) const {
  double *out = frame.getFloats(instruction.result);
  auto apply1 = [&](auto function) {
    const double *a = frame.getFloats(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(static_cast<T>(a[k]));
  };
  auto apply2 = [&](auto function) {
    const double *a = frame.getFloats(instruction.operands[0]);
    const double *b = frame.getFloats(instruction.operands[1]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(static_cast<T>(a[k]), static_cast<T>(b[k]));
  };
  auto apply3 = [&](auto function) {
    const double *a = frame.getFloats(instruction.operands[0]);
    const double *b = frame.getFloats(instruction.operands[1]);
    const double *c = frame.getFloats(instruction.operands[2]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(static_cast<T>(a[k]), static_cast<T>(b[k]),
                        static_cast<T>(c[k]));
  };

  switch (instruction.opcode) {
  case Opcode::ConstF:
    std::fill_n(out, count, instruction.constant.f);
    return;
  case Opcode::AddF:
    return apply2([](T a, T b) { return a + b; });
  case Opcode::SubF:
    return apply2([](T a, T b) { return a - b; });
  case Opcode::MulF:
    return apply2([](T a, T b) { return a * b; });
  case Opcode::DivF:
    return apply2([](T a, T b) { return a / b; });
  case Opcode::RemF:
    return apply2([](T a, T b) { return std::fmod(a, b); });
  case Opcode::NegF:
    return apply1([](T a) { return -a; });
  case Opcode::MaximumF:
    return apply2([](T a, T b) { return maximum(a, b); });
  case Opcode::MaxNumF:
    return apply2([](T a, T b) { return std::fmax(a, b); });
  case Opcode::MinimumF:
    return apply2([](T a, T b) { return minimum(a, b); });
  case Opcode::MinNumF:
    return apply2([](T a, T b) { return std::fmin(a, b); });
  case Opcode::AbsF:
    return apply1([](T a) { return std::fabs(a); });
  case Opcode::Acos:
    return apply1([](T a) { return std::acos(a); });
  case Opcode::Acosh:
    return apply1([](T a) { return std::acosh(a); });
  case Opcode::Asin:
    return apply1([](T a) { return std::asin(a); });
  case Opcode::Asinh:
    return apply1([](T a) { return std::asinh(a); });
  case Opcode::Atan:
    return apply1([](T a) { return std::atan(a); });
  case Opcode::Atan2:
    return apply2([](T a, T b) { return std::atan2(a, b); });
  case Opcode::Atanh:
    return apply1([](T a) { return std::atanh(a); });
  case Opcode::Cbrt:
    return apply1([](T a) { return std::cbrt(a); });
  case Opcode::Ceil:
    return apply1([](T a) { return std::ceil(a); });
  case Opcode::ClampF:
    return apply3([](T a, T b, T c) { return minimum(maximum(a, b), c); });
  case Opcode::CopySign:
    return apply2([](T a, T b) { return std::copysign(a, b); });
  case Opcode::Cos:
    return apply1([](T a) { return std::cos(a); });
  case Opcode::Cosh:
    return apply1([](T a) { return std::cosh(a); });
  case Opcode::Erf:
    return apply1([](T a) { return std::erf(a); });
  case Opcode::Erfc:
    return apply1([](T a) { return std::erfc(a); });
  case Opcode::Exp:
    return apply1([](T a) { return std::exp(a); });
  case Opcode::Exp2:
    return apply1([](T a) { return std::exp2(a); });
  case Opcode::ExpM1:
    return apply1([](T a) { return std::expm1(a); });
  case Opcode::Floor:
    return apply1([](T a) { return std::floor(a); });
  case Opcode::Fma:
    return apply3([](T a, T b, T c) { return std::fma(a, b, c); });
  case Opcode::FPowI: {
    const double *a = frame.getFloats(instruction.operands[0]);
    const int64_t *b = frame.getInts(instruction.operands[1]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = static_cast<T>(std::pow(a[k], static_cast<double>(b[k])));
    return;
  }
  case Opcode::Log:
    return apply1([](T a) { return std::log(a); });
  case Opcode::Log10:
    return apply1([](T a) { return std::log10(a); });
  case Opcode::Log1p:
    return apply1([](T a) { return std::log1p(a); });
  case Opcode::Log2:
    return apply1([](T a) { return std::log2(a); });
  case Opcode::PowF:
    return apply2([](T a, T b) { return std::pow(a, b); });
  case Opcode::Round:
    return apply1([](T a) { return std::round(a); });
  case Opcode::RoundEven:
    return apply1([](T a) { return std::nearbyint(a); });
  case Opcode::Rsqrt:
    return apply1([](T a) { return T(1) / std::sqrt(a); });
  case Opcode::Sin:
    return apply1([](T a) { return std::sin(a); });
  case Opcode::Sinh:
    return apply1([](T a) { return std::sinh(a); });
  case Opcode::Sqrt:
    return apply1([](T a) { return std::sqrt(a); });
  case Opcode::Tan:
    return apply1([](T a) { return std::tan(a); });
  case Opcode::Tanh:
    return apply1([](T a) { return std::tanh(a); });
  case Opcode::Trunc:
    return apply1([](T a) { return std::trunc(a); });
  case Opcode::SelectF: {
    const int64_t *condition = frame.getInts(instruction.operands[0]);
    const double *a = frame.getFloats(instruction.operands[1]);
    const double *b = frame.getFloats(instruction.operands[2]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = condition[k] ? a[k] : b[k];
    return;
  }
  case Opcode::ConvertF: {
    const double *a = frame.getFloats(instruction.operands[0]);
    std::copy_n(a, count, out);
    return;
  }
  case Opcode::SIToFP: {
    const int64_t *a = frame.getInts(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = static_cast<T>(a[k]);
    return;
  }
  case Opcode::UIToFP: {
    const int64_t *a = frame.getInts(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = static_cast<T>(zeroExtend(a[k], instruction.operandType.width));
    return;
  }
  case Opcode::BitsToF: {
    const int64_t *a = frame.getInts(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = floatFromBits(instruction.resultType, a[k]);
    return;
  }
  default:
    llvm_unreachable("not an instruction that yields a float");
  }
}

/// Instructions that yield an integer.
void ScoreProgram::executeInt(const Instruction &instruction, Frame &frame,
                              int64_t count) const {
  int64_t *out = frame.getInts(instruction.result);
  unsigned width = instruction.operandType.width;
  auto test = [&](auto function) {
    const double *a = frame.getFloats(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(a[k]) ? -1 : 0;
  };
  auto convert = [&](auto function) {
    const double *a = frame.getFloats(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(a[k]);
  };
  auto signed1 = [&](auto function) {
    const int64_t *a = frame.getInts(instruction.operands[0]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(a[k]);
  };
  auto unsigned1 = [&](auto function) {
    signed1([&](int64_t a) { return function(zeroExtend(a, width)); });
  };
  auto signed2 = [&](auto function) {
    const int64_t *a = frame.getInts(instruction.operands[0]);
    const int64_t *b = frame.getInts(instruction.operands[1]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = function(a[k], b[k]);
  };
  auto unsigned2 = [&](auto function) {
    signed2([&](int64_t a, int64_t b) {
      return function(zeroExtend(a, width), zeroExtend(b, width));
    });
  };
  using U = uint64_t;
  using S = int64_t;

  switch (instruction.opcode) {
  case Opcode::CmpF: {
    const double *a = frame.getFloats(instruction.operands[0]);
    const double *b = frame.getFloats(instruction.operands[1]);
    for (int64_t k = 0; k < count; ++k) {
      uint8_t outcome = a[k] < b[k]    ? kLess
                        : a[k] == b[k] ? kEqual
                        : a[k] > b[k]  ? kGreater
                                       : kUnordered;
      out[k] = (instruction.outcomes & outcome) ? -1 : 0;
    }
    break;
  }
  case Opcode::IsFinite:
    test([](double a) { return std::isfinite(a); });
    break;
  case Opcode::IsInf:
    test([](double a) { return std::isinf(a); });
    break;
  case Opcode::IsNaN:
    test([](double a) { return std::isnan(a); });
    break;
  case Opcode::IsNormal: {
    double smallest = getSmallestNormal(instruction.operandType);
    test(
        [&](double a) { return std::isfinite(a) && std::fabs(a) >= smallest; });
    break;
  }
  case Opcode::FPToSI:
    convert(
        [&](double a) { return toSigned(a, instruction.resultType.width); });
    break;
  case Opcode::FPToUI:
    convert(
        [&](double a) { return toUnsigned(a, instruction.resultType.width); });
    break;
  case Opcode::FToBits:
    convert([&](double a) {
      return static_cast<S>(floatToBits(instruction.operandType, a));
    });
    break;
  case Opcode::ConstI:
    std::fill_n(out, count, instruction.constant.i);
    break;
  case Opcode::AddI:
    signed2([](U a, U b) { return a + b; });
    break;
  case Opcode::SubI:
    signed2([](U a, U b) { return a - b; });
    break;
  case Opcode::MulI:
    signed2([](U a, U b) { return a * b; });
    break;
  case Opcode::DivUI:
    unsigned2([](U a, U b) { return b == 0 ? 0 : a / b; });
    break;
  case Opcode::DivSI:
    signed2(divSigned);
    break;
  case Opcode::CeilDivUI:
    unsigned2([](U a, U b) { return a == 0 || b == 0 ? 0 : (a - 1) / b + 1; });
    break;
  case Opcode::CeilDivSI:
    signed2(ceilDivSigned);
    break;
  case Opcode::FloorDivSI:
    signed2(floorDivSigned);
    break;
  case Opcode::RemUI:
    unsigned2([](U a, U b) { return b == 0 ? 0 : a % b; });
    break;
  case Opcode::RemSI:
    signed2(remSigned);
    break;
  case Opcode::AndI:
    signed2([](S a, S b) { return a & b; });
    break;
  case Opcode::OrI:
    signed2([](S a, S b) { return a | b; });
    break;
  case Opcode::XOrI:
    signed2([](S a, S b) { return a ^ b; });
    break;
  case Opcode::ShLI:
    unsigned2([&](U a, U b) { return b >= width ? 0 : a << b; });
    break;
  case Opcode::ShRUI:
    unsigned2([&](U a, U b) { return b >= width ? 0 : a >> b; });
    break;
  case Opcode::ShRSI:
    signed2([&](S a, S b) {
      return a >> std::min<U>(zeroExtend(b, width), width - 1);
    });
    break;
  case Opcode::MaxSI:
    signed2([](S a, S b) { return std::max(a, b); });
    break;
  case Opcode::MaxUI:
    unsigned2([](U a, U b) { return std::max(a, b); });
    break;
  case Opcode::MinSI:
    signed2([](S a, S b) { return std::min(a, b); });
    break;
  case Opcode::MinUI:
    unsigned2([](U a, U b) { return std::min(a, b); });
    break;
  case Opcode::AbsI:
    signed1([](S a) { return a < 0 ? -static_cast<U>(a) : static_cast<U>(a); });
    break;
  case Opcode::IPowI:
    signed2(powSigned);
    break;
  case Opcode::CtLZ:
    unsigned1([&](U a) { return llvm::countl_zero(a) - (64 - width); });
    break;
  case Opcode::CtTZ:
    unsigned1([&](U a) { return a ? llvm::countr_zero(a) : int(width); });
    break;
  case Opcode::CtPop:
    unsigned1([](U a) { return llvm::popcount(a); });
    break;
  case Opcode::CmpSI:
    signed2([&](S a, S b) {
      uint8_t outcome = a < b ? kLess : a == b ? kEqual : kGreater;
      return (instruction.outcomes & outcome) ? -1 : 0;
    });
    break;
  case Opcode::CmpUI:
    unsigned2([&](U a, U b) {
      uint8_t outcome = a < b ? kLess : a == b ? kEqual : kGreater;
      return (instruction.outcomes & outcome) ? -1 : 0;
    });
    break;
  case Opcode::SelectI: {
    const int64_t *condition = frame.getInts(instruction.operands[0]);
    const int64_t *a = frame.getInts(instruction.operands[1]);
    const int64_t *b = frame.getInts(instruction.operands[2]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = condition[k] ? a[k] : b[k];
    break;
  }
  case Opcode::ConvertSI:
    signed1([](S a) { return a; });
    break;
  case Opcode::ConvertUI:
    unsigned1([](U a) { return a; });
    break;
  case Opcode::AddCarry:
    unsigned2([&](U a, U b) {
      return zeroExtend(static_cast<S>(a + b), width) < a ? -1 : 0;
    });
    break;
  case Opcode::MulSIHigh:
    signed2([&](S a, S b) { return mulHigh(a, b, width, /*isSigned=*/true); });
    break;
  case Opcode::MulUIHigh:
    signed2([&](S a, S b) { return mulHigh(a, b, width, /*isSigned=*/false); });
    break;
  default:
    llvm_unreachable("not an instruction that yields an integer");
  }

  if (instruction.resultType.width < 64)
    for (int64_t k = 0; k < count; ++k)
      out[k] = signExtend(out[k], instruction.resultType.width);
}

void ScoreProgram::execute(const Instruction &instruction, Precision precision,
                           Frame &frame, int64_t count) const {
  ScalarType type = instruction.resultType;
  if (!type.isFloat())
    return executeInt(instruction, frame, count);

  // Conversions are exact in double and rounded once, below.
  bool isSingle = precision != Precision::Double;
  bool isNarrow = type.kind == ScalarType::F16 || type.kind == ScalarType::BF16;
  bool isIntConversion = instruction.opcode == Opcode::SIToFP ||
                         instruction.opcode == Opcode::UIToFP;
  if (isSingle && type.kind != ScalarType::F64 &&
      !(isNarrow && isIntConversion))
    executeFloat<float>(instruction, frame, count);
  else
    executeFloat<double>(instruction, frame, count);

  if (isNarrow || (isSingle && type.kind == ScalarType::F32)) {
    double *out = frame.getFloats(instruction.result);
    for (int64_t k = 0; k < count; ++k)
      out[k] = roundToType(type, out[k]);
  }
}

void ScoreProgram::evaluateRow(Precision precision, int64_t b, int64_t h,
                               int64_t i, int64_t j0,
                               MutableArrayRef<double> scores) const {
  int64_t size = scores.size();
  if (size == 0)
    return;
  int64_t pieceSize = std::min(size, kPieceSize);
  Frame frame(*this, pieceSize);
  *frame.getInts(0) = b;
  *frame.getInts(1) = h;
  *frame.getInts(2) = i;
  for (const Instruction &instruction : uniformCode)
    execute(instruction, precision, frame, 1);
  for (unsigned slot : broadcastFloats)
    std::fill_n(frame.getFloats(slot), pieceSize, *frame.getFloats(slot));
  for (unsigned slot : broadcastInts)
    std::fill_n(frame.getInts(slot), pieceSize, *frame.getInts(slot));

  for (int64_t begin = 0; begin < size; begin += pieceSize) {
    int64_t count = std::min(pieceSize, size - begin);
    double *score = frame.getFloats(0);
    int64_t *key = frame.getInts(3);
    for (int64_t k = 0; k < count; ++k) {
      score[k] = precision == Precision::Double
                     ? scores[begin + k]
                     : static_cast<float>(scores[begin + k]);
      key[k] = j0 + begin + k;
    }
    for (const Instruction &instruction : varyingCode)
      execute(instruction, precision, frame, count);
    std::copy_n(frame.getFloats(result), count, scores.begin() + begin);
  }
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

namespace mlir::attn {

/// Builds a program, one op or constant at a time.
class ProgramBuilder {
public:
  using Opcode = ScoreProgram::Opcode;
  using Instruction = ScoreProgram::Instruction;

  struct Slot {
    unsigned index;
    ScalarType type;
    bool isVarying;
  };

  /// Binds `value` to an argument's slot.
  void bindSlot(Value value, unsigned index, ScalarType type, bool isVarying) {
    slots[value] = {index, type, isVarying};
  }
  /// Binds `value` to a constant, rounded to its type.
  LogicalResult bindConstant(Value value, ScalarValue scalar);
  /// Translates an op. All of its operands must be bound.
  LogicalResult translate(Operation &op);
  /// Makes the value available to varying code.
  void broadcast(const Slot &slot);

  const Slot *lookup(Value value) const {
    auto it = slots.find(value);
    return it == slots.end() ? nullptr : &it->second;
  }

  ScoreProgram program;

private:
  /// Appends `instruction`, which defines `value`.
  void append(Instruction instruction, Value value, bool isVarying);

  DenseMap<Value, Slot> slots;
  DenseSet<std::pair<unsigned, unsigned>> broadcasts;
};

} // namespace mlir::attn

static InFlightDiagnostic emitCannotEvaluate(Operation &op) {
  return op.emitError("the oracle cannot evaluate '") << op.getName() << "'";
}

void ProgramBuilder::broadcast(const Slot &slot) {
  if (slot.isVarying ||
      !broadcasts.insert({slot.type.isFloat(), slot.index}).second)
    return;
  (slot.type.isFloat() ? program.broadcastFloats : program.broadcastInts)
      .push_back(slot.index);
}

void ProgramBuilder::append(Instruction instruction, Value value,
                            bool isVarying) {
  instruction.result = instruction.resultType.isFloat() ? program.numFloats++
                                                        : program.numInts++;
  bindSlot(value, instruction.result, instruction.resultType, isVarying);
  (isVarying ? program.varyingCode : program.uniformCode)
      .push_back(instruction);
}

LogicalResult ProgramBuilder::bindConstant(Value value, ScalarValue scalar) {
  std::optional<ScalarType> type = getScalarType(value.getType());
  if (!type)
    return emitError(value.getLoc(), "the oracle cannot evaluate a value of "
                                     "type ")
           << value.getType();
  if (type->isFloat() != scalar.isFloat)
    return emitError(value.getLoc(), "expected a scalar of type ")
           << value.getType() << ", found "
           << (scalar.isFloat ? "a float" : "an integer");
  if (scalar.isFloat)
    scalar.f = roundToType(*type, scalar.f);
  else
    scalar.i = signExtend(scalar.i, type->width);
  Instruction instruction{};
  instruction.opcode = scalar.isFloat ? Opcode::ConstF : Opcode::ConstI;
  instruction.operandType = instruction.resultType = *type;
  instruction.constant = scalar;
  append(instruction, value, /*isVarying=*/false);
  return success();
}

static uint8_t getOutcomes(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return 0;
  case P::OEQ:
    return kEqual;
  case P::OGT:
    return kGreater;
  case P::OGE:
    return kGreater | kEqual;
  case P::OLT:
    return kLess;
  case P::OLE:
    return kLess | kEqual;
  case P::ONE:
    return kLess | kGreater;
  case P::ORD:
    return kLess | kEqual | kGreater;
  case P::UEQ:
    return kUnordered | kEqual;
  case P::UGT:
    return kUnordered | kGreater;
  case P::UGE:
    return kUnordered | kGreater | kEqual;
  case P::ULT:
    return kUnordered | kLess;
  case P::ULE:
    return kUnordered | kLess | kEqual;
  case P::UNE:
    return kUnordered | kLess | kGreater;
  case P::UNO:
    return kUnordered;
  case P::AlwaysTrue:
    return kUnordered | kLess | kEqual | kGreater;
  }
  llvm_unreachable("all predicates are known");
}

static uint8_t getOutcomes(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return kEqual;
  case P::ne:
    return kLess | kGreater;
  case P::slt:
  case P::ult:
    return kLess;
  case P::sle:
  case P::ule:
    return kLess | kEqual;
  case P::sgt:
  case P::ugt:
    return kGreater;
  case P::sge:
  case P::uge:
    return kGreater | kEqual;
  }
  llvm_unreachable("all predicates are known");
}

LogicalResult ProgramBuilder::translate(Operation &op) {
  if (op.getNumRegions() != 0 || op.getNumSuccessors() != 0 ||
      op.getNumResults() == 0)
    return emitCannotEvaluate(op);

  Instruction instruction{};
  bool isVarying = false;
  SmallVector<const Slot *, 3> operands;
  for (Value operand : op.getOperands()) {
    const Slot *slot = lookup(operand);
    if (!slot || operands.size() == std::size(instruction.operands))
      return emitCannotEvaluate(op);
    instruction.operands[operands.size()] = slot->index;
    operands.push_back(slot);
    isVarying |= slot->isVarying;
  }
  SmallVector<ScalarType, 2> resultTypes;
  for (Type type : op.getResultTypes()) {
    std::optional<ScalarType> scalarType = getScalarType(type);
    if (!scalarType)
      return emitCannotEvaluate(op) << " of type " << type;
    resultTypes.push_back(*scalarType);
  }
  instruction.resultType = resultTypes[0];
  if (!operands.empty())
    instruction.operandType = operands[0]->type;

  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
      return bindConstant(
          constant, ScalarValue::getFloat(value.getValue().convertToDouble()));
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      return bindConstant(constant,
                          ScalarValue::getInt(value.getValue().getSExtValue()));
    return emitCannotEvaluate(op);
  }
  if (auto truncation = dyn_cast<arith::TruncFOp>(op))
    if (std::optional<arith::RoundingMode> mode = truncation.getRoundingmode();
        mode && *mode != arith::RoundingMode::to_nearest_even)
      return emitCannotEvaluate(op)
             << " with rounding mode '" << arith::stringifyRoundingMode(*mode)
             << "'";

  bool isFloat = instruction.resultType.isFloat();
  Opcode opcode =
      llvm::StringSwitch<Opcode>(op.getName().getStringRef())
          .Case("arith.addf", Opcode::AddF)
          .Case("arith.addi", Opcode::AddI)
          .Case("arith.addui_extended", Opcode::AddI)
          .Case("arith.andi", Opcode::AndI)
          .Case("arith.bitcast", isFloat ? Opcode::BitsToF : Opcode::FToBits)
          .Case("arith.ceildivsi", Opcode::CeilDivSI)
          .Case("arith.ceildivui", Opcode::CeilDivUI)
          .Case("arith.cmpf", Opcode::CmpF)
          .Case("arith.cmpi", Opcode::CmpSI)
          .Case("arith.divf", Opcode::DivF)
          .Case("arith.divsi", Opcode::DivSI)
          .Case("arith.divui", Opcode::DivUI)
          .Case("arith.extf", Opcode::ConvertF)
          .Case("arith.extsi", Opcode::ConvertSI)
          .Case("arith.extui", Opcode::ConvertUI)
          .Case("arith.floordivsi", Opcode::FloorDivSI)
          .Case("arith.fptosi", Opcode::FPToSI)
          .Case("arith.fptoui", Opcode::FPToUI)
          .Case("arith.index_cast", Opcode::ConvertSI)
          .Case("arith.index_castui", Opcode::ConvertUI)
          .Case("arith.maximumf", Opcode::MaximumF)
          .Case("arith.maxnumf", Opcode::MaxNumF)
          .Case("arith.maxsi", Opcode::MaxSI)
          .Case("arith.maxui", Opcode::MaxUI)
          .Case("arith.minimumf", Opcode::MinimumF)
          .Case("arith.minnumf", Opcode::MinNumF)
          .Case("arith.minsi", Opcode::MinSI)
          .Case("arith.minui", Opcode::MinUI)
          .Case("arith.mulf", Opcode::MulF)
          .Case("arith.muli", Opcode::MulI)
          .Case("arith.mulsi_extended", Opcode::MulI)
          .Case("arith.mului_extended", Opcode::MulI)
          .Case("arith.negf", Opcode::NegF)
          .Case("arith.ori", Opcode::OrI)
          .Case("arith.remf", Opcode::RemF)
          .Case("arith.remsi", Opcode::RemSI)
          .Case("arith.remui", Opcode::RemUI)
          .Case("arith.select", isFloat ? Opcode::SelectF : Opcode::SelectI)
          .Case("arith.shli", Opcode::ShLI)
          .Case("arith.shrsi", Opcode::ShRSI)
          .Case("arith.shrui", Opcode::ShRUI)
          .Case("arith.sitofp", Opcode::SIToFP)
          .Case("arith.subf", Opcode::SubF)
          .Case("arith.subi", Opcode::SubI)
          .Case("arith.truncf", Opcode::ConvertF)
          .Case("arith.trunci", Opcode::ConvertSI)
          .Case("arith.uitofp", Opcode::UIToFP)
          .Case("arith.xori", Opcode::XOrI)
          .Case("math.absf", Opcode::AbsF)
          .Case("math.absi", Opcode::AbsI)
          .Case("math.acos", Opcode::Acos)
          .Case("math.acosh", Opcode::Acosh)
          .Case("math.asin", Opcode::Asin)
          .Case("math.asinh", Opcode::Asinh)
          .Case("math.atan", Opcode::Atan)
          .Case("math.atan2", Opcode::Atan2)
          .Case("math.atanh", Opcode::Atanh)
          .Case("math.cbrt", Opcode::Cbrt)
          .Case("math.ceil", Opcode::Ceil)
          .Case("math.clampf", Opcode::ClampF)
          .Case("math.copysign", Opcode::CopySign)
          .Case("math.cos", Opcode::Cos)
          .Case("math.cosh", Opcode::Cosh)
          .Case("math.ctlz", Opcode::CtLZ)
          .Case("math.ctpop", Opcode::CtPop)
          .Case("math.cttz", Opcode::CtTZ)
          .Case("math.erf", Opcode::Erf)
          .Case("math.erfc", Opcode::Erfc)
          .Case("math.exp", Opcode::Exp)
          .Case("math.exp2", Opcode::Exp2)
          .Case("math.expm1", Opcode::ExpM1)
          .Case("math.floor", Opcode::Floor)
          .Case("math.fma", Opcode::Fma)
          .Case("math.fpowi", Opcode::FPowI)
          .Case("math.ipowi", Opcode::IPowI)
          .Case("math.isfinite", Opcode::IsFinite)
          .Case("math.isinf", Opcode::IsInf)
          .Case("math.isnan", Opcode::IsNaN)
          .Case("math.isnormal", Opcode::IsNormal)
          .Case("math.log", Opcode::Log)
          .Case("math.log10", Opcode::Log10)
          .Case("math.log1p", Opcode::Log1p)
          .Case("math.log2", Opcode::Log2)
          .Case("math.powf", Opcode::PowF)
          .Case("math.round", Opcode::Round)
          .Case("math.roundeven", Opcode::RoundEven)
          .Case("math.rsqrt", Opcode::Rsqrt)
          .Case("math.sin", Opcode::Sin)
          .Case("math.sincos", Opcode::Sin)
          .Case("math.sinh", Opcode::Sinh)
          .Case("math.sqrt", Opcode::Sqrt)
          .Case("math.tan", Opcode::Tan)
          .Case("math.tanh", Opcode::Tanh)
          .Case("math.trunc", Opcode::Trunc)
          .Default(Opcode::Unknown);
  // A bitcast within the floats or within the integers goes through no other
  // kind of slot.
  if (opcode == Opcode::BitsToF && instruction.operandType.isFloat()) {
    if (instruction.operandType.kind != instruction.resultType.kind)
      return emitCannotEvaluate(op) << " between types of floats";
    opcode = Opcode::ConvertF;
  }
  if (opcode == Opcode::FToBits && !instruction.operandType.isFloat())
    opcode = Opcode::ConvertSI;
  if (opcode == Opcode::Unknown)
    return emitCannotEvaluate(op);
  instruction.opcode = opcode;

  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    instruction.outcomes = getOutcomes(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    P predicate = compare.getPredicate();
    instruction.outcomes = getOutcomes(predicate);
    if (predicate == P::ult || predicate == P::ule || predicate == P::ugt ||
        predicate == P::uge)
      instruction.opcode = Opcode::CmpUI;
  }

  if (isVarying)
    for (const Slot *operand : operands)
      broadcast(*operand);
  append(instruction, op.getResult(0), isVarying);
  if (op.getNumResults() == 1)
    return success();

  // The second result of an op that has two.
  instruction.opcode = llvm::StringSwitch<Opcode>(op.getName().getStringRef())
                           .Case("arith.addui_extended", Opcode::AddCarry)
                           .Case("arith.mulsi_extended", Opcode::MulSIHigh)
                           .Case("arith.mului_extended", Opcode::MulUIHigh)
                           .Case("math.sincos", Opcode::Cos)
                           .Default(Opcode::Unknown);
  if (instruction.opcode == Opcode::Unknown || op.getNumResults() != 2)
    return emitCannotEvaluate(op);
  instruction.resultType = resultTypes[1];
  append(instruction, op.getResult(1), isVarying);
  return success();
}

FailureOr<ScoreProgram> ScoreProgram::compile(Region &region,
                                              ArrayRef<ScalarValue> captures) {
  Operation *parent = region.getParentOp();
  if (!region.hasOneBlock())
    return parent->emitError("the oracle cannot evaluate a score region of ")
           << region.getBlocks().size() << " blocks";
  Block &body = region.front();
  if (body.getNumArguments() != 5 + captures.size())
    return parent->emitError("expected ")
           << 5 + captures.size() << " score region arguments, found "
           << body.getNumArguments();
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    if (number < 5 && (number == 0 ? !argument.getType().isF32()
                                   : !argument.getType().isIndex()))
      return emitError(argument.getLoc(), "expected score region argument #")
             << number << " of type " << (number == 0 ? "f32" : "index")
             << ", found " << argument.getType();

  ProgramBuilder builder;
  ScalarType f32{ScalarType::F32, 32}, index{ScalarType::Int, 64};
  builder.bindSlot(body.getArgument(0), 0, f32, /*isVarying=*/true);
  for (unsigned slot = 0; slot < 4; ++slot)
    builder.bindSlot(body.getArgument(1 + slot), slot, index,
                     /*isVarying=*/slot == 3);
  for (auto [argument, capture] :
       llvm::zip(body.getArguments().drop_front(5), captures))
    if (failed(builder.bindConstant(argument, capture)))
      return failure();

  for (Operation &op : body) {
    // Named by its string: the evaluator depends on no dialect of the compiler.
    if (op.getName().getStringRef() != "attn.yield") {
      if (failed(builder.translate(op)))
        return failure();
      continue;
    }
    const ProgramBuilder::Slot *slot =
        op.getNumOperands() == 1 ? builder.lookup(op.getOperand(0)) : nullptr;
    if (!slot || slot->type.kind != ScalarType::F32)
      return op.emitError("expected one yielded value of type f32");
    builder.broadcast(*slot);
    builder.program.result = slot->index;
    return std::move(builder.program);
  }
  return parent->emitError("expected the score region to end in 'attn.yield'");
}

FailureOr<ScalarValue> mlir::attn::evaluateScalar(
    Value value, llvm::function_ref<std::optional<ScalarValue>(Value)> lookup) {
  ProgramBuilder builder;
  // Depth first without recursion, which a long chain of ops would exhaust. An
  // op is on the path to the value while its operands are translated.
  SmallVector<Value> worklist = {value};
  DenseSet<Operation *> path;
  while (!worklist.empty()) {
    Value current = worklist.back();
    if (builder.lookup(current)) {
      worklist.pop_back();
      continue;
    }
    Operation *op = current.getDefiningOp();
    bool isVisited = op && path.contains(op);
    if (!isVisited) {
      if (std::optional<ScalarValue> known = lookup(current)) {
        if (failed(builder.bindConstant(current, *known)))
          return failure();
        worklist.pop_back();
        continue;
      }
      if (!op)
        return emitError(current.getLoc(), "the oracle cannot evaluate a value "
                                           "that nothing is bound to");
      path.insert(op);
      // Ops on anything but scalars end the walk in an error at this op.
      bool needsOperands = false;
      for (Value operand : op->getOperands())
        if (getScalarType(operand.getType()) && !builder.lookup(operand)) {
          if (operand.getDefiningOp() && path.contains(operand.getDefiningOp()))
            return emitCannotEvaluate(*op) << ", which depends on itself";
          worklist.push_back(operand);
          needsOperands = true;
        }
      if (needsOperands)
        continue;
    }
    if (failed(builder.translate(*op)))
      return failure();
    path.erase(op);
    worklist.pop_back();
  }

  ScoreProgram &program = builder.program;
  ScoreProgram::Frame frame(program, 1);
  for (const ScoreProgram::Instruction &instruction : program.uniformCode)
    program.execute(instruction, Precision::Single, frame, 1);
  const ProgramBuilder::Slot &slot = *builder.lookup(value);
  return slot.type.isFloat()
             ? ScalarValue::getFloat(*frame.getFloats(slot.index))
             : ScalarValue::getInt(*frame.getInts(slot.index));
}
