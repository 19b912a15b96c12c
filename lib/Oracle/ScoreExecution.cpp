//===- ScoreExecution.cpp - Execution of score programs -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreInstructions.h"

#include "attn/Support/ArrayView.h"

using namespace mlir;
using namespace mlir::attn;

using ScalarType = ScoreProgram::ScalarType;

/// The number of keys that are evaluated at a time. A row is divided into
/// pieces of this many keys, so that the values of a piece stay in the CPU's
/// cache.
static constexpr int64_t kPieceSize = 256;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Returns the element type of arrays that is a scalar's type, or nothing for
/// f64 and integers.
static std::optional<DType> getFloatDType(ScalarType type) {
  switch (type.kind) {
  case ScalarType::F16:
    return DType::F16;
  case ScalarType::BF16:
    return DType::BF16;
  case ScalarType::F32:
    return DType::F32;
  default:
    return std::nullopt;
  }
}

double mlir::attn::roundToType(ScalarType type, double value) {
  std::optional<DType> dtype = getFloatDType(type);
  return dtype ? roundTo(*dtype, value) : value;
}

static uint64_t floatToBits(ScalarType type, double value) {
  std::optional<DType> dtype = getFloatDType(type);
  if (!dtype)
    return llvm::bit_cast<uint64_t>(value);
  uint64_t bits = 0;
  storeElement(&bits, *dtype, 0, value);
  return bits;
}

static double floatFromBits(ScalarType type, uint64_t bits) {
  std::optional<DType> dtype = getFloatDType(type);
  return dtype ? loadElement(&bits, *dtype, 0) : llvm::bit_cast<double>(bits);
}

