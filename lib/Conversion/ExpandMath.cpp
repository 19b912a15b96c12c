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
                 ExpandClassification<math::IsNormalOp>>(&getContext());
    populateMathPolynomialApproximationPatterns(patterns,
                                                hasAccuratePolynomial);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
