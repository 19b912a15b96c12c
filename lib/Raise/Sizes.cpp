//===- Sizes.cpp - Dynamic sizes as polynomials ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::attn::raise;

Extent Sizes::getConstant(int64_t value) {
  Extent extent;
  if (value != 0)
    extent[{}] = value;
  return extent;
}

std::optional<int64_t> Sizes::getConstantValue(const Extent &extent) {
  if (extent.empty())
    return 0;
  if (extent.size() == 1 && extent.begin()->first.empty())
    return extent.begin()->second;
  return std::nullopt;
}

Extent Sizes::add(const Extent &lhs, const Extent &rhs, int64_t factor) {
  Extent sum = lhs;
  for (const auto &[product, multiple] : rhs) {
    int64_t &total = sum[product];
    total += multiple * factor;
    if (total == 0)
      sum.erase(product);
  }
  return sum;
}

Extent Sizes::multiply(const Extent &lhs, const Extent &rhs) {
  Extent result;
  for (const auto &[left, leftFactor] : lhs)
    for (const auto &[right, rightFactor] : rhs) {
      SmallVector<unsigned, 2> product(left);
      llvm::append_range(product, right);
      llvm::sort(product);
      Extent part;
      part[product] = leftFactor * rightFactor;
      result = add(result, part, 1);
    }
  return result;
}

std::optional<Extent> Sizes::divide(const Extent &lhs, const Extent &rhs) {
  if (rhs.size() != 1)
    return lhs == rhs ? std::optional(getConstant(1)) : std::nullopt;
  const auto &[divisor, by] = *rhs.begin();
  Extent result;
  for (const auto &[product, factor] : lhs) {
    SmallVector<unsigned, 2> rest(product);
    for (unsigned symbol : divisor) {
      auto found = llvm::find(rest, symbol);
      if (found == rest.end())
        return std::nullopt;
      rest.erase(found);
    }
    // The remainder by -1 is 0, but traps for the lowest number.
    if (by == -1 ? factor == std::numeric_limits<int64_t>::min()
                 : factor % by != 0)
      return std::nullopt;
    result[rest] = factor / by;
  }
  return result;
}

Extent Sizes::makeSymbol(Value value, int64_t dim) {
  symbols.push_back({value, dim});
  Extent extent;
  extent[{static_cast<unsigned>(symbols.size() - 1)}] = 1;
  return extent;
}

Extent Sizes::resolve(const Extent &extent) const {
  Extent result = extent;
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto &[product, factor] : result) {
      const auto *found = llvm::find_if(
          product, [&](unsigned symbol) { return bound.count(symbol); });
      if (found == product.end())
        continue;
      SmallVector<unsigned, 2> rest(product);
      rest.erase(rest.begin() + (found - product.begin()));
      Extent ofRest;
      ofRest[rest] = factor;
      Extent whole = multiply(ofRest, bound.find(*found)->second);
      SmallVector<unsigned, 2> gone(product);
      result.erase(gone);
      result = add(result, whole, 1);
      changes = true;
      break;
    }
  }
  return result;
}

bool Sizes::areEqual(const Extent &lhs, const Extent &rhs) const {
  return lhs == rhs || resolve(lhs) == resolve(rhs);
}

