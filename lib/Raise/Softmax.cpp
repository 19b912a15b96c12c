//===- Softmax.cpp - Weights that are divided by their sum ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

/// Takes apart a select between 0 and another operand: sets `other` to that
/// operand, and returns the condition under which the node equals it. That is
/// the condition of the select or, if the select is 0 where its condition is
/// true, a new node with the negation. Returns null for other nodes.
static Node *getCondition(Elements &elements, Node *node, Node *&other) {
  for (unsigned side : {2u, 1u})
    if (node->isApply("arith.select") &&
        elements.isZero(node->operands[side])) {
      other = node->operands[3 - side];
      Node *condition = elements.look(node->operands[0]);
      return side == 2 ? condition : negate(elements, condition);
    }
  return nullptr;
}

/// Whether `condition` is that `node` is no NaN, that is, that it equals
/// itself.
static bool isNumber(Elements &elements, Node *condition, Node *node) {
  bool isNegated = elements.takeNegations(condition);
  if (!condition->isApply("arith.cmpf"))
    return false;
  using F = arith::CmpFPredicate;
  auto predicate =
      F(cast<IntegerAttr>(condition->attributes.get("predicate")).getInt());
  bool isExpected = isNegated ? predicate == F::UNE || predicate == F::UNO
                              : predicate == F::OEQ || predicate == F::ORD;
  return isExpected && llvm::all_of(condition->operands, [&](Node *operand) {
           return elements.areEqual(operand, node);
         });
}

/// Whether `condition` is that `node` equals an infinity.
static bool isInfinity(Elements &elements, Node *condition, Node *node) {
  bool isNegated = elements.takeNegations(condition);
  if (!condition->isApply("arith.cmpf") || isNegated)
    return false;
  using F = arith::CmpFPredicate;
  auto predicate =
      F(cast<IntegerAttr>(condition->attributes.get("predicate")).getInt());
  std::optional<double> number =
      elements.getConstantFloat(condition->operands[1]);
  return predicate == F::OEQ && number && std::isinf(*number) &&
         elements.areEqual(condition->operands[0], node);
}

/// Returns `node` without selects of a number where a probability is infinite,
/// as numpy.nan_to_num has. It never is.
static Node *dropInfinities(Elements &elements, Node *node) {
  node = elements.look(node);
  while (
      node->isApply("arith.select") &&
      elements.getConstantFloat(node->operands[1]) &&
      isInfinity(elements, elements.look(node->operands[0]), node->operands[2]))
    node = elements.look(node->operands[2]);
  return node;
}

/// Adds to `masks` conditions without which `score` is -inf.
static void collectMasks(Elements &elements, Node *score,
                         SmallVectorImpl<Node *> &masks) {
  for (auto [term, factor] : collectTerms(elements, score).nodes) {
    if (!term->isApply("arith.select") || factor < 0)
      continue;
    for (unsigned side : {1u, 2u}) {
      std::optional<double> number =
          elements.getConstantFloat(term->operands[side]);
      if (!number || *number != -std::numeric_limits<double>::infinity())
        continue;
      Node *condition = elements.look(term->operands[0]);
      addConditions(elements,
                    side == 2 ? condition : negate(elements, condition), masks);
      collectMasks(elements, term->operands[3 - side], masks);
    }
  }
}

/// Adds to `to` those of `conditions` without which no exponential among
/// `factors` is 0 by itself.
static void addOthers(Elements &elements, ArrayRef<Node *> conditions,
                      const Factors &factors, SmallVectorImpl<Node *> &to) {
  SmallVector<Node *> masks;
  for (Node *factor : llvm::make_filter_range(factors.over, isExponential))
    collectMasks(elements, factor->operands[0], masks);
  llvm::copy_if(conditions, std::back_inserter(to), [&](Node *condition) {
    return llvm::none_of(
        masks, [&](Node *mask) { return elements.areEqual(mask, condition); });
  });
}

