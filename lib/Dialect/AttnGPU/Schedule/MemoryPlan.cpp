//===- MemoryPlan.cpp - Shared memory, barriers, registers ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

int64_t mlir::attn_gpu::getRegistersAtLaunch(int64_t warpgroups) {
  constexpr int64_t kRegisterFile = 65536;
  return std::min<int64_t>(kRegisterFile / (kWarpgroup * warpgroups), 255) / 8 *
         8;
}

RegisterSplit::RegisterSplit(int64_t consumers) {
  int64_t groups = consumers + 1;
  int64_t atLaunch = getRegistersAtLaunch(groups);
  producer = consumers <= 2 ? 40 : 32;
  consumer = std::min<int64_t>(
      (atLaunch * groups - producer) / consumers / 8 * 8, 240);
}

/// Registers of a thread that the left operand and what MMAs accumulate may
/// take together before some would be spilled.
static int64_t getOperandBudget(ScheduleAttr schedule, const attn::Chip &chip) {
  constexpr int64_t kBudget = 176;
  if (!schedule.hasProducer())
    return kBudget;
  // Consumers also hold probabilities, and little else.
  constexpr int64_t kOtherRegisters = 64;
  int64_t consumers = schedule.getNumConsumers();
  int64_t registers = chip.hasRegisterSplit()
                          ? RegisterSplit(consumers).consumer
                          : getRegistersAtLaunch(consumers + 1);
  return std::min(registers - kOtherRegisters, kBudget);
}

bool mlir::attn_gpu::fitsRegisters(ScheduleAttr schedule,
                                   const attn::Chip &chip,
                                   RankedTensorType left,
                                   int64_t accumulators) {
  // Where a loop awaits each MMA at once, ptxas 13.0 may give the registers of
  // a left operand that the loop keeps to another MMA's, and the next iteration
  // finds those (seen in SASS: probabilities in place of the query).
  if (schedule.getMma() == MmaKind::Wgmma && !schedule.getOverlap())
    return false;
  int64_t words =
      left.getNumElements() * (left.getElementType().isF32() ? 4 : 1) / 2;
  return words + accumulators <=
         getOperandBudget(schedule, chip) * 32 * schedule.getWarps();
}

//===----------------------------------------------------------------------===//
// Tiles one after the other
//===----------------------------------------------------------------------===//

/// What swizzled tiles begin at multiples of.
static constexpr int64_t kTileAlignment = 1024;

static bool isSwizzled(RankedTensorType tile) {
  return isa_and_nonnull<SwizzledLayoutAttr>(tile.getEncoding());
}

static int64_t getElementBytes(RankedTensorType tile) {
  return tile.getElementTypeBitWidth() / 8;
}

int64_t TileMemory::getRowSize(RankedTensorType tile) {
  if (isSwizzled(tile))
    return llvm::alignTo(tile.getDimSize(1), kPanelColumns);
  return tile.getDimSize(1) + kRowPadding / getElementBytes(tile);
}

int64_t TileMemory::getTileBytes(RankedTensorType tile) {
  return tile.getDimSize(0) * getRowSize(tile) * getElementBytes(tile);
}

int64_t TileMemory::allocate(RankedTensorType tile, int64_t slots) {
  if (!isSwizzled(tile))
    return allocate(slots * getTileBytes(tile));
  numBytes = llvm::alignTo(numBytes, kTileAlignment);
  int64_t slot = llvm::alignTo(getTileBytes(tile), kTileAlignment);
  return allocate(slots * slot);
}

