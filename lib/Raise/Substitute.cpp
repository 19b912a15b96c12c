//===- Substitute.cpp - Elements at other indices -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

using namespace mlir;
using namespace mlir::attn::raise;

Node *
Elements::substitute(Node *node,
                     const llvm::DenseMap<unsigned, AffineExpr> &variables) {
  auto replace = [&](ArrayRef<AffineExpr> indices) {
    SmallVector<AffineExpr> result;
    for (AffineExpr index : indices)
      result.push_back(indexing.replace(index, variables));
    return result;
  };
  auto getOperands = [&] {
    SmallVector<Node *> operands;
    for (Node *operand : node->operands)
      operands.push_back(substitute(operand, variables));
    return operands;
  };
  // A node that equals elements of tensors is computed again from the tensor
  // farthest from the op that computes the node. The ops that move elements
  // between the two may select elements of another array at the new indices.
  if (node->kind != NodeKind::Lazy && !node->sources.empty()) {
    const Access &source = node->sources.back();
    return get(source.array, replace(source.indices));
  }
  switch (node->kind) {
  case NodeKind::Lazy:
    return getLazy(node->access.array, replace(node->access.indices));
  case NodeKind::Constant:
    return node;
  case NodeKind::Index:
    return getIndex(indexing.replace(node->index, variables));
  case NodeKind::Load:
    return getLoad({node->access.array, replace(node->access.indices)});
  case NodeKind::Gather:
    return getGather(node->access.array, getOperands());
  case NodeKind::Apply:
    return getApply(node->name, node->type, getOperands(), node->attributes);
  case NodeKind::Reduce:
    return getReduce(node->name, node->type, node->variables,
                     substitute(node->operands[0], variables));
  }
  llvm_unreachable("a kind of node");
}
