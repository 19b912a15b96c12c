//===- RingOps.cpp - Rings, their slots and barriers ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "RingSlots.h"
#include "SharedTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {

std::string describe(const Ring::Slot &slot, int64_t number) {
  std::string text = "slot " + std::to_string(number);
  switch (slot.state) {
  case Ring::Slot::State::Free:
    return text + (slot.fill ? ", which was released" : ", which is empty");
  case Ring::Slot::State::Filling:
    return text + ", to which " + nameTile(slot.number) + " is being copied";
  case Ring::Slot::State::Full:
    return text + " with " + nameTile(slot.number);
  }
  return text;
}

LogicalResult runRing(Agent &agent, RingOp op) {
  if (!agent.cta)
    return agent.fail(op, "expected a launch around it");
  // The key that identifies a ring in its CTA is the offset of the ring's
  // barriers in shared memory. For a ring without barriers, it is the
  // complement of the ring's own offset, which is negative and therefore
  // differs from the other keys.
  int64_t key = op.getBarriers().value_or(~op.getOffset());
  std::unique_ptr<Ring> &ring = agent.cta->rings[key];
  if (!ring) {
    ring = std::make_unique<Ring>();
    ring->type = op.getRing().getType();
    ring->offset = op.getOffset();
    ring->slotBytes = op.getSlotBytes();
    ring->barriers = op.getBarriers();
    ring->isUnfenced = op.getUnfenced();
    ring->isOfEachWarp = op.getEachWarp();
    ring->slots.resize(ring->type.getStages());
    for (Ring::Slot &slot : ring->slots) {
      slot.acquired.resize(agent.cta->warps);
      slot.releasedBy.resize(agent.cta->warps);
    }
  }
  agent.set(op.getRing(), ring.get());
  return success();
}

} // namespace

LogicalResult sim::prepareBarrier(Agent &agent, Operation *op, int64_t offset,
                                  int64_t count) {
  if (failed(agent.noteWrite(op, offset, kBarrierBytes)))
    return failure();
  if (!agent.cta->barriers.try_emplace(offset, count, agent.warp).second)
    return agent.fail(op, "expected to prepare each barrier once, found that "
                          "at byte " +
                              Twine(offset) + " prepared");
  return success();
}

