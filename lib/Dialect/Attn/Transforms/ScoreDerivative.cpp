//===- ScoreDerivative.cpp - Derivatives of score regions -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/ScoreDerivative.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// The derivatives of a score region's values by one variable (one or several
/// values). A value without an entry in `tangents` has the derivative 0.
class Tangents {
public:
  Tangents(Block &region, ValueRange variables)
      : b(region.getParentOp()->getLoc(), OpBuilder::atBlockBegin(&region)) {
    for (Value variable : variables)
      tangents[variable] = number(1.0, variable.getType());
  }

  LogicalResult derive(Operation *op);
  Value lookup(Value value) { return tangents.lookup(value); }

private:
  Value number(double value, Type type) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value number(double value, Value like) {
    return number(value, like.getType());
  }
  static bool isOne(Value value) {
    APFloat constant(0.0f);
    return matchPattern(value, m_ConstantFloat(&constant)) &&
           constant.isExactlyValue(1.0);
  }
  bool mayBeInfinite(Value value);
  bool computeMayBeInfinite(Value value);
  // In mul, add, negate, div and select, a null operand or result stands for 0.
  Value mul(Value lhs, Value rhs) {
    if (!lhs || !rhs)
      return Value();
    if (isOne(lhs))
      return rhs;
    if (isOne(rhs))
      return lhs;
    Value left = keepFinite(lhs, rhs);
    return arith::MulFOp::create(b, left, keepFinite(rhs, lhs));
  }
  /// Emits a clamp of `factor`, if it may be infinite, to the finite numbers,
  /// unless `other`, by which it is multiplied, is constant. If `other` is 0 or
  /// tiny, the product is then not NaN or infinite, which is right for
  /// functions that saturate faster than `factor` grows.
  Value keepFinite(Value factor, Value other) {
    if (matchPattern(other, m_Constant()) || !mayBeInfinite(factor))
      return factor;
    auto type = cast<FloatType>(factor.getType());
    auto limit = [&](bool isNegative) -> Value {
      return arith::ConstantOp::create(
          b, b.getFloatAttr(type, APFloat::getLargest(type.getFloatSemantics(),
                                                      isNegative)));
    };
    factor = arith::MinimumFOp::create(b, factor, limit(/*isNegative=*/false));
    return arith::MaximumFOp::create(b, factor, limit(/*isNegative=*/true));
  }
  Value add(Value lhs, Value rhs) {
    if (!lhs || !rhs)
      return lhs ? lhs : rhs;
    return arith::AddFOp::create(b, lhs, rhs);
  }
  Value negate(Value value) {
    return value ? arith::NegFOp::create(b, value).getResult() : Value();
  }
  Value div(Value lhs, Value rhs) {
    return lhs ? arith::DivFOp::create(b, lhs, rhs).getResult() : Value();
  }
  Value select(Value condition, Value lhs, Value rhs) {
    if (!lhs && !rhs)
      return Value();
    Value zero = number(0.0, lhs ? lhs : rhs);
    return arith::SelectOp::create(b, condition, lhs ? lhs : zero,
                                   rhs ? rhs : zero);
  }
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(b, predicate, lhs, rhs);
  }

  /// Emits the derivative of a maximum or minimum: of lhs if lhs and rhs
  /// compare as `takesLhs`, the mean if they are equal, otherwise of rhs.
  Value ofExtremum(Operation *op, arith::CmpFPredicate takesLhs) {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    Value dLhs = tangents.lookup(lhs), dRhs = tangents.lookup(rhs);
    Value sum = add(dLhs, dRhs);
    Value mean = mul(sum, number(0.5, sum));
    Value isTie = compare(arith::CmpFPredicate::OEQ, lhs, rhs);
    return select(isTie, mean, select(compare(takesLhs, lhs, rhs), dLhs, dRhs));
  }
  Value getSlope(Operation *op);
  FailureOr<Value> ofElementary(Operation *op);
  FailureOr<Value> ofArithmetic(Operation *op);

  NumberBuilder b;
  DenseMap<Value, Value> tangents;
  DenseMap<Value, bool> infinite;
};

} // namespace

/// Whether the value may be infinite, by overflow or at a pole, although all
/// inputs are finite. Sums of finite numbers count as finite.
bool Tangents::mayBeInfinite(Value value) {
  auto [known, isNew] = infinite.try_emplace(value, true);
  if (!isNew)
    return known->second;
  return infinite[value] = computeMayBeInfinite(value);
}

