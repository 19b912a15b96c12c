//===- ScoreEvaluator.h - Evaluation of score regions -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates scalar ops of arith and math by their definitions. It shares no
// code with the compiler, so that the two do not share mistakes.
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

/// The arithmetic of an evaluation.
enum class Precision {
  /// fp64 throughout. Only values whose type is f16 or bf16 are rounded, since
  /// that rounding is what the program asks for.
  Double,
  /// f32 throughout.
  Single,
  /// f32, with probabilities and results in the narrow types of the
  /// operands. To a score region this is the same as Single.
  Low
};

/// The value of a scalar. Integers of any width are sign-extended to 64 bits,
/// so that a true i1 reads -1; where one is passed in, any bits above its width
/// are ignored.
struct ScalarValue {
  double f = 0;
  int64_t i = 0;
  bool isFloat = false;

  static ScalarValue getFloat(double value) { return {value, 0, true}; }
  static ScalarValue getInt(int64_t value) { return {0, value, false}; }
};

/// What a region captures: a number, or an array that it reads.
struct CapturedValue {
  CapturedValue(ScalarValue scalar) : scalar(scalar) {}
  CapturedValue(ArrayView array) : array(std::move(array)) {}

  std::optional<ArrayView> array;
  ScalarValue scalar;
};

/// A score or mask region, translated once into a list of instructions.
class ScoreProgram {
public:
  /// Translates `region`, whose arguments are the score, b, h, i, j and then
  /// one for each of `captures`. The captures are rounded to their types. An op
  /// that is not known is an error at that op. Derivatives are with respect to
  /// argument `variable`: the score, a capture that is a float or, of one that
  /// is an array, what the region's read `read` of it finds.
  static FailureOr<ScoreProgram> compile(Region &region,
                                         ArrayRef<CapturedValue> captures,
                                         unsigned variable = 0,
                                         unsigned read = 0);

  /// How often the region reads an array that is its argument.
  static unsigned countReads(Region &region, unsigned argument);

  /// The same of a mask region, which takes no score and yields an i1.
  static FailureOr<ScoreProgram> compileMask(Region &region,
                                             ArrayRef<CapturedValue> captures);

  /// Replaces the scores of the keys `j0`, `j0 + 1`, ... by the values that the
  /// region yields for them. May be called from several threads.
  ///
  /// Also sets `derivatives`, if there are any, to those of the yielded values
  /// with respect to the variable, by dual numbers: where functions have kinks,
  /// the branch that was taken; half of each operand's at a maximum or minimum
  /// of equal ones; 0 for |0|. What is rounded to another type passes its
  /// derivative on. Where the variable is a read, `elements` are what is read,
  /// counted in row-major order; -1 is nothing.
  void evaluateRow(Precision precision, int64_t b, int64_t h, int64_t i,
                   int64_t j0, MutableArrayRef<double> scores,
                   MutableArrayRef<double> derivatives = {},
                   MutableArrayRef<int64_t> elements = {}) const;

  /// Of a mask region: sets the scores of pairs that do not count to -inf.
  void maskRow(int64_t b, int64_t h, int64_t i, int64_t j0,
               MutableArrayRef<double> scores) const {
    evaluateRow(Precision::Double, b, h, i, j0, scores);
  }

  /// The scalar types that the evaluator knows. Integers are at most 64 bits
  /// wide, `index` is 64.
  struct ScalarType {
    enum Kind : uint8_t { F16, BF16, F32, F64, Int } kind = Int;
    uint8_t width = 64;
    bool isFloat() const { return kind != Int; }
  };

private:
  friend class ProgramBuilder;
  friend FailureOr<ScalarValue>
      evaluateScalar(Value,
                     llvm::function_ref<std::optional<ScalarValue>(Value)>);

  enum class Opcode : uint8_t;
  class Frame;

  /// Operands and results are slots. There is one numbering for floats and one
  /// for integers; the opcode and the types tell which is meant.
  struct Instruction {
    Opcode opcode;
    ScalarType operandType;
    ScalarType resultType;
    /// The outcomes for which a comparison is true.
    uint8_t outcomes = 0;
    /// The operands whose tangents count, as bits.
    uint8_t tangentOperands = 0;
    unsigned operands[3] = {0, 0, 0};
    unsigned result = 0;
    ScalarValue constant;
  };

  /// An array that is read, and the slots of the indices.
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

  /// Instructions that depend on neither score nor j, evaluated once a row, and
  /// all others, evaluated for each key.
  std::vector<Instruction> uniformCode, varyingCode;
  /// Slots of uniform values that varying instructions read.
  std::vector<unsigned> broadcastFloats, broadcastInts;
  /// The slots of the score and of b, h, i, j are the first of their numbering.
  unsigned numFloats = 1;
  unsigned numInts = 4;
  unsigned result = 0;
  /// By the first operand of the instruction.
  std::vector<Read> reads;
  /// The slot that derivatives are with respect to.
  unsigned variable = 0;
  /// The read that the variable is, if it is one.
  unsigned variableRead = 0;
  /// Whether the result depends on the variable, other than by steps.
  bool hasTangent = false;
  bool isMask = false;
};

/// Evaluates a scalar outside of any score region: a capture, an origin or a
/// length of an attention op. `lookup` answers for the values that are known
/// from outside; all else must follow from them by scalar ops of arith and
/// math. Values are rounded to their types, as they are in the program itself.
FailureOr<ScalarValue>
evaluateScalar(Value value,
               llvm::function_ref<std::optional<ScalarValue>(Value)> lookup);

} // namespace mlir::attn

#endif // ATTN_ORACLE_SCOREEVALUATOR_H
