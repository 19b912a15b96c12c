//===- PositionSums.cpp - Sums of positions in regions --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PositionSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::fitWords(AttentionInterface op) {
  TileSizesAttrInterface schedule = op.getScheduleAttr();
  // A schedule whose getMostRows() is set limits the sizes of arrays, but not
  // the number of keys in a paged cache. An origin is added to positions, so it
  // must be 0.
  return schedule && schedule.getMostRows() && !op.getPages() &&
         isZeroInteger(op.getOriginOrZero(2)) &&
         isZeroInteger(op.getOriginOrZero(3));
}

/// Whether a constant fits a signed integer of 40 bits, so that sums of a few
/// such constants do not wrap in 64 bits.
static bool isSmallTerm(int64_t constant) { return llvm::isInt<40>(constant); }

std::optional<PositionSums::Sum> PositionSums::find(Value index) const {
  Sum sum;
  APInt constant;
  if (!index.getType().isIndex())
    return std::nullopt;
  if (matchPattern(index, m_ConstantInt(&constant))) {
    sum.constant = constant.getSExtValue();
    return isSmallTerm(sum.constant) ? std::optional(sum) : std::nullopt;
  }
  for (int64_t i : {0, 1})
    if (index == positions[i]) {
      sum.times[i] = 1;
      return sum;
    }
  auto found = sums.find(index);
  return found == sums.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the first operand plus `sign` times the second one, or the only
/// operand. Returns std::nullopt if an operand is not a sum of positions and a
/// constant, if a position would get a coefficient other than -1, 0 and 1, or
/// if the constant becomes too large.
std::optional<PositionSums::Sum> PositionSums::add(ValueRange operands,
                                                   int64_t sign) const {
  std::optional<Sum> sum = find(operands.front());
  if (!sum || operands.size() == 1)
    return sum;
  std::optional<Sum> other = find(operands.back());
  if (!other)
    return std::nullopt;
  for (int64_t i : {0, 1}) {
    sum->times[i] += sign * other->times[i];
    if (std::abs(sum->times[i]) > 1)
      return std::nullopt;
  }
  sum->constant += sign * other->constant;
  return isSmallTerm(sum->constant) ? sum : std::nullopt;
}

/// Returns a tile of i32 with one position, or with one position minus the
/// other. `times` has the coefficient of each position; returns null unless one
/// of them is 1, and the other 0 or -1.
Value PositionSums::getWords(Location loc, std::array<int64_t, 2> times,
                             OpBuilder &b, GetPosition getPosition) {
  unsigned added = times[0] == 1 ? 0 : 1, other = 1 - added;
  if (times[added] != 1 || times[other] == 1)
    return Value();
  Value words = getPosition(positions[added]);
  if (times[other] == 0)
    return words;
  return arith::SubIOp::create(b, loc, words, getPosition(positions[other]),
                               arith::IntegerOverflowFlags::nsw);
}

Value PositionSums::emit(Operation &op, OpBuilder &b, GetPosition getPosition) {
  auto comparison = dyn_cast<arith::CmpIOp>(op);
  bool isCast =
      isa<arith::IndexCastOp>(op) && op.getResult(0).getType().isInteger(32);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::CmpIOp>(op) && !isCast)
    return Value();
  std::optional<Sum> sum =
      add(op.getOperands(), isa<arith::AddIOp>(op) ? 1 : -1);
  if (!sum)
    return Value();
  if (!comparison && !isCast) {
    sums[op.getResult(0)] = *sum;
    return Value();
  }
  // A comparison of two sums of positions and constants becomes a comparison of
  // their difference with 0. If the first position in the difference has the
  // coefficient -1, the difference is negated and the sides of the comparison
  // are swapped.
  bool isSwapped = comparison && sum->times < std::array<int64_t, 2>{0, 0};
  if (isSwapped)
    for (int64_t &times : sum->times)
      times = -times;
  int64_t constant = comparison && !isSwapped ? -sum->constant : sum->constant;
  // As an unsigned 64-bit number, a negative difference would be large.
  // Unsigned comparisons are therefore not emitted in 32 bits.
  if (comparison && (comparison.getPredicate() >= arith::CmpIPredicate::ult ||
                     !llvm::isInt<32>(constant)))
    return Value();
  Location loc = op.getLoc();
  Value words = getWords(loc, sum->times, b, getPosition);
  if (!words || (isCast && constant == 0))
    return words;
  APInt low(32, constant, /*isSigned=*/true, /*implicitTrunc=*/true);
  Value splat = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(cast<ShapedType>(words.getType()), low));
  if (isCast)
    return arith::AddIOp::create(b, loc, words, splat);
  if (isSwapped)
    std::swap(words, splat);
  return arith::CmpIOp::create(b, loc, comparison.getPredicate(), words, splat);
}
