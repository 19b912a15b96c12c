//===- ExtendMath.cpp - Math functions of 16-bit floats -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

using namespace mlir;

/// Whether the op is a function for which GPUs have no instruction of 16-bit
/// floats, or whose expansion is inexact if its parts are rounded to 16 bits.
static bool isFunction(Operation *op) {
  return isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
             math::AtanOp, math::Atan2Op, math::AtanhOp, math::CbrtOp,
             math::CosOp, math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpOp,
             math::Exp2Op, math::ExpM1Op, math::FPowIOp, math::LogOp,
             math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
             math::RoundOp, math::RoundEvenOp, math::RsqrtOp, math::SinOp,
             math::SinhOp, math::TanOp, math::TanhOp>(op);
}

void attn::extendMath(Operation *root) {
  SmallVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (!isFunction(op))
      return;
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    if (element.isF16() || element.isBF16())
      functions.push_back(op);
  });
  for (Operation *op : functions) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Value result = op->getResult(0);
    Type type = result.getType(), wide = getTypeLike(type, b.getF32Type()),
         element = getElementTypeOrSelf(type);
    for (OpOperand &operand : op->getOpOperands())
      if (getElementTypeOrSelf(operand.get().getType()) == element)
        operand.set(convertFloat(b, operand.get(), wide));
    result.setType(wide);
    b.setInsertionPointAfter(op);
    Value rounded = convertFloat(b, result, type);
    result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }
}
