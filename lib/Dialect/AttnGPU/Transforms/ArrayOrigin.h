//===- ArrayOrigin.h - Where views lie in their arrays ----------*- C++ -*-===//
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

/// A builder at the end of the ops that prepare the kernel's program.
attn::NumberBuilder getSetupBuilder(KernelOp kernel);

/// The array that a view in the kernel is a part of.
struct OuterArray {
  /// An argument of the kernel, or null if anything is between but slices with
  /// unit strides, of which one may end rows, the last dimension but one,
  /// before the array does.
  Value array;
  /// The one that does, or null.
  memref::SubViewOp rows;

  explicit operator bool() const { return bool(array); }
};
OuterArray getOuterArray(KernelOp kernel, Value view);

/// The coordinates in `array`, as TMA takes them, of the element at `indices`
/// of a view that is a part of it. `mapping` is from the program that has the
/// view to where the builder is.
SmallVector<Value> getCoordinates(attn::NumberBuilder &builder,
                                  OuterArray array, Value view,
                                  ValueRange indices,
                                  const IRMapping &mapping = {});

/// Of the views that a load reads, one for each part. Fails with an error at
/// the load where there is no such array, or not one for all parts.
FailureOr<SmallVector<OuterArray>> getLoadedArrays(KernelOp kernel,
                                                   attn_tile::LoadOp load);

/// The tensor map of an array for panels of a tile, or for vectors.
Value encodeMap(attn::NumberBuilder &builder, OuterArray array,
                RankedTensorType tile);

/// What a load's boxes are copied by: `ofEmpty` for those of slices that have
/// no element, null where nothing is sliced. `isReadOnce` is for an array of
/// which no two CTAs read the same part.
struct LoadMaps {
  Value map, ofEmpty;
};
LoadMaps encodeMaps(attn::NumberBuilder &builder, OuterArray array,
                    RankedTensorType tile, bool isReadOnce = false);

/// Copies the next tile of a ring: what the load reads, part by part.
void fillLoaded(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                ArrayRef<OuterArray> arrays, LoadMaps maps, Value ring,
                const IRMapping &mapping);

/// Whether TMA can describe the array whatever its sizes are: workspace whose
/// rows are a multiple of 16 bytes long.
bool isDescribable(KernelOp kernel, Value array);

/// Whether a load of a vector reads a whole row of such an array.
bool isWholeRow(KernelOp kernel, attn_tile::LoadOp load);

/// Fails with an error at a load that threads can't copy to shared memory. Of
/// vectors, they copy whole rows of the workspace. Of lists of rows, a producer
/// reads those alone that the kernel does not write.
LogicalResult checkCopiedByThreads(KernelOp kernel, attn_tile::LoadOp load);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ARRAYORIGIN_H
