//===- RowSums.cpp - Gradients of scores at random points -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Valuation.h"

#include <cmath>
#include <limits>
#include <optional>

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// The sums over a row's keys in an expression that may be a gradient of
/// scores, also those over value dims of the output times its gradient. Each
/// should be a multiple of a sum of exponentials times dP, divided by the row's
/// sum of exponentials to the power 0, 1 or 2, or of the sum of the gradient of
/// the exponents, which is that of the lse, less that of the sink's exponent if
/// the sum has no term for it. bind() finds out which by the values of the
/// terms at random points, and binds the sum to its value. Other sums get any
/// value, as elements of memory do.
struct RowSums {
  Elements &elements;
  Valuation &valuation;
  const ScoreGradient &parts;
  /// A sum over keys. `bodies` has an element for each way to map the sum's
  /// index variables to the keys: the term for the key of the evaluated pair
  /// and, if the sum has one more term, that one, which is the sink's, or else
  /// null. `power` is the power of the divisor, or kOfExponents for a sum of
  /// the gradient of the exponents, once it is known.
  struct Entry {
    Node *sum;
    SmallVector<SplitSum, 1> bodies;
    std::optional<int> power = std::nullopt;
  };
  static constexpr int kOfExponents = -1;
  SmallVector<Entry> entries = {};

  bool isPart(Node *node) {
    SmallVector<Node *> all = {parts.sum, parts.ofOutput, parts.variable};
    for (Node *part : {parts.ofLse, parts.divided})
      if (part)
        all.push_back(part);
    for (auto [weight, sum] : parts.others)
      all.push_back(sum);
    return llvm::any_of(
        all, [&](Node *part) { return elements.areEqual(part, node); });
  }

  /// Adds to `entries` the sums over keys that the expression `node` contains,
  /// except those parts of the gradient to which values are bound directly.
  void collect(Node *node, llvm::SmallPtrSet<Node *, 32> &seen) {
    node = elements.strip(node);
    if (!seen.insert(node).second || node == parts.ofLse)
      return;
    // The divisor of a softmax with a sink is no sum itself.
    if (node->kind == NodeKind::Apply && node->name == parts.sum->name &&
        isPart(node))
      return;
    if (node->kind == NodeKind::Apply) {
      for (Node *operand : node->operands)
        collect(operand, seen);
      return;
    }
    if (!isSum(node) || dependsOnAny(elements, node, parts.keys) ||
        isPart(node))
      return;
    Entry entry{node, {}};
    Indexing &indexing = elements.getIndexing();
    for (auto &map : mapVariables(indexing, node->variables, parts.keys))
      entry.bodies.push_back(
          {elements.substitute(node->operands[0], map), nullptr});
    llvm::append_range(entry.bodies, splitSum(elements, node, parts.keys));
    for (Node *term : exchangeSums(node))
      entry.bodies.push_back({term, nullptr});
    if (entry.bodies.empty())
      return;
    // Sums that a term contains get their values first.
    for (const SplitSum &body : entry.bodies)
      collect(body.summand, seen);
    entries.push_back(entry);
  }

  /// Returns the terms of a sum over keys that equals `node`, if that is a sum
  /// over value dims of the output's gradient times the output, which itself is
  /// a sum over keys of P times the value: the sum over keys of P dP, with the
  /// sums in the other order. There is a term for each way to map the index
  /// variables of the output's sum to the keys.
  SmallVector<Node *> exchangeSums(Node *node) {
    SmallVector<Node *> terms;
    Type type = node->type;
    auto multiply = [&](Node *lhs, Node *rhs) {
      return lhs ? elements.getApply("arith.mulf", type,
                                     {lhs, elements.getCast(rhs, type)})
                 : elements.getCast(rhs, type);
    };
    Factors outer;
    collectFactors(elements, node->operands[0], outer, /*isUnder=*/false,
                   /*isOperand=*/true);
    for (auto [number, factor] : llvm::enumerate(outer.over)) {
      Node *output = elements.strip(factor);
      if (!isSum(output))
        continue;
      for (auto &map : mapVariables(elements.getIndexing(), output->variables,
                                    parts.keys)) {
        Factors all = outer;
        all.over.erase(all.over.begin() + number);
        collectFactors(elements, elements.substitute(output->operands[0], map),
                       all, /*isUnder=*/false, /*isOperand=*/true);
        Node *ofDims = nullptr, *term = elements.getFloat(type, all.constant);
        for (Node *over : all.over)
          if (dependsOnAny(elements, over, node->variables))
            ofDims = multiply(ofDims, over);
          else
            term = multiply(term, over);
        for (Node *under : all.under)
          term = elements.getApply("arith.divf", type,
                                   {term, elements.getCast(under, type)});
        if (ofDims && !dependsOnAny(elements, term, node->variables) &&
            elements.areEqual(
                elements.getReduce("arith.addf", type, node->variables, ofDims),
                parts.ofOutput))
          terms.push_back(multiply(term, parts.ofOutput));
      }
    }
    return terms;
  }

  /// The values of the parts at a point: an exponential, the row's sum of
  /// exponentials, dP, the row's sum of P dP, the gradient of the lse, and the
  /// sink's exponential, which is 0 if there is no sink.
  struct Point {
    double weight, sum, dP, total, lse, sink;

