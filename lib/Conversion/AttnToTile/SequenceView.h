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

/// Maps the rows and keys of a program to positions in arrays, in the mask and
/// in the larger problem that the op is part of. The rows and keys may be those
/// of a batch entry, of its valid part, or of a packed sequence; keys may be in
/// pages, and a tile may have rows of several heads. ProgramBuilder::viewAll
/// returns a view of all entries; enterBatch and enterTile return that of a
/// program's batch entry or sequence.
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
  /// ProgramBuilder::listPackedTiles).
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
  /// How the rows of a tile are numbered if they belong to several heads.
  RowPacking packing = {};
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SEQUENCEVIEW_H