namespace {

LogicalResult runInitRing(Agent &agent, InitRingOp op) {
  Ring *ring = getRing(agent, op, op.getRing());
  if (!ring)
    return failure();
  ring->readers = op.getReaders();
  ring->writers = op.getWriters().value_or(1);
  for (size_t slot = 0; slot < ring->slots.size(); ++slot)
    if (failed(prepareBarrier(agent, op, ring->getFull(slot), ring->writers)) ||
        failed(prepareBarrier(agent, op, ring->getFree(slot), ring->readers)))
      return failure();
  return success();
}

/// Runs a fill by TMA that has no tile number, since no pass has numbered slots
/// in the program yet. Reads the tile from its arrays, with zeros for elements
/// outside of them, and appends it to the ring's queue.
LogicalResult fillNext(Agent &agent, FillOp op, Ring &ring, const Maps &maps,
                       ArrayRef<int64_t> coordinates) {
  RankedTensorType tile = ring.type.getTile();
  std::vector<float> elements;
  auto load = [&](int64_t, int64_t, const View &view,
                  ArrayRef<int64_t> indices) -> LogicalResult {
    FailureOr<double> element = loadOrZero(agent, op, view, indices);
    if (succeeded(element))
      elements.push_back(static_cast<float>(*element));
    return element;
  };
  if (failed(forEachElement(maps, coordinates, getNumRows(tile),
                            tile.getShape().back(), load)))
    return failure();
  ring.isQueue = true;
  ring.queue.push_back(
      std::make_shared<const std::vector<float>>(std::move(elements)));
  return success();
}

LogicalResult acquireNext(Agent &agent, AcquireOp op, Ring *ring) {
  ring->isQueue = true;
  uint32_t number = agent.numAcquired[ring]++;
  if (failed(agent.wait(
          op, [=] { return ring->queue.size() > number; },
          [=] { return "waits for " + nameTile(number); })))
    return failure();
  SharedTile tile;
  tile.contents = ring->queue[number];
  agent.set(op.getTile(), tile);
  agent.set(op.getNumber(), int64_t(number));
  return success();
}

/// Runs attn_gpu.skip in a program in which no pass has numbered slots yet;
/// attn-gpu-number-slots later replaces the op by a loop. For each of `count`
/// tiles, counts one tile of each of the op's rings as acquired by the agent.
/// If the op has `ping_pong`, the agent also waits for its turn and passes it
/// on for each tile.
LogicalResult runSkip(Agent &agent, SkipOp op) {
  FailureOr<int64_t> count = agent.getInt(op, op.getCount());
  if (failed(count))
    return failure();
  for (int64_t i = 0; i < *count; ++i) {
    if (auto warpgroups = op.getPingPong();
        warpgroups && (failed(agent.waitForTurn(op)) ||
                       failed(agent.passTurn(op, *warpgroups))))
      return failure();
    for (Value value : op.getRings()) {
      Ring *ring = getRing(agent, op, value);
      if (!ring)
        return failure();
      ++agent.numAcquired[ring];
    }
  }
  return success();
}

LogicalResult runFill(Agent &agent, FillOp op) {
  Ring *ring = getRing(agent, op, op.getRing());
  SmallVector<int64_t> coordinates;
  if (ring && op.isByThreads())
    return fillByThreads(agent, op, *ring);
  if (!ring || failed(agent.getInts(op, op.getCoordinates(), coordinates)))
    return failure();
  RankedTensorType tile = ring->type.getTile(), box = tile;
  auto parts = static_cast<int64_t>(op.getParts());
  if (parts > 1)
    box =
        RankedTensorType::get({tile.getDimSize(0) / parts, tile.getDimSize(1)},
                              tile.getElementType());
  Maps maps;
  int64_t panel = getPanelColumns(tile.getElementType());
  int64_t panels =
      tile.getRank() == 1 ? 1 : llvm::divideCeil(tile.getDimSize(1), panel);
  bool hasMapOfPanel = static_cast<int64_t>(op.getMaps().size()) > parts;
  for (int64_t part = 0; part < parts; ++part) {
    int64_t rank = coordinates.size() / parts;
    SmallVector<int64_t> own(ArrayRef(coordinates).slice(part * rank, rank));
    for (int64_t i = 0; i < panels; ++i, own.back() += panel) {
      auto *map = agent.get<std::shared_ptr<const TensorMap>>(
          op, hasMapOfPanel ? op.getMaps()[part * panels + i]
                            : FillOp::getMapOfPart(op.getMaps(), part));
      if (!map || (i == 0 && failed(checkBox(agent, op, **map, own, box))) ||
          failed(checkLoadedBox(agent, op, **map, own)))
        return failure();
      // Of the tensor maps for the panels of a part, only the first is needed
      // to read elements: panels that have another map lie past the last
      // column, where both maps give zeros.
      if (i == 0)
        maps.push_back(*map);
    }
  }
  if (agent.getNumThreads() != 1)
    return agent.fail(op, "expected one thread, found " +
                              Twine(agent.getNumThreads()));
  if (!op.getIndex())
    return fillNext(agent, op, *ring, maps, coordinates);
  FailureOr<uint32_t> number = getNumber(agent, op, op.getIndex());
  if (failed(number))
    return failure();
  SlotPlace place(*ring, *number);
  if (failed(occupySlot(agent, op, *ring, *number)))
    return failure();
  if (failed(checkBoxesWritten(agent, op, maps, tile, coordinates)))
    return failure();

  MemoryBarrier *full = agent.findBarrier(op, ring->getFull(place.slot));
  if (!full)
    return failure();
  const SharedLayout &layout = agent.simulation.getSharedLayout(tile);
  int64_t bytes = ring->slotBytes;
  int64_t offset = ring->offset + place.slot * bytes;
  if (!full->isFenced(agent.clock))
    return agent.fail(op, "copies " + nameTile(*number) +
                              " for a barrier that was prepared without a "
                              "fence.mbarrier.init after it");
  auto [engine, clock] = agent.beginEngine();
  full->expectBytes(bytes);
  if (!full->arrive(clock))
    return agent.fail(op, "expected a phase of the slot's barrier that lacks "
                          "an arrival, found none");
  if (failed(agent.noteWrite(op, offset, bytes,
                             {engine, clock, /*isAsync=*/true})))
    return failure();
  agent.simulation.scheduler.post(
      [] { return true; },
      [cta = agent.cta, ring, maps, &layout, coordinates, offset, place, full,
       clock = clock, bytes] {
        copyBoxes(*cta, maps, layout, coordinates, offset);
        ring->slots[place.slot].state = Ring::Slot::State::Full;
        full->completeBytes(clock, bytes);
      });
  return success();
}

LogicalResult runAcquire(Agent &agent, AcquireOp op) {
  Ring *ring = getRing(agent, op, op.getRing());
  if (!ring)
    return failure();
  if (!op.getIndex())
    return acquireNext(agent, op, ring);
  FailureOr<uint32_t> number = getNumber(agent, op, op.getIndex());
  if (failed(number))
    return failure();
  SlotPlace place(*ring, *number);
  SharedTile tile;
  tile.offset = ring->offset + place.slot * ring->slotBytes;
  if (!ring->barriers) {
    agent.set(op.getTile(), tile);
    agent.set(op.getNumber(), int64_t(int32_t(*number)));
    return success();
  }
  Ring::Slot &slot = ring->slots[place.slot];
  if (failed(agent.waitFor(op, ring->getFull(place.slot), place.parity, [=] {
        return "waits for " + nameTile(*number) + " in slot " +
               std::to_string(place.slot);
      })))
    return failure();
  if (slot.state != Ring::Slot::State::Full || slot.number != *number)
    return agent.fail(op,
                      agent.getName() + " acquires " + nameTile(*number) +
                          ", found " + describe(slot, place.slot),
                      slot.fill, "the slot was filled here");
  slot.acquired[agent.warp] = *number;
  if (ring->isUnfenced)
    agent.clock.fence();
  tile.ring = ring;
  tile.slot = place.slot;
  tile.number = *number;
  agent.set(op.getTile(), tile);
  agent.set(op.getNumber(), int64_t(int32_t(*number)));
  return success();
}

/// Reports an error if an MMA that the warp has issued and not waited for reads
/// slot `slot` of the ring, which `op` releases.
LogicalResult checkMmas(Agent &agent, ReleaseOp op, Ring *ring, int64_t slot) {
  auto &mmas = agent.cta->mmas[agent.getWarpgroup()];
  for (uint64_t i = agent.numEndedMmas; i < agent.numMmas; ++i)
    for (const SharedTile &tile : {mmas[i]->sharedLhs, mmas[i]->rhs})
      if (tile.ring == ring && tile.slot == slot)
        return agent.fail(op,
                          agent.getName() + " releases " +
                              nameTile(tile.number) +
                              " before an MMA that reads it has ended",
                          mmas[i]->op, "the MMA began here");
  return success();
}

LogicalResult runRelease(Agent &agent, ReleaseOp op) {
  Ring *ring = getRing(agent, op, op.getRing());
  if (!ring)
    return failure();
  if (ring->isQueue)
    return success();
  FailureOr<uint32_t> number = getNumber(agent, op, op.getIndex());
  if (failed(number))
    return failure();
  if (op.getEachWarp() != ring->isOfEachWarp)
    return agent.fail(op, ring->isOfEachWarp
                              ? "expected 'each_warp', which the ring has"
                              : "expected no 'each_warp', as the ring has "
                                "none");
  int64_t firstWarp = agent.warp, numWarps = 1;
  if (op.getEachWarp() && failed(agent.checkWholeWarp(op)))
    return failure();
  if (!op.getEachWarp()) {
    // If a release op has no `each_warp`, the first thread of a warpgroup
    // releases the slot for all four warps of the warpgroup.
    if (agent.warp % kWarpsPerGroup != 0)
      return success();
    numWarps = std::min<int64_t>(kWarpsPerGroup, agent.cta->warps - firstWarp);
  }
  SlotPlace place(*ring, *number);
  Ring::Slot &slot = ring->slots[place.slot];
  std::string what = agent.getName() + " releases " + nameTile(*number);
  if (slot.acquired[agent.warp] != *number)
    return agent.fail(op, what + ", which it has not acquired");
  if (slot.number == *number && slot.releasedBy[agent.warp])
    return agent.fail(op, what + " for the second time",
                      slot.releasedBy[agent.warp], "it was released here");
  if (slot.state != Ring::Slot::State::Full || slot.number != *number)
    return agent.fail(op, what + ", found " + describe(slot, place.slot),
                      slot.fill, "the slot was filled here");
  if (failed(checkMmas(agent, op, ring, place.slot)))
    return failure();
  for (int64_t i = 0; i < numWarps; ++i)
    slot.releasedBy[firstWarp + i] = op;
  ++slot.released;
  if (slot.released >= ring->readers)
    slot.state = Ring::Slot::State::Free;
  return agent.arrive(op, ring->getFree(place.slot));
}

} // namespace

