//===- RegionIntervals.cpp - Intervals of a region's values ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionIntervals.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

Operation *mlir::attn::emitScalar(Operation &op, TileBuilder &b,
                                  IRMapping &mapping) {
  auto read = dyn_cast<ReadOp>(op);
  if (!read)
    return b.clone(op, mapping);
  auto indices = llvm::map_to_vector(
      read.getIndices(), [&](Value index) { return mapping.lookup(index); });
  auto gather = attn_tile::GatherOp::create(
      b, op.getLoc(), read.getType(), mapping.lookup(read.getArray()), indices);
  mapping.map(read.getResult(), gather.getResult());
  return gather;
}

Value mlir::attn::getNegated(Value condition) {
  auto negation = condition.getDefiningOp<arith::XOrIOp>();
  if (negation && matchPattern(negation.getRhs(), m_One()))
    return negation.getLhs();
  if (negation && matchPattern(negation.getLhs(), m_One()))
    return negation.getRhs();
  return Value();
}

std::optional<int64_t> mlir::attn::getDivisor(Operation *op) {
  APInt divisor;
  if (!isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
      divisor.getSignificantBits() > 32 || !divisor.isStrictlyPositive())
    return std::nullopt;
  return divisor.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Questions about the region
//===----------------------------------------------------------------------===//

static bool hasIntegers(Value value) { return value.getType().isIntOrIndex(); }

/// A bound whose magnitude is at least kRange counts as unknown, so all
/// computed bounds are smaller.
static constexpr int64_t kRange = int64_t(1) << 31;

RegionIntervals::RegionIntervals(AttentionInterface op, Block &body)
    : op(op), body(body), dependence(body) {
  auto getRange = [&](Value value) {
    unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
    // Batch entry, head, row and key are between 0 and INT32_MAX.
    if (getPosition(value))
      return ConstantIntRanges::fromSigned(APInt(width, 0),
                                           APInt(width, INT32_MAX));
    auto known = ranges.find(value);
    return known == ranges.end() ? ConstantIntRanges::maxRange(width)
                                 : known->second;
  };
  for (BlockArgument argument : body.getArguments())
    if (getPosition(argument))
      ranges.try_emplace(argument, getRange(argument));
  for (Operation &inner : body.without_terminator()) {
    auto inferable = dyn_cast<InferIntRangeInterface>(inner);
    if (inferable && llvm::all_of(inner.getOperands(), hasIntegers) &&
        llvm::all_of(inner.getResults(), hasIntegers))
      inferable.inferResultRanges(
          llvm::map_to_vector(inner.getOperands(), getRange),
          [&](Value result, const ConstantIntRanges &range) {
            ranges.try_emplace(result, range);
          });
  }
}

bool RegionIntervals::hasInterval(Value value) const {
  Type type = value.getType();
  if (!type.isIndex() &&
      (!type.isSignlessInteger() || type.getIntOrFloatBitWidth() == 1 ||
       type.getIntOrFloatBitWidth() > 64))
    return false;
  if (isSource(value))
    return true;
  Operation *inner = value.getDefiningOp();
  if (!inner || !isBounded(inner))
    return false;
  if (getDivisor(inner))
    return hasInterval(inner->getOperand(0));
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
             arith::MaxSIOp, math::AbsIOp, arith::IndexCastOp, arith::ExtSIOp,
             arith::TruncIOp>(inner) &&
         llvm::all_of(inner->getOperands(),
                      [&](Value operand) { return hasInterval(operand); });
}

RegionIntervals::Decided RegionIntervals::findDecided(
    Value condition, function_ref<bool(Value)> isLeaf,
    function_ref<bool(Value, bool isNegated)> isDecided, bool isNegated) const {
  return combineConditions<Decided>(
      condition, isLeaf,
      [&](Value part, bool isNegated) -> Decided {
        bool is = isLeaf(part) || isDecided(part, isNegated);
        return {is, is};
      },
      [](Decided lhs, Decided rhs) -> Decided {
        return {lhs.none || rhs.none, lhs.all && rhs.all};
      },
      [](Decided lhs, Decided rhs) -> Decided {
        return {lhs.none && rhs.none, lhs.all || rhs.all};
      },
      isNegated);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static bool isVector(OpFoldResult bound) {
  auto value = dyn_cast<Value>(bound);
  return value && isa<RankedTensorType>(value.getType());
}

OpFoldResult RegionIntervals::constantLike(OpFoldResult bound, int64_t number) {
  TileBuilder &b = *builder;
  if (!isVector(bound))
    return b.getIndexAttr(number);
  return b.integer(cast<Value>(bound).getType(), number);
}

OpFoldResult RegionIntervals::sum(OpFoldResult x, OpFoldResult y) {
  TileBuilder &b = *builder;
  if (isVector(x))
    return b.addi(cast<Value>(x), cast<Value>(y));
  return b.apply(b.getAffineDimExpr(0) + b.getAffineDimExpr(1), {x, y});
}

OpFoldResult RegionIntervals::difference(OpFoldResult x, OpFoldResult y) {
  TileBuilder &b = *builder;
  if (isVector(x))
    return b.subi(cast<Value>(x), cast<Value>(y));
  return b.apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {x, y});
}

OpFoldResult RegionIntervals::min(OpFoldResult x, OpFoldResult y) {
  return isVector(x) ? builder->minsi(cast<Value>(x), cast<Value>(y))
                     : builder->min(x, y);
}

OpFoldResult RegionIntervals::max(OpFoldResult x, OpFoldResult y) {
  return isVector(x) ? builder->maxsi(cast<Value>(x), cast<Value>(y))
                     : builder->max(x, y);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

void RegionIntervals::emitUniform(TileBuilder &b, Value batch, Value head) {
  unsigned first = getFirstPosition(body);
  uniform.map(body.getArgument(first), batch);
  uniform.map(body.getArgument(first + 1), head);
  for (auto [argument, capture] :
       llvm::zip(body.getArguments().drop_front(first + kNumMaskArguments),
                 op.getCaptures()))
    uniform.map(argument, capture);
  for (Operation &inner : body.without_terminator())
    if (isUniform(inner.getResult(0)))
      emitScalar(inner, b, uniform);
}

Value RegionIntervals::getUniform(Value value) {
  Value own = uniform.lookupOrDefault(value);
  return own.getType().isIndex()
             ? own
             : builder->indexCast(builder->getIndexType(), own);
}

RegionIntervals::Interval RegionIntervals::getInterval(Value value) {
  auto known = intervals.find(value);
  if (known != intervals.end())
    return known->second;
  Interval found =
      isSource(value) ? getSource(value) : compute(value.getDefiningOp());
  return intervals[value] = found;
}

RegionIntervals::Interval RegionIntervals::add(Interval x, Interval y) {
  OpFoldResult low = sum(x.low, y.low);
  return {low, sum(x.high, y.high)};
}

RegionIntervals::Interval RegionIntervals::subtract(Interval x, Interval y) {
  OpFoldResult low = difference(x.low, y.high);
  return {low, difference(x.high, y.low)};
}

/// Returns the interval of a product: of two intervals whose bounds are
/// vectors, or of one with scalar bounds and a positive constant.
RegionIntervals::Interval RegionIntervals::multiply(Interval x, Interval y) {
  if (!isVector(x.low)) {
    // Bounds beyond kAny, as sums and products of unknown numbers have, are
    // clamped to kAny, so that the products below do not overflow.
    auto multiplyNear = [&](OpFoldResult bound) {
      bound = max(constantLike(bound, -kAny), bound);
      bound = min(constantLike(bound, kAny), bound);
      return builder->apply(
          builder->getAffineDimExpr(0) * *getConstantIntValue(y.low), {bound});
    };
    OpFoldResult low = multiplyNear(x.low);
    return {low, multiplyNear(x.high)};
  }
  // The factors are clamped so that their products do not overflow. If a factor
  // was clamped, it counts as any number, and keepInRange() widens the product
  // to the interval of all numbers.
  constexpr int64_t kFactor = int64_t(1) << 31;
  auto near = [&](OpFoldResult bound) {
    return cast<Value>(min(constantLike(bound, kFactor),
                           max(constantLike(bound, -kFactor), bound)));
  };
  OpFoldResult products[4];
  for (int i = 0; i < 4; ++i)
    products[i] = builder->muli(near(i & 1 ? x.high : x.low),
                                near(i & 2 ? y.high : y.low));
  return {min(min(products[0], products[1]), min(products[2], products[3])),
          max(max(products[0], products[1]), max(products[2], products[3]))};
}

RegionIntervals::Interval RegionIntervals::divide(Interval x,
                                                  Operation *inner) {
  TileBuilder &b = *builder;
  int64_t divisor = *getDivisor(inner);
  if (!isVector(x.low)) {
    AffineExpr d0 = b.getAffineDimExpr(0), quotient = d0.floorDiv(divisor);
    OpFoldResult low = b.apply(quotient, {x.low});
    // Except for floordivsi, divisions of negative numbers round the quotient
    // up, towards 0.
    bool roundsDown =
        isa<arith::FloorDivSIOp>(inner) || isNotNegative(inner->getOperand(0));
    return {low,
            b.apply(roundsDown ? quotient : d0.ceilDiv(divisor), {x.high})};
  }
  // Floor and truncating division differ for negative numbers. An interval with
  // negative numbers therefore becomes the interval of all numbers.
  auto constant = [&](int64_t number) {
    return cast<Value>(constantLike(x.low, number));
  };
  Value by = constant(divisor);
  auto quotient = [&](OpFoldResult bound) -> Value {
    return b.divui(b.maxsi(constant(0), cast<Value>(bound)), by);
  };
  Value isNegative = b.slt(cast<Value>(x.low), constant(0));
  Value low = b.select(isNegative, constant(-kAny), quotient(x.low));
  return {low, b.select(isNegative, constant(kAny), quotient(x.high))};
}

RegionIntervals::Interval RegionIntervals::compute(Operation *inner) {
  std::optional<int64_t> divisor = getDivisor(inner);
  SmallVector<Interval> operands;
  for (Value operand : inner->getOperands())
    if (operands.empty() || !divisor)
      operands.push_back(getInterval(operand));
  Interval x = operands.front(), y = operands.back(), result = x;
  if (isa<arith::MinSIOp>(inner))
    return {min(x.low, y.low), min(x.high, y.high)};
  if (isa<arith::MaxSIOp>(inner))
    return {max(x.low, y.low), max(x.high, y.high)};
  if (isa<arith::AddIOp>(inner)) {
    result = add(x, y);
  } else if (isa<arith::SubIOp>(inner)) {
    result = subtract(x, y);
  } else if (isa<arith::MulIOp>(inner)) {
    result = multiply(x, y);
  } else if (isa<math::AbsIOp>(inner)) {
    OpFoldResult zero = constantLike(x.low, 0);
    OpFoldResult negated = difference(zero, x.low);
    result = {max(zero, max(x.low, difference(zero, x.high))),
              max(negated, x.high)};
  } else if (divisor) {
    result = divide(x, inner);
  }
  return keepInRange(result, operands, inner);
}

Value RegionIntervals::isAny(Interval found, int64_t least, int64_t most) {
  TileBuilder &b = *builder;
  auto limit = [&](int64_t number) { return asValueLike(found.low, number); };
  return b.ori(b.sle(b.asValue(found.low), limit(least)),
               b.sge(b.asValue(found.high), limit(most)));
}

RegionIntervals::Interval RegionIntervals::widen(Interval found, Value isWild) {
  TileBuilder &b = *builder;
  auto limit = [&](int64_t number) { return asValueLike(found.low, number); };
  Value low = b.select(isWild, limit(-kAny), b.asValue(found.low));
  return {low, b.select(isWild, limit(kAny), b.asValue(found.high))};
}

RegionIntervals::Interval
RegionIntervals::keepFitting(Interval result, ArrayRef<Interval> operands,
                             unsigned width) {
  int64_t range = width >= 32 ? kRange - 1 : (int64_t(1) << (width - 1)) - 1;
  Value isWild = isAny(result, -range - 1, range + 1);
  for (Interval operand : operands)
    isWild = builder->ori(isWild, isAny(operand, -kRange, kRange));
  return widen(result, isWild);
}

RegionIntervals::Truth RegionIntervals::compare(arith::CmpIPredicate predicate,
                                                Interval x, Interval y) {
  using P = arith::CmpIPredicate;
  TileBuilder &b = *builder;
  auto holds = [&](P own, OpFoldResult lhs, OpFoldResult rhs) -> Value {
    return b.cmpi(own, b.asValue(lhs), b.asValue(rhs));
  };
  switch (predicate) {
  case P::slt:
  case P::sle: {
    Value may = holds(predicate, x.low, y.high);
    return {may, holds(predicate, x.high, y.low)};
  }
  case P::sgt:
  case P::sge: {
    Value may = holds(predicate, x.high, y.low);
    return {may, holds(predicate, x.low, y.high)};
  }
  case P::eq: {
    Value may =
        b.andi(holds(P::sle, x.low, y.high), holds(P::sge, x.high, y.low));
    return {may,
            b.andi(holds(P::eq, x.low, y.high), holds(P::eq, x.high, y.low))};
  }
  case P::ne: {
    Value may = b.ori(holds(P::ne, x.low, y.high), holds(P::ne, x.high, y.low));
    return {may,
            b.ori(holds(P::sgt, x.low, y.high), holds(P::slt, x.high, y.low))};
  }
  default:
    break;
  }
  // An unsigned comparison of numbers that are not negative is the signed one.
  // If a number may be negative, nothing is known.
  if (predicate == P::ugt || predicate == P::uge)
    std::swap(x, y);
  P own = predicate == P::ult || predicate == P::ugt ? P::slt : P::sle;
  OpFoldResult zero = constantLike(x.low, 0);
  Value isSigned =
      b.ori(holds(P::slt, x.low, zero), holds(P::slt, y.low, zero));
  Value isUnsigned =
      b.andi(holds(P::sge, x.low, zero), holds(P::sge, y.low, zero));
  Value may = b.ori(isSigned, holds(own, x.low, y.high));
  return {may, b.andi(isUnsigned, holds(own, x.high, y.low))};
}
