//===- Gradient.cpp - Gradients of attention among elements ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFinder.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

namespace {
struct ProductFinder : GradientFinder {
  /// The captured array whose gradient is to be found; null for other
  /// gradients.
  Value captured = {};
  /// Further exponentials of the same scores with their sums.
  SmallVector<std::pair<Node *, Node *>> others = {};

  explicit ProductFinder(GradientFinder finder, Value captured = {})
      : GradientFinder(finder), captured(captured) {}

  bool matchValue(const Product &product, Node *gradient) {
    const Factors &factors = product.factors;
    Node *under = factors.under.empty() ? nullptr : factors.under.front();
    if (!under)
      std::tie(gradient, under) = splitQuotient(gradient);
    if (!under || factors.over.size() != 1 || factors.under.size() > 1 ||
        factors.constant != 1 || !takeSoftmax(factors.over.front(), under) ||
        !dependsOnAll(elements, gradient, summed) ||
        dependsOnAny(elements, gradient, attention.keys) ||
        llvm::any_of(attention.keys, [&](unsigned key) {
          return llvm::is_contained(summed, key);
        }))
      return false;
    attention.outputGradient = gradient;
    if (!takeScore().first || !areMasks(product.conditions))
      return false;
    addOutputs({});
    return true;
  }

  /// Whether `gradient` is `constant` times a gradient of the scores. Its
  /// product with `other`, the query or the key, is summed; sets `of` to Key if
  /// `other` is the query, and to Query if it is the key. For the gradient of a
  /// captured array, `other` is null and `of` is not set.
  bool matchScores(Node *gradient, Node *other, double constant,
                   Gradients &of) {
    SmallVector<Node *> exponentials, sums;
    collectParts(elements, gradient, exponentials, sums);
    if (exponentials.empty() || sums.size() < 3)
      return false;
    Factors ofOther;
    if (other)
      collectFactors(elements, other, ofOther, /*isUnder=*/false,
                     /*isOperand=*/true);
    if (ofOther.over.size() == 1 && ofOther.under.empty()) {
      other = ofOther.over.front();
      constant *= ofOther.constant;
    }
    const Attention start = attention;
    const Variables startOutputs = outputs;
    for (Node *exponential : exponentials)
      for (Node *under : sums) {
        attention = start;
        if (!takeSoftmax(exponential, under))
          continue;
        const Attention softmax = attention;
        findOthers(exponentials, sums);
        for (Node *ofOutput : sums) {
          attention = softmax;
          outputs = startOutputs;
          if (ofOutput != under && isSum(ofOutput) &&
              matchOutput(gradient, ofOutput, other, constant, of))
            return true;
        }
      }
    attention = start;
    outputs = startOutputs;
    return false;
  }

  /// Finds the other softmaxes of the same scores, as one that a logarithm of a
  /// sum has of its own.
  void findOthers(ArrayRef<Node *> exponentials, ArrayRef<Node *> sums) {
    others.clear();
    Node *score = dropRowTerms(elements, weight->operands[0], attention.keys);
    for (Node *exponential : exponentials) {
      if (exponential->name != weight->name || attention.sink ||
          elements.areEqual(exponential, weight) ||
          !elements.areEqual(
              score,
              dropRowTerms(elements, exponential->operands[0], attention.keys)))
        continue;
      for (Node *under : sums) {
        Divisor divisor = matchDivisor(elements, elements.strip(under),
                                       {exponential, {}}, attention.keys);
        if (!divisor.matches || divisor.other || divisor.number != 0)
          continue;
        others.push_back({exponential, elements.strip(under)});
        break;
      }
    }
  }

