//===- RowProgram.h - What programs on rows are made of ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPROGRAM_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Short forms for the programs of an op on rows.
class RowProgram {
protected:
  RowProgram(RowwiseInterface op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder), rows(op.getScheduleAttr().getTileQ()) {
  }

  /// Columns of a tile of that many: warps that share a tile's rows have at
  /// least 8 each, and loads fill with zeros.
  static int64_t padColumns(int64_t columns) {
    return llvm::alignTo<32>(columns);
  }
  RankedTensorType tileType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType f32Tile(ArrayRef<int64_t> shape) {
    return tileType(shape, b.getF32Type());
  }
  Value index(int64_t value);
  Value getSize(Value array, int64_t dim);
  /// A constant of floats, of integers or of indices.
  Value splat(RankedTensorType type, double value);
  Value splat(RankedTensorType type, int64_t value);
  Value load(Value array, ArrayRef<int64_t> shape, ValueRange position);
  /// The vector repeated along `axis` of a tile.
  Value broadcast(Value vector, int64_t axis, ArrayRef<int64_t> shape);
  /// Floats as f32, and f32 as floats of a type.
  Value extend(Value value);
  Value round(Value value, Type element);
  /// A grid of programs whose last coordinate is a multiple of `rows`, and the
  /// builder in its body. The caller leaves it.
  attn_tile::GridOp beginGrid(ArrayRef<Value> sizes);

  RowwiseInterface op;
  ImplicitLocOpBuilder b;
  int64_t rows;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_ROWPROGRAM_H
