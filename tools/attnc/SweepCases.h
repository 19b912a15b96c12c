//===- SweepCases.h - Random attention problems ------------------*- C++ -*===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPCASES_H
#define ATTN_TOOLS_ATTNC_SWEEPCASES_H

#include "attn/Driver/Execution.h"
#include "attn/Driver/Generate.h"
#include "attn/Support/Dice.h"

namespace attnc {

using mlir::attn::Dice;

/// A drawn problem.
struct SweepCase {
  mlir::attn::GenerateOptions generate;
  mlir::attn::ExecutionOptions execute;
  std::string scoreName = "none";
  /// Of a mask region, or empty.
  std::string maskName;
  /// Batch entries or packed sequences, and the keys that one has room for.
  int64_t entries = 1, keys = 0;
  /// Lengths and pages may be out of their range.
  bool hasWrongNumbers = false;
};

enum class SweepKind {
  Plain,
  /// Also mask regions, captured arrays, sinks and dropout.
  Variants,
  /// Those with lengths, packed sequences and pages.
  Serving
};

/// Draws the static sizes of a problem, and which sequences it has.
using SizesOf = void (*)(Dice &dice, mlir::attn::GenerateOptions &generate);
void drawPlainSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

/// The problem of that number, which hangs on nothing else than the seed.
SweepCase drawCase(uint64_t seed, uint64_t number,
                   SizesOf drawSizes = drawPlainSizes);

void drawMask(Dice &dice, mlir::attn::GenerateOptions &generate);

/// In one line, without its end.
void printCase(const SweepCase &drawn, llvm::raw_ostream &os);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPCASES_H
