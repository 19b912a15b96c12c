//===- Lse.cpp - Logarithms of sums of exponentials -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lse.h"
#include "Softmax.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the natural logarithm of an exponential's base: 1 for exp, and ln 2
/// for exp2.
static double getUnit(Node *exponential) {
  return exponential->isApply("math.exp2") ? std::log(2.0) : 1;
}

static Terms multiply(Terms terms, double factor) {
  for (auto &[node, its] : terms.nodes)
    its *= factor;
  terms.constant *= factor;
  return terms;
}

namespace {
/// Compares values with the lse of one attention, whose index variables have
/// been replaced by their digits.
struct LseFinder {
  Elements &elements;
  const Attention &attention;
  const Layout &layout;
  SmallVector<unsigned> keys;
  SmallVector<unsigned> rows;
  /// The attention's score without terms of its rows, in natural units.
  Terms score;
  SmallVector<Node *> conditions;
  std::optional<Sink> sink;

  /// Prepares the comparison. Returns false if the attention has no softmax or
  /// no rows to which the elements of another value can be compared.
  bool begin() {
    if (!attention.weight)
      return false;
    Indexing &indexing = elements.getIndexing();
    llvm::DenseMap<unsigned, AffineExpr> digits;
    for (unsigned i = 0, e = indexing.getNumVariables(); i < e; ++i) {
      AffineExpr variable = getAffineDimExpr(i, indexing.getContext());
      AffineExpr its = indexing.getDigits(variable);
      if (its != variable)
        digits[i] = its;
    }
    auto replace = [&](Node *node) {
      return digits.empty() ? node : elements.substitute(node, digits);
    };
    Node *weight = attention.weight;
    Node *natural = dropRowTerms(elements, weight->operands[0], attention.keys);
    score = multiply(collectTerms(elements, replace(natural)), getUnit(weight));
    for (Node *condition : attention.conditions)
      conditions.push_back(replace(condition));
    sink = attention.sink;
    if (sink && sink->node)
      sink->node = replace(sink->node);
    keys.assign(layout.keys.begin(), layout.keys.end());
    for (const Digits *all :
         {&layout.batch, &layout.kvHeads, &layout.group, &layout.rows})
      rows.append(all->begin(), all->end());
    return true;
  }

  /// Whether the sink of a sum is the attention's.
  bool isSink(const std::optional<Sink> &other) {
    if (!sink || !other)
      return !sink && !other;
    if (!sink->node || !other->node)
      return !sink->node && !other->node && sink->number == other->number;
    return elements.areEqual(sink->node, other->node);
  }

  /// Returns the summand of `divisor` at the attention's keys, once for each
  /// way in which the sum's index variables may be the keys. The divisor is a
  /// sum or, with a sink, a sum plus another term, or a sum over one element
  /// more than there are keys.
  SmallVector<Node *> getSummands(Node *divisor) {
    Indexing &indexing = elements.getIndexing();
    SmallVector<Node *> sums = {divisor}, summands;
    if (divisor->isApply("arith.addf"))
      sums = {elements.strip(divisor->operands[0]),
              elements.strip(divisor->operands[1])};
    for (Node *sum : sums) {
      if (!isSum(sum))
        continue;
      for (auto &map : mapVariables(indexing, sum->variables, keys))
        summands.push_back(elements.substitute(sum->operands[0], map));
      for (auto &[summand, column] : splitSum(elements, sum, keys))
        summands.push_back(summand);
    }
    return summands;
  }

  /// If `divisor` is the sum, over all keys, of the exponentials of the
  /// attention's score plus terms that are the same for all keys, returns these
  /// terms in natural units. The sum includes the attention's sink if it has
  /// one.
  std::optional<Terms> findRowTerms(Node *divisor) {
    divisor = elements.strip(divisor);
    if (divisor->isApply("math.absf"))
      divisor = elements.strip(divisor->operands[0]);
    for (Node *summand : getSummands(divisor)) {
      std::optional<Weight> weight = readWeight(elements, summand, keys);
      if (!weight ||
          !areSameConditions(elements, conditions, weight->conditions))
        continue;
      Terms exponent =
          multiply(collectTerms(elements, weight->exponential->operands[0]),
                   getUnit(weight->exponential));
      std::optional<Terms> ofRow = subtract(elements, exponent, score);
      if (!ofRow || llvm::any_of(ofRow->nodes, [&](auto &term) {
            return dependsOnAny(elements, term.first, keys);
          }))
        continue;
      Divisor found = matchDivisor(elements, divisor, *weight, keys);
      if (!found.matches)
        continue;
      std::optional<Sink> other;
      if (found.other || found.number != 0) {
        other = findSink(
            elements, found, weight->exponential,
            dropRowTerms(elements, weight->exponential->operands[0], keys));
        if (!other)
          continue;
      }
      if (isSink(other))
        return ofRow;
    }
    return std::nullopt;
  }

