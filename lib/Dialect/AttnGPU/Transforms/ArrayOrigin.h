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

/// Returns a builder that inserts ops after the kernel's setup ops (constants,
/// tensor maps and the like) and before its program.
attn::NumberBuilder getSetupBuilder(KernelOp kernel);

/// The array that a view in a kernel is a part of.
struct OuterArray {
  /// The argument of the kernel that is the array, or null if it is not found.
  /// The view must follow from the argument by casts and by slices that have
  /// unit strides and all columns. At most one of these slices may take only
  /// some of the rows, the last dimension but one.
  Value array;
  /// The one slice that takes only some of the rows, or null if there is none.
  memref::SubViewOp rows;

  explicit operator bool() const { return bool(array); }
};
OuterArray getOuterArray(KernelOp kernel, Value view);

/// Emits the TMA coordinates of the element at `indices` of `view`, a part of
/// `array`, in the order of the array's dimensions. If a slice takes only some
/// of the rows, an additional coordinate comes first: the end of the slice.
/// `mapping` maps values of the program that contains the view to values at the
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

/// Creates the tensor map by which TMA copies, or adds, panels of a tile or a
/// vector of the array.
Value encodeMap(attn::NumberBuilder &builder, OuterArray array,
                RankedTensorType tile);

/// The tensor maps of the boxes that a load copies. `ofEmpty`, null if the
/// array is not sliced, is for boxes without an element of the slice, and `map`
/// for all others. encodeMaps() creates them; its argument `isReadOnce`
/// promises that no two CTAs read the same part of the array.
struct LoadMaps {
  Value map, ofEmpty;
};
LoadMaps encodeMaps(attn::NumberBuilder &builder, OuterArray array,
                    RankedTensorType tile, bool isReadOnce = false);

/// Emits the fill of a ring's next slot, by which TMA copies the parts of the
/// tile that the load reads. If the array is sliced, each part selects its map
/// at run time: `ofEmpty` if its box has no element of the slice, otherwise
/// `map`.
void fillLoaded(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                ArrayRef<OuterArray> arrays, LoadMaps maps, Value ring,
                const IRMapping &mapping);

/// Whether a tensor map can describe the array whatever its sizes are: it is
/// workspace of rank 5 at most, and its rows have a static length that is a
/// multiple of 16 bytes.
bool isDescribable(KernelOp kernel, Value array);

/// Whether a load reads a vector that is a whole row, of at most 256 elements
/// of f32, of an array that is not sliced and that a tensor map can describe
/// (isDescribable()).
bool isWholeRow(KernelOp kernel, attn_tile::LoadOp load);

/// Fails with an error at a load that threads cannot copy to shared memory.
/// They cannot copy a vector that is not a whole row of workspace. A producer
/// cannot copy rows by a list that the kernel writes, since it would read the
/// list too early.
LogicalResult checkCopiedByThreads(KernelOp kernel, attn_tile::LoadOp load);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ARRAYORIGIN_H
