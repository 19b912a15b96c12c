//===- RowScatter.h - Scatters of whole rows --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ROWSCATTER_H
#define ATTN_DIALECT_ATTNTILE_IR_ROWSCATTER_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

namespace mlir::attn_tile {

/// Whether a scatter writes each row of its tile to neighboring elements of
/// memory. In such a scatter, some indices are vectors with an index for each
/// row, and the last index is the column of a row's first element.
inline bool scattersRows(ScatterOp op) {
  return op.getTile().getType().getRank() == 2 &&
         llvm::any_of(op.getIndices().getTypes(), [](Type type) {
           auto tile = dyn_cast<RankedTensorType>(type);
           return tile && tile.getRank() == 1;
         });
}

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_IR_ROWSCATTER_H
