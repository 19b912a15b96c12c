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
/// in the tile, whose `rank` dimensions are the last ones of the array.
SmallVector<int64_t> getIndices(ArrayRef<int64_t> first, int64_t rank,
                                ArrayRef<int64_t> place) {
  SmallVector<int64_t> indices(first);
  for (int64_t axis = 0; axis < rank; ++axis)
    indices[indices.size() - rank + axis] += place[axis];
  return indices;
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

/// Whether an element of the tile of a load reads as zero. It does if one of
/// its indices in the tile's dimensions is past the end of the view, or if a
/// list of rows names a negative row for it. Other negative indices are errors,
/// which loadGlobal() reports.
bool isClipped(LoadOp op, const View &view, ArrayRef<int64_t> indices) {
  size_t rank = op.getResult().getType().getRank();
  if (op.isListed() && indices[indices.size() - 2] < 0)
    return true;
  return llvm::any_of(
      llvm::seq(indices.size() - rank, indices.size()),
      [&](size_t dim) { return indices[dim] >= view.sizes[dim]; });
}

/// Appends to `elements` one part of the tile of a load to shared memory, which
/// no pass has replaced by a copy yet. The elements are read from the array in
/// row-major order; zeros stand for elements outside of the array.
LogicalResult loadElements(Agent &agent, LoadOp op, const View &view,
                           ArrayRef<int64_t> first,
                           std::vector<float> &elements) {
  RankedTensorType type = op.getPartType();
  int64_t rank = type.getRank(), columns = type.getShape().back();
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    SmallVector<int64_t, 2> place = {i / columns, i % columns};
    SmallVector<int64_t> indices =
        getIndices(first, rank, ArrayRef(place).take_back(rank));
    double element = 0;
    if (failed(findListed(agent, op, first, indices)))
      return failure();
    if (!isClipped(op, view, indices)) {
      FailureOr<double> loaded = loadGlobal(agent, op, view, indices);
      if (failed(loaded))
        return failure();
      element = *loaded;
    }
    elements.push_back(static_cast<float>(element));
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
  RankedTensorType type = op.getResult().getType();
  const TileLayout *layout = agent.simulation.getLayout(type);
  SmallVector<int64_t> first;
  if (failed(agent.getInts(op, op.getIndices(), first)))
    return failure();
  if (!layout || !layout->hasWarp(agent.warp))
    return agent.misfit(op, "expected a layout of the calling warps");
  auto registers = std::make_shared<Registers>();
  bool isFloat = isa<FloatType>(type.getElementType());
  for (int64_t r = 0; r < layout->getNumRegisters(); ++r)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      SmallVector<int64_t, 2> place;
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        place.push_back(layout->get(axis, agent.warp, lane, r));
      SmallVector<int64_t> indices = getIndices(first, type.getRank(), place);
      if (failed(findListed(agent, op, first, indices)))
        return failure();
      double element = 0;
      if (!isClipped(op, **view, indices)) {
        FailureOr<double> loaded = loadGlobal(agent, op, **view, indices);
        if (failed(loaded))
          return failure();
        element = *loaded;
      }
      if (isFloat)
        registers->floats.push_back(static_cast<float>(element));
      else
        registers->ints.push_back(static_cast<int64_t>(element));
    }
  agent.set(op.getResult(), Tile(std::move(registers)));
  return success();
}