bool mlir::attn::raise::takeConditions(Elements &elements, Factors &factors,
                                       ArrayRef<unsigned> keys,
                                       SmallVectorImpl<Node *> &conditions,
                                       Node *&isEmpty, std::string &reason) {
  for (bool changes = true; changes;) {
    changes = false;
    for (Node *factor : llvm::to_vector(factors.over)) {
      Node *other = nullptr;
      Node *condition =
          getCondition(elements, dropInfinities(elements, factor), other);
      if (!condition)
        continue;
      Factors inner;
      collectFactors(elements, other, inner);
      bool ofKeys = dependsOnAny(elements, condition, keys);
      if (ofKeys ? !inner.over.empty() &&
                       llvm::count_if(inner.over, isExponential) == 0
                 : llvm::count_if(inner.over, isExponential) != 1)
        continue;
      // ONNX's exporters replace a NaN, which is what a softmax of nothing but
      // -inf gives, by 0. That is what attn.attention does in such a row.
      if (isNumber(elements, condition, other)) {
        // No condition.
      } else if (ofKeys) {
        SmallVector<Node *> all;
        addConditions(elements, condition, all);
        addOthers(elements, all, inner, conditions);
      } else if (factor != dropInfinities(elements, factor) ||
                 elements.isZero(factor->operands[2]) || isEmpty) {
        reason = "its probabilities are selected by a condition of rows";
        return false;
      } else {
        isEmpty = factor->operands[0];
      }
      // The same factor may be there twice, as in a square.
      factors.over.erase(llvm::find(factors.over, factor));
      llvm::append_range(factors.over, inner.over);
      llvm::append_range(factors.under, inner.under);
      factors.constant *= inner.constant;
      changes = true;
      break;
    }
  }
  return true;
}

std::optional<Weight> mlir::attn::raise::readWeight(Elements &elements,
                                                    Node *node,
                                                    ArrayRef<unsigned> keys) {
  Factors factors;
  collectFactors(elements, node, factors);
  Weight weight;
  Node *isEmpty = nullptr;
  std::string reason;
  if (!takeConditions(elements, factors, keys, weight.conditions, isEmpty,
                      reason) ||
      isEmpty || factors.over.size() != 1 || !factors.under.empty() ||
      factors.constant != 1 || !isExponential(factors.over.front()))
    return std::nullopt;
  weight.exponential = factors.over.front();
  return weight;
}

bool mlir::attn::raise::areSameConditions(
    Elements &elements, ArrayRef<Node *> lhs, ArrayRef<Node *> rhs,
    const llvm::DenseMap<unsigned, AffineExpr> &variables) {
  SmallVector<Node *> rest(lhs);
  for (Node *condition : rhs) {
    auto *same = llvm::find_if(rest, [&](Node *other) {
      return elements.areEqual(other, condition, variables);
    });
    if (same == rest.end())
      return false;
    rest.erase(same);
  }
  return rest.empty();
}

/// Whether `node` equals `weight` if each index variable of the node that is a
/// key of `variables` is replaced by its expression there.
static bool isWeight(Elements &elements, Node *node, const Weight &weight,
                     const llvm::DenseMap<unsigned, AffineExpr> &variables) {
  if (weight.conditions.empty() &&
      elements.areEqual(weight.exponential, node, variables))
    return true;
  // The keys of the map `variables` are the index variables of the sum over
  // keys.
  SmallVector<unsigned> keys;
  for (auto [variable, expr] : variables)
    keys.push_back(variable);
  std::optional<Weight> found = readWeight(elements, node, keys);
  if (!found || found->exponential->name != weight.exponential->name ||
      !areSameConditions(elements, weight.conditions, found->conditions,
                         variables))
    return false;
  return elements.areEqual(weight.exponential, found->exponential, variables) ||
         areEqual(elements,
                  collectTerms(elements, weight.exponential->operands[0]),
                  collectTerms(elements, found->exponential->operands[0]),
                  variables);
}

