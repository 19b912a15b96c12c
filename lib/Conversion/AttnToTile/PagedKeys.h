//===- PagedKeys.h - Keys and values in pages -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_PAGEDKEYS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_PAGEDKEYS_H

#include "SequenceView.h"

namespace mlir::attn {

/// A block of keys of a paged cache; its first key is key `position` of the
/// sequence.
struct PagedBlock {
  /// A page from which a part of the tile is loaded: its index in the pool,
  /// the number of its rows that hold valid keys, and an i1 that says whether
  /// the page is missing.
  struct Part {
    Value page, count, isMissing;
  };
  Value position;
  /// The pages that the tile consists of, each with its rows from `row` on;
  /// empty if the keys are gathered one by one instead.
  SmallVector<Part> parts;
  Value row;
};
/// For each key of a tile or vector: the index of its page, its row in that
/// page, and an i1 that is true if the key is valid (before at.numKeys) and its
/// page exists.
struct GatheredKeys {
  Value page, row, isKept;
};
PagedBlock enterPages(AttentionInterface op, TileBuilder &b,
                      const SequenceView &at, Value position,
                      int64_t numTileKeys);
/// Returns where the `count` keys from key `position` on are, as vectors.
GatheredKeys findKeys(AttentionInterface op, TileBuilder &b,
                      const SequenceView &at, Value position, int64_t count);
/// Loads a block's tile of keys or values from a paged pool. Axis `keyAxis` of
/// the tile, and of the last two dimensions of the pool, is the axis of keys.
/// The tile's columns begin at column `firstColumn` of the pool.
Value loadPaged(AttentionInterface op, TileBuilder &b, const SequenceView &at,
                const PagedBlock &block, Value pool, Value head,
                ArrayRef<int64_t> shape, int64_t keyAxis = 0,
                int64_t firstColumn = 0);
/// Returns the scores with -inf for keys whose page is missing, that is, whose
/// entry in the table of pages is not the index of a page of the pool. Keys are
/// along axis 1.
Value maskMissing(AttentionInterface op, TileBuilder &b, const SequenceView &at,
                  Value scores, const PagedBlock &block);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PAGEDKEYS_H
