//===- Gradient.cpp - Gradients of attention among elements ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"
#include "Softmax.h"
#include "Valuation.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

namespace {
using Variables = SmallVector<unsigned>;

/// A product that is summed, as factors. Where one of `conditions` is false,
/// the product is 0.
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
  double unit = 1;
  /// The captured array whose gradient is to be found; null for other
  /// gradients.
  Value captured = {};
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

  /// Returns the two operands of a multiplication, without extensions to wider
  /// floats around them. Returns nothing for other nodes.
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

  /// Returns the factors of a node. A factor select(condition, x, 0) is
  /// replaced by the factors of x, and `condition` is added to `conditions`.
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

  /// Whether `under`, by which the exponential is divided, is the sum of the
  /// exponentials of all keys, perhaps with a sink's. Sets `weight` and `sum`,
  /// and the keys, the score and the sink of `attention`.
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

  /// Finds query, key, scale and masks in the score, and sets them in
  /// `attention`. Returns the score's product of query and key, and the score
  /// with its masks, or two nulls if there is no such product.
  std::pair<Node *, Node *> takeScore() {
    Node *score = getNaturalScore(elements, weight, attention.score);
    attention.score = score;
    Node *dot = findProduct(elements, attention);
    attention.product = dot;
    if (!dot)
      return {};
    unit = attention.scale;
    takeScale(elements, attention, keepsRounding);
    takeMasks(elements, attention, keepsRounding);
    return {dot, score};
  }

  /// Whether each of `selected`, the conditions under which a gradient is not
  /// 0, equals one of the score's masks.
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
    if (!takeScore().first || !areMasks(product.conditions))
      return false;
    addOutputs({});
    return true;
  }

  /// Sets the output dimensions of `attention`: first the index variables of
  /// the result and the sums that are neither keys nor head dims (batches,
  /// heads and rows), and then `valueDims`, the head dims of the value.
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
        for (Node *ofOutput : sums) {
          attention = softmax;
          outputs = startOutputs;
          if (ofOutput != under &&
              matchOutput(gradient, ofOutput, other, constant, of))
            return true;
        }
      }
    attention = start;
    outputs = startOutputs;
    return false;
  }

  /// Whether `ofOutput` is dP, the product of the output's gradient and the
  /// value, and `scores` the gradient of scores that follows from dP. Sets
  /// `value` and `outputGradient` of `attention`, and `of` as matchScores()
  /// does.
  bool matchOutput(Node *scores, Node *ofOutput, Node *other, double constant,
                   Gradients &of) {
    auto sides = getSides(elements.strip(ofOutput->operands[0]));
    if (!sides)
      return false;
    auto [value, gradient] = *sides;
    if (!dependsOnAny(elements, value, attention.keys))
      std::swap(value, gradient);
    attention.value = value;
    attention.outputGradient = gradient;
    if (!dependsOnAll(elements, attention.value, attention.keys) ||
        dependsOnAny(elements, attention.outputGradient, attention.keys))
      return false;
    auto [dot, score] = takeScore();
    if (!dot || elements.areEqual(dot, ofOutput,
                                  llvm::DenseMap<unsigned, AffineExpr>()))
      return false;
    ScoreGradient parts = {
        weight, sum, ofOutput, score, dot, attention.keys, attention.masks};
    if (captured)
      return matchCapture(parts, scores, constant);
    // `dot` is `unit` * (query * key), so the gradient of query (or key) is
    // `unit` times the sum of the gradient of `dot` times key (or query).
    // `constant` is a factor of that sum which `scores` does not have.
    if (!isScoreGradient(elements, parts, scores, unit / constant))
      return false;
    bool sumsKeys = llvm::all_of(attention.keys, [&](unsigned key) {
      return llvm::is_contained(summed, key);
    });
    bool sumsNoKeys = llvm::none_of(attention.keys, [&](unsigned key) {
      return llvm::is_contained(summed, key);
    });
    // A gradient of the query is a sum over all index variables of keys and no
    // others, and one of the key is a sum over none of these.
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
        // In the result's indices, head dims become those of the product.
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

  /// Whether the sum is the gradient of the captured array, with the indices at
  /// which the score reads the array, and is over all other indices.
  bool matchCapture(ScoreGradient parts, Node *scores, double constant) {
    SmallVector<Node *> reads = findReads(elements, parts.score, captured);
    if (reads.size() != 1 || reads.front()->kind == NodeKind::Gather)
      return false;
    ArrayRef<AffineExpr> indices = getCaptured(reads.front())->indices;
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
    parts.variable = reads.front();
    if (!isScoreGradient(elements, parts, scores, 1 / constant))
      return false;
    // Outputs are ordered as the dimensions of the output's gradient.
    Variables order;
    for (AffineExpr index :
         attention.outputGradient->sources.empty()
             ? ArrayRef<AffineExpr>()
             : ArrayRef<AffineExpr>(
                   attention.outputGradient->sources.front().indices))
      for (unsigned variable = 0; variable < getIndexing().getNumVariables();
           ++variable)
        if (getIndexing().dependsOn(index, variable))
          order.push_back(variable);
    llvm::append_range(outputs, summed);
    summed.clear();
    llvm::sort(outputs, [&](unsigned lhs, unsigned rhs) {
      return std::pair(llvm::find(order, lhs), lhs) <
             std::pair(llvm::find(order, rhs), rhs);
    });
    addOutputs(parts.ofOutput->variables);
    return true;
  }
};
} // namespace

