//===- Valuation.cpp - Elements by values at random points ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Valuation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

// The largest number of different conditions in an expression. All (at most 64)
// combinations of true and false are tried; with more conditions, expressions
// have no value.
static constexpr size_t kMostConditions = 6;
static constexpr unsigned kLeastPoints = 12;

void Valuation::bind(Node *node, Slope value) {
  for (auto &[other, its] : bound)
    if (other == node) {
      its = value;
      return;
    }
  bound.push_back({node, value});
  boundOf.clear();
}

void Valuation::bindFromZero(Node *node, double value) {
  bind(node, {value, 0});
  fromZero.insert(node);
}

bool Valuation::isFromZero(Node *node) {
  return fromZero.contains(findBound(elements.strip(node)));
}

/// Returns whether a comparison with 0 holds that is the same for all numbers
/// from 0 on, and nothing for another condition.
std::optional<bool> Valuation::compareWithZero(Node *condition) {
  if (!condition->isApply("arith.cmpf") ||
      !isFromZero(condition->operands[0]) ||
      !elements.isZero(condition->operands[1]))
    return std::nullopt;
  using F = arith::CmpFPredicate;
  auto predicate =
      F(cast<IntegerAttr>(condition->attributes.get("predicate")).getInt());
  if (predicate == F::OGE || predicate == F::UGE)
    return true;
  if (predicate == F::OLT || predicate == F::ULT)
    return false;
  return std::nullopt;
}

void Valuation::next() {
  ++point;
  known.clear();
  values.clear();
}

bool Valuation::hasEnough() const {
  return point >= std::max(kLeastPoints, 3u << conditions.size());
}

Node *Valuation::findBound(Node *node) {
  if (auto found = boundOf.find(node); found != boundOf.end())
    return found->second;
  Node *result = nullptr;
  for (auto &[other, value] : bound)
    if (elements.areEqual(other, node)) {
      result = other;
      break;
    }
  boundOf[node] = result;
  return result;
}

bool Valuation::hasBound(Node *node) {
  SmallVector<Node *> rest = {node};
  llvm::SmallPtrSet<Node *, 32> seen;
  while (!rest.empty()) {
    Node *next = elements.look(rest.pop_back_val());
    if (!seen.insert(next).second)
      continue;
    if (findBound(next))
      return true;
    llvm::append_range(rest, next->operands);
  }
  return false;
}

double Valuation::getCoordinate(Node *node) {
  auto found = coordinateOf.find(node);
  if (found == coordinateOf.end()) {
    auto *same = llvm::find_if(coordinates, [&](Node *other) {
      return elements.areEqual(other, node);
    });
    if (same == coordinates.end()) {
      coordinates.push_back(node);
      same = std::prev(coordinates.end());
    }
    found = coordinateOf.insert({node, same - coordinates.begin()}).first;
  }
  std::uniform_real_distribution<double> distribution(0.25, 1.75);
  while (values.size() <= found->second)
    values.push_back(distribution(random));
  return values[found->second];
}

std::optional<bool> Valuation::getCondition(Node *node) {
  node = elements.look(node);
  if (node->kind == NodeKind::Constant) {
    auto value = dyn_cast<IntegerAttr>(node->constant);
    if (!value)
      return std::nullopt;
    return !value.getValue().isZero();
  }
  if (node->isApply("arith.andi") || node->isApply("arith.ori") ||
      node->isApply("arith.xori")) {
    std::optional<bool> lhs = getCondition(node->operands[0]),
                        rhs = getCondition(node->operands[1]);
    if (!lhs || !rhs)
      return std::nullopt;
    return node->isApply("arith.andi")  ? *lhs && *rhs
           : node->isApply("arith.ori") ? *lhs || *rhs
                                        : *lhs != *rhs;
  }
  if (std::optional<bool> holds = compareWithZero(node))
    return holds;
  auto found = conditionOf.find(node);
  if (found == conditionOf.end()) {
    auto isSame = [&](Node *lhs, Node *rhs) {
      return elements.areEqual(lhs, rhs);
    };
    // Whether `other` is a comparison of the same two integers as `node`, with
    // the inverse predicate.
    auto isInverse = [&](Node *other) {
      if (!node->isApply("arith.cmpi") || !other->isApply("arith.cmpi"))
        return false;
      auto get = [](Node *of) {
        return arith::CmpIPredicate(
            cast<IntegerAttr>(of->attributes.get("predicate")).getInt());
      };
      return get(node) == arith::invertPredicate(get(other)) &&
             isSame(node->operands[0], other->operands[0]) &&
             isSame(node->operands[1], other->operands[1]);
    };
    std::optional<std::pair<unsigned, bool>> known;
    for (auto [number, other] : llvm::enumerate(conditions)) {
      if (isSame(node, other))
        known = {number, false};
      else if (isInverse(other))
        known = {number, true};
      if (known)
        break;
    }
    if (!known) {
      conditions.push_back(node);
      known = {conditions.size() - 1, false};
    }
    found = conditionOf.insert({node, *known}).first;
  }
  auto [number, isInverse] = found->second;
  if (number >= kMostConditions)
    return std::nullopt;
  return ((point >> number) % 2 == 0) != isInverse;
}

