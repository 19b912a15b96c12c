//===- Cta.h - State that the agents of a CTA share -------------*- C++ -*-===//
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

/// A ring's offsets in shared memory, and the state of its slots that mbarriers
/// do not hold: which tile each slot has, and which warps have released it.
struct Ring {
  struct Slot {
    enum class State { Free, Filling, Full };
    State state = State::Free;
    uint32_t number = 0;
    Operation *fill = nullptr;
    /// For each warp: the number of the tile that it acquired last, and the op
    /// by which it released the slot's present tile. `released` is the number
    /// of arrivals of these releases.
    std::vector<std::optional<uint32_t>> acquired;
    std::vector<Operation *> releasedBy;
    int64_t released = 0;
    /// The number of arrivals of writers at the slot's full barrier for its
    /// present tile: one for each warp that puts its elements, or for each
    /// thread that copies.
    int64_t written = 0;
  };

  attn_gpu::RingType type;
  /// Used, with `isQueue` true, for programs in which passes have not numbered
  /// slots yet: `queue[n]` has the elements of the ring's tile n. Tiles are
  /// appended without limit and never removed.
  std::vector<std::shared_ptr<const std::vector<float>>> queue;
  bool isQueue = false;
  int64_t offset = 0, slotBytes = 0, readers = 0;
  /// The offset of the slots' barriers. If the ring has no barriers, the CTA's
  /// barrier orders its fills and reads.
  std::optional<int64_t> barriers;
  /// The number of arrivals by which a slot becomes full: the warps that put a
  /// tile, or the threads that copy it.
  int64_t writers = 1;
  /// Whether threads copy tiles to the ring without a proxy fence. Each warp
  /// that acquires a tile then executes the fence, after which wgmma may read
  /// the tile.
  bool isUnfenced = false;
  std::vector<Slot> slots;

  int64_t getFull(int64_t slot) const { return *barriers + 8 * slot; }
  int64_t getFree(int64_t slot) const {
    return *barriers + 8 * (type.getStages() + slot);
  }
};

/// The slots of attn_gpu.publish_tile, by which one thread sends tile numbers
/// to the CTA's other warps. `index` counts the tile numbers that were
/// published, `tile` is the one in the slot, and `read` counts the threads that
/// have read it.
struct TileBroadcast {
  struct Slot {
    std::optional<uint32_t> index;
    int32_t tile = 0;
    int64_t read = 0;
  };
  int64_t readers = 0;
  std::array<Slot, 2> slots;
};

/// A wgmma. It begins when all four warps of the warpgroup have issued it.
struct Mma {
  Operation *op = nullptr;
  uint64_t number = 0;
  struct Part {
    bool isIssued = false;
    Tile lhs, accumulator, result;
  };
  std::array<Part, kWarpsPerGroup> parts;
  SharedTile sharedLhs, rhs;
  /// The MMA whose result is this one's accumulator, if the warps have not
  /// waited for it; else null, and `parts` have the accumulator.
  std::shared_ptr<Mma> accumulator;
  int64_t numIssued = 0;
  bool isDone = false;
  /// The clock at its end.
  Clock clock;
};

/// An asynchronous copy: a cp.async of a warp, or a TMA store by the first
/// thread of a warpgroup.
struct Transfer {
  Operation *op = nullptr;
  Clock clock;
  bool isRead = false, isDone = false, isWaitedFor = false;
};

/// A buffer that several warps fill with the elements of a tile, or with a
/// vote; `numArrived` counts the warps that have done so. It stands for an
/// exchange through shared memory whose addresses are not simulated.
struct Exchange {
  std::vector<float> elements;
  int64_t numArrived = 0;
};

struct Cta {
  Cta(Simulation &simulation, int64_t number, int64_t count, int64_t warps,
      int64_t bytes)
      : simulation(simulation), number(number), count(count), warps(warps),
        memory(bytes), numActors(warps), mmas((warps + 3) / 4) {}

  /// Returns the actor number, in vector clocks, of an engine whose work begins
  /// at `clock`, and advances the engine's time in `clock` by 1. Reuses the
  /// number of an engine whose work was over at `clock`, if there is one; else
  /// takes a new number.
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
  /// The CTA's index in the launch, and the number of CTAs.
  int64_t number, count;
  int64_t warps;
  /// Whether all passes of the GPU level have run on the program.
  bool isComplete = true;
  /// The number of warps of the CTA that have not ended.
  int64_t numRunning = 0;
  SharedMemory memory;
  std::map<int64_t, MemoryBarrier> barriers;
  std::map<int64_t, std::unique_ptr<Ring>> rings;
  std::map<int64_t, TileBroadcast> broadcasts;
  std::array<NamedBarrier, 16> named;
  unsigned numActors;
  /// For each dynamic scheduler, identified by the address of its counters, the
  /// numbers of the tiles that the CTA has taken, in the order of iterations.
  std::map<int64_t, std::vector<int64_t>> tiles;
  std::map<std::pair<Operation *, int64_t>, std::shared_ptr<Exchange>>
      exchanges;
  /// For each warpgroup, all MMAs that its warps have issued, in the order in
  /// which they were issued. They end in the same order.
  std::vector<std::vector<std::shared_ptr<Mma>>> mmas;

private:
  /// The engines of asynchronous copies and MMAs: for each, its number in
  /// vector clocks, and how often takeEngine() returned it, which is its
  /// present time.
  std::vector<std::pair<unsigned, uint32_t>> engines;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_CTA_H
