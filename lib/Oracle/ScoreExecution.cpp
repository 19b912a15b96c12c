//===- ScoreExecution.cpp - Execution of score programs -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreInstructions.h"

#include "attn/Support/ArrayView.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

using ScalarType = ScoreProgram::ScalarType;

/// Values are evaluated in pieces of this many keys, which stay in the cache.
static constexpr int64_t kPieceSize = 256;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static uint64_t zeroExtend(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

double mlir::attn::roundToType(ScalarType type, double value) {
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

// A quotient or remainder by 0 is 0, and what overflows wraps. Where the
// program has poison (shifts by too much, conversions out of range), any value
// will do.

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

/// Elements of an array, those nearest to indices that are out of bounds.
void ScoreProgram::executeRead(const Instruction &instruction, Frame &frame,
                               int64_t count) const {
  const Read &read = reads[instruction.operands[0]];
  bool isEmpty = llvm::is_contained(read.array.sizes, 0);
  for (int64_t k = 0; k < count; ++k) {
    llvm::SmallVector<int64_t> place;
    for (auto [slot, size] : llvm::zip(read.indices, read.array.sizes)) {
      int64_t index = frame.getInts(slot)[k];
      place.push_back(index < 0 ? 0 : index >= size ? size - 1 : index);
    }
    double element = isEmpty ? 0 : read.array.load(place);
    if (instruction.resultType.isFloat())
      frame.getFloats(instruction.result)[k] = element;
    else
      frame.getInts(instruction.result)[k] = signExtend(
          static_cast<int64_t>(element), instruction.resultType.width);
  }
}

void ScoreProgram::execute(const Instruction &instruction, Precision precision,
                           Frame &frame, int64_t count) const {
  if (instruction.opcode == Opcode::ReadF ||
      instruction.opcode == Opcode::ReadI)
    return executeRead(instruction, frame, count);
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

void ScoreProgram::evaluate(Precision precision, int64_t b, int64_t h,
                            int64_t i, int64_t j0,
                            MutableArrayRef<double> scores,
                            MutableArrayRef<double> derivatives,
                            MutableArrayRef<int64_t> elements) const {
  int64_t size = scores.size();
  if (size == 0)
    return;
  bool isDual = !derivatives.empty();
  int64_t pieceSize = std::min(size, kPieceSize);
  Frame frame(*this, pieceSize, isDual);
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
    if (isDual)
      std::fill_n(frame.getTangents(variable), count, 1);
    for (const Instruction &instruction : varyingCode) {
      execute(instruction, precision, frame, count);
      if (isDual && instruction.tangentOperands)
        propagate(instruction, precision, frame, count);
    }
    if (!elements.empty())
      findElements(frame, elements.slice(begin, count));
    if (isMask) {
      const int64_t *isKept = frame.getInts(result);
      for (int64_t k = 0; k < count; ++k)
        if (!isKept[k])
          scores[begin + k] = -std::numeric_limits<double>::infinity();
      continue;
    }
    std::copy_n(frame.getFloats(result), count, scores.begin() + begin);
    if (isDual && hasTangent)
      std::copy_n(frame.getTangents(result), count,
                  derivatives.begin() + begin);
    else if (isDual)
      std::fill_n(derivatives.begin() + begin, count, 0);
  }
}

void ScoreProgram::evaluateRow(Precision precision, int64_t b, int64_t h,
                               int64_t i, int64_t j0,
                               MutableArrayRef<double> scores) const {
  evaluate(precision, b, h, i, j0, scores, {});
}

void ScoreProgram::evaluateRowWithDerivative(
    Precision precision, int64_t b, int64_t h, int64_t i, int64_t j0,
    MutableArrayRef<double> scores, MutableArrayRef<double> derivatives) const {
  evaluate(precision, b, h, i, j0, scores, derivatives);
}

void ScoreProgram::evaluateRead(Precision precision, int64_t b, int64_t h,
                                int64_t i, int64_t j0,
                                MutableArrayRef<double> scores,
                                MutableArrayRef<double> derivatives,
                                MutableArrayRef<int64_t> elements) const {
  evaluate(precision, b, h, i, j0, scores, derivatives, elements);
}

/// Those that the variable's read finds.
void ScoreProgram::findElements(Frame &frame,
                                MutableArrayRef<int64_t> elements) const {
  const Read &read = reads[variableRead];
  bool isEmpty = llvm::is_contained(read.array.sizes, 0);
  for (auto [k, element] : llvm::enumerate(elements)) {
    element = isEmpty ? -1 : 0;
    for (auto [slot, size] : llvm::zip(read.indices, read.array.sizes))
      if (!isEmpty)
        element = element * size +
                  std::clamp<int64_t>(frame.getInts(slot)[k], 0, size - 1);
  }
}

void ScoreProgram::maskRow(int64_t b, int64_t h, int64_t i, int64_t j0,
                           MutableArrayRef<double> scores) const {
  evaluate(Precision::Double, b, h, i, j0, scores, {});
}
