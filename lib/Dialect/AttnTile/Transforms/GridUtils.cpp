//===- GridUtils.cpp - Linear grids ---------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::attn_tile;

GridShape attn_tile::getGridShape(scf::ForallOp grid, attn::NumberBuilder &b) {
  GridShape shape;
  for (auto [lower, upper, step] :
       llvm::zip(grid.getMixedLowerBound(), grid.getMixedUpperBound(),
                 grid.getMixedStep())) {
    Value start = b.asValue(lower), stride = b.asValue(step);
    Value extent = b.subiOrFold(b.asValue(upper), start);
    shape.counts.push_back(b.createOrFold<arith::CeilDivSIOp>(extent, stride));
    shape.starts.push_back(start);
    shape.steps.push_back(stride);
  }
  return shape;
}

GridShape attn_tile::getGridShape(GridOp grid, attn::NumberBuilder &b) {
  GridShape shape;
  for (auto [size, step] : llvm::zip(grid.getSizes(), grid.getSteps())) {
    Value stride = b.index(step);
    shape.counts.push_back(b.createOrFold<arith::CeilDivSIOp>(size, stride));
    shape.starts.push_back(b.index(0));
    shape.steps.push_back(stride);
  }
  return shape;
}

Value attn_tile::getGridSize(const GridShape &shape, attn::NumberBuilder &b) {
  Value size = shape.counts.front();
  for (Value count : ArrayRef(shape.counts).drop_front())
    size = b.muliOrFold(size, count);
  return size;
}

Divisor attn_tile::getDivisor(Value value, attn::NumberBuilder &b) {
  Type i64 = b.getI64Type();
  Value all = b.i64(-1);
  Value one = b.i64(1);
  // The divisor is at least 1, since this division is executed even for an
  // empty grid, where the count may be 0.
  Value word =
      b.maxuiOrFold(b.createOrFold<arith::IndexCastOp>(i64, value), one);
  Value quotient = b.divuiOrFold(all, word);
  return {value, b.addiOrFold(quotient, one)};
}

Value attn_tile::divide(Value number, Divisor divisor, attn::NumberBuilder &b) {
  Value word = b.indexCast(b.getI64Type(), number);
  Value high =
      arith::MulUIExtendedOp::create(b, word, divisor.inverse).getHigh();
  Value zero = b.i64(0);
  Value isOne = b.eq(divisor.inverse, zero);
  Value quotient = b.select(isOne, word, high);
  return b.indexCast(b.getIndexType(), quotient);
}

void attn_tile::mapInductionVars(ValueRange variables, const GridShape &shape,
                                 Value index, attn::NumberBuilder &b,
                                 IRMapping &mapping,
                                 ArrayRef<Divisor> divisors) {
  Type type = index.getType();
  auto cast = [&](Type to, Value value) {
    return value.getType() == to
               ? value
               : b.createOrFold<arith::IndexCastUIOp>(to, value);
  };
  // In the order of programs, the grid's last dimension varies fastest, so it
  // is divided off first.
  Value rest = index;
  for (int64_t dim = shape.counts.size() - 1; dim >= 0; --dim) {
    Value position = rest;
    if (dim != 0 && divisors.empty()) {
      Value count = cast(type, shape.counts[dim]);
      position = b.remui(rest, count);
      rest = b.divui(rest, count);
    } else if (dim != 0) {
      Value quotient = divide(rest, divisors[dim], b);
      position = b.subi(rest, b.muli(quotient, shape.counts[dim]));
      rest = quotient;
    }
    Value scaled =
        b.muliOrFold(cast(b.getIndexType(), position), shape.steps[dim]);
    mapping.map(variables[dim], b.addiOrFold(scaled, shape.starts[dim]));
  }
}
