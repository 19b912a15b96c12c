//===- MemoryPlan.h - Shared memory, barriers, registers --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans a CTA's shared memory, barriers and registers, for the passes that
// lower programs and for checks of schedules.
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

/// The number of bytes of an mbarrier in shared memory.
inline constexpr int64_t kBarrierBytes = 8;

/// The number of slots in shared memory through which the dynamic scheduler
/// sends the numbers of tiles from one role to the others.
inline constexpr int64_t kSchedulerSlots = 2;

/// The largest number of consumer warpgroups of a CTA that has a producer.
inline constexpr int64_t kMaxConsumers = 4;

/// The numbers of named barriers. Barrier 0 is for all threads of the CTA.
/// Barriers from kFirstWarpgroupBarrier on are for one warpgroup each,
/// kConsumersBarrier is for all consumers, and those from kFirstPingPongBarrier
/// on are for the turns of ping-pong. Without roles there is no ping-pong, but
/// a CTA may have kMaxWarpgroups warpgroups, which compute.
inline constexpr int64_t kMaxWarpgroups = 8;
inline constexpr int32_t kFirstWarpgroupBarrier = 1;
inline constexpr int32_t kFirstPingPongBarrier = 8;
inline constexpr int32_t kConsumersBarrier = 12;
inline constexpr int32_t kNumNamedBarriers = 16;
static_assert(kFirstWarpgroupBarrier + kMaxConsumers <= kFirstPingPongBarrier &&
              kFirstPingPongBarrier + kMaxConsumers <= kConsumersBarrier &&
              kFirstWarpgroupBarrier + kMaxWarpgroups <= kConsumersBarrier &&
              kConsumersBarrier < kNumNamedBarriers);

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The numbers of registers that setmaxnreg gives to each thread of the
/// producer, of the helpers (reducer, converters, multipliers) and of the
/// consumers, on chips with Chip::hasRegisterSplit(). A role of the schedule
/// may state its number; otherwise producers and helpers get fixed numbers, and
/// the consumers the rest. The sum over all threads is at most what the CTA is
/// launched with: a warp would wait for ever for more.
struct RegisterSplit {
  int64_t producer, consumer;
  /// The numbers of registers of each thread of the helpers, in the order of
  /// ScheduleAttr::getHelpers().
  SmallVector<int64_t> helpers;

  explicit RegisterSplit(ScheduleAttr schedule);
  /// Returns the number of registers of each thread of each role, in the order
  /// of roles: consumers, helpers, producer.
  SmallVector<int64_t> getOfRoles() const;
};

/// Returns the number of warpgroups of each role of a schedule that has roles,
/// in their order: consumers, helpers, producer.
SmallVector<int64_t> getWarpgroupsOfRoles(ScheduleAttr schedule);

/// Returns the number of registers that each thread of a CTA with that schedule
/// has when it is launched, before setmaxnreg changes it.
int64_t getRegistersAtLaunch(ScheduleAttr schedule, const attn::Chip &chip);

/// Returns the number of 32-bit registers, over all threads, that a left
/// operand takes. An f32 counts twice, since the bf16 parts that are multiplied
/// take registers, too.
int64_t getLeftWords(RankedTensorType left);

/// Whether the computing warps can keep a left operand in registers. Their
/// registers must hold it, the elements that MMAs accumulate (`accumulators`,
/// counted over all threads), and other values. Always false for wgmma without
/// `overlap`, where ptxas may reuse the operand's registers too early.
bool fitsRegisters(ScheduleAttr schedule, const attn::Chip &chip,
                   RankedTensorType left, int64_t accumulators);

/// Whether the registers of all computing warps together hold `words` 32-bit
/// words. 24 registers of each thread do not count, since they hold addresses
/// and temporary values.
bool hasRegisters(ScheduleAttr schedule, const attn::Chip &chip, int64_t words);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The number of bytes of padding after each row of a tile that is not
/// swizzled. If the length of rows is a multiple of 32 bytes, eight consecutive
/// rows then begin in different banks.
inline constexpr int64_t kRowPadding = 16;

/// An allocator of a CTA's shared memory, in ascending order of offsets. It
/// allocates tiles, padded or swizzled as their layouts say, and bytes for
/// other data, such as barriers or partial sums that warps exchange.
class TileMemory {
public:
  /// Creates an allocator that begins after the first `numBytes` bytes of
  /// shared memory.
  explicit TileMemory(int64_t numBytes = 0) : numBytes(numBytes) {}
  /// getRowSize() returns the distance in elements between rows of the tile in
  /// shared memory (with padding) or, for a vector, its length. getTileBytes()
  /// returns the number of bytes of all rows, with their padding.
  static int64_t getRowSize(RankedTensorType tile);
  static int64_t getTileBytes(RankedTensorType tile);
  /// Allocates memory for `slots` tiles of that type, and returns the offset of
  /// the first tile in bytes.
  int64_t allocate(RankedTensorType tile, int64_t slots);
  /// Allocates `bytes` bytes and returns their offset in bytes.
  int64_t allocate(int64_t bytes);
  int64_t getBytes() const { return numBytes; }

private:
  int64_t numBytes = 0;
};

