//===- GlobalTileOps.cpp - Tiles from and to global memory ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "Elementwise.h"
#include "GlobalMemory.h"
#include "RowLists.h"
#include "SharedTiles.h"

#include "attn/Dialect/AttnTile/IR/RowScatter.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Returns the indices in an array of one element of a tile. `first` are the
/// indices of the tile's first element, and `place` is the element's position
/// in the tile, whose dimensions are the last ones of the array.
SmallVector<int64_t> getIndices(ArrayRef<int64_t> first,
                                ArrayRef<int64_t> place) {
  SmallVector<int64_t> indices(first);
  for (auto [axis, position] : llvm::enumerate(place))
    indices[indices.size() - place.size() + axis] += position;
  return indices;
}

/// Whether one of the last `rank` indices is past the end of the view.
bool isPastEnd(const View &view, ArrayRef<int64_t> indices, int64_t rank) {
  return llvm::any_of(
      llvm::seq(indices.size() - rank, indices.size()),
      [&](size_t dim) { return indices[dim] >= view.sizes[dim]; });
}

/// If the load has a list of rows, replaces the row index in `indices` by the
/// row that the list names. If that index is n rows after the one in `first`,
/// the new index is from element n of the list, or -1 if the list has no such
/// element. Without a list, `indices` do not change.
LogicalResult findListed(Agent &agent, LoadOp op, ArrayRef<int64_t> first,
                         MutableArrayRef<int64_t> indices) {
  auto list = getRowList(agent, op, first);
  if (failed(list) || !*list)
    return list;
  int64_t &ofRow = indices[indices.size() - 2];
  FailureOr<int64_t> row = (*list)->getRow(agent, op, ofRow - (*list)->first);
  if (succeeded(row))
    ofRow = *row;
  return row;
}

/// Returns the element of a load's tile at `place`, of which `first` are the
/// indices of the first element in the view. It is zero if one of its indices
/// in the tile's dimensions is past the end of the view, or if a list of rows
/// names a negative row for it. Other negative indices are errors.
FailureOr<double> loadPlace(Agent &agent, LoadOp op, const View &view,
                            ArrayRef<int64_t> first, ArrayRef<int64_t> place) {
  SmallVector<int64_t> indices = getIndices(first, place);
  if (failed(findListed(agent, op, first, indices)))
    return failure();
  if ((op.isListed() && indices[indices.size() - 2] < 0) ||
      isPastEnd(view, indices, place.size()))
    return 0.0;
  return loadGlobal(agent, op, view, indices);
}

/// Appends to `elements` one part of the tile of a load to shared memory, which
/// no pass has replaced by a copy yet, in row-major order.
LogicalResult loadElements(Agent &agent, LoadOp op, const View &view,
                           ArrayRef<int64_t> first,
                           std::vector<float> &elements) {
  RankedTensorType type = op.getPartType();
  int64_t columns = type.getShape().back();
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    SmallVector<int64_t, 2> place = {i / columns, i % columns};
    FailureOr<double> element = loadPlace(
        agent, op, view, first, ArrayRef(place).take_back(type.getRank()));
    if (failed(element))
      return failure();
    elements.push_back(static_cast<float>(*element));
  }
  return success();
}

/// Runs a load to shared memory of a tile that consists of one or more parts,
/// one for each source array: the result holds the elements, part after part.
LogicalResult loadParts(Agent &agent, LoadOp op, ArrayRef<int64_t> indices) {
  std::vector<float> elements;
  size_t rank = indices.size() / op.getNumParts();
  for (auto [part, source] : llvm::enumerate(op.getSources())) {
    const ViewRef *view = agent.get<ViewRef>(op, source);
    if (!view ||
        failed(loadElements(agent, op, **view, indices.slice(part * rank, rank),
                            elements)))
      return failure();
  }
  agent.set(op.getResult(), makeTile(std::move(elements)));
  return success();
}

