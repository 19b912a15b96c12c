//===- Factors.h - Elements as products and sums ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_FACTORS_H
#define ATTN_LIB_RAISE_FACTORS_H

#include "Elements.h"

namespace mlir::attn::raise {

/// A quotient of products: constant * product of `over` / product of `under`.
/// Conversions between float types are ignored.
struct Factors {
  SmallVector<Node *> over, under;
  double constant = 1;
};

/// A linear combination: `constant`, plus each of `nodes` times the number
/// beside it. Conversions between float types are ignored.
struct Terms {
  SmallVector<std::pair<Node *, double>> nodes;
  double constant = 0;
};

inline bool isExponential(Node *node) {
  return node->isApply("math.exp") || node->isApply("math.exp2");
}

inline bool isSum(Node *node) {
  return node->kind == NodeKind::Reduce && node->name == "arith.addf";
}

/// Adds the factors of `node`, a product or quotient, to `factors`; with
/// `isUnder` as divisors. With `isOperand`, an operand of a product that is
/// rounded to a narrower type stays one factor, unless it contains an
/// exponential or a select. An exponential of a difference with a logarithm
/// counts as a quotient.
void collectFactors(Elements &elements, Node *node, Factors &factors,
                    bool isUnder = false, bool isOperand = false);

/// Returns the terms of the node: of nested sums and differences, and of
/// products and quotients by constants. Any other node is a term itself.
Terms collectTerms(Elements &elements, Node *node);
/// Whether two linear combinations have the same terms and constant, if each
/// variable of `rhs` in `variables` is replaced by its expression there.
bool areEqual(Elements &elements, const Terms &lhs, const Terms &rhs,
              const llvm::DenseMap<unsigned, AffineExpr> &variables);
/// Returns the terms of `lhs` that are not in `rhs`, and the difference of the
/// constants; none if `rhs` has a term that `lhs` lacks.
std::optional<Terms> subtract(Elements &elements, const Terms &lhs,
                              const Terms &rhs);

bool dependsOnAny(Elements &elements, Node *node, ArrayRef<unsigned> variables);
bool dependsOnAll(Elements &elements, Node *node, ArrayRef<unsigned> variables);

/// Returns maps that replace the variables `from` of one sum by expressions of
/// the variables `to` of another: one for each order of `to` in which sizes
/// agree. If there is none, but the products of the static sizes are equal, the
/// row-major index over each order of `to` is split into indices of the sizes
/// of `from`. Returns no map if `to` has more than four variables.
SmallVector<llvm::DenseMap<unsigned, AffineExpr>>
mapVariables(const Indexing &indexing, ArrayRef<unsigned> from,
             ArrayRef<unsigned> to);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_FACTORS_H
