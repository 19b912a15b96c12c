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

/// The precision in which the oracle evaluates attention or a score region.
enum class Precision {
  /// fp64. In a score region, values of type f16 or bf16 are rounded to that
  /// type.
  Double,
  /// f32 throughout.
  Single,
  /// f32, with probabilities and results rounded to the narrow types of the
  /// operands. In a score region it is the same as Single.
  Low
};

/// A scalar value. Integers of any width are sign-extended to 64 bits, so that
/// a true i1 is -1. If a caller passes an integer, bits above its width are
/// ignored.
struct ScalarValue {
  double f = 0;
  int64_t i = 0;
  bool isFloat = false;

  static ScalarValue getFloat(double value) { return {value, 0, true}; }
  static ScalarValue getInt(int64_t value) { return {0, value, false}; }
};

/// The value of a capture, which is a number or an array that the region reads.
struct CapturedValue {
  CapturedValue(ScalarValue scalar) : scalar(scalar) {}
  CapturedValue(ArrayView array) : array(std::move(array)) {}

  std::optional<ArrayView> array;
  ScalarValue scalar;
};

/// A score region or a mask region, translated to a list of instructions.
class ScoreProgram {
public:
  /// Translates a score region. The arguments of `region` are the score, b, h,
  /// i, j and one for each of `captures`, which are rounded to their types. An
  /// op that is not known is an error at that op.
  ///
  /// Derivatives are with respect to the argument with number `variable`, which
  /// is the score or a captured float. If that argument is a captured array,
  /// they are with respect to the result of one of the region's reads of the
  /// array, the one with number `read`.
  static FailureOr<ScoreProgram> compile(Region &region,
                                         ArrayRef<CapturedValue> captures,
                                         unsigned variable = 0,
                                         unsigned read = 0);

  /// Returns the number of ops in the region that read the array which is the
  /// argument with number `argument`.
  static unsigned countReads(Region &region, unsigned argument);

  /// Translates a mask region, which does not have the score as an argument,
  /// and yields an i1.
  static FailureOr<ScoreProgram> compileMask(Region &region,
                                             ArrayRef<CapturedValue> captures);

  /// Replaces the scores of the keys `j0`, `j0 + 1`, ... of row `i` by the
  /// values that the region yields for them. May be called from several threads
  /// at once.
  ///
  /// If `derivatives` is not empty, it is set to the derivatives of these
  /// values with respect to the variable, by dual numbers. At a kink, the
  /// derivative is that of the branch that is taken. A maximum or minimum of
  /// equal operands has half the sum of their derivatives, and |x| has 0 at 0.
  /// Rounding to another type keeps the derivative. If the variable is a read,
  /// `elements` is set to the row-major indices of the elements that are read,
  /// or to -1 for an empty array.
  void evaluateRow(Precision precision, int64_t b, int64_t h, int64_t i,
                   int64_t j0, MutableArrayRef<double> scores,
                   MutableArrayRef<double> derivatives = {},
                   MutableArrayRef<int64_t> elements = {}) const;

  /// Applies the program of a mask region to the scores of the keys `j0`, `j0 +
  /// 1`, ... of row `i`. Scores for which the region yields false are set to
  /// -inf; the others are not changed.
  void maskRow(int64_t b, int64_t h, int64_t i, int64_t j0,
               MutableArrayRef<double> scores) const {
    evaluateRow(Precision::Double, b, h, i, j0, scores);
  }

  /// A type of scalars that the evaluator supports. Integers have at most 64
  /// bits, and an `index` has 64.
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

  /// The translation of one op of the region. Its operands and results are
  /// numbers of slots, which hold values. Slots of floats and slots of integers
  /// are numbered separately; the opcode and the types tell which kind a number
  /// means.
  struct Instruction {
    Opcode opcode;
    ScalarType operandType;
    ScalarType resultType;
    /// The outcomes for which a comparison is true, as a bit mask: bits 0 to 3
    /// are less, equal, greater and unordered.
    uint8_t outcomes = 0;
    /// The operands that contribute to the derivative of the result, as a bit
    /// mask: bit n is for operand n.
    uint8_t tangentOperands = 0;
    unsigned operands[3] = {0, 0, 0};
    unsigned result = 0;
    ScalarValue constant;
  };

  /// A read of an array. `indices` are the slots that hold its indices.
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

  /// `uniformCode` has the instructions that depend on neither the score nor j.
  /// They are evaluated once for each row. `varyingCode` has all other
  /// instructions, which are evaluated for each key.
  std::vector<Instruction> uniformCode, varyingCode;
  /// The slots of those values from `uniformCode` that `varyingCode` reads or
  /// that are the result. evaluateRow() copies each of these values to all
  /// keys.
  std::vector<unsigned> broadcastFloats, broadcastInts;
  /// The number of slots for floats, and the number of slots for integers. The
  /// score is in the first slot of floats, and b, h, i and j are in the first
  /// slots of integers.
  unsigned numFloats = 1;
  unsigned numInts = 4;
  unsigned result = 0;
  /// The reads of arrays. The first operand of an instruction that reads an
  /// array is an index in this list.
  std::vector<Read> reads;
  /// The slot of the variable, with respect to which derivatives are computed.
  unsigned variable = 0;
  /// The index in `reads` of the variable, if derivatives are with respect to a
  /// read.
  unsigned variableRead = 0;
  /// Whether the derivative of the result with respect to the variable may be
  /// other than zero.
  bool hasTangent = false;
  bool isMask = false;
};

/// Evaluates a scalar that is outside of score regions: a capture, an origin or
/// a length of an attention op. `lookup` returns values that are known. All
/// other values must be computed from known ones by scalar ops of arith and
/// math. Values are rounded to their types, as in the program itself.
FailureOr<ScalarValue>
evaluateScalar(Value value,
               llvm::function_ref<std::optional<ScalarValue>(Value)> lookup);

} // namespace mlir::attn

#endif // ATTN_ORACLE_SCOREEVALUATOR_H
