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

/// The logit of a sink: an element of an array, or a number.
struct Sink {
  Node *node = nullptr;
  double number = 0;
};

/// A value that is attention, by its element at `outputs`:
/// softmax over `keys` of score(scale * sum over `headDims` of query * key),
/// times value, summed over `keys`.
struct Attention {
  Value result;
  SmallVector<AffineExpr> outputs;
  SmallVector<unsigned> keys, headDims;
  Node *query = nullptr, *key = nullptr, *value = nullptr;
  double scale = 1;
  /// The score as an expression of `product`, the node that represents the
  /// scaled product.
  Node *score = nullptr, *product = nullptr;
  /// Conditions that are all true for pairs that count.
  SmallVector<Node *> masks;
  std::optional<Sink> sink;
  /// For gradients: the gradient of the output, and the indices of the gradient
  /// that `result` is. For the gradient of the value, `value` is null.
  Node *outputGradient = nullptr;
  SmallVector<AffineExpr> gradient;
};

/// Returns the attention that `result` is, or null. In the latter case `reason`
/// says why it is none, if it has a softmax that is multiplied with something.
/// With `keepsRounding`, factors of rounded scores stay in the score region.
std::unique_ptr<Attention> matchAttention(Elements &elements, Value result,
                                          bool keepsRounding,
                                          std::string &reason);

/// Finds the product of queries and keys in the score, and sets the query, the
/// key and the scale of `attention`. Returns null if there is none.
Node *findProduct(Elements &elements, Attention &attention);
/// Moves constant factors of the product from the score to the scale.
void takeScale(Elements &elements, Attention &attention, bool keepsRounding);

/// The element of an array that a region reads for the node, or null.
const Access *getCaptured(Node *node);

/// Whether the op is attention by its name, and what it is, or null and why it
/// is none that `attn.attention` says.
bool isNamedAttention(Operation *op);
std::unique_ptr<Attention>
matchNamedAttention(Elements &elements, Operation *op, std::string &reason);

/// `onnx.Attention` on tensors for a `torch.operator` of that name, before it.
/// Its operands are conversions of torch-mlir's type of tensors.
Operation *makeTensorAttention(Operation *op);

/// Takes conditions out of the score that decide which pairs count, as far as
/// the result is the same.
void takeMasks(Elements &elements, Attention &attention, bool keepsRounding);

/// Affine expressions that are at least 0 where the condition, of indices
/// alone, holds; none if it is of another form.
std::optional<SmallVector<AffineExpr>> findConstraints(Elements &elements,
                                                       Node *condition);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_MATCH_H
