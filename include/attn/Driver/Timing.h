//===- Timing.h - How long runs take ----------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_TIMING_H
#define ATTN_DRIVER_TIMING_H

#include "attn/Driver/Runner.h"

namespace mlir::attn {

struct Timing {
  /// The median time in seconds.
  double median = 0;
  /// The interquartile range as a fraction of the median.
  double spread = 0;
  unsigned numRuns = 0;
};

/// Summarises the times of at least one run.
Timing summarize(SmallVector<double> seconds);

/// Returns the seconds of each of `count` runs.
llvm::Expected<SmallVector<double>> timeRuns(Runner &runner, unsigned count);

/// Runs for `duration` seconds without a pause. Returns the seconds per run in
/// the second half of that time, when clock frequencies have settled.
llvm::Expected<SmallVector<double>> timeSustained(Runner &runner,
                                                  double duration);

} // namespace mlir::attn

#endif // ATTN_DRIVER_TIMING_H
