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

/// A rectangle of a tile: `rows` rows from `firstRow` on, of `columns` columns
/// from `firstColumn` on.
struct Part {
  int64_t firstRow, rows, firstColumn, columns;
};

/// Returns an element of a tile in shared memory.
float readElement(Cta &cta, const SharedLayout &layout, const SharedTile &tile,
                  int64_t row, int64_t column);

/// Returns the elements of a rectangle of a tile in shared memory, in row-major
/// order.
std::vector<float> readPart(Cta &cta, const SharedLayout &layout,
                            const SharedTile &tile, const Part &part);

/// Returns the transpose of a matrix of `rows` rows and `columns` columns, both
/// in row-major order.
std::vector<float> transpose(const std::vector<float> &matrix, int64_t rows,
                             int64_t columns);

/// Returns a run-time value for a tile in shared memory that consists of its
/// elements, for programs in which no pass has chosen the tile's offset yet.
RuntimeValue makeTile(std::vector<float> elements);

/// Records that `by` reads or, with `isWrite`, writes a rectangle of a tile at
/// byte `offset` of shared memory. Reports an error if that breaks a rule for
/// accesses.
LogicalResult notePart(Agent &agent, Operation *op, const SharedLayout &layout,
                       int64_t offset, const Part &part, const Accessor &by,
                       bool isWrite);

/// Writes the elements of `tile` that the agent's warp holds to shared memory
/// at byte `offset`, without recording the accesses, which the caller must do.
void writeTile(Agent &agent, const TileLayout &layout,
               const SharedLayout &shared, int64_t offset, const Tile &tile);

/// Returns the smallest rectangle of a tile that contains all elements that
/// warp `warp` holds in the layout.
Part getPart(const TileLayout &layout, int64_t warp);

/// The tensor maps of a copy by TMA, one for each part of the tile. A function
/// with these maps takes the coordinates of the boxes of all parts in one list,
/// part after part.
using Maps = SmallVector<std::shared_ptr<const TensorMap>>;

/// Calls `run` for each element of a tile that TMA copies, until a call fails.
/// The arguments are the element's row and column in the tile, the view that
/// the tensor map of the element's part describes, and the element's indices in
/// that view.
LogicalResult
forEachElement(const Maps &maps, ArrayRef<int64_t> coordinates, int64_t rows,
               int64_t columns,
               llvm::function_ref<LogicalResult(int64_t, int64_t, const View &,
                                                ArrayRef<int64_t>)>
                   run);

/// Copies a tile by TMA from the arrays of `maps` to byte `offset` of shared
/// memory. Elements outside of an array become zeros.
void copyBoxes(Cta &cta, const Maps &maps, const SharedLayout &layout,
               ArrayRef<int64_t> coordinates, int64_t offset);

int64_t getNumRows(RankedTensorType tile);

/// Reports an error if TMA copies an element from memory that the program has
/// allocated, and nobody has written the element.
LogicalResult checkBoxesWritten(Agent &agent, Operation *op, const Maps &maps,
                                RankedTensorType tile,
                                ArrayRef<int64_t> coordinates);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SHAREDTILES_H
