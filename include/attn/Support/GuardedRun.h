//===- GuardedRun.h - Cases that may end the process ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random cases run in child processes, many in each, so that one that crashes
// or hangs is reported with its number and the rest go on. Nothing of LLVM's is
// used: a program on the C interface has this, too.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_GUARDEDRUN_H
#define ATTN_SUPPORT_GUARDEDRUN_H

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace mlir::attn {

/// What became of a case, as the caller numbers it.
inline constexpr unsigned kNumOutcomes = 8;

struct GuardedCases {
  uint64_t first = 0, count = 0;
  /// Runs a case in a child process; returns its outcome.
  std::function<unsigned(uint64_t number)> run;
  /// Told in this process of a case that did not come back, and how: "signal 11
  /// (Segmentation fault)", "exit status 1", "no end within 20 seconds of
  /// work".
  std::function<void(uint64_t number, const std::string &how)> onDeath;

  /// After as many cases a new child takes over.
  uint64_t batch = 200;
  /// What one case may take, of the CPU's time; ten times as much may pass.
  unsigned secondsPerCase = 20;
  uint64_t bytesOfMemory = uint64_t(4) << 30;
  /// No case begins later; 0 is for no limit.
  double seconds = 0;
};

struct GuardedTotals {
  uint64_t numRun = 0, numDied = 0;
  std::array<uint64_t, kNumOutcomes> outcomes = {};
  double seconds = 0;
};

/// Runs the cases, one at a time. The process must have one thread.
GuardedTotals runGuarded(const GuardedCases &cases);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_GUARDEDRUN_H
