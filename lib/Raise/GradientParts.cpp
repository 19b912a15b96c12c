//===- GradientParts.cpp - Parts of gradients of scores -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFinder.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Adds the node to `to` unless an equal node is already there.
static void addNew(Elements &elements, SmallVectorImpl<Node *> &to,
                   Node *node) {
  if (llvm::none_of(
          to, [&](Node *other) { return elements.areEqual(other, node); }))
    to.push_back(node);
}

void mlir::attn::raise::collectParts(Elements &elements, Node *root,
                                     SmallVectorImpl<Node *> &exponentials,
                                     SmallVectorImpl<Node *> &sums) {
  constexpr size_t kMostNodes = 256;
  SmallVector<Node *> rest = {root};
  llvm::SmallPtrSet<Node *, 32> seen;
  while (!rest.empty() && seen.size() < kMostNodes) {
    Node *node = elements.strip(rest.pop_back_val());
    if (!seen.insert(node).second)
      continue;
    // The sum of a softmax with a sink has one more term.
    bool isSinkSum = node->isApply("arith.addf") &&
                     llvm::any_of(node->operands, [&](Node *operand) {
                       return isSum(elements.strip(operand));
                     });
    if (isSum(node) || isSinkSum)
      addNew(elements, sums, node);
    // A sum over keys or value dims may contain quotients.
    if (isSum(node)) {
      Factors factors;
      collectFactors(elements, node->operands[0], factors, /*isUnder=*/false,
                     /*isOperand=*/true);
      llvm::append_range(rest, factors.under);
    }
    if (node->kind != NodeKind::Apply)
      continue;
    llvm::append_range(rest, node->operands);
    if (!isExponential(node))
      continue;
    Factors factors;
    collectFactors(elements, node, factors);
    if (factors.over.size() == 1)
      addNew(elements, exponentials, factors.over[0]);
  }
}

SmallVector<Node *> mlir::attn::raise::getNodes(Elements &elements, Node *score,
                                                Node *product) {
  SmallVector<Node *> rest = {score}, nodes;
  llvm::SmallPtrSet<Node *, 32> seen;
  while (!rest.empty()) {
    Node *node = elements.look(rest.pop_back_val());
    if (node == product || !seen.insert(node).second)
      continue;
    nodes.push_back(node);
    if (node->kind != NodeKind::Reduce)
      llvm::append_range(rest, node->operands);
  }
  return nodes;
}

/// Begins a match: returns a match without findings for `result`, and the
/// element of `result` at new index variables, one for each dimension.
std::pair<std::unique_ptr<GradientMatch>, Node *>
mlir::attn::raise::beginGradient(Value result) {
  auto match = std::make_unique<GradientMatch>();
  match->elements = std::make_unique<Elements>(result.getContext());
  match->attention = std::make_unique<Attention>();
  Attention &attention = *match->attention;
  attention.result = result;
  for (int64_t dim = 0, e = getShape(result).size(); dim < e; ++dim)
    attention.gradient.push_back(match->elements->addVariable(result, dim));
  Node *root = match->elements->get(result, attention.gradient);
  return {std::move(match), root};
}

Variables mlir::attn::raise::getVariables(ArrayRef<AffineExpr> indices) {
  Variables variables;
  for (AffineExpr index : indices)
    if (auto variable = getVariable(index))
      variables.push_back(*variable);
  return variables;
}

/// Returns the summand of a sum or of nested sums (such as one over the heads
/// of a group), or the node itself if it is no sum. Appends the index variables
/// of the sums to `summed`.
Node *mlir::attn::raise::takeSums(Elements &elements, Node *node,
                                  Variables &summed) {
  while (isSum(node)) {
    llvm::append_range(summed, node->variables);
    node = elements.strip(node->operands[0]);
  }
  return node;
}

/// Completes a match: finds the layout of its arrays, and sets `weights`, the
/// arrays by which gradients of the same attention are recognised: those of
/// `weight`, and of exponentials in `root` that are a multiple of it. Returns
/// false if there is no layout.
bool mlir::attn::raise::finishGradient(GradientMatch &match, Node *weight,
                                       Node *root) {
  std::string reason;
  FailureOr<Layout> layout =
      findLayout(*match.elements, *match.attention, reason);
  if (failed(layout))
    return false;
  match.layout = *layout;
  auto add = [&](Node *node) {
    for (const Access &source : node->sources)
      match.weights.push_back(source.array);
  };
  add(weight);
  Elements &elements = *match.elements;
  for (Node *node : root ? getNodes(elements, root, /*product=*/weight)
                         : SmallVector<Node *>()) {
    if (!isExponential(node))
      continue;
    Factors factors;
    collectFactors(elements, node, factors);
    if (factors.over.size() == 1 && elements.areEqual(factors.over[0], weight))
      add(node);
  }
  return true;
}
