//===- GuardedRun.h - Cases that may end the process ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs random cases in child processes, many cases in each, so that a case that
// crashes or hangs is reported with its number and the others still run. It
// uses nothing of LLVM, so that programs on the C interface can use it, too.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_GUARDEDRUN_H
#define ATTN_SUPPORT_GUARDEDRUN_H

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace mlir::attn {

/// The number of different outcomes of a case. An outcome is a number below
/// this; the caller defines what it means.
inline constexpr unsigned kNumOutcomes = 8;

struct GuardedCases {
  uint64_t first = 0, count = 0;
  /// Runs the case with the given number and returns its outcome. It is called
  /// in a child process.
  std::function<unsigned(uint64_t number)> run;
  /// Called in the parent process for a case that did not return. `how` is the
  /// reason: "signal 11 (Segmentation fault)", "exit status 1", or "no end
  /// within 20 seconds of work".
  std::function<void(uint64_t number, const std::string &how)> onDeath;

  /// The number of cases that each child process runs.
  uint64_t batch = 200;
  /// Limits for a single case: its CPU time in seconds, and its memory in
  /// bytes. The limit of its wall-clock time is ten times that of its CPU time.
  unsigned secondsPerCase = 20;
  uint64_t bytesOfMemory = uint64_t(4) << 30;
  /// The number of seconds of wall-clock time, from the call of runGuarded()
  /// on, after which no further case is begun, or 0 for no limit.
  double seconds = 0;
};

struct GuardedTotals {
  uint64_t numRun = 0, numDied = 0;
  std::array<uint64_t, kNumOutcomes> outcomes = {};
  double seconds = 0;
};

/// Runs the cases one after the other in forked child processes, at most
/// `batch` cases in each. If a case ends its child process or exceeds a limit,
/// `onDeath` is called for it, and a new child process continues with the next
/// case. The process must be single-threaded, since it forks.
GuardedTotals runGuarded(const GuardedCases &cases);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_GUARDEDRUN_H
