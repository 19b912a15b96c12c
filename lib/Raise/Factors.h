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

/// A product of powers of 1 and -1, without conversions between floats.
struct Factors {
  SmallVector<Node *> over, under;
  double constant = 1;
};

/// A sum of multiples, without conversions between floats.
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

/// Collects the factors of a quotient, over and under its bar. An operand of a
/// product that is rounded to a narrower type is one factor, unless an
/// exponential or a select is within it. An exponential of a difference with a
/// logarithm is a quotient.
void collectFactors(Elements &elements, Node *node, Factors &factors,
                    bool isUnder = false, bool isOperand = false);

/// The terms of the node, through sums and products with constants.
Terms collectTerms(Elements &elements, Node *node);
/// Whether the terms are the same ones, where variables of `rhs` stand for
/// those of `lhs` by `variables`.
bool areEqual(Elements &elements, const Terms &lhs, const Terms &rhs,
              const llvm::DenseMap<unsigned, AffineExpr> &variables);
/// `lhs` without the terms of `rhs`, or none where it does not have them.
std::optional<Terms> subtract(Elements &elements, const Terms &lhs,
                              const Terms &rhs);

bool dependsOnAny(Elements &elements, Node *node, ArrayRef<unsigned> variables);
bool dependsOnAll(Elements &elements, Node *node, ArrayRef<unsigned> variables);

/// Ways in which the variables of a sum are those of another sum: in an order
/// in which the sizes are the same, or all together.
SmallVector<llvm::DenseMap<unsigned, AffineExpr>>
mapVariables(const Indexing &indexing, ArrayRef<unsigned> from,
             ArrayRef<unsigned> to);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_FACTORS_H
