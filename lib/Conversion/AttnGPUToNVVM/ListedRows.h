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

/// The rows of a tile in global memory, where each row is named by an entry of
/// a list of i32, which is also in global memory.
class ListedRows {
public:
  /// Describes the rows of a tile that begins at `indices` of the view
  /// `source`. `entry` is the position in `list` of the entry for the tile's
  /// first row.
  ListedRows(Value source, ValueRange indices, Value list, Value entry)
      : source(source), indices(indices), list(list), entry(entry) {}

  /// A row of the tile that the list names. `distance` is the list's entry,
  /// which is added to the row index at which the tile begins; `isInside` says
  /// whether the resulting row is in the view. If the entry's position is
  /// outside of the list, `distance` is 0 and `isInside` is false.
  struct Row {
    Value distance, isInside;
  };
  /// Reads the list's entry for row `row` of the tile, by a predicated load.
  /// With a branch instead, each load would wait for the one before it.
  Row read(NumberBuilder &builder, Value row) const;

private:
  Value source;
  ValueRange indices;
  Value list, entry;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_LISTEDROWS_H
