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

/// State of an mbarrier: how many arrivals and bytes its present phase still
/// lacks, and the parity of that phase.
class MemoryBarrier {
public:
  /// Creates an mbarrier that warp `warp` has initialised and whose phases each
  /// expect `count` arrivals.
  MemoryBarrier(int64_t count, unsigned warp)
      : count(count), pending(count), warp(warp) {}

  /// Records at which time of its clock the warp that initialised the mbarrier
  /// first executed `fence.mbarrier.init`. Fences of other warps and later
  /// fences have no effect. TMA copies that are ordered after the recorded
  /// fence may use the mbarrier.
  void fence(unsigned ofWarp, uint32_t time) {
    if (ofWarp == warp && !fenceTime)
      fenceTime = time;
  }
  bool isFenced(const Clock &clock) const {
    return fenceTime && clock.at(warp) >= *fenceTime;
  }

  /// Counts `arrivals` arrivals of an agent with vector clock `clock` in the
  /// present phase, and joins `clock` to the phase's clock. Returns false if
  /// the phase lacked fewer arrivals. Otherwise ends the phase if it now lacks
  /// neither arrivals nor bytes, and returns true.
  bool arrive(const Clock &clock, int64_t arrivals = 1) {
    gathered.join(clock);
    pending -= arrivals;
    if (pending < 0)
      return false;
    completeIfDone();
    return true;
  }
  /// Adds `expected` to the number of bytes that must arrive before the present
  /// phase of the mbarrier can end (expect_tx). The bytes may arrive before or
  /// after this call.
  void expectBytes(int64_t expected) { bytes += expected; }
  void completeBytes(const Clock &clock, int64_t arrived) {
    gathered.join(clock);
    bytes -= arrived;
    completeIfDone();
  }

  /// Whether the phase of parity `ofParity` has ended, as
  /// mbarrier.try_wait.parity answers it: true if the present phase of the
  /// mbarrier has the other parity.
  bool isComplete(bool ofParity) const { return parity != ofParity; }
  /// Returns the vector clock of the last phase of the mbarrier that has ended:
  /// it covers all actions before the arrivals in that phase.
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

/// The state of one of a CTA's 16 named barriers (bar.sync).
struct NamedBarrier {
  struct Phase {
    int64_t threads = 0, arrived = 0;
    /// The warps that have arrived in this phase of the named barrier, each
    /// with whether it waits there.
    llvm::SmallVector<std::pair<int64_t, bool>> warps;
    /// The vector clock of the named barrier's phase: it covers all actions
    /// before the arrivals in the phase.
    Clock clock;
    bool isOver = false;
  };
  /// The present phase of the named barrier; null if no warp has arrived in it.
  std::shared_ptr<Phase> phase;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_BARRIERS_H
