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

/// A value that is the gradient of a query, key or value, or of an array that
/// the score reads, `captured`.
struct GradientMatch {
  Gradients of = Gradients::Query;
  Value captured = {};
  std::unique_ptr<Elements> elements;
  std::unique_ptr<Attention> attention;
  Layout layout;
  /// Values by which gradients of the same attention are recognised: arrays of
  /// its exponentials, and the gradient of the output.
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

/// Whether the value is the gradient of an array that the score reads once:
///
///   d_array = sum of dS * d score / d array    over pairs that read an element
std::unique_ptr<GradientMatch>
matchCaptureGradient(Value result, Value captured, bool keepsRounding);

/// Arrays of floats that the score of a match reads.
SmallVector<Value> getCapturedFloats(GradientMatch &match);

/// Elements that the score reads of the array, each once.
SmallVector<Node *> findReads(Elements &elements, Node *score, Value array);

/// Whether the score has a finite number so large that a row of it alone has an
/// lse which is rounded to that number: exp(score - lse) is no probability
/// then.
bool hasLargeNumber(Elements &elements, const Attention &attention);

/// Exponentials and sums in a gradient of scores. Sums that divide an
/// exponential are under a logarithm of its own.
void collectParts(Elements &elements, Node *root,
                  SmallVectorImpl<Node *> &exponentials,
                  SmallVectorImpl<Node *> &sums);

/// Replaces gradients of one attention by an op, or says why not. The first is
/// that of a query or key. What replaces them is added to `replaced`, and is
/// taken where a match has what was replaced.
LogicalResult emitGradients(ArrayRef<GradientMatch *> matches,
                            bool keepsRounding,
                            llvm::DenseMap<Value, Value> &replaced,
                            std::string &reason);

/// Makes an op that computes an output and another one that computes it with
/// its lse, for gradients, one. Ops that may be unused then are added to
/// `unused`.
void shareForwards(Operation *function, llvm::SetVector<Operation *> &unused);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_GRADIENT_H
