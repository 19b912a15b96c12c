//===- SharedTiles.cpp - Tiles in shared memory ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedTiles.h"
#include "SharedMemory.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

float sim::readElement(Cta &cta, const SharedLayout &layout,
                       const SharedTile &tile, int64_t row, int64_t column) {
  if (tile.contents)
    return (*tile.contents)[row * layout.getColumns() + column];
  return static_cast<float>(
      loadElement(cta.memory.at(tile.offset + layout.getOffset(row, column)),
                  layout.getDType(), 0));
}

std::vector<float> sim::readPart(Cta &cta, const SharedLayout &layout,
                                 const SharedTile &tile, const Part &part) {
  std::vector<float> elements;
  elements.reserve(part.rows * part.columns);
  for (int64_t row = 0; row < part.rows; ++row)
    for (int64_t column = 0; column < part.columns; ++column)
      elements.push_back(readElement(cta, layout, tile, part.firstRow + row,
                                     part.firstColumn + column));
  return elements;
}

RuntimeValue sim::makeTile(std::vector<float> elements) {
  SharedTile tile;
  tile.contents =
      std::make_shared<const std::vector<float>>(std::move(elements));
  return tile;
}

LogicalResult sim::notePart(Agent &agent, Operation *op,
                            const SharedLayout &layout, int64_t offset,
                            const Part &part, const Accessor &by,
                            bool isWrite) {
  LogicalResult result = success();
  layout.forEachPart(part.firstRow, part.rows, part.firstColumn, part.columns,
                     [&](int64_t begin, int64_t size) {
                       if (failed(result))
                         return;
                       result =
                           isWrite
                               ? agent.noteWrite(op, offset + begin, size, by)
                               : agent.noteRead(op, offset + begin, size, by);
                     });
  return result;
}

std::vector<float> sim::transpose(const std::vector<float> &matrix,
                                  int64_t rows, int64_t columns) {
  std::vector<float> result(matrix.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      result[column * rows + row] = matrix[row * columns + column];
  return result;
}

void sim::writeTile(Agent &agent, const TileLayout &layout,
                    const SharedLayout &shared, int64_t offset,
                    const Tile &tile) {
  for (int64_t i = 0; i < layout.getSize(); ++i) {
    int64_t place = shared.getOffset(layout.getRow(agent.warp, i),
                                     layout.getColumn(agent.warp, i));
    storeElement(agent.cta->memory.at(offset + place), shared.getDType(), 0,
                 tile->get(i));
  }
}

Part sim::getPart(const TileLayout &layout, int64_t warp) {
  int64_t firstRow = layout.getRow(warp, 0), lastRow = firstRow;
  int64_t firstColumn = layout.getColumn(warp, 0), lastColumn = firstColumn;
  for (int64_t i = 1; i < layout.getSize(); ++i) {
    int64_t row = layout.getRow(warp, i), column = layout.getColumn(warp, i);
    firstRow = std::min(firstRow, row);
    lastRow = std::max(lastRow, row);
    firstColumn = std::min(firstColumn, column);
    lastColumn = std::max(lastColumn, column);
  }
  return {firstRow, lastRow - firstRow + 1, firstColumn,
          lastColumn - firstColumn + 1};
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

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
    copyElement(view, indices,
                cta.memory.at(offset + layout.getOffset(row, column)));
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
        return checkWritten(agent, op, view, indices);
      });
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Checks an access to 8 bytes of shared memory against the last write to them.
/// Returns a conflict if the access is not ordered after the write, or if the
/// access is by the async proxy and no proxy fence came after the write.
std::optional<sim::SharedMemory::Conflict>
sim::SharedMemory::checkWriter(const Cell &cell, const Accessor &by) {
  const Access &writer = cell.writer;
  if (!writer.op)
    return std::nullopt;
  bool isOrdered = writer.isBefore(by.clock);
  if (isOrdered && (!by.isAsync || writer.isVisible(by.clock)))
    return std::nullopt;
  Conflict conflict;
  conflict.before = writer.op;
  conflict.isBeforeWrite = true;
  conflict.lacksFence = isOrdered;
  return conflict;
}

std::optional<sim::SharedMemory::Conflict>
sim::SharedMemory::read(int64_t offset, int64_t size, const Accessor &by,
                        Operation *op) {
  Access access{by.actor, by.clock.at(by.actor), op, by.isAsync};
  for (int64_t i = offset / kGranule; i * kGranule < offset + size; ++i) {
    Cell &cell = cells[i];
    std::optional<Conflict> conflict = checkWriter(cell, by);
    if (!conflict && !cell.writer.op)
      conflict = Conflict();
    if (conflict) {
      conflict->offset = i * kGranule;
      return conflict;
    }
    Access *own = llvm::find_if(cell.readers, [&](const Access &reader) {
      return reader.actor == by.actor;
    });
    if (own != cell.readers.end())
      *own = access;
    else
      cell.readers.push_back(access);
  }
  return std::nullopt;
}

std::optional<sim::SharedMemory::Conflict>
sim::SharedMemory::write(int64_t offset, int64_t size, const Accessor &by,
                         Operation *op) {
  for (int64_t i = offset / kGranule; i * kGranule < offset + size; ++i) {
    Cell &cell = cells[i];
    std::optional<Conflict> conflict = checkWriter(cell, by);
    for (const Access &reader : cell.readers)
      if (!conflict && !reader.isBefore(by.clock)) {
        conflict = Conflict();
        conflict->before = reader.op;
      }
    if (conflict) {
      conflict->offset = i * kGranule;
      return conflict;
    }
    cell.writer = {by.actor, by.clock.at(by.actor), op, by.isAsync};
    cell.readers.clear();
  }
  return std::nullopt;
}
