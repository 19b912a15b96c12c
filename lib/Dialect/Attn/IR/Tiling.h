//===- Tiling.h - Common parts of tilings -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_TILING_H
#define ATTN_LIB_DIALECT_ATTN_IR_TILING_H

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// A range of one dimension.
struct TileRange {
  OpFoldResult offset, size;
};

/// Whether a range is known to be all of dimension `dim` of an array: its
/// offset is 0, and its size is the static size or a dim op of that dimension.
bool isWhole(TileRange range, Value array, int64_t dim);

/// Returns a slice of a tensor or memref with unit strides. Dimensions after
/// those in `ranges` are taken whole.
Value createSlice(OpBuilder &b, Location loc, Value source,
                  ArrayRef<TileRange> ranges);

/// Returns the origin of a tile along position 0 to 3 (b, h, i, j): the op's
/// own origin plus the tile's offset.
Value getOriginOfTile(OpBuilder &b, AttentionInterface op, unsigned position,
                      OpFoldResult offset);

/// Returns the operands of `lengths` for a tile with the batch entries `batch`:
/// the op's own, of which arrays are sliced, or, if it has none, the numbers of
/// rows and keys of its whole arrays.
SmallVector<Value> getLengthsOfTile(OpBuilder &b, AttentionInterface op,
                                    TileRange batch);

/// Fails with an error at an op that cannot be tiled (its sequences are
/// packed), or not to only some of its query heads (its dropout counts them).
LogicalResult checkTile(AttentionInterface op, TileRange heads);

/// Returns slices of all extra operands for a tile with the ranges `ofQuery` of
/// the query's first dimensions and `ofKey` of the key's. Fails with an error
/// if an element is for several rows and the tile has only some rows.
FailureOr<SmallVector<Value>> sliceExtras(OpBuilder &b, AttentionInterface op,
                                          ArrayRef<TileRange> ofQuery,
                                          ArrayRef<TileRange> ofKey);

/// Returns a size of a tensor or memref, as an attribute if it is static.
OpFoldResult getSize(OpBuilder &builder, Location loc, Value shaped,
                     int64_t dim);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_TILING_H
