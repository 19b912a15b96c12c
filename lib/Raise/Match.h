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

/// The logit of a sink: an element of an array, or the constant `number` if
/// `node` is null.
struct Sink {
  Node *node = nullptr;
  double number = 0;
};

/// A value `result` that is the result of attention: its element at `outputs`
/// is the sum over `keys` of softmax(score(scale * dot)) * value, where dot is
/// the sum over `headDims` of query * key and the softmax is over `keys`.
struct Attention {
  Value result;
  SmallVector<AffineExpr> outputs;
  SmallVector<unsigned> keys, headDims;
  Node *query = nullptr, *key = nullptr, *value = nullptr;
  double scale = 1;
  /// The score as an expression of `product`, a node that stands for scale *
  /// dot.
  Node *score = nullptr, *product = nullptr;
  /// Conditions on a pair of row and key; a pair is kept if all of them hold.
  SmallVector<Node *> masks;
  std::optional<Sink> sink;
  /// For gradients: the gradient of the output, and the indices of `result`,
  /// which is then a gradient. For the gradient of the value, the member
  /// `value` is null.
  Node *outputGradient = nullptr;
  SmallVector<AffineExpr> gradient;
};

/// Returns the match if `result` is attention, else null. If `result` has a
/// softmax whose weights are multiplied by something but is no attention,
/// `reason` says why. With `keepsRounding`, constant factors of rounded scores
/// stay in the score region.
std::unique_ptr<Attention> matchAttention(Elements &elements, Value result,
                                          bool keepsRounding,
                                          std::string &reason);

/// Finds the product of queries and keys in the score, and sets query, key,
/// head dims and scale of `attention`. Returns the product, or null if there is
/// none.
Node *findProduct(Elements &elements, Attention &attention);
/// Moves constant factors by which the score multiplies the product of query
/// and key to the scale, so that `product` then includes them; with
/// `keepsRounding`, not those of products of less than 32 bits.
void takeScale(Elements &elements, Attention &attention, bool keepsRounding);

/// Returns the element of an array that a region must read to have the node's
/// value: for a load or gather its own, for a reduction that of a tensor which
/// holds the result, if there is one. Null for other nodes.
const Access *getCaptured(Node *node);

/// isNamedAttention() is whether an op is attention by name (see
/// NamedAttention.cpp). matchNamedAttention() returns its match, or null if
/// attn.attention cannot express the op; `reason` then says why.
bool isNamedAttention(Operation *op);
std::unique_ptr<Attention>
matchNamedAttention(Elements &elements, Operation *op, std::string &reason);

/// For a torch.operator with the name of ONNX's attention, creates and returns
/// the op onnx.Attention on builtin tensors before it. Operands that are
/// tensors are converted from torch-mlir's type by casts.
Operation *makeTensorAttention(Operation *op);

/// Moves conditions that mask pairs from the score to `masks`. A mask with a
/// finite number is only moved if no result changes by that.
void takeMasks(Elements &elements, Attention &attention, bool keepsRounding);

/// Returns affine expressions that are all at least 0 if and only if the
/// condition holds. None if it is not a comparison of affine indices, other
/// than "not equal", or an `and` of such (or the negation of an `or` of their
/// negations).
std::optional<SmallVector<AffineExpr>> findConstraints(Elements &elements,
                                                       Node *condition);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_MATCH_H