/// kHelperRegisters is the number of registers of each thread of a reducer or
/// multiplier whose number the schedule does not state; with some other numbers
/// ptxas fails. kReducerColumns is the number of columns that a reducer
/// accumulates at a time, one panel of its right operand of 16 bits.
inline constexpr int64_t kHelperRegisters = 64;
inline constexpr int64_t kReducerColumns = 64;

/// The number of slots of a ring for tiles that one role computes and another
/// role reads, such as those from consumers to a reducer. With two slots, the
/// reading role may be one iteration late. If shared memory has no room, the
/// ring has one slot.
inline constexpr int64_t kExchangeSlots = 2;

/// A request for a ring, for planRings(). The ring's tiles or vectors come from
/// a load, or from registers of one role for another role to read.
struct RingRequest {
  RankedTensorType tile;
  /// Whether the load is in an innermost loop, which loads a tile in each
  /// iteration.
  bool isStreamed = false;
  /// Whether the tile is a left operand of MMAs, of which each consumer
  /// warpgroup reads only its own rows.
  bool isLeft = false;
  /// Whether consumers copy the tile to registers, so that its slot is free
  /// soon after the tile has arrived.
  bool isCopied = false;
  /// Whether warps of a role write the tile from their registers, instead of a
  /// load that copies it from global memory.
  bool isExchanged = false;
  /// If set, the number of an earlier request. The tiles lie in the slots of
  /// its ring, one in each, and take no memory of their own.
  std::optional<size_t> host = std::nullopt;
};

/// A request, for planRings(), for memory through which TMA stores an output
/// tile.
struct OutputRequest {
  RankedTensorType tile;
  /// isReduced is set if a reducer adds the tile to global memory,
  /// `partColumns` columns at a time. The tile's memory is then shared with no
  /// other output.
  bool isReduced = false;
  int64_t partColumns = 0;
};

/// The plan of the shared memory of a CTA that has rings: offsets in bytes of
/// the slots of rings, of the buffers of outputs, of barriers and of the tile
/// scheduler.
struct RingPlan {
  struct Ring {
    int64_t stages, offset, barrierOffset;
  };
  struct Output {
    int64_t offset, bytes;
    /// `places` is the number of buffers of an output that a reducer adds to
    /// global memory in parts of some columns, and `partBytes` the number of
    /// bytes of each buffer. The parts use the buffers in turn.
    int64_t places = 1, partBytes = 0;
  };
  /// The planned rings, in the order in which they were requested.
  SmallVector<Ring> rings;
  /// For each requested output, the memory through which TMA stores it, or none
  /// if threads store the output from registers. If a reducer adds the output
  /// in parts, each of the output's buffers serves equally many parts.
  SmallVector<std::optional<Output>> outputs;
  /// The index, in `rings`, of the only ring whose slot is also the memory of
  /// an output. None if outputs share no memory with rings.
  std::optional<size_t> overlaid;
  int64_t schedulerOffset = 0;
  int64_t numBytes = 0;
};

/// Plans the shared memory of a kernel with roles, and leaves room for
/// `exchangedBytes` bytes of data that warps exchange. `outputs` are the tiles
/// to be staged in shared memory for a TMA store.
///
/// If there is too little memory for an output beside the rings, the output
/// uses the memory of an earlier output, or of a left operand that is loaded
/// once. If neither is possible, the output gets no memory. Rings for tiles
/// that are loaded once, and for tiles that one role passes to another, have
/// two slots if there is enough memory, otherwise one.
RingPlan planRings(ScheduleAttr schedule, const attn::Chip &chip,
                   ArrayRef<RingRequest> rings, ArrayRef<OutputRequest> outputs,
                   int64_t exchangedBytes);

/// The number of bytes of shared memory through which one thread passes the
/// number of the CTA's next tile to all others, in a kernel without roles.
inline constexpr int64_t kNextTileBytes = 4;

/// Plans the shared memory of a kernel without roles, whose warps fill the
/// rings themselves. Each of `rings` is the tile of a ring and its number of
/// slots.
RingPlan planOwnRings(ScheduleAttr schedule,
                      ArrayRef<std::pair<RankedTensorType, int64_t>> rings);

/// Whether a tile can be stored to an array through shared memory, by TMA. The
/// tile must have rank 2, elements of 16 bits and a multiple of 16 columns, and
/// each warp must have whole rows. The array's rows must have a static length
/// that is a multiple of 16 bytes.
bool canStage(RankedTensorType tile, ShapedType array);

/// Whether TMA can add a tile to an array in global memory. The tile must have
/// rank 2 and elements of f32, and each warp must have whole rows.
bool canStageAdded(RankedTensorType tile);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_MEMORYPLAN_H
