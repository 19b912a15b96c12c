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

/// Emits the combination of two elements, or partial results, of a reduction of
/// `kind`: their sum, their maximum (ignoring NaN), or their bitwise and or or.
Value combine(attn::NumberBuilder &builder, ReduceKind kind, Value lhs,
              Value rhs);

/// The neutral element of a reduction.
TypedAttr getNeutral(ReduceKind kind, Type element);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_REDUCTIONS_H
