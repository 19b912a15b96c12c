//===- IntegerOps.cpp - Arithmetic of integers ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

/// A division by zero ends the host's program. What a tile's lanes outside of
/// an array divide by may be anything.
LogicalResult checkDivisor(Agent &agent, Operation *op) {
  if (agent.cta || !op->getOperand(1).getType().isIntOrIndex())
    return success();
  FailureOr<int64_t> divisor = agent.getInt(op, op->getOperand(1));
  if (failed(divisor))
    return failure();
  return *divisor == 0
             ? agent.fail(op, "expected the host to divide by a number other "
                              "than 0")
             : success();
}

/// Of unsigned integers of the operands' width.
template <typename Op, typename Fn>
void addUnsigned(Handlers &handlers, Fn fn) {
  handlers.add<Op>([fn](Agent &agent, Op op) -> LogicalResult {
    if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op) &&
        failed(checkDivisor(agent, op)))
      return failure();
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(
        getWidth(getElement(op->getOperand(0))));
    return applyElementwise<int64_t, int64_t>(
        agent, op, [&](int64_t a, int64_t b) {
          return static_cast<int64_t>(fn(a & mask, b & mask));
        });
  });
}

/// Of signed integers: an i1 that is set is -1.
template <typename Op, typename Fn> void addSigned(Handlers &handlers, Fn fn) {
  handlers.add<Op>([fn](Agent &agent, Op op) {
    bool isBit = getElement(op->getResult(0)).isInteger(1);
    auto extend = [isBit](int64_t a) { return isBit ? -(a & 1) : a; };
    if constexpr (std::is_invocable_v<Fn, int64_t>)
      return applyElementwise<int64_t, int64_t>(
          agent, op, [&](int64_t a) { return int64_t(fn(extend(a))); });
    else
      return applyElementwise<int64_t, int64_t>(
          agent, op, [&](int64_t a, int64_t b) {
            return int64_t(fn(extend(a), extend(b)));
          });
  });
}

bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
             uint64_t mask) {
  uint64_t ua = a & mask, ub = b & mask;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

/// Zero-extends integers of the operand's width.
template <typename Op> void addUnsignedCast(Handlers &handlers) {
  handlers.add<Op>([](Agent &agent, Op op) {
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(
        getWidth(getElement(op->getOperand(0))));
    return applyElementwise<int64_t, int64_t>(
        agent, op, [&](int64_t a) { return static_cast<int64_t>(a & mask); });
  });
}

/// Sign-extends: an i1 that is set is -1.
template <typename Op> void addSignedCast(Handlers &handlers) {
  handlers.add<Op>([](Agent &agent, Op op) {
    bool isBit = getElement(op->getOperand(0)).isInteger(1);
    return applyElementwise<int64_t, int64_t>(
        agent, op, [&](int64_t a) { return isBit ? -a : a; });
  });
}

/// To the nearest integer of those that there are, from NaN to 0.
template <typename Op> void addFloatCast(Handlers &handlers, bool isSigned) {
  handlers.add<Op>([isSigned](Agent &agent, Op op) {
    unsigned width = getWidth(getElement(op.getResult()));
    return applyElementwise<int64_t, float>(agent, op, [=](float a) {
      llvm::APSInt integer(width, /*isUnsigned=*/!isSigned);
      bool isExact;
      llvm::APFloat(a).convertToInteger(integer, llvm::APFloat::rmTowardZero,
                                        &isExact);
      return static_cast<int64_t>(isSigned ? integer.getSExtValue()
                                           : integer.getZExtValue());
    });
  });
}

/// Numbers of bits, of integers of the operand's width.
template <typename Op>
void addCount(Handlers &handlers, unsigned (*count)(llvm::APInt)) {
  handlers.add<Op>([count](Agent &agent, Op op) {
    unsigned width = getWidth(getElement(op.getOperand()));
    return applyElementwise<int64_t, int64_t>(agent, op, [=](int64_t a) {
      return int64_t(count(llvm::APInt(width, a, /*isSigned=*/true,
                                       /*implicitTrunc=*/true)));
    });
  });
}

void addCasts(Handlers &handlers) {
  addUnsignedCast<arith::ExtUIOp>(handlers);
  addUnsignedCast<arith::IndexCastUIOp>(handlers);
  addSignedCast<arith::ExtSIOp>(handlers);
  addSignedCast<arith::IndexCastOp>(handlers);
  addSignedCast<arith::TruncIOp>(handlers);
  handlers.add<arith::SIToFPOp>([](Agent &agent, arith::SIToFPOp op) {
    bool isBit = getElement(op.getIn()).isInteger(1);
    return applyElementwise<float, int64_t>(
        agent, op, [&](int64_t a) { return float(isBit ? -a : a); });
  });
  handlers.add<arith::UIToFPOp>([](Agent &agent, arith::UIToFPOp op) {
    uint64_t mask =
        llvm::maskTrailingOnes<uint64_t>(getWidth(getElement(op.getIn())));
    return applyElementwise<float, int64_t>(
        agent, op, [&](int64_t a) { return float(uint64_t(a) & mask); });
  });
  addFloatCast<arith::FPToSIOp>(handlers, /*isSigned=*/true);
  addFloatCast<arith::FPToUIOp>(handlers, /*isSigned=*/false);
}

} // namespace

