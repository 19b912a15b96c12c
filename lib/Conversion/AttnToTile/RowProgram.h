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

/// Base of the programs of a rowwise op.
class RowProgram : protected TileProgram {
protected:
  RowProgram(RowwiseInterface op, OpBuilder &builder)
      : TileProgram(op.getLoc(), builder), op(op),
        rows(op.getScheduleAttr().getTileQ()) {}

  /// Rounds the number of columns of a tile up to a multiple of 32, so that
  /// each of four warps that share a tile's rows has at least 8 columns. Loads
  /// fill the further columns with zeros.
  static int64_t padColumns(int64_t columns) {
    return llvm::alignTo<32>(columns);
  }
  Value getSize(Value array, int64_t dim) {
    return b.createOrFold<memref::DimOp>(array, dim);
  }
  /// Creates a grid of these sizes, in which a program has `rows` positions of
  /// the last dimension and one of each other, and moves the builder into the
  /// grid's body. The caller moves it out again.
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
