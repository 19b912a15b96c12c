//===- Indexing.cpp - Index expressions over variables of known size ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Indexing.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::attn::raise;

std::optional<unsigned> mlir::attn::raise::getVariable(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  return std::nullopt;
}

void Sum::add(AffineExpr atom, int64_t factor) {
  if (factor == 0)
    return;
  int64_t &total = terms[atom];
  total += factor;
  if (total == 0)
    terms.erase(atom);
}

void Sum::add(const Sum &other, int64_t factor) {
  for (auto [atom, multiple] : other.terms)
    add(atom, multiple * factor);
  constant += other.constant * factor;
}

std::optional<Extent> Indexing::getExtent(unsigned variable) const {
  if (!ShapedType::isDynamic(sizes[variable]))
    return Sizes::getConstant(sizes[variable]);
  return extents[variable];
}

std::optional<Extent> Indexing::getExtentOf(AffineExpr expr) const {
  if (auto variable = getVariable(expr))
    return getExtent(*variable);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto divisor =
      binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
  if (!divisor || binary.getKind() != AffineExprKind::FloorDiv)
    return std::nullopt;
  std::optional<Extent> inner = getExtentOf(binary.getLHS());
  return inner ? Sizes::divide(*inner, Sizes::getConstant(divisor.getValue()))
               : std::nullopt;
}

bool Indexing::haveSameSize(unsigned lhs, unsigned rhs) const {
  if (sizes[lhs] != sizes[rhs])
    return false;
  if (!ShapedType::isDynamic(sizes[lhs]))
    return true;
  return extents[lhs] && extents[rhs] &&
         symbolic.areEqual(*extents[lhs], *extents[rhs]);
}

AffineExpr Indexing::addVariable(int64_t size, std::optional<Extent> extent) {
  if (size == 1)
    return getConstant(0);
  sizes.push_back(size);
  extents.push_back(extent);
  return getAffineDimExpr(sizes.size() - 1, context);
}

/// Replaces two terms f * c * (x floordiv c) and f * (x mod c) of a sum by f *
/// x. Returns false, and changes nothing, if the sum has no such two terms.
static bool mergeDigits(Sum &sum, const Indexing &indexing) {
  for (auto [atom, factor] : sum.terms) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(atom);
    if (!binary || binary.getKind() != AffineExprKind::Mod)
      continue;
    int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    for (auto [other, otherFactor] : sum.terms) {
      auto quotient = dyn_cast<AffineBinaryOpExpr>(other);
      if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv ||
          quotient.getLHS() != binary.getLHS() ||
          quotient.getRHS() != binary.getRHS() ||
          otherFactor != factor * divisor)
        continue;
      AffineExpr whole = binary.getLHS();
      int64_t multiple = factor;
      AffineExpr remainder = atom;
      sum.terms.erase(other);
      sum.terms.erase(remainder);
      sum.add(indexing.flatten(whole), multiple);
      return true;
    }
  }
  return false;
}

Sum Indexing::flatten(AffineExpr expr) const {
  Sum sum;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant = constant.getValue();
    return sum;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    sum.add(expr, 1);
    return sum;
  }
  if (binary.getKind() == AffineExprKind::Add) {
    sum = flatten(binary.getLHS());
    sum.add(flatten(binary.getRHS()), 1);
  } else if (binary.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (factor)
      sum.add(flatten(binary.getLHS()), factor.getValue());
    else
      sum.add(expr, 1);
  } else {
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!divisor || divisor.getValue() <= 0) {
      sum.add(expr, 1);
      return sum;
    }
    // A quotient that is rounded up is one of a larger number, rounded down.
    AffineExpr dividend = binary.getLHS();
    if (binary.getKind() == AffineExprKind::CeilDiv)
      dividend = dividend + (divisor.getValue() - 1);
    return divide(dividend, divisor.getValue(),
                  binary.getKind() == AffineExprKind::Mod);
  }
  while (mergeDigits(sum, *this))
    ;
  return sum;
}

