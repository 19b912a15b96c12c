//===- MaskRanges.cpp - Where a mask region keeps pairs -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskRanges.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

/// Larger than any position. Sums of a few of it do not overflow.
static constexpr int64_t kFar = int64_t(1) << 40;
/// Products with divisors up to this one stay in range.
static constexpr int64_t kLargestDivisor = 1 << 16;

/// Bits for the positions that a value depends on.
static constexpr unsigned kOnBounded = 1, kOnGiven = 2;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

/// Returns the divisor of an op that divides by a constant from 1 to
/// kLargestDivisor, or none.
static std::optional<int64_t> getDivisor(Operation *op) {
  if (!isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op))
    return std::nullopt;
  std::optional<int64_t> divisor = getConstant(op->getOperand(1));
  if (!divisor || *divisor < 1 || *divisor > kLargestDivisor)
    return std::nullopt;
  return divisor;
}

/// Whether the value's type is wide enough for sums of positions not to wrap.
static bool isWide(Value value) {
  return value.getType().isIndex() || value.getType().isInteger(64);
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return predicate == P::ult || predicate == P::ule || predicate == P::ugt ||
         predicate == P::uge;
}

static arith::CmpIPredicate asSigned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::ult:
    return P::slt;
  case P::ule:
    return P::sle;
  case P::ugt:
    return P::sgt;
  case P::uge:
    return P::sge;
  default:
    return predicate;
  }
}

/// Returns the predicate with sides swapped: a > b is b < a.
static arith::CmpIPredicate swapSides(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sgt;
  case P::sle:
    return P::sge;
  case P::sgt:
    return P::slt;
  case P::sge:
    return P::sle;
  default:
    return predicate;
  }
}

MaskRanges::MaskRanges(AttentionInterface op, bool ofRows)
    : op(op), body(op.getMaskRegion().front()),
      bounded(body.getArgument(ofRows ? 2 : 3)),
      given(body.getArgument(ofRows ? 3 : 2)) {
  dependence[bounded] = kOnBounded;
  dependence[given] = kOnGiven;
  for (Operation &inner : body.without_terminator()) {
    unsigned on = 0;
    for (Value operand : inner.getOperands())
      on |= dependence.lookup(operand);
    for (Value result : inner.getResults())
      dependence[result] = on;
  }
  findBounds(cast<YieldOp>(body.getTerminator()).getValue(),
             /*isNegated=*/false, isBounded, isDecided);
}

bool MaskRanges::isUniform(Value value) const {
  return dependence.lookup(value) == 0;
}
bool MaskRanges::isFree(Value value) const {
  return (dependence.lookup(value) & kOnBounded) == 0;
}

//===----------------------------------------------------------------------===//
// Analysis of the region
//===----------------------------------------------------------------------===//

/// Whether the ops that compute the value show that it is not negative.
/// Captures may be any number.
bool MaskRanges::isNotNegative(Value value) const {
  if (isa<BlockArgument>(value))
    return cast<BlockArgument>(value).getArgNumber() < kNumMaskArguments;
  if (std::optional<int64_t> constant = getConstant(value))
    return *constant >= 0;
  Operation *inner = value.getDefiningOp();
  auto isFit = [&](Value operand) { return isNotNegative(operand); };
  if (getDivisor(inner))
    return isFit(inner->getOperand(0));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(inner))
    return isWide(value) && isFit(inner->getOperand(0));
  return isa<arith::AddIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp,
             arith::MinUIOp, arith::MaxUIOp>(inner) &&
         isWide(value) && llvm::all_of(inner->getOperands(), isFit);
}

/// Whether bounds are known of a value that does not depend on the bounded
/// position.
bool MaskRanges::hasBounds(Value value) const {
  if (isUniform(value))
    return value.getType().isIndex() ||
           (value.getType().isSignlessInteger() &&
            value.getType().getIntOrFloatBitWidth() > 1 &&
            value.getType().getIntOrFloatBitWidth() <= 64);
  if (value == given)
    return true;
  Operation *inner = value.getDefiningOp();
  auto isFit = [&](Value operand) { return hasBounds(operand); };
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(inner))
    return isFit(inner->getOperand(0)) &&
           (isWide(value) || inner->getOperand(0) == given);
  if (!isWide(value))
    return false;
  if (getDivisor(inner))
    return isFit(inner->getOperand(0)) && isNotNegative(inner->getOperand(0));
  return isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(
             inner) &&
         llvm::all_of(inner->getOperands(), isFit);
}

