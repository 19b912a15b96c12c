//===- GradientForm.h - How gradients are computed --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_GRADIENTFORM_H
#define ATTN_DIALECT_ATTN_IR_GRADIENTFORM_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Whether the gradient's programs store the probabilities and the gradients of
/// the scores in memory, in the type of the inputs. Further grids then multiply
/// these by d_output, query and keys. Otherwise each grid computes blocks of
/// scores again.
///
/// A schedule asks for stored scores by at least 128 rows in a program, a
/// multiple of `tile_kv`, if a head dim is above 256: registers could not hold
/// a gradient of so many rows and columns. Scores are not stored with gradients
/// of captures, products of f32, or `narrow_products`.
bool storesScores(AttentionBackwardOp op, TileSizesAttrInterface schedule);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_GRADIENTFORM_H
