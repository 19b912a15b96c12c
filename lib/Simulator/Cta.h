//===- Cta.h - What the agents of a CTA share -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_CTA_H
#define ATTN_LIB_SIMULATOR_CTA_H

#include "Barriers.h"
#include "SharedMemory.h"
#include "Simulation.h"

#include <array>
#include <deque>
#include <map>

namespace mlir::attn::sim {

inline constexpr int64_t kWarpsPerGroup = 4;

/// A ring's place, and what is known of its slots besides their barriers: which
/// tile is there, and who has released it.
struct Ring {
  struct Slot {
    enum class State { Free, Filling, Full };
    State state = State::Free;
    uint32_t number = 0;
    Operation *fill = nullptr;
    /// By warp: the last acquired tile's number, and who released the one that
    /// is there, of which `released` counts arrivals.
    std::vector<std::optional<uint32_t>> acquired;
    std::vector<Operation *> releasedBy;
    int64_t released = 0;
    /// Warps that have put their elements there, or threads that have copied.
    int64_t written = 0;
  };

  attn_gpu::RingType type;
  /// Of a ring whose tiles have no numbers yet: all that were copied to it. It
  /// has as many slots as it takes.
  std::vector<std::shared_ptr<const std::vector<float>>> queue;
  bool isQueue = false;
  int64_t offset = 0, slotBytes = 0, readers = 0;
  /// None of a ring whose warps wait for each other.
  std::optional<int64_t> barriers;
  /// Warps that put a tile there, or threads that copy it.
  int64_t writers = 1;
  /// Whether who acquires a tile makes the fence before reads of wgmma.
  bool isUnfenced = false;
  std::vector<Slot> slots;

  int64_t getFull(int64_t slot) const { return *barriers + 8 * slot; }
  int64_t getFree(int64_t slot) const {
    return *barriers + 8 * (type.getStages() + slot);
  }
};

/// The slots through which warps learn tile numbers.
struct TileBroadcast {
  struct Slot {
    std::optional<uint32_t> index;
    int32_t tile = 0;
    int64_t read = 0;
  };
  int64_t readers = 0;
  std::array<Slot, 2> slots;
};

/// An MMA of a warpgroup, which begins when its four warps have issued it.
struct Mma {
  Operation *op = nullptr;
  uint64_t number = 0;
  struct Part {
    bool isIssued = false;
    Tile lhs, accumulator, result;
  };
  std::array<Part, kWarpsPerGroup> parts;
  SharedTile sharedLhs, rhs;
  int64_t numIssued = 0;
  bool isDone = false;
  /// What is before its end.
  Clock clock;
};

/// What a warp has asked cp.async to copy, and a warpgroup's thread the tensor
/// memory accelerator to store.
struct Transfer {
  Operation *op = nullptr;
  Clock clock;
  bool isRead = false, isDone = false, isWaitedFor = false;
};

/// Elements that warps bring together where the program does not say how yet.
struct Exchange {
  std::vector<float> elements;
  int64_t numArrived = 0;
};

struct Cta {
  Cta(Simulation &simulation, int64_t number, int64_t count, int64_t warps,
      int64_t bytes)
      : simulation(simulation), number(number), count(count), warps(warps),
        memory(bytes), numActors(warps), mmas((warps + 3) / 4) {}

  /// A number in clocks for an engine that begins when `clock` is, and its next
  /// time there. It is that of one whose work is over by then, or a new one.
  unsigned takeEngine(Clock &clock) {
    auto isOver = [&](const auto &engine) {
      return clock.at(engine.first) >= engine.second;
    };
    auto engine = llvm::find_if(engines, isOver);
    if (engine == engines.end())
      engine = engines.insert(engine, {numActors++, 0});
    clock.set(engine->first, ++engine->second);
    return engine->first;
  }

  Simulation &simulation;
  /// Of the launch's CTAs, and how many there are.
  int64_t number, count;
  int64_t warps;
  /// Whether all passes have run on the program.
  bool isComplete = true;
  /// Warps that have not ended.
  int64_t numRunning = 0;
  SharedMemory memory;
  std::map<int64_t, MemoryBarrier> barriers;
  std::map<int64_t, std::unique_ptr<Ring>> rings;
  std::map<int64_t, TileBroadcast> broadcasts;
  std::array<NamedBarrier, 16> named;
  unsigned numActors;
  /// By the address of counters: the tiles that the CTA has taken.
  std::map<int64_t, std::vector<int64_t>> tiles;
  std::map<std::pair<Operation *, int64_t>, std::shared_ptr<Exchange>>
      exchanges;
  /// Of each warpgroup, in the order in which they end.
  std::vector<std::vector<std::shared_ptr<Mma>>> mmas;

private:
  /// Numbers of engines, and how often each was taken.
  std::vector<std::pair<unsigned, uint32_t>> engines;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_CTA_H
