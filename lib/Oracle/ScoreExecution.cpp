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
// Execution
//===----------------------------------------------------------------------===//

/// Executes an instruction with a float result for each key of a piece, in the
/// arithmetic of `T`.
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

#define ATTN_UNARY(dialect, op, value, ...)                                    \
  case Opcode::op:                                                             \
    return apply1([](T a) { return value; });
#define ATTN_BINARY(dialect, op, value)                                        \
  case Opcode::op:                                                             \
    return apply2([](T a, T b) { return value; });
#define ATTN_TERNARY(dialect, op, value)                                       \
  case Opcode::op:                                                             \
    return apply3([](T a, T b, T c) { return value; });

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
  case Opcode::FPowI: {
    const double *a = frame.getFloats(instruction.operands[0]);
    const int64_t *b = frame.getInts(instruction.operands[1]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = static_cast<T>(std::pow(a[k], static_cast<double>(b[k])));
    return;
  }
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

/// Executes an instruction of a score or mask program, one with an integer
/// result, for each of `count` adjacent keys.
void ScoreProgram::executeInt(const Instruction &instruction, Frame &frame,
                              int64_t count) const {
  int64_t *out = frame.getInts(instruction.result);
  unsigned width = instruction.operandType.width;
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
  case Opcode::CmpF: {
    const double *a = frame.getFloats(instruction.operands[0]);
    const double *b = frame.getFloats(instruction.operands[1]);
    for (int64_t k = 0; k < count; ++k)
      out[k] = select(compareNumbers(a[k], b[k]));
    break;
  }
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
