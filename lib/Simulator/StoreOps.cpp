//===- StoreOps.cpp - Stores by TMA ---------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "GlobalMemory.h"
#include "SharedTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {

/// Waits until all TMA stores of the agent, except the `pending` newest ones,
/// have read shared memory or, if `untilRead` is false, have written global
/// memory. The agent's later actions are ordered after these stores.
LogicalResult waitForStores(Agent &agent, Operation *op, bool untilRead,
                            size_t pending = 0) {
  auto stores = agent.stores;
  stores.resize(stores.size() - std::min(pending, stores.size()));
  if (failed(agent.wait(
          op,
          [stores, untilRead] {
            return llvm::all_of(stores, [&](const auto &store) {
              return untilRead ? store->isRead : store->isDone;
            });
          },
          [] { return "waits for its stores"; })))
    return failure();
  for (const std::shared_ptr<Transfer> &store : stores) {
    agent.clock.join(store->clock);
    store->isWaitedFor = true;
  }
  return success();
}

/// Returns how many rows of a tile each warpgroup stores by TMA.
int64_t getWarpgroupRows(RankedTensorType tile) {
  int64_t warps = cast<MmaLayoutAttr>(tile.getEncoding()).getWarps();
  return tile.getDimSize(0) / (warps / kWarpsPerGroup);
}

/// Begins a TMA store of those rows of the tile that the agent's warpgroup
/// holds. The store reads shared memory at a later, random time, and at another
/// one after that writes the elements to global memory or, with `add`, adds
/// them.
LogicalResult beginStore(Agent &agent, StoreAsyncOp op,
                         const std::shared_ptr<const TensorMap> &map,
                         SmallVector<int64_t> coordinates) {
  RankedTensorType type = op.getTile().getType();
  const SharedLayout &layout = agent.simulation.getSharedLayout(
      RankedTensorType::get(type.getShape(), type.getElementType(),
                            SwizzledLayoutAttr::get(type.getContext())));
  int64_t rows = getWarpgroupRows(type);
  int64_t firstWarp = cast<MmaLayoutAttr>(type.getEncoding()).getFirstWarp();
  int64_t firstRow = (agent.getWarpgroup() - firstWarp / kWarpsPerGroup) * rows;
  Part part{firstRow, rows, 0, layout.getColumns()};
  coordinates[coordinates.size() - 2] += firstRow;

  std::shared_ptr<Cta> cta = agent.cta;
  auto [engine, clock] = agent.beginEngine();
  auto offset = static_cast<int64_t>(op.getOffset());
  if (failed(notePart(agent, op, layout, offset, part,
                      {engine, clock, /*isAsync=*/true}, /*isWrite=*/false)))
    return failure();
  auto store = std::make_shared<Transfer>();
  store->op = op;
  store->clock = clock;
  agent.stores.push_back(store);
  auto elements = std::make_shared<std::vector<float>>();
  Scheduler &scheduler = agent.simulation.scheduler;
  scheduler.post([] { return true; },
                 [cta, &layout, offset, part, elements, store] {
                   SharedTile tile;
                   tile.offset = offset;
                   *elements = readPart(*cta, layout, tile, part);
                   store->isRead = true;
                 });
  scheduler.post([store] { return store->isRead; },
                 [op, cta, map, coordinates, part, elements, store,
                  warp = agent.warp, isAdded = op.getAdd()] {
                   Agent engine(cta, warp, /*outer=*/nullptr);
                   SmallVector<int64_t> indices(coordinates);
                   size_t rank = indices.size();
                   for (int64_t row = 0; row < part.rows; ++row)
                     for (int64_t column = 0; column < part.columns; ++column) {
                       indices[rank - 2] = coordinates[rank - 2] + row;
                       indices[rank - 1] = coordinates[rank - 1] + column;
                       if (isInside(*map->view, indices))
                         (void)storeGlobal(
                             engine, op, *map->view, indices,
                             (*elements)[row * part.columns + column], isAdded);
                     }
                   store->isDone = true;
                 });
  return success();
}

LogicalResult runStoreAsync(Agent &agent, StoreAsyncOp op) {
  const Tile *found = agent.get<Tile>(op, op.getTile());
  auto *map = agent.get<std::shared_ptr<const TensorMap>>(op, op.getMap());
  RankedTensorType type = op.getTile().getType();
  const TileLayout *layout = agent.simulation.getLayout(type);
  SmallVector<int64_t> coordinates;
  if (!found || !map ||
      failed(agent.getInts(op, op.getCoordinates(), coordinates)))
    return failure();
  auto encoding = dyn_cast_or_null<MmaLayoutAttr>(type.getEncoding());
  if (!layout || !encoding || !layout->hasWarp(agent.warp) ||
      !encoding.dividesRows() || encoding.getWarps() % kWarpsPerGroup != 0 ||
      encoding.getFirstWarp() % kWarpsPerGroup != 0 ||
      (type.getElementTypeBitWidth() != 16 && !type.getElementType().isF32()))
    return agent.misfit(op,
                        "expected rows of 16-bit elements or f32 for each of "
                        "the calling warpgroups");
  if (failed(checkBox(
          agent, op, **map, coordinates,
          RankedTensorType::get({getWarpgroupRows(type), type.getDimSize(1)},
                                type.getElementType()))))
    return failure();
  Tile tile = *found;
  const SharedLayout &shared = agent.simulation.getSharedLayout(
      RankedTensorType::get(type.getShape(), type.getElementType(),
                            SwizzledLayoutAttr::get(type.getContext())));
  auto offset = static_cast<int64_t>(op.getOffset());
  int64_t barrier = kFirstWarpgroupBarrier + agent.getWarpgroup();
  bool isFirst = agent.warp % kWarpsPerGroup == 0;
  if (isFirst && !op.getWait() &&
      failed(waitForStores(agent, op, /*untilRead=*/true, op.getPending())))
    return failure();
  if (failed(agent.meet(op, barrier, kWarpgroup)) ||
      failed(notePart(agent, op, shared, offset, getPart(*layout, agent.warp),
                      agent.getAccessor(), /*isWrite=*/true)))
    return failure();
  writeTile(agent, *layout, shared, offset, tile);
  agent.clock.fence();
  if (failed(agent.meet(op, barrier, kWarpgroup)))
    return failure();
  if (!isFirst)
    return success();
  if (failed(beginStore(agent, op, *map, coordinates)))
    return failure();
  return op.getWait() ? waitForStores(agent, op, /*untilRead=*/true)
                      : success();
}

} // namespace

void sim::addStoreOps(Handlers &handlers) {
  handlers.add<StoreAsyncOp>(runStoreAsync);
  handlers.add<FinishStoresOp>([](Agent &agent, FinishStoresOp op) {
    return waitForStores(agent, op, /*untilRead=*/false);
  });
}
