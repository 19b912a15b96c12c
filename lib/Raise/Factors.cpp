//===- Factors.cpp - Elements as products and sums ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factors.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

/// Products of more factors, and sums of more terms, are not divided further.
/// Otherwise a number that is multiplied by itself, or added to itself, n times
/// in a row would have 2^n of them.
static constexpr size_t kMostParts = 64;

static bool isClose(double lhs, double rhs) {
  return std::abs(lhs - rhs) <= 1e-6 * std::max(std::abs(lhs), std::abs(rhs));
}

/// Returns the number c for which exponential(c * `node`) is the operand of the
/// logarithm `node`, such as ln 2 for exp and log2. Returns 0 if `node` is no
/// logarithm. The op of `exponential` is exp or exp2.
static double getLogarithmUnit(Node *exponential, Node *node) {
  bool isBinary = exponential->isApply("math.exp2");
  if (node->isApply("math.log"))
    return isBinary ? 1 / std::log(2.0) : 1;
  if (node->isApply("math.log2"))
    return isBinary ? 1 : std::log(2.0);
  return 0;
}

/// Rewrites exp(x - log(d)) as the quotient exp(x) / d: adds each such d to
/// `divisors`, and returns exp(x). Does the same for exp2. Returns `node`
/// itself if no logarithm is subtracted, or if x would be a constant.
static Node *takeLogarithms(Elements &elements, Node *node,
                            SmallVectorImpl<Node *> &divisors) {
  Terms terms = collectTerms(elements, node->operands[0]), rest;
  for (auto [term, factor] : terms.nodes) {
    double unit = getLogarithmUnit(node, term);
    if (unit != 0 && isClose(factor, -unit)) {
      // An absolute value of the divisor is dropped, since a match of a softmax
      // only accepts a sum of exponentials as the divisor, and such a sum is
      // positive. Whether this divisor is such a sum is checked by the match,
      // not here.
      Node *divisor = elements.strip(term->operands[0]);
      if (divisor->isApply("math.absf"))
        divisor = elements.strip(divisor->operands[0]);
      divisors.push_back(divisor);
    } else {
      rest.nodes.push_back({term, factor});
    }
  }
  if (divisors.empty() || rest.nodes.empty())
    return node;
  // The terms of the exponent that are not logarithms are added up again,
  // beginning with the constant and the first positive term. Terms with a
  // negative factor are subtracted.
  Type type = node->operands[0]->type;
  auto first =
      llvm::find_if(rest.nodes, [](auto &term) { return term.second > 0; });
  if (first != rest.nodes.end())
    std::rotate(rest.nodes.begin(), first, first + 1);
  Node *sum =
      terms.constant != 0 ? elements.getFloat(type, terms.constant) : nullptr;
  for (auto [term, factor] : rest.nodes) {
    bool isSubtracted = sum && factor < 0;
    double by = isSubtracted ? -factor : factor;
    Node *part = elements.getCast(term, type);
    if (by != 1)
      part = elements.getApply("arith.mulf", type,
                               {part, elements.getFloat(type, by)});
    sum = !sum ? part
               : elements.getApply(isSubtracted ? "arith.subf" : "arith.addf",
                                   type, {sum, part});
  }
  return elements.getApply(node->name, node->type, sum, node->attributes);
}