LogicalResult sim::occupySlot(Agent &agent, Operation *op, Ring &ring,
                              uint32_t number, bool isShared) {
  SlotPlace place(ring, number);
  Ring::Slot &slot = ring.slots[place.slot];
  if (failed(agent.waitFor(op, ring.getFree(place.slot), !place.parity,
                           [slot = place.slot, number] {
                             return "waits until slot " + std::to_string(slot) +
                                    " is free for " + nameTile(number);
                           })))
    return failure();
  if (isShared && slot.state == Ring::Slot::State::Filling && slot.fill == op &&
      slot.number == number)
    return success();
  if (slot.state != Ring::Slot::State::Free) {
    std::string message = "copies " + nameTile(number) +
                          " to a slot that is not free, " +
                          describe(slot, place.slot);
    if (slot.state == Ring::Slot::State::Full)
      message += ": " + std::to_string(slot.released) + " of " +
                 std::to_string(ring.readers) + " readers have released it";
    return agent.fail(op, message, slot.fill, "the slot was filled here");
  }
  slot.state = Ring::Slot::State::Filling;
  slot.number = number;
  slot.fill = op;
  slot.released = slot.written = 0;
  llvm::fill(slot.releasedBy, nullptr);
  return success();
}

LogicalResult Agent::checkHeld(Operation *op, const SharedTile &tile) {
  if (!tile.ring)
    return success();
  const Ring::Slot &slot = tile.ring->slots[tile.slot];
  std::string what = getName() + " reads " + nameTile(tile.number);
  if (slot.number == tile.number && slot.releasedBy[warp])
    return fail(op, what + " of a ring after its release",
                slot.releasedBy[warp], "it was released here");
  if (slot.number != tile.number || slot.state != Ring::Slot::State::Full)
    return fail(op, what + " of a ring, found " + describe(slot, tile.slot),
                slot.fill, "the slot was filled here");
  return success();
}

void sim::addRingOps(Handlers &handlers) {
  handlers.add<RingOp>(runRing);
  handlers.add<InitRingOp>(runInitRing);
  handlers.add<FillOp>(runFill);
  handlers.add<AcquireOp>(runAcquire);
  handlers.add<ReleaseOp>(runRelease);
  handlers.add<SkipOp>(runSkip);
  handlers.add<PrefetchOp>([](Agent &, PrefetchOp) { return success(); });
}
