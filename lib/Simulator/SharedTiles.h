//===- SharedTiles.h - Tiles in shared memory -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_SHAREDTILES_H
#define ATTN_LIB_SIMULATOR_SHAREDTILES_H

#include "Agent.h"
#include "GlobalMemory.h"

namespace mlir::attn::sim {

/// A rectangle of a tile.
struct Part {
  int64_t firstRow, rows, firstColumn, columns;
};

/// Reads the elements of a part of a tile in shared memory, in row-major order.
std::vector<float> readPart(Cta &cta, const SharedLayout &layout,
                            const SharedTile &tile, const Part &part);

/// Returns the transpose of a matrix of the given numbers of rows and columns.
std::vector<float> transpose(const std::vector<float> &matrix, int64_t rows,
                             int64_t columns);

/// Returns a tile in shared memory that holds its elements instead of an
/// offset, for programs in which passes have not chosen the offset yet.
RuntimeValue makeTile(std::vector<float> elements);

/// Records that `by` reads or writes a part of a tile in shared memory.
LogicalResult notePart(Agent &agent, Operation *op, const SharedLayout &layout,
                       int64_t offset, const Part &part, const Accessor &by,
                       bool isWrite);

/// Writes the elements of a tile that a warp holds to shared memory, without
/// recording the access.
void writeTile(Agent &agent, const TileLayout &layout,
               const SharedLayout &shared, int64_t offset, const Tile &tile);

/// Returns the smallest rectangle of a tile that contains all elements of a
/// warp.
Part getPart(const TileLayout &layout, int64_t warp);

/// The tensor maps of a copy, one for each part of a tile. Functions that take
/// the coordinates of the boxes take those of all parts in one list, one part
/// after the other.
using Maps = SmallVector<std::shared_ptr<const TensorMap>>;

/// Calls `run` for each element of a tile, until a call fails. Its arguments
/// are the element's row and column in the tile, the view that the tensor map
/// of the element's part describes, and the element's indices in that view.
LogicalResult
forEachElement(const Maps &maps, ArrayRef<int64_t> coordinates, int64_t rows,
               int64_t columns,
               llvm::function_ref<LogicalResult(int64_t, int64_t, const View &,
                                                ArrayRef<int64_t>)>
                   run);

/// Copies a tile from the arrays of `maps` to byte `offset` of shared memory.
/// Elements outside of an array become zeros.
void copyBoxes(Cta &cta, const Maps &maps, const SharedLayout &layout,
               ArrayRef<int64_t> coordinates, int64_t offset);

int64_t getNumRows(RankedTensorType tile);

/// Reports an error if an element of the tile is in memory that the function
/// has allocated, and nobody has written it.
LogicalResult checkBoxesWritten(Agent &agent, Operation *op, const Maps &maps,
                                RankedTensorType tile,
                                ArrayRef<int64_t> coordinates);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SHAREDTILES_H