/// Runs a load whose result is a tile in shared memory. If the source is an
/// array in global memory, the result holds the loaded elements. If the source
/// is in shared memory, the result is a tile at the same offset, without a
/// copy. The load must then begin at the source's first element, and the rows
/// of a padded tile must be as far apart as those of the source; otherwise it
/// fails with an error.
LogicalResult loadShared(Agent &agent, LoadOp op, const View &view) {
  SmallVector<int64_t> indices;
  if (failed(agent.getInts(op, op.getIndices(), indices)))
    return failure();
  if (view.array)
    return loadParts(agent, op, indices);
  RankedTensorType type = op.getResult().getType();
  const SharedLayout &layout = agent.simulation.getSharedLayout(type);
  SharedTile tile;
  tile.offset = view.getAddress(indices);
  bool isAtStart = llvm::all_of(indices, [](int64_t i) { return i == 0; });
  int64_t rowBytes =
      view.strides[view.strides.size() - 2] * getByteSize(view.dtype);
  bool isPadded = isa<SharedLayoutAttr>(type.getEncoding());
  if (!isAtStart || (isPadded && rowBytes != layout.getOffset(1, 0)))
    return agent.fail(op, "expected the rows of the result's layout from the "
                          "begin of a view");
  agent.set(op.getResult(), tile);
  return success();
}

LogicalResult runLoad(Agent &agent, LoadOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getSource());
  if (!view)
    return failure();
  if (isShared(op.getResult().getType()))
    return loadShared(agent, op, **view);
  if (op.getNumParts() != 1)
    return agent.refuse(op, "expected a tile of one part in registers");
  const TileLayout *layout = getTileLayout(agent, op, op.getResult());
  SmallVector<int64_t> first;
  if (!layout || failed(agent.getInts(op, op.getIndices(), first)))
    return failure();
  std::vector<double> elements;
  for (int64_t i = 0; i < layout->getSize(); ++i) {
    FailureOr<double> element =
        loadPlace(agent, op, **view, first, layout->getPlace(agent.warp, i));
    if (failed(element))
      return failure();
    elements.push_back(*element);
  }
  setNumbers(agent, op.getResult(), elements);
  return success();
}

/// Runs a gather. A result in registers gets one element for each register of
/// each lane, and a scalar result gets one element. Indices out of bounds are
/// clamped to the view. If the view has no elements, the result is zero.
LogicalResult runGather(Agent &agent, GatherOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getSource());
  if (!view)
    return failure();
  SmallVector<Elements<int64_t>> indices;
  for (Value index : op.getIndices()) {
    auto elements = getElements<int64_t>(agent, op, index);
    if (failed(elements))
      return failure();
    indices.push_back(*elements);
  }
  size_t count = 1;
  if (isa<RankedTensorType>(op.getResult().getType())) {
    const TileLayout *layout = getTileLayout(agent, op, op.getResult());
    if (!layout)
      return failure();
    count = layout->getSize();
  }
  std::vector<double> gathered(count);
  if (llvm::is_contained((*view)->sizes, 0)) {
    setNumbers(agent, op.getResult(), gathered);
    return success();
  }
  for (auto [i, element] : llvm::enumerate(gathered)) {
    SmallVector<int64_t> place;
    for (auto [index, size] : llvm::zip(indices, (*view)->sizes))
      place.push_back(std::clamp<int64_t>(index[i], 0, size - 1));
    FailureOr<double> loaded = loadGlobal(agent, op, **view, place);
    if (failed(loaded))
      return failure();
    element = *loaded;
  }
  setNumbers(agent, op.getResult(), gathered);
  return success();
}

/// Whether the agent's warp writes element `i` of its Registers of a tile to
/// memory. If several lanes, perhaps in different warps, hold the same element,
/// exactly one of them does.
bool isWriter(const Agent &agent, RankedTensorType type,
              const TileLayout &layout, int64_t i) {
  if (layout.isRepeated(i))
    return false;
  auto slice = dyn_cast_or_null<SliceLayoutAttr>(type.getEncoding());
  if (!slice)
    return !layout.isCopy(agent.warp);
  MmaLayoutAttr parent = slice.getParent();
  int64_t warp = agent.warp - parent.getFirstWarp(), lane = i % kLanes;
  if (slice.getAxis() == 0)
    return lane / 4 == 0 && warp % parent.getWarpsM() == 0 &&
           (parent.getCopies() == 1 || warp / parent.getWarpsM() == 0);
  return lane % 4 == 0 && warp / parent.getWarpsM() == 0;
}

