//===- RowLists.cpp - Lists of the rows of a tile -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowLists.h"

#include "GlobalMemory.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

FailureOr<int64_t> RowList::getRow(Agent &agent, Operation *op,
                                   int64_t row) const {
  int64_t position = entry + row;
  if (!isInside(*list, position))
    return -1;
  FailureOr<double> distance = loadGlobal(agent, op, *list, position);
  if (failed(distance))
    return failure();
  return first + static_cast<int64_t>(*distance);
}

LogicalResult RowList::getRows(Agent &agent, Operation *op, int64_t count,
                               SmallVectorImpl<int64_t> &rows) const {
  for (int64_t row = 0; row < count; ++row) {
    FailureOr<int64_t> found = getRow(agent, op, row);
    if (failed(found))
      return failure();
    rows.push_back(*found);
  }
  return success();
}
