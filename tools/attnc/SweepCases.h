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

/// A random problem of a sweep.
struct SweepCase {
  mlir::attn::GenerateOptions generate;
  mlir::attn::ExecutionOptions execute;
  std::string scoreName = "none";
  /// The name of the case's mask region; empty if it has none.
  std::string maskName;
  /// The number of batch entries or packed sequences, and the largest number of
  /// keys that one of them can have.
  int64_t entries = 1, keys = 0;
  /// Whether lengths and pages may be out of range.
  bool hasWrongNumbers = false;
};

enum class SweepKind {
  Plain,
  /// Problems of the kind Plain, and others with mask regions, captured arrays,
  /// sinks and dropout.
  Variants,
  /// Problems of the kind Variants that also have lengths, packed sequences or
  /// pages.
  Serving
};

/// A function that draws the static sizes of a problem, and whether it has
/// lengths, packed sequences or pages.
using SizesOf = void (*)(Dice &dice, mlir::attn::GenerateOptions &generate);
void drawPlainSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

/// Draws strides for arrays of the given sizes, whose dimensions have the given
/// order in memory. Random gaps follow rows, heads and batch entries, so the
/// strides mostly have no common divisor.
llvm::SmallVector<int64_t> drawStrides(Dice &dice,
                                       llvm::ArrayRef<int64_t> order,
                                       llvm::ArrayRef<int64_t> sizes);

/// Draws the problem with this number. It depends only on `seed`, `number` and
/// `drawSizes`.
SweepCase drawCase(uint64_t seed, uint64_t number,
                   SizesOf drawSizes = drawPlainSizes);

void drawMask(Dice &dice, mlir::attn::GenerateOptions &generate);

/// Prints the problem in one line, without a newline.
void printCase(const SweepCase &drawn, llvm::raw_ostream &os);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPCASES_H
