//===- Barriers.h - mbarriers and named barriers ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_BARRIERS_H
#define ATTN_LIB_SIMULATOR_BARRIERS_H

#include "SharedMemory.h"

#include <memory>
#include <optional>

namespace mlir::attn::sim {

/// An mbarrier: the numbers of arrivals and bytes that its present phase still
/// lacks, and the parity of that phase.
class MemoryBarrier {
public:
  /// Creates a barrier of `count` arrivals that warp `warp` has initialised.
  MemoryBarrier(int64_t count, unsigned warp)
      : count(count), pending(count), warp(warp) {}

  /// Records the time of the first fence by the warp that initialised the
  /// barrier; fences of other warps and later fences have no effect. Copies
  /// that are ordered after that fence may use the barrier.
  void fence(unsigned ofWarp, uint32_t time) {
    if (ofWarp == warp && !fenceTime)
      fenceTime = time;
  }
  bool isFenced(const Clock &clock) const {
    return fenceTime && clock.at(warp) >= *fenceTime;
  }

  /// Joins `clock` to the clock of the present phase, and counts `arrivals`
  /// arrivals. Returns false if the phase lacked fewer; else returns true,
  /// after ending the phase if it now lacks neither arrivals nor bytes.
  bool arrive(const Clock &clock, int64_t arrivals = 1) {
    gathered.join(clock);
    pending -= arrivals;
    if (pending < 0)
      return false;
    completeIfDone();
    return true;
  }
  /// Adds `expected` to the number of bytes that the phase lacks before it can
  /// end. The bytes may arrive before or after this call.
  void expectBytes(int64_t expected) { bytes += expected; }
  void completeBytes(const Clock &clock, int64_t arrived) {
    gathered.join(clock);
    bytes -= arrived;
    completeIfDone();
  }

  /// Returns whether the phase of parity `ofParity` has ended, as
  /// try_wait.parity does: true if the present phase has the other parity.
  bool isComplete(bool ofParity) const { return parity != ofParity; }
  /// The clock of all actions that came before the end of the last phase that
  /// has ended.
  const Clock &getClock() const { return completed; }

  int64_t getCount() const { return count; }
  int64_t getPending() const { return pending; }
  int64_t getBytes() const { return bytes; }
  bool getParity() const { return parity; }

private:
  void completeIfDone() {
    if (pending != 0 || bytes != 0)
      return;
    parity = !parity;
    pending = count;
    completed = gathered;
  }

  int64_t count, pending, bytes = 0;
  unsigned warp;
  std::optional<uint32_t> fenceTime;
  bool parity = false;
  Clock gathered, completed;
};

/// One of a CTA's 16 named barriers.
struct NamedBarrier {
  struct Phase {
    int64_t threads = 0, arrived = 0;
    /// The warps that have arrived in the phase, and for each whether it waits.
    llvm::SmallVector<std::pair<int64_t, bool>> warps;
    /// The clock of all actions that came before the end of the phase.
    Clock clock;
    bool isOver = false;
  };
  /// The present phase of the named barrier; null if no warp has arrived in it.
  std::shared_ptr<Phase> phase;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_BARRIERS_H
