//===- ScoreEvaluator.h - Evaluation of score regions -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates scalar ops of arith and math by their definitions. It shares no
// code with the compiler, so that the two do not have the same mistakes.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_SCOREEVALUATOR_H
#define ATTN_ORACLE_SCOREEVALUATOR_H

#include "attn/Support/ArrayView.h"

#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::attn {

/// The precision of an evaluation.
enum class Precision {
  /// fp64, except that values which have the type f16 or bf16 in the region are
  /// rounded to it.
  Double,
  /// f32 throughout.
  Single,
  /// f32, with probabilities and results rounded to the narrow types of the
  /// operands. For a score region this is the same as Single.
  Low
};

/// A scalar value. Integers of any width are sign-extended to 64 bits, so a
/// true i1 is -1. In a value that a caller passes in, bits above the width are
/// ignored.
struct ScalarValue {
  double f = 0;
  int64_t i = 0;
  bool isFloat = false;

  static ScalarValue getFloat(double value) { return {value, 0, true}; }
  static ScalarValue getInt(int64_t value) { return {0, value, false}; }
};

/// The value of a capture: a number, or an array that the region reads.
struct CapturedValue {
  CapturedValue(ScalarValue scalar) : scalar(scalar) {}
  CapturedValue(ArrayView array) : array(std::move(array)) {}

  std::optional<ArrayView> array;
  ScalarValue scalar;
};

/// A score or mask region, translated to a list of instructions.
class ScoreProgram {
public:
  /// Translates `region`, whose arguments are the score, b, h, i, j and one for
  /// each of `captures`, which are rounded to their types. An unknown op is an
  /// error at that op. Derivatives are with respect to argument `variable`, the
  /// score or a captured float; if that is a captured array, they are with
  /// respect to the result of the region's read number `read` of that array.
  static FailureOr<ScoreProgram> compile(Region &region,
                                         ArrayRef<CapturedValue> captures,
                                         unsigned variable = 0,
                                         unsigned read = 0);

  /// Returns how many ops of the region read the array that is argument
  /// `argument`.
  static unsigned countReads(Region &region, unsigned argument);

  /// Translates a mask region, which has no score argument and yields an i1.
  static FailureOr<ScoreProgram> compileMask(Region &region,
                                             ArrayRef<CapturedValue> captures);

  /// Replaces the scores of the keys `j0`, `j0 + 1`, ... by the values that the
  /// region yields for them. May be called from several threads.
  ///
  /// If `derivatives` is not empty, sets it to the derivatives of these values
  /// with respect to the variable, by dual numbers. At a kink, the derivative
  /// is that of the branch taken; a maximum or minimum of equal operands has
  /// half the sum of their derivatives, and |x| has 0 at 0. Rounding to another
  /// type keeps the derivative. If the variable is a read, `elements` are set
  /// to the row-major indices of the elements read, or to -1 for an empty
  /// array.
  void evaluateRow(Precision precision, int64_t b, int64_t h, int64_t i,
                   int64_t j0, MutableArrayRef<double> scores,
                   MutableArrayRef<double> derivatives = {},
                   MutableArrayRef<int64_t> elements = {}) const;

  /// For the program of a mask region: sets the scores of those keys `j0`, `j0
  /// + 1`, ... to -inf for which the region yields false, and leaves the
  /// others.
  void maskRow(int64_t b, int64_t h, int64_t i, int64_t j0,
               MutableArrayRef<double> scores) const {
    evaluateRow(Precision::Double, b, h, i, j0, scores);
  }

  /// The types of scalars that the evaluator supports. Integers have at most 64
  /// bits; `index` has 64.
  struct ScalarType {
    enum Kind : uint8_t { F16, BF16, F32, F64, Int } kind = Int;
    uint8_t width = 64;
    bool isFloat() const { return kind != Int; }
  };

private:
  friend class ScoreProgramBuilder;
  friend FailureOr<ScalarValue>
      evaluateScalar(Value,
                     llvm::function_ref<std::optional<ScalarValue>(Value)>);

  enum class Opcode : uint8_t;
  class Frame;

  /// One op of the region. Operands and results are numbers of slots, which
  /// hold values. Slots of floats and of integers are numbered separately; the
  /// opcode and the types tell which is meant.
  struct Instruction {
    Opcode opcode;
    ScalarType operandType;
    ScalarType resultType;
    /// The outcomes (less, equal, greater, unordered) for which a comparison is
    /// true, as a bit mask.
    uint8_t outcomes = 0;
    /// The operands that contribute to the derivative, as a bit mask.
    uint8_t tangentOperands = 0;
    unsigned operands[3] = {0, 0, 0};
    unsigned result = 0;
    ScalarValue constant;
  };

  /// A read of an array, with the slots that hold its indices.
  struct Read {
    ArrayView array;
    std::vector<unsigned> indices;
  };

  static FailureOr<ScoreProgram> compile(Region &region, bool isMask,
                                         ArrayRef<CapturedValue> captures,
                                         unsigned variable, unsigned read);
  void findElements(Frame &frame, MutableArrayRef<int64_t> elements) const;
  void executeRead(const Instruction &instruction, Frame &frame,
                   int64_t count) const;
  template <typename T>
  void executeFloat(const Instruction &instruction, Frame &frame,
                    int64_t count) const;
  void executeInt(const Instruction &instruction, Frame &frame,
                  int64_t count) const;
  void execute(const Instruction &instruction, Precision precision,
               Frame &frame, int64_t count) const;
  template <typename T>
  void differentiate(const Instruction &instruction, Frame &frame,
                     int64_t count) const;
  void propagate(const Instruction &instruction, Precision precision,
                 Frame &frame, int64_t count) const;

  /// The instructions that depend on neither the score nor j, which are
  /// evaluated once for each row, and all others, which are evaluated for each
  /// key.
  std::vector<Instruction> uniformCode, varyingCode;
  /// The slots of values from `uniformCode` that `varyingCode` or the result
  /// reads. evaluateRow() copies each of these values to all keys.
  std::vector<unsigned> broadcastFloats, broadcastInts;
  /// The numbers of slots. The slot of the score is the first of the floats;
  /// those of b, h, i and j are the first of the integers.
  unsigned numFloats = 1;
  unsigned numInts = 4;
  unsigned result = 0;
  /// The reads of arrays; the first operand of an instruction that reads is an
  /// index in this list.
  std::vector<Read> reads;
  /// The slot of the value with respect to which derivatives are.
  unsigned variable = 0;
  /// If derivatives are with respect to a read, its index in `reads`.
  unsigned variableRead = 0;
  /// Whether the result has a derivative with respect to the variable that is
  /// not always zero.
  bool hasTangent = false;
  bool isMask = false;
};

/// Evaluates a scalar outside of score regions: a capture, an origin or a
/// length of an attention op. `lookup` returns the values that are known; all
/// others must be computed from these by scalar ops of arith and math. Values
/// are rounded to their types, as in the program itself.
FailureOr<ScalarValue>
evaluateScalar(Value value,
               llvm::function_ref<std::optional<ScalarValue>(Value)> lookup);

} // namespace mlir::attn

#endif // ATTN_ORACLE_SCOREEVALUATOR_H
