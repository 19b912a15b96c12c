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

/// The outcome of a case is a number below this; the caller defines its
/// meaning.
inline constexpr unsigned kNumOutcomes = 8;

struct GuardedCases {
  uint64_t first = 0, count = 0;
  /// Runs a case in a child process and returns its outcome.
  std::function<unsigned(uint64_t number)> run;
  /// Called in the parent process for a case that did not return, with the
  /// reason: "signal 11 (Segmentation fault)", "exit status 1", or "no end
  /// within 20 seconds of work".
  std::function<void(uint64_t number, const std::string &how)> onDeath;

  /// The number of cases that each child process runs.
  uint64_t batch = 200;
  /// The limits of one case: CPU time in seconds, and memory in bytes. The
  /// limit of wall-clock time is ten times that of CPU time.
  unsigned secondsPerCase = 20;
  uint64_t bytesOfMemory = uint64_t(4) << 30;
  /// The number of seconds after which no further case begins; 0 for no limit.
  double seconds = 0;
};

struct GuardedTotals {
  uint64_t numRun = 0, numDied = 0;
  std::array<uint64_t, kNumOutcomes> outcomes = {};
  double seconds = 0;
};

/// Runs the cases one after the other in forked child processes, up to `batch`
/// cases in each. If a case ends its child or exceeds a limit, it is reported
/// to `onDeath`, and a new child continues with the next case. Since it forks,
/// the process must be single-threaded.
GuardedTotals runGuarded(const GuardedCases &cases);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_GUARDEDRUN_H
