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

/// Whether scores are computed by 8-bit MMAs. Query and keys must have the same
/// 8-bit float type, and at most 256 columns unless the op has
/// `fast_accumulate`. Otherwise 8-bit arrays are extended to the type that
/// getComputeType() returns. The limit exists since tensor cores keep 14 bits
/// of a sum of 8-bit products and cut it every 32 columns, which is too inexact
/// for more columns.
bool hasNarrowScores(AttentionOp op);

/// Whether probabilities are rounded to f8E4M3FN, with a largest probability of
/// 2^8, and multiplied with values by 8-bit MMAs. The query must have 8 bits,
/// and the values must be f8E4M3FN. Scales of values must not differ from key
/// to key, since probabilities would be multiplied by them first. Values must
/// have at most 128 columns unless the op has `fast_accumulate`. For more
/// columns, registers do not hold the second accumulator of exact sums, and
/// 16-bit MMAs are as fast.
bool hasNarrowProbabilities(AttentionOp op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_NARROWPRODUCTS_H
