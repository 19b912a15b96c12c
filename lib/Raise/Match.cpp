//===- Match.cpp - Attention among elements -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// A product of powers of 1 and -1, without conversions between floats.
struct Factors {
  SmallVector<Node *> over, under;
  double constant = 1;
};
} // namespace

static bool isExponential(Node *node) {
  return node->isApply("math.exp") || node->isApply("math.exp2");
}

/// Collects the factors of a quotient, over and under its bar. An operand of a
/// product that is rounded to a narrower type is one factor, unless an
/// exponential or a select is within it.
static void collectFactors(Elements &elements, Node *node, Factors &factors,
                           bool isUnder = false, bool isOperand = false) {
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
  if (std::optional<double> value = elements.getConstantFloat(node)) {
    factors.constant *= isUnder ? 1 / *value : *value;
  } else if (node->isApply("arith.mulf")) {
    for (Node *operand : node->operands)
      collectFactors(elements, operand, factors, isUnder, isOperand);
  } else if (node->isApply("arith.divf")) {
    collectFactors(elements, node->operands[0], factors, isUnder, isOperand);
    collectFactors(elements, node->operands[1], factors, !isUnder);
  } else if (node->isApply("arith.negf")) {
    factors.constant = -factors.constant;
    collectFactors(elements, node->operands[0], factors, isUnder, isOperand);
  } else {
    (isUnder ? factors.under : factors.over).push_back(node);
  }
}

static bool dependsOnAny(Elements &elements, Node *node,
                         ArrayRef<unsigned> variables) {
  return llvm::any_of(variables, [&](unsigned variable) {
    return elements.dependsOn(node, variable);
  });
}

static bool dependsOnAll(Elements &elements, Node *node,
                         ArrayRef<unsigned> variables) {
  return llvm::all_of(variables, [&](unsigned variable) {
    return elements.dependsOn(node, variable);
  });
}

static bool isSum(Node *node) {
  return node->kind == NodeKind::Reduce && node->name == "arith.addf";
}

/// The variables of a sum by those of another sum of the same sizes in the same
/// order.
static std::optional<llvm::DenseMap<unsigned, AffineExpr>>
mapVariables(const Indexing &indexing, ArrayRef<unsigned> from,
             ArrayRef<unsigned> to) {
  llvm::DenseMap<unsigned, AffineExpr> map;
  auto getExpr = [&](unsigned variable) {
    return getAffineDimExpr(variable, indexing.getContext());
  };
  auto getSizes = [&](ArrayRef<unsigned> variables) {
    SmallVector<int64_t> sizes;
    for (unsigned variable : variables)
      sizes.push_back(indexing.getSize(variable));
    return sizes;
  };
  SmallVector<int64_t> fromSizes = getSizes(from), toSizes = getSizes(to);
  if (fromSizes == toSizes) {
    for (auto [variable, other] : llvm::zip(from, to))
      map[variable] = getExpr(other);
    return map;
  }
  if (!ShapedType::isStaticShape(fromSizes) ||
      !ShapedType::isStaticShape(toSizes) ||
      ShapedType::getNumElements(fromSizes) !=
          ShapedType::getNumElements(toSizes))
    return std::nullopt;
  AffineExpr place = indexing.getConstant(0);
  for (auto [variable, size] : llvm::zip(to, toSizes))
    place = indexing.simplify(place * size + getExpr(variable));
  for (auto [variable, size] :
       llvm::reverse(llvm::to_vector(llvm::zip(from, fromSizes)))) {
    map[variable] = indexing.mod(place, size);
    place = indexing.floorDiv(place, size);
  }
  return map;
}

