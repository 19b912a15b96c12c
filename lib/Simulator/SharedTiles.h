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

/// Elements of a tile in shared memory, row by row.
std::vector<float> readPart(Cta &cta, const SharedLayout &layout,
                            const SharedTile &tile, const Part &part);

/// A matrix of so many rows and columns, transposed.
std::vector<float> transpose(const std::vector<float> &matrix, int64_t rows,
                             int64_t columns);

/// A tile that has no place.
RuntimeValue makeTile(std::vector<float> elements);

/// Notes that `by` reads or writes them.
LogicalResult notePart(Agent &agent, Operation *op, const SharedLayout &layout,
                       int64_t offset, const Part &part, const Accessor &by,
                       bool isWrite);

/// Puts what a warp has of a tile to shared memory, with nothing noted.
void writeTile(Agent &agent, const TileLayout &layout,
               const SharedLayout &shared, int64_t offset, const Tile &tile);

/// The rows and columns of which a warp has elements.
Part getPart(const TileLayout &layout, int64_t warp);

/// Of each part of a tile, whose coordinates come one part's after the other's.
using Maps = SmallVector<std::shared_ptr<const TensorMap>>;

/// Calls `run` for each element of a tile with its row, its column, the view
/// that its map describes and its indices there, until it fails.
LogicalResult
forEachElement(const Maps &maps, ArrayRef<int64_t> coordinates, int64_t rows,
               int64_t columns,
               llvm::function_ref<LogicalResult(int64_t, int64_t, const View &,
                                                ArrayRef<int64_t>)>
                   run);

/// A tile to byte `offset` of shared memory. Elements outside of the array are
/// zeros.
void copyBoxes(Cta &cta, const Maps &maps, const SharedLayout &layout,
               ArrayRef<int64_t> coordinates, int64_t offset);

int64_t getNumRows(RankedTensorType tile);

/// An error if the tile has an element of the function's own memory that nobody
/// has written.
LogicalResult checkBoxesWritten(Agent &agent, Operation *op, const Maps &maps,
                                RankedTensorType tile,
                                ArrayRef<int64_t> coordinates);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_SHAREDTILES_H
