//===- GlobalMemory.h - Arrays in global memory -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_GLOBALMEMORY_H
#define ATTN_LIB_SIMULATOR_GLOBALMEMORY_H

#include "Agent.h"

namespace mlir::attn::sim {

/// Whether the view is of memory that the simulator has allocated.
bool isOwn(const View &view);

/// Reports an error if the element is in memory that the simulator has
/// allocated, and nobody has written the element.
LogicalResult checkWritten(Agent &agent, Operation *op, const View &view,
                           ArrayRef<int64_t> indices);

/// Reads an element of a view. Fails with an error if the element is outside of
/// the view or of its array, or in memory that the simulator has allocated and
/// nobody has written.
FailureOr<double> loadGlobal(Agent &agent, Operation *op, const View &view,
                             ArrayRef<int64_t> indices);

/// Writes `value` to an element of a view or, with `add`, adds it to the
/// element. Fails with an error where loadGlobal() does, except that without
/// `add` nobody need have written the element before.
LogicalResult storeGlobal(Agent &agent, Operation *op, const View &view,
                          ArrayRef<int64_t> indices, double value,
                          bool add = false);

/// Whether all indices are in the view.
bool isInside(const View &view, ArrayRef<int64_t> indices);

/// Checks that the boxes of a tensor map fit a copy of `tile`, which is a
/// ring's tile or one warpgroup's part of a tile: a box must be one swizzled
/// panel of the tile or, for a vector, the whole of it.
LogicalResult checkBox(Agent &agent, Operation *op, const TensorMap &map,
                       ArrayRef<int64_t> coordinates, RankedTensorType tile);

/// Checks a box that TMA loads. With a map that begins before its array (see
/// attn_nv.encode_tensor_map), a box without elements is an error, since TMA
/// then still reads the map's first address. With a map for boxes without
/// elements (`emptyDim`), a box with elements is an error.
LogicalResult checkLoadedBox(Agent &agent, Operation *op, const TensorMap &map,
                             ArrayRef<int64_t> coordinates);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_GLOBALMEMORY_H
