//===- Match.h - Attention among elements -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_MATCH_H
#define ATTN_LIB_RAISE_MATCH_H

#include "Elements.h"

namespace mlir::attn::raise {

/// The logit of an attention sink: the element `node` of an array or, if `node`
/// is null, the constant `number`.
struct Sink {
  Node *node = nullptr;
  double number = 0;
};

/// A match: the value `result` is the result of attention. Its element at
/// `outputs` is the sum over `keys` of softmax(score(scale * dot)) * value.
/// Here dot is the sum over `headDims` of query * key, and the softmax is over
/// `keys`. If query and key are in two arrays each, dot has the sum over
/// `ropeDims` of queryRope * keyRope as a second term.
struct Attention {
  Value result;
  SmallVector<AffineExpr> outputs;
  SmallVector<unsigned> keys, headDims, ropeDims;
  Node *query = nullptr, *key = nullptr, *value = nullptr;
  /// The further columns of query and key; null if there are none.
  Node *queryRope = nullptr, *keyRope = nullptr;
  double scale = 1;
  /// The score, as an expression in which the node `product` stands for the
  /// product of scale, query and key.
  Node *score = nullptr, *product = nullptr;
  /// The exponential that the softmax divides by its sum, and the conditions on
  /// keys without which it is 0, as matched, that is, with all masks and terms
  /// of rows. Null if an op of another dialect computes the attention.
  Node *weight = nullptr;
  SmallVector<Node *> conditions;
  /// The conditions by which a mask keeps pairs of row and key: a pair is kept
  /// if all of them hold.
  SmallVector<Node *> masks;
  std::optional<Sink> sink;
  /// Only used if `result` is a gradient of attention: the gradient of the
  /// output, and the indices of `result`. If `result` is the gradient of the
  /// value, the member `value` is null.
  Node *outputGradient = nullptr;
  SmallVector<AffineExpr> gradient;
  /// The gradient of the lse, on which the gradient of scores depends; null if
  /// there is none.
  Node *lseGradient = nullptr;
};

/// Returns the match if `result` is attention, and null otherwise. `reason` is
/// set if `result` is a product of the weights of a softmax and something else,
/// but no attention. With `keepsRounding`, constant factors of scores that are
/// rounded to a narrower type stay in the score region.
/// If `getPart` is not null, it is called with the element of the result and
/// returns the node that is to be matched instead, or null if there is none.
std::unique_ptr<Attention>
matchAttention(Elements &elements, Value result, bool keepsRounding,
               std::string &reason,
               llvm::function_ref<Node *(Node *)> getPart = nullptr);

/// Finds the product of query and key in the score, or the sum of two such
/// products, and sets query, key, head dims, scale and those of the second
/// product in `attention`. With `keepsRounding`, a sum that is rounded to a
/// narrower type than f32 is no such sum. Returns the product, or null if there
/// is none.
Node *findProduct(Elements &elements, Attention &attention, bool keepsRounding);
/// Returns how many columns a head of queries and keys or, with `ofValue`, of
/// values may have if products are of floats with `width` bits. An attention op
/// with more is an error of checkHeadDims().
int64_t getMostColumns(unsigned width, bool ofValue = false);
/// Moves constant factors by which the score multiplies the product of query
/// and key to the scale, so that `product` then includes them. With
/// `keepsRounding`, a factor stays where the score multiplies in a type of less
/// than 32 bits.
void takeScale(Elements &elements, Attention &attention, bool keepsRounding);

/// Returns the element of an array that a region must read to get the node's
/// value. For a load or gather that is the node's own element, and for a
/// reduction an element of a tensor that holds the result, if there is one.
/// Returns null for other nodes.
const Access *getCaptured(Node *node);

/// isNamedAttention() returns whether an op of another dialect is attention by
/// its name (see NamedAttention.cpp). matchNamedAttention() returns the match
/// of such an op. If attn.attention cannot express the op, it returns null and
/// sets `reason`.
bool isNamedAttention(Operation *op);
std::unique_ptr<Attention>
matchNamedAttention(Elements &elements, Operation *op, std::string &reason);

/// Returns the condition that holds if and only if `condition` does not.
Node *negate(Elements &elements, Node *condition);

/// Whether a score of type `type` that is replaced by `number` masks the pair,
/// so that its exponential is 0: `number` is -inf, at most -1e8, or at most
/// half of the type's lowest number.
bool isMasking(double number, Type type);

/// Whether `node` is computed only from constants, indices and `product`.
bool isOfProduct(Elements &elements, Node *node, Node *product);

/// Returns the score where all `conditions` hold, by which probabilities are
/// multiplied after the softmax. Returns null unless the score masks all pairs
/// for which one of the conditions does not hold, so that the conditions are
/// masks of the attention.
Node *dropMasks(Elements &elements, Node *score, Node *product,
                ArrayRef<Node *> conditions);

/// Adds a condition to `conditions`. If it is an `and`, adds its operands in
/// the same way instead.
void addConditions(Elements &elements, Node *condition,
                   SmallVectorImpl<Node *> &conditions);

/// Moves the conditions by which the score masks pairs from the score to
/// `masks`. A mask by a finite number, rather than -inf, is only moved if no
/// result changes by that.
void takeMasks(Elements &elements, Attention &attention, bool keepsRounding);

/// Returns affine expressions that are all at least 0 if and only if the
/// condition holds. The condition must be a comparison of affine indices (but
/// not "not equal"), an `and` of such conditions, or the negation of an `or` of
/// their negations. Returns nothing for other conditions.
std::optional<SmallVector<AffineExpr>> findConstraints(Elements &elements,
                                                       Node *condition);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_MATCH_H
