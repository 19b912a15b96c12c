//===- Gradient.h - Gradients of attention among elements -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_GRADIENT_H
#define ATTN_LIB_RAISE_GRADIENT_H

#include "Layout.h"

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn::raise {

/// A value `attention->result` that is the gradient of the query, key or value
/// of an attention or, if `captured` is not null, of that array, which the
/// score reads.
struct GradientMatch {
  Gradients of = Gradients::Query;
  Value captured = {};
  std::unique_ptr<Elements> elements;
  std::unique_ptr<Attention> attention;
  Layout layout;
  /// Values by which gradients of the same attention are recognised: the arrays
  /// that hold its exponentials.
  SmallVector<Value> weights;
};

/// Returns the match if the value is one of these gradients of an attention,
/// else null:
///
///   d_value = sum over rows of P dO       P = exp(score) / sum of them
///   d_query = scale * sum over keys of dS key
///   d_key   = scale * sum over rows of dS query
///   dS = P (dP - sum over keys of P dP)   dP = sum over value dims of dO value
///
/// where dS has the derivative of the score as a further factor.
std::unique_ptr<GradientMatch> matchGradient(Value result, bool keepsRounding);

/// If the value is the gradient of an array that the score reads once, returns
/// the match, else null:
///
///   d_array = sum of dS * d score / d array    over pairs that read an element
std::unique_ptr<GradientMatch>
matchCaptureGradient(Value result, Value captured, bool keepsRounding);

/// Returns the arrays of floats that the score of a match reads.
SmallVector<Value> getCapturedFloats(GradientMatch &match);

/// Returns the nodes of the score that read the array, one for each element,
/// without duplicates.
SmallVector<Node *> findReads(Elements &elements, Node *score, Value array);

/// Whether the score contains a finite constant of 1e5 or more in magnitude,
/// such as one that masks: in a row that has only such scores, the lse is
/// rounded to that number, and exp(score - lse) is no probability.
bool hasLargeNumber(Elements &elements, const Attention &attention);

/// Adds the exponentials and the sums in a gradient of scores to `exponentials`
/// and `sums`, without duplicates. Also finds a sum that divides an exponential
/// in the exponent, under a logarithm.
void collectParts(Elements &elements, Node *root,
                  SmallVectorImpl<Node *> &exponentials,
                  SmallVectorImpl<Node *> &sums);

/// Replaces the results of several gradients of one attention by those of one
/// attention_backward op, or fails and sets `reason`. The first match must be
/// the gradient of a query or key. Adds replaced values and their replacements
/// to `replaced`, and uses earlier replacements for arrays that the first match
/// refers to.
LogicalResult emitGradients(ArrayRef<GradientMatch *> matches,
                            bool keepsRounding,
                            llvm::DenseMap<Value, Value> &replaced,
                            std::string &reason);

/// If one op computes an output, and another one in the same block the same
/// output with its lse, for gradients, replaces them by one op. Adds ops that
/// may then be unused to `unused`.
void shareForwards(Operation *function, llvm::SetVector<Operation *> &unused);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_GRADIENT_H
