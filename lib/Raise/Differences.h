//===- Differences.h - Values by differences of probabilities ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_DIFFERENCES_H
#define ATTN_LIB_RAISE_DIFFERENCES_H

#include "mlir/IR/Operation.h"

namespace mlir::attn::raise {

/// Replaces a product of StableHLO, of a value and a sum or a difference of two
/// probabilities, by the sum of a product for each of them, as in differential
/// attention. One number may multiply all of a term. Does nothing unless
/// `isAttention` holds for both products.
void splitDifference(Operation *product,
                     llvm::function_ref<bool(Value)> isAttention);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_DIFFERENCES_H