  /// Returns the factor by which `terms` is a multiple of the lse, if it is
  /// one.
  std::optional<double> findFactor(const Terms &terms) {
    for (size_t i = 0; i < terms.nodes.size(); ++i) {
      Node *node = terms.nodes[i].first;
      double factor = terms.nodes[i].second;
      bool isBinary = node->isApply("math.log2");
      if (!isBinary && !node->isApply("math.log"))
        continue;
      std::optional<Terms> ofRow = findRowTerms(node->operands[0]);
      if (!ofRow)
        continue;
      // The value is `multiple` * ln(sum of exp(score + ofRow)) + rest, which
      // is a multiple of the lse if the rest takes the row's terms away again.
      Terms rest = terms;
      rest.nodes.erase(rest.nodes.begin() + i);
      // A logarithm that is added to itself is several terms.
      llvm::erase_if(rest.nodes, [&](auto &other) {
        bool isSame = elements.areEqual(node, other.first);
        factor += isSame ? other.second : 0;
        return isSame;
      });
      double multiple = isBinary ? factor / std::log(2.0) : factor;
      if (::mlir::attn::raise::areEqual(elements, rest,
                                        multiply(*ofRow, -multiple)))
        return multiple;
    }
    return std::nullopt;
  }

  std::optional<LseMatch> match(Value value) {
    Indexing &indexing = elements.getIndexing();
    SmallVector<AffineExpr> indices;
    SmallVector<unsigned> variables;
    for (int64_t dim = 0, e = getShape(value).size(); dim < e; ++dim) {
      indices.push_back(elements.addVariable(value, dim));
      if (auto variable = getVariable(indices.back()))
        variables.push_back(*variable);
    }
    Node *root = elements.get(value, indices);
    if (llvm::none_of(collectTerms(elements, root).nodes, [](auto &term) {
          return term.first->isApply("math.log") ||
                 term.first->isApply("math.log2");
        }))
      return std::nullopt;
    for (auto &map : mapVariables(indexing, variables, rows)) {
      std::optional<double> factor =
          findFactor(collectTerms(elements, elements.substitute(root, map)));
      if (!factor || *factor == 0)
        continue;
      LseMatch found{value, *factor, {}};
      for (auto [dim, index] : llvm::enumerate(indices)) {
        AffineExpr own = indexing.replace(index, map);
        std::optional<Digits> digits = findDigits(elements, own, value, dim);
        if (!digits)
          break;
        found.dims.push_back(*digits);
      }
      if (found.dims.size() == indices.size())
        return found;
    }
    return std::nullopt;
  }
};
} // namespace

bool mlir::attn::raise::isAfter(OpOperand &use, Operation *op) {
  Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
  return user && op->isBeforeInBlock(user);
}

SmallVector<LseMatch> mlir::attn::raise::findLse(Elements &elements,
                                                 const Attention &attention,
                                                 const Layout &layout,
                                                 Operation *op) {
  SmallVector<LseMatch> found;
  LseFinder finder{elements, attention, layout, {}, {}, {}, {}, {}};
  if (!finder.begin())
    return found;
  auto getCount = [&](ArrayRef<int64_t> sizes) {
    return ShapedType::isStaticShape(sizes) ? ShapedType::getNumElements(sizes)
                                            : ShapedType::kDynamic;
  };
  SmallVector<int64_t> sizes;
  for (unsigned digit : finder.rows)
    sizes.push_back(elements.getIndexing().getSize(digit));
  for (Operation &other : *op->getBlock())
    for (Value value : other.getResults()) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type || !isa<FloatType>(type.getElementType()) ||
          getCount(type.getShape()) != getCount(sizes) ||
          llvm::none_of(value.getUses(),
                        [&](OpOperand &use) { return isAfter(use, op); }))
        continue;
      if (std::optional<LseMatch> match = finder.match(value))
        found.push_back(*match);
    }
  return found;
}
