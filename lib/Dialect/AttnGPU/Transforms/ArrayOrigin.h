//===- ArrayOrigin.h - Positions of views in their arrays -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ARRAYORIGIN_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ARRAYORIGIN_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn_gpu {

/// Returns a builder at the end of the setup ops, which come before the
/// kernel's program.
attn::NumberBuilder getSetupBuilder(KernelOp kernel);

/// The array that a view in a kernel is a part of.
struct OuterArray {
  /// An argument of the kernel. Null if other ops than casts and slices with
  /// unit strides and all columns lead from it to the view, or if more than one
  /// slice takes a part of the rows, the last dimension but one.
  Value array;
  /// The slice that takes only a part of the rows, or null.
  memref::SubViewOp rows;

  explicit operator bool() const { return bool(array); }
};
OuterArray getOuterArray(KernelOp kernel, Value view);

/// Returns the coordinates in `array`, in TMA's order, of the element at
/// `indices` of `view`, which is a part of the array. `mapping` maps values of
/// the program that has the view to values at the builder.
SmallVector<Value> getCoordinates(attn::NumberBuilder &builder,
                                  OuterArray array, Value view,
                                  ValueRange indices,
                                  const IRMapping &mapping = {});

/// Returns the arrays that a load reads, one for each part of the tile. Fails
/// with an error at the load if a view has no such array, if parts are of
/// different arrays, or if the load has a list of rows.
FailureOr<SmallVector<OuterArray>> getLoadedArrays(KernelOp kernel,
                                                   attn_tile::LoadOp load);

/// Creates the tensor map by which TMA copies panels of a tile, or a vector, of
/// the array.
Value encodeMap(attn::NumberBuilder &builder, OuterArray array,
                RankedTensorType tile);

/// The tensor maps of the boxes that a load copies: `ofEmpty` for boxes without
/// an element of a slice (null if the array is not sliced), `map` for all
/// others. `isReadOnce` promises that no two CTAs read the same part of the
/// array.
struct LoadMaps {
  Value map, ofEmpty;
};
LoadMaps encodeMaps(attn::NumberBuilder &builder, OuterArray array,
                    RankedTensorType tile, bool isReadOnce = false);

/// Emits the fill of a ring's next slot, in which TMA copies what the load
/// reads, part by part.
void fillLoaded(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                ArrayRef<OuterArray> arrays, LoadMaps maps, Value ring,
                const IRMapping &mapping);

/// Whether a tensor map can describe the array whatever its sizes are: it is
/// workspace of rank 5 at most, and its rows have a known length that is a
/// multiple of 16 bytes.
bool isDescribable(KernelOp kernel, Value array);

/// Whether a load reads a vector that is a whole row of an array which TMA can
/// describe.
bool isWholeRow(KernelOp kernel, attn_tile::LoadOp load);

/// Fails with an error at a load that threads cannot copy to shared memory: one
/// of a vector that is not a whole row of workspace, or, in a kernel with a
/// producer, one by a list of rows that the kernel writes.
LogicalResult checkCopiedByThreads(KernelOp kernel, attn_tile::LoadOp load);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ARRAYORIGIN_H