void sim::addIntegerOps(Handlers &handlers) {
  addCasts(handlers);
  auto wrapped = [](auto fn) {
    return [fn](int64_t a, int64_t b) {
      return static_cast<int64_t>(fn(uint64_t(a), uint64_t(b)));
    };
  };
  addInt<arith::AddIOp>(handlers,
                        wrapped([](uint64_t a, uint64_t b) { return a + b; }));
  addInt<arith::SubIOp>(handlers,
                        wrapped([](uint64_t a, uint64_t b) { return a - b; }));
  addInt<arith::MulIOp>(handlers,
                        wrapped([](uint64_t a, uint64_t b) { return a * b; }));
  addInt<arith::AndIOp>(handlers,
                        wrapped([](uint64_t a, uint64_t b) { return a & b; }));
  addInt<arith::OrIOp>(handlers,
                       wrapped([](uint64_t a, uint64_t b) { return a | b; }));
  addInt<arith::XOrIOp>(handlers,
                        wrapped([](uint64_t a, uint64_t b) { return a ^ b; }));
  addInt<arith::ShLIOp>(handlers, wrapped([](uint64_t a, uint64_t b) {
                          return b < 64 ? a << b : 0;
                        }));
  addSigned<arith::ShRSIOp>(handlers, [](int64_t a, int64_t b) {
    return a >> std::min<uint64_t>(b, 63);
  });
  addSigned<arith::MaxSIOp>(
      handlers, [](int64_t a, int64_t b) { return std::max(a, b); });
  addSigned<arith::MinSIOp>(
      handlers, [](int64_t a, int64_t b) { return std::min(a, b); });
  addSigned<arith::DivSIOp>(handlers, [](int64_t a, int64_t b) {
    return b == 0 || b == -1 ? -a * (b != 0) : a / b;
  });
  addSigned<arith::RemSIOp>(handlers, [](int64_t a, int64_t b) {
    return b == 0 || b == -1 ? 0 : a % b;
  });
  addSigned<arith::FloorDivSIOp>(handlers, [](int64_t a, int64_t b) {
    return b ? llvm::divideFloorSigned(a, b) : 0;
  });
  addSigned<arith::CeilDivSIOp>(handlers, [](int64_t a, int64_t b) {
    return b ? llvm::divideCeilSigned(a, b) : 0;
  });
  addUnsigned<arith::DivUIOp>(
      handlers, [](uint64_t a, uint64_t b) { return b ? a / b : 0; });
  addUnsigned<arith::RemUIOp>(
      handlers, [](uint64_t a, uint64_t b) { return b ? a % b : 0; });
  addUnsigned<arith::CeilDivUIOp>(handlers, [](uint64_t a, uint64_t b) {
    return b ? a / b + (a % b != 0) : 0;
  });
  addUnsigned<arith::MaxUIOp>(
      handlers, [](uint64_t a, uint64_t b) { return std::max(a, b); });
  addUnsigned<arith::MinUIOp>(
      handlers, [](uint64_t a, uint64_t b) { return std::min(a, b); });
  addUnsigned<arith::ShRUIOp>(
      handlers, [](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; });
  addCount<math::CtPopOp>(handlers, [](llvm::APInt a) { return a.popcount(); });
  addCount<math::CountLeadingZerosOp>(
      handlers, [](llvm::APInt a) { return a.countl_zero(); });
  addCount<math::CountTrailingZerosOp>(
      handlers, [](llvm::APInt a) { return a.countr_zero(); });
  addSigned<math::AbsIOp>(handlers, [](int64_t a) { return a < 0 ? -a : a; });
  handlers.add<arith::CmpIOp>([](Agent &agent, arith::CmpIOp op) {
    arith::CmpIPredicate predicate = op.getPredicate();
    int64_t width = getWidth(getElement(op.getLhs()));
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
    auto extend = [=](int64_t a) { return width == 1 ? -(a & 1) : a; };
    return applyElementwise<int64_t, int64_t>(
        agent, op, [&](int64_t a, int64_t b) {
          return int64_t(compare(predicate, extend(a), extend(b), mask));
        });
  });
}