/// Whether `sum` is the sum of the weights over all keys. It may have one more
/// term, before the first key or after the last one, as for a sink that is a
/// column of scores. Sets `rest` to that term, or to null if there is none.
static bool isSumOfWeights(Elements &elements, Node *sum, const Weight &weight,
                           ArrayRef<unsigned> keys, Node *&rest) {
  rest = nullptr;
  // A sum that differs from key to key, as where only a part of the exponents
  // is of the summed key, is no divisor of a softmax.
  if (!isSum(sum) || dependsOnAny(elements, sum, keys))
    return false;
  Indexing &indexing = elements.getIndexing();
  for (auto &map : mapVariables(indexing, sum->variables, keys))
    if (isWeight(elements, sum->operands[0], weight, map))
      return true;
  for (auto &[summand, column] : splitSum(elements, sum, keys)) {
    AffineExpr key = getAffineDimExpr(keys.front(), indexing.getContext());
    if (!isWeight(elements, summand, weight, {{keys.front(), key}}))
      continue;
    rest = column;
    return true;
  }
  return false;
}

Divisor mlir::attn::raise::matchDivisor(Elements &elements, Node *divisor,
                                        const Weight &weight,
                                        ArrayRef<unsigned> keys) {
  Divisor result;
  auto match = [&](Node *sum) {
    Node *rest = nullptr;
    if (!isSumOfWeights(elements, elements.strip(sum), weight, keys, rest))
      return false;
    result.matches = true;
    result.other = rest ? elements.strip(rest) : nullptr;
    return true;
  };
  divisor = elements.strip(divisor);
  if (match(divisor) || !divisor->isApply("arith.addf"))
    return result;
  for (unsigned i : {0u, 1u}) {
    if (!match(divisor->operands[i]))
      continue;
    Node *other = elements.strip(divisor->operands[1 - i]);
    // The divisor of a softmax may have at most one term (a sink's) besides the
    // sum of the weights.
    if (result.other)
      return {};
    if (std::optional<double> number = elements.getConstantFloat(other))
      result.number = *number;
    else
      result.other = other;
    return result;
  }
  return result;
}

std::optional<Sink> mlir::attn::raise::findSink(Elements &elements,
                                                const Divisor &divisor,
                                                Node *weight, Node *score) {
  bool isBinary = weight->isApply("math.exp2");
  double unit = isBinary ? std::log(2.0) : 1;
  // `dropped` becomes the terms that were subtracted from all scores of the row
  // before the exponential, such as the row's maximum.
  std::optional<Terms> dropped =
      subtract(elements, collectTerms(elements, weight->operands[0]),
               collectTerms(elements, score));
  if (!dropped)
    return std::nullopt;
  Terms terms;
  if (divisor.other) {
    if (divisor.other->name != weight->name ||
        divisor.other->kind != NodeKind::Apply)
      return std::nullopt;
    terms = collectTerms(elements, divisor.other->operands[0]);
  } else if (divisor.number > 0) {
    terms.constant = std::log(divisor.number) / unit;
  } else {
    return std::nullopt;
  }
  std::optional<Terms> rest = subtract(elements, terms, *dropped);
  if (!rest || rest->nodes.size() > 1)
    return std::nullopt;
  if (rest->nodes.empty())
    return Sink{nullptr, rest->constant * unit};
  auto [node, factor] = rest->nodes.front();
  if (rest->constant != 0 || std::abs(factor * unit - 1) > 1e-6)
    return std::nullopt;
  return Sink{node, 0};
}

/// Returns the score `node` without terms that are subtracted from it and are
/// the same for all keys of a row, since these change no probability. Such
/// terms are also found within a product or quotient of the score and a
/// constant.
Node *mlir::attn::raise::dropRowTerms(Elements &elements, Node *node,
                                      ArrayRef<unsigned> keys) {
  node = elements.strip(node);
  if (node->isApply("arith.subf") &&
      !dependsOnAny(elements, node->operands[1], keys))
    return dropRowTerms(elements, node->operands[0], keys);
  if (node->isApply("arith.mulf") || node->isApply("arith.divf"))
    for (unsigned i : {0u, 1u}) {
      if (!elements.getConstantFloat(node->operands[i]) ||
          (i == 0 && node->isApply("arith.divf")))
        continue;
      Node *other = elements.strip(node->operands[1 - i]);
      Node *rest = dropRowTerms(elements, other, keys);
      if (rest == other)
        return node;
      SmallVector<Node *> operands(node->operands.begin(),
                                   node->operands.end());
      operands[1 - i] = rest;
      return elements.getApply(node->name, node->type, operands,
                               node->attributes);
    }
  return node;
}