bool MaskRanges::decompose(Value value, int64_t sign, Term &term) const {
  if (isFree(value)) {
    term.rest.emplace_back(value, sign);
    return hasBounds(value);
  }
  auto setPosition = [&](int64_t divisor) {
    bool isFirst = term.sign == 0;
    term.sign = sign;
    term.divisor = divisor;
    return isFirst;
  };
  if (value == bounded)
    return setPosition(1);
  Operation *inner = value.getDefiningOp();
  if (auto divisor = getDivisor(inner))
    return inner->getOperand(0) == bounded && setPosition(*divisor);
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(inner))
    return (isWide(value) || inner->getOperand(0) == bounded) &&
           decompose(inner->getOperand(0), sign, term);
  if (!isWide(value) || !isa<arith::AddIOp, arith::SubIOp>(inner))
    return false;
  return decompose(inner->getOperand(0), sign, term) &&
         decompose(inner->getOperand(1),
                   isa<arith::SubIOp>(inner) ? -sign : sign, term);
}

/// Returns the difference of a comparison's sides, or none if it has no closed
/// form.
std::optional<MaskRanges::Term> MaskRanges::compare(Operation *inner) const {
  auto comparison = dyn_cast<arith::CmpIOp>(inner);
  Term term;
  if (!comparison || comparison.getLhs().getType().isInteger(1) ||
      !decompose(comparison.getLhs(), 1, term) ||
      !decompose(comparison.getRhs(), -1, term))
    return std::nullopt;
  if (isUnsigned(comparison.getPredicate()) &&
      !(isNotNegative(comparison.getLhs()) &&
        isNotNegative(comparison.getRhs())))
    return std::nullopt;
  return term;
}

/// Finds whether the condition bounds the position, and whether it may be shown
/// to hold for all positions of some range.
void MaskRanges::findBounds(Value condition, bool isNegated, bool &bounds,
                            bool &decides) {
  bounds = decides = false;
  if (isUniform(condition)) {
    bounds = decides = true;
    return;
  }
  Operation *inner = condition.getDefiningOp();
  if (Value negated = getNegated(condition))
    return findBounds(negated, !isNegated, bounds, decides);
  if (isa<arith::AndIOp, arith::OrIOp>(inner)) {
    bool bounds2, decides2;
    findBounds(inner->getOperand(0), isNegated, bounds, decides);
    findBounds(inner->getOperand(1), isNegated, bounds2, decides2);
    bool isAnd = isa<arith::AndIOp>(inner) != isNegated;
    bounds = isAnd ? bounds || bounds2 : bounds && bounds2;
    decides = isAnd ? decides && decides2 : decides || decides2;
    return;
  }
  std::optional<Term> term = compare(inner);
  if (!term)
    return;
  // The positions other than one are no range.
  auto differs =
      isNegated ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne;
  bounds = decides =
      term->sign == 0 || cast<arith::CmpIOp>(inner).getPredicate() != differs;
}

static constexpr unsigned kBelow = 1, kAbove = 2;

/// Returns at which ends the condition bounds the position. Where either of two
/// conditions may hold, the range that spans both has no gap if both are
/// bounded at the same end alone.
unsigned MaskRanges::findEnds(Value condition, bool isNegated,
                              bool &hasGap) const {
  using P = arith::CmpIPredicate;
  Operation *inner = condition.getDefiningOp();
  if (!inner || isUniform(condition))
    return 0;
  if (Value negated = getNegated(condition))
    return findEnds(negated, !isNegated, hasGap);
  if (isa<arith::AndIOp, arith::OrIOp>(inner)) {
    unsigned lhs = findEnds(inner->getOperand(0), isNegated, hasGap);
    unsigned rhs = findEnds(inner->getOperand(1), isNegated, hasGap);
    if (isa<arith::AndIOp>(inner) != isNegated)
      return lhs | rhs;
    bool isOneEnd = lhs == rhs && lhs != (kBelow | kAbove);
    hasGap |= lhs && rhs && !isOneEnd;
    return lhs & rhs;
  }
  std::optional<Term> term = compare(inner);
  if (!term || term->sign == 0)
    return 0;
  P predicate = cast<arith::CmpIOp>(inner).getPredicate();
  predicate =
      asSigned(isNegated ? arith::invertPredicate(predicate) : predicate);
  if (term->sign < 0)
    predicate = swapSides(predicate);
  switch (predicate) {
  case P::slt:
  case P::sle:
    return kAbove;
  case P::sgt:
  case P::sge:
    return kBelow;
  case P::eq:
    return kBelow | kAbove;
  default:
    return 0;
  }
}