bool Tangents::computeMayBeInfinite(Value value) {
  Operation *op = value.getDefiningOp();
  // The score, captured scalars and captured arrays' elements count as finite.
  if (!op || isa<ReadOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return false;
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return !constant.isFinite();
  auto isConstant = [](Value operand) {
    return matchPattern(operand, m_Constant());
  };
  auto isBounded = [](Operation *op) {
    return isa_and_nonnull<math::TanhOp, math::ErfOp, math::ErfcOp, math::SinOp,
                           math::CosOp, math::AtanOp, math::Atan2Op,
                           math::AsinOp, math::AcosOp>(op);
  };
  bool isProductOfBounded = isa<arith::MulFOp>(op) &&
                            llvm::all_of(op->getOperands(), [&](Value operand) {
                              return isBounded(operand.getDefiningOp());
                            });
  if (isBounded(op) || isProductOfBounded)
    return false;
  bool isFiniteOfFinite =
      isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MaximumFOp,
          arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
          arith::SelectOp, arith::ExtFOp, math::AbsFOp, math::CeilOp,
          math::FloorOp, math::RoundOp, math::RoundEvenOp, math::TruncOp,
          math::ClampFOp, math::CopySignOp, math::SqrtOp, math::CbrtOp,
          math::AsinhOp>(op) ||
      (isa<arith::MulFOp>(op) && llvm::any_of(op->getOperands(), isConstant)) ||
      (isa<arith::DivFOp, arith::RemFOp>(op) && isConstant(op->getOperand(1)) &&
       !matchPattern(op->getOperand(1), m_AnyZeroFloat()));
  return !isFiniteOfFinite ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isa<FloatType>(operand.getType()) && mayBeInfinite(operand);
         });
}

/// Emits the derivative of an op's result by its operand, for ops to whose
/// operand's derivative the chain rule is applied by a product. Returns null
/// for other ops.
Value Tangents::getSlope(Operation *op) {
  Value x = op->getOperand(0), y = op->getResult(0);
  auto one = [&] { return number(1.0, x); };
  auto square = [&](Value x) { return b.mulf(x, x); };
  auto oneMinusSquare = [&](Value x) { return b.subf(one(), square(x)); };
  auto onePlusSquare = [&](Value x) { return b.addf(one(), square(x)); };
  auto root = [&](Value x) { return math::SqrtOp::create(b, x).getResult(); };
  // Returns sqrt(x^2 + c) for a small c, given `ofSquare` = x^2 + c. If |x| is
  // above 2^60, so that the square may overflow, returns |x|.
  auto rootOfSquare = [&](Value ofSquare) {
    Value magnitude = b.absf(x);
    Value isLarge =
        compare(arith::CmpFPredicate::OGT, magnitude, number(0x1p+60, x));
    return b.select(isLarge, magnitude, root(ofSquare));
  };
  // Returns sign * 2 / sqrt(pi) * exp(-x^2): the derivative of erf for sign =
  // 1, and of erfc for sign = -1.
  auto bell = [&](double sign) {
    Value exponent = b.negf(square(x));
    return mul(number(sign * 2.0 / std::sqrt(M_PI), x), b.exp(exponent));
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::AbsFOp) {
        Value zero = number(0.0, x);
        Value sign = math::CopySignOp::create(b, one(), x);
        return b.select(compare(arith::CmpFPredicate::OEQ, x, zero), zero,
                        sign);
      })
      .Case([&](math::ExpOp) { return y; })
      .Case([&](math::Exp2Op) { return mul(number(M_LN2, y), y); })
      .Case([&](math::ExpM1Op) { return add(y, one()); })
      .Case([&](math::SqrtOp) { return div(number(0.5, y), y); })
      .Case([&](math::RsqrtOp) { return div(mul(number(-0.5, y), y), x); })
      .Case([&](math::CbrtOp) { return div(number(1.0 / 3.0, y), square(y)); })
      .Case([&](math::SinOp) { return math::CosOp::create(b, x); })
      .Case([&](math::CosOp) { return negate(math::SinOp::create(b, x)); })
      .Case([&](math::TanOp) { return onePlusSquare(y); })
      .Case([&](math::AsinOp) { return div(one(), root(oneMinusSquare(x))); })
      .Case([&](math::AcosOp) {
        return div(number(-1.0, x), root(oneMinusSquare(x)));
      })
      .Case([&](math::AtanOp) { return div(one(), onePlusSquare(x)); })
      .Case([&](math::SinhOp) { return math::CoshOp::create(b, x); })
      .Case([&](math::CoshOp) { return math::SinhOp::create(b, x); })
      .Case([&](math::TanhOp) { return oneMinusSquare(y); })
      .Case([&](math::AsinhOp) {
        return div(one(), rootOfSquare(onePlusSquare(x)));
      })
      .Case([&](math::AcoshOp) {
        return div(one(), rootOfSquare(negate(oneMinusSquare(x))));
      })
      .Case([&](math::AtanhOp) { return div(one(), oneMinusSquare(x)); })
      .Case([&](math::ErfOp) { return bell(1.0); })
      .Case([&](math::ErfcOp) { return bell(-1.0); })
      .Default([](Operation *) { return Value(); });
}