void Sizes::unite(const Extent &lhs, const Extent &rhs) {
  Extent left = resolve(lhs), right = resolve(rhs);
  if (left == right)
    return;
  // Products that both sums have are removed.
  for (const auto &term : Extent(left))
    if (auto found = right.find(term.first);
        found != right.end() && found->second == term.second) {
      right.erase(found);
      left.erase(term.first);
    }
  // If each of two equal sizes is a single product, factors that both have are
  // removed.
  if (left.size() == 1 && right.size() == 1) {
    SmallVector<unsigned, 2> lhsRest(left.begin()->first), rhsRest;
    for (unsigned symbol : right.begin()->first) {
      auto found = llvm::find(lhsRest, symbol);
      if (found == lhsRest.end())
        rhsRest.push_back(symbol);
      else
        lhsRest.erase(found);
    }
    int64_t common = std::gcd(left.begin()->second, right.begin()->second);
    Extent lhsPart, rhsPart;
    lhsPart[lhsRest] = left.begin()->second / common;
    rhsPart[rhsRest] = right.begin()->second / common;
    left = lhsPart;
    right = rhsPart;
  }
  for (bool isSwapped : {false, true}) {
    const Extent &one = isSwapped ? right : left,
                 &other = isSwapped ? left : right;
    if (one.size() != 1 || one.begin()->first.size() != 1)
      continue;
    unsigned symbol = one.begin()->first.front();
    std::optional<Extent> value =
        divide(other, getConstant(one.begin()->second));
    bool isOther = value && llvm::none_of(*value, [&](const auto &term) {
                     return llvm::is_contained(term.first, symbol);
                   });
    // A symbol is only replaced by an expression of earlier symbols, so that
    // chains of replacements end.
    bool isEarlier = isOther && llvm::all_of(*value, [&](const auto &term) {
                       return llvm::all_of(term.first, [&](unsigned other) {
                         return other < symbol;
                       });
                     });
    if (isEarlier) {
      bound[symbol] = *value;
      return;
    }
  }
}

std::optional<bool> Sizes::compare(arith::CmpIPredicate predicate,
                                   const Extent &lhs, const Extent &rhs) const {
  using P = arith::CmpIPredicate;
  if (predicate >= P::ult) {
    // The sign of a difference does not say which number is larger without a
    // sign, so only constants are compared as unsigned numbers.
    std::optional<int64_t> left = getConstantValue(resolve(lhs)),
                           right = getConstantValue(resolve(rhs));
    if (!left || !right)
      return std::nullopt;
    return arith::applyCmpPredicate(predicate, APInt(64, *left, true),
                                    APInt(64, *right, true));
  }
  Extent difference = resolve(add(lhs, rhs, -1));
  if (std::optional<int64_t> value = getConstantValue(difference))
    return arith::applyCmpPredicate(predicate, APInt(64, *value, true),
                                    APInt(64, 0));
  // Symbols of tensors' sizes are never negative, so the sign of a sum of their
  // products is known if all factors have the same sign.
  auto isNeverNegative = [&](int64_t sign) {
    return llvm::all_of(difference, [&](const auto &term) {
      return term.second * sign >= 0 &&
             llvm::all_of(term.first, [&](unsigned symbol) {
               return symbols[symbol].second >= 0;
             });
    });
  };
  if (isNeverNegative(1) && (predicate == P::sge || predicate == P::slt))
    return predicate == P::sge;
  if (isNeverNegative(-1) && (predicate == P::sle || predicate == P::sgt))
    return predicate == P::sle;
  return std::nullopt;
}

std::optional<AffineExpr> Sizes::getAffine(const Extent &extent,
                                           MLIRContext *context) const {
  AffineExpr expr = getAffineConstantExpr(0, context);
  for (const auto &[product, factor] : resolve(extent)) {
    if (product.size() > 1)
      return std::nullopt;
    AffineExpr part = product.empty()
                          ? getAffineConstantExpr(1, context)
                          : getAffineSymbolExpr(product.front(), context);
    expr = expr + part * factor;
  }
  return expr;
}

Extent Sizes::getDim(Value array, int64_t dim) {
  int64_t size = cast<ShapedType>(array.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(size))
    return getConstant(size);
  auto found = known.find({array, dim});
  if (found != known.end())
    return found->second;
  Extent extent = computeDim(array, dim);
  known[{array, dim}] = extent;
  return extent;
}

