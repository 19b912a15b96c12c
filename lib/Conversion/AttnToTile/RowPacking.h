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

  /// Whether a tile has rows of several heads.
  explicit operator bool() const { return static_cast<bool>(rowsOfHead); }

  /// Return tiles of `type`, whose elements are i32 or index, with an element
  /// for each row of the tile of scores, along `axis`: getTokens() the row's
  /// index in its head, getHeads() the index of its head in the group.
  Value getTokens(TileBuilder &b, RankedTensorType type,
                  int64_t axis = 0) const;
  Value getHeads(TileBuilder &b, RankedTensorType type, int64_t axis = 0) const;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPACKING_H