  /// Returns the nodes of a gradient of scores that may be the gradient of the
  /// lse: arrays of rows.
  SmallVector<Node *> findLseGradients(const ScoreGradient &parts, Node *root) {
    constexpr size_t kMost = 16;
    SmallVector<Node *> found, rest = {root};
    llvm::SmallPtrSet<Node *, 32> seen;
    auto isPart = [&](Node *node) {
      return node == parts.weight || node == parts.sum ||
             node == parts.ofOutput || node == parts.variable;
    };
    for (size_t next = 0; next < rest.size() && found.size() < kMost; ++next) {
      Node *node = elements.strip(rest[next]);
      if (!seen.insert(node).second || isPart(node))
        continue;
      bool isOfRows = isa<FloatType>(node->type) && !node->sources.empty() &&
                      !dependsOnAny(elements, node, attention.keys);
      if (isOfRows && node->kind != NodeKind::Constant &&
          node->kind != NodeKind::Reduce)
        found.push_back(node);
      if (node->kind == NodeKind::Apply)
        llvm::append_range(rest, node->operands);
    }
    return found;
  }

  /// Whether `scores` is `factor` times the gradient of scores that `parts`
  /// describe, perhaps with a gradient of the lse, which is then set.
  bool takeGradient(ScoreGradient &parts, Node *scores, double factor) {
    parts.others = others;
    if (isScoreGradient(elements, parts, scores, factor))
      return true;
    for (Node *candidate : findLseGradients(parts, scores)) {
      parts.ofLse = attention.lseGradient = candidate;
      if (isScoreGradient(elements, parts, scores, factor))
        return true;
    }
    parts.ofLse = attention.lseGradient = nullptr;
    return false;
  }

  /// Whether `ofOutput` is dP, the product of the output's gradient and the
  /// value, and `scores` the gradient of scores that follows from dP. Sets
  /// `value` and `outputGradient` of `attention`, and `of` as matchScores()
  /// does.
  bool matchOutput(Node *scores, Node *ofOutput, Node *other, double constant,
                   Gradients &of) {
    if (!takeOutput(ofOutput))
      return false;
    auto [dot, score] = takeScore();
    if (!dot || elements.areEqual(dot, ofOutput))
      return false;
    ScoreGradient parts = {
        weight, sum, ofOutput, score, dot, attention.keys, attention.masks};
    parts.divided = divided;
    parts.hasSink = attention.sink.has_value();
    parts.ofSink = ofSink;
    if (captured)
      return matchCapture(parts, scores, constant);
    // `dot` is `unit` * (query * key), so the gradient of query (or key) is
    // `unit` times the sum of the gradient of `dot` times key (or query).
    // `constant` is a factor of that sum which `scores` does not have.
    if (!takeGradient(parts, scores, unit / constant))
      return false;
    bool sumsKeys = llvm::all_of(attention.keys, [&](unsigned key) {
      return llvm::is_contained(summed, key);
    });
    bool sumsNoKeys = llvm::none_of(attention.keys, [&](unsigned key) {
      return llvm::is_contained(summed, key);
    });
    // A gradient of the query is a sum over all index variables of keys, and
    // one of the key is a sum over none of these.
    if (!sumsKeys && !sumsNoKeys)
      return false;
    Variables dims = getThose(outputs, [&](unsigned variable) {
      return dependsOn(other, variable) && !dependsOn(weight, variable);
    });
    Node *first = sumsKeys ? attention.key : attention.query,
         *second = sumsKeys ? attention.keyRope : attention.queryRope;
    for (auto [expected, ofDot, its] :
         {std::tuple(first, ArrayRef(attention.headDims),
                     sumsKeys ? Gradients::Query : Gradients::Key),
          {second, ArrayRef(attention.ropeDims),
           sumsKeys ? Gradients::QueryRope : Gradients::KeyRope}}) {
      if (!expected)
        continue;
      for (auto &map : mapVariables(getIndexing(), dims, ofDot)) {
        if (!elements.areEqual(expected, other, map))
          continue;
        of = its;
        // Head dims in the result's indices become those of query * key.
        SmallVector<AffineExpr> gradient;
        for (AffineExpr index : attention.gradient)
          gradient.push_back(getIndexing().replace(index, map));
        attention.gradient = gradient;
        llvm::erase_if(outputs, [&](unsigned variable) {
          return llvm::is_contained(dims, variable);
        });
        addOutputs(ofOutput->variables);
        return true;
      }
    }
    return false;
  }

