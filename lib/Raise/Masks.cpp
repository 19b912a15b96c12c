//===- Masks.cpp - Which pairs count --------------------------------------===//
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

namespace {
/// A condition under which a score keeps its value, and the number that it has
/// or that is added to it elsewhere.
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

  /// Without conversions between floats, up to the product.
  Node *strip(Node *node) {
    node = elements.look(node);
    while (!keepsRounding && node != product &&
           (node->isApply("arith.extf") || node->isApply("arith.truncf")))
      node = elements.look(node->operands.front());
    return node;
  }

  Node *negate(Node *condition) {
    Builder &b = elements.getBuilder();
    return elements.getApply(
        "arith.xori", condition->type,
        {condition, elements.getConstant(b.getBoolAttr(true))});
  }

  /// Whether what is added to a number like this is masked: -inf, or about the
  /// lowest number of the type.
  static bool isMasking(double number, Type type) {
    if (std::isinf(number))
      return number < 0;
    double most = APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
                      .convertToDouble();
    return number <= -0.5 * most || number <= -1e8;
  }

  /// The score without its masks, which `masks` gets. Nothing is made of nodes
  /// that stay as they are.
  Node *take(Node *node) {
    node = strip(node);
    if (node == product)
      return node;
    if (node->isApply("arith.select")) {
      for (unsigned side : {2u, 1u}) {
        std::optional<double> number =
            elements.getConstantFloat(node->operands[side]);
        if (!number || !isMasking(*number, node->type) ||
            (!takesFinite && std::isfinite(*number)))
          continue;
        Node *condition = elements.look(node->operands[0]);
        masks.push_back(
            {side == 2 ? condition : negate(condition), *number, node->type});
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

/// Whether only numbers, indices and the product are in it.
static bool isOfProduct(Elements &elements, Node *node, Node *product) {
  node = elements.look(node);
  if (node == product)
    return true;
  switch (node->kind) {
  case NodeKind::Constant:
  case NodeKind::Index:
    return true;
  case NodeKind::Apply:
    return llvm::all_of(node->operands, [&](Node *operand) {
      return isOfProduct(elements, operand, product);
    });
  default:
    return false;
  }
}

std::optional<SmallVector<AffineExpr>>
mlir::attn::raise::findConstraints(Elements &elements, Node *condition) {
  condition = elements.look(condition);
  bool isNegated = false;
  while (condition->isApply("arith.xori")) {
    Node *flag = elements.look(condition->operands[1]);
    if (flag->kind != NodeKind::Constant)
      return std::nullopt;
    isNegated ^= cast<IntegerAttr>(flag->constant).getValue().getBoolValue();
    condition = elements.look(condition->operands[0]);
  }
  SmallVector<AffineExpr> constraints;
  if (condition->isApply(isNegated ? "arith.ori" : "arith.andi")) {
    for (Node *operand : condition->operands) {
      if (isNegated)
        operand = MaskFinder{elements}.negate(elements.look(operand));
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
  // As a comparison of integers, with a sign.
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

/// Whether the expression is at least 0 for all values of its variables.
static bool isNeverNegative(Indexing &indexing, AffineExpr expr) {
  Sum sum = indexing.flatten(expr);
  int64_t least = sum.constant;
  for (auto [atom, factor] : sum.terms) {
    if (factor > 0) {
      // Variables are not negative.
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

/// Whether there is a key that fulfils all constraints, for all values of the
/// other variables. The key's factors are 1 and -1.
static bool hasKeyInEachRow(Indexing &indexing,
                            ArrayRef<AffineExpr> constraints, unsigned key) {
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

void mlir::attn::raise::takeMasks(Elements &elements, Attention &attention,
                                  bool keepsRounding) {
  MaskFinder finder{elements, attention.product, keepsRounding};
  Node *score = finder.take(attention.score);
  // Masked by a finite number, a row without keys is a mean: there must be
  // none. Other numbers of the score must not be as low.
  auto isFinite = [](const Mask &mask) { return std::isfinite(mask.number); };
  if (llvm::any_of(finder.masks, isFinite)) {
    SmallVector<AffineExpr> constraints;
    bool isCertain = attention.keys.size() == 1 &&
                     isOfProduct(elements, score, attention.product);
    for (const Mask &mask : finder.masks) {
      auto part = findConstraints(elements, mask.condition);
      isCertain &= part.has_value();
      if (part)
        llvm::append_range(constraints, *part);
    }
    if (!isCertain || !hasKeyInEachRow(elements.getIndexing(), constraints,
                                       attention.keys.front())) {
      finder.takesFinite = false;
      finder.masks.clear();
      score = finder.take(attention.score);
    }
  }
  if (finder.masks.empty())
    return;
  attention.score = score;
  for (const Mask &mask : finder.masks)
    attention.masks.push_back(mask.condition);
}
