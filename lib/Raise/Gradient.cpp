//===- Gradient.cpp - Gradients of attention among elements ---------------===//
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

namespace {
using Variables = SmallVector<unsigned>;

/// A product under a sum, with conditions that select it or 0.
struct Product {
  Factors factors;
  SmallVector<Node *> conditions;
};

struct GradientFinder {
  Elements &elements;
  Attention &attention;
  bool keepsRounding;
  Variables outputs, summed = {};
  Node *weight = nullptr, *sum = nullptr;
  SmallVector<Node *> conditions = {};

  Indexing &getIndexing() { return elements.getIndexing(); }

  bool dependsOn(Node *node, unsigned variable) {
    return elements.dependsOn(node, variable);
  }

  Variables getThose(ArrayRef<unsigned> from,
                     llvm::function_ref<bool(unsigned)> filter) {
    Variables found;
    llvm::copy_if(from, std::back_inserter(found), filter);
    return found;
  }

  /// The two operands of a product, without conversions to wider floats.
  std::optional<std::pair<Node *, Node *>> getSides(Node *body) {
    if (!body->isApply("arith.mulf"))
      return std::nullopt;
    auto get = [&](Node *node) {
      node = elements.look(node);
      while (node->isApply("arith.extf"))
        node = elements.look(node->operands.front());
      return node;
    };
    return std::pair(get(body->operands[0]), get(body->operands[1]));
  }

  /// Factors of the node, without selects of 0.
  Product getProduct(Node *node) {
    Product product;
    collectFactors(elements, node, product.factors, /*isUnder=*/false,
                   /*isOperand=*/true);
    for (bool changes = true; changes;) {
      changes = false;
      for (Node *factor : llvm::to_vector(product.factors.over)) {
        if (!factor->isApply("arith.select") ||
            !elements.isZero(factor->operands[2]))
          continue;
        product.conditions.push_back(elements.look(factor->operands[0]));
        llvm::erase(product.factors.over, factor);
        collectFactors(elements, factor->operands[1], product.factors,
                       /*isUnder=*/false, /*isOperand=*/true);
        changes = true;
        break;
      }
    }
    return product;
  }

  /// Whether the exponential is divided by the sum of those of all keys.
  bool takeSoftmax(Node *exponential, Node *under) {
    weight = exponential;
    sum = elements.strip(under);
    auto isKey = [&](unsigned variable) {
      return dependsOn(weight, variable) && !dependsOn(sum, variable);
    };
    Variables keys = getThose(outputs, isKey);
    llvm::append_range(keys, getThose(summed, isKey));
    attention.keys.assign(keys.begin(), keys.end());
    if (keys.empty())
      return false;
    Divisor divisor = matchDivisor(elements, sum, {weight, {}}, attention.keys);
    if (!divisor.matches)
      return false;
    attention.score =
        dropRowTerms(elements, weight->operands[0], attention.keys);
    if (divisor.other || divisor.number != 0) {
      attention.sink = findSink(elements, divisor, weight, attention.score);
      return attention.sink.has_value();
    }
    return true;
  }

  bool isSumOfWeights(Node *node) {
    return elements.areEqual(sum, elements.strip(node),
                             llvm::DenseMap<unsigned, AffineExpr>());
  }

  /// Query, key, scale and masks by the score, whose derivative is 1.
  bool takeScore() {
    Node *score = attention.score;
    if (weight->isApply("math.exp2"))
      attention.score = elements.getApply(
          "arith.mulf", score->type,
          {score, elements.getFloat(score->type, std::log(2.0))});
    Node *dot = findProduct(elements, attention);
    attention.product = dot;
    if (!dot)
      return false;
    double unit = attention.scale;
    takeScale(elements, attention, keepsRounding);
    takeMasks(elements, attention, keepsRounding);
    unsigned count = 0;
    for (auto [term, factor] : collectTerms(elements, attention.score).nodes) {
      if (term == elements.strip(dot)) {
        // Constant factors of the query and key are in the scale, too.
        if (std::abs(factor * unit / attention.scale - 1) > 1e-6)
          return false;
        ++count;
        continue;
      }
      // What is added has no part of the product.
      SmallVector<Node *> rest = {term};
      llvm::SmallPtrSet<Node *, 16> seen;
      while (!rest.empty()) {
        Node *next = elements.look(rest.pop_back_val());
        if (next == dot)
          return false;
        if (seen.insert(next).second && next->kind == NodeKind::Apply)
          llvm::append_range(rest, next->operands);
      }
    }
    return count == 1;
  }

