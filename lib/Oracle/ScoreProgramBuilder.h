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

/// Returns the type of a value's slot, or nothing for a type that the oracle
/// cannot evaluate.
std::optional<ScoreProgram::ScalarType> getScalarType(Type type);

/// Begins an error at an op that has no instruction.
InFlightDiagnostic emitCannotEvaluate(Operation &op);

/// Builds a program of instructions from ops and constants, one after the
/// other.
class ScoreProgramBuilder {
public:
  using Opcode = ScoreProgram::Opcode;
  using Instruction = ScoreProgram::Instruction;
  using ScalarType = ScoreProgram::ScalarType;

  struct Slot {
    unsigned index;
    ScalarType type;
    bool isVarying;
    /// Whether the slot's value has a derivative with respect to the variable
    /// that is not always zero.
    bool hasTangent;
  };

  /// Binds `value` to the slot of an argument.
  void bindSlot(Value value, unsigned index, ScalarType type, bool isVarying,
                bool hasTangent = false) {
    slots[value] = {index, type, isVarying, hasTangent};
  }
  /// Binds `value` to a constant, which is rounded to its type.
  LogicalResult bindConstant(Value value, ScalarValue scalar,
                             bool isVariable = false);
  /// Binds `value` to an array that the region reads.
  void bindArray(Value value, const ArrayView &array) {
    arrays[value] = &array;
  }
  /// Translates an op to instructions. All of its operands must be bound.
  LogicalResult translate(Operation &op);
  /// Makes a value that is the same for all keys available to instructions that
  /// run for each key.
  void broadcast(const Slot &slot);

  const Slot *lookup(Value value) const {
    auto it = slots.find(value);
    return it == slots.end() ? nullptr : &it->second;
  }

  ScoreProgram program;
  /// The attn.read op with respect to whose result derivatives are taken, if
  /// the variable is a read.
  Operation *variableRead = nullptr;

private:
  LogicalResult translateRead(Operation &op);
  /// Appends `instruction`, whose result is `value`.
  void append(Instruction instruction, Value value, bool isVarying);

  DenseMap<Value, Slot> slots;
  DenseMap<Value, const ArrayView *> arrays;
  DenseSet<std::pair<unsigned, unsigned>> broadcasts;
};

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_SCOREPROGRAMBUILDER_H