/// Appends to `indices` the elements of each index operand of a gather or
/// scatter. An operand has one element if it is a scalar, and else one for each
/// register of each lane.
LogicalResult getPlaces(Agent &agent, Operation *op, ValueRange values,
                        SmallVectorImpl<Elements<int64_t>> &indices) {
  for (Value index : values) {
    auto elements = getElements<int64_t>(agent, op, index);
    if (failed(elements))
      return failure();
    indices.push_back(*elements);
  }
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
  if (failed(getPlaces(agent, op, op.getIndices(), indices)))
    return failure();
  size_t count = 1;
  if (auto type = dyn_cast<RankedTensorType>(op.getResult().getType())) {
    const TileLayout *layout = agent.simulation.getLayout(type);
    if (!layout || !layout->hasWarp(agent.warp))
      return agent.misfit(op, "expected a layout of the calling warps");
    count = layout->getNumRegisters() * kLanes;
  }
  bool hasElements =
      llvm::all_of((*view)->sizes, [](int64_t size) { return size > 0; });
  auto registers = std::make_shared<Registers>();
  bool isFloat = isa<FloatType>(getElement(op.getResult()));
  for (size_t i = 0; i < count; ++i) {
    double element = 0;
    if (hasElements) {
      SmallVector<int64_t> place;
      for (auto [index, size] : llvm::zip(indices, (*view)->sizes))
        place.push_back(std::clamp<int64_t>(index[i], 0, size - 1));
      FailureOr<double> loaded = loadGlobal(agent, op, **view, place);
      if (failed(loaded))
        return failure();
      element = *loaded;
    }
    if (isFloat)
      registers->floats.push_back(static_cast<float>(element));
    else
      registers->ints.push_back(static_cast<int64_t>(element));
  }
  if (isa<RankedTensorType>(op.getResult().getType()))
    agent.set(op.getResult(), Tile(std::move(registers)));
  else if (isFloat)
    agent.set(op.getResult(), RuntimeValue(registers->floats.front()));
  else
    agent.set(op.getResult(), RuntimeValue(registers->ints.front()));
  return success();
}

/// Whether a lane of the agent's warp writes its elements of a tile to memory.
/// If several lanes, perhaps in different warps, hold the same elements,
/// exactly one of them does.
bool isWriter(const Agent &agent, RankedTensorType type,
              const TileLayout &layout, int64_t lane) {
  auto slice = dyn_cast_or_null<SliceLayoutAttr>(type.getEncoding());
  if (!slice)
    return !layout.isCopy(agent.warp);
  MmaLayoutAttr parent = slice.getParent();
  int64_t warp = agent.warp - parent.getFirstWarp();
  if (slice.getAxis() == 0)
    return lane / 4 == 0 && warp % parent.getWarpsM() == 0 &&
           (parent.getCopies() == 1 || warp / parent.getWarpsM() == 0);
  return lane % 4 == 0 && warp / parent.getWarpsM() == 0;
}

LogicalResult runStore(Agent &agent, StoreOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getDestination());
  const Tile *tile = agent.get<Tile>(op, op.getTile());
  RankedTensorType type = op.getTile().getType();
  const TileLayout *layout = agent.simulation.getLayout(type);
  SmallVector<int64_t> first;
  if (!view || !tile || failed(agent.getInts(op, op.getIndices(), first)))
    return failure();
  if (!layout || !layout->hasWarp(agent.warp))
    return agent.misfit(op, "expected a layout of the calling warps");
  bool isFloat = !(*tile)->floats.empty();
  for (int64_t r = 0; r < layout->getNumRegisters(); ++r)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      if (!isWriter(agent, type, *layout, lane) || layout->isRepeated(lane, r))
        continue;
      SmallVector<int64_t, 2> place;
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        place.push_back(layout->get(axis, agent.warp, lane, r));
      SmallVector<int64_t> indices = getIndices(first, type.getRank(), place);
      bool isClipped = false;
      for (size_t i = indices.size() - type.getRank(); i < indices.size(); ++i)
        isClipped |= indices[i] >= (*view)->sizes[i];
      if (isClipped)
        continue;
      size_t i = r * kLanes + lane;
      double element =
          isFloat ? double((*tile)->floats[i]) : double((*tile)->ints[i]);
      if (failed(storeGlobal(agent, op, **view, indices, element, op.getAdd())))
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
  const TileLayout *layout =
      agent.simulation.getLayout(cast<RankedTensorType>(vector.getType()));
  if (failed(numbers) || !layout || !layout->hasWarp(agent.warp))
    return agent.misfit(op, "expected a layout of the calling warps");
  std::vector<int64_t> spread(tile.getNumRegisters() * kLanes);
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    llvm::DenseMap<int64_t, int64_t> ofRow;
    for (int64_t r = 0; r < layout->getNumRegisters(); ++r)
      ofRow[layout->get(0, agent.warp, lane, r)] =
          (*numbers)[r * kLanes + lane];
    for (int64_t r = 0; r < tile.getNumRegisters(); ++r) {
      auto found = ofRow.find(tile.get(0, agent.warp, lane, r));
      if (found == ofRow.end())
        return agent.misfit(op, "expected indices of the lane's rows");
      spread[r * kLanes + lane] = found->second;
    }
  }
  return spread;
}

