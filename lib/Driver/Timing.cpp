//===- Timing.cpp - How long runs take ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Timing.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Between the two numbers that are nearest to the part `q` of a sorted list.
static double getQuantile(ArrayRef<double> sorted, double q) {
  double position = q * (sorted.size() - 1);
  size_t below = position, above = std::ceil(position);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

Timing mlir::attn::summarize(SmallVector<double> seconds) {
  llvm::sort(seconds);
  Timing timing;
  timing.median = getQuantile(seconds, 0.5);
  timing.numRuns = seconds.size();
  if (timing.median > 0)
    timing.spread = (getQuantile(seconds, 0.75) - getQuantile(seconds, 0.25)) /
                    timing.median;
  return timing;
}

llvm::Expected<SmallVector<double>> mlir::attn::timeRuns(Runner &runner,
                                                         unsigned count) {
  SmallVector<double> times;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Expected<double> seconds = runner.run();
    if (!seconds)
      return seconds.takeError();
    times.push_back(*seconds);
  }
  return times;
}

llvm::Expected<SmallVector<double>> mlir::attn::timeSustained(Runner &runner,
                                                              double duration) {
  // Long enough for the wait at the end of each not to matter.
  constexpr double kWindow = 0.02;
  constexpr unsigned kMostRuns = 10000;
  unsigned count = 1;
  double total = 0;
  SmallVector<double> times;
  while (total < duration) {
    llvm::Expected<double> seconds = runner.runBackToBack(count);
    if (!seconds)
      return seconds.takeError();
    double each = *seconds / count;
    // A clock that stands still must end, too.
    total += std::max(*seconds, kWindow / kMostRuns);
    if (total > duration / 2)
      times.push_back(each);
    count =
        each * kMostRuns < kWindow ? kMostRuns : std::max(1.0, kWindow / each);
  }
  return times;
}
