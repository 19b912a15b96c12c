//===- SequenceView.h - Rows and keys of a program --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SEQUENCEVIEW_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SEQUENCEVIEW_H

#include "ScoreTiling.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::attn {

/// Lists, in memory, of the blocks to visit: one list for each tile of rows
/// or, for gradients, for each tile of keys.
struct BlockLists {
  /// i32 arrays. `blocks` has the numbers of the listed blocks and `partial`
  /// a 1 for each listed block that is partial, else 0; both have the shape
  /// batch x heads x tiles x blocks. `counts` has the number of listed blocks
  /// of each tile, in the shape batch x heads x tiles.
  Value blocks, partial, counts;
  /// An i32 array with a number for each block of each tile: four times the
  /// number of listed blocks before the block, plus the block's Kind. It has
  /// the shape of `blocks`, but at least one block; or null.
  Value map;
  enum Kind { kNotListed, kPartial, kFull };
  /// The numbers of the tiles in the order in which programs take them, tiles
  /// with few blocks first, in the shape of `counts`; or null if programs
  /// take tiles in the order of their numbers.
  Value order;
  /// In lists of blocks of keys, the number of rows of a tile (`own`) and of
  /// keys of a block (`block`); in lists of blocks of rows, the number of
  /// keys of a tile and of rows of a block.
  int64_t own = 0, block = 0;
  /// The number of query heads whose rows a tile, or a block of rows, has: one
  /// list serves these. 0 if one list serves all heads.
  int64_t heads = 0;
  bool hasBatch = false;

  /// Returns the index of the list of the tile with rows of `head` in the
  /// dimension of heads.
  Value getHeadIndex(TileBuilder &b, Value head) const;
};

/// Maps the rows and keys of a program to positions in arrays, in the mask and
/// in the larger problem that the op is part of. The rows and keys may be those
/// of a batch entry, of its valid part, or of a packed sequence; keys may be in
/// pages, and a tile may have rows of several heads. viewAll() returns a view
/// of all entries; enterBatch and enterTile return that of a program's batch
/// entry or sequence.
struct SequenceView {
  /// The batch entry, head, row and key of the larger problem at which the op's
  /// first batch entry, head, row and key are.
  std::array<OpFoldResult, 4> origin;
  /// The true lengths of query and keys (`len_q`, `len_kv`), counted in the
  /// larger problem; without such operands, the sizes of the arrays.
  OpFoldResult lengthQ, lengthKv;
  /// The number of valid rows, the number of valid keys, and the offset of the
  /// main diagonal: without the bounds of the mask attribute, row i of the
  /// query is aligned with key i + diagonal.
  OpFoldResult numRows, numKeys, diagonal;
  /// Whether rows, or keys, of the arrays may lie outside of the valid ones.
  /// True for packed sequences, where other sequences' rows and keys do.
  bool hasRowsBehind = false, hasKeysBehind = false;
  /// The sequence's first row and first key in the arrays, which are 0 unless
  /// sequences are packed; and its first unit in vectors with an element for
  /// each row, which is null unless sequences are packed (see
  /// listPackedTiles).
  OpFoldResult firstRow, firstKey;
  Value firstUnit = {};
  /// `batch` is the index of the batch entry or packed sequence. `arrayBatch`
  /// is the index in the arrays' dimension of batch entries, which is 0 for
  /// packed sequences. Both are null in a view of all entries.
  Value batch = {}, arrayBatch = {};
  /// An i1 that is true if the rows lie outside of all packed sequences, where
  /// no sink is added; null if no rows do.
  Value isOfNone = {};
  /// The arrays of keys, of key_rope and of values, as programs load them: a
  /// pool of pages, or views of the valid keys. An array that the op does not
  /// have is null.
  Value key, keyRope, value;
  /// If listsKeys(): the list, in memory, of the rows of the pools that hold
  /// the entry's keys. Rows of pools are then along dimension 2. Else null.
  Value keyList = {};
  /// How the rows of a tile are numbered if they belong to several heads.
  RowPacking packing = {};
  /// The lists of the blocks of keys that tiles of rows visit, and of the
  /// blocks of rows that tiles of keys visit; their arrays are null if there
  /// are no lists (see listBlocks).
  BlockLists keyLists, rowLists;
  /// For each captured array that the mask region reads at row and key without
  /// the operand `bounds`: the array and its summary in memory.
  llvm::SmallMapVector<Value, Value, 2> summaries = {};
};

inline bool isPacked(AttentionInterface op) { return !op.getPacked().empty(); }

/// Returns the SequenceView of all batch entries; to be called before a grid.
SequenceView viewAll(AttentionInterface op, TileBuilder &b);
/// Returns the SequenceView of batch entry `batch`, for use in a program. If
/// the op has arrays of true lengths, the view has the lengths of this entry,
/// and its arrays of keys and values are cut to the valid keys.
SequenceView enterBatch(AttentionInterface op, TileBuilder &b,
                        const SequenceView &all, Value batch);
/// Return a view of the rows (`rowsOf`) or keys (`keysOf`) in `array` that
/// belong to the packed sequence of `at`; if sequences are not packed, return
/// `array`. If batch entries have arrays of true lengths, `realRowsOf` returns
/// a view of the rows before the true length, and otherwise what `rowsOf`
/// returns. The array has `ofToken` rows, one after the other, of each token.
inline Value sliceRows(TileBuilder &b, const SequenceView &at, Value array,
                       int64_t ofToken) {
  AffineExpr rows = b.dim(0) * ofToken;
  return b.slice(array, b.apply(rows, {at.firstRow}),
                 b.apply(rows, {at.numRows}));
}
inline Value rowsOf(AttentionInterface op, TileBuilder &b,
                    const SequenceView &at, Value array, int64_t ofToken = 1) {
  return isPacked(op) ? sliceRows(b, at, array, ofToken) : array;
}
inline Value realRowsOf(AttentionInterface op, TileBuilder &b,
                        const SequenceView &at, Value array,
                        int64_t ofToken = 1) {
  return op.isRagged() ? sliceRows(b, at, array, ofToken) : array;
}
inline Value keysOf(AttentionInterface op, TileBuilder &b,
                    const SequenceView &at, Value array) {
  return isPacked(op) ? b.slice(array, at.firstKey, at.numKeys) : array;
}
/// Cuts the arrays of `at` that have keys, columns of key_rope and values to
/// the `at.numKeys` keys from key `first` on.
void takeKeys(AttentionInterface op, TileBuilder &b, SequenceView &at,
              OpFoldResult first);
/// Returns the array in the form that programs load: a view of its bytes if its
/// elements are i4, else the array itself.
Value viewBytes(TileBuilder &b, Value array);
/// Returns a vector of the scales of `count` keys (or of their values), from
/// key `position` of the program's sequence on. The keys must not be in pages.
/// Memory past the last valid key may hold anything, so the scales of keys past
/// it are not read. Such keys get 0 if isContiguous(), else the last key's
/// scale.
Value loadScalesOfKeys(TileBuilder &b, const ExtraOperand &scale,
                       const SequenceView &at, Value head, Value position,
                       int64_t count);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SEQUENCEVIEW_H