std::optional<Slope> Valuation::get(Node *node) {
  node = elements.strip(node);
  auto found = known.find(node);
  if (found != known.end())
    return found->second;
  std::optional<Slope> result = compute(node);
  if (result && (std::isnan(result->value) || std::isnan(result->slope)))
    result = std::nullopt;
  known[node] = result;
  return result;
}

std::optional<Slope> Valuation::compute(Node *node) {
  if (Node *same = findBound(node))
    for (auto &[other, value] : bound)
      if (other == same)
        return value;
  if (std::optional<double> value = elements.getConstantFloat(node))
    return Slope{*value, 0};
  if (node->kind == NodeKind::Apply) {
    if (std::optional<Slope> result = apply(node))
      return result;
    // If apply() has no formula for an op, its result is a random number, whose
    // derivative is not known. The op must therefore not depend on nodes to
    // which values were bound.
    if (hasBound(node))
      return std::nullopt;
  }
  return Slope{getCoordinate(node), 0};
}

std::optional<Slope> Valuation::apply(Node *node) {
  if (node->isApply("arith.select")) {
    std::optional<bool> condition = getCondition(node->operands[0]);
    return condition ? get(node->operands[*condition ? 1 : 2]) : std::nullopt;
  }
  if (isExponential(node)) {
    // An exponential exp(x - log(d)) is evaluated as the quotient exp(x) / d.
    Factors factors;
    collectFactors(elements, node, factors);
    if (factors.over.size() == 1 && !factors.under.empty()) {
      std::optional<Slope> result = get(factors.over[0]);
      for (Node *under : factors.under) {
        std::optional<Slope> by = get(under);
        if (!result || !by || by->slope != 0)
          return std::nullopt;
        result = Slope{result->value / by->value, result->slope / by->value};
      }
      return result;
    }
  }
  if (node->isApply("math.absf") && isFromZero(node->operands[0]))
    return get(node->operands[0]);
  SmallVector<Slope> of;
  for (Node *operand : node->operands) {
    if (!isa<FloatType>(operand->type))
      return std::nullopt;
    std::optional<Slope> value = get(operand);
    if (!value)
      return std::nullopt;
    of.push_back(*value);
  }
  double x = of[0].value, dx = of[0].slope;
  auto [y, dy] = of.size() > 1 ? of[1] : Slope{};
  // A product with a factor of exactly 0 is 0, even if the other factor is
  // infinite.
  auto mul = [](double lhs, double rhs) {
    return lhs == 0 || rhs == 0 ? 0 : lhs * rhs;
  };
  auto result = [&](double value, double by) {
    return Slope{value, mul(by, dx)};
  };
  StringRef name = node->name;
  if (name == "arith.addf")
    return Slope{x + y, dx + dy};
  if (name == "arith.subf")
    return Slope{x - y, dx - dy};
  if (name == "arith.mulf")
    return Slope{x * y, mul(dx, y) + mul(x, dy)};
  if (name == "arith.divf")
    return Slope{x / y, mul(dx, 1 / y) - mul(dy, x / (y * y))};
  if (name == "arith.negf")
    return Slope{-x, -dx};
  if (name == "math.exp")
    return result(std::exp(x), std::exp(x));
  if (name == "math.exp2")
    return result(std::exp2(x), std::exp2(x) * std::log(2.0));
  if (name == "math.log")
    return result(std::log(x), 1 / x);
  if (name == "math.log2")
    return result(std::log2(x), 1 / (x * std::log(2.0)));
  if (name == "math.tanh") {
    double y = std::tanh(x);
    return result(y, 1 - y * y);
  }
  if (name == "math.sqrt")
    return result(std::sqrt(x), 0.5 / std::sqrt(x));
  if (name == "math.rsqrt")
    return result(1 / std::sqrt(x), -0.5 / (x * std::sqrt(x)));
  if (name == "math.sin")
    return result(std::sin(x), std::cos(x));
  if (name == "math.cos")
    return result(std::cos(x), -std::sin(x));
  if (name == "math.powf" && dy == 0)
    return result(std::pow(x, y), y * std::pow(x, y - 1));
  return std::nullopt;
}
