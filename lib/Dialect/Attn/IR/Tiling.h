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

/// Whether a range is known to be all of dimension `dim` of an array.
bool isWhole(TileRange range, Value array, int64_t dim);

/// Returns a slice of a tensor or memref with unit strides. Dimensions after
/// those in `ranges` are taken whole.
Value createSlice(OpBuilder &b, Location loc, Value source,
                  ArrayRef<TileRange> ranges);

/// Returns the origin of a tile along position 0 to 3 (b, h, i, j): the op's
/// own origin plus the tile's offset.
Value getOriginOfTile(OpBuilder &b, AttentionInterface op, unsigned position,
                      OpFoldResult offset);

/// Returns the operands of `lengths` for a tile with some of the op's batch
/// entries.
SmallVector<Value> getLengthsOfTile(OpBuilder &b, AttentionInterface op,
                                    TileRange batch);

/// Fails with an error at an op that cannot be tiled, or not to the query heads
/// `heads`.
LogicalResult checkTile(AttentionInterface op, TileRange heads);

/// Returns slices of the extra operands for a tile with the given ranges of the
/// query's and of the key's dimensions.
FailureOr<SmallVector<Value>> sliceExtras(OpBuilder &b, AttentionInterface op,
                                          ArrayRef<TileRange> ofQuery,
                                          ArrayRef<TileRange> ofKey);

/// Returns a size of a tensor or memref, as an attribute if it is static.
OpFoldResult getSize(OpBuilder &builder, Location loc, Value shaped,
                     int64_t dim);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_TILING_H