/// The score without what is subtracted of a whole row, which changes no
/// probability.
static Node *dropRowTerms(Elements &elements, Node *node,
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

/// Whether a row's score is that of nothing to attend to: all of it is -inf.
static bool isEmptyRow(Elements &elements, Node *condition, Node *score,
                       ArrayRef<unsigned> keys) {
  condition = elements.look(condition);
  if (condition->isApply("arith.xori")) {
    // Not any that is not -inf.
    Node *inner = elements.look(condition->operands[0]);
    if (inner->kind != NodeKind::Reduce || inner->name != "arith.ori")
      return false;
    condition = inner;
  }
  auto isInfinite = [&](Node *node) {
    std::optional<double> value = elements.getConstantFloat(node);
    return value && *value == -std::numeric_limits<double>::infinity();
  };
  auto isScore = [&](Node *node, ArrayRef<unsigned> variables) {
    auto map = mapVariables(elements.getIndexing(), variables, keys);
    return map && elements.areEqual(score, node, *map);
  };
  // The largest score is -inf, or each one is.
  auto compare = [&](Node *node) -> Node * {
    node = elements.look(node);
    if (!node->isApply("arith.cmpf"))
      return nullptr;
    for (unsigned i : {0u, 1u})
      if (isInfinite(node->operands[i]))
        return elements.strip(node->operands[1 - i]);
    return nullptr;
  };
  auto predicateOf = [](Node *node) {
    return cast<IntegerAttr>(node->attributes.get("predicate")).getInt();
  };
  constexpr int64_t kOEQ = 1, kUEQ = 8, kONE = 6, kUNE = 13;
  if (condition->kind == NodeKind::Reduce) {
    Node *body = elements.look(condition->operands[0]);
    bool isNot = body->isApply("arith.xori");
    if (isNot)
      body = elements.look(body->operands[0]);
    Node *compared = compare(body);
    if (!compared)
      return false;
    int64_t predicate = predicateOf(body);
    bool isEqual = predicate == kOEQ || predicate == kUEQ;
    bool isUnequal = predicate == kONE || predicate == kUNE;
    bool areAll = condition->name == "arith.andi";
    return (areAll ? isEqual && !isNot
                   : (isEqual && isNot) || (isUnequal && !isNot)) &&
           isScore(compared, condition->variables);
  }
  Node *compared = compare(condition);
  if (!compared || compared->kind != NodeKind::Reduce ||
      !compared->name.starts_with("arith.max"))
    return false;
  int64_t predicate = predicateOf(condition);
  return (predicate == kOEQ || predicate == kUEQ) &&
         isScore(compared->operands[0], compared->variables);
}

/// The product of queries and keys in the score: the sum nearest to it that has
/// a factor of keys, and one of none.
static Node *findProduct(Elements &elements, Attention &attention) {
  SmallVector<Node *> level = {attention.score};
  llvm::SmallPtrSet<Node *, 32> seen;
  for (unsigned i = 0; i < level.size(); ++i) {
    Node *node = elements.look(level[i]);
    if (!seen.insert(node).second)
      continue;
    if (node->kind == NodeKind::Apply)
      llvm::append_range(level, node->operands);
    if (!isSum(node))
      continue;
    Factors factors;
    collectFactors(elements, node->operands[0], factors, /*isUnder=*/false,
                   /*isOperand=*/true);
    if (factors.over.size() != 2 || !factors.under.empty())
      continue;
    Node *query = factors.over[0], *key = factors.over[1];
    if (dependsOnAny(elements, query, attention.keys))
      std::swap(query, key);
    if (dependsOnAny(elements, query, attention.keys) ||
        !dependsOnAll(elements, key, attention.keys) ||
        !dependsOnAll(elements, query, node->variables) ||
        !dependsOnAll(elements, key, node->variables))
      continue;
    attention.query = query;
    attention.key = key;
    attention.headDims.assign(node->variables.begin(), node->variables.end());
    attention.scale = factors.constant;
    return node;
  }
  return nullptr;
}

/// Takes constant factors of the product that all of the score has.
static void takeScale(Elements &elements, Attention &attention,
                      bool keepsRounding) {
  for (;;) {
    // Who reads the product?
    SmallVector<Node *> rest = {elements.look(attention.score)}, readers;
    llvm::SmallPtrSet<Node *, 32> seen;
    while (!rest.empty()) {
      Node *node = rest.pop_back_val();
      if (!seen.insert(node).second || node->kind != NodeKind::Apply ||
          node == attention.product)
        continue;
      for (Node *&operand : node->operands) {
        operand = elements.look(operand);
        if (operand == attention.product && !llvm::is_contained(readers, node))
          readers.push_back(node);
        rest.push_back(operand);
      }
    }
    if (readers.size() != 1)
      return;
    Node *reader = readers.front();
    if (keepsRounding && reader->type.getIntOrFloatBitWidth() < 32)
      return;
    double factor = 1;
    if (reader->isApply("arith.extf") || reader->isApply("arith.truncf")) {
      // No factor.
    } else if (reader->isApply("arith.negf")) {
      factor = -1;
    } else if (reader->isApply("arith.mulf") || reader->isApply("arith.divf")) {
      bool isFirst = reader->operands[0] == attention.product;
      std::optional<double> value =
          elements.getConstantFloat(reader->operands[isFirst ? 1 : 0]);
      bool isDivided = reader->isApply("arith.divf");
      if (!value || (isDivided && (!isFirst || *value == 0)))
        return;
      factor = isDivided ? 1 / *value : *value;
    } else {
      return;
    }
    if (!std::isfinite(static_cast<float>(attention.scale * factor)))
      return;
    attention.scale *= factor;
    attention.product = reader;
  }
}

/// Whether an exponential is divided by a sum of exponentials in it.
static bool hasSoftmax(Elements &elements, Node *node) {
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

/// Whether the sum is that of the weights over the keys.
static bool isSumOfWeights(Elements &elements, Node *sum, Node *weight,
                           ArrayRef<unsigned> keys) {
  if (!isSum(sum))
    return false;
  auto map = mapVariables(elements.getIndexing(), sum->variables, keys);
  return map && elements.areEqual(weight, sum->operands[0], *map);
}

std::unique_ptr<Attention>
mlir::attn::raise::matchAttention(Elements &elements, Value result,
                                  bool keepsRounding, std::string &reason) {
  auto type = cast<RankedTensorType>(result.getType());
  auto attention = std::make_unique<Attention>();
  attention->result = result;
  for (int64_t size : type.getShape())
    attention->outputs.push_back(elements.getIndexing().addVariable(size));
  Node *root = elements.get(result, attention->outputs);

  // The second product, and what it is divided by.
  Factors factors;
  collectFactors(elements, root, factors);
  if (factors.over.size() != 1 || !isSum(factors.over[0]) ||
      factors.under.size() > 1)
    return nullptr;
  Node *sum = factors.over[0];
  attention->keys.assign(sum->variables.begin(), sum->variables.end());
  collectFactors(elements, sum->operands[0], factors, /*isUnder=*/false,
                 /*isOperand=*/true);
  factors.over.erase(factors.over.begin());

  // A row without keys may be selected to 0.
  Node *isEmpty = nullptr;
  for (Node *&factor : factors.over) {
    if (!factor->isApply("arith.select"))
      continue;
    bool isFirst = elements.isZero(factor->operands[1]);
    if ((!isFirst && !elements.isZero(factor->operands[2])) ||
        dependsOnAny(elements, factor->operands[0], attention->keys))
      continue;
    Factors inner;
    collectFactors(elements, factor->operands[isFirst ? 2 : 1], inner);
    if (llvm::count_if(inner.over, isExponential) != 1)
      continue;
    if (!isFirst || isEmpty) {
      reason = "its probabilities are selected by a condition of rows";
      return nullptr;
    }
    isEmpty = factor->operands[0];
    llvm::erase(factors.over, factor);
    llvm::append_range(factors.over, inner.over);
    llvm::append_range(factors.under, inner.under);
    factors.constant *= inner.constant;
    break;
  }

  auto weights = llvm::make_filter_range(factors.over, isExponential);
  if (weights.empty() || attention->keys.empty()) {
    if (llvm::any_of(factors.over, [&](Node *factor) {
          return hasSoftmax(elements, factor);
        }))
      reason = "what is multiplied with values is computed from a softmax, but "
               "is none";
    return nullptr;
  }
  Node *weight = nullptr;
  for (Node *candidate : weights)
    if (dependsOnAll(elements, candidate, attention->keys) &&
        llvm::any_of(factors.under, [&](Node *under) {
          return isSumOfWeights(elements, under, candidate, attention->keys);
        }))
      weight = candidate;
  if (!weight) {
    if (llvm::any_of(factors.under, [](Node *node) {
          return isSum(node) || node->kind == NodeKind::Apply;
        }))
      reason = "exponentials are multiplied with values, but what divides them "
               "is not their sum over the same keys";
    return nullptr;
  }
  if (factors.under.size() != 1) {
    reason = "the sum of its probabilities is not all that divides them";
    return nullptr;
  }
  llvm::erase(factors.over, weight);
  if (factors.over.size() != 1) {
    reason = factors.over.empty()
                 ? "probabilities are summed without values"
                 : "probabilities are multiplied with more than values, as by "
                   "a gate or dropout";
    return nullptr;
  }
  if (factors.constant != 1) {
    reason = "probabilities are multiplied with a constant";
    return nullptr;
  }
  attention->value = factors.over.front();
  if (!dependsOnAll(elements, attention->value, attention->keys)) {
    reason = "values are the same for all keys";
    return nullptr;
  }

  Node *score = dropRowTerms(elements, weight->operands[0], attention->keys);
  if (isEmpty && !isEmptyRow(elements, isEmpty, score, attention->keys)) {
    reason = "probabilities are selected by a condition that is not of rows "
             "whose scores are all -inf";
    return nullptr;
  }
  if (weight->isApply("math.exp2")) {
    score = elements.getApply(
        "arith.mulf", score->type,
        {score, elements.getFloat(score->type, std::log(2.0))});
  }
  attention->score = score;
  attention->product = findProduct(elements, *attention);
  if (!attention->product) {
    reason = "the scores have no product of queries and keys";
    return nullptr;
  }
  takeScale(elements, *attention, keepsRounding);
  return attention;
}
