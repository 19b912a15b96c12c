//===- Domains.h - Domains of loops over blocks -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_DOMAINS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_DOMAINS_H

#include "BlockKinds.h"
#include "MaskRanges.h"
#include "SequenceView.h"

namespace mlir::attn {

/// Returns the domain, in blocks of `block` keys, of the keys that the `rows`
/// query rows of head `head` from `row` on see. The domain is a list in memory
/// if the op has lists of blocks of keys, else an interval computed from the
/// mask attribute and mask region.
Value createKeyDomain(AttentionInterface op, TileBuilder &b,
                      const SequenceView &at, Value head, Value row,
                      int64_t rows, int64_t block);
/// Returns the domain, in blocks of `block` rows, of the query rows that see
/// the `keys` keys from `first` on. If the tile of keys reaches past the last
/// valid key, all of its blocks are partial. Blocks that reach past the last
/// row are partial if `cutsRows`. Blocks have rows of the `heads` heads from
/// `head` on, which may be null if the op has no mask region.
Value createRowDomain(AttentionInterface op, TileBuilder &b,
                      const SequenceView &at, Value head, int64_t heads,
                      Value first, int64_t keys, int64_t block, bool cutsRows);
/// For a range of rows (or of keys), the columns [lo, hi), which are keys (or
/// rows), that some positions of the range see, and the columns [fullLo,
/// fullHi) that all positions of the range see.
struct Interval {
  OpFoldResult lo, hi, fullLo, fullHi;
  /// Whether `lo`, or `hi`, differs among the tiles of a grid.
  bool loVaries = false, hiVaries = false;
};
Value createDomain(TileBuilder &b, Value first, int64_t rows, OpFoldResult all,
                   int64_t block, function_ref<Interval(Value, Value)> emit);
/// Returns a domain for a single row that sees all columns from `first`
/// (inclusive) to `end` (exclusive), in blocks of `block` columns.
Value createWholeDomain(TileBuilder &b, OpFoldResult first, OpFoldResult end,
                        int64_t block);
/// Return the interval that the mask attribute leaves, without regard to the
/// mask region: boundKeys() that of the keys that the rows [first, last) see,
/// boundRows() that of the rows that see the keys [first, last).
Interval boundKeys(AttentionInterface op, TileBuilder &b,
                   const SequenceView &at, Value first, Value last);
Interval boundRows(AttentionInterface op, TileBuilder &b,
                   const SequenceView &at, Value first, Value last,
                   int64_t block, bool cutsRows);
OpFoldResult countForTile(TileBuilder &b, Value first, OpFoldResult own,
                          OpFoldResult count);
Value placeForTile(TileBuilder &b, Value first, OpFoldResult own);
/// Returns the ranges of keys (with `ofRows`, of rows) that the mask region
/// allows for the `heads` heads from `head` on: one element that serves all of
/// them, or one for each. Returns none if the op has no mask region or if no
/// range can be derived from it.
std::vector<MaskRanges> getMaskRanges(AttentionInterface op, TileBuilder &b,
                                      const SequenceView &at, bool ofRows,
                                      Value head, int64_t heads);
void cutLastKeys(TileBuilder &b, const SequenceView &at, Interval &interval,
                 int64_t keys, Value last);
void boundByMask(TileBuilder &b, const SequenceView &at,
                 MutableArrayRef<MaskRanges> ranges, bool ofRows, Value first,
                 Value last, Interval &interval);
/// Emits a grid that lists, for each tile of `own` rows, the blocks of `block`
/// keys in which the mask region may keep pairs, and a grid that orders the
/// tiles by the lengths of their lists. Sets these lists in `all`: domains of
/// keys of views made from `all` are then lists. Nothing is emitted if lists
/// would exclude no more blocks than the intervals of MaskRanges. With
/// `ofRows`, tiles are tiles of keys and blocks are blocks of rows. A tile, or
/// a block of rows, has rows of `heads` heads that share keys. With
/// `hasMap`, lists have `map` and no `order`.
void listBlocks(AttentionInterface op, TileBuilder &b, SequenceView &all,
                bool ofRows, int64_t own, int64_t block, int64_t heads,
                bool cutsRows, TileSizesAttrInterface rowwise,
                bool hasMap = false);
/// Returns two conditions on the blocks of the `size` rows or keys from `first`
/// on, given the list of the tile at `position`: whether at least one of these
/// blocks is listed, and whether all are listed as full blocks. They are
/// vectors of BlockKinds::kBlocks elements of i1, and `position` or `first` is
/// a vector of as many indices. The lists must have `map`.
std::pair<Value, Value> findListedBlocks(TileBuilder &b,
                                         const BlockLists &lists, Value batch,
                                         Value head, Value position,
                                         Value first, int64_t size);
/// Returns the first row or key of the tile that the program at grid position
/// `position` computes. Programs take tiles in the order of the lengths of
/// their lists, so that all SMs finish at about the same time. Without such an
/// order, returns `position`.
Value findListedTile(TileBuilder &b, const BlockLists &lists, Value batch,
                     Value head, Value position);
/// Returns the domain that is the list of the tile at `position`. If `end` is
/// not null, the domain has only the listed blocks of [first, end), which are
/// multiples of the block's size or the end of all rows or keys; the lists must
/// then have `map`.
Value createListedDomain(TileBuilder &b, const BlockLists &lists, Value batch,
                         Value head, Value position, Value first = {},
                         Value end = {});

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_DOMAINS_H