  /// Whether the sum is the gradient of the captured array, with the indices at
  /// which the score reads the array, and is over all other indices.
  bool matchCapture(ScoreGradient parts, Node *scores, double constant) {
    auto reads = findReads(elements, parts.score, captured);
    if (reads.size() != 1)
      return false;
    ArrayRef<AffineExpr> indices = reads.front().second.indices;
    if (indices.size() != attention.gradient.size())
      return false;
    for (auto [index, own] : llvm::zip(indices, attention.gradient))
      if (!getIndexing().areEqual(index, own))
        return false;
    // The sum may only be over index variables of rows and keys.
    if (!llvm::all_of(summed, [&](unsigned variable) {
          return dependsOn(parts.weight, variable);
        }))
      return false;
    parts.variable = reads.front().first;
    if (!takeGradient(parts, scores, 1 / constant))
      return false;
    addOutputs(parts.ofOutput->variables);
    return true;
  }
};
} // namespace

/// Rewrites (sum of x) * y as the sum of x * y: returns the node x * y and
/// appends the index variables of the sum to `summed`. Returns null if the node
/// is no product with a sum.
static Node *pullSum(Elements &elements, Node *node, Variables &summed) {
  if (!node->isApply("arith.mulf"))
    return nullptr;
  for (unsigned i : {0u, 1u}) {
    Node *sum = elements.strip(node->operands[i]);
    if (!isSum(sum))
      continue;
    llvm::append_range(summed, sum->variables);
    return elements.getApply("arith.mulf", node->type,
                             {sum->operands[0], node->operands[1 - i]});
  }
  return nullptr;
}

std::unique_ptr<GradientMatch>
mlir::attn::raise::matchGradient(Value result, bool keepsRounding) {
  auto [match, root] = beginGradient(result);
  Elements &elements = *match->elements;
  Attention &attention = *match->attention;
  ProductFinder finder(GradientFinder{elements, attention, keepsRounding,
                                      getVariables(attention.gradient)});
  Factors factors;
  collectFactors(elements, root, factors);
  if (factors.over.size() != 1 || !factors.under.empty() ||
      !isSum(factors.over[0]))
    return nullptr;
  auto sides =
      finder.getSides(takeSums(elements, factors.over[0], finder.summed));
  if (!sides)
    return nullptr;
  for (auto [weights, other] :
       {*sides, std::pair(sides->second, sides->first)}) {
    Product product = finder.getProduct(weights);
    product.factors.constant *= factors.constant;
    const Attention start = attention;
    bool isValue = llvm::any_of(product.factors.over, isExponential) &&
                   finder.matchValue(product, other);
    if (isValue)
      match->of = Gradients::Value;
    else
      attention = start;
    if (!isValue &&
        !finder.matchScores(weights, other, factors.constant, match->of))
      continue;
    if (!finishGradient(*match, finder.weight, weights) ||
        !hasDimsOfGradient(*match))
      return nullptr;
    // Gradients may have been matched with different ones of these.
    for (auto [exponential, sum] : finder.others)
      for (const Access &source : exponential->sources)
        match->weights.push_back(source.array);
    return std::move(match);
  }
  return nullptr;
}

std::unique_ptr<GradientMatch>
mlir::attn::raise::matchCaptureGradient(Value result, Value captured,
                                        bool keepsRounding) {
  auto [match, root] = beginGradient(result);
  Elements &elements = *match->elements;
  ProductFinder finder(GradientFinder{elements, *match->attention,
                                      keepsRounding,
                                      getVariables(match->attention->gradient)},
                       captured);
  Node *body = takeSums(elements, elements.strip(root), finder.summed);
  while (!finder.matchScores(body, /*other=*/nullptr, 1, match->of)) {
    // A product y * (sum of x) is matched as the sum of x * y.
    body = pullSum(elements, body, finder.summed);
    if (!body)
      return nullptr;
    body = takeSums(elements, body, finder.summed);
  }
  if (!finishGradient(*match, finder.weight))
    return nullptr;
  match->of = Gradients{};
  match->captured = captured;
  return std::move(match);
}
