//===- ScoreProgramBuilder.h - Ops to instructions --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_SCOREPROGRAMBUILDER_H
#define ATTN_LIB_ORACLE_SCOREPROGRAMBUILDER_H

#include "ScoreInstructions.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::attn {

/// Returns the slot type for values of the MLIR type `type`, or nothing if the
/// oracle cannot evaluate values of that type.
std::optional<ScoreProgram::ScalarType> getScalarType(Type type);

/// Begins an error that says that the oracle cannot evaluate `op`, to which the
/// caller may add a reason.
InFlightDiagnostic emitCannotEvaluate(Operation &op);

/// Builds a ScoreProgram, a list of instructions, from ops and constants, which
/// are added in the order of execution.
class ScoreProgramBuilder {
public:
  using Opcode = ScoreProgram::Opcode;
  using Instruction = ScoreProgram::Instruction;
  using ScalarType = ScoreProgram::ScalarType;

  struct Slot {
    unsigned index;
    ScalarType type;
    bool isVarying;
    /// Whether the derivative of the slot's value with respect to the program's
    /// variable may differ from zero.
    bool hasTangent;
  };

  /// Binds `value`, an argument of the region, to the slot number `index`.
  void bindSlot(Value value, unsigned index, ScalarType type, bool isVarying,
                bool hasTangent = false) {
    slots[value] = {index, type, isVarying, hasTangent};
  }
  /// Binds `value` to a slot with the constant `scalar`, which is rounded to
  /// the value's type. With `isVariable`, derivatives are taken with respect to
  /// this constant.
  LogicalResult bindConstant(Value value, ScalarValue scalar,
                             bool isVariable = false);
  /// Binds `value`, an argument of the region, to an array that the region's
  /// ops attn.read read.
  void bindArray(Value value, const ArrayView &array) {
    arrays[value] = &array;
  }
  /// Appends the instructions of `op` to the program. All operands of the op
  /// must be bound, and its results are bound by this function.
  LogicalResult translate(Operation &op);
  /// Makes the value of `slot` available to instructions that run for each key,
  /// if it is the same for all keys of a row and has been computed only once.
  void broadcast(const Slot &slot);

  const Slot *lookup(Value value) const {
    auto it = slots.find(value);
    return it == slots.end() ? nullptr : &it->second;
  }

  ScoreProgram program;
  /// If derivatives are taken with respect to what one attn.read op reads, that
  /// op; else null.
  Operation *variableRead = nullptr;

private:
  LogicalResult translateRead(Operation &op);
  /// Appends `instruction` to the program, with a new slot for its result, to
  /// which `value` is bound.
  void append(Instruction instruction, Value value, bool isVarying);

  DenseMap<Value, Slot> slots;
  DenseMap<Value, const ArrayView *> arrays;
  DenseSet<std::pair<unsigned, unsigned>> broadcasts;
};

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_SCOREPROGRAMBUILDER_H
