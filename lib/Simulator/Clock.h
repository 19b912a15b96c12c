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
/// last that is known to be over. A second one says up to where what happened
/// is visible to the async proxy, through which wgmma and TMA access shared
/// memory.
class Clock {
public:
  uint32_t at(unsigned actor) const { return at(ticks, actor); }
  uint32_t getFenced(unsigned actor) const { return at(fenced, actor); }
  /// A proxy fence: all that is known to be over becomes visible.
  void fence() { fenced = ticks; }
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
    join(ticks, other.ticks);
    join(fenced, other.fenced);
  }

private:
  using Ticks = llvm::SmallVector<uint32_t, 32>;

  static uint32_t at(const Ticks &ticks, unsigned actor) {
    return actor < ticks.size() ? ticks[actor] : 0;
  }
  static void join(Ticks &ticks, const Ticks &other) {
    if (other.size() > ticks.size())
      ticks.resize(other.size());
    for (size_t i = 0; i < other.size(); ++i)
      ticks[i] = std::max(ticks[i], other[i]);
  }

  Ticks ticks, fenced;
};

/// Who accesses shared memory, at its own time in a clock.
struct Accessor {
  unsigned actor;
  const Clock &clock;
  /// Whether by the async proxy.
  bool isAsync = false;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_CLOCK_H