bool MaskRanges::mayHaveGaps() const {
  bool hasGap = false;
  findEnds(cast<YieldOp>(body.getTerminator()).getValue(),
           /*isNegated=*/false, hasGap);
  return hasGap;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void MaskRanges::emitUniform(TileBuilder &b, Value batch, Value head) {
  emitUniformOps(
      op, b, batch, head, [&](Value value) { return isUniform(value); },
      uniform);
}

MaskRanges::Bounds MaskRanges::getBounds(Value value) {
  TileBuilder &b = *builder;
  AffineExpr d0 = b.getAffineDimExpr(0);
  AffineExpr d1 = b.getAffineDimExpr(1);
  if (isUniform(value)) {
    Value own = uniform.lookup(value);
    if (!own.getType().isIndex())
      own = b.indexCast(b.getIndexType(), own);
    OpFoldResult low = getAsOpFoldResult(own);
    low = b.max(b.getIndexAttr(-kFar), b.min(low, b.getIndexAttr(kFar)));
    return {low, low};
  }
  if (value == given)
    return interval;
  Operation *inner = value.getDefiningOp();
  Bounds lhs = getBounds(inner->getOperand(0));
  if (inner->getNumOperands() == 1)
    return lhs;
  if (auto divisor = getDivisor(inner))
    return {b.apply(d0.floorDiv(*divisor), {lhs.low}),
            b.apply(d0.floorDiv(*divisor), {lhs.high})};
  Bounds rhs = getBounds(inner->getOperand(1));
  if (isa<arith::AddIOp>(inner))
    return {b.apply(d0 + d1, {lhs.low, rhs.low}),
            b.apply(d0 + d1, {lhs.high, rhs.high})};
  if (isa<arith::SubIOp>(inner))
    return {b.apply(d0 - d1, {lhs.low, rhs.high}),
            b.apply(d0 - d1, {lhs.high, rhs.low})};
  if (isa<arith::MinSIOp>(inner))
    return {b.min(lhs.low, rhs.low), b.min(lhs.high, rhs.high)};
  return {b.max(lhs.low, rhs.low), b.max(lhs.high, rhs.high)};
}

/// Returns the range of a comparison that has a closed form.
MaskRange MaskRanges::emitComparison(Operation *inner, bool isNegated) {
  using P = arith::CmpIPredicate;
  TileBuilder &b = *builder;
  Term term = *compare(inner);
  P predicate = cast<arith::CmpIOp>(inner).getPredicate();
  if (isNegated)
    predicate = arith::invertPredicate(predicate);
  predicate = asSigned(predicate);
  // The comparison is `position predicate e`, or `e predicate 0` without a
  // position.
  if (term.sign < 0)
    predicate = swapSides(predicate);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  Bounds e = {b.getIndexAttr(0), b.getIndexAttr(0)};
  for (auto [value, sign] : term.rest) {
    Bounds next = getBounds(value);
    bool isAdded = term.sign > 0 ? sign < 0 : sign > 0;
    e = isAdded ? Bounds{b.apply(d0 + d1, {e.low, next.low}),
                         b.apply(d0 + d1, {e.high, next.high})}
                : Bounds{b.apply(d0 - d1, {e.low, next.high}),
                         b.apply(d0 - d1, {e.high, next.low})};
  }
  OpFoldResult near = b.getIndexAttr(-kFar), far = b.getIndexAttr(kFar);
  int64_t c = term.divisor;
  auto from = [&](OpFoldResult quotient) {
    return b.apply(d0 * c, {quotient});
  };
  auto behind = [&](OpFoldResult quotient) {
    return b.apply(d0 * c + c, {quotient});
  };
  if (term.sign != 0)
    switch (predicate) {
    case P::sle:
      return {near, behind(e.high), near, behind(e.low)};
    case P::slt:
      return {near, from(e.high), near, from(e.low)};
    case P::sge:
      return {from(e.low), far, from(e.high), far};
    case P::sgt:
      return {behind(e.low), far, behind(e.high), far};
    case P::eq:
      return {from(e.low), behind(e.high), from(e.high), behind(e.low)};
    default:
      return {near, far, far, near};
    }

  // Keeps all positions or none, by whether the comparison may hold, and
  // whether it always does.
  Value zero = b.asValue(b.getIndexAttr(0));
  auto holds = [&](P own, OpFoldResult bound) -> Value {
    return b.cmpi(own, b.asValue(bound), zero);
  };
  auto both = [&](Value lhs, Value rhs) -> Value { return b.andi(lhs, rhs); };
  Value may, always;
  if (predicate == P::slt || predicate == P::sle) {
    may = holds(predicate, e.low);
    always = holds(predicate, e.high);
  } else if (predicate == P::sgt || predicate == P::sge) {
    may = holds(predicate, e.high);
    always = holds(predicate, e.low);
  } else {
    Value isZero = both(holds(P::eq, e.low), holds(P::eq, e.high));
    Value isAround = both(holds(P::sle, e.low), holds(P::sge, e.high));
    Value yes = arith::ConstantIntOp::create(b, 1, 1);
    auto negate = [&](Value value) -> Value { return b.xori(value, yes); };
    may = predicate == P::eq ? isAround : negate(isZero);
    always = predicate == P::eq ? isZero : negate(isAround);
  }
  auto choose = [&](Value condition, OpFoldResult yes, OpFoldResult no) {
    return OpFoldResult(b.select(condition, b.asValue(yes), b.asValue(no)));
  };
  return {choose(may, near, far), choose(may, far, near),
          choose(always, near, far), choose(always, far, near)};
}

MaskRange MaskRanges::emitCondition(Value condition, bool isNegated) {
  TileBuilder &b = *builder;
  OpFoldResult near = b.getIndexAttr(-kFar), far = b.getIndexAttr(kFar);
  if (isUniform(condition)) {
    Value holds = uniform.lookup(condition);
    auto choose = [&](OpFoldResult yes, OpFoldResult no) {
      if (isNegated)
        std::swap(yes, no);
      return OpFoldResult(b.select(holds, b.asValue(yes), b.asValue(no)));
    };
    OpFoldResult first = choose(near, far), last = choose(far, near);
    return {first, last, first, last};
  }
  if (Value negated = getNegated(condition))
    return emitCondition(negated, !isNegated);
  Operation *inner = condition.getDefiningOp();
  if (!isa<arith::AndIOp, arith::OrIOp>(inner))
    return compare(inner) ? emitComparison(inner, isNegated)
                          : MaskRange{near, far, far, near};
  MaskRange x = emitCondition(inner->getOperand(0), isNegated);
  MaskRange y = emitCondition(inner->getOperand(1), isNegated);
  if (isa<arith::AndIOp>(inner) != isNegated)
    return {b.max(x.lo, y.lo), b.min(x.hi, y.hi), b.max(x.fullLo, y.fullLo),
            b.min(x.fullHi, y.fullHi)};
  // Where either may hold, takes the range that spans both full ranges, if they
  // meet. Else takes that of the first condition that may have one, whatever
  // the interval is: the range of fewer rows must not be smaller.
  bool bounds, decides;
  findBounds(inner->getOperand(0), isNegated, bounds, decides);
  if (!decides)
    std::swap(x, y);
  Value meets = b.sle(b.asValue(b.max(x.fullLo, y.fullLo)),
                      b.asValue(b.min(x.fullHi, y.fullHi)));
  auto choose = [&](OpFoldResult hull, OpFoldResult own) {
    return OpFoldResult(b.select(meets, b.asValue(hull), b.asValue(own)));
  };
  return {b.min(x.lo, y.lo), b.max(x.hi, y.hi),
          choose(b.min(x.fullLo, y.fullLo), x.fullLo),
          choose(b.max(x.fullHi, y.fullHi), x.fullHi)};
}

MaskRange MaskRanges::emit(TileBuilder &b, OpFoldResult first,
                           OpFoldResult last) {
  builder = &b;
  interval = {first, last};
  return emitCondition(cast<YieldOp>(body.getTerminator()).getValue(),
                       /*isNegated=*/false);
}