  /// Whether gradients are selected where the masks hold, or not at all.
  bool areMasks(ArrayRef<Node *> selected) {
    return llvm::all_of(selected, [&](Node *condition) {
      return llvm::any_of(attention.masks, [&](Node *mask) {
        return elements.areEqual(condition, mask,
                                 llvm::DenseMap<unsigned, AffineExpr>());
      });
    });
  }

  bool matchValue(const Product &product, Node *gradient) {
    const Factors &factors = product.factors;
    if (factors.over.size() != 1 || factors.under.size() != 1 ||
        factors.constant != 1 ||
        !takeSoftmax(factors.over.front(), factors.under.front()) ||
        !dependsOnAll(elements, gradient, summed) ||
        dependsOnAny(elements, gradient, attention.keys) ||
        llvm::any_of(attention.keys, [&](unsigned key) {
          return llvm::is_contained(summed, key);
        }))
      return false;
    attention.outputGradient = gradient;
    if (!takeScore() || !areMasks(product.conditions))
      return false;
    addOutputs({});
    return true;
  }

  /// Rows, batches and heads, and the value's head dims.
  void addOutputs(ArrayRef<unsigned> valueDims) {
    auto isOutput = [&](unsigned variable) {
      return !llvm::is_contained(attention.keys, variable) &&
             !llvm::is_contained(attention.headDims, variable);
    };
    Variables all = getThose(outputs, isOutput);
    llvm::append_range(all, getThose(summed, isOutput));
    llvm::append_range(all, valueDims);
    for (unsigned variable : all)
      attention.outputs.push_back(
          getAffineDimExpr(variable, getIndexing().getContext()));
  }

  /// A term of the gradient of scores, or of a product that it is a factor of.
  void addTerms(Node *node, double sign,
                SmallVectorImpl<std::pair<Node *, double>> &terms) {
    node = elements.strip(node);
    if (node->isApply("arith.negf"))
      return addTerms(node->operands[0], -sign, terms);
    if (!node->isApply("arith.addf") && !node->isApply("arith.subf")) {
      terms.push_back({node, sign});
      return;
    }
    addTerms(node->operands[0], sign, terms);
    addTerms(node->operands[1], node->isApply("arith.subf") ? -sign : sign,
             terms);
  }

  /// Whether the node is the sum over keys of the weight times `ofOutput`, and
  /// how often it is divided by the sum of weights.
  std::optional<unsigned> matchRowSum(Node *node, Node *ofOutput) {
    if (!isSum(node))
      return std::nullopt;
    Product body = getProduct(node->operands[0]);
    if (body.factors.over.size() != 2 || body.factors.constant != 1)
      return std::nullopt;
    for (Node *under : body.factors.under)
      if (!isSumOfWeights(under))
        return std::nullopt;
    unsigned number = isExponential(body.factors.over[0]) ? 0 : 1;
    for (auto &map :
         mapVariables(getIndexing(), node->variables, attention.keys))
      if (elements.areEqual(weight, body.factors.over[number], map) &&
          elements.areEqual(ofOutput, body.factors.over[1 - number], map))
        return body.factors.under.size();
    return std::nullopt;
  }

  bool matchScores(const Product &product, Node *other, Gradients &of) {
    // The exponential and the difference.
    const Factors &factors = product.factors;
    if (factors.over.size() != 2)
      return false;
    unsigned number = isExponential(factors.over[0]) ? 0 : 1;
    Node *exponential = factors.over[number],
         *difference = factors.over[1 - number];
    double constant = factors.constant;
    Factors ofOther;
    collectFactors(elements, other, ofOther, /*isUnder=*/false,
                   /*isOperand=*/true);
    if (ofOther.over.size() == 1 && ofOther.under.empty()) {
      other = ofOther.over.front();
      constant *= ofOther.constant;
    }
    SmallVector<std::pair<Node *, double>> terms;
    addTerms(difference, 1, terms);
    if (terms.size() != 2 || !isExponential(exponential))
      return false;
    // The term that is not of a row comes first.
    Product first = getProduct(terms[0].first),
            second = getProduct(terms[1].first);
    double signs[2] = {terms[0].second, terms[1].second};
    auto getUnders = [&](const Product &part) {
      SmallVector<Node *> unders(factors.under);
      llvm::append_range(unders, part.factors.under);
      return unders;
    };
    for (bool isSwapped : {false, true}) {
      if (isSwapped) {
        std::swap(first, second);
        std::swap(signs[0], signs[1]);
      }
      SmallVector<Node *> unders = getUnders(first);
      if (first.factors.over.size() != 1 || unders.size() != 1 ||
          second.factors.over.size() != 1 ||
          signs[0] * first.factors.constant != 1 ||
          signs[1] * second.factors.constant != -1 ||
          !isSum(first.factors.over[0]) ||
          !takeSoftmax(exponential, unders.front()))
        continue;
      Node *ofOutput = first.factors.over[0];
      SmallVector<Node *> others = getUnders(second);
      std::optional<unsigned> inner =
          matchRowSum(elements.strip(second.factors.over[0]), ofOutput);
      if (!inner || *inner + others.size() != 2 ||
          !llvm::all_of(others,
                        [&](Node *under) { return isSumOfWeights(under); }))
        continue;
      SmallVector<Node *> selected(product.conditions);
      llvm::append_range(selected, first.conditions);
      if (!second.conditions.empty())
        continue;
      return matchFactor(ofOutput, other, constant, selected, of);
    }
    return false;
  }

