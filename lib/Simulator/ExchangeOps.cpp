//===- ExchangeOps.cpp - Tiles between registers and shared memory --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "SharedTiles.h"

#include "mlir/IR/TypeUtilities.h"

#include <map>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {

/// Runs a conversion of a tile from registers to shared memory if no pass has
/// chosen the result's offset yet. Waits until all warps of the layout have
/// contributed their elements. The result then holds the elements instead of an
/// offset.
LogicalResult gather(Agent &agent, ConvertLayoutOp op) {
  const Tile *tile = agent.get<Tile>(op, op.getInput());
  const TileLayout *layout = getTileLayout(agent, op, op.getInput());
  if (!tile || !layout)
    return failure();
  auto elements = agent.exchange(op, *layout, *tile, op.getInput().getType());
  if (failed(elements))
    return failure();
  agent.set(op.getResult(), makeTile((*elements)->elements));
  return success();
}

/// Runs a conversion between two layouts in registers in which each warp holds
/// the same rows, or the same elements of a vector: each element moves to the
/// lane and register of the warp where the new layout has it. Reports a misfit
/// if the new layout has elements that the warp did not hold.
LogicalResult exchangeInRows(Agent &agent, ConvertLayoutOp op,
                             const TileLayout &layout) {
  const TileLayout *before = getTileLayout(agent, op, op.getInput());
  const Tile *tile = agent.get<Tile>(op, op.getInput());
  if (!tile || !before || failed(agent.checkWholeWarp(op)))
    return failure();
  std::map<std::pair<int64_t, int64_t>, double> elements;
  for (int64_t i = 0; i < before->getSize(); ++i)
    elements[{before->getRow(agent.warp, i),
              before->getColumn(agent.warp, i)}] = (*tile)->get(i);
  std::vector<double> moved;
  for (int64_t i = 0; i < layout.getSize(); ++i) {
    auto found = elements.find(
        {layout.getRow(agent.warp, i), layout.getColumn(agent.warp, i)});
    if (found == elements.end())
      return agent.misfit(op, "expected elements that the warp has");
    moved.push_back(found->second);
  }
  setNumbers(agent, op.getResult(), moved);
  return success();
}

/// Runs attn_gpu.convert_layout. From registers to shared memory, gather()
/// converts the tile. From shared memory to registers, each warp reads its
/// elements. From registers to registers, exchangeInRows() converts it, unless
/// the types are equal and nothing changes.
LogicalResult runConvert(Agent &agent, ConvertLayoutOp op) {
  if (isShared(op.getResult().getType()) && !isShared(op.getInput().getType()))
    return gather(agent, op);
  const TileLayout *layout = getTileLayout(agent, op, op.getResult());
  if (!layout)
    return failure();
  if (!isShared(op.getInput().getType())) {
    if (op.getInput().getType() != op.getResult().getType())
      return exchangeInRows(agent, op, *layout);
    agent.set(op.getResult(), agent.get(op.getInput()));
    return success();
  }
  const SharedTile *found = agent.get<SharedTile>(op, op.getInput());
  if (!found || failed(agent.checkWholeWarp(op)))
    return failure();
  SharedTile tile = *found;
  const SharedLayout &shared =
      agent.simulation.getSharedLayout(op.getInput().getType());
  if (!tile.contents &&
      (failed(agent.checkHeld(op, tile)) ||
       failed(notePart(agent, op, shared, tile.offset,
                       getPart(*layout, agent.warp), agent.getAccessor(),
                       /*isWrite=*/false))))
    return failure();
  std::vector<float> elements;
  for (int64_t i = 0; i < layout->getSize(); ++i)
    elements.push_back(readElement(*agent.cta, shared, tile,
                                   layout->getRow(agent.warp, i),
                                   layout->getColumn(agent.warp, i)));
  setNumbers(agent, op.getResult(), elements);
  return success();
}

/// Runs a transpose of a tile in shared memory if no pass has chosen the
/// result's offset yet. The result then holds the transposed elements instead
/// of an offset.
LogicalResult runTranspose(Agent &agent, TransposeOp op) {
  const SharedTile *found = agent.get<SharedTile>(op, op.getInput());
  if (!found)
    return failure();
  RankedTensorType type = op.getInput().getType();
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  agent.set(op.getResult(),
            makeTile(transpose(readPart(*agent.cta,
                                        agent.simulation.getSharedLayout(type),
                                        *found, {0, rows, 0, columns}),
                               rows, columns)));
  return success();
}