/// Begins a match: returns a match without findings for `result`, and the
/// element of `result` at new index variables, one for each dimension.
static std::pair<std::unique_ptr<GradientMatch>, Node *> begin(Value result) {
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

static Variables getVariables(ArrayRef<AffineExpr> indices) {
  Variables variables;
  for (AffineExpr index : indices)
    if (auto variable = getVariable(index))
      variables.push_back(*variable);
  return variables;
}

/// Returns the summand of a sum or of nested sums (such as one over the heads
/// of a group), or the node itself if it is no sum. Appends the index variables
/// of the sums to `summed`.
static Node *takeSums(Elements &elements, Node *node, Variables &summed) {
  while (isSum(node)) {
    llvm::append_range(summed, node->variables);
    node = elements.strip(node->operands[0]);
  }
  return node;
}

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

/// Completes a match: finds the layout of its arrays, and sets `weights`, the
/// arrays by which gradients of the same attention are recognised. Returns
/// false if there is no layout.
static bool finish(GradientMatch &match, Node *weight) {
  std::string reason;
  FailureOr<Layout> layout =
      findLayout(*match.elements, *match.attention, reason);
  if (failed(layout))
    return false;
  match.layout = *layout;
  for (const Access &source : weight->sources)
    match.weights.push_back(source.array);
  return true;
}

std::unique_ptr<GradientMatch>
mlir::attn::raise::matchGradient(Value result, bool keepsRounding) {
  auto [match, root] = begin(result);
  Elements &elements = *match->elements;
  Attention &attention = *match->attention;
  GradientFinder finder{elements, attention, keepsRounding,
                        getVariables(attention.gradient)};
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
    if (isValue ||
        finder.matchScores(weights, other, factors.constant, match->of))
      return finish(*match, finder.weight) && hasDimsOfGradient(*match)
                 ? std::move(match)
                 : nullptr;
  }
  return nullptr;
}

std::unique_ptr<GradientMatch>
mlir::attn::raise::matchCaptureGradient(Value result, Value captured,
                                        bool keepsRounding) {
  auto [match, root] = begin(result);
  Elements &elements = *match->elements;
  GradientFinder finder{elements, *match->attention, keepsRounding,
                        getVariables(match->attention->gradient)};
  finder.captured = captured;
  Node *body = takeSums(elements, elements.strip(root), finder.summed);
  while (!finder.matchScores(body, /*other=*/nullptr, 1, match->of)) {
    // A product y * (sum of x) is matched as the sum of x * y.
    body = pullSum(elements, body, finder.summed);
    if (!body)
      return nullptr;
    body = takeSums(elements, body, finder.summed);
  }
  if (!finish(*match, finder.weight))
    return nullptr;
  match->of = Gradients{};
  match->captured = captured;
  return std::move(match);
}
