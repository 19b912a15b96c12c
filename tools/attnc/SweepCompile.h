//===- SweepCompile.h - Random compilations ----------------------*- C++ -*===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPCOMPILE_H
#define ATTN_TOOLS_ATTNC_SWEEPCOMPILE_H

#include <cstdint>
#include <string>

namespace attnc {

struct CompileSweepOptions {
  uint64_t seed = 1, first = 0, count = 10;
  /// The chip to compile for, or an empty string to draw one for each problem.
  std::string chip;
  bool verbose = false;
  /// Whether problems have lengths, packed sequences or pages.
  bool serving = false;
};

/// Compiles random problems with random schedules. Returns the exit status of
/// the process.
int runCompileSweep(const CompileSweepOptions &options);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPCOMPILE_H
