//===- ListedRows.h - Rows that a list in memory names ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_LISTEDROWS_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_LISTEDROWS_H

#include "Patterns.h"

namespace mlir::attn {

/// The rows of a tile, each of which a list in memory names.
class ListedRows {
public:
  /// The tile is at `indices` of `source`, and its first row is named at
  /// position `entry` of `list`.
  ListedRows(Value source, ValueRange indices, Value list, Value entry)
      : source(source), indices(indices), list(list), entry(entry) {}

  /// What the list says of a row: an index that is to be added to the source's,
  /// and whether that row is in the view. Without a position in the list, the
  /// index is 0 and the row is not in the view.
  struct Row {
    Value distance, isInside;
  };
  /// Reads the list's entry for a row of the tile, in the calling thread. The
  /// load is one instruction with a predicate: a branch around each of several
  /// would wait for one after the other.
  Row read(NumberBuilder &builder, Value row) const;

private:
  Value source;
  ValueRange indices;
  Value list, entry;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_LISTEDROWS_H