Extent Sizes::computeDim(Value array, int64_t dim) {
  Operation *op = array.getDefiningOp();
  if (!op)
    return makeSymbol(array, dim);
  auto getSize = [&](OpFoldResult size) {
    if (std::optional<int64_t> value = getConstantIntValue(size))
      return getConstant(*value);
    return get(cast<Value>(size));
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return getSize(empty.getMixedSizes()[dim]);
  if (auto toType = dyn_cast<tensor::CastOp>(op)) {
    if (isa<RankedTensorType>(toType.getSource().getType()))
      return getDim(toType.getSource(), dim);
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    return getSize(expand.getMixedOutputShape()[dim]);
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Extent product = getConstant(1);
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    for (int64_t source : groups[dim])
      product = multiply(product, getDim(collapse.getSrc(), source));
    return product;
  } else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    return getElement(reshape.getShape(), dim);
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (unsigned source = 0; source < dropped.size(); ++source) {
      if (dropped[source])
        continue;
      if (dim-- == 0)
        return getSize(slice.getMixedSizes()[source]);
    }
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    if (dim != static_cast<int64_t>(concat.getDim()))
      return getDim(concat.getInputs().front(), dim);
    Extent sum = getConstant(0);
    for (Value part : concat.getInputs())
      sum = add(sum, getDim(part, dim), 1);
    return sum;
  } else if (auto style = dyn_cast<DestinationStyleOpInterface>(op)) {
    unsigned number = cast<OpResult>(array).getResultNumber();
    if (Value init = style.getDpsInitOperand(number)->get();
        isa<RankedTensorType>(init.getType()))
      return getDim(init, dim);
  } else if (auto branches = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(array).getResultNumber();
    Extent first = getDim(branches.thenYield().getOperand(number), dim),
           second = getDim(branches.elseYield().getOperand(number), dim);
    if (areEqual(first, second))
      return first;
  } else if (op->getName().getDialectNamespace() == "stablehlo" &&
             op->getNumResults() == 1) {
    if (std::optional<Extent> extent = computeStableHLODim(op, dim))
      return *extent;
  } else if (op->getName().getStringRef() == "tm_tensor.attention" ||
             op->getName().getStringRef() == "iree_linalg_ext.attention") {
    Value init = op->getOperands().back();
    if (init.getType() == array.getType())
      return getDim(init, dim);
  } else if (OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return getDim(operand, dim);
  }
  return makeSymbol(array, dim);
}

