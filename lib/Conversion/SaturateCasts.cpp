//===- SaturateCasts.cpp - Floats to integers -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// Makes a cast from float to integer saturate, by selects before and after it.
/// A number below the smallest integer becomes the smallest integer. A number
/// of at least the largest integer plus 1 becomes the largest integer. NaN
/// becomes 0. Both bounds are exact in the float type, since each is 0, a power
/// of two or, if it is too large for the type, infinity.
static void saturate(Operation *op, bool isSigned) {
  Value x = op->getOperand(0), result = op->getResult(0);
  Type type = result.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  APInt most =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt pastMost = APInt::getOneBitSet(width + 1, isSigned ? width - 1 : width);

  attn::NumberBuilder b(op->getLoc(), op);
  auto getFloat = [&](const APInt &integer, bool isSignedInteger) -> Value {
    APFloat number(
        cast<FloatType>(getElementTypeOrSelf(x.getType())).getFloatSemantics());
    number.convertFromAPInt(integer, isSignedInteger,
                            APFloat::rmNearestTiesToEven);
    return createScalarOrSplatConstant(b, b.getLoc(), x.getType(), number);
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value bound) -> Value {
    return arith::CmpFOp::create(b, predicate, x, bound);
  };
  auto getInteger = [&](const APInt &integer) {
    return createScalarOrSplatConstant(b, b.getLoc(), type, integer);
  };
  Value isLess = compare(arith::CmpFPredicate::OLT, getFloat(least, isSigned));
  Value isMore = compare(arith::CmpFPredicate::OGE, getFloat(pastMost, false));
  // `isInRange` is true if x is neither below the range, nor above it, nor NaN.
  Value isInRange =
      b.andi(compare(arith::CmpFPredicate::OGE, getFloat(least, isSigned)),
             compare(arith::CmpFPredicate::OLT, getFloat(pastMost, false)));
  op->setOperand(0, b.select(isInRange, x, getFloat(APInt(1, 0), false)));
  b.setInsertionPointAfter(op);
  auto orLeast = b.select(isLess, getInteger(least), result);
  auto saturated = b.select(isMore, getInteger(most), orLeast);
  result.replaceAllUsesExcept(saturated, orLeast.getDefiningOp());
}

void attn::saturateCasts(Operation *root, unsigned largestWidth) {
  SmallVector<Operation *> casts;
  root->walk([&](Operation *op) {
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op) &&
        getElementTypeOrSelf(op->getResult(0).getType())
                .getIntOrFloatBitWidth() <= largestWidth)
      casts.push_back(op);
  });
  for (Operation *op : casts)
    saturate(op, isa<arith::FPToSIOp>(op));
}
