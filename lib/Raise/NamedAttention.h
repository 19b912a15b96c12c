//===- NamedAttention.h - Matches of ops that are attention -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_NAMEDATTENTION_H
#define ATTN_LIB_RAISE_NAMEDATTENTION_H

#include "Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::attn::raise {

/// Fills in the match (Attention) of an attention op of another dialect, such
/// as tm_tensor.attention. Adds index variables for keys and head dims, over
/// which the op sums.
struct Parts {
  Elements &elements;
  Attention &attention;

  AffineExpr addSum(Value array, int64_t dim,
                    SmallVectorImpl<unsigned> &variables) {
    return add(elements.addVariable(array, dim), variables);
  }

  AffineExpr add(AffineExpr expr, SmallVectorImpl<unsigned> &variables) {
    if (auto variable = getVariable(expr))
      variables.push_back(*variable);
    return expr;
  }

  /// Returns the element of an operand at `indices`. Records that the sizes of
  /// the operand's dimensions equal those of the index variables in `indices`.
  Node *get(Value array, ArrayRef<AffineExpr> indices) {
    Indexing &indexing = elements.getIndexing();
    for (auto [dim, index] : llvm::enumerate(indices)) {
      auto variable = getVariable(index);
      std::optional<Extent> extent =
          variable ? indexing.getExtent(*variable) : std::nullopt;
      if (extent)
        elements.getSizes().unite(*extent,
                                  elements.getSizes().getDim(array, dim));
    }
    return elements.get(array, indices);
  }

  /// Sets the match's product to the sum of query * key over head dims, its
  /// score to that product, and its scale to `scale`.
  void setProduct(double scale) {
    Type f32 = elements.getBuilder().getF32Type();
    Node *body = elements.getApply("arith.mulf", f32,
                                   {elements.getCast(attention.query, f32),
                                    elements.getCast(attention.key, f32)});
    attention.product =
        elements.getReduce("arith.addf", f32, attention.headDims, body);
    attention.score = attention.product;
    attention.scale = scale;
  }

  /// Adds a mask operand to the match. A mask of i1, which is true for pairs
  /// that are kept, is added to the masks. A mask of numbers becomes a further
  /// term of the score.
  void addMask(Node *mask) {
    if (mask->type.isInteger(1)) {
      attention.masks.push_back(mask);
      return;
    }
    Type f32 = elements.getBuilder().getF32Type();
    attention.score = elements.getApply(
        "arith.addf", f32, {attention.score, elements.getCast(mask, f32)});
  }

  void addConstraint(AffineExpr lhs, AffineExpr rhs) {
    NamedAttrList attributes;
    attributes.set("predicate",
                   elements.getBuilder().getI64IntegerAttr(
                       static_cast<int64_t>(arith::CmpIPredicate::sle)));
    attention.masks.push_back(elements.getApply(
        "arith.cmpi", elements.getBuilder().getI1Type(),
        {elements.getIndex(lhs), elements.getIndex(rhs)}, attributes));
  }
};

/// Whether all values are tensors of known rank.
inline bool areTensors(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
}

struct ContribCall;

/// Adds `call.scoreMask` to a match. `positions` are the indices of a score:
/// batch entry, head, row and key. Returns false and sets `reason` if the mask
/// does not fit the scores.
bool addScoreMask(Parts &b, const ContribCall &call,
                  ArrayRef<AffineExpr> positions, std::string &reason);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_NAMEDATTENTION_H
