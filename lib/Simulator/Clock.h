//===- Clock.h - What happens before what -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_CLOCK_H
#define ATTN_LIB_SIMULATOR_CLOCK_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::attn::sim {

/// A vector clock: how far each actor of a CTA had come when something happened
/// last that is known to be over.
class Clock {
public:
  uint32_t at(unsigned actor) const {
    return actor < ticks.size() ? ticks[actor] : 0;
  }
  /// The actor's next time.
  uint32_t tick(unsigned actor) {
    if (actor >= ticks.size())
      ticks.resize(actor + 1);
    return ++ticks[actor];
  }
  void set(unsigned actor, uint32_t time) {
    if (actor >= ticks.size())
      ticks.resize(actor + 1);
    ticks[actor] = std::max(ticks[actor], time);
  }
  void join(const Clock &other) {
    if (other.ticks.size() > ticks.size())
      ticks.resize(other.ticks.size());
    for (size_t i = 0; i < other.ticks.size(); ++i)
      ticks[i] = std::max(ticks[i], other.ticks[i]);
  }

private:
  llvm::SmallVector<uint32_t, 32> ticks;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_CLOCK_H
