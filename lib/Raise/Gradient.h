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

/// A match: the value `attention->result` is a gradient of an attention. It is
/// the gradient of the query, key, value or sink, as `of` says, or, if
/// `captured` is not null, of that array, which the score reads.
struct GradientMatch {
  Gradients of = Gradients::Query;
  Value captured = {};
  std::unique_ptr<Elements> elements;
  std::unique_ptr<Attention> attention;
  Layout layout;
  /// The arrays that hold the softmax exponentials of the attention. Gradients
  /// that use the same array belong to the same attention.
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

/// Returns the match if `result` is the gradient of the array `captured`, which
/// the score reads once; otherwise returns null. In the formula, the sum is
/// over the pairs of row and key whose score reads the element:
///
///   d_array = sum of dS * d score / d array
std::unique_ptr<GradientMatch>
matchCaptureGradient(Value result, Value captured, bool keepsRounding);

/// Returns the match if `result` is the gradient of the sink of an attention,
/// an array with a logit for each head, else null:
///
///   d_sink = sum over batch entries and rows of
///            -exp(sink - lse) * (sum over keys of P dP)
std::unique_ptr<GradientMatch> matchSinkGradient(Value result,
                                                 bool keepsRounding);

/// An array of which a node of a score is an element. The score region may read
/// the array instead of computing the node.
struct Captured {
  Node *node;
  Value array;
};

/// Returns the arrays of floats on which the score of a match's attention
/// depends, and whose gradients attn.attention_backward can compute: those
/// whose indices are some of batch entry, head, row and key, in this order,
/// with both or neither of row and key. They run over whole static dimensions;
/// dimensions of size 1 may have no index. Of the arrays of which one node is
/// an element, as before and after an op that repeats it, only the smallest are
/// returned.
SmallVector<Captured> getCapturedFloats(GradientMatch &match);

/// Whether the gradient of a matched captured array is one of these.
bool isSummed(GradientMatch &match);

/// Returns the nodes of the score that are elements of `array`, with the
/// indices of the element. If several nodes are the same element, returns one
/// of them.
SmallVector<std::pair<Node *, Access>> findReads(Elements &elements,
                                                 Node *score, Value array);

/// Returns the score in which each node that is an element of one of `arrays`
/// is read from that array.
Node *readFrom(Elements &elements, Node *score, Node *product,
               ArrayRef<Value> arrays);

/// Returns `score` and the nodes from which it is computed. The search stops at
/// `product`, which is not returned, and at reductions, whose operands are not.
SmallVector<Node *> getNodes(Elements &elements, Node *score, Node *product);

/// Finds exponentials and sums in an expression for the gradient of scores, and
/// adds them to `exponentials` and `sums`, without duplicates. Also finds a sum
/// that divides an exponential because its logarithm is subtracted in the
/// exponent.
void collectParts(Elements &elements, Node *root,
                  SmallVectorImpl<Node *> &exponentials,
                  SmallVectorImpl<Node *> &sums);

/// Returns the index variables of each dimension of the gradient of query, key
/// or value, as `match.of` says, that attn.attention_backward computes.
SmallVector<Digits> getGradientDims(const GradientMatch &match);

/// Whether the matched gradient of query, key or value has the index variables
/// that attn.attention_backward gives that gradient. It
/// has more where keys or values are repeated, as for heads of a group, and
/// each copy has its own gradient. A gradient of query or key may have fewer:
/// it is then a sum over the others, as over batch entries that share the
/// query.
bool hasDimsOfGradient(const GradientMatch &match);

/// Whether two gradients of one attention have the same gradient of the lse, or
/// one of them does not depend on it.
bool isSameOfLse(const GradientMatch &lhs, const GradientMatch &rhs);

/// Whether two gradients belong to the same attention: query, key, value (if
/// both matches have one) and the gradient of the output are the same arrays
/// with the same roles of dimensions, and the scales are equal.
bool haveSameArrays(const GradientMatch &lhs, const GradientMatch &rhs);

/// Replaces the results of several gradients of one attention by the results of
/// one attn.attention_backward op. The first match must be the gradient of a
/// query or key. Arrays of that match that were replaced earlier are looked up
/// in `replaced`, and the replaced values with their replacements are added to
/// it. Adds the `weights` of the matches to `shifted` if the scores are shifted
/// (see emitForward()), and captured arrays with gradients to `captured`. Fails
/// and sets `reason` if the op cannot be built.
LogicalResult emitGradients(ArrayRef<GradientMatch *> matches,
                            bool keepsRounding,
                            llvm::DenseMap<Value, Value> &replaced,
                            llvm::DenseSet<Value> &shifted,
                            SmallVectorImpl<Value> &captured,
                            std::string &reason);

/// The results of raising the gradients of a function, by which its forward
/// attention gets the same scores, so that there is only one attention op.
struct RaisedGradients {
  /// The number of raised groups of gradients.
  unsigned count = 0;
  /// The arrays of softmax exponentials of gradients with shifted scores.
  llvm::DenseSet<Value> shifted;
  /// The arrays that scores read and whose gradients were raised.
  SmallVector<Value> captured;
};

/// Raises all gradients of attention that a function computes. Calls `remark`
/// for gradients that cannot be raised.
RaisedGradients
raiseGradients(Operation *function, bool keepRounding,
               llvm::function_ref<void(Operation *, StringRef)> remark);

/// Merges attention ops in the same block that compute the same output, and of
/// which at least one also computes the lse (as for gradients), into one op.
/// Adds ops that may then be unused to `unused`.
void shareForwards(Operation *function, llvm::SetVector<Operation *> &unused);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_GRADIENT_H