void mlir::attn::raise::collectFactors(Elements &elements, Node *node,
                                       Factors &factors, bool isUnder,
                                       bool isOperand) {
  node = elements.look(node);
  while (node->isApply("arith.extf"))
    node = elements.look(node->operands.front());
  if (isOperand && node->isApply("arith.truncf")) {
    Factors inner;
    collectFactors(elements, node->operands.front(), inner, isUnder);
    if (llvm::none_of(inner.over, [](Node *factor) {
          return isExponential(factor) || factor->isApply("arith.select");
        })) {
      (isUnder ? factors.under : factors.over).push_back(node);
      return;
    }
  }
  node = elements.strip(node);
  bool isFull = factors.over.size() + factors.under.size() >= kMostParts;
  if (std::optional<double> value = elements.getConstantFloat(node)) {
    factors.constant *= isUnder ? 1 / *value : *value;
  } else if (node->isApply("arith.mulf") && !isFull) {
    for (Node *operand : node->operands)
      collectFactors(elements, operand, factors, isUnder, isOperand);
  } else if (node->isApply("arith.divf") && !isFull) {
    collectFactors(elements, node->operands[0], factors, isUnder, isOperand);
    collectFactors(elements, node->operands[1], factors, !isUnder);
  } else if (node->isApply("arith.negf")) {
    factors.constant = -factors.constant;
    collectFactors(elements, node->operands[0], factors, isUnder, isOperand);
  } else if (isExponential(node)) {
    SmallVector<Node *> divisors;
    node = takeLogarithms(elements, node, divisors);
    (isUnder ? factors.under : factors.over).push_back(node);
    for (Node *divisor : divisors)
      collectFactors(elements, divisor, factors, !isUnder);
  } else {
    (isUnder ? factors.under : factors.over).push_back(node);
  }
}

static void collectTerms(Elements &elements, Node *node, double factor,
                         Terms &terms) {
  node = elements.strip(node);
  if (std::optional<double> value = elements.getConstantFloat(node)) {
    terms.constant += factor * *value;
    return;
  }
  if ((node->isApply("arith.addf") || node->isApply("arith.subf")) &&
      terms.nodes.size() < kMostParts) {
    collectTerms(elements, node->operands[0], factor, terms);
    collectTerms(elements, node->operands[1],
                 node->isApply("arith.subf") ? -factor : factor, terms);
    return;
  }
  if (node->isApply("arith.negf")) {
    collectTerms(elements, node->operands[0], -factor, terms);
    return;
  }
  if (node->isApply("arith.mulf") || node->isApply("arith.divf"))
    for (unsigned i : {0u, 1u}) {
      std::optional<double> value =
          elements.getConstantFloat(node->operands[i]);
      bool isDivided = node->isApply("arith.divf");
      if (!value || (isDivided && (i == 0 || *value == 0)))
        continue;
      collectTerms(elements, node->operands[1 - i],
                   isDivided ? factor / *value : factor * *value, terms);
      return;
    }
  terms.nodes.push_back({node, factor});
}

Terms mlir::attn::raise::collectTerms(Elements &elements, Node *node) {
  Terms terms;
  ::collectTerms(elements, node, 1, terms);
  return terms;
}

/// Returns the linear combination `lhs` minus `rhs`, as the terms of `lhs` that
/// are not in `rhs` and the difference of the constants. Before that, each
/// index variable of `rhs` that `variables` maps to an expression is replaced
/// by that expression. Returns nothing if `rhs` has a term that `lhs` lacks.
static std::optional<Terms>
subtract(Elements &elements, const Terms &lhs, const Terms &rhs,
         const llvm::DenseMap<unsigned, AffineExpr> &variables) {
  Terms rest = lhs;
  for (const std::pair<Node *, double> &term : rhs.nodes) {
    auto found = llvm::find_if(rest.nodes, [&](auto &other) {
      return isClose(other.second, term.second) &&
             elements.areEqual(other.first, term.first, variables);
    });
    if (found == rest.nodes.end())
      return std::nullopt;
    rest.nodes.erase(found);
  }
  rest.constant -= rhs.constant;
  return rest;
}

bool mlir::attn::raise::areEqual(
    Elements &elements, const Terms &lhs, const Terms &rhs,
    const llvm::DenseMap<unsigned, AffineExpr> &variables) {
  std::optional<Terms> rest = ::subtract(elements, lhs, rhs, variables);
  return rest && rest->nodes.empty() && rest->constant == 0;
}

