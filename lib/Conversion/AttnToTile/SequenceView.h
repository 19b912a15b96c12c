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

namespace mlir::attn {

/// Maps a program's rows and keys to positions in arrays, in the mask and in
/// the larger problem, whether they are those of a batch entry, of a part of it
/// that counts, of a packed sequence, of pages or of several heads.
/// ProgramBuilder::viewAll returns a view of all entries, and enterBatch and
/// enterTile the view of a program's own entry.
struct SequenceView {
  /// The batch entry, head, row and key in the larger problem where the op's
  /// first ones are.
  std::array<OpFoldResult, 4> origin;
  /// The true lengths, at most the arrays'.
  OpFoldResult lengthQ, lengthKv;
  /// Rows and keys that count, and the diagonal: row i of the query is at
  /// column i + diagonal of the key, without the mask's own bounds.
  OpFoldResult numRows, numKeys, diagonal;
  /// Whether arrays may have more rows, or keys, than count.
  bool hasRowsBehind = false, hasKeysBehind = false;
  /// The sequence's first row and key in arrays, and its first unit in row
  /// vectors, which is null unless sequences are packed.
  OpFoldResult firstRow, firstKey;
  Value firstUnit = {};
  /// The number of the batch entry or sequence, and its index in arrays; null
  /// in a view of all entries.
  Value batch = {}, arrayBatch = {};
  /// Whether the rows lie outside of packed sequences, where no sink applies;
  /// null if none do.
  Value isOfNone = {};
  /// The keys, their further columns and the values, as programs load them: a
  /// pool of pages, or the keys that count. Null if there are none.
  Value key, keyRope, value;
  /// How rows of several heads are numbered, where a tile has such rows.
  RowPacking packing = {};
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SEQUENCEVIEW_H
