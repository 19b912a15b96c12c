//===- ScoreInstructions.h - Instructions of a score program ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the translation of score regions and their execution agree on.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_SCOREINSTRUCTIONS_H
#define ATTN_LIB_ORACLE_SCOREINSTRUCTIONS_H

#include "attn/Oracle/ScoreEvaluator.h"

#include <memory>

namespace mlir::attn {

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
  // Of a captured array.
  ReadF,
  ReadI,
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

/// Outcomes of a comparison, as bits.
enum Outcome : uint8_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

/// The values of one piece of a row.
class ScoreProgram::Frame {
public:
  Frame(const ScoreProgram &program, int64_t count, bool hasTangents = false)
      : count(count), floats(new double[program.numFloats * count]),
        tangents(hasTangents ? new double[program.numFloats * count] : nullptr),
        ints(new int64_t[program.numInts * count]) {}

  double *getFloats(unsigned slot) { return &floats[slot * count]; }
  /// Derivatives of floats with respect to the program's variable.
  double *getTangents(unsigned slot) { return &tangents[slot * count]; }
  int64_t *getInts(unsigned slot) { return &ints[slot * count]; }

private:
  int64_t count;
  // Not a vector, which would clear the memory.
  std::unique_ptr<double[]> floats, tangents;
  std::unique_ptr<int64_t[]> ints;
};

inline int64_t signExtend(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// The value of a float of `type` that is nearest to `value`.
double roundToType(ScoreProgram::ScalarType type, double value);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_SCOREINSTRUCTIONS_H