/// Writes or, with `add`, adds element `i` of a tile at `indices` of `view`. An
/// element outside of the view is skipped; it is an error if the op says that
/// all indices are in bounds.
static LogicalResult scatterElement(Agent &agent, ScatterOp op,
                                    const View &view, const Registers &tile,
                                    size_t i, ArrayRef<int64_t> indices) {
  for (auto [index, size] : llvm::zip(indices, view.sizes))
    if (index < 0 || index >= size)
      return op.getInBounds() ? agent.fail(op, "expected indices in bounds")
                              : success();
  double element =
      tile.floats.empty() ? double(tile.ints[i]) : double(tile.floats[i]);
  return storeGlobal(agent, op, view, indices, element, op.getAdd());
}

/// Runs a scatter that writes rows: each index is a scalar or a vector with one
/// number for each row of the tile, and the last index is that of the tile's
/// column 0. The calling warp writes or, with `add`, adds its elements.
/// Elements whose indices are not all in bounds are skipped.
LogicalResult runRowScatter(Agent &agent, ScatterOp op, const View &view,
                            const TileLayout &layout) {
  const Tile *tile = agent.get<Tile>(op, op.getTile());
  RankedTensorType type = op.getTile().getType();
  if (!tile)
    return failure();
  SmallVector<std::vector<int64_t>> ofVectors;
  SmallVector<int64_t> scalars;
  for (Value index : op.getIndices()) {
    ofVectors.emplace_back();
    scalars.push_back(0);
    if (isa<RankedTensorType>(index.getType())) {
      auto spread = spreadRows(agent, op, index, layout);
      if (failed(spread))
        return failure();
      ofVectors.back() = std::move(*spread);
      continue;
    }
    SmallVector<int64_t> own;
    if (failed(agent.getInts(op, ValueRange(index), own)))
      return failure();
    scalars.back() = own.front();
  }
  for (int64_t r = 0; r < layout.getNumRegisters(); ++r)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      if (!isWriter(agent, type, layout, lane) || layout.isRepeated(lane, r))
        continue;
      size_t i = r * kLanes + lane;
      SmallVector<int64_t> place(scalars);
      for (auto [index, numbers] : llvm::zip(place, ofVectors))
        if (!numbers.empty())
          index = numbers[i];
      place.back() += layout.get(1, agent.warp, lane, r);
      if (failed(scatterElement(agent, op, view, **tile, i, place)))
        return failure();
    }
  return success();
}

/// Runs a scatter: the calling warp writes or, with `add`, adds its elements of
/// the tile. Elements whose indices are not all in bounds are skipped. If the
/// op says that all indices are in bounds, they are errors instead, except in a
/// scatter of rows (see runRowScatter()).
LogicalResult runScatter(Agent &agent, ScatterOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getDestination());
  const Tile *tile = agent.get<Tile>(op, op.getTile());
  RankedTensorType type = op.getTile().getType();
  const TileLayout *layout = agent.simulation.getLayout(type);
  if (!view || !tile)
    return failure();
  if (!layout || !layout->hasWarp(agent.warp))
    return agent.misfit(op, "expected a layout of the calling warps");
  if (scattersRows(op))
    return runRowScatter(agent, op, **view, *layout);
  SmallVector<Elements<int64_t>> indices;
  if (failed(getPlaces(agent, op, op.getIndices(), indices)))
    return failure();
  for (int64_t r = 0; r < layout->getNumRegisters(); ++r)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      if (!isWriter(agent, type, *layout, lane) || layout->isRepeated(lane, r))
        continue;
      size_t i = r * kLanes + lane;
      SmallVector<int64_t> place;
      for (const Elements<int64_t> &index : indices)
        place.push_back(index[i]);
      if (failed(scatterElement(agent, op, **view, **tile, i, place)))
        return failure();
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