AffineExpr Indexing::build(const Sum &sum) const {
  SmallVector<std::pair<AffineExpr, int64_t>> terms(sum.terms.begin(),
                                                    sum.terms.end());
  std::sort(terms.begin(), terms.end(), [](auto &lhs, auto &rhs) {
    auto l = dyn_cast<AffineDimExpr>(lhs.first),
         r = dyn_cast<AffineDimExpr>(rhs.first);
    if (l && r)
      return l.getPosition() < r.getPosition();
    return l && !r;
  });
  AffineExpr expr = getConstant(sum.constant);
  for (auto [atom, factor] : terms)
    expr = expr + atom * factor;
  return expr;
}

std::optional<std::pair<int64_t, int64_t>>
Indexing::getRange(AffineExpr expr) const {
  return getRange(flatten(expr));
}

std::optional<std::pair<int64_t, int64_t>>
Indexing::getRange(const Sum &sum) const {
  std::pair<int64_t, int64_t> range(sum.constant, sum.constant);
  for (auto [atom, factor] : sum.terms) {
    std::pair<int64_t, int64_t> ofAtom;
    if (auto variable = getVariable(atom)) {
      if (ShapedType::isDynamic(sizes[*variable]))
        return std::nullopt;
      ofAtom = {0, std::max<int64_t>(sizes[*variable] - 1, 0)};
    } else {
      auto binary = dyn_cast<AffineBinaryOpExpr>(atom);
      auto divisor =
          binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
      if (!divisor || divisor.getValue() <= 0)
        return std::nullopt;
      if (binary.getKind() == AffineExprKind::Mod) {
        ofAtom = {0, divisor.getValue() - 1};
      } else if (binary.getKind() == AffineExprKind::FloorDiv) {
        auto inner = getRange(binary.getLHS());
        if (!inner || inner->first < 0)
          return std::nullopt;
        ofAtom = {inner->first / divisor.getValue(),
                  inner->second / divisor.getValue()};
      } else {
        return std::nullopt;
      }
    }
    range.first += factor * (factor > 0 ? ofAtom.first : ofAtom.second);
    range.second += factor * (factor > 0 ? ofAtom.second : ofAtom.first);
  }
  return range;
}

Sum Indexing::divide(AffineExpr expr, int64_t divisor, bool remainder) const {
  // A dimension of size 0 has no element, so any index into it will do.
  if (divisor == 0)
    return Sum();
  Sum sum = flatten(expr), whole, rest;
  if (divisor == 1)
    return remainder ? Sum() : sum;
  for (auto [atom, factor] : sum.terms)
    (factor % divisor == 0 ? whole : rest).add(atom, factor);
  int64_t constant = sum.constant % divisor;
  if (constant < 0)
    constant += divisor;
  rest.constant = constant;
  whole.constant = sum.constant - constant;
  std::optional<std::pair<int64_t, int64_t>> range = getRange(rest);
  if (range && range->first >= 0 && range->second < divisor) {
    if (remainder)
      return rest;
    for (auto &[atom, factor] : whole.terms)
      factor /= divisor;
    whole.constant /= divisor;
    return whole;
  }
  // In the quotient or remainder of a sum by a divisor, terms whose factors are
  // multiples of the divisor add to the quotient and do not change the
  // remainder. The quotient or remainder of all other terms becomes one atom.
  Sum result;
  AffineExpr inner = build(rest), by = getConstant(divisor);
  if (remainder) {
    result.add(getAffineBinaryOpExpr(AffineExprKind::Mod, inner, by), 1);
    return result;
  }
  for (auto &[atom, factor] : whole.terms)
    result.add(atom, factor / divisor);
  result.constant = whole.constant / divisor;
  result.add(getAffineBinaryOpExpr(AffineExprKind::FloorDiv, inner, by), 1);
  return result;
}

