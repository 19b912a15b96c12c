//===- MemoryPlan.cpp - Shared memory, barriers, registers ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

RegisterSplit::RegisterSplit(ScheduleAttr schedule) {
  // The numbers of registers of each thread of a converter, and of the producer
  // beside a converter if it copies by TMA. Consumers beside a converter hold
  // two accumulators for sums of 8-bit products, a partial sum and the total,
  // so converter and producer leave more registers to them.
  constexpr int64_t kOfConverter = 56, kOfItsProducer = 24;
  int64_t ofHelpers = 0;
  for (RoleAttr helper : schedule.getHelpers()) {
    int64_t usual = helper.getKind() == RoleKind::Converter ? kOfConverter
                                                            : kHelperRegisters;
    int64_t said = helper.getRegisters();
    helpers.push_back(said > 0 ? said : usual);
    ofHelpers += helpers.back() * helper.getWarpgroups();
  }
  RoleAttr ofProducer = schedule.getRoles().find(RoleKind::Producer);
  int64_t consumers = schedule.getNumConsumers();
  int64_t groups = schedule.getNumWarpgroups();
  int64_t pool = getRegistersAtLaunch(groups) * groups;
  producer = consumers <= 2 ? 40 : 32;
  // The number of registers of each thread of a producer that needs more than
  // usual. The reason is that its threads copy (cp.async or elements) and hold
  // addresses, or that consumers share rows and so leave it registers for the
  // coordinates of pages. Beside helpers, a producer that copies by TMA has
  // only 32.
  constexpr int64_t kOfCopies = 72;
  if (schedule.getMma() == MmaKind::Wgmma && schedule.sharesRows())
    producer = kOfCopies;
  if (schedule.getCopy() != CopyKind::Tma)
    producer = kOfCopies;
  if (!helpers.empty())
    producer = schedule.getCopy() == CopyKind::Tma ? 32 : kOfCopies;
  if (schedule.hasConverter() && schedule.getCopy() == CopyKind::Tma)
    producer = std::min(producer, kOfItsProducer);
  bool isSaid = ofProducer.getRegisters() > 0;
  if (isSaid)
    producer = ofProducer.getRegisters();
  // Returns the number of registers of each thread if `warpgroups` warpgroups
  // share `registers` equally, where `registers` is the sum, over these
  // warpgroups, of the registers of one thread of each. It is rounded down to a
  // multiple of 8, as setmaxnreg requires.
  auto divide = [](int64_t registers, int64_t warpgroups) {
    return registers / warpgroups / 8 * 8;
  };
  consumer = schedule.getRoles().find(RoleKind::Consumer).getRegisters();
  if (consumer == 0)
    consumer = std::min<int64_t>(
        divide(pool - producer * ofProducer.getWarpgroups() - ofHelpers,
               consumers),
        240);
  // If there is one consumer warpgroup, no reducer, and the schedule does not
  // state the producer's number of registers, the producer gets all registers
  // that the other roles leave, but each thread at most this number. The
  // producer needs them for the coordinates of tiles of many pages.
  constexpr int64_t kMostOfProducer = 104;
  if (consumers == 1 && !schedule.hasReducer() && !isSaid)
    producer = std::min(
        divide(pool - consumer - ofHelpers, ofProducer.getWarpgroups()),
        kMostOfProducer);
}

SmallVector<int64_t> RegisterSplit::getOfRoles() const {
  SmallVector<int64_t> registers = {consumer};
  registers.append(helpers);
  registers.push_back(producer);
  return registers;
}

SmallVector<int64_t>
mlir::attn_gpu::getWarpgroupsOfRoles(ScheduleAttr schedule) {
  SmallVector<int64_t> warpgroups = {schedule.getNumConsumers()};
  for (RoleAttr role : schedule.getRoles().getList().drop_front())
    warpgroups.push_back(role.getWarpgroups());
  return warpgroups;
}

int64_t mlir::attn_gpu::getRegistersAtLaunch(ScheduleAttr schedule,
                                             const attn::Chip &chip) {
  int64_t consumers = schedule.getNumConsumers();
  if (!schedule.hasProducer())
    return getRegistersAtLaunch(std::max<int64_t>(consumers, 1));
  if (!chip.hasRegisterSplit())
    return getRegistersAtLaunch(schedule.getNumWarpgroups());
  return getRegistersAtLaunch(getWarpgroupsOfRoles(schedule),
                              RegisterSplit(schedule).getOfRoles());
}

