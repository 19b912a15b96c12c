//===- Branches.cpp - Elements of results of branches ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's lowering of TOSA broadcasts an operand with a dynamic size in a
// branch that runs if the size is 1. Where that size is the result's, the
// branch repeats nothing, and the result is the operand.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the number that is 1 in the first branch, or null if the condition
/// is not that a number is 1.
static Value getOne(scf::IfOp op) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return nullptr;
  return matchPattern(compare.getRhs(), m_One()) ? compare.getLhs() : nullptr;
}

Node *Elements::expandBranches(Operation *op, unsigned result,
                               ArrayRef<AffineExpr> indices) {
  auto branches = cast<scf::IfOp>(op);
  Value one = getOne(branches);
  if (!one || branches.getElseRegion().empty())
    return nullptr;
  Value first = branches.thenYield().getOperand(result),
        second = branches.elseYield().getOperand(result);
  Extent size = getSizes().get(one);
  for (int64_t dim = 0, e = indices.size(); dim < e; ++dim) {
    if (!getSizes().areEqual(getSizes().getDim(first, dim), size) ||
        !getSizes().areEqual(getSizes().getDim(second, dim), size))
      continue;
    // In the first branch, the only index of this dimension is 0. If the
    // branches have the same element there, the second one always has it.
    SmallVector<AffineExpr> at(indices);
    at[dim] = indexing.getConstant(0);
    if (areEqual(get(first, at), get(second, at)))
      return get(second, indices);
  }
  return nullptr;
}
