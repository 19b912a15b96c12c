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

/// A value that is the gradient of the query, key or value of an attention, or
/// of an array `captured` that its score reads.
struct GradientMatch {
  Gradients of = Gradients::Query;
  Value captured = {};
  std::unique_ptr<Elements> elements;
  std::unique_ptr<Attention> attention;
  Layout layout;
  /// Values by which gradients of the same attention are recognised: the arrays
  /// of its exponentials, and the gradient of its output.
  SmallVector<Value> weights;
};

/// Returns which gradient of an attention the value is, or null:
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

/// Returns the elements of the array that the score reads, without duplicates.
SmallVector<Node *> findReads(Elements &elements, Node *score, Value array);

/// Whether the score may be a finite number so large that in a row of it alone
/// the lse is rounded to that number: exp(score - lse) is then no probability.
bool hasLargeNumber(Elements &elements, const Attention &attention);

/// Collects the exponentials and the sums in a gradient of scores. A sum that
/// divides an exponential may be in the exponent, under a logarithm.
void collectParts(Elements &elements, Node *root,
                  SmallVectorImpl<Node *> &exponentials,
                  SmallVectorImpl<Node *> &sums);

/// Replaces several gradients of one attention by one op, or sets `reason` to
/// why it cannot. The first match must be the gradient of a query or key. Adds
/// replaced values and their replacements to `replaced`, and uses these
/// replacements for values that a match refers to.
LogicalResult emitGradients(ArrayRef<GradientMatch *> matches,
                            bool keepsRounding,
                            llvm::DenseMap<Value, Value> &replaced,
                            std::string &reason);

/// If one op computes an output, and another one the same output with its lse,
/// for gradients, makes them one op. Adds ops that may be unused then to
/// `unused`.
void shareForwards(Operation *function, llvm::SetVector<Operation *> &unused);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_GRADIENT_H