/// Returns the number of registers of each computing thread.
static int64_t getConsumerRegisters(ScheduleAttr schedule,
                                    const attn::Chip &chip) {
  return schedule.hasProducer() && chip.hasRegisterSplit()
             ? RegisterSplit(schedule).consumer
             : getRegistersAtLaunch(schedule, chip);
}

/// Returns the number of registers of each thread that the left operand and the
/// accumulators may take together before ptxas spills.
static int64_t getOperandBudget(ScheduleAttr schedule, const attn::Chip &chip,
                                RankedTensorType left) {
  constexpr int64_t kBudget = 176;
  if (!schedule.hasProducer())
    return kBudget;
  // The number of registers of each consumer thread for values other than left
  // operands and accumulators, mainly probabilities; in gradients, these are
  // the rounded probabilities of 64 rows and their gradients. Probabilities of
  // 8 bits take a quarter of the registers that scores take.
  int64_t others = left.getElementTypeBitWidth() == 8 ? 32
                   : schedule.hasReducer()            ? 48
                                                      : 64;
  return std::min(getConsumerRegisters(schedule, chip) - others, kBudget);
}

int64_t mlir::attn_gpu::getLeftWords(RankedTensorType left) {
  int64_t bits = left.getElementTypeBitWidth();
  if (left.getElementType().isF32())
    bits *= 2;
  return left.getNumElements() * bits / 32;
}

bool mlir::attn_gpu::fitsRegisters(ScheduleAttr schedule,
                                   const attn::Chip &chip,
                                   RankedTensorType left,
                                   int64_t accumulators) {
  // With wgmma and without overlap, the loop waits for each wgmma at once, and
  // left operands are not kept in registers. ptxas 13.0 might give such an
  // operand's registers to another MMA, so that the next iteration would read
  // wrong values (seen in SASS: probabilities in place of the query).
  if (schedule.getMma() == MmaKind::Wgmma && !schedule.getOverlap())
    return false;
  return getLeftWords(left) + accumulators <=
         getOperandBudget(schedule, chip, left) * 32 * schedule.getWarps();
}

bool mlir::attn_gpu::hasRegisters(ScheduleAttr schedule, const attn::Chip &chip,
                                  int64_t words) {
  // The number of registers of each thread that hold addresses, coordinates and
  // temporary values.
  constexpr int64_t kOtherRegisters = 24;
  int64_t registers = getConsumerRegisters(schedule, chip) - kOtherRegisters;
  return words <= registers * 32 * schedule.getWarps();
}

//===----------------------------------------------------------------------===//
// Tiles one after the other
//===----------------------------------------------------------------------===//

/// The alignment of swizzled tiles in shared memory, in bytes.
static constexpr int64_t kTileAlignment = 1024;

static int64_t getElementBytes(RankedTensorType tile) {
  return tile.getElementTypeBitWidth() / 8;
}

int64_t TileMemory::getRowSize(RankedTensorType tile) {
  if (tile.getRank() == 1)
    return tile.getDimSize(0);
  if (isSwizzled(tile))
    return llvm::alignTo(tile.getDimSize(1),
                         getPanelColumns(tile.getElementType()));
  return tile.getDimSize(1) + kRowPadding / getElementBytes(tile);
}

