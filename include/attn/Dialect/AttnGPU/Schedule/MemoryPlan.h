//===- MemoryPlan.h - Shared memory, barriers, registers --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one owner of what a CTA has to share out, for the passes that lower
// programs. The check of a schedule runs these.
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

/// Consumers beside one producer.
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

/// Registers of a thread of a producer, of a reducer or converter, if there is
/// one, and of the other warpgroups. What they give and take is the pool that
/// the launch had: more would never come. Of chips that have such a split.
struct RegisterSplit {
  int64_t producer, helper = 0, consumer;

  explicit RegisterSplit(ScheduleAttr schedule);
  /// In the order of roles: of consumers, of the helper, of the producer.
  SmallVector<int64_t> getOfRoles() const;
};

/// Registers that threads of a CTA with that schedule begin with.
int64_t getRegistersAtLaunch(ScheduleAttr schedule, const attn::Chip &chip);

/// Words of 32 bits of a left operand in registers. An f32 counts twice, for
/// the two parts that are multiplied.
int64_t getLeftWords(RankedTensorType left);

/// Whether registers hold a left operand beside `accumulators`, the elements
/// that the program's MMAs accumulate.
bool fitsRegisters(ScheduleAttr schedule, const attn::Chip &chip,
                   RankedTensorType left, int64_t accumulators);

/// Whether the warps that compute have registers for as many words of 32 bits
/// in all.
bool hasRegisters(ScheduleAttr schedule, const attn::Chip &chip, int64_t words);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Bytes after each row of a tile that is not swizzled. Rows of a multiple of
/// 32 bytes then begin in eight different banks of 16 bytes, whatever their
/// number.
inline constexpr int64_t kRowPadding = 16;

/// Shared memory of tiles, padded or swizzled as their layouts say, one after
/// the other, and of what is exchanged between warps.
class TileMemory {
public:
  /// What comes behind `numBytes` of others.
  explicit TileMemory(int64_t numBytes = 0) : numBytes(numBytes) {}
  /// Elements from one row of the tile to the next, and bytes of all rows.
  static int64_t getRowSize(RankedTensorType tile);
  static int64_t getTileBytes(RankedTensorType tile);
  /// Where `slots` such tiles begin.
  int64_t allocate(RankedTensorType tile, int64_t slots);
  /// Where `bytes` begin.
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

/// Tiles of registers that wait for a reducer, which may be one iteration late
/// if there is room.
inline constexpr int64_t kExchangeSlots = 2;

/// A sequence of tiles that MMAs read, or of vectors.
struct RingRequest {
  RankedTensorType tile;
  /// Whether a tile program loads it again and again.
  bool isStreamed = false;
  /// Whether MMAs read it as rows along K.
  bool isLeft = false;
  /// Whether consumers copy it to registers: its slot is free early.
  bool isCopied = false;
  /// Whether it is of registers, for a reducer.
  bool isExchanged = false;
};

/// A tile that may leave through shared memory.
struct OutputRequest {
  RankedTensorType tile;
  /// Whether a reducer adds it to memory, so many columns at a time: no other
  /// may take its place.
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
    /// Of one that a reducer adds, parts that have a place, and bytes of each.
    int64_t places = 1, partBytes = 0;
  };
  /// As they were asked for.
  SmallVector<Ring> rings;
  /// Where outputs are on their way to memory; none for those that registers
  /// store. Parts of one that a reducer adds take turns, each place as many.
  SmallVector<std::optional<Output>> outputs;
  /// The number of the ring of whose tile an output takes the place.
  std::optional<size_t> overlaid;
  int64_t schedulerOffset = 0;
  int64_t numBytes = 0;
};

/// `outputs` are the tiles that may leave through shared memory, one after the
/// other where there is no room for each, and
/// `exchangedBytes` what warps exchange through shared memory behind all this.
/// Only where that leaves room, tiles of one load and what is exchanged get a
/// second slot, and outputs a place.
RingPlan planRings(ScheduleAttr schedule, const attn::Chip &chip,
                   ArrayRef<RingRequest> rings, ArrayRef<OutputRequest> outputs,
                   int64_t exchangedBytes);

/// Where warps without roles learn the number of their next tile.
inline constexpr int64_t kNextTileBytes = 4;

/// The same for warps that fill their rings themselves: tiles and slots.
RingPlan planOwnRings(ScheduleAttr schedule,
                      ArrayRef<std::pair<RankedTensorType, int64_t>> rings);

/// Whether a tile can leave through shared memory: each warp has whole rows.
bool canStage(RankedTensorType tile, ShapedType array);

/// Whether TMA can add a tile to memory: f32, and each warp has whole rows.
bool canStageAdded(RankedTensorType tile);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_MEMORYPLAN_H
