//===- Timing.h - Measurement of run times ----------------------*- C++ -*-===//
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
  /// The spread of the times: their interquartile range as a fraction of their
  /// median.
  double spread = 0;
  unsigned numRuns = 0;
};

/// Returns the median and the spread of the times of one or more runs, in
/// seconds.
Timing summarize(SmallVector<double> seconds);

/// Runs the entry `count` times. Returns the time of each run in seconds.
llvm::Expected<SmallVector<double>> timeRuns(Runner &runner, unsigned count);

/// Runs the entry without a pause for `duration` seconds, which are divided
/// into windows of several runs. Returns the mean time of a run in seconds for
/// each window in the second half of the duration, when clock frequencies have
/// settled.
llvm::Expected<SmallVector<double>> timeSustained(Runner &runner,
                                                  double duration);

} // namespace mlir::attn

#endif // ATTN_DRIVER_TIMING_H