Extent Sizes::getElement(Value list, int64_t index) {
  auto found = known.find({list, -2 - index});
  if (found != known.end())
    return found->second;
  Extent extent;
  Operation *op = list.getDefiningOp();
  StringRef name = op ? op->getName().getStringRef() : StringRef();
  // Operands of ops that no verifier has seen may be no lists, or too short.
  auto has = [](Value of, int64_t at) {
    auto type = dyn_cast<RankedTensorType>(of.getType());
    return type && type.getRank() == 1 && at < type.getDimSize(0);
  };
  bool isOfOne = op && op->getNumOperands() == 1;
  DenseIntElementsAttr values;
  bool isFound = true;
  if (matchPattern(list, m_Constant(&values)) ||
      (name == "stablehlo.constant" &&
       (values =
            dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"))))) {
    isFound = index < values.getNumElements();
    if (isFound)
      extent =
          getConstant((*(values.value_begin<APInt>() + index)).getSExtValue());
  } else if (auto elements =
                 op ? dyn_cast<tensor::FromElementsOp>(op) : nullptr) {
    isFound = index < static_cast<int64_t>(elements.getElements().size());
    if (isFound)
      extent = get(elements.getElements()[index]);
  } else if (name == "stablehlo.concatenate") {
    isFound = false;
    int64_t rest = index;
    for (Value part : op->getOperands()) {
      if (!has(part, 0))
        break;
      int64_t size = cast<ShapedType>(part.getType()).getDimSize(0);
      if (rest < size) {
        extent = getElement(part, rest);
        isFound = true;
        break;
      }
      rest -= size;
    }
  } else if (name == "stablehlo.convert" && isOfOne &&
             has(op->getOperand(0), index)) {
    extent = getElement(op->getOperand(0), index);
  } else if (name == "stablehlo.reshape" && isOfOne && index == 0 &&
             isa<RankedTensorType>(op->getOperand(0).getType()) &&
             cast<ShapedType>(op->getOperand(0).getType()).getRank() == 0) {
    extent = get(op->getOperand(0));
  } else {
    isFound = false;
  }
  if (!isFound)
    extent = makeSymbol(list, -2 - index);
  known[{list, -2 - index}] = extent;
  return extent;
}

Extent Sizes::get(Value number) {
  auto found = known.find({number, -1});
  if (found != known.end())
    return found->second;
  Extent extent = computeNumber(number);
  known[{number, -1}] = extent;
  return extent;
}

Extent Sizes::computeNumber(Value number) {
  Operation *op = number.getDefiningOp();
  auto opaque = [&] { return makeSymbol(number, -1); };
  if (!op)
    return opaque();
  IntegerAttr constant;
  if (matchPattern(number, m_Constant(&constant)))
    return getConstant(constant.getType().isInteger(1)
                           ? constant.getValue().getZExtValue()
                           : constant.getValue().getSExtValue());
  if (op->getName().getDialectNamespace() == "stablehlo") {
    std::optional<Extent> extent = computeStableHLONumber(op);
    return extent ? *extent : opaque();
  }
  auto getOperand = [&](unsigned i) { return get(op->getOperand(i)); };
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    return index && type && *index >= 0 && *index < type.getRank()
               ? getDim(dim.getSource(), *index)
               : opaque();
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp>(op)) {
    // Here an i1 is 0 or 1, but if its sign is extended, true becomes -1.
    bool isNegated =
        op->getOperand(0).getType().isInteger(1) && !isa<arith::ExtUIOp>(op);
    return isNegated ? multiply(getOperand(0), getConstant(-1)) : getOperand(0);
  }
  if (isa<arith::AddIOp>(op))
    return add(getOperand(0), getOperand(1), 1);
  if (isa<arith::SubIOp>(op))
    return add(getOperand(0), getOperand(1), -1);
  if (isa<arith::MulIOp>(op))
    return multiply(getOperand(0), getOperand(1));
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op)) {
    auto quotient = divide(resolve(getOperand(0)), resolve(getOperand(1)));
    return quotient ? *quotient : opaque();
  }
  if (isa<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp>(op) &&
      areEqual(getOperand(0), getOperand(1)))
    return getOperand(0);
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto result =
        this->compare(compare.getPredicate(), getOperand(0), getOperand(1));
    return result ? getConstant(*result) : opaque();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = getConstantValue(getOperand(0));
    if (condition)
      return getOperand(*condition ? 1 : 2);
    return areEqual(getOperand(1), getOperand(2)) ? getOperand(1) : opaque();
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    std::function<std::optional<Extent>(AffineExpr)> evaluate =
        [&](AffineExpr expr) -> std::optional<Extent> {
      if (auto value = dyn_cast<AffineConstantExpr>(expr))
        return getConstant(value.getValue());
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        return getOperand(dim.getPosition());
      if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
        return getOperand(map.getNumDims() + symbol.getPosition());
      auto binary = cast<AffineBinaryOpExpr>(expr);
      auto lhs = evaluate(binary.getLHS()), rhs = evaluate(binary.getRHS());
      if (!lhs || !rhs)
        return std::nullopt;
      if (binary.getKind() == AffineExprKind::Add)
        return add(*lhs, *rhs, 1);
      if (binary.getKind() == AffineExprKind::Mul)
        return multiply(*lhs, *rhs);
      if (binary.getKind() == AffineExprKind::FloorDiv ||
          binary.getKind() == AffineExprKind::CeilDiv)
        return divide(resolve(*lhs), resolve(*rhs));
      return std::nullopt;
    };
    std::optional<Extent> extent = evaluate(map.getResult(0));
    return extent ? *extent : opaque();
  }
  return opaque();
}
