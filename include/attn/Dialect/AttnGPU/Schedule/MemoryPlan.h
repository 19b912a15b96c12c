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

/// Bytes of a barrier in shared memory.
inline constexpr int64_t kBarrierBytes = 8;

/// The number of slots in shared memory through which the dynamic scheduler
/// sends the numbers of tiles from one role to the others.
inline constexpr int64_t kSchedulerSlots = 2;

/// The most consumer warpgroups beside a producer.
inline constexpr int64_t kMaxConsumers = 4;

/// The numbers of named barriers: 0 is the whole CTA's; then come those of
/// single warpgroups, that of all consumers, and those of ping-pong.
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

/// The numbers of registers that setmaxnreg gives to each thread of the
/// producer, of the helpers (ScheduleAttr::getHelpers) and of the consumers, on
/// chips with Chip::hasRegisterSplit(). A role of the schedule may state its
/// number; otherwise producers and helpers get fixed numbers, and the consumers
/// the rest. The sum over all threads is at most what the CTA is launched with:
/// a warp would wait for ever for more.
struct RegisterSplit {
  int64_t producer, consumer;
  /// The numbers of the schedule's helpers, in the order of the helpers.
  SmallVector<int64_t> helpers;

  explicit RegisterSplit(ScheduleAttr schedule);
  /// Returns the numbers in the order of roles: consumers, helpers, producer.
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

/// Whether the registers of the computing warps hold a left operand beside
/// `accumulators` elements, the number that the program's MMAs accumulate in
/// all threads, and leave enough for other values. False for wgmma without
/// `overlap`, where ptxas may reuse the operand's registers too early.
bool fitsRegisters(ScheduleAttr schedule, const attn::Chip &chip,
                   RankedTensorType left, int64_t accumulators);

/// Whether the registers of all computing warps together, without 24 of each
/// thread for addresses and temporary values, hold `words` 32-bit words.
bool hasRegisters(ScheduleAttr schedule, const attn::Chip &chip, int64_t words);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The number of bytes of padding after each row of a tile that is not
/// swizzled. If the length of rows is a multiple of 32 bytes, eight consecutive
/// rows then begin in different banks.
inline constexpr int64_t kRowPadding = 16;

/// Allocates a CTA's shared memory in ascending order from some offset: tiles,
/// padded or swizzled as their layouts say, and bytes for other data, such as
/// barriers or partial sums that warps exchange.
class TileMemory {
public:
  /// Begins after `numBytes` bytes that are allocated already.
  explicit TileMemory(int64_t numBytes = 0) : numBytes(numBytes) {}
  /// getRowSize() returns the distance in elements between rows of the tile, or
  /// the length of a vector; getTileBytes() returns the number of bytes of all
  /// rows.
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

/// The number of registers of each thread of a reducer or multiplier whose
/// schedule states none (with some other numbers ptxas fails), and the number
/// of columns that a reducer accumulates at a time: a panel of its right
/// operand of 16 bits.
inline constexpr int64_t kHelperRegisters = 64;
inline constexpr int64_t kReducerColumns = 64;

/// The number of slots, if there is room, of a ring for tiles that consumers
/// pass from registers to a reducer, which may then be one iteration late.
inline constexpr int64_t kExchangeSlots = 2;

/// A ring to plan: its tiles or vectors come from a load, or from consumers
/// that pass them to a reducer.
struct RingRequest {
  RankedTensorType tile;
  /// Whether each iteration of an innermost loop loads the tile.
  bool isStreamed = false;
  /// Whether each warpgroup reads only its own rows of the tile.
  bool isLeft = false;
  /// Whether consumers copy the tile to registers, so that its slot is free
  /// early.
  bool isCopied = false;
  /// Whether the tile comes from registers of a role and not from a load.
  bool isExchanged = false;
};

/// A tile that may be stored through shared memory.
struct OutputRequest {
  RankedTensorType tile;
  /// Whether a reducer adds the tile to global memory, `partColumns` columns at
  /// a time. It then shares its memory with no other output.
  bool isReduced = false;
  int64_t partColumns = 0;
};

/// The shared memory of a CTA with rings: for tiles, outputs, barriers and the
/// tile scheduler. Offsets are in bytes.
struct RingPlan {
  struct Ring {
    int64_t stages, offset, barrierOffset;
  };
  struct Output {
    int64_t offset, bytes;
    /// If a reducer adds the output in parts: the number of buffers for the
    /// parts, and the bytes of each buffer.
    int64_t places = 1, partBytes = 0;
  };
  /// The rings, in the order of their requests.
  SmallVector<Ring> rings;
  /// The memory through which outputs are stored; none for outputs that threads
  /// store from registers. The parts that a reducer adds use the output's
  /// buffers in turn, each buffer for equally many parts.
  SmallVector<std::optional<Output>> outputs;
  /// The index of the ring whose tile shares its memory with an output, if
  /// there is one.
  std::optional<size_t> overlaid;
  int64_t schedulerOffset = 0;
  int64_t numBytes = 0;
};

/// Plans the shared memory of a kernel with roles, and leaves `exchangedBytes`
/// for data that warps exchange. `outputs` are the tiles that are to be staged
/// in shared memory for a TMA store. If there is too little memory for an
/// output besides the rings, it uses the memory of an earlier output or of a
/// left operand that is loaded once; if that is not possible, it gets none.
/// Rings for tiles that are loaded once, and for tiles that consumers pass to a
/// reducer, have two slots if there is enough memory, else one.
RingPlan planRings(ScheduleAttr schedule, const attn::Chip &chip,
                   ArrayRef<RingRequest> rings, ArrayRef<OutputRequest> outputs,
                   int64_t exchangedBytes);

/// The number of bytes of shared memory through which warps without roles
/// receive the number of their next tile.
inline constexpr int64_t kNextTileBytes = 4;

/// Plans the rings of a kernel without roles, whose warps fill them themselves.
/// Each ring is given by its tile and its number of slots.
RingPlan planOwnRings(ScheduleAttr schedule,
                      ArrayRef<std::pair<RankedTensorType, int64_t>> rings);

/// Whether a tile can be stored through shared memory and TMA: it has rank 2,
/// elements of 16 bits and a multiple of 16 columns, each warp has whole rows,
/// and rows of the array are of static length, a multiple of 16 bytes.
bool canStage(RankedTensorType tile, ShapedType array);

/// Whether TMA can add a tile to global memory: it has rank 2, its elements are
/// f32, and each warp has whole rows.
bool canStageAdded(RankedTensorType tile);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_MEMORYPLAN_H
