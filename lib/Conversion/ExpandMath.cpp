//===- ExpandMath.cpp - Math functions as polynomials ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

#include "attn/Conversion/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNEXPANDMATHPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Whether the polynomial that MLIR has for the op is accurate to a few units
/// in the last place over the whole range of f32.
static bool hasAccuratePolynomial(StringRef name) {
  return llvm::is_contained(
      {math::ExpOp::getOperationName(), math::ExpM1Op::getOperationName(),
       math::Log1pOp::getOperationName(), math::LogOp::getOperationName(),
       math::TanhOp::getOperationName()},
      name);
}

/// Whether no later conversion lowers the op on vectors.
static bool isUnsupported(Operation *op) {
  return isa<math::FPowIOp, math::IPowIOp, math::SincosOp,
             arith::AddUIExtendedOp, arith::MulSIExtendedOp,
             arith::MulUIExtendedOp>(op);
}

namespace {

/// Computes 2^x as 2^n * 2^f, where n is the nearest integer to x and f = x -
/// n. 2^f is a polynomial of degree 6. The error is less than 1 ulp (0.96, over
/// all f32). Results below the smallest normal number become 0.
///
/// Among the polynomials with value 1 at 0, this one has the least relative
/// error on [-1/2, 1/2] (Remez exchange): 2.0e-9, and 1.6e-8 after its
/// coefficients are rounded to f32.
LogicalResult expandExp2(math::Exp2Op op, PatternRewriter &rewriter) {
  Type type = op.getType();
  if (!getElementTypeOrSelf(type).isF32())
    return failure();
  attn::NumberBuilder b(op.getLoc(), rewriter);
  Type intType = attn::getTypeLike(type, b.getI32Type());
  auto number = [&](float value) {
    return createScalarOrSplatConstant(b, b.getLoc(), type, APFloat(value));
  };
  // Selects with these comparisons become min and max instructions on x86,
  // which the ops maxnumf and maximumf do not. If x is NaN, each comparison
  // is false, and the select returns x, so that the result is NaN.
  auto select = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs,
                    Value ifTrue, Value ifFalse) -> Value {
    Value condition = arith::CmpFOp::create(b, predicate, lhs, rhs);
    return b.select(condition, ifTrue, ifFalse);
  };
  Value x = op.getOperand(), zero = number(0.0), limit = number(128.0);
  Value clamped = select(arith::CmpFPredicate::OGT, x, limit, limit, x);

  // Floats between 2^23 and 2^24 are 1 apart. Adding `magic`, which is 1.5 *
  // 2^23, therefore rounds x to an integer, which is then also in the low
  // bits of `sum`.
  Value magic = number(0x1.8p23);
  Value sum = b.addf(clamped, magic);
  Value n = b.subf(sum, magic);
  Value f = b.subf(clamped, n);

  Value power = number(0x1.41fbb6p-13);
  for (float coefficient : {0x1.5f3e52p-10, 0x1.3b2d4cp-7, 0x1.c6aee8p-5,
                            0x1.ebfbdcp-3, 0x1.62e43p-1, 1.0})
    power = b.fma(power, f, number(coefficient));

  // n is added to the exponent bits of the polynomial's value. If n is 128,
  // the value is 1 and the sum is infinity.
  Value exponent =
      b.shli(b.bitcast(intType, sum),
             createScalarOrSplatConstant(b, b.getLoc(), intType, int64_t(23)));
  Value bits = b.bitcast(intType, power);
  Value result = b.bitcast(type, b.addi(bits, exponent));
  Value zeroOrNan = select(arith::CmpFPredicate::OLT, x, zero, zero, x);
  rewriter.replaceOp(op, select(arith::CmpFPredicate::OGE, x, number(-126.0),
                                result, zeroOrNan));
  return success();
}

/// Removes the flag `arcp` from divisions by square roots. With the flag, LLVM
/// would, on x86, multiply by an estimate of the inverse root that it refines
/// by a Newton step. That step gives NaN if the root is infinite.
void keepDivisionsByRoots(Operation *module) {
  module->walk([](arith::DivFOp division) {
    if (division.getRhs().getDefiningOp<math::SqrtOp>())
      division.setFastmath(division.getFastmath() &
                           ~arith::FastMathFlags::arcp);
  });
}

struct AttnExpandMathPass
    : public attn::impl::AttnExpandMathPassBase<AttnExpandMathPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isUnsupported(op))
        return WalkResult::advance();
      op->emitError("'") << op->getName() << "' has no lowering for the host";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    attn::saturateCasts(getOperation(), /*largestWidth=*/64);
    attn::extendMath(getOperation());
    keepDivisionsByRoots(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add(expandExp2);
    attn::populateCommonMathPatterns(patterns);
    attn::populateFloat8Expansions(patterns);
    populateMathPolynomialApproximationPatterns(patterns,
                                                hasAccuratePolynomial);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    if (failed(attn::checkFloat8Ops(getOperation())))
      signalPassFailure();
  }
};
} // namespace
