//===- ExpandMath.cpp - Math functions as polynomials
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNEXPANDMATHPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Ops whose polynomial is accurate to a few units in the last place over the
/// whole range of f32.
static bool hasAccuratePolynomial(StringRef name) {
  return llvm::is_contained({math::ExpOp::getOperationName(),
                             math::LogOp::getOperationName(),
                             math::TanhOp::getOperationName()},
                            name);
}

/// Ops that no later conversion lowers on vectors.
static bool isUnsupported(Operation *op) {
  return isa<math::FPowIOp, math::IPowIOp, math::SincosOp,
             arith::AddUIExtendedOp, arith::MulSIExtendedOp,
             arith::MulUIExtendedOp>(op);
}

namespace {

/// min(max(x, lo), hi): upstream's expansion swaps the bounds.
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value raised = arith::MaximumFOp::create(rewriter, op.getLoc(),
                                             op.getValue(), op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax());
    return success();
  }
};

/// |x| compared with infinity, and with the smallest normal number.
template <typename Source>
struct ExpandClassification : OpRewritePattern<Source> {
  using OpRewritePattern<Source>::OpRewritePattern;

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    auto constant = [&](APFloat value) -> Value {
      TypedAttr attr = rewriter.getFloatAttr(element, value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = DenseElementsAttr::get(shaped, attr);
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
    auto compare = [&](arith::CmpFPredicate predicate, APFloat bound) -> Value {
      return arith::CmpFOp::create(rewriter, loc, predicate, magnitude,
                                   constant(bound));
    };
    if (isa<math::IsInfOp>(op.getOperation())) {
      rewriter.replaceOp(
          op, compare(arith::CmpFPredicate::OEQ, APFloat::getInf(semantics)));
      return success();
    }
    Value isLarge = compare(arith::CmpFPredicate::OGE,
                            APFloat::getSmallestNormalized(semantics));
    Value isFinite =
        compare(arith::CmpFPredicate::OLT, APFloat::getInf(semantics));
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
    return success();
  }
};

/// 2^x as 2^n * 2^f, where n is the nearest integer and 2^f a polynomial of
/// degree 6. Less than 1 ulp off (0.96, over all f32); results below the normal
/// numbers are 0.
///
/// The polynomial has the least relative error on [-1/2, 1/2] (Remez exchange)
/// among those of value 1 at 0, 2.0e-9; with coefficients rounded to
/// f32 1.6e-8.
struct ExpandExp2 : OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type intType = b.getI32Type();
    if (auto shaped = dyn_cast<ShapedType>(type))
      intType = shaped.clone(intType);
    auto constant = [&](Type type, TypedAttr attr) -> Value {
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = DenseElementsAttr::get(shaped, attr);
      return arith::ConstantOp::create(b, attr);
    };
    auto number = [&](double value) {
      return constant(type, b.getF32FloatAttr(value));
    };
    // These selections, unlike maxnumf and maximumf, are x86's min and max. A
    // NaN is kept.
    auto select = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs,
                      Value ifTrue, Value ifFalse) -> Value {
      Value condition = arith::CmpFOp::create(b, predicate, lhs, rhs);
      return arith::SelectOp::create(b, condition, ifTrue, ifFalse);
    };
    Value x = op.getOperand(), zero = number(0.0), limit = number(128.0);
    Value clamped = select(arith::CmpFPredicate::OGT, x, limit, limit, x);

    // In [2^23, 2^24) a unit in the last place is 1: the sum rounds to an
    // integer, which is also in the low bits.
    Value magic = number(0x1.8p23);
    Value sum = arith::AddFOp::create(b, clamped, magic);
    Value n = arith::SubFOp::create(b, sum, magic);
    Value f = arith::SubFOp::create(b, clamped, n);

    Value power = number(0x1.41fbb6p-13);
    for (double coefficient : {0x1.5f3e52p-10, 0x1.3b2d4cp-7, 0x1.c6aee8p-5,
                               0x1.ebfbdcp-3, 0x1.62e43p-1, 1.0})
      power = math::FmaOp::create(b, power, f, number(coefficient));

    // n is added to the exponent's bits; 128 makes 1 infinity.
    Value exponent =
        arith::ShLIOp::create(b, arith::BitcastOp::create(b, intType, sum),
                              constant(intType, b.getI32IntegerAttr(23)));
    Value bits = arith::BitcastOp::create(b, intType, power);
    Value result = arith::BitcastOp::create(
        b, type, arith::AddIOp::create(b, bits, exponent));
    Value zeroOrNan = select(arith::CmpFPredicate::OLT, x, zero, zero, x);
    rewriter.replaceOp(op, select(arith::CmpFPredicate::OGE, x, number(-126.0),
                                  result, zeroOrNan));
    return success();
  }
};

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
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandClamp, ExpandClassification<math::IsInfOp>,
                 ExpandClassification<math::IsNormalOp>, ExpandExp2>(
        &getContext());
    populateMathPolynomialApproximationPatterns(patterns,
                                                hasAccuratePolynomial);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
