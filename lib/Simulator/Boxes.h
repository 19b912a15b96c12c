//===- Boxes.h - Tiles by tensor maps ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_BOXES_H
#define ATTN_LIB_SIMULATOR_BOXES_H

#include "GlobalMemory.h"

namespace mlir::attn::sim {

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

#endif // ATTN_LIB_SIMULATOR_BOXES_H
