//===- TableRange.cpp - The elements that a block of pairs reads ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableRange.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

/// A product with a larger factor may overflow at positions below 2^21 where
/// integers have 32 bits.
static constexpr int64_t kLargestFactor = (1 << 10) - 1;

std::pair<Value, Value> TableRange::find(ArrayRef<Value> values,
                                         int64_t count) {
  Interval all;
  for (Value value : values) {
    Interval own = get(value);
    if (!own.low)
      own.low = arith::ConstantIndexOp::create(b, 0);
    if (!own.high)
      own.high = arith::ConstantIndexOp::create(b, count - 1);
    all.low =
        all.low ? b.createOrFold<arith::MinSIOp>(all.low, own.low) : own.low;
    all.high = all.high ? b.createOrFold<arith::MaxSIOp>(all.high, own.high)
                        : own.high;
  }
  return {all.low, all.high};
}

template <typename Op> Value TableRange::combine(Value lhs, Value rhs) {
  return lhs && rhs ? b.createOrFold<Op>(lhs, rhs) : Value();
}

TableRange::Interval TableRange::get(Value value) {
  auto [found, isNew] = known.try_emplace(value);
  if (!isNew)
    return found->second;
  Interval own = compute(value);
  return known[value] = own;
}

TableRange::Interval TableRange::compute(Value value) {
  auto number = [&](int64_t constant) -> Value {
    return arith::ConstantIndexOp::create(b, constant);
  };
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() > 25)
      return {};
    Value own = number(constant.getSExtValue());
    return {own, own};
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Positions are of the region that has a score.
    switch (static_cast<int>(argument.getArgNumber()) - 1) {
    case 0:
      return {place.batch, place.batch};
    case 1:
      return {place.head, place.head};
    case 2:
      return {place.row,
              b.createOrFold<arith::AddIOp>(place.row, number(rows - 1))};
    case 3:
      return {place.key,
              b.createOrFold<arith::AddIOp>(place.key, number(keys - 1))};
    default:
      return {};
    }
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return get(op->getOperand(0));
  if (op->getNumOperands() != 2)
    return {};
  Interval x = get(op->getOperand(0)), y = get(op->getOperand(1));
  // One operand bounds a minimum or a maximum, too.
  auto either = [](Value both, Value lhs, Value rhs) {
    return both ? both : lhs ? lhs : rhs;
  };
  if (isa<arith::AddIOp>(op))
    return {combine<arith::AddIOp>(x.low, y.low),
            combine<arith::AddIOp>(x.high, y.high)};
  if (isa<arith::SubIOp>(op))
    return {combine<arith::SubIOp>(x.low, y.high),
            combine<arith::SubIOp>(x.high, y.low)};
  if (isa<arith::MinSIOp>(op))
    return {combine<arith::MinSIOp>(x.low, y.low),
            either(combine<arith::MinSIOp>(x.high, y.high), x.high, y.high)};
  if (isa<arith::MaxSIOp>(op))
    return {either(combine<arith::MaxSIOp>(x.low, y.low), x.low, y.low),
            combine<arith::MaxSIOp>(x.high, y.high)};
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      !constant.isStrictlyPositive() || constant.ugt(kLargestFactor))
    return {};
  if (isa<arith::MulIOp>(op))
    return {combine<arith::MulIOp>(x.low, y.low),
            combine<arith::MulIOp>(x.high, y.high)};
  if (isa<arith::FloorDivSIOp>(op))
    return {combine<arith::FloorDivSIOp>(x.low, y.low),
            combine<arith::FloorDivSIOp>(x.high, y.high)};
  if (isa<arith::DivSIOp>(op))
    return {combine<arith::DivSIOp>(x.low, y.low),
            combine<arith::DivSIOp>(x.high, y.high)};
  return {};
}
