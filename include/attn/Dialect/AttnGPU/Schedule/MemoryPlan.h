//===- MemoryPlan.h - Shared memory, barriers, registers --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides a CTA's shared memory, barriers and registers, for the passes that
// lower programs and for the check of a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_SCHEDULE_MEMORYPLAN_H
#define ATTN_DIALECT_ATTNGPU_SCHEDULE_MEMORYPLAN_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/IR/Registers.h"

namespace mlir::attn_gpu {

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Bytes of a barrier in shared memory.
inline constexpr int64_t kBarrierBytes = 8;

/// Tile numbers that the dynamic scheduler holds for consumers.
inline constexpr int64_t kSchedulerSlots = 2;

/// The most consumer warpgroups beside a producer.
inline constexpr int64_t kMaxConsumers = 4;

/// Named barriers: 0 is the whole CTA's, then come those of each warpgroup,
/// that of all consumers and those of ping-pong.
inline constexpr int32_t kFirstWarpgroupBarrier = 1;
inline constexpr int32_t kConsumersBarrier = 5;
inline constexpr int32_t kFirstPingPongBarrier = 8;
inline constexpr int32_t kNumNamedBarriers = 16;
static_assert(kFirstWarpgroupBarrier + kMaxConsumers <= kConsumersBarrier &&
              kConsumersBarrier < kFirstPingPongBarrier &&
              kFirstPingPongBarrier + kMaxConsumers <= kNumNamedBarriers);

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Registers of a thread of a producer, of a helper (ScheduleAttr::getHelpers),
/// and of the other warpgroups: those that the schedule says, else as many as
/// kernels need or the others leave. What they give and take is the pool that
/// the launch had: more would never come. Of chips that have such a split.
struct RegisterSplit {
  int64_t producer, consumer;
  /// Of each helper of the schedule, in their order.
  SmallVector<int64_t> helpers;

  explicit RegisterSplit(ScheduleAttr schedule);
  /// In the order of roles: of consumers, of helpers, of the producer.
  SmallVector<int64_t> getOfRoles() const;
};

/// The warpgroups of each role of a schedule that has some, in their order.
SmallVector<int64_t> getWarpgroupsOfRoles(ScheduleAttr schedule);

/// The registers that threads of a CTA with that schedule begin with.
int64_t getRegistersAtLaunch(ScheduleAttr schedule, const attn::Chip &chip);

/// The 32-bit words that a left operand takes in registers. An f32 counts
/// twice, since the parts that are multiplied take registers, too.
int64_t getLeftWords(RankedTensorType left);

/// Whether registers hold a left operand beside `accumulators`, the elements
/// that the program's MMAs accumulate.
bool fitsRegisters(ScheduleAttr schedule, const attn::Chip &chip,
                   RankedTensorType left, int64_t accumulators);

/// Whether the registers of the computing warps hold `words` 32-bit words.
bool hasRegisters(ScheduleAttr schedule, const attn::Chip &chip, int64_t words);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Bytes of padding after each row of a tile that is not swizzled. If rows have
/// a multiple of 32 bytes, eight consecutive ones then begin in different
/// banks.
inline constexpr int64_t kRowPadding = 16;

/// Allocates a CTA's shared memory from one offset upwards: tiles, padded or
/// swizzled as their layouts say, and bytes for other data, such as the partial
/// sums that warps exchange, or barriers.
class TileMemory {
public:
  /// Begins after `numBytes` bytes that are allocated already.
  explicit TileMemory(int64_t numBytes = 0) : numBytes(numBytes) {}
  /// Elements from one row of the tile to the next, and bytes of all rows.
  static int64_t getRowSize(RankedTensorType tile);
  static int64_t getTileBytes(RankedTensorType tile);
  /// Allocates memory for `slots` tiles and returns the first one's offset.
  int64_t allocate(RankedTensorType tile, int64_t slots);
  /// Allocates bytes and returns their offset.
  int64_t allocate(int64_t bytes);
  int64_t getBytes() const { return numBytes; }

private:
  int64_t numBytes = 0;
};

/// Registers of a reducer's threads, which accumulate so many columns at a
/// time, a panel of its right operand of 16 bits. ptxas takes not just any
/// number.
inline constexpr int64_t kHelperRegisters = 64;
inline constexpr int64_t kReducerColumns = 64;

/// Slots, if there is room, of a ring for tiles of registers that consumers
/// pass to a reducer, which may then be one iteration late.
inline constexpr int64_t kExchangeSlots = 2;

/// A ring to plan: for the tiles or vectors of a load, or for tiles that
/// consumers pass to a reducer.
struct RingRequest {
  RankedTensorType tile;
  /// Whether each iteration of an innermost loop loads it.
  bool isStreamed = false;
  /// Whether each warpgroup reads only its own rows of it.
  bool isLeft = false;
  /// Whether consumers copy it to registers, so that its slot is free early.
  bool isCopied = false;
  /// Whether consumers write it from registers for a reducer.
  bool isExchanged = false;
};

/// A tile that may be stored through shared memory.
struct OutputRequest {
  RankedTensorType tile;
  /// Whether a reducer adds it to memory, `partColumns` columns at a time. Then
  /// no other output may share its memory.
  bool isReduced = false;
  int64_t partColumns = 0;
};

/// Shared memory of a CTA with rings: tiles, outputs, barriers, the scheduler.
struct RingPlan {
  struct Ring {
    int64_t stages, offset, barrierOffset;
  };
  struct Output {
    int64_t offset, bytes;
    /// For an output that a reducer adds, the number of buffers for its parts,
    /// and the bytes of each.
    int64_t places = 1, partBytes = 0;
  };
  /// The rings, in the order of their requests.
  SmallVector<Ring> rings;
  /// The memory through which outputs are stored; none for those that threads
  /// store from registers. The parts of one that a reducer adds take turns,
  /// equally many in each buffer.
  SmallVector<std::optional<Output>> outputs;
  /// The index of the ring whose tile shares its memory with an output.
  std::optional<size_t> overlaid;
  int64_t schedulerOffset = 0;
  int64_t numBytes = 0;
};

/// Plans the shared memory of a kernel with roles. `outputs` are the tiles that
/// may be stored through shared memory, which they use in turn if there is no
/// room for each. `exchangedBytes` are kept free after all others for what
/// warps exchange. Only if there is room, tiles of one load and exchanged ones
/// get a second slot, and outputs get memory.
RingPlan planRings(ScheduleAttr schedule, const attn::Chip &chip,
                   ArrayRef<RingRequest> rings, ArrayRef<OutputRequest> outputs,
                   int64_t exchangedBytes);

/// Bytes through which warps without roles receive the number of their next
/// tile.
inline constexpr int64_t kNextTileBytes = 4;

/// Plans the rings of a kernel without roles, whose warps fill them themselves,
/// each with a tile and its number of slots.
RingPlan planOwnRings(ScheduleAttr schedule,
                      ArrayRef<std::pair<RankedTensorType, int64_t>> rings);

/// Whether a tile can be stored through shared memory by TMA: 16-bit elements,
/// whole rows in each warp, and rows of the array that are a multiple of 16
/// bytes long.
bool canStage(RankedTensorType tile, ShapedType array);

/// Whether TMA can add a tile to memory: it is of f32, and each warp has whole
/// rows.
bool canStageAdded(RankedTensorType tile);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_MEMORYPLAN_H
