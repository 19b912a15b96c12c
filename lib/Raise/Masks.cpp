//===- Masks.cpp - Conditions that mask scores ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

/// Whether `node` is computed from the node `product`.
static bool reads(Elements &elements, Node *node, Node *product) {
  return elements.contains(node, [&](Node *next) { return next == product; });
}

Node *mlir::attn::raise::negate(Elements &elements, Node *condition) {
  Builder &b = elements.getBuilder();
  return elements.getApply(
      "arith.xori", condition->type,
      {condition, elements.getConstant(b.getBoolAttr(true))});
}

bool mlir::attn::raise::isMasking(double number, Type type) {
  if (std::isinf(number))
    return number < 0;
  double most = APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
                    .convertToDouble();
  return number <= -0.5 * most || number <= -1e8;
}

namespace {
/// A mask of scores: where `condition` is true, the score keeps its value, and
/// elsewhere the number `number` replaces it. `type` is the score's type.
struct Mask {
  Node *condition;
  double number;
  Type type;
};

struct MaskFinder {
  Elements &elements;
  Node *product = nullptr;
  bool keepsRounding = false;
  bool takesFinite = true;
  SmallVector<Mask> masks = {};
  /// The results for nodes, each of which a score may read many times.
  llvm::DenseMap<Node *, Node *> results{};

  /// Returns the node without conversions between float types around it; the
  /// node itself with `keepsRounding`. Conversions of operands of the product
  /// of query and key are not removed.
  Node *strip(Node *node) {
    node = elements.look(node);
    while (!keepsRounding && node != product &&
           (node->isApply("arith.extf") || node->isApply("arith.truncf")))
      node = elements.look(node->operands.front());
    return node;
  }

  /// Returns the score without its masks, which it adds to `masks`. A mask is a
  /// select between a score and a masking number, perhaps in a term of a sum,
  /// whose condition does not read the score itself. Parts of the score without
  /// masks are returned as they are, without new nodes.
  Node *take(Node *node) {
    node = strip(node);
    if (node == product)
      return node;
    if (auto known = results.find(node); known != results.end())
      return known->second;
    Node *rest = takeFrom(node);
    results[node] = rest;
    return rest;
  }

  Node *takeFrom(Node *node) {
    if (node->isApply("arith.select")) {
      for (unsigned side : {2u, 1u}) {
        std::optional<double> number =
            elements.getConstantFloat(node->operands[side]);
        if (!number || !isMasking(*number, node->type) ||
            (!takesFinite && std::isfinite(*number)))
          continue;
        Node *condition = elements.look(node->operands[0]);
        if (reads(elements, condition, product))
          continue;
        masks.push_back({side == 2 ? condition : negate(elements, condition),
                         *number, node->type});
        return take(node->operands[3 - side]);
      }
      return node;
    }
    if (node->isApply("arith.addf")) {
      Node *lhs = take(node->operands[0]);
      Node *rhs = take(node->operands[1]);
      if (elements.isZero(lhs))
        return rhs;
      if (elements.isZero(rhs))
        return lhs;
      if (lhs == elements.look(node->operands[0]) &&
          rhs == elements.look(node->operands[1]))
        return node;
      return elements.getApply("arith.addf", node->type, {lhs, rhs},
                               node->attributes);
    }
    return node;
  }
};
} // namespace

bool mlir::attn::raise::isOfProduct(Elements &elements, Node *node,
                                    Node *product) {
  auto isOther = [&](Node *next) {
    return next != product && next->kind != NodeKind::Constant &&
           next->kind != NodeKind::Index && next->kind != NodeKind::Apply;
  };
  return !elements.contains(node, isOther, product);
}