static double getSmallestNormal(ScalarType type) {
  return type.kind == ScalarType::F16   ? 0x1p-14
         : type.kind == ScalarType::F64 ? 0x1p-1022
                                        : 0x1p-126;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Sets each of `count` elements of `out` to `function` of the elements of the
/// operands, a tuple of arrays, with the same index.
template <typename Out, typename Operands, typename Function>
static void map(Out *out, int64_t count, Operands operands, Function function) {
  std::apply(
      [&](const auto *...operand) {
        for (int64_t k = 0; k < count; ++k)
          out[k] = function(operand[k]...);
      },
      operands);
}

/// Executes an instruction with a float result for each key of a piece, in the
/// arithmetic of `T`.
template <typename T>
void ScoreProgram::executeFloat(const Instruction &instruction, Frame &frame,
                                int64_t count) const {
  double *out = frame.getFloats(instruction.result);
  auto floats = [&](unsigned n) -> const double * {
    return frame.getFloats(instruction.operands[n]);
  };
  auto ints = [&](unsigned n) -> const int64_t * {
    return frame.getInts(instruction.operands[n]);
  };
  using S = int64_t;
#define ATTN_UNARY(dialect, op, value, ...)                                    \
  case Opcode::op:                                                             \
    return map(out, count, std::tuple(floats(0)), [](T a) { return value; });
#define ATTN_BINARY(dialect, op, value)                                        \
  case Opcode::op:                                                             \
    return map(out, count, std::tuple(floats(0), floats(1)),                   \
               [](T a, T b) { return value; });
#define ATTN_TERNARY(dialect, op, value)                                       \
  case Opcode::op:                                                             \
    return map(out, count, std::tuple(floats(0), floats(1), floats(2)),        \
               [](T a, T b, T c) { return value; });
  switch (instruction.opcode) {
    ATTN_UNARY_FLOAT_OPS(ATTN_UNARY)
    ATTN_STEP_OPS(ATTN_UNARY)
    ATTN_BINARY_FLOAT_OPS(ATTN_BINARY)
    ATTN_TERNARY_FLOAT_OPS(ATTN_TERNARY)
#undef ATTN_UNARY
#undef ATTN_BINARY
#undef ATTN_TERNARY
  case Opcode::ConstF:
    std::fill_n(out, count, instruction.constant.f);
    return;
  case Opcode::FPowI:
    return map(out, count, std::tuple(floats(0), ints(1)), [](double a, S b) {
      return static_cast<T>(std::pow(a, double(b)));
    });
  case Opcode::SelectF:
    return map(out, count, std::tuple(ints(0), floats(1), floats(2)),
               [](S c, double a, double b) { return c ? a : b; });
  case Opcode::ConvertF:
    std::copy_n(floats(0), count, out);
    return;
  case Opcode::SIToFP:
    return map(out, count, std::tuple(ints(0)),
               [](S a) { return static_cast<T>(a); });
  case Opcode::UIToFP:
    return map(out, count, std::tuple(ints(0)), [&](S a) {
      return static_cast<T>(zeroExtend(a, instruction.operandType.width));
    });
  case Opcode::BitsToF:
    return map(out, count, std::tuple(ints(0)),
               [&](S a) { return floatFromBits(instruction.resultType, a); });
  default:
    llvm_unreachable("not an instruction that yields a float");
  }
}

/// Executes an instruction of a score or mask program, one with an integer
/// result, for each of `count` adjacent keys.
void ScoreProgram::executeInt(const Instruction &instruction, Frame &frame,
                              int64_t count) const {
  int64_t *out = frame.getInts(instruction.result);
  unsigned width = instruction.operandType.width;
  auto floats = [&](unsigned n) -> const double * {
    return frame.getFloats(instruction.operands[n]);
  };
  auto ints = [&](unsigned n) -> const int64_t * {
    return frame.getInts(instruction.operands[n]);
  };
  auto convert = [&](auto function) {
    map(out, count, std::tuple(floats(0)), function);
  };
  auto signed1 = [&](auto function) {
    map(out, count, std::tuple(ints(0)), function);
  };
  auto unsigned1 = [&](auto function) {
    signed1([&](int64_t a) { return function(zeroExtend(a, width)); });
  };
  auto signed2 = [&](auto function) {
    map(out, count, std::tuple(ints(0), ints(1)), function);
  };
  auto unsigned2 = [&](auto function) {
    signed2([&](int64_t a, int64_t b) {
      return function(zeroExtend(a, width), zeroExtend(b, width));
    });
  };
  auto select = [&](uint8_t outcome) {
    return (instruction.outcomes & outcome) ? -1 : 0;
  };
  using U = uint64_t;
  using S = int64_t;
  double smallest = getSmallestNormal(instruction.operandType);

#define ATTN_APPLY(op, apply, value, ...)                                      \
  case Opcode::op:                                                             \
    apply([&](__VA_ARGS__) { return value; });                                 \
    break;
#define ATTN_TEST(dialect, op, value)                                          \
  ATTN_APPLY(op, convert, (value) ? -1 : 0, double a)
#define ATTN_SIGNED1(dialect, op, value) ATTN_APPLY(op, signed1, value, S a)
#define ATTN_UNSIGNED1(dialect, op, value) ATTN_APPLY(op, unsigned1, value, U a)
#define ATTN_SIGNED2(dialect, op, value)                                       \
  ATTN_APPLY(op, signed2, value, S a, S b)
#define ATTN_UNSIGNED2(dialect, op, value)                                     \
  ATTN_APPLY(op, unsigned2, value, U a, U b)

  switch (instruction.opcode) {
    ATTN_FLOAT_TESTS(ATTN_TEST)
    ATTN_UNARY_SIGNED_OPS(ATTN_SIGNED1)
    ATTN_UNARY_UNSIGNED_OPS(ATTN_UNSIGNED1)
    ATTN_BINARY_SIGNED_OPS(ATTN_SIGNED2)
    ATTN_BINARY_UNSIGNED_OPS(ATTN_UNSIGNED2)
#undef ATTN_APPLY
#undef ATTN_TEST
#undef ATTN_SIGNED1
#undef ATTN_UNSIGNED1
#undef ATTN_SIGNED2
#undef ATTN_UNSIGNED2
  case Opcode::ConstI:
    std::fill_n(out, count, instruction.constant.i);
    break;
  case Opcode::CmpF:
    map(out, count, std::tuple(floats(0), floats(1)),
        [&](double a, double b) { return select(compareNumbers(a, b)); });
    break;
  case Opcode::CmpSI:
    signed2([&](S a, S b) { return select(compareNumbers(a, b)); });
    break;
  case Opcode::CmpUI:
    unsigned2([&](U a, U b) { return select(compareNumbers(a, b)); });
    break;
  case Opcode::FPToSI:
  case Opcode::FPToUI:
    convert([&](double a) {
      return toInteger(a, instruction.resultType.width,
                       instruction.opcode == Opcode::FPToSI);
    });
    break;
  case Opcode::FToBits:
    convert([&](double a) {
      return static_cast<S>(floatToBits(instruction.operandType, a));
    });
    break;
  case Opcode::SelectI:
    map(out, count, std::tuple(ints(0), ints(1), ints(2)),
        [](S c, S a, S b) { return c ? a : b; });
    break;
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
    signed2(
        [&](S a, S b) { return multiplyHigh(a, b, width, /*isSigned=*/true); });
    break;
  case Opcode::MulUIHigh:
    signed2([&](S a, S b) {
      return multiplyHigh(a, b, width, /*isSigned=*/false);
    });
    break;
  default:
    llvm_unreachable("not an instruction that yields an integer");
  }

  if (instruction.resultType.width < 64)
    for (int64_t k = 0; k < count; ++k)
      out[k] = signExtend(out[k], instruction.resultType.width);
}

/// Executes a read of a captured array for each key of a piece. Indices out of
/// bounds are clamped, and an empty array reads as zero.
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

  // Conversions of integers to f16 or bf16 are computed in double, since a
  // conversion to float first would round twice. Other instructions are
  // computed in float unless the precision is Double or the result is f64.
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

/// Sets `elements`, for each key of a piece, to the number (in row-major order)
/// of the element that one read of an array has read: the read that is the
/// variable of the derivative. The number is -1 if the array is empty.
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
