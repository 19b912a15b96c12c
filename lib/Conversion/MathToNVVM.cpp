//===- MathToNVVM.cpp - The table of math on the GPU
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

#include "attn/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNMATHTONVVMPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {

bool hasF32Elements(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

/// A call of an LLVM intrinsic by name: as ops of the LLVM dialect, upstream's
/// conversion of GPU modules turns them into calls of libdevice.
Value callIntrinsic(PatternRewriter &rewriter, Operation *op, StringRef name,
                    ValueRange operands, LLVM::FastmathFlags flags) {
  auto call = LLVM::CallIntrinsicOp::create(
      rewriter, op->getLoc(), op->getResult(0).getType(),
      rewriter.getStringAttr(name), operands);
  call.setFastmathFlags(flags);
  return call->getResult(0);
}

/// An op that LLVM's code generator lowers to instructions as it is.
template <typename Source> struct ToIntrinsic : OpRewritePattern<Source> {
  ToIntrinsic(MLIRContext *context, StringRef name)
      : OpRewritePattern<Source>(context), name(name) {}

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, callIntrinsic(rewriter, op, name, op->getOperands(),
                                         LLVM::FastmathFlags::none));
    return success();
  }
  StringRef name;
};

/// f32 elements times a constant.
Value scale(PatternRewriter &rewriter, Location loc, Value value,
            double factor) {
  Value constant = createScalarOrSplatConstant(
      rewriter, loc, value.getType(), APFloat(static_cast<float>(factor)));
  return arith::MulFOp::create(rewriter, loc, value, constant);
}

/// exp(x) = 2^(x log2 e) by ex2.approx, 2 ulp besides the rounding of the
/// product.
template <typename Source> struct ToExp2 : OpRewritePattern<Source> {
  ToExp2(MLIRContext *context, double factor)
      : OpRewritePattern<Source>(context), factor(factor) {}

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    if (!hasF32Elements(op))
      return failure();
    Value operand = op.getOperand();
    if (factor != 1.0)
      operand = scale(rewriter, op.getLoc(), operand, factor);
    rewriter.replaceOp(op, callIntrinsic(rewriter, op, "llvm.exp2", operand,
                                         LLVM::FastmathFlags::afn));
    return success();
  }
  double factor;
};

/// ln(x) = log2(x) ln 2 by lg2.approx, whose absolute error is 2^-22.6 near 1.
template <typename Source> struct ToLog2 : OpRewritePattern<Source> {
  ToLog2(MLIRContext *context, double factor)
      : OpRewritePattern<Source>(context), factor(factor) {}

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    if (!hasF32Elements(op))
      return failure();
    Location loc = op.getLoc();
    Type f32 = rewriter.getF32Type();
    // LLVM's own log2 is a library call; this intrinsic is of scalars.
    auto log2 = [&](Value x) -> Value {
      return LLVM::CallIntrinsicOp::create(
                 rewriter, loc, f32,
                 rewriter.getStringAttr("llvm.nvvm.lg2.approx.f"), x)
          ->getResult(0);
    };
    Value operand = op.getOperand();
    Value result;
    if (auto vector = dyn_cast<VectorType>(operand.getType())) {
      if (vector.getRank() != 1)
        return failure();
      SmallVector<Value> results;
      for (int64_t i = 0; i < vector.getNumElements(); ++i)
        results.push_back(
            log2(vector::ExtractOp::create(rewriter, loc, operand, i)));
      result = vector::FromElementsOp::create(rewriter, loc, vector, results);
    } else {
      result = log2(operand);
    }
    if (factor != 1.0)
      result = scale(rewriter, loc, result, factor);
    rewriter.replaceOp(op, result);
    return success();
  }
  double factor;
};

struct AttnMathToNVVMPass
    : public attn::impl::AttnMathToNVVMPassBase<AttnMathToNVVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // First what has a polynomial, or an expression in other functions.
    RewritePatternSet expansions(context);
    math::populateExpansionPatterns(
        expansions, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "powf",
                     "fpowi", "roundeven", "round"});
    populateMathPolynomialApproximationPatterns(expansions, [](StringRef name) {
      return llvm::is_contained({"math.tanh", "math.sin", "math.cos",
                                 "math.atan", "math.atan2", "math.asin",
                                 "math.acos", "math.erf", "math.erfc",
                                 "math.log1p", "math.expm1", "math.cbrt"},
                                name);
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      return signalPassFailure();

    RewritePatternSet table(context);
    table.add<ToIntrinsic<arith::MaxNumFOp>>(context, "llvm.maxnum");
    table.add<ToIntrinsic<arith::MinNumFOp>>(context, "llvm.minnum");
    table.add<ToIntrinsic<arith::MaximumFOp>>(context, "llvm.maximum");
    table.add<ToIntrinsic<arith::MinimumFOp>>(context, "llvm.minimum");
    table.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    table.add<ToIntrinsic<math::CeilOp>>(context, "llvm.ceil");
    table.add<ToIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
    table.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
    table.add<ToIntrinsic<math::FmaOp>>(context, "llvm.fma");
    table.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
    table.add<ToIntrinsic<math::TruncOp>>(context, "llvm.trunc");
    attn::populateCommonMathPatterns(table);
    table.add<ToExp2<math::ExpOp>>(context, M_LOG2E);
    table.add<ToExp2<math::Exp2Op>>(context, 1.0);
    table.add<ToLog2<math::LogOp>>(context, M_LN2);
    table.add<ToLog2<math::Log2Op>>(context, 1.0);
    table.add<ToLog2<math::Log10Op>>(context, M_LN2 / M_LN10);
    if (failed(applyPatternsGreedily(getOperation(), std::move(table))))
      return signalPassFailure();

    // Anything else would become a call of a library that is not there.
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa<math::MathDialect>(op->getDialect()) && !isa<arith::RemFOp>(op))
        return WalkResult::advance();
      op->emitError("'") << op->getName() << "' has no lowering for the GPU";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
