//===- GlobalMemory.cpp - Arrays in global memory -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

bool sim::isInside(const View &view, ArrayRef<int64_t> indices) {
  return llvm::all_of(llvm::zip(indices, view.sizes), [](auto pair) {
    auto [index, size] = pair;
    return index >= 0 && index < size;
  });
}

static std::string print(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(numbers, os);
  os << "]";
  return text;
}

/// Returns the distance in bytes of an element of a view of global memory from
/// the first element of the view's array. Fails with an error if the view is of
/// shared memory, or if the element is outside of the view or of the array.
static FailureOr<int64_t> getPlace(Agent &agent, Operation *op,
                                   const View &view,
                                   ArrayRef<int64_t> indices) {
  if (!view.array)
    return agent.fail(op, "expected an array in global memory");
  int64_t place =
      view.getAddress(indices) - reinterpret_cast<int64_t>(view.array->first);
  if (isInside(view, indices) && place >= 0 &&
      place + getByteSize(view.dtype) <= view.array->bytes)
    return place;
  return agent.fail(op, agent.getName() + " goes out of bounds of " +
                            view.array->name + ", at " + print(indices) +
                            " of a view of sizes " + print(view.sizes));
}

bool sim::isOwn(const View &view) {
  return view.array && !view.array->own.empty();
}

LogicalResult sim::checkWritten(Agent &agent, Operation *op, const View &view,
                                ArrayRef<int64_t> indices) {
  if (!isOwn(view) || !isInside(view, indices))
    return success();
  const Array &array = *view.array;
  int64_t place =
      view.getAddress(indices) - reinterpret_cast<int64_t>(array.first);
  if (place >= 0 && place < array.bytes &&
      array.written[place / array.elementBytes])
    return success();
  return agent.fail(op, agent.getName() + " reads " + array.name + " at " +
                            print(indices) + " of a view of sizes " +
                            print(view.sizes) + ", which nobody has written");
}

FailureOr<double> sim::loadGlobal(Agent &agent, Operation *op, const View &view,
                                  ArrayRef<int64_t> indices) {
  FailureOr<int64_t> place = getPlace(agent, op, view, indices);
  if (failed(place) || failed(checkWritten(agent, op, view, indices)))
    return failure();
  return loadElement(view.array->first + *place, view.dtype, 0);
}

FailureOr<double> sim::loadOrZero(Agent &agent, Operation *op, const View &view,
                                  ArrayRef<int64_t> indices) {
  return isInside(view, indices) ? loadGlobal(agent, op, view, indices) : 0.0;
}

void sim::copyElement(const View &view, ArrayRef<int64_t> indices,
                      char *target) {
  int64_t bytes = getByteSize(view.dtype);
  if (isInside(view, indices))
    std::memcpy(target,
                reinterpret_cast<const char *>(view.getAddress(indices)),
                bytes);
  else
    std::memset(target, 0, bytes);
}

LogicalResult sim::storeGlobal(Agent &agent, Operation *op, const View &view,
                               ArrayRef<int64_t> indices, double value,
                               bool add) {
  FailureOr<int64_t> place = getPlace(agent, op, view, indices);
  if (failed(place))
    return failure();
  Array &array = *view.array;
  char *address = array.first + *place;
  if (add) {
    if (failed(checkWritten(agent, op, view, indices)))
      return failure();
    value += loadElement(address, view.dtype, 0);
  }
  storeElement(address, view.dtype, 0, value);
  if (!array.written.empty())
    array.written[*place / array.elementBytes] = true;
  return success();
}

LogicalResult sim::checkBox(Agent &agent, Operation *op, const TensorMap &map,
                            ArrayRef<int64_t> coordinates,
                            RankedTensorType tile) {
  size_t rank = map.box.size();
  if (coordinates.size() != rank || rank < 2)
    return agent.fail(op, "expected " + Twine(rank) + " coordinates, found " +
                              Twine(coordinates.size()));
  SmallVector<int64_t> expected(rank, 1);
  expected[rank - 1] = tile.getShape().back();
  if (tile.getRank() == 2) {
    expected[rank - 2] = tile.getDimSize(0);
    expected[rank - 1] = attn_gpu::getPanelColumns(tile.getElementType());
  }
  if (ArrayRef<int64_t>(map.box) == ArrayRef<int64_t>(expected))
    return success();
  return agent.fail(op, "expected a map of boxes " + print(expected) +
                            ", found boxes " + print(map.box));
}

LogicalResult sim::checkLoadedBox(Agent &agent, Operation *op,
                                  const TensorMap &map,
                                  ArrayRef<int64_t> coordinates) {
  // A tensor map for boxes without elements (`emptyDim`) may only copy boxes
  // that lie past the end of the array in dimension `emptyDim`, or past its
  // last column, wherever the slice of the array ends.
  if (int64_t dim = map.emptyDim; dim &&
                                  coordinates[dim] < map.view->sizes[dim] &&
                                  coordinates.back() < map.view->sizes.back())
    return agent.fail(op, "expected a box without an element, found one at " +
                              print(coordinates) + " of " +
                              print(map.view->sizes) +
                              " of a map for boxes that have none");
  bool hasElement = true;
  for (auto [first, size, length] :
       llvm::zip_equal(coordinates, map.view->sizes, map.box))
    hasElement &= first < size && first + length > 0;
  if (hasElement || map.inFront == 0)
    return success();
  return agent.fail(op, "expected a box with an element, found one at " +
                            print(coordinates) + " of " +
                            print(map.view->sizes) +
                            " of a map that begins in front of its array");
}
