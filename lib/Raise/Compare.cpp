//===- Compare.cpp - Dependences and equality of elements -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

using namespace mlir;
using namespace mlir::attn::raise;

bool Elements::contains(Node *node, llvm::function_ref<bool(Node *)> isWanted,
                        Node *end) {
  SmallVector<Node *> rest = {node};
  llvm::SmallPtrSet<Node *, 16> seen;
  while (!rest.empty()) {
    Node *next = look(rest.pop_back_val());
    if (!seen.insert(next).second)
      continue;
    if (isWanted(next))
      return true;
    if (next != end && next->kind != NodeKind::Reduce)
      llvm::append_range(rest, next->operands);
  }
  return false;
}

bool Elements::dependsOn(Node *node, unsigned variable) {
  llvm::SmallPtrSet<Node *, 16> seen;
  SmallVector<Node *> rest = {node};
  while (!rest.empty()) {
    Node *next = rest.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (next->index && indexing.dependsOn(next->index, variable))
      return true;
    // An element of memory depends on the index variables that its indices
    // contain. So does an element that is not expanded yet (a lazy node),
    // without being expanded.
    if (next->kind == NodeKind::Lazy || next->kind == NodeKind::Load) {
      for (AffineExpr index : next->access.indices)
        if (indexing.dependsOn(index, variable))
          return true;
      continue;
    }
    // If the node equals an element of a tensor whose indices do not contain
    // `variable`, it does not depend on `variable`, whatever its operands are.
    bool mayDepend = true;
    for (const Access &source : next->sources)
      mayDepend &= llvm::any_of(source.indices, [&](AffineExpr index) {
        return indexing.dependsOn(index, variable);
      });
    if (mayDepend)
      llvm::append_range(rest, next->operands);
  }
  return false;
}

namespace {
struct Comparison {
  Elements &elements;
  llvm::DenseMap<unsigned, AffineExpr> variables;
  llvm::DenseSet<std::pair<Node *, Node *>> equal;

  bool compareAccess(const Access &lhs, const Access &rhs) {
    if (lhs.array != rhs.array || lhs.indices.size() != rhs.indices.size())
      return false;
    for (auto [left, right] : llvm::zip(lhs.indices, rhs.indices))
      if (!compareIndex(left, right))
        return false;
    return true;
  }

  bool compareIndex(AffineExpr lhs, AffineExpr rhs) {
    Indexing &indexing = elements.getIndexing();
    return indexing.areEqual(lhs, indexing.replace(rhs, variables));
  }

  bool compareOperands(Node *lhs, Node *rhs) {
    if (lhs->operands.size() != rhs->operands.size())
      return false;
    bool areEqual = true;
    for (auto [left, right] : llvm::zip(lhs->operands, rhs->operands))
      areEqual = areEqual && compare(left, right);
    if (areEqual)
      return true;
    bool isCommutative = lhs->name == "arith.addf" ||
                         lhs->name == "arith.mulf" ||
                         lhs->name == "arith.andi" || lhs->name == "arith.ori";
    return isCommutative && lhs->operands.size() == 2 &&
           compare(lhs->operands[0], rhs->operands[1]) &&
           compare(lhs->operands[1], rhs->operands[0]);
  }

  bool compare(Node *lhs, Node *rhs) {
    if (lhs->kind == NodeKind::Lazy && rhs->kind == NodeKind::Lazy &&
        compareAccess(lhs->access, rhs->access))
      return true;
    lhs = elements.strip(lhs);
    rhs = elements.strip(rhs);
    if ((lhs == rhs && variables.empty()) || equal.contains({lhs, rhs}))
      return true;
    for (const Access &left : lhs->sources)
      for (const Access &right : rhs->sources)
        if (compareAccess(left, right))
          return true;
    if (!compareNodes(lhs, rhs))
      return false;
    equal.insert({lhs, rhs});
    return true;
  }

  bool compareNodes(Node *lhs, Node *rhs) {
    if (lhs->kind != rhs->kind)
      return false;
    switch (lhs->kind) {
    case NodeKind::Lazy:
      return false;
    case NodeKind::Constant: {
      std::optional<double> left = elements.getConstantFloat(lhs),
                            right = elements.getConstantFloat(rhs);
      return lhs->constant == rhs->constant || (left && left == right);
    }
    case NodeKind::Index:
      return compareIndex(lhs->index, rhs->index);
    case NodeKind::Load:
      return compareAccess(lhs->access, rhs->access);
    case NodeKind::Gather:
      return lhs->access.array == rhs->access.array &&
             compareOperands(lhs, rhs);
    case NodeKind::Apply:
      return lhs->name == rhs->name &&
             (lhs->type == rhs->type ||
              (isa<FloatType>(lhs->type) && isa<FloatType>(rhs->type) &&
               !lhs->isApply("arith.bitcast"))) &&
             lhs->attributes.get("predicate") ==
                 rhs->attributes.get("predicate") &&
             compareOperands(lhs, rhs);
    case NodeKind::Reduce:
      if (lhs->name != rhs->name ||
          lhs->variables.size() != rhs->variables.size())
        return false;
      for (auto [left, right] : llvm::zip(lhs->variables, rhs->variables)) {
        Indexing &indexing = elements.getIndexing();
        if (!indexing.haveSameSize(left, right))
          return false;
        variables[right] = getAffineDimExpr(left, indexing.getContext());
      }
      return compare(lhs->operands[0], rhs->operands[0]);
    }
    llvm_unreachable("a kind of node");
  }
};
} // namespace

bool Elements::areEqual(Node *lhs, Node *rhs,
                        const llvm::DenseMap<unsigned, AffineExpr> &variables) {
  return Comparison{*this, variables, {}}.compare(lhs, rhs);
}
