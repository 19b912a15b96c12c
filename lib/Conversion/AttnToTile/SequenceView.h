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
/// the larger problem. They may be those of a batch entry, or of the part of it
/// that counts, or of a packed sequence, with keys in pages and rows of several
/// heads. ProgramBuilder::viewAll returns a view of all entries, and enterBatch
/// and enterTile the view of a program's own entry or sequence.
struct SequenceView {
  /// The batch entry, head, row and key of the larger problem at which the op's
  /// first ones are.
  std::array<OpFoldResult, 4> origin;
  /// The true lengths of query and key, which are at most the arrays' sizes.
  OpFoldResult lengthQ, lengthKv;
  /// The numbers of rows and keys that count, and the main diagonal, without
  /// the mask's own bounds: row i of the query is at column i + diagonal of the
  /// keys.
  OpFoldResult numRows, numKeys, diagonal;
  /// Whether arrays may have more rows, or keys, than count.
  bool hasRowsBehind = false, hasKeysBehind = false;
  /// The sequence's first row and key in arrays, 0 unless sequences are packed;
  /// and its first unit in row vectors, null unless sequences are packed.
  OpFoldResult firstRow, firstKey;
  Value firstUnit = {};
  /// The index of the batch entry or sequence, and the index in the arrays'
  /// dimension of batch entries, which is 0 for packed sequences; null in a
  /// view of all entries.
  Value batch = {}, arrayBatch = {};
  /// Whether the rows lie outside of packed sequences, where no sink applies;
  /// null if none do.
  Value isOfNone = {};
  /// The arrays of keys, of their further columns and of values, as programs
  /// load them: a pool of pages, or views of the keys that count. Null for an
  /// array that the op does not have.
  Value key, keyRope, value;
  /// How rows of several heads are numbered, where a tile has such rows.
  RowPacking packing = {};
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SEQUENCEVIEW_H
