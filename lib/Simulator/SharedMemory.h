//===- SharedMemory.h - A CTA's shared memory -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_SHAREDMEMORY_H
#define ATTN_LIB_SIMULATOR_SHAREDMEMORY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::attn::sim {

/// A vector clock: for each actor of a CTA the time up to which its actions are
/// known to be over. `fenced` holds the times up to which they are also visible
/// to the async proxy, through which wgmma and TMA access shared memory.
class Clock {
public:
  uint32_t at(unsigned actor) const { return at(ticks, actor); }
  uint32_t getFenced(unsigned actor) const { return at(fenced, actor); }
  /// Models a proxy fence: all actions that are known to be over become visible
  /// to the async proxy.
  void fence() { fenced = ticks; }
  /// Advances the time of the clock's own actor, and returns it.
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

/// Who accesses shared memory, and when: the access happens at the time that
/// `clock` has for `actor`.
struct Accessor {
  unsigned actor;
  const Clock &clock;
  /// Whether it accesses by the async proxy.
  bool isAsync = false;
};

/// A CTA's shared memory, with the last write to each 8 bytes and the reads
/// since that write.
class SharedMemory {
public:
  /// The fewest bytes that a warp writes beside those of another: 8 columns of
  /// a tile of 8 bits.
  static constexpr int64_t kGranule = 8;

  /// A rule that an access breaks: it is not ordered after an earlier access;
  /// or it is by the async proxy, and no fence came after a write by threads;
  /// or it reads bytes that nobody has written.
  struct Conflict {
    /// The earlier access; null if nobody has written the bytes.
    Operation *before = nullptr;
    int64_t offset = 0;
    bool isBeforeWrite = false, lacksFence = false;
  };

  explicit SharedMemory(int64_t bytes)
      : bytes(bytes), cells((bytes + kGranule - 1) / kGranule) {}

  int64_t getSize() const { return bytes.size(); }
  char *at(int64_t offset) { return bytes.data() + offset; }

  /// Record an access to the bytes [offset, offset + size), and return the rule
  /// that it breaks, if any.
  std::optional<Conflict> read(int64_t offset, int64_t size, const Accessor &by,
                               Operation *op);
  std::optional<Conflict> write(int64_t offset, int64_t size,
                                const Accessor &by, Operation *op);

private:
  struct Cell;
  struct Access {
    unsigned actor = 0;
    uint32_t time = 0;
    Operation *op = nullptr;
    bool isAsync = false;

    bool isBefore(const Clock &clock) const { return clock.at(actor) >= time; }
    /// Whether the async proxy sees the access.
    bool isVisible(const Clock &clock) const {
      return isAsync || clock.getFenced(actor) >= time;
    }
  };
  struct Cell {
    /// The last write; its op is null if nobody has written.
    Access writer;
    llvm::SmallVector<Access, 2> readers;
  };

  static std::optional<Conflict> checkWriter(const Cell &cell,
                                             const Accessor &by);

  std::vector<char> bytes;
  std::vector<Cell> cells;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SHAREDMEMORY_H
