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
};

/// The problem of that number, which hangs on nothing else than the seed.
SweepCase drawCase(uint64_t seed, uint64_t number);

void drawMask(Dice &dice, mlir::attn::GenerateOptions &generate);

/// In one line, without its end.
void printCase(const SweepCase &drawn, llvm::raw_ostream &os);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPCASES_H
