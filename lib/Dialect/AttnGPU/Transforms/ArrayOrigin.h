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
  /// An argument of the kernel. Null if ops other than casts and slices with
  /// unit strides and all columns lead from the argument to the view, or if
  /// more than one of these slices takes only some of the rows (the last
  /// dimension but one).
  Value array;
  /// The slice that takes only a part of the rows, or null.
  memref::SubViewOp rows;

  explicit operator bool() const { return bool(array); }
};
OuterArray getOuterArray(KernelOp kernel, Value view);

/// Returns the coordinates of the element at `indices` of `view`, a part of
/// `array`, in the order of the array's dimensions. If a slice takes only some
/// of the rows, the slice's end comes before them as one more coordinate.
/// `mapping` maps values of the program that has the view to values at the
/// builder.
SmallVector<Value> getCoordinates(attn::NumberBuilder &builder,
                                  OuterArray array, Value view,
                                  ValueRange indices,
                                  const IRMapping &mapping = {});

/// Returns the arrays that a load reads, one for each part of the tile. Fails
/// with an error at the load if the load has a list of rows, if a view has no
/// such array, or if parts are of different arrays or only some of them are
/// sliced.
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

/// Emits the fill of a ring's next slot, in which TMA copies the parts that the
/// load reads. For sliced arrays, each part selects at run time the map
/// `ofEmpty` if its box has no element of the slice.
void fillLoaded(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                ArrayRef<OuterArray> arrays, LoadMaps maps, Value ring,
                const IRMapping &mapping);

/// Whether a tensor map can describe the array whatever its sizes are: it is
/// workspace of rank 5 at most, and its rows have a static length that is a
/// multiple of 16 bytes.
bool isDescribable(KernelOp kernel, Value array);

/// Whether a load reads a vector of f32 that is a whole row, of at most 256
/// elements, of an unsliced array which TMA can describe.
bool isWholeRow(KernelOp kernel, attn_tile::LoadOp load);

/// Fails with an error at a load that threads cannot copy to shared memory: one
/// of a vector that is not a whole row of workspace or, in a kernel with a
/// producer, one by a list of rows that the kernel writes, since the producer
/// reads the list before.
LogicalResult checkCopiedByThreads(KernelOp kernel, attn_tile::LoadOp load);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ARRAYORIGIN_H
