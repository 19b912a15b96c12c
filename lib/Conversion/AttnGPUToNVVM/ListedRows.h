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

/// The rows of a tile, each named by an entry of a list in memory.
class ListedRows {
public:
  /// The tile begins at `indices` of `source`, and `entry` is the position in
  /// `list` of its first row's entry.
  ListedRows(Value source, ValueRange indices, Value list, Value entry)
      : source(source), indices(indices), list(list), entry(entry) {}

  /// `distance` is the list's entry for a row, an index that is added to the
  /// tile's first one, and `isInside` says whether the resulting row is in the
  /// view. Outside of the list, `distance` is 0 and `isInside` is false.
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
