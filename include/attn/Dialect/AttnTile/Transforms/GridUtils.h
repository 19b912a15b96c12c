//===- GridUtils.h - Linear grids -------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_TRANSFORMS_GRIDUTILS_H
#define ATTN_DIALECT_ATTNTILE_TRANSFORMS_GRIDUTILS_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn_tile {

/// The number of a grid's iterations along each dimension, and the start and
/// step of its induction variables.
struct GridShape {
  SmallVector<Value> counts, starts, steps;
};

/// Computes the shape of `grid`, before which the builder inserts.
GridShape getGridShape(scf::ForallOp grid, attn::NumberBuilder &builder);
GridShape getGridShape(GridOp grid, attn::NumberBuilder &builder);

/// Computes the number of iterations.
Value getGridSize(const GridShape &shape, attn::NumberBuilder &builder);

/// A divisor for unsigned numbers; the divisor and the numbers are below 2^32.
struct Divisor {
  Value value;
  /// 2^64 / value, rounded up, as an i64; 0 if value is 1.
  Value inverse;
};

/// Prepares divisions by `value`.
Divisor getDivisor(Value value, attn::NumberBuilder &builder);

/// Emits `number / divisor` as one multiplication by the inverse (Granlund and
/// Montgomery, "Division by Invariant Integers using Multiplication", 1994).
Value divide(Value number, Divisor divisor, attn::NumberBuilder &builder);

/// Adds to `mapping` the values that a grid's induction variables have in
/// iteration `index`, in row-major order. The values of `shape` must be
/// available at the builder. `divisors`, if given, are the shape's counts.
/// Without them `index` may be an i32, which is divided in 32 bits if the grid
/// has fewer than 2^32 iterations.
void mapInductionVars(ValueRange variables, const GridShape &shape, Value index,
                      attn::NumberBuilder &builder, IRMapping &mapping,
                      ArrayRef<Divisor> divisors = {});

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_GRIDUTILS_H