Node *mlir::attn::raise::getNaturalScore(Elements &elements, Node *weight,
                                         Node *score) {
  if (!weight->isApply("math.exp2"))
    return score;
  Type f32 = elements.getBuilder().getF32Type();
  return elements.getApply("arith.mulf", score->type,
                           {score, elements.getFloat(f32, std::log(2.0))});
}

/// Whether `condition` holds exactly if all scores of a row are -inf, so that
/// the row attends to nothing. The condition compares either the row's maximum
/// or each score with -inf.
bool mlir::attn::raise::isEmptyRow(Elements &elements, Node *condition,
                                   Node *score, ArrayRef<unsigned> keys) {
  bool isNegated = elements.takeNegations(condition);
  auto isInfinite = [&](Node *node) {
    std::optional<double> value = elements.getConstantFloat(node);
    return value && *value == -std::numeric_limits<double>::infinity();
  };
  auto isScore = [&](Node *node, ArrayRef<unsigned> variables) {
    auto maps = mapVariables(elements.getIndexing(), variables, keys);
    return llvm::any_of(
        maps, [&](auto &map) { return elements.areEqual(score, node, map); });
  };
  // Returns the node that a comparison compares with -inf: the row's largest
  // score, or each score. Returns null for other nodes.
  auto compare = [&](Node *node) -> Node * {
    node = elements.look(node);
    if (!node->isApply("arith.cmpf"))
      return nullptr;
    for (unsigned i : {0u, 1u})
      if (isInfinite(node->operands[i]))
        return elements.strip(node->operands[1 - i]);
    return nullptr;
  };
  // Whether a comparison with -inf holds for -inf only or, with `isNot`, for
  // all other numbers.
  auto holdsIf = [](Node *comparison, bool isNot) {
    using F = arith::CmpFPredicate;
    auto predicate =
        cast<IntegerAttr>(comparison->attributes.get("predicate")).getInt();
    return llvm::is_contained(isNot ? ArrayRef<F>{F::ONE, F::UNE}
                                    : ArrayRef<F>{F::OEQ, F::UEQ},
                              F(predicate));
  };
  if (condition->kind == NodeKind::Reduce) {
    // The condition is "all scores are -inf", or the negation of "some score
    // differs from -inf".
    if (condition->name != (isNegated ? "arith.ori" : "arith.andi"))
      return false;
    Node *body = condition->operands[0];
    bool isNot = elements.takeNegations(body);
    Node *compared = compare(body);
    return compared && holdsIf(body, isNot != isNegated) &&
           isScore(compared, condition->variables);
  }
  Node *compared = compare(condition);
  return compared && compared->kind == NodeKind::Reduce &&
         compared->name.starts_with("arith.max") &&
         holdsIf(condition, isNegated) &&
         isScore(compared->operands[0], compared->variables);
}

/// Whether the node contains an exponential that is divided by a sum of
/// exponentials.
bool mlir::attn::raise::hasSoftmax(Elements &elements, Node *node) {
  SmallVector<Node *> rest = {node};
  llvm::SmallPtrSet<Node *, 32> seen;
  while (!rest.empty()) {
    Node *next = elements.look(rest.pop_back_val());
    if (!seen.insert(next).second || next->kind != NodeKind::Apply)
      continue;
    llvm::append_range(rest, next->operands);
    if (!next->isApply("arith.divf"))
      continue;
    Node *over = elements.strip(next->operands[0]),
         *under = elements.strip(next->operands[1]);
    if (isExponential(over) && isSum(under) &&
        isExponential(elements.strip(under->operands[0])))
      return true;
  }
  return false;
}
