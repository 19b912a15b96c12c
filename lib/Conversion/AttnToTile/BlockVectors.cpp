//===- BlockVectors.cpp - Vectors of blocks -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockVectors.h"

using namespace mlir;
using namespace mlir::attn;

std::pair<Value, Value> BlockVectors::sum(Value values) const {
  using namespace attn_tile;
  Type f32 = b.getF32Type();
  Value source = BroadcastOp::create(b, square(f32), values, 1);
  Value zeros = b.zero(square(f32));
  Value row = CoordinateOp::create(b, square(b.getI32Type()), 0);
  Value column = CoordinateOp::create(b, square(b.getI32Type()), 1);
  auto sum = [&](Value tile, int64_t axis) -> Value {
    return ReduceOp::create(b, of(f32), ReduceKind::Add, tile, axis);
  };
  // All columns of row r of `source` hold value r. So the sum of column c over
  // the rows before row c is the sum of the values before value c.
  Value isBefore = b.slt(row, column);
  Value before = sum(b.select(isBefore, source, zeros), /*axis=*/0);
  Value all = sum(source, /*axis=*/0);
  // Converts a vector with the layout of a tile's columns to one with the
  // layout of its rows. A tile each of whose rows is the vector is set to 0 off
  // the diagonal, and then summed along its rows.
  Value isOwn = b.eq(row, column);
  auto transpose = [&](Value ofColumns) {
    Value tile = BroadcastOp::create(b, square(f32), ofColumns, 0);
    return sum(b.select(isOwn, tile, zeros), /*axis=*/1);
  };
  return {transpose(before), transpose(all)};
}