    /// The gradient of the sink's exponent.
    double getOfSink() const { return sink / sum * (lse - total); }
    /// The value of a term of a sum with this power.
    double getTerm(int power) const {
      return power == kOfExponents ? weight / sum * (dP - total + lse)
                                   : weight * dP / std::pow(sum, power);
    }
    /// The value of the sink's term of that sum.
    double getColumn(int power) const {
      return power == kOfExponents ? getOfSink() : 0;
    }
    /// The value of that sum, which has a term of the sink with `hasColumn`.
    double getSum(int power, bool hasColumn) const {
      return power == kOfExponents ? lse - (hasColumn ? 0 : getOfSink())
                                   : total * std::pow(sum, 1 - power);
    }
  };

  /// Binds a value to each sum over keys. Finds its power by the value of its
  /// term for the present pair. A masked pair must have weight 0 and the term
  /// 0. Returns false if another power fitted at an earlier point.
  bool bind(const Point &point) {
    for (Entry &entry : entries) {
      std::optional<int> power;
      double factor = 1;
      bool hasColumn = false;
      auto isClose = [&](Slope value, double expected) {
        return std::abs(value.value - factor * expected) <=
               1e-6 * std::abs(factor * expected);
      };
      for (const SplitSum &body : entry.bodies) {
        std::optional<Slope> value = valuation.get(body.summand);
        std::optional<Slope> column = Slope{};
        hasColumn = body.column;
        if (hasColumn)
          column = valuation.get(body.column);
        if (!value || !column)
          continue;
        Factors factors;
        collectFactors(elements, body.summand, factors);
        factor = factors.constant;
        if (point.weight == 0 && value->value == 0)
          power = entry.power.value_or(1);
        for (int candidate : {kOfExponents, 0, 1, 2}) {
          // The sum of the probabilities is known if the sink's is.
          if (candidate == kOfExponents && parts.hasSink && !parts.ofSink)
            continue;
          if (point.weight != 0 && isClose(*value, point.getTerm(candidate)) &&
              (!hasColumn || isClose(*column, point.getColumn(candidate))))
            power = candidate;
        }
        if (power)
          break;
      }
      if (!power && !entry.power)
        continue;
      if (!power || (point.weight != 0 && entry.power && entry.power != power))
        return false;
      if (point.weight != 0)
        entry.power = power;
      valuation.bind(entry.sum, {factor * point.getSum(*power, hasColumn), 0});
    }
    return true;
  }
};
} // namespace

/// Whether the node has the value of a gradient at random points: of a sink
/// with `isOfSink` (see isSinkGradient()), else of scores (see
/// isScoreGradient()).
static bool isGradient(Elements &elements, const ScoreGradient &parts,
                       bool isOfSink, Node *node, double factor) {
  Valuation valuation(elements);
  RowSums sums{elements, valuation, parts};
  llvm::SmallPtrSet<Node *, 32> seen;
  sums.collect(node, seen);
  if (sums.entries.empty())
    return false;
  std::mt19937 random(2);
  auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  bool hasKept = false;
  for (; !valuation.hasEnough(); valuation.next()) {
    double weight = draw(0.2, 1), sum = draw(1.5, 3), dP = draw(0.5, 1.5),
           total = draw(-1.5, -0.5);
    valuation.bind(parts.variable, {draw(-1.5, 1.5), 1});
    // The score is evaluated before values are bound to other parts, since its
    // derivative may contain the score itself. The score's exponential is then
    // bound to a random weight, instead of the exponential of that score.
    std::optional<Slope> score = valuation.get(parts.score);
    if (!score)
      return false;
    bool isKept = score->value != -std::numeric_limits<double>::infinity();
    for (Node *mask : parts.masks) {
      std::optional<bool> holds = valuation.getCondition(mask);
      if (!holds)
        return false;
      isKept &= *holds;
    }
    hasKept |= isKept;
    weight = isKept ? weight : 0;
    valuation.bind(parts.weight, {weight, 0});
    valuation.bindFromZero(parts.sum, sum);
    valuation.bind(parts.ofOutput, {dP, 0});
    if (parts.divided)
      valuation.bind(parts.divided, {dP / sum, 0});
    for (auto [other, itsSum] : parts.others) {
      double ofRow = draw(0.5, 2);
      valuation.bind(other, {ofRow * weight, 0});
      valuation.bindFromZero(itsSum, ofRow * sum);
    }
    double lse = 0;
    if (parts.ofLse) {
      lse = draw(0.5, 1.5);
      valuation.bind(parts.ofLse, {lse, 0});
    }
    double sink = parts.ofSink ? draw(0.2, 1) : 0;
    if (parts.ofSink)
      valuation.bind(parts.ofSink, {sink, 0});
    RowSums::Point point{weight, sum, dP, total, lse, sink};
    if (!sums.bind(point))
      return false;
    std::optional<Slope> value = valuation.get(node);
    double scale = factor * (isOfSink ? point.getOfSink()
                                      : point.getTerm(RowSums::kOfExponents));
    double expected = isOfSink ? scale : isKept ? scale * score->slope : 0;
    if (!value || std::abs(value->value - expected) > 2e-6 * std::abs(scale))
      return false;
  }
  return hasKept;
}

bool mlir::attn::raise::isScoreGradient(Elements &elements,
                                        const ScoreGradient &parts, Node *node,
                                        double factor) {
  return isGradient(elements, parts, /*isOfSink=*/false, node, factor);
}

bool mlir::attn::raise::isSinkGradient(Elements &elements,
                                       const ScoreGradient &parts, Node *node) {
  return isGradient(elements, parts, /*isOfSink=*/true, node, 1);
}
