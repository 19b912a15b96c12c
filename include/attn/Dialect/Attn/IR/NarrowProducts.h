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
/// 8-bit float type, and at most 256 columns unless the op has
/// `fast_accumulate`. Otherwise arrays of 8 bits are extended to the type that
/// getComputeType() returns. Tensor cores keep 14 bits of a sum of 8-bit
/// products and cut it every 32 columns, which is too inexact for more columns.
bool hasNarrowScores(AttentionOp op);

/// Whether probabilities are rounded to f8E4M3FN, with a largest probability of
/// 2^8, for 8-bit MMAs with values: the query has 8 bits, values are f8E4M3FN
/// without scales that differ from key to key (by which probabilities would be
/// multiplied first), and values have at most 128 columns unless the op has
/// `fast_accumulate`. For more columns, registers do not hold the second
/// accumulator of exact sums, and MMAs of 16 bits are as fast.
bool hasNarrowProbabilities(AttentionOp op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_NARROWPRODUCTS_H
