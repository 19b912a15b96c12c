//===- NarrowProducts.h - Which products are of 8 bits ----------*- C++ -*-===//
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

/// Whether scores are products of 8 bits: of a query and keys of one such type.
/// Else what has 8 bits is extended to the type that `getComputeType` gives.
/// Tensor cores keep 13 bits of a sum of products of 8 bits and cut it after
/// every 32 columns: above 256 columns that is too far from a sum in f32,
/// unless `fast_accumulate` allows it.
bool hasNarrowScores(AttentionOp op);

/// Whether probabilities are rounded to the type of values of 8 bits, for such
/// products. The largest are 2^8, so values' scales that differ from key to key
/// are none, which probabilities are multiplied with. Above 128 columns no
/// warpgroup holds the second accumulator that exact sums take: probabilities
/// of 16 bits are as fast, unless `fast_accumulate` allows other sums.
bool hasNarrowProbabilities(AttentionOp op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_NARROWPRODUCTS_H