int64_t TileMemory::getTileBytes(RankedTensorType tile) {
  if (tile.getRank() == 1)
    return tile.getNumElements() * getElementBytes(tile);
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

/// The least number of bytes of shared memory that each plan reserves for
/// barriers. It is more than most kernels need.
static constexpr int64_t kReservedBytes = 1024;

/// The number of bytes of the scheduler's slots for numbers of tiles: 4 bytes
/// and two barriers for each slot.
static constexpr int64_t kSchedulerBytes =
    llvm::alignTo<16>(kSchedulerSlots * (2 * kBarrierBytes + 4));

bool mlir::attn_gpu::canStage(RankedTensorType tile, ShapedType array) {
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  // TMA writes whole units of 16 bytes, and would write past a row that ends
  // within such a unit. So the array's rows must have a static length that is a
  // multiple of 16 bytes.
  int64_t columns = array.getShape().back();
  if (ShapedType::isDynamic(columns) ||
      columns * getElementBytes(tile) % kCopyBytes != 0)
    return false;
  // stmatrix stores 16 columns of 16 bits at a time, so the tile must have a
  // multiple of 16 columns.
  return tile.getRank() == 2 && tile.getElementTypeBitWidth() == 16 &&
         tile.getDimSize(1) % 16 == 0 && (!layout || layout.dividesRows());
}

bool mlir::attn_gpu::canStageAdded(RankedTensorType tile) {
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  return tile.getRank() == 2 && tile.getElementType().isF32() &&
         (!layout || layout.dividesRows());
}

static RingType getRing(RankedTensorType tile, int64_t stages) {
  MLIRContext *context = tile.getContext();
  Attribute layout = tile.getEncoding();
  if (tile.getRank() == 1)
    layout = SharedLayoutAttr::get(context, /*padding=*/0);
  else if (!isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(layout))
    layout = SwizzledLayoutAttr::get(context);
  return RingType::get(
      context, stages,
      RankedTensorType::get(tile.getShape(), tile.getElementType(), layout));
}

static int64_t getTileBytes(RankedTensorType tile) {
  return getRing(tile, 1).getTileBytes();
}

/// Returns the number of bytes that a tile takes in shared memory in panels, if
/// its last panel is filled up with unused columns.
static int64_t getStagedBytes(RankedTensorType tile) {
  Type element = tile.getElementType();
  return tile.getDimSize(0) *
         llvm::alignTo(tile.getDimSize(1), getPanelColumns(element)) *
         element.getIntOrFloatBitWidth() / 8;
}

/// Returns the number of bytes of the smallest buffer in shared memory through
/// which an output can be stored. The buffer must hold the whole tile or, if a
/// reducer adds the tile to memory, the columns that the reducer adds at a
/// time.
static int64_t getLeastBytes(const OutputRequest &output) {
  int64_t bytes = getStagedBytes(output.tile);
  if (!output.isReduced)
    return bytes;
  int64_t columns = output.tile.getDimSize(1);
  int64_t panel = getPanelColumns(output.tile.getElementType());
  return bytes / llvm::divideCeil(columns, panel) *
         llvm::divideCeil(std::min(columns, output.partColumns), panel);
}

/// Returns the number of slots of a ring: `exchanged` for a tile that one role
/// computes and another reads, `stages` of the schedule for a tile that a loop
/// loads, and `single` for a tile that a program loads once. A tile of the last
/// kind has one slot if consumers copy it to registers and it is a left operand
/// or a vector, since its slot is then free soon after the program has begun.
static int64_t getSlots(const RingRequest &ring, ScheduleAttr schedule,
                        int64_t single, int64_t exchanged) {
  if (ring.isExchanged)
    return exchanged;
  if (ring.isStreamed)
    return schedule.getStages();
  bool isFreeEarly = ring.isCopied && (ring.isLeft || ring.tile.getRank() == 1);
  return isFreeEarly ? 1 : single;
}

/// Returns the number of bytes of all rings, with the numbers of slots that
/// getSlots() returns.
static int64_t getBytes(ScheduleAttr schedule, ArrayRef<RingRequest> rings,
                        int64_t single, int64_t exchanged) {
  int64_t bytes = 0;
  for (const RingRequest &ring : rings)
    if (!ring.host)
      bytes += llvm::alignTo(getTileBytes(ring.tile) *
                                 getSlots(ring, schedule, single, exchanged),
                             kTileAlignment);
  return bytes;
}

/// Returns the largest number of bytes that the barriers of rings, and the
/// scheduler, can take.
static int64_t getMostBarrierBytes(ScheduleAttr schedule,
                                   ArrayRef<RingRequest> rings) {
  int64_t bytes =
      schedule.getScheduler() == SchedulerKind::Dynamic ? kSchedulerBytes : 0;
  for (const RingRequest &ring : rings)
    bytes +=
        getRing(ring.tile, getSlots(ring.host ? rings[*ring.host] : ring,
                                    schedule, /*single=*/2, kExchangeSlots))
            .getBarrierBytes();
  return bytes;
}

RingPlan mlir::attn_gpu::planRings(ScheduleAttr schedule,
                                   const attn::Chip &chip,
                                   ArrayRef<RingRequest> rings,
                                   ArrayRef<OutputRequest> outputs,
                                   int64_t exchangedBytes) {
  RingPlan plan;
  if (rings.empty())
    return plan;
  auto take = [&](int64_t bytes) {
    int64_t offset = plan.numBytes;
    plan.numBytes += bytes;
    return offset;
  };
  auto takeTiles = [&](int64_t bytes) {
    return take(llvm::alignTo(bytes, kTileAlignment));
  };

  // Barriers and the data that warps exchange come after the tiles in shared
  // memory. Their bytes are reserved before tiles and outputs are given the
  // rest.
  int64_t reservedBytes =
      std::max(kReservedBytes, getMostBarrierBytes(schedule, rings)) +
      exchangedBytes;
  int64_t all = reservedBytes, least = reservedBytes;
  for (const OutputRequest &output : outputs) {
    all += getStagedBytes(output.tile);
    if (output.isReduced)
      least += getLeastBytes(output);
  }
  // A tile that a program loads once, and a tile that one role passes to
  // another, have two slots each if there is room, so that the next tile can
  // arrive while this one is read. Otherwise they have one slot.
  int64_t exchanged = kExchangeSlots;
  if (getBytes(schedule, rings, /*single=*/1, exchanged) + least >
      chip.sharedBytes)
    exchanged = 1;
  int64_t single = 2;
  if (getBytes(schedule, rings, single, exchanged) + all > chip.sharedBytes)
    single = 1;
  for (const RingRequest &ring : rings) {
    if (ring.host) {
      plan.rings.push_back(plan.rings[*ring.host]);
      continue;
    }
    int64_t stages = getSlots(ring, schedule, single, exchanged);
    plan.rings.push_back(
        {stages, takeTiles(stages * getTileBytes(ring.tile)), 0});
  }
  // An output is staged in memory of its own, after the rings, if there is
  // room. Otherwise it reuses the memory of an earlier output. If there is
  // none, it reuses the memory of a left operand that is loaded once and has as
  // many rows: each warpgroup then overwrites only rows that it alone has read.
  std::optional<RingPlan::Output> last;
  for (const OutputRequest &request : outputs) {
    RankedTensorType output = request.tile;
    std::optional<RingPlan::Output> &place = plan.outputs.emplace_back();
    int64_t bytes = getStagedBytes(output);
    int64_t room = chip.sharedBytes - reservedBytes - plan.numBytes;
    if (request.isReduced) {
      // A reducer adds its tile part by part. Allocates buffers for as many
      // parts as there is room for, such that each buffer serves equally many
      // parts.
      int64_t part = getLeastBytes(request);
      int64_t parts = llvm::divideCeil(bytes, part);
      int64_t places = std::min(parts, room / part);
      while (places > 0 && parts % places)
        --places;
      bytes = std::min(bytes, places * part);
      if (bytes > 0)
        place = {takeTiles(bytes), bytes, places, part};
    } else if (bytes <= room) {
      place = last = {takeTiles(bytes), bytes};
    } else if (last && bytes <= last->bytes) {
      place = {last->offset, bytes};
    } else if (!last && !plan.overlaid) {
      for (auto [i, ring, planned] : llvm::enumerate(rings, plan.rings)) {
        if (!ring.isLeft || ring.isStreamed || planned.stages != 1 ||
            ring.tile.getRank() != 2 ||
            ring.tile.getDimSize(0) != output.getDimSize(0) ||
            getTileBytes(ring.tile) < bytes)
          continue;
        plan.overlaid = i;
        place = {planned.offset, bytes};
        break;
      }
    }
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
  bool hasBarriers = schedule.getCopy() == CopyKind::Tma;
  for (auto [tile, slots] : rings) {
    RingType ring = getRing(tile, slots);
    int64_t offset =
        tile.getRank() == 1
            ? memory.allocate(slots * ring.getTileBytes(hasBarriers))
            : memory.allocate(ring.getTile(), slots);
    plan.rings.push_back({slots, offset, barrierBytes});
    if (hasBarriers)
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