std::optional<Terms> mlir::attn::raise::subtract(Elements &elements,
                                                 const Terms &lhs,
                                                 const Terms &rhs) {
  return ::subtract(elements, lhs, rhs, llvm::DenseMap<unsigned, AffineExpr>());
}

bool mlir::attn::raise::dependsOnAny(Elements &elements, Node *node,
                                     ArrayRef<unsigned> variables) {
  return llvm::any_of(variables, [&](unsigned variable) {
    return elements.dependsOn(node, variable);
  });
}

bool mlir::attn::raise::dependsOnAll(Elements &elements, Node *node,
                                     ArrayRef<unsigned> variables) {
  return llvm::all_of(variables, [&](unsigned variable) {
    return elements.dependsOn(node, variable);
  });
}

SmallVector<llvm::DenseMap<unsigned, AffineExpr>>
mlir::attn::raise::mapVariables(const Indexing &indexing,
                                ArrayRef<unsigned> from,
                                ArrayRef<unsigned> to) {
  SmallVector<llvm::DenseMap<unsigned, AffineExpr>> maps;
  auto getExpr = [&](unsigned variable) {
    return getAffineDimExpr(variable, indexing.getContext());
  };
  // The largest number of index variables of a sum of which all orders are
  // tried. No map is returned for more variables.
  constexpr size_t kMost = 4;
  SmallVector<unsigned> order(to);
  llvm::sort(order);
  if (from.size() == to.size() && from.size() <= kMost)
    do {
      bool haveSizes = llvm::all_of(llvm::zip(from, order), [&](auto pair) {
        auto [variable, other] = pair;
        return indexing.haveSameSize(variable, other);
      });
      if (!haveSizes)
        continue;
      auto &map = maps.emplace_back();
      for (auto [variable, other] : llvm::zip(from, order))
        map[variable] = getExpr(other);
    } while (std::next_permutation(order.begin(), order.end()));
  if (!maps.empty())
    return maps;
  auto getSizes = [&](ArrayRef<unsigned> variables) {
    SmallVector<int64_t> sizes;
    for (unsigned variable : variables)
      sizes.push_back(indexing.getSize(variable));
    return sizes;
  };
  SmallVector<int64_t> fromSizes = getSizes(from), toSizes = getSizes(to);
  if (!ShapedType::isStaticShape(fromSizes) ||
      !ShapedType::isStaticShape(toSizes) ||
      ShapedType::getNumElements(fromSizes) !=
          ShapedType::getNumElements(toSizes))
    return maps;
  if (to.size() > kMost)
    return maps;
  llvm::sort(order);
  do {
    AffineExpr place = indexing.getConstant(0);
    for (unsigned variable : order)
      place = indexing.simplify(place * indexing.getSize(variable) +
                                getExpr(variable));
    auto &map = maps.emplace_back();
    for (auto [variable, size] :
         llvm::reverse(llvm::to_vector(llvm::zip(from, fromSizes)))) {
      map[variable] = indexing.mod(place, size);
      place = indexing.floorDiv(place, size);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return maps;
}

SmallVector<SplitSum, 2> mlir::attn::raise::splitSum(Elements &elements,
                                                     Node *sum,
                                                     ArrayRef<unsigned> keys) {
  if (sum->variables.size() != 1 || keys.size() != 1)
    return {};
  Indexing &indexing = elements.getIndexing();
  unsigned variable = sum->variables.front();
  int64_t size = indexing.getSize(keys.front());
  if (ShapedType::isDynamic(size) || indexing.getSize(variable) != size + 1)
    return {};
  AffineExpr key = getAffineDimExpr(keys.front(), indexing.getContext());
  auto getTerm = [&](AffineExpr index) {
    return elements.substitute(sum->operands[0], {{variable, index}});
  };
  return {{getTerm(key), getTerm(indexing.getConstant(size))},
          {getTerm(key + 1), getTerm(indexing.getConstant(0))}};
}
