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

/// A vector clock: for each actor of a CTA (a warp or an asynchronous engine),
/// the time up to which its actions are known to be over. `fenced` has the
/// times up to which they are also visible to the async proxy, through which
/// wgmma and TMA access shared memory.
class Clock {
public:
  uint32_t at(unsigned actor) const { return at(ticks, actor); }
  uint32_t getFenced(unsigned actor) const { return at(fenced, actor); }
  /// Models a proxy fence: makes all actions that the clock knows to be over
  /// visible to the async proxy.
  void fence() { fenced = ticks; }
  /// Advances the time of `actor`, whose clock this is, by 1, and returns the
  /// new time.
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

/// Who accesses shared memory, and when: `actor` is a warp or an asynchronous
/// engine, and the time of the access is the one that `clock` has for it.
struct Accessor {
  unsigned actor;
  const Clock &clock;
  /// Whether the access is through the async proxy, as those of wgmma and TMA
  /// are.
  bool isAsync = false;
};

/// A CTA's shared memory. For each 8 bytes, it remembers the last write and the
/// reads since that write, in order to find races.
class SharedMemory {
public:
  /// The size in bytes of the units whose last accesses are recorded. Two warps
  /// may write adjacent 8 bytes at the same time (8 columns of a tile of 8
  /// bits), so larger units would report races that are none.
  static constexpr int64_t kGranule = 8;

  /// The rule that an access to shared memory breaks. The access is not ordered
  /// after an earlier one, or it is by the async proxy although no proxy fence
  /// came after a write by threads, or it reads bytes that nobody has written.
  struct Conflict {
    /// The op of the earlier access with which this one conflicts; null if the
    /// bytes are read and nobody has written them.
    Operation *before = nullptr;
    int64_t offset = 0;
    bool isBeforeWrite = false, lacksFence = false;
  };

  explicit SharedMemory(int64_t bytes)
      : bytes(bytes), cells((bytes + kGranule - 1) / kGranule) {}

  int64_t getSize() const { return bytes.size(); }
  char *at(int64_t offset) { return bytes.data() + offset; }

  /// Record that `by` reads or writes the bytes from `offset` to below `offset`
  /// + `size` in `op`. Return the rule that the access breaks, or nothing if it
  /// breaks none.
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
    /// Whether an agent with vector clock `clock` knows that the async proxy
    /// sees this access: the access was made through the async proxy, or a
    /// proxy fence came after it.
    bool isVisible(const Clock &clock) const {
      return isAsync || clock.getFenced(actor) >= time;
    }
  };
  struct Cell {
    /// The last write to the 8 bytes of the cell; its `op` is null if nobody
    /// has written them.
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
