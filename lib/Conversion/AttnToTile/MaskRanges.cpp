//===- MaskRanges.cpp - Ranges of pairs that a mask keeps -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskRanges.h"

using namespace mlir;
using namespace mlir::attn;

/// The largest divisor for which a range is computed. Products of such a
/// divisor and a position do not overflow.
static constexpr int64_t kLargestDivisor = 1 << 16;

/// Whether the value's integer type (index or i64) is so wide that sums of
/// positions do not wrap.
static bool isWide(Value value) {
  return value.getType().isIndex() || value.getType().isInteger(64);
}

/// Whether the value's integer type holds every position, so that a cast of a
/// position to it does not wrap. Positions are below 2^31.
static bool holdsPositions(Value value) {
  return isWide(value) || value.getType().getIntOrFloatBitWidth() >= 32;
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

/// Returns the signed predicate with which a comparison stays the same if its
/// sides are swapped: `a > b` becomes `b < a`.
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

/// Whether the op divides by a positive constant of at most kLargestDivisor.
static bool isQuotient(Operation *op) {
  std::optional<int64_t> divisor = getDivisor(op);
  return divisor && *divisor <= kLargestDivisor;
}

MaskRanges::MaskRanges(AttentionInterface op, bool ofRows)
    : RegionIntervals(op, op.getMaskRegion().front()),
      bounded(body.getArgument(ofRows ? 2 : 3)),
      given(body.getArgument(ofRows ? 3 : 2)),
      decided(findBounds(getCondition(), /*isNegated=*/false)) {}

//===----------------------------------------------------------------------===//
// Analysis of the region
//===----------------------------------------------------------------------===//

bool MaskRanges::isFree(Value value) const {
  return (dependence.get(value) & dependence.get(bounded)) == 0;
}

bool MaskRanges::isBounded(Operation *inner) const {
  Value result = inner->getResult(0), first = inner->getOperand(0);
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(inner))
    return isWide(result) || (first == given && holdsPositions(result));
  return isWide(result) &&
         (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(
              inner) ||
          (isQuotient(inner) && isNotNegative(first)));
}

bool MaskRanges::decompose(Value value, int64_t sign, Term &term) const {
  if (isFree(value)) {
    term.rest.emplace_back(value, sign);
    return hasInterval(value);
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
  if (isQuotient(inner))
    return inner->getOperand(0) == bounded && setPosition(*getDivisor(inner));
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(inner))
    return (isWide(value) ||
            (inner->getOperand(0) == bounded && holdsPositions(value))) &&
           decompose(inner->getOperand(0), sign, term);
  if (!isWide(value) || !isa<arith::AddIOp, arith::SubIOp>(inner))
    return false;
  return decompose(inner->getOperand(0), sign, term) &&
         decompose(inner->getOperand(1),
                   isa<arith::SubIOp>(inner) ? -sign : sign, term);
}

