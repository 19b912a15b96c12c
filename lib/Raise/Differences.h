//===- Differences.h - Values by sums of probabilities ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_DIFFERENCES_H
#define ATTN_LIB_RAISE_DIFFERENCES_H

#include "Match.h"

namespace mlir::attn::raise {

/// A term of a sum of products with the same values, as of differential
/// attention: `factor` times the node `by`, if that is not null, times `root`,
/// the product of probabilities and values.
struct ProbabilityTerm {
  Node *root = nullptr, *by = nullptr;
  double factor = 1;
};

/// Returns the terms of an element of a product of values and a sum or a
/// difference of probabilities. Returns none if the element is no such product.
SmallVector<ProbabilityTerm> splitProbabilities(Elements &elements, Node *root);

/// Whether the element of `result` is a product of values and a sum or a
/// difference of several probabilities, each of which is that of an attention.
bool isOfDifference(Value result);

/// Replaces `result`, whose element is a product of values and a sum or a
/// difference of several probabilities, by the sum of the results of an
/// attn.attention for each of them. Returns false if it is no such product.
bool raiseDifference(Value result);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_DIFFERENCES_H
