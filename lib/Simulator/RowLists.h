//===- RowLists.h - Lists of the rows of a tile -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_ROWLISTS_H
#define ATTN_LIB_SIMULATOR_ROWLISTS_H

#include "Agent.h"

namespace mlir::attn::sim {

/// A list in memory that says which rows of its source a tile consists of.
struct RowList {
  ViewRef list;
  /// The index in the list of the element that names the source row for the
  /// tile's first row.
  int64_t entry = 0;
  /// The row of the source from which the elements of the list are counted:
  /// element 0 means this row.
  int64_t first = 0;

  /// Returns which row of the source the tile's row `row` is: `first` plus
  /// element `entry` + `row` of the list. Returns -1 if the list has no such
  /// element, and fails if the element cannot be read.
  FailureOr<int64_t> getRow(Agent &agent, Operation *op, int64_t row) const;
  /// Appends to `rows` the source rows of the first `count` rows of the tile,
  /// as getRow() returns them.
  LogicalResult getRows(Agent &agent, Operation *op, int64_t count,
                        SmallVectorImpl<int64_t> &rows) const;
};

/// Returns the list of rows of a load or a fill, or nothing if the op has no
/// such list. `indices` are the indices of the tile's first element in the
/// array that the op reads.
template <typename Op>
FailureOr<std::optional<RowList>> getRowList(Agent &agent, Op op,
                                             ArrayRef<int64_t> indices) {
  if (!op.getList())
    return std::optional<RowList>();
  const ViewRef *list = agent.get<ViewRef>(op, op.getList());
  FailureOr<int64_t> entry = agent.getInt(op, op.getEntry());
  if (!list || failed(entry))
    return failure();
  return std::optional(RowList{*list, *entry, indices[indices.size() - 2]});
}

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_ROWLISTS_H