LogicalResult runStore(Agent &agent, StoreOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getDestination());
  const Tile *tile = agent.get<Tile>(op, op.getTile());
  RankedTensorType type = op.getTile().getType();
  const TileLayout *layout = getTileLayout(agent, op, op.getTile());
  SmallVector<int64_t> first;
  if (!view || !tile || !layout ||
      failed(agent.getInts(op, op.getIndices(), first)))
    return failure();
  for (int64_t i = 0; i < layout->getSize(); ++i) {
    if (!isWriter(agent, type, *layout, i))
      continue;
    SmallVector<int64_t> indices =
        getIndices(first, layout->getPlace(agent.warp, i));
    if (!isPastEnd(**view, indices, type.getRank()) &&
        failed(storeGlobal(agent, op, **view, indices, (*tile)->get(i),
                           op.getAdd())))
      return failure();
  }
  return success();
}

/// Returns, for each register of each lane that holds an element of `tile`, the
/// number that `vector` has for the element's row. The vector has one number
/// for each row of the tile, and each lane must hold the numbers of the rows in
/// its registers; otherwise reports a misfit at the op.
FailureOr<std::vector<int64_t>>
spreadRows(Agent &agent, Operation *op, Value vector, const TileLayout &tile) {
  auto numbers = getElements<int64_t>(agent, op, vector);
  const TileLayout *layout = getTileLayout(agent, op, vector);
  if (failed(numbers) || !layout)
    return failure();
  std::vector<int64_t> spread(tile.getSize());
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    llvm::DenseMap<int64_t, int64_t> ofRow;
    for (int64_t i = lane; i < layout->getSize(); i += kLanes)
      ofRow[layout->get(0, agent.warp, i)] = (*numbers)[i];
    for (int64_t i = lane; i < tile.getSize(); i += kLanes) {
      auto found = ofRow.find(tile.get(0, agent.warp, i));
      if (found == ofRow.end())
        return agent.misfit(op, "expected indices of the lane's rows");
      spread[i] = found->second;
    }
  }
  return spread;
}

/// Returns the numbers of an index of a scatter: one if the index is a scalar,
/// and else one for each element of the tile that the warp holds.
FailureOr<std::vector<int64_t>> getIndexNumbers(Agent &agent, ScatterOp op,
                                                Value index,
                                                const TileLayout &layout) {
  if (!isa<RankedTensorType>(index.getType())) {
    FailureOr<int64_t> number = agent.getInt(op, index);
    if (failed(number))
      return failure();
    return std::vector<int64_t>{*number};
  }
  if (scattersRows(op))
    return spreadRows(agent, op, index, layout);
  auto elements = getElements<int64_t>(agent, op, index);
  if (failed(elements))
    return failure();
  return std::vector(elements->data, elements->data + elements->count);
}

/// Runs a scatter: the calling warp writes or, with `add`, adds its elements of
/// the tile. Elements whose indices are not all in bounds are skipped, or are
/// errors if the op says that all are in bounds. In a scatter of rows each
/// index is a scalar or a vector with one number for each row of the tile, and
/// the last one is that of the tile's column 0.
LogicalResult runScatter(Agent &agent, ScatterOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getDestination());
  const Tile *tile = agent.get<Tile>(op, op.getTile());
  RankedTensorType type = op.getTile().getType();
  const TileLayout *layout = getTileLayout(agent, op, op.getTile());
  if (!view || !tile || !layout)
    return failure();
  SmallVector<std::vector<int64_t>> indices;
  for (Value index : op.getIndices()) {
    auto numbers = getIndexNumbers(agent, op, index, *layout);
    if (failed(numbers))
      return failure();
    indices.push_back(std::move(*numbers));
  }
  for (int64_t i = 0; i < layout->getSize(); ++i) {
    if (!isWriter(agent, type, *layout, i))
      continue;
    SmallVector<int64_t> place;
    for (const std::vector<int64_t> &index : indices)
      place.push_back(index.size() == 1 ? index[0] : index[i]);
    if (scattersRows(op))
      place.back() += layout->get(1, agent.warp, i);
    if (isInside(**view, place)) {
      if (failed(storeGlobal(agent, op, **view, place, (*tile)->get(i),
                             op.getAdd())))
        return failure();
    } else if (op.getInBounds()) {
      return agent.fail(op, "expected indices in bounds");
    }
  }
  return success();
}

} // namespace

void sim::addGlobalTileOps(Handlers &handlers) {
  handlers.add<LoadOp>(runLoad);
  handlers.add<GatherOp>(runGather);
  handlers.add<ScatterOp>(runScatter);
  handlers.add<StoreOp>(runStore);
}
