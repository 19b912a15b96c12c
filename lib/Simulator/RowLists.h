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

/// A list in memory that names the rows of a tile.
struct RowList {
  ViewRef list;
  /// The index in the list of the entry for the tile's first row.
  int64_t entry = 0;
  /// The row of the source that each element of the list is relative to.
  int64_t first = 0;

  /// Returns the row of the source for row `row` of the tile: `first` plus
  /// element `entry` + `row` of the list, or -1 if the list has no such
  /// element.
  FailureOr<int64_t> getRow(Agent &agent, Operation *op, int64_t row) const;
  /// Appends to `rows` the results of getRow() for the first `count` rows of
  /// the tile.
  LogicalResult getRows(Agent &agent, Operation *op, int64_t count,
                        SmallVectorImpl<int64_t> &rows) const;
};

/// Returns the list of rows of a load or a fill, or none if the op has no list.
/// `indices` are the indices of the tile's first element in its source.
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