/// Emits the derivative of an op with one operand. Returns null for a
/// derivative of 0; fails for an unknown op.
FailureOr<Value> Tangents::ofElementary(Operation *op) {
  Value x = op->getOperand(0), tangent = tangents.lookup(x);
  Type type = op->getResult(0).getType();
  // Emits factor * x' / x for a logarithm of x. Divides last: 1 / x may be
  // infinite for a tiny x.
  auto ofLogarithm = [&](double factor) {
    return div(mul(number(factor, x), tangent), x);
  };
  return llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
            math::TruncOp>([](auto) { return Value(); })
      .Case([&](arith::NegFOp) { return negate(tangent); })
      .Case([&](arith::ExtFOp) { return b.extf(type, tangent); })
      .Case([&](arith::TruncFOp) { return b.truncf(type, tangent); })
      .Case([&](math::LogOp) { return ofLogarithm(1.0); })
      .Case([&](math::Log2Op) { return ofLogarithm(M_LOG2E); })
      .Case([&](math::Log10Op) { return ofLogarithm(M_LOG10E); })
      .Case([&](math::Log1pOp) { return div(tangent, add(number(1.0, x), x)); })
      .Default([&](Operation *) -> FailureOr<Value> {
        if (Value slope = getSlope(op))
          return mul(tangent, slope);
        return failure();
      });
}