/// Takes columns of a tile in registers.
LogicalResult runRegisterColumns(Agent &agent, ColumnsOp op) {
  const Tile *tile = agent.get<Tile>(op, op.getTile());
  if (!tile)
    return failure();
  std::vector<double> taken;
  for (int64_t from : op.getRegisters())
    for (int64_t lane = 0; lane < kLanes; ++lane)
      taken.push_back((*tile)->get(from * kLanes + lane));
  setNumbers(agent, op.getResult(), taken);
  return success();
}

LogicalResult runColumns(Agent &agent, ColumnsOp op) {
  if (!isShared(op.getTile().getType()))
    return runRegisterColumns(agent, op);
  const SharedTile *found = agent.get<SharedTile>(op, op.getTile());
  if (!found)
    return failure();
  SharedTile tile = *found;
  auto first = static_cast<int64_t>(op.getFirst());
  RankedTensorType whole = op.getTile().getType();
  if (tile.contents) {
    const SharedLayout &layout = agent.simulation.getSharedLayout(whole);
    agent.set(op.getResult(),
              makeTile(readPart(*agent.cta, layout, tile,
                                {0, whole.getDimSize(0), first,
                                 op.getResult().getType().getDimSize(1)})));
    return success();
  }
  tile.offset += agent.simulation.getSharedLayout(whole).getOffset(0, first);
  agent.set(op.getResult(), tile);
  return success();
}

LogicalResult runLocalStore(Agent &agent, LocalStoreOp op) {
  const Tile *found = agent.get<Tile>(op, op.getTile());
  const TileLayout *layout = getTileLayout(agent, op, op.getTile());
  if (!found || !layout)
    return failure();
  Tile tile = *found;
  auto encoding = cast<MmaLayoutAttr>(op.getTile().getType().getEncoding());
  const SharedLayout &shared =
      agent.simulation.getSharedLayout(op.getResult().getType());
  auto offset = static_cast<int64_t>(op.getOffset());
  if ((!op.getBehindBarrier() &&
       failed(agent.meetWarps(op, encoding.getWarps()))))
    return failure();
  if (!layout->isCopy(agent.warp)) {
    if (failed(notePart(agent, op, shared, offset, getPart(*layout, agent.warp),
                        agent.getAccessor(), /*isWrite=*/true)))
      return failure();
    writeTile(agent, *layout, shared, offset, tile);
  }
  // MMAs read swizzled tiles through the async proxy, so a store of a swizzled
  // tile to shared memory includes a fence of proxies.
  if (isSwizzled(op.getResult().getType()))
    agent.clock.fence();
  if (failed(agent.meetWarps(op, encoding.getWarps())))
    return failure();
  SharedTile result;
  result.offset = offset;
  agent.set(op.getResult(), result);
  return success();
}

} // namespace

std::shared_ptr<Exchange> Agent::getExchange(Operation *op, int64_t elements) {
  std::shared_ptr<Exchange> &place = cta->exchanges[{op, numExchanges[op]++}];
  if (!place) {
    place = std::make_shared<Exchange>();
    place->elements.resize(elements);
  }
  return place;
}

FailureOr<std::shared_ptr<const Exchange>>
Agent::exchange(Operation *op, const TileLayout &layout, const Tile &tile,
                RankedTensorType type) {
  if (failed(checkWholeWarp(op)))
    return failure();
  if (tile->floats.empty())
    return refuse(op, "expected a tile of floats");
  std::shared_ptr<Exchange> own = getExchange(op, type.getNumElements());
  for (int64_t i = 0; i < layout.getSize(); ++i)
    own->elements[layout.getRow(warp, i) * type.getShape().back() +
                  layout.getColumn(warp, i)] = tile->floats[i];
  ++own->numArrived;
  int64_t warps = layout.getNumWarps();
  if (failed(wait(
          op, [own, warps] { return own->numArrived >= warps; },
          [] { return std::string("waits for the elements of other warps"); })))
    return failure();
  return std::shared_ptr<const Exchange>(own);
}

void sim::addExchangeOps(Handlers &handlers) {
  handlers.add<ConvertLayoutOp>(runConvert);
  handlers.add<LocalStoreOp>(runLocalStore);
  handlers.add<ColumnsOp>(runColumns);
  handlers.add<TransposeOp>(runTranspose);
}
