//===- Barriers.h - Barriers of the hardware --------------------*- C++ -*-===//
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

/// An mbarrier: arrivals and bytes that its phase lacks, and the phase as the
/// hardware has it, one bit.
class MemoryBarrier {
public:
  /// Of so many arrivals, prepared by a warp.
  MemoryBarrier(int64_t count, unsigned warp)
      : count(count), pending(count), warp(warp) {}

  /// What a warp has prepared is visible to copies after a fence of its own.
  void fence(unsigned ofWarp, uint32_t time) {
    if (ofWarp == warp && !fenceTime)
      fenceTime = time;
  }
  bool isFenced(const Clock &clock) const {
    return fenceTime && clock.at(warp) >= *fenceTime;
  }

  /// Counts arrivals. False if the phase lacks fewer.
  bool arrive(const Clock &clock, int64_t arrivals = 1) {
    gathered.join(clock);
    pending -= arrivals;
    if (pending < 0)
      return false;
    completeIfDone();
    return true;
  }
  /// The phase also waits for so many bytes, which come before or after.
  void expectBytes(int64_t expected) { bytes += expected; }
  void completeBytes(const Clock &clock, int64_t arrived) {
    gathered.join(clock);
    bytes -= arrived;
    completeIfDone();
  }

  /// Whether the phase of that parity has completed, as try_wait.parity says.
  bool isComplete(bool ofParity) const { return parity != ofParity; }
  /// What is before the end of the phase that completed last.
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
    /// Who has arrived, and whether to wait.
    llvm::SmallVector<std::pair<int64_t, bool>> warps;
    /// What is before the end of the phase.
    Clock clock;
    bool isOver = false;
  };
  /// The one that is under way, if any warp has arrived.
  std::shared_ptr<Phase> phase;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_BARRIERS_H
