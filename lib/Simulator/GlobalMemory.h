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

/// Whether the view is of memory that the simulator has allocated, for an
/// allocation in the program.
bool isOwn(const View &view);

/// Reports an error if an element of the view is read before it was written,
/// which is only known for memory that the simulator has allocated. An element
/// outside of the view is none.
LogicalResult checkWritten(Agent &agent, Operation *op, const View &view,
                           ArrayRef<int64_t> indices);

/// Returns an element of a view of global memory. Fails with an error if the
/// element is outside of the view or of its array, or if the simulator has
/// allocated the memory and nobody has written the element.
FailureOr<double> loadGlobal(Agent &agent, Operation *op, const View &view,
                             ArrayRef<int64_t> indices);

/// Writes `value` to an element of a view of global memory or, with `add`, adds
/// `value` to the element. Fails with an error if the element is outside of the
/// view or of its array. With `add`, an element of memory that the simulator
/// has allocated must have been written before, too.
LogicalResult storeGlobal(Agent &agent, Operation *op, const View &view,
                          ArrayRef<int64_t> indices, double value,
                          bool add = false);

/// Whether each of `indices` is at least 0 and below the view's size in its
/// dimension.
bool isInside(const View &view, ArrayRef<int64_t> indices);

/// Copies an element of a view, or zeros for one outside of it, to `target`.
void copyElement(const View &view, ArrayRef<int64_t> indices, char *target);
/// Returns the element at `indices`, or 0 for one outside of the view.
FailureOr<double> loadOrZero(Agent &agent, Operation *op, const View &view,
                             ArrayRef<int64_t> indices);

/// Reports an error unless the boxes of a tensor map have the shape that a copy
/// of `tile` requires. `tile` is the tile of a ring, or the part of a tile that
/// one warpgroup stores. A box must be one swizzled panel of the tile or, if
/// the tile is a vector, the whole vector.
LogicalResult checkBox(Agent &agent, Operation *op, const TensorMap &map,
                       ArrayRef<int64_t> coordinates, RankedTensorType tile);

/// Checks a box that TMA loads. If the tensor map begins before its array (see
/// attn_nv.encode_tensor_map), a box without elements is an error, since TMA
/// then still reads the map's first address. If the map is for boxes without
/// elements (`emptyDim`), a box with elements is an error.
LogicalResult checkLoadedBox(Agent &agent, Operation *op, const TensorMap &map,
                             ArrayRef<int64_t> coordinates);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_GLOBALMEMORY_H
