//===- Reductions.h - Arithmetic of attn_tile.reduce ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_TRANSFORMS_REDUCTIONS_H
#define ATTN_DIALECT_ATTNTILE_TRANSFORMS_REDUCTIONS_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "attn/Support/NumberBuilder.h"

namespace mlir::attn_tile {

/// Emits the combination of two elements, or of two partial results, of a
/// reduction. `kind` says whether it is their sum, their maximum (which ignores
/// NaN), their bitwise and, or their bitwise or.
Value combine(attn::NumberBuilder &builder, ReduceKind kind, Value lhs,
              Value rhs);

/// Returns the neutral element of a reduction, with which a combination returns
/// its other operand.
TypedAttr getNeutral(ReduceKind kind, Type element);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_REDUCTIONS_H