std::optional<SmallVector<AffineExpr>>
mlir::attn::raise::findConstraints(Elements &elements, Node *condition) {
  bool isNegated = elements.takeNegations(condition);
  SmallVector<AffineExpr> constraints;
  if (condition->isApply(isNegated ? "arith.ori" : "arith.andi")) {
    for (Node *operand : condition->operands) {
      if (isNegated)
        operand = negate(elements, elements.look(operand));
      auto part = findConstraints(elements, operand);
      if (!part)
        return std::nullopt;
      llvm::append_range(constraints, *part);
    }
    return constraints;
  }
  bool isFloat = condition->isApply("arith.cmpf");
  if (!isFloat && !condition->isApply("arith.cmpi"))
    return std::nullopt;
  auto lhs = elements.getAffine(condition->operands[0]),
       rhs = elements.getAffine(condition->operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  Indexing &indexing = elements.getIndexing();
  int64_t number =
      cast<IntegerAttr>(condition->attributes.get("predicate")).getInt();
  // `predicate` becomes the predicate of a comparison of signed integers that
  // gives the same result for indices. For an unsigned comparison, there is one
  // only if neither index is ever negative.
  using P = arith::CmpIPredicate;
  P predicate;
  if (isFloat) {
    using F = arith::CmpFPredicate;
    switch (F(number)) {
    case F::OEQ:
    case F::UEQ:
      predicate = P::eq;
      break;
    case F::OGT:
    case F::UGT:
      predicate = P::sgt;
      break;
    case F::OGE:
    case F::UGE:
      predicate = P::sge;
      break;
    case F::OLT:
    case F::ULT:
      predicate = P::slt;
      break;
    case F::OLE:
    case F::ULE:
      predicate = P::sle;
      break;
    case F::ONE:
    case F::UNE:
      predicate = P::ne;
      break;
    default:
      return std::nullopt;
    }
  } else {
    predicate = P(number);
    if (number >= int64_t(P::ult)) {
      auto left = indexing.getRange(*lhs), right = indexing.getRange(*rhs);
      if (!left || !right || left->first < 0 || right->first < 0)
        return std::nullopt;
      predicate = P(number - int64_t(P::ult) + int64_t(P::slt));
    }
  }
  if (isNegated)
    predicate = arith::invertPredicate(predicate);
  AffineExpr difference = indexing.simplify(*lhs - *rhs);
  switch (predicate) {
  case P::sge:
    return SmallVector<AffineExpr>{difference};
  case P::sgt:
    return SmallVector<AffineExpr>{difference - 1};
  case P::sle:
    return SmallVector<AffineExpr>{indexing.simplify(difference * -1)};
  case P::slt:
    return SmallVector<AffineExpr>{indexing.simplify(difference * -1 - 1)};
  case P::eq:
    return SmallVector<AffineExpr>{difference,
                                   indexing.simplify(difference * -1)};
  default:
    return std::nullopt;
  }
}

/// Whether the index expression is known to be at least 0 for all values of its
/// index variables.
static bool isNeverNegative(Indexing &indexing, AffineExpr expr) {
  Sum sum = indexing.flatten(expr);
  int64_t least = sum.constant;
  for (auto [atom, factor] : sum.terms) {
    if (factor > 0) {
      // Index variables are never negative, even if their range is not known.
      auto range = indexing.getRange(atom);
      if (!getVariable(atom) && (!range || range->first < 0))
        return false;
      least += range ? factor * range->first : 0;
      continue;
    }
    auto range = indexing.getRange(atom);
    if (!range)
      return false;
    least += factor * range->second;
  }
  return least >= 0;
}

/// Whether, for all values of the other index variables, there is a value of
/// the variable `key` for which all masks keep the pair. Returns false unless
/// the masks' conditions are affine constraints that contain `key` with the
/// factor 1, -1 or 0.
static bool hasKeyInEachRow(Elements &elements, ArrayRef<Mask> masks,
                            unsigned key) {
  Indexing &indexing = elements.getIndexing();
  SmallVector<AffineExpr> constraints;
  for (const Mask &mask : masks) {
    auto part = findConstraints(elements, mask.condition);
    if (!part)
      return false;
    llvm::append_range(constraints, *part);
  }
  AffineExpr variable = getAffineDimExpr(key, indexing.getContext());
  SmallVector<AffineExpr> lower = {indexing.getConstant(0)}, upper;
  int64_t size = indexing.getSize(key);
  if (size == 0)
    return false;
  if (!ShapedType::isDynamic(size))
    upper.push_back(indexing.getConstant(size - 1));
  else
    upper.push_back(indexing.getConstant(0));
  for (AffineExpr constraint : constraints) {
    Sum sum = indexing.flatten(constraint);
    auto found = sum.terms.find(variable);
    int64_t factor = found == sum.terms.end() ? 0 : found->second;
    sum.terms.erase(variable);
    AffineExpr rest = indexing.build(sum);
    if (factor == 0) {
      if (!isNeverNegative(indexing, rest))
        return false;
    } else if (factor == 1) {
      lower.push_back(indexing.simplify(rest * -1));
    } else if (factor == -1) {
      upper.push_back(rest);
    } else {
      return false;
    }
    if (rest.isFunctionOfDim(key))
      return false;
  }
  for (AffineExpr low : lower)
    for (AffineExpr up : upper)
      if (!isNeverNegative(indexing, indexing.simplify(up - low)))
        return false;
  return true;
}

/// Whether the condition (or, with `isNegated`, its negation) is known to hold
/// if the index variable `key` equals `at`, an expression of other variables.
/// With the row's position as `at`, this finds masks by which each row keeps
/// the key at its own position.
static bool holdsAt(Elements &elements, Node *condition, bool isNegated,
                    unsigned key, AffineExpr at) {
  condition = elements.look(condition);
  auto getBool = [](Node *node) -> std::optional<bool> {
    if (node->kind != NodeKind::Constant || !node->type.isInteger(1))
      return std::nullopt;
    return cast<IntegerAttr>(node->constant).getValue().getBoolValue();
  };
  if (std::optional<bool> value = getBool(condition))
    return *value != isNegated;
  auto holds = [&](Node *operand) {
    return holdsAt(elements, operand, isNegated, key, at);
  };
  if (condition->isApply("arith.xori")) {
    std::optional<bool> flag = getBool(elements.look(condition->operands[1]));
    return flag && holdsAt(elements, condition->operands[0], isNegated != *flag,
                           key, at);
  }
  if (condition->isApply(isNegated ? "arith.ori" : "arith.andi"))
    return llvm::all_of(condition->operands, holds);
  if (condition->isApply(isNegated ? "arith.andi" : "arith.ori"))
    return llvm::any_of(condition->operands, holds);
  Indexing &indexing = elements.getIndexing();
  llvm::DenseMap<unsigned, AffineExpr> map = {{key, at}};
  if (std::optional<SmallVector<AffineExpr>> constraints = findConstraints(
          elements, isNegated ? negate(elements, condition) : condition))
    return llvm::all_of(*constraints, [&](AffineExpr constraint) {
      return isNeverNegative(indexing, indexing.replace(constraint, map));
    });
  // A comparison of two numbers that are equal if `key` equals `at` holds if
  // its predicate includes equality.
  if (isNegated || !condition->isApply("arith.cmpi"))
    return false;
  Node *lhs = condition->operands[0], *rhs = condition->operands[1];
  if (elements.dependsOn(lhs, key))
    std::swap(lhs, rhs);
  if (elements.dependsOn(lhs, key) || !elements.areEqual(lhs, rhs, map))
    return false;
  using P = arith::CmpIPredicate;
  auto predicate =
      P(cast<IntegerAttr>(condition->attributes.get("predicate")).getInt());
  return predicate == P::eq || predicate == P::sle || predicate == P::sge ||
         predicate == P::ule || predicate == P::uge;
}

/// Adds to `rows` the index expressions in a condition that do not contain the
/// index variable `key` and are not constants.
static void collectRows(Elements &elements, Node *node, unsigned key,
                        llvm::SmallPtrSetImpl<Node *> &seen,
                        llvm::SetVector<AffineExpr> &rows) {
  node = elements.look(node);
  if (!seen.insert(node).second || node->kind == NodeKind::Reduce)
    return;
  auto add = [&](AffineExpr expr) {
    if (!expr.isFunctionOfDim(key) && !isa<AffineConstantExpr>(expr))
      rows.insert(expr);
  };
  if (node->index)
    add(node->index);
  for (AffineExpr index : node->access.indices)
    add(index);
  for (Node *operand : node->operands)
    collectRows(elements, operand, key, seen, rows);
}

/// Whether each row is known to keep the key at one index expression that
/// occurs in the masks and does not contain `key`, such as the row's own
/// position.
static bool keepsOwnKey(Elements &elements, ArrayRef<Mask> masks,
                        unsigned key) {
  Indexing &indexing = elements.getIndexing();
  llvm::SetVector<AffineExpr> rows;
  llvm::SmallPtrSet<Node *, 16> seen;
  for (const Mask &mask : masks)
    collectRows(elements, mask.condition, key, seen, rows);
  return llvm::any_of(rows, [&](AffineExpr row) {
    auto range = indexing.getRange(row);
    if (!range || range->first < 0 || range->second >= indexing.getSize(key))
      return false;
    return llvm::all_of(masks, [&](const Mask &mask) {
      return holdsAt(elements, mask.condition, /*isNegated=*/false, key, row);
    });
  });
}

void mlir::attn::raise::addConditions(Elements &elements, Node *condition,
                                      SmallVectorImpl<Node *> &conditions) {
  condition = elements.look(condition);
  if (!condition->isApply("arith.andi"))
    return conditions.push_back(condition);
  for (Node *operand : condition->operands)
    addConditions(elements, operand, conditions);
}

void mlir::attn::raise::takeMasks(Elements &elements, Attention &attention,
                                  bool keepsRounding) {
  // A mask region has no score to read. A condition that reads the score, as
  // one that only keeps the largest scores, becomes a select of the score.
  for (Node *mask : llvm::to_vector(attention.masks)) {
    if (!reads(elements, mask, attention.product))
      continue;
    Type type = attention.score->type;
    attention.score = elements.getApply(
        "arith.select", type,
        {mask, attention.score,
         elements.getFloat(type, -std::numeric_limits<double>::infinity())});
    llvm::erase(attention.masks, mask);
  }
  MaskFinder finder{elements, attention.product, keepsRounding};
  Node *score = finder.take(attention.score);
  // A mask by a finite number stays in the score unless it is certain that no
  // result changes. If a row has no key, masking by a finite number makes its
  // output a mean of values, which attn.attention does not compute; so each row
  // must keep a key. Scores that are kept must not be as low as the number; so
  // they may depend only on the product, constants and indices.
  auto isFinite = [](const Mask &mask) { return std::isfinite(mask.number); };
  if (llvm::any_of(finder.masks, isFinite)) {
    bool isCertain =
        attention.keys.size() == 1 &&
        isOfProduct(elements, score, attention.product) &&
        (hasKeyInEachRow(elements, finder.masks, attention.keys.front()) ||
         keepsOwnKey(elements, finder.masks, attention.keys.front()));
    if (!isCertain) {
      finder.takesFinite = false;
      finder.masks.clear();
      finder.results.clear();
      score = finder.take(attention.score);
    }
  }
  if (finder.masks.empty())
    return;
  attention.score = score;
  for (const Mask &mask : finder.masks)
    addConditions(elements, mask.condition, attention.masks);
}
