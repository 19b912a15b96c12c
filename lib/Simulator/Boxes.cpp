//===- Boxes.cpp - Tiles by tensor maps -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Boxes.h"

#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

LogicalResult sim::forEachElement(
    const Maps &maps, ArrayRef<int64_t> coordinates, int64_t rows,
    int64_t columns,
    llvm::function_ref<LogicalResult(int64_t, int64_t, const View &,
                                     ArrayRef<int64_t>)>
        run) {
  int64_t parts = maps.size(), rowsOfPart = rows / parts;
  size_t rank = coordinates.size() / parts;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t part = row / rowsOfPart;
      SmallVector<int64_t> indices(coordinates.slice(part * rank, rank));
      indices[rank - 2] += row % rowsOfPart;
      indices[rank - 1] += column;
      if (failed(run(row, column, *maps[part]->view, indices)))
        return failure();
    }
  return success();
}

void sim::copyBoxes(Cta &cta, const Maps &maps, const SharedLayout &layout,
                    ArrayRef<int64_t> coordinates, int64_t offset) {
  int64_t bytes = getByteSize(maps.front()->view->dtype);
  auto copy = [&](int64_t row, int64_t column, const View &view,
                  ArrayRef<int64_t> indices) {
    char *target = cta.memory.at(offset + layout.getOffset(row, column));
    if (isInside(view, indices))
      std::memcpy(target,
                  reinterpret_cast<const char *>(view.getAddress(indices)),
                  bytes);
    else
      std::memset(target, 0, bytes);
    return success();
  };
  (void)forEachElement(maps, coordinates, layout.getRows(),
                       layout.getBytes() / (layout.getRows() * bytes), copy);
}

int64_t sim::getNumRows(RankedTensorType tile) {
  return tile.getRank() == 1 ? 1 : tile.getDimSize(0);
}

LogicalResult sim::checkBoxesWritten(Agent &agent, Operation *op,
                                     const Maps &maps, RankedTensorType tile,
                                     ArrayRef<int64_t> coordinates) {
  if (!isOwn(*maps.front()->view))
    return success();
  return forEachElement(
      maps, coordinates, getNumRows(tile), tile.getShape().back(),
      [&](int64_t, int64_t, const View &view, ArrayRef<int64_t> indices) {
        return isInside(view, indices) ? checkWritten(agent, op, view, indices)
                                       : success();
      });
}