AffineExpr Indexing::floorDiv(AffineExpr expr, int64_t divisor) const {
  return build(divide(expr, divisor, /*remainder=*/false));
}

AffineExpr Indexing::mod(AffineExpr expr, int64_t divisor) const {
  return build(divide(expr, divisor, /*remainder=*/true));
}

bool Indexing::areEqual(AffineExpr lhs, AffineExpr rhs) const {
  bool isBinary = isa<AffineBinaryOpExpr>(lhs) || isa<AffineBinaryOpExpr>(rhs);
  if (lhs == rhs || !isBinary)
    return lhs == rhs;
  Sum difference = flatten(lhs);
  difference.add(flatten(rhs), -1);
  return difference.isConstant() && difference.constant == 0;
}

AffineExpr
Indexing::replace(AffineExpr expr,
                  const llvm::DenseMap<unsigned, AffineExpr> &by) const {
  if (auto variable = getVariable(expr)) {
    auto found = by.find(*variable);
    return found == by.end() ? expr : simplify(found->second);
  }
  if (!isa<AffineBinaryOpExpr>(expr))
    return expr;
  llvm::DenseMap<AffineExpr, AffineExpr> all;
  for (auto [variable, its] : by)
    all[getAffineDimExpr(variable, context)] = its;
  return simplify(expr.replace(all));
}

AffineExpr Indexing::getDigits(AffineExpr expr) const {
  for (;;) {
    AffineExpr next = replace(expr, digits);
    if (next == expr)
      return expr;
    expr = next;
  }
}

bool Indexing::splitVariable(unsigned variable, int64_t unit) {
  int64_t size = sizes[variable];
  if (unit <= 1 || digits.count(variable) ||
      (!ShapedType::isDynamic(size) && (size % unit != 0 || size == unit)))
    return false;
  std::optional<Extent> extent;
  if (ShapedType::isDynamic(size)) {
    if (extents[variable])
      extent = Sizes::divide(*extents[variable], Sizes::getConstant(unit));
    if (!extent)
      return false;
  }
  AffineExpr high =
      addVariable(ShapedType::isDynamic(size) ? size : size / unit, extent);
  AffineExpr low = addVariable(unit);
  digits[variable] = high * unit + low;
  return true;
}

/// Splits one index variable in a quotient or remainder by a constant into high
/// * unit + low, two new variables, so that the quotient or remainder can be
/// simplified. Returns false if no variable can be split.
bool Indexing::split(AffineExpr quotient) {
  auto binary = cast<AffineBinaryOpExpr>(quotient);
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!divisor)
    return false;
  int64_t by = divisor.getValue();
  Sum sum = flatten(binary.getLHS());
  for (auto [atom, factor] : sum.terms) {
    if (factor % by == 0)
      continue;
    auto variable = getVariable(atom);
    if (!variable) {
      if (isa<AffineBinaryOpExpr>(atom) && split(atom))
        return true;
      continue;
    }
    if (factor > 0 && by % factor == 0 && splitVariable(*variable, by / factor))
      return true;
  }
  return false;
}

AffineExpr Indexing::resolve(AffineExpr expr) {
  for (;;) {
    expr = getDigits(simplify(expr));
    Sum sum = flatten(expr);
    bool isSum = true;
    for (auto [atom, factor] : sum.terms) {
      if (getVariable(atom))
        continue;
      if (!isa<AffineBinaryOpExpr>(atom) || !split(atom))
        return AffineExpr();
      isSum = false;
      break;
    }
    if (isSum)
      return expr;
  }
}

void Indexing::getVariables(AffineExpr expr,
                            llvm::SmallBitVector &found) const {
  expr.walk([&](AffineExpr part) {
    if (auto variable = getVariable(part)) {
      if (found.size() <= *variable)
        found.resize(sizes.size());
      found.set(*variable);
    }
  });
}

bool Indexing::dependsOn(AffineExpr expr, unsigned variable) const {
  return expr.isFunctionOfDim(variable);
}