  /// The output's gradient and the value of `ofOutput`, and what `other` is.
  bool matchFactor(Node *ofOutput, Node *other, double constant,
                   ArrayRef<Node *> selected, Gradients &of) {
    auto sides = getSides(elements.strip(ofOutput->operands[0]));
    if (!sides)
      return false;
    auto [value, gradient] = *sides;
    if (!dependsOnAny(elements, value, attention.keys))
      std::swap(value, gradient);
    attention.value = value;
    attention.outputGradient = gradient;
    if (!dependsOnAll(elements, attention.value, attention.keys) ||
        dependsOnAny(elements, attention.outputGradient, attention.keys) ||
        !takeScore() || !areMasks(selected) ||
        std::abs(constant / attention.scale - 1) > 1e-6)
      return false;
    bool sumsKeys = llvm::all_of(attention.keys, [&](unsigned key) {
      return llvm::is_contained(summed, key);
    });
    bool sumsNoKeys = llvm::none_of(attention.keys, [&](unsigned key) {
      return llvm::is_contained(summed, key);
    });
    // Sums of a query's gradient are over the keys alone.
    if ((!sumsKeys && !sumsNoKeys) ||
        (sumsKeys && summed.size() != attention.keys.size()))
      return false;
    of = sumsKeys ? Gradients::Query : Gradients::Key;
    Node *expected = sumsKeys ? attention.key : attention.query;
    Variables dims = getThose(outputs, [&](unsigned variable) {
      return dependsOn(other, variable) && !dependsOn(weight, variable);
    });
    for (auto &map : mapVariables(getIndexing(), dims, attention.headDims))
      if (elements.areEqual(expected, other, map)) {
        // The result's head dim is the product's.
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
    return false;
  }
};
} // namespace

std::unique_ptr<GradientMatch>
mlir::attn::raise::matchGradient(Value result, bool keepsRounding) {
  auto match = std::make_unique<GradientMatch>();
  match->elements = std::make_unique<Elements>(result.getContext());
  match->attention = std::make_unique<Attention>();
  Elements &elements = *match->elements;
  Attention &attention = *match->attention;
  attention.result = result;
  GradientFinder finder{elements, attention, keepsRounding, {}};
  for (int64_t dim = 0, e = getShape(result).size(); dim < e; ++dim) {
    attention.gradient.push_back(elements.addVariable(result, dim));
    if (auto variable = getVariable(attention.gradient.back()))
      finder.outputs.push_back(*variable);
  }
  Factors factors;
  collectFactors(elements, elements.get(result, attention.gradient), factors);
  if (factors.over.size() != 1 || !factors.under.empty() ||
      !isSum(factors.over[0]))
    return nullptr;
  // Sums of sums, as over the heads of a group.
  Node *body = factors.over[0];
  while (isSum(body)) {
    llvm::append_range(finder.summed, body->variables);
    body = elements.strip(body->operands[0]);
  }
  auto sides = finder.getSides(body);
  if (!sides)
    return nullptr;
  auto [left, right] = *sides;
  Product product = finder.getProduct(left);
  Node *other = right;
  if (llvm::none_of(product.factors.over, isExponential)) {
    product = finder.getProduct(right);
    other = left;
  }
  if (llvm::none_of(product.factors.over, isExponential))
    return nullptr;
  product.factors.constant *= factors.constant;
  if (finder.matchValue(product, other))
    match->of = Gradients::Value;
  else if (!finder.matchScores(product, other, match->of))
    return nullptr;
  std::string reason;
  FailureOr<Layout> layout = findLayout(elements, attention, reason);
  if (failed(layout))
    return nullptr;
  match->layout = *layout;
  for (const Access &source : finder.weight->sources)
    match->weights.push_back(source.array);
  return match;
}
