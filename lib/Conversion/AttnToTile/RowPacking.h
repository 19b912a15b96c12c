//===- RowPacking.h - Rows of several heads in a tile -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPACKING_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPACKING_H

#include "TileBuilder.h"

namespace mlir::attn {

struct SequenceView;

/// The heads and tokens whose rows a tile has: those of `heads` query heads
/// that share keys, and of each head the rows of the same `tokens` tokens. Rows
/// are numbered head by head or, with `isByToken`, token by token. The tile's
/// rows past these belong to no head.
struct HeadRows {
  int64_t heads = 1, tokens;
  bool isByToken = false;
};

/// The numbering of the rows of a tile that has rows of several query heads
/// that share keys. The row of token `token` of head `head` of a group has the
/// number head * headStep + token * tokenStep. If the steps are null, rows are
/// numbered head by head, rowsOfHead for each.
struct RowPacking {
  /// The number of rows that each head has, which may be known only at run
  /// time; null if a tile has rows of only one head.
  OpFoldResult rowsOfHead = {};
  Value headStep = {}, tokenStep = {}, group = {};
  /// The number, in the group, of the tile's first row.
  Value first = {};
  /// The number of heads of which the tile has rows, or 0 if only a launch
  /// knows it.
  int64_t heads = 0;

  /// Whether a tile has rows of several heads.
  explicit operator bool() const { return static_cast<bool>(rowsOfHead); }

  /// Return tiles of `type`, whose elements are i32 or index, with an element
  /// for each row of the tile of scores, along `axis`: getTokens() the row's
  /// index in its head, getHeads() the index of its head in the group.
  Value getTokens(TileBuilder &b, RankedTensorType type,
                  int64_t axis = 0) const;
  Value getHeads(TileBuilder &b, RankedTensorType type, int64_t axis = 0) const;
};

/// Whether tiles can have rows of several heads: if the numbers of heads are
/// static and, in forward programs, no region reads captured arrays at row and
/// key.
bool mayJoinHeads(AttentionInterface op);
/// Returns the number of tokens of a sequence by which tiles are chosen: the
/// static number of rows, in packed sequences the mean of their static total,
/// or 16 if that is dynamic and the op says that it is small
/// (`few_rows`). Otherwise returns std::nullopt: a sequence may have so
/// many tokens that tiles with rows of one head are full.
std::optional<int64_t> estimateTokens(AttentionInterface op);
/// Decides how many heads' rows a tile of `rows` rows has: one head's, or a
/// divisor of the group's size with which arrays are loaded in at most 32
/// parts. Each head gets a multiple of 8 rows, since the swizzle of shared
/// memory repeats after 8 rows. mayJoinHeads() must be true.
///
/// If about `tokensOfHead` tokens are known to be in a sequence, it is the
/// smallest number with which there are the fewest tiles, if these are at most
/// half as many as with rows of one head. Otherwise it is the largest number
/// with which at least 7/8 of the tile's rows are used.
///
/// If `rowsByToken` is not 0, rows are numbered token by token in arrays, so
/// that a tile is loaded as a whole. The number of heads then divides
/// `rowsByToken`, which divides `rows`.
HeadRows divideTile(AttentionInterface op, int64_t rows,
                    std::optional<int64_t> tokensOfHead,
                    int64_t rowsByToken = 0);
/// Returns the numbering of the tile's rows, which is null if these belong to
/// one head.
RowPacking getPacking(TileBuilder &b, const HeadRows &division);
/// Loads a tile of shape `shape` with rows of several heads in parts, each of
/// which has rows of one head. `head` is the first head and `token` the first
/// token. Rows of the tile that belong to no head are zeros if `clears`, else
/// rows of the last head. The tile's columns begin at column `firstColumn` of
/// the array.
Value loadHeads(TileBuilder &b, Value array, const HeadRows &division,
                ArrayRef<int64_t> shape, Value batch, Value head, Value token,
                bool clears, int64_t firstColumn = 0);
/// Returns vectors with the head and the token of each row of a tile of `rows`
/// rows, for a scatter. `head` is the tile's first head and `row` its first
/// token. Rows that belong to no head get a head past the last one.
std::pair<Value, Value> placeHeads(AttentionInterface op, TileBuilder &b,
                                   const SequenceView &at,
                                   const HeadRows &division, Value head,
                                   Value row, int64_t rows);
/// Returns a vector of i1: which of the `rows` rows of the tile whose first row
/// is `row` are before the true length (`len_q`). Returns null if all of the
/// `stored` rows are.
Value findStoredRows(TileBuilder &b, const SequenceView &at,
                     OpFoldResult stored, Value row, int64_t rows);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPACKING_H
