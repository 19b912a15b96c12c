//===- ScoreInstructions.h - Instructions of a score program ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions into which score regions are translated, and which are then
// executed for rows.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_SCOREINSTRUCTIONS_H
#define ATTN_LIB_ORACLE_SCOREINSTRUCTIONS_H

#include "ScalarOps.h"

#include "attn/Oracle/ScoreEvaluator.h"

#include <memory>

namespace mlir::attn {

#define ATTN_OPCODE(dialect, op, ...) op,
enum class ScoreProgram::Opcode : uint8_t {
  Unknown,
  ATTN_SCALAR_OPS(ATTN_OPCODE)
  // The following instructions have a float result. Conversions are exact
  // before the result is rounded to its type.
  ConstF,
  FPowI,
  SelectF,
  ConvertF,
  SIToFP,
  UIToFP,
  BitsToF,
  // The following two instructions read an element of a captured array, a float
  // or an integer.
  ReadF,
  ReadI,
  // The following instructions have an integer result.
  ConstI,
  CmpF,
  CmpSI,
  CmpUI,
  SelectI,
  FPToSI,
  FPToUI,
  FToBits,
  ConvertSI,
  ConvertUI,
  AddCarry,
  MulSIHigh,
  MulUIHigh
};
#undef ATTN_OPCODE

/// The values of all slots (virtual registers) of a program for one piece of a
/// row. Each slot has an element for each key of the piece.
class ScoreProgram::Frame {
public:
  Frame(const ScoreProgram &program, int64_t count, bool hasTangents = false)
      : count(count), floats(new double[program.numFloats * count]),
        tangents(hasTangents ? new double[program.numFloats * count] : nullptr),
        ints(new int64_t[program.numInts * count]) {}

  double *getFloats(unsigned slot) { return &floats[slot * count]; }
  /// Returns the derivatives of the values in a float slot with respect to the
  /// program's variable, one for each key of the piece.
  double *getTangents(unsigned slot) { return &tangents[slot * count]; }
  int64_t *getInts(unsigned slot) { return &ints[slot * count]; }

private:
  int64_t count;
  // The values are in plain arrays rather than vectors, since a std::vector
  // would set the memory to zero.
  std::unique_ptr<double[]> floats, tangents;
  std::unique_ptr<int64_t[]> ints;
};

/// Returns the number of type `type` that is nearest to `value`.
double roundToType(ScoreProgram::ScalarType type, double value);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_SCOREINSTRUCTIONS_H
