//===- Tiling.h - What tilings of attention ops share -----------*- C++ -*-===//
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

/// Whether it is known to be all of a dimension of an array.
bool isWhole(TileRange range, Value array, int64_t dim);

/// A slice of a tensor or memref with unit strides; of dimensions behind
/// `ranges` all.
Value createSlice(OpBuilder &b, Location loc, Value source,
                  ArrayRef<TileRange> ranges);

/// Returns the origin of a tile: a range of `b`, `h` or `i`, counted in the
/// whole problem.
Value getOriginOfTile(OpBuilder &b, AttentionInterface op, unsigned position,
                      OpFoldResult offset);

/// Returns the lengths for an op on some batch entries.
SmallVector<Value> getLengthsOfTile(OpBuilder &b, AttentionInterface op,
                                    TileRange batch);

/// Fails with an error at an op that has no tiles of some of its heads, of
/// which `heads` are query heads.
LogicalResult checkTile(AttentionInterface op, TileRange heads);

/// The parts of extra operands that belong to ranges of query's dimensions or
/// of key's.
FailureOr<SmallVector<Value>> sliceExtras(OpBuilder &b, AttentionInterface op,
                                          ArrayRef<TileRange> ofQuery,
                                          ArrayRef<TileRange> ofKey);

/// A size of a tensor or memref, as an attribute where it is static.
OpFoldResult getSize(OpBuilder &builder, Location loc, Value shaped,
                     int64_t dim);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_TILING_H
