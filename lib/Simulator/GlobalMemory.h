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

/// Whether it is of memory of the simulator's own.
bool isOwn(const View &view);

/// Fails for an element of memory of the simulator's own that was never
/// written.
LogicalResult checkWritten(Agent &agent, Operation *op, const View &view,
                           ArrayRef<int64_t> indices);

/// Reads the element of a view, which must be in its array.
FailureOr<double> loadGlobal(Agent &agent, Operation *op, const View &view,
                             ArrayRef<int64_t> indices);

/// Writes it, or adds to it.
LogicalResult storeGlobal(Agent &agent, Operation *op, const View &view,
                          ArrayRef<int64_t> indices, double value,
                          bool add = false);

/// Whether all indices are in the view.
bool isInside(const View &view, ArrayRef<int64_t> indices);

/// The box of a map at `coordinates` that a ring's tile or a warpgroup's part
/// of one is copied from or to. Fails unless the map's box is one panel of it,
/// or a vector.
LogicalResult checkBox(Agent &agent, Operation *op, const TensorMap &map,
                       ArrayRef<int64_t> coordinates, RankedTensorType tile);

/// Fails for a box that is loaded and has no element, by a map that begins in
/// front of its array: TMA reads the map's first address then. Fails for one
/// that has elements, by a map for those that have none.
LogicalResult checkLoadedBox(Agent &agent, Operation *op, const TensorMap &map,
                             ArrayRef<int64_t> coordinates);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_GLOBALMEMORY_H
