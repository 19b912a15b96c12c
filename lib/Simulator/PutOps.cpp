//===- PutOps.cpp - Tiles that warps put into rings -----------------------===//
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

/// Runs a put into a ring if it has no tile number, since no pass has numbered
/// slots in the program yet. Waits until all warps of the layout have
/// contributed their elements of the tile; the first warp then appends the tile
/// to the ring's queue.
LogicalResult putNext(Agent &agent, PutOp op, Ring &ring,
                      const TileLayout &layout, const Tile &tile) {
  auto type = op.getTile().getType().clone(
      op.getRing().getType().getTile().getElementType());
  auto elements =
      agent.exchange(op, layout, tile, cast<RankedTensorType>(type));
  if (failed(elements))
    return failure();
  ring.isQueue = true;
  if (!layout.hasWarp(agent.warp - 1))
    ring.queue.push_back(
        std::make_shared<const std::vector<float>>((*elements)->elements));
  return success();
}

/// Writes the calling warp's part of the transpose of `source` to the slot at
/// byte `offset` of shared memory. The four warps of the warpgroup take units
/// of 16 columns of `source` in turn: of each 64 columns, warp w transposes
/// columns 16w to 16w + 15.
LogicalResult putTransposed(Agent &agent, PutOp op, Ring &ring, int64_t offset,
                            const SharedTile &source) {
  constexpr int64_t kUnit = 16, kWarps = 4;
  RankedTensorType from = op.getTile().getType();
  const SharedLayout &layout = agent.simulation.getSharedLayout(from);
  const SharedLayout &target =
      agent.simulation.getSharedLayout(ring.type.getTile());
  int64_t rows = from.getDimSize(0);
  if (failed(agent.checkHeld(op, source)))
    return failure();
  for (int64_t column = agent.warp % kWarps * kUnit;
       column < from.getDimSize(1); column += kWarps * kUnit) {
    Part part{0, rows, column, kUnit}, transposed{column, kUnit, 0, rows};
    if (failed(notePart(agent, op, layout, source.offset, part,
                        agent.getAccessor(), /*isWrite=*/false)) ||
        failed(notePart(agent, op, target, offset, transposed,
                        agent.getAccessor(), /*isWrite=*/true)))
      return failure();
    std::vector<float> elements =
        transpose(readPart(*agent.cta, layout, source, part), rows, kUnit);
    for (int64_t row = 0; row < kUnit; ++row)
      for (int64_t i = 0; i < rows; ++i)
        storeElement(
            agent.cta->memory.at(offset + target.getOffset(column + row, i)),
            target.getDType(), 0, elements[row * rows + i]);
  }
  return success();
}

/// Runs a transposing put into a ring if it has no tile number, since no pass
/// has numbered slots in the program yet. The first warp of the warpgroup
/// appends the transpose of `source` to the ring's queue, and the other warps
/// do nothing.
LogicalResult putNextTransposed(Agent &agent, PutOp op, Ring &ring,
                                const SharedTile &source) {
  RankedTensorType from = op.getTile().getType();
  int64_t rows = from.getDimSize(0), columns = from.getDimSize(1);
  ring.isQueue = true;
  if (agent.warp % kWarpsPerGroup == 0)
    ring.queue.push_back(std::make_shared<const std::vector<float>>(
        transpose(readPart(*agent.cta, agent.simulation.getSharedLayout(from),
                           source, {0, rows, 0, columns}),
                  rows, columns)));
  return success();
}

/// Returns the elements that a put of `tile` writes: integers become floats.
/// Floats have the same values in all types that are wide enough.
Tile extend(const Tile &tile, PutOp op) {
  if (isa<FloatType>(op.getTile().getType().getElementType()))
    return tile;
  unsigned width = op.getTile().getType().getElementTypeBitWidth();
  auto extended = std::make_shared<Registers>();
  for (int64_t element : tile->ints)
    extended->floats.push_back(
        static_cast<float>(llvm::SignExtend64(element, width)));
  return extended;
}

LogicalResult runPut(Agent &agent, PutOp op) {
  Ring *ring = getRing(agent, op, op.getRing());
  Tile tile;
  SharedTile source;
  const TileLayout *layout = nullptr;
  if (!ring || failed(agent.checkWholeWarp(op)))
    return failure();
  if (op.getTranspose()) {
    const SharedTile *found = agent.get<SharedTile>(op, op.getTile());
    if (!found)
      return failure();
    source = *found;
    if (!op.getIndex())
      return putNextTransposed(agent, op, *ring, source);
  } else {
    const Tile *found = agent.get<Tile>(op, op.getTile());
    layout = getTileLayout(agent, op, op.getTile());
    if (!found || !layout)
      return failure();
    tile = extend(*found, op);
    if (!op.getIndex())
      return putNext(agent, op, *ring, *layout, tile);
  }
  FailureOr<uint32_t> number = getNumber(agent, op, op.getIndex());
  if (failed(number))
    return failure();
  SlotPlace place(*ring, *number);
  Ring::Slot &slot = ring->slots[place.slot];
  if (failed(occupySlot(agent, op, *ring, *number, /*isShared=*/true)))
    return failure();
  if (op.getMeets() &&
      failed(agent.meet(op, kFirstWarpgroupBarrier + agent.getWarpgroup(),
                        kWarpgroup)))
    return failure();
  int64_t offset = ring->offset + place.slot * ring->slotBytes;
  if (op.getTranspose()) {
    if (failed(putTransposed(agent, op, *ring, offset, source)))
      return failure();
  } else {
    const SharedLayout &shared =
        agent.simulation.getSharedLayout(ring->type.getTile());
    if (failed(notePart(agent, op, shared, offset, getPart(*layout, agent.warp),
                        agent.getAccessor(),
                        /*isWrite=*/true)))
      return failure();
    writeTile(agent, *layout, shared, offset, tile);
  }
  agent.clock.fence();
  ++slot.written;
  if (slot.written == ring->writers)
    slot.state = Ring::Slot::State::Full;
  return agent.arrive(op, ring->getFull(place.slot));
}

} // namespace

void sim::addPutOps(Handlers &handlers) { handlers.add<PutOp>(runPut); }
