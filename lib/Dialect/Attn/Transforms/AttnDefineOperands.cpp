//===- AttnDefineOperands.cpp - Operands with defined results -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/RegionDependence.h"
#include "attn/Dialect/Attn/Transforms/DimIndices.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Support/NumberBuilder.h"
#include "attn/Support/TypeLike.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDEFINEOPERANDSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static Value getConstant(attn::NumberBuilder &b, Type type, int64_t value) {
  TypedAttr number = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    number = DenseElementsAttr::get(shaped, number);
  return arith::ConstantOp::create(b, number);
}

/// Replaces the uses of the op's result by the value that `emit` returns for
/// that result. The op that defines the new value keeps its own use of the
/// result.
static void replaceResult(attn::NumberBuilder &b, Operation *op,
                          function_ref<Value(Value)> emit) {
  Value result = op->getResult(0);
  b.setInsertionPointAfter(op);
  Value replacement = emit(result);
  result.replaceUsesWithIf(replacement, [&](OpOperand &use) {
    return use.getOwner() != replacement.getDefiningOp();
  });
}

/// Makes an unsigned division by 0 defined: a divisor of 0 becomes 1, so that
/// the remainder is 0, and the quotient is replaced by 0. Does nothing if the
/// divisor is a constant other than 0.
static void defineUnsigned(Operation *op, bool isQuotient) {
  Value divisor = op->getOperand(1);
  if (matchPattern(divisor, m_NonZero()))
    return;
  attn::NumberBuilder b(op->getLoc(), op);
  Type type = divisor.getType();
  Value zero = getConstant(b, type, 0);
  Value isZero = b.eq(divisor, zero);
  op->setOperand(1, b.select(isZero, getConstant(b, type, 1), divisor));
  if (isQuotient)
    replaceResult(b, op, [&](Value quotient) {
      return b.select(isZero, zero, quotient);
    });
}

/// Makes signed divisions by 0, and by -1, which may overflow, defined. Such a
/// divisor (its successor is below 2 as an unsigned number) is replaced by 1,
/// so that the remainder is 0. The quotient is then replaced by dividend *
/// divisor, which wraps. Does nothing if the divisor is another constant.
static void defineSigned(Operation *op, bool isQuotient) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
      !constant.isAllOnes())
    return;
  attn::NumberBuilder b(op->getLoc(), op);
  Type type = divisor.getType();
  // A divisor of type i1 is 0 or -1, so each quotient is dividend * divisor,
  // and each remainder is 0.
  if (getElementTypeOrSelf(type).isInteger(1)) {
    Value result =
        isQuotient ? b.muli(dividend, divisor) : getConstant(b, type, 0);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return;
  }
  Value one = getConstant(b, type, 1);
  Value successor = b.addi(divisor, one);
  Value isSpecial = b.ult(successor, getConstant(b, type, 2));
  op->setOperand(1, b.select(isSpecial, one, divisor));
  if (isQuotient)
    replaceResult(b, op, [&](Value quotient) {
      Value product = b.muli(dividend, divisor);
      return b.select(isSpecial, product, quotient);
    });
}

/// Makes atan2(0, 0) defined: if y and x are both zeros, x is replaced by 1
/// with the sign of x, which gives the same angle. Does nothing if x or y is a
/// constant other than 0.
static void defineAngle(math::Atan2Op op) {
  Value y = op.getLhs(), x = op.getRhs();
  auto isNeverZero = [](Value number) {
    APFloat constant(0.0);
    return matchPattern(number, m_ConstantFloat(&constant)) &&
           !constant.isZero();
  };
  if (isNeverZero(y) || isNeverZero(x))
    return;
  attn::NumberBuilder b(op.getLoc(), op);
  auto getNumber = [&](double value) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(x.getType())).getFloatSemantics();
    APFloat number(value);
    bool isInexact;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &isInexact);
    return createScalarOrSplatConstant(b, b.getLoc(), x.getType(), number);
  };
  Value zero = getNumber(0.0);
  auto isZero = [&](Value number) { return b.oeq(number, zero); };
  Value areZero = b.andi(isZero(y), isZero(x));
  Value unit = math::CopySignOp::create(b, getNumber(1.0), x);
  op.getRhsMutable().assign(b.select(areZero, unit, x));
}

/// Whether the value, possibly extended to more bits, is cast back to an index.
static bool becomesIndex(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<arith::ExtSIOp, arith::ExtUIOp>(user))
      return becomesIndex(user->getResult(0));
    return isa<arith::IndexCastOp, arith::IndexCastUIOp>(user) &&
           getElementTypeOrSelf(user->getResult(0).getType()).isIndex();
  });
}

/// Whether the value is the batch entry, head, row or key of a region's pair,
/// all of which are below 2^31.
static bool isOfPair(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument &&
         isa_and_nonnull<attn::AttentionInterface>(
             argument.getOwner()->getParentOp()) &&
         attn::getPosition(argument);
}

/// Makes a cast of an index to an integer type that may not hold it a cast to
/// i64 and a truncation, if the type has fewer than 32 bits or the result is
/// cast back to an index. Folding replaces two casts with the index itself, as
/// if the type held each index.
template <typename Cast> static void keepTruncation(Cast cast) {
  Value index = cast.getIn();
  Type type = cast.getType(), element = getElementTypeOrSelf(type);
  if (!getElementTypeOrSelf(index.getType()).isIndex() ||
      isa<BaseMemRefType>(type) || element.getIntOrFloatBitWidth() >= 64 ||
      (element.getIntOrFloatBitWidth() >= 32 &&
       (isOfPair(index) || !becomesIndex(cast.getResult()))))
    return;
  attn::NumberBuilder b(cast.getLoc(), cast);
  Value wide = Cast::create(b, attn::getTypeLike(type, b.getI64Type()), index);
  cast.getResult().replaceAllUsesWith(arith::TruncIOp::create(b, type, wide));
  cast.erase();
}

/// Whether a type has a dynamic shape, so that no constant can have it.
static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

namespace {
struct AttnDefineOperandsPass
    : public attn::impl::AttnDefineOperandsPassBase<AttnDefineOperandsPass> {
  void runOnOperation() override {
    if (failed(attn::verifyDimIndices(getOperation())))
      return signalPassFailure();
    attn::boundDimIndices(getOperation());
    getOperation()->walk([](Operation *op) {
      if (op->getNumResults() != 1 ||
          !getElementTypeOrSelf(op->getResult(0).getType())
               .isIntOrIndexOrFloat() ||
          isDynamic(op->getResult(0).getType()))
        return;
      llvm::TypeSwitch<Operation *>(op)
          .Case<arith::DivUIOp, arith::CeilDivUIOp>(
              [](auto op) { defineUnsigned(op, /*isQuotient=*/true); })
          .Case([](arith::RemUIOp op) {
            defineUnsigned(op, /*isQuotient=*/false);
          })
          .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(
              [](auto op) { defineSigned(op, /*isQuotient=*/true); })
          .Case(
              [](arith::RemSIOp op) { defineSigned(op, /*isQuotient=*/false); })
          .Case([](math::Atan2Op op) { defineAngle(op); })
          .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
              [](auto op) { keepTruncation(op); });
    });
  }
};
} // namespace
