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

/// A quotient of products of nodes: `constant` times the product of `over`,
/// divided by the product of `under`. Conversions between float types are
/// ignored.
struct Factors {
  SmallVector<Node *> over, under;
  double constant = 1;
};

/// A linear combination of nodes: `constant`, plus each node in `nodes` times
/// the number that is paired with it. Conversions between float types are
/// ignored.
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

/// Adds the factors of `node`, a product or quotient, to `factors`, as divisors
/// with `isUnder`. An exponential exp(x - log(d)) counts as the quotient exp(x)
/// / d. With `isOperand`, `node` is an operand of a product. If it is rounded
/// to a narrower type, it then stays one factor, unless it contains an
/// exponential or a select.
void collectFactors(Elements &elements, Node *node, Factors &factors,
                    bool isUnder = false, bool isOperand = false);

/// Returns `node` as a linear combination. The terms are found in nested sums,
/// differences and negations, and in products and quotients by constants; any
/// other node is a term itself.
Terms collectTerms(Elements &elements, Node *node);
/// Whether two linear combinations have the same terms and the same constant,
/// if each index variable of `rhs` that is a key of `variables` is replaced by
/// its expression there.
bool areEqual(Elements &elements, const Terms &lhs, const Terms &rhs,
              const llvm::DenseMap<unsigned, AffineExpr> &variables =
                  llvm::DenseMap<unsigned, AffineExpr>());
/// Returns the linear combination `lhs` minus `rhs`, as the terms of `lhs` that
/// are not in `rhs` and the difference of the constants. Returns nothing if
/// `rhs` has a term that `lhs` lacks.
std::optional<Terms> subtract(Elements &elements, const Terms &lhs,
                              const Terms &rhs);

bool dependsOnAny(Elements &elements, Node *node, ArrayRef<unsigned> variables);
bool dependsOnAll(Elements &elements, Node *node, ArrayRef<unsigned> variables);

/// Returns the ways to replace the index variables `from` of one sum by
/// expressions of the index variables `to` of another sum, so that the sums can
/// be compared: a map for each order of `to` in which the sizes agree. If there
/// is none, but both have the same static number of values, each map takes an
/// order of `to` and splits its row-major index into indices of `from`. Returns
/// no map if `to` has more than four variables.
SmallVector<llvm::DenseMap<unsigned, AffineExpr>>
mapVariables(const Indexing &indexing, ArrayRef<unsigned> from,
             ArrayRef<unsigned> to);

/// A sum over keys that has one term more: `summand` is its term for the key
/// that the index variable of the keys says, and `column` the further term.
struct SplitSum {
  Node *summand, *column;
};

/// If `sum` is over one index variable that has one value more than the only
/// variable of `keys`, as for a sink that is a column of scores, returns the
/// two ways to split it: the further term is the last one, or the first.
/// Returns nothing for other sums.
SmallVector<SplitSum, 2> splitSum(Elements &elements, Node *sum,
                                  ArrayRef<unsigned> keys);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_FACTORS_H
