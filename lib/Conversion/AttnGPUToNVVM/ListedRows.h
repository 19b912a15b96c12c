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

/// The rows of a tile in global memory if each is named by an entry of a list,
/// which is also in memory.
class ListedRows {
public:
  /// The tile begins at `indices` of `source`, and `entry` is the position in
  /// `list` of its first row's entry.
  ListedRows(Value source, ValueRange indices, Value list, Value entry)
      : source(source), indices(indices), list(list), entry(entry) {}

  /// A row of the tile. `distance` is its entry in the list, which is added to
  /// the index of the tile's first row; `isInside` says whether the resulting
  /// row is in the view. For a position outside of the list, `distance` is 0
  /// and `isInside` is false.
  struct Row {
    Value distance, isInside;
  };
  /// Reads the list's entry for a row of the tile. The load is predicated: with
  /// branches instead, several loads would wait for each other.
  Row read(NumberBuilder &builder, Value row) const;

private:
  Value source;
  ValueRange indices;
  Value list, entry;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_LISTEDROWS_H
