//===- RowProgram.h - Base of programs of rowwise ops ----------*- C++ -*--===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPROGRAM_H

#include "TileBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {

/// Base class of the builders of the programs of rowwise ops.
class RowProgram : protected TileProgram {
protected:
  RowProgram(RowwiseInterface op, OpBuilder &builder)
      : TileProgram(op.getLoc(), builder), op(op),
        rows(op.getScheduleAttr().getTileQ()) {}

  /// Rounds the number of columns of a tile up to a multiple of 32, so that
  /// each of the four warps that divide the columns of a tile's rows has at
  /// least 8 columns. Loads fill the added columns with zeros.
  static int64_t padColumns(int64_t columns) {
    return llvm::alignTo<32>(columns);
  }
  Value getSize(Value array, int64_t dim) {
    return b.createOrFold<memref::DimOp>(array, dim);
  }
  /// Creates a grid of these sizes and moves the builder into its body. A
  /// program has `rows` positions of the last dimension and one position of
  /// each other dimension. The caller has to move the builder out of the grid
  /// again.
  attn_tile::GridOp beginGrid(ArrayRef<Value> sizes) {
    SmallVector<int64_t> steps(sizes.size(), 1);
    steps.back() = rows;
    auto grid = createGridOf(op, sizes, steps, op.getScheduleAttr());
    b.setInsertionPointToStart(&grid.getBody().front());
    return grid;
  }

  RowwiseInterface op;
  int64_t rows;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPROGRAM_H
