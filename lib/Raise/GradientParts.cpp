//===- GradientParts.cpp - Parts of gradients of scores -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"
#include "Softmax.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Adds the node to `to` unless an equal node is already there.
static void addNew(Elements &elements, SmallVectorImpl<Node *> &to,
                   Node *node) {
  if (llvm::none_of(to, [&](Node *other) {
        return elements.areEqual(other, node,
                                 llvm::DenseMap<unsigned, AffineExpr>());
      }))
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
    if (isSum(node))
      addNew(elements, sums, node);
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

/// Returns the nodes of the expression `score`, without the operands of sums
/// and without `product`.
static SmallVector<Node *> getNodes(Elements &elements, Node *score,
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

SmallVector<Node *> mlir::attn::raise::findReads(Elements &elements,
                                                 Node *score, Value array) {
  SmallVector<Node *> reads;
  for (Node *node : getNodes(elements, score, /*product=*/nullptr))
    if (const Access *access = getCaptured(node);
        access && access->array == array)
      addNew(elements, reads, node);
  return reads;
}

SmallVector<Value> mlir::attn::raise::getCapturedFloats(GradientMatch &match) {
  llvm::SetVector<Value> arrays;
  Attention &attention = *match.attention;
  for (Node *node :
       getNodes(*match.elements, attention.score, attention.product))
    if (const Access *access = getCaptured(node))
      if (auto type = dyn_cast<RankedTensorType>(access->array.getType()))
        if (isa<FloatType>(type.getElementType()))
          arrays.insert(access->array);
  return arrays.takeVector();
}

bool mlir::attn::raise::hasLargeNumber(Elements &elements,
                                       const Attention &attention) {
  // With a constant above this number as a score, the lse, which is rounded to
  // f32, would be off by some thousandths.
  constexpr double kMost = 1e5;
  return llvm::any_of(
      getNodes(elements, attention.score, attention.product), [&](Node *node) {
        if (node->kind != NodeKind::Constant)
          return false;
        std::optional<double> value = elements.getConstantFloat(node);
        return value && std::isfinite(*value) && std::abs(*value) >= kMost;
      });
}
