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
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::attn {

/// A range of indices in one dimension of an array.
struct TileRange {
  OpFoldResult offset, size;
};

/// Whether a range is known to be all of dimension `dim` of an array: its
/// offset is 0, and its size is the static size or a dim op of that dimension.
bool isWhole(TileRange range, Value array, int64_t dim);

/// Emits a slice of a tensor or memref with unit strides. Dimensions after
/// those in `ranges` are taken whole.
Value createSlice(OpBuilder &b, Location loc, Value source,
                  ArrayRef<TileRange> ranges);

/// Emits coordinate `position` (0 to 3: b, h, i, j) of a tile's origin: that of
/// the op's own origin plus `offset`, the tile's offset in the op's arrays.
Value getOriginOfTile(OpBuilder &b, AttentionInterface op, unsigned position,
                      OpFoldResult offset);

/// Emits the operands of `lengths` for the tile with the batch entries `batch`.
/// The operands are the op's own lengths; an array of lengths is sliced to
/// these entries. If the op has none, they are the numbers of rows and keys of
/// its whole arrays.
SmallVector<Value> getLengthsOfTile(OpBuilder &b, AttentionInterface op,
                                    TileRange batch);

/// Reports an error if the op cannot be tiled. That is so if its sequences are
/// packed. An op with dropout cannot be tiled to some of its query heads
/// (`heads`), since dropout numbers the query heads of the whole op.
LogicalResult checkTile(AttentionInterface op, TileRange heads);

/// Emits slices of all extra operands for a tile, whose ranges in the first
/// dimensions of the query are `ofQuery`, and in those of the key `ofKey`.
/// Fails with an error if several rows share an element of an operand and the
/// tile has only some rows.
FailureOr<SmallVector<Value>> sliceExtras(OpBuilder &b, AttentionInterface op,
                                          ArrayRef<TileRange> ofQuery,
                                          ArrayRef<TileRange> ofKey);

/// A copy of an op for a tile. Its operands become slices of the op's operands.
template <typename Op> class TiledOp {
public:
  TiledOp(OpBuilder &b, Op whole)
      : guard(b), b(b), op(cast<Op>(b.clone(*whole))) {
    b.setInsertionPoint(op);
  }

  Op *operator->() { return &op; }

  /// Replaces operands by slices. Does nothing without ranges.
  void slice(OpOperand &operand, ArrayRef<TileRange> ranges) {
    if (ranges.empty())
      return;
    Value own = createSlice(b, op.getLoc(), operand.get(), ranges);
    operand.set(own);
    slices.push_back(own.getDefiningOp());
  }
  void slice(MutableOperandRange operands, ArrayRef<TileRange> ranges) {
    for (OpOperand &operand : operands)
      slice(operand, ranges);
  }

  /// Gives the copy explicit lengths and slices of its extra operands, and
  /// returns it with the types of its results.
  TilingResult finish(ArrayRef<Value> lengths, ArrayRef<Value> extras) {
    op.getLengthsMutable().assign(lengths);
    op.getExtrasMutable().assign(extras);
    for (Value extra : extras)
      slices.push_back(extra.getDefiningOp());
    for (auto [result, out] : llvm::zip(op->getResults(), op.getOuts()))
      result.setType(out.getType());
    return {{op}, SmallVector<Value>(op->getResults()), slices};
  }

private:
  OpBuilder::InsertionGuard guard;
  OpBuilder &b;
  Op op;
  SmallVector<Operation *> slices;
};

/// Returns the size of dimension `dim` of a tensor or memref, as an attribute
/// if it is static.
OpFoldResult getSize(OpBuilder &builder, Location loc, Value shaped,
                     int64_t dim);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_TILING_H
