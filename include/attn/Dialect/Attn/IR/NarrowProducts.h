//===- NarrowProducts.h - Products of 8-bit operands ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_NARROWPRODUCTS_H
#define ATTN_DIALECT_ATTN_IR_NARROWPRODUCTS_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Whether scores are computed by 8-bit MMAs: query and keys have the same
/// 8-bit float type. Otherwise arrays of 8 bits are extended to the type that
/// getComputeType() returns. Tensor cores keep 14 bits of a sum of 8-bit
/// products and cut it every 32 columns. Above 256 columns that is too inexact,
/// unless the op allows it by `fast_accumulate`.
bool hasNarrowScores(AttentionOp op);

/// Whether probabilities are rounded to the 8-bit type of values, for 8-bit
/// MMAs with these. The largest probability is then 2^8. Probabilities are not
/// rounded if values have scales that differ from key to key, by which they
/// would be multiplied first. Above 128 columns, registers do not hold the
/// second accumulator of exact sums, and MMAs of 16 bits are as fast; so they
/// are only rounded there with `fast_accumulate`.
bool hasNarrowProbabilities(AttentionOp op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_NARROWPRODUCTS_H
