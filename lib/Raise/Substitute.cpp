//===- Substitute.cpp - Elements with parts replaced ----------------------===//
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

namespace {
/// An expression that is rewritten, with the results for its nodes, each of
/// which it may read many times.
struct Rewriting {
  Elements &elements;
  llvm::function_ref<Node *(Node *)> replace;
  llvm::DenseMap<Node *, Node *> results{};

  Node *get(Node *node) {
    node = elements.look(node);
    if (Node *known = results.lookup(node))
      return known;
    Node *result = replace(node);
    if (!result)
      result = node->kind == NodeKind::Apply ? getOfOperands(node) : node;
    results[node] = result;
    return result;
  }

  Node *getOfOperands(Node *node) {
    bool changes = false;
    SmallVector<Node *> operands;
    for (Node *operand : node->operands) {
      operands.push_back(get(operand));
      changes |= operands.back() != elements.look(operand);
    }
    return changes ? elements.getApply(node->name, node->type, operands,
                                       node->attributes)
                   : node;
  }
};
} // namespace

Node *Elements::rewrite(Node *node,
                        llvm::function_ref<Node *(Node *)> replace) {
  return Rewriting{*this, replace}.get(node);
}
