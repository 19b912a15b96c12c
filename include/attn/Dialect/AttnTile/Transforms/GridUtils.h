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

/// The shape of a grid. For each dimension, `counts` has the number of
/// iterations, and `starts` and `steps` have the first value and the step of
/// the induction variable.
struct GridShape {
  SmallVector<Value> counts, starts, steps;
};

/// Emits code before `grid` that computes its shape, and returns the shape. The
/// builder must insert before the grid.
GridShape getGridShape(scf::ForallOp grid, attn::NumberBuilder &builder);
GridShape getGridShape(GridOp grid, attn::NumberBuilder &builder);

/// Emits code that computes the grid's total number of iterations.
Value getGridSize(const GridShape &shape, attn::NumberBuilder &builder);

/// A divisor for divisions of unsigned numbers. Both the divisor and the
/// numbers must be below 2^32.
struct Divisor {
  Value value;
  /// 2^64 / `value`, rounded up, as an i64. It is 0 if `value` is 1.
  Value inverse;
};

/// Emits code that computes the inverse for divisions by `value`, and returns
/// both.
Divisor getDivisor(Value value, attn::NumberBuilder &builder);

/// Emits the quotient of `number` and `divisor`, as one multiplication by the
/// divisor's inverse (Granlund and Montgomery, "Division by Invariant Integers
/// using Multiplication", 1994).
Value divide(Value number, Divisor divisor, attn::NumberBuilder &builder);

/// Computes the values of a grid's induction variables in iteration number
/// `index`, where the last dimension varies fastest, and adds them to
/// `mapping`. The values of `shape` must be defined where the builder inserts.
///
/// If `divisors` is given, it has a divisor for each count of the shape, and
/// divisions are multiplications by inverses. Without it, `index` may be an
/// i32, if the grid has fewer than 2^32 iterations; divisions then have 32
/// bits.
void mapInductionVars(ValueRange variables, const GridShape &shape, Value index,
                      attn::NumberBuilder &builder, IRMapping &mapping,
                      ArrayRef<Divisor> divisors = {});

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_GRIDUTILS_H
