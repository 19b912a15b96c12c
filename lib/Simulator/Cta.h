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

/// The state of a ring: its byte offsets in shared memory and, for each slot,
/// facts that its mbarriers do not hold, such as which tile it contains and
/// which warps have released it.
struct Ring {
  struct Slot {
    enum class State { Free, Filling, Full };
    State state = State::Free;
    uint32_t number = 0;
    Operation *fill = nullptr;
    /// The readers of the slot. For each warp of the CTA, `acquired` has the
    /// number of the tile that it acquired last, and `releasedBy` the op by
    /// which it has released the slot's present tile. `released` counts the
    /// arrivals of these releases.
    std::vector<std::optional<uint32_t>> acquired;
    std::vector<Operation *> releasedBy;
    int64_t released = 0;
    /// How many arrivals of writers the slot's full barrier has counted for the
    /// present tile: one for each warp that has put its elements, or for each
    /// thread that has copied its share.
    int64_t written = 0;
  };

  attn_gpu::RingType type;
  /// The tiles of the ring in a program in which no pass has numbered slots
  /// yet; `isQueue` is then true. `queue[n]` has the elements of tile n. Tiles
  /// are appended without limit and never removed.
  std::vector<std::shared_ptr<const std::vector<float>>> queue;
  bool isQueue = false;
  int64_t offset = 0, slotBytes = 0, readers = 0;
  /// The byte offset in shared memory of the mbarriers of the ring's slots, or
  /// nothing if the ring has no mbarriers. Barriers of the whole CTA then order
  /// the ring's fills and reads.
  std::optional<int64_t> barriers;
  /// How many arrivals of writers make a slot of the ring full: one for each
  /// warp that puts a tile, or for each thread that copies it.
  int64_t writers = 1;
  /// Whether the threads that copy tiles to the ring execute no proxy fence. In
  /// that case each warp that acquires a tile executes the fence, so that wgmma
  /// may read the tile.
  bool isUnfenced = false;
  /// Whether each warp that reads a tile releases it. The free barriers then
  /// count 32 arrivals of each, otherwise one of each warpgroup.
  bool isOfEachWarp = false;
  std::vector<Slot> slots;

  int64_t getFull(int64_t slot) const { return *barriers + 8 * slot; }
  int64_t getFree(int64_t slot) const {
    return *barriers + 8 * (type.getStages() + slot);
  }
};

/// The two slots of shared memory through which, in attn_gpu.publish_tile, one
/// thread sends tile numbers to the other warps of the CTA. In a slot, `tile`
/// is the tile number, `index` says how many were published before it, and
/// `read` counts the threads that have read it.
struct TileBroadcast {
  struct Slot {
    std::optional<uint32_t> index;
    int32_t tile = 0;
    int64_t read = 0;
  };
  int64_t readers = 0;
  std::array<Slot, 2> slots;
};

/// A wgmma of a warpgroup, with the operands and results of its four warps. It
/// begins when all four warps have issued it.
struct Mma {
  Operation *op = nullptr;
  uint64_t number = 0;
  struct Part {
    bool isIssued = false;
    Tile lhs, accumulator, result;
  };
  std::array<Part, kWarpsPerGroup> parts;
  SharedTile sharedLhs, rhs;
  /// The earlier MMA whose result is the accumulator of this MMA, if the warps
  /// have not waited for it. Null if they have; the accumulator is then in
  /// `parts`.
  std::shared_ptr<Mma> accumulator;
  int64_t numIssued = 0;
  bool isDone = false;
  /// The vector clock at the end of the MMA, which a warp that waits for the
  /// MMA joins to its own.
  Clock clock;
};

/// An asynchronous copy: a cp.async by the threads of a warp, or a TMA store by
/// the first thread of a warpgroup.
struct Transfer {
  Operation *op = nullptr;
  Clock clock;
  bool isRead = false, isDone = false, isWaitedFor = false;
};

/// A buffer through which the warps of a CTA exchange the elements of a tile,
/// or a vote. `numArrived` counts the warps that have written theirs. The
/// buffer stands for an exchange through shared memory whose addresses the
/// simulator does not model.
struct Exchange {
  std::vector<float> elements;
  int64_t numArrived = 0;
};

struct Cta {
  Cta(Simulation &simulation, int64_t number, int64_t count, int64_t warps,
      int64_t bytes)
      : simulation(simulation), number(number), count(count), warps(warps),
        memory(bytes), numActors(warps), mmas((warps + 3) / 4) {}

  /// Returns the number in vector clocks of an asynchronous engine whose work
  /// begins at `clock`, and advances the engine's own time in `clock` by 1.
  /// Takes an engine whose earlier work was over at `clock`, if there is one,
  /// and else a new one.
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
  /// `number` is the index of the CTA in the launch, and `count` is how many
  /// CTAs the launch has.
  int64_t number, count;
  int64_t warps;
  /// Whether all passes of the GPU level have run on the kernel; see
  /// isOfUnfinishedProgram().
  bool isComplete = true;
  /// The number of warps of the CTA that have not reached the end of the kernel
  /// yet.
  int64_t numRunning = 0;
  SharedMemory memory;
  std::map<int64_t, MemoryBarrier> barriers;
  std::map<int64_t, std::unique_ptr<Ring>> rings;
  std::map<int64_t, TileBroadcast> broadcasts;
  std::array<NamedBarrier, 16> named;
  unsigned numActors;
  /// The tiles that the CTA has taken from each dynamic scheduler, in the order
  /// of the loop's iterations. The key is the address of the scheduler's
  /// counters.
  std::map<int64_t, std::vector<int64_t>> tiles;
  std::map<std::pair<Operation *, int64_t>, std::shared_ptr<Exchange>>
      exchanges;
  /// For each warpgroup, all MMAs that its warps have issued, in the order of
  /// issue, which is also the order in which they end.
  std::vector<std::vector<std::shared_ptr<Mma>>> mmas;

private:
  /// The asynchronous engines that run copies and MMAs. Each entry has the
  /// engine's number in vector clocks, and its present time, which counts how
  /// often takeEngine() has returned it.
  std::vector<std::pair<unsigned, uint32_t>> engines;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_CTA_H