/// Emits the derivative of an op with several operands; returns null for 0.
FailureOr<Value> Tangents::ofArithmetic(Operation *op) {
  auto tangent = [&](unsigned i) { return tangents.lookup(op->getOperand(i)); };
  auto operand = [&](unsigned i) { return op->getOperand(i); };
  return llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](arith::AddFOp) { return add(tangent(0), tangent(1)); })
      .Case([&](arith::SubFOp) { return add(tangent(0), negate(tangent(1))); })
      .Case([&](arith::MulFOp) {
        return add(mul(tangent(0), operand(1)), mul(operand(0), tangent(1)));
      })
      .Case([&](arith::DivFOp) {
        // The derivative of x / y is (x' - (x / y) y') / y.
        Value down = negate(mul(op->getResult(0), tangent(1)));
        return div(add(tangent(0), down), operand(1));
      })
      .Case([&](arith::RemFOp) {
        // x - n y has the derivative x' - n y'. n may differ from trunc(x / y).
        Value ny = b.subf(operand(0), op->getResult(0));
        Value n = math::RoundEvenOp::create(b, b.divf(ny, operand(1)));
        return add(tangent(0), negate(mul(n, tangent(1))));
      })
      .Case([&](math::FmaOp) {
        return add(
            add(mul(tangent(0), operand(1)), mul(operand(0), tangent(1))),
            tangent(2));
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return ofExtremum(op, arith::CmpFPredicate::OGT); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return ofExtremum(op, arith::CmpFPredicate::OLT); })
      .Case([&](arith::SelectOp) {
        return select(operand(0), tangent(1), tangent(2));
      })
      .Case([&](math::CopySignOp) {
        // copysign(x, s) has the derivative x' times the signs of x and s.
        if (!tangent(0))
          return Value();
        Value one = number(1.0, operand(0));
        Value signs = mul(math::CopySignOp::create(b, one, operand(0)),
                          math::CopySignOp::create(b, one, operand(1)));
        return mul(tangent(0), signs);
      })
      .Case([&](math::ClampFOp) {
        // clamp(x, low, high) has the derivative of low if x < low, of high if
        // x > high, otherwise of x.
        Value x = operand(0), low = operand(1), high = operand(2);
        Value isLow = compare(arith::CmpFPredicate::OLT, x, low);
        Value isHigh = compare(arith::CmpFPredicate::OGT, x, high);
        return select(isLow, tangent(1),
                      select(isHigh, tangent(2), tangent(0)));
      })
      .Case([&](math::Atan2Op) {
        // The derivative of atan2(y, x) is (x y' - y x') / (x^2 + y^2), where
        // squares could overflow. So it is computed as (y' - q x') / x / (1 +
        // q^2) with q = y / x, or likewise with q = x / y if |y| is larger.
        Value y = operand(0), x = operand(1);
        Value isFlat = compare(arith::CmpFPredicate::OGE, b.absf(x), b.absf(y));
        Value larger = b.select(isFlat, x, y);
        Value q = b.divf(b.select(isFlat, y, x), larger);
        Value up = select(isFlat, add(tangent(0), negate(mul(q, tangent(1)))),
                          add(mul(q, tangent(0)), negate(tangent(1))));
        Value square = b.mulf(q, q);
        return div(div(up, larger), add(number(1.0, q), square));
      })
      .Case([&](math::PowFOp) {
        // The derivative of x^y is y x^(y-1) x' + x^y ln(x) y'. The first term
        // is 0 if y is 0, and the second one if x is 0.
        Value x = operand(0), y = operand(1);
        Value ofBase;
        if (tangent(0) && !matchPattern(y, m_AnyZeroFloat())) {
          Value less = b.subf(y, number(1.0, y));
          ofBase = mul(tangent(0), mul(y, math::PowFOp::create(b, x, less)));
        }
        Value ofExponent;
        if (tangent(1)) {
          Value isZero = compare(arith::CmpFPredicate::OEQ, x, number(0.0, x));
          Value logarithm = b.log(b.select(isZero, number(1.0, x), x));
          ofExponent = mul(tangent(1), mul(op->getResult(0), logarithm));
        }
        return add(ofBase, ofExponent);
      })
      .Case([&](math::FPowIOp) {
        // x^n for an integer n has the derivative n x^(n-1) x', 0 if n is 0.
        Value x = operand(0), n = operand(1);
        auto integer = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(
              b, b.getIntegerAttr(n.getType(), value));
        };
        Value power = math::FPowIOp::create(b, x, b.subi(n, integer(1)));
        Value slope = mul(b.sitofp(x.getType(), n), power);
        return select(b.eq(n, integer(0)), Value(), mul(tangent(0), slope));
      })
      .Default([](Operation *) { return failure(); });
}

LogicalResult Tangents::derive(Operation *op) {
  bool varies = llvm::any_of(op->getOperands(), [&](Value operand) {
    return tangents.contains(operand);
  });
  // Integers and comparisons have the derivative 0, and a bitcast is an error.
  if (!varies || op->getNumResults() != 1 ||
      (!isa<FloatType>(op->getResult(0).getType()) &&
       !isa<arith::BitcastOp>(op)))
    return success();
  b.setLoc(op->getLoc());
  b.setInsertionPointAfter(op);
  FailureOr<Value> tangent =
      op->getNumOperands() == 1 ? ofElementary(op) : ofArithmetic(op);
  if (failed(tangent)) {
    InFlightDiagnostic diag =
        op->emitOpError("has no derivative with respect to its operands");
    diag.attachNote(op->getParentOp()->getLoc())
        << "needed for the gradients of this op's score region";
    return diag;
  }
  if (*tangent)
    tangents[op->getResult(0)] = *tangent;
  return success();
}

FailureOr<SmallVector<Value>>
mlir::attn::deriveScoreOf(Block &region,
                          ArrayRef<SmallVector<Value>> variables) {
  // Collects the ops first, so that ops of derivatives are not derived in turn.
  SmallVector<Operation *> ops;
  for (Operation &op : region.without_terminator())
    ops.push_back(&op);
  Value score = cast<YieldOp>(region.getTerminator()).getValue();
  SmallVector<Value> derivatives;
  for (const SmallVector<Value> &variable : variables) {
    Tangents tangents(region, variable);
    for (Operation *op : ops)
      if (failed(tangents.derive(op)))
        return failure();
    derivatives.push_back(tangents.lookup(score));
  }
  return derivatives;
}