/// Returns the left side of a comparison minus its right side. Returns
/// std::nullopt unless the difference is a sum of values that have intervals
/// and of the bounded position, or its quotient, at most once. An unsigned
/// comparison must compare values that are never negative.
std::optional<MaskRanges::Term> MaskRanges::getTerm(Operation *inner) const {
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

/// Returns the signed predicate of a comparison that was solved for the bounded
/// position, so that this position is on the left side.
static arith::CmpIPredicate getPredicate(Value comparison, int64_t sign,
                                         bool isNegated) {
  auto predicate = comparison.getDefiningOp<arith::CmpIOp>().getPredicate();
  if (isNegated)
    predicate = arith::invertPredicate(predicate);
  predicate = asSigned(predicate);
  return sign < 0 ? swapSides(predicate) : predicate;
}

/// Returns `none`, whether ranges may show that the condition excludes
/// positions, and `all`, whether there may be a range of positions for which
/// the condition always holds.
RegionIntervals::Decided MaskRanges::findBounds(Value condition,
                                                bool isNegated) const {
  using P = arith::CmpIPredicate;
  return findDecided(
      condition, [&](Value part) { return isUniform(part); },
      [&](Value part, bool isPartNegated) {
        Operation *inner = part.getDefiningOp();
        std::optional<Term> term = getTerm(inner);
        // A comparison that is true for all positions but one ("not equal")
        // gives no range.
        return term &&
               (term->sign == 0 || cast<arith::CmpIOp>(inner).getPredicate() !=
                                       (isPartNegated ? P::eq : P::ne));
      },
      isNegated);
}

static constexpr unsigned kBelow = 1, kAbove = 2;

/// Returns bits that say at which ends a comparison bounds the bounded
/// position: kBelow for a lower bound, kAbove for an upper bound, both or none.
unsigned MaskRanges::findEnds(Value comparison, bool isNegated) const {
  using P = arith::CmpIPredicate;
  std::optional<Term> term = isUniform(comparison)
                                 ? std::nullopt
                                 : getTerm(comparison.getDefiningOp());
  if (!term || term->sign == 0)
    return 0;
  switch (getPredicate(comparison, term->sign, isNegated)) {
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

/// Whether the hull of the ranges of `x` and `y` in some "x or y" may contain
/// positions that neither `x` nor `y` keeps. There is no such gap if `x` or `y`
/// is unbounded, or if both have a bound at the same end only.
bool MaskRanges::mayHaveGaps() const {
  bool hasGap = false;
  combineConditions<unsigned>(
      getCondition(), [&](Value part) { return isUniform(part); },
      [&](Value part, bool isNegated) { return findEnds(part, isNegated); },
      [](unsigned lhs, unsigned rhs) { return lhs | rhs; },
      [&](unsigned lhs, unsigned rhs) {
        bool isOneEnd = lhs == rhs && lhs != (kBelow | kAbove);
        hasGap |= lhs && rhs && !isOneEnd;
        return lhs & rhs;
      });
  return hasGap;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Returns the interval of a value that depends on neither position: the value
/// itself, clamped to [-kAny, kAny].
RegionIntervals::Interval MaskRanges::getClamped(Value value) {
  TileBuilder &b = *builder;
  OpFoldResult low = getAsOpFoldResult(getUniform(value));
  low = b.max(b.getIndexAttr(-kAny), b.min(low, b.getIndexAttr(kAny)));
  return {low, low};
}

RegionIntervals::Interval MaskRanges::getSource(Value value) {
  if (value == given)
    return interval;
  Interval found = getClamped(value);
  Type type = value.getType();
  bool isNarrow = !type.isIndex() && type.getIntOrFloatBitWidth() <= 32;
  if (isNarrow || isWithin(value, kAny))
    return found;
  // Sums of clamped numbers say nothing of the sums of the numbers, so a number
  // that was clamped gets the interval of all numbers.
  return widen(found, isAny(found, -kAny, kAny));
}

/// Returns the range of positions for which a comparison holds.
MaskRange MaskRanges::emitComparison(Value comparison, bool isNegated) {
  using P = arith::CmpIPredicate;
  TileBuilder &b = *builder;
  Term term = *getTerm(comparison.getDefiningOp());
  // Solved for the bounded position, the comparison is `position floordiv c
  // predicate e`, where c is the divisor of that position and e the sum of the
  // other terms. If it does not depend on that position, it is `e predicate 0`.
  P predicate = getPredicate(comparison, term.sign, isNegated);
  AffineExpr d0 = b.getAffineDimExpr(0);
  Interval zero = {b.getIndexAttr(0), b.getIndexAttr(0)}, e = zero;
  for (auto [value, sign] : term.rest) {
    // If the position is compared with a single number, that number may be
    // clamped to [-kAny, kAny], since all positions are far below kAny.
    bool isAlone = term.rest.size() == 1 && isUniform(value);
    Interval next = isAlone ? getClamped(value) : getInterval(value);
    bool isAdded = term.sign > 0 ? sign < 0 : sign > 0;
    e = isAdded ? add(e, next) : subtract(e, next);
  }
  OpFoldResult near = b.getIndexAttr(-kAny), far = b.getIndexAttr(kAny);
  int64_t c = term.divisor;
  auto from = [&](OpFoldResult quotient) {
    return b.apply(d0 * c, {quotient});
  };
  auto past = [&](OpFoldResult quotient) {
    return b.apply(d0 * c + c, {quotient});
  };
  if (term.sign != 0)
    switch (predicate) {
    case P::sle:
      return {near, past(e.high), near, past(e.low)};
    case P::slt:
      return {near, from(e.high), near, from(e.low)};
    case P::sge:
      return {from(e.low), far, from(e.high), far};
    case P::sgt:
      return {past(e.low), far, past(e.high), far};
    case P::eq:
      return {from(e.low), past(e.high), from(e.high), past(e.low)};
    default:
      return {near, far, far, near};
    }

  // A comparison that does not depend on the bounded position holds for all
  // positions or for none.
  auto [may, always] = compare(predicate, e, zero);
  auto choose = [&](Value condition, OpFoldResult yes, OpFoldResult no) {
    return OpFoldResult(b.select(condition, b.asValue(yes), b.asValue(no)));
  };
  return {choose(may, near, far), choose(may, far, near),
          choose(always, near, far), choose(always, far, near)};
}

MaskRange MaskRanges::emitPart(Value condition, bool isNegated) {
  TileBuilder &b = *builder;
  OpFoldResult near = b.getIndexAttr(-kAny), far = b.getIndexAttr(kAny);
  if (!isUniform(condition))
    return getTerm(condition.getDefiningOp())
               ? emitComparison(condition, isNegated)
               : MaskRange{near, far, far, near};
  Value holds = uniform.lookup(condition);
  auto choose = [&](OpFoldResult yes, OpFoldResult no) {
    if (isNegated)
      std::swap(yes, no);
    return OpFoldResult(b.select(holds, b.asValue(yes), b.asValue(no)));
  };
  OpFoldResult first = choose(near, far), last = choose(far, near);
  return {first, last, first, last};
}

/// Returns the ranges for "x or y". The first range is the hull of those of x
/// and y. If the full ranges of x and y overlap or touch, the full range is
/// their hull. Otherwise it is that of x or, if x is known to have none
/// (`mayFirstBeFull` is false), that of y. That choice must be the same for all
/// intervals, since the full range for fewer rows must not be smaller.
MaskRange MaskRanges::span(MaskRange x, MaskRange y, bool mayFirstBeFull) {
  TileBuilder &b = *builder;
  if (!mayFirstBeFull)
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
  intervals.clear();
  struct Part {
    MaskRange range;
    bool mayBeFull;
  };
  return combineConditions<Part>(
             getCondition(), [&](Value part) { return isUniform(part); },
             [&](Value part, bool isNegated) -> Part {
               return {emitPart(part, isNegated),
                       findBounds(part, isNegated).all};
             },
             [&](Part x, Part y) -> Part {
               return {{b.max(x.range.lo, y.range.lo),
                        b.min(x.range.hi, y.range.hi),
                        b.max(x.range.fullLo, y.range.fullLo),
                        b.min(x.range.fullHi, y.range.fullHi)},
                       x.mayBeFull && y.mayBeFull};
             },
             [&](Part x, Part y) -> Part {
               return {span(x.range, y.range, x.mayBeFull),
                       x.mayBeFull || y.mayBeFull};
             })
      .range;
}