int64_t TileMemory::allocate(int64_t bytes) {
  constexpr int64_t kAlignment = 128;
  int64_t offset = numBytes = llvm::alignTo(numBytes, kAlignment);
  numBytes = llvm::alignTo(numBytes + bytes, kAlignment);
  return offset;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// At least what all barriers take.
static constexpr int64_t kReservedBytes = 1024;

/// The barriers of its slots and their numbers.
static constexpr int64_t kSchedulerBytes =
    llvm::alignTo<16>(kSchedulerSlots * (2 * kBarrierBytes + 4));

bool mlir::attn_gpu::canStage(RankedTensorType tile) {
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  return tile.getRank() == 2 && tile.getElementTypeBitWidth() == 16 &&
         (!layout || layout.getWarpsN() == 1);
}

static RingType getRing(RankedTensorType tile, int64_t stages) {
  return RingType::get(
      tile.getContext(), stages,
      RankedTensorType::get(tile.getShape(), tile.getElementType(),
                            SwizzledLayoutAttr::get(tile.getContext())));
}

static int64_t getTileBytes(RankedTensorType tile) {
  return getRing(tile, 1).getTileBytes();
}

/// Stages of what a tile program loads once. Two, if there is room: the next
/// program's comes while this one's is read. One that is copied to registers is
/// free early.
static int64_t getSingleStages(ScheduleAttr schedule, const attn::Chip &chip,
                               ArrayRef<RingRequest> rings,
                               ArrayRef<RankedTensorType> outputs,
                               int64_t reservedBytes) {
  int64_t bytes = reservedBytes;
  for (const RingRequest &ring : rings) {
    if (!ring.isStreamed && ring.isCopied)
      return 1;
    bytes +=
        getTileBytes(ring.tile) * (ring.isStreamed ? schedule.getStages() : 2);
  }
  for (RankedTensorType output : outputs)
    bytes += getTileBytes(output);
  return bytes <= chip.sharedBytes ? 2 : 1;
}

RingPlan mlir::attn_gpu::planRings(ScheduleAttr schedule,
                                   const attn::Chip &chip,
                                   ArrayRef<RingRequest> rings,
                                   ArrayRef<RankedTensorType> outputs,
                                   int64_t exchangedBytes) {
  RingPlan plan;
  if (rings.empty())
    return plan;
  auto take = [&](int64_t bytes) {
    int64_t offset = plan.numBytes;
    plan.numBytes += bytes;
    return offset;
  };
  auto takeTiles = [&](RankedTensorType tile, int64_t stages) {
    return take(llvm::alignTo(stages * getTileBytes(tile), kTileAlignment));
  };

  // Tiles first, then barriers.
  int64_t reservedBytes = kReservedBytes + exchangedBytes;
  int64_t singleStages =
      getSingleStages(schedule, chip, rings, outputs, reservedBytes);
  for (const RingRequest &ring : rings) {
    int64_t stages = ring.isStreamed ? schedule.getStages() : singleStages;
    plan.rings.push_back({stages, takeTiles(ring.tile, stages), 0});
  }
  // Behind the rings if there is room, else in place of the first, a left
  // operand of as many rows: each warpgroup alone reads its own.
  bool isStaged = false;
  bool isOwnRows = rings.front().isLeft && !rings.front().isStreamed;
  RankedTensorType operand = rings.front().tile;
  for (RankedTensorType output : outputs) {
    std::optional<int64_t> &offset = plan.outputs.emplace_back();
    if (plan.numBytes + getTileBytes(output) + reservedBytes <=
        chip.sharedBytes) {
      offset = takeTiles(output, 1);
    } else if (isOwnRows && !isStaged &&
               operand.getDimSize(0) == output.getDimSize(0) &&
               operand.getDimSize(1) >= output.getDimSize(1)) {
      offset = 0;
      plan.overlaysOperand = true;
    }
    isStaged |= offset.has_value();
  }
  for (auto [ring, request] : llvm::zip(plan.rings, rings))
    ring.barrierOffset =
        take(getRing(request.tile, ring.stages).getBarrierBytes());
  if (schedule.getScheduler() == SchedulerKind::Dynamic)
    plan.schedulerOffset = take(kSchedulerBytes);
  return plan;
}

RingPlan mlir::attn_gpu::planOwnRings(
    ScheduleAttr schedule,
    ArrayRef<std::pair<RankedTensorType, int64_t>> rings) {
  RingPlan plan;
  TileMemory memory;
  int64_t barrierBytes = 0;
  for (auto [tile, slots] : rings) {
    RingType ring = getRing(tile, slots);
    plan.rings.push_back(
        {slots, memory.allocate(ring.getTile(), slots), barrierBytes});
    barrierBytes += ring.getBarrierBytes();
  }
  int64_t barriers = memory.allocate(barrierBytes);
  for (RingPlan::Ring &ring : plan.rings)
    ring.barrierOffset += barriers;
  if (schedule.getScheduler() == SchedulerKind::Dynamic)
    plan.schedulerOffset = memory.allocate(kNextTileBytes);
  plan.numBytes = memory.getBytes();
  return plan;
}

//===----------------------------------------------------------------------===//
// An op's tile programs
//===----------------------------------------------------------------------===//

namespace {
/// The tiles of an op's programs, by what they are of.
struct Tiles {
  Tiles(attn::AttentionOp op, ScheduleAttr schedule)
      : query(get(schedule.getTileQ(), op.getQueryType())),
        key(get(schedule.getTileKv(), op.getKeyType())),
        value(get(schedule.getTileKv(), op.getValueType())),
        output(get(schedule.getTileQ(), op.getOutputType())) {}

  RankedTensorType query, key, value, output;

private:
  /// Head dims are padded to whole steps of the MMAs.
  static RankedTensorType get(int64_t rows, ShapedType array) {
    int64_t columns = llvm::alignTo(array.getDimSize(3), 16);
    return RankedTensorType::get({rows, columns}, array.getElementType());
  }
};
} // namespace

static SharedMemory planTiles(const Tiles &tiles, ScheduleAttr schedule) {
  TileMemory memory;
  MLIRContext *context = schedule.getContext();
  Attribute layout = SharedLayoutAttr::get(context, kRowPadding);
  if (schedule.hasSwizzledTiles())
    layout = SwizzledLayoutAttr::get(context);
  auto allocate = [&](RankedTensorType tile, int64_t slots) {
    auto placed =
        RankedTensorType::get(tile.getShape(), tile.getElementType(), layout);
    memory.allocate(placed, slots);
    return TileMemory::getTileBytes(placed);
  };
  // With overlap the first keys and the last values are copied outside of the
  // loop, to a place of their own.
  int64_t more = schedule.overlapsMmas() ? 1 : 0;
  int64_t slots = schedule.getStages() + more;
  int64_t query = allocate(tiles.query, 1);
  int64_t key = allocate(tiles.key, slots);
  int64_t value = allocate(tiles.value, slots);
  std::string description = llvm::formatv(
      "query {0}, keys {1} x {2}, values {1} x {3}", query, slots, key, value);
  bool isDynamic = schedule.getScheduler() == SchedulerKind::Dynamic;
  if (isDynamic)
    memory.allocate(kNextTileBytes);
  int64_t bytes = memory.getBytes();
  if (schedule.getCopy() == CopyKind::Tma) {
    SmallVector<std::pair<RankedTensorType, int64_t>> rings = {
        {tiles.query, 1},
        {tiles.key, schedule.getStages()},
        {tiles.value, schedule.getStages()}};
    if (more)
      rings.append({{tiles.key, 1}, {tiles.value, 1}});
    RingPlan plan = planOwnRings(schedule, rings);
    bytes = plan.numBytes;
    description += llvm::formatv(", barriers {0}",
                                 bytes - plan.rings.front().barrierOffset)
                       .str();
  } else if (isDynamic) {
    description += llvm::formatv(", next tile {0}", kNextTileBytes).str();
  }
  return {bytes, description};
}

static SharedMemory planWithRings(const Tiles &tiles, ScheduleAttr schedule,
                                  const attn::Chip &chip) {
  int64_t scores = schedule.getTileQ() * schedule.getTileKv();
  bool isCopied = fitsRegisters(schedule, chip, tiles.query,
                                scores + tiles.output.getNumElements());
  SmallVector<RankedTensorType> staged;
  if (canStage(tiles.output))
    staged.push_back(tiles.output);
  RingPlan plan =
      planRings(schedule, chip,
                {{tiles.query, /*isStreamed=*/false, /*isLeft=*/true, isCopied},
                 {tiles.key, /*isStreamed=*/true},
                 {tiles.value, /*isStreamed=*/true}},
                staged, /*exchangedBytes=*/0);

  std::string description = llvm::formatv(
      "query {0} x {1}, keys {2} x {3}, values {2} x {4}", plan.rings[0].stages,
      getTileBytes(tiles.query), schedule.getStages(), getTileBytes(tiles.key),
      getTileBytes(tiles.value));
  if (plan.overlaysOperand)
    description += ", output in the query's place";
  else if (!plan.outputs.empty() && plan.outputs.front())
    description +=
        llvm::formatv(", output {0}", getTileBytes(tiles.output)).str();
  description += llvm::formatv(", barriers {0}",
                               plan.numBytes - plan.rings[0].barrierOffset)
                     .str();
  return {plan.numBytes, description};
}

SharedMemory mlir::attn_gpu::planSharedMemory(attn::AttentionOp op,
                                              ScheduleAttr schedule,
                                              const attn::Chip &chip) {
  Tiles tiles(op, schedule);
  return schedule.hasProducer() ? planWithRings(tiles, schedule, chip)
                                : planTiles(tiles, schedule);
}
