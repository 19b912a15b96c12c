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
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

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

/// The results of a scalar function on each element of f32 operands, or null if
/// they have several dimensions.
Value mapElements(PatternRewriter &rewriter, Operation *op, ValueRange operands,
                  llvm::function_ref<Value(ValueRange)> apply) {
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector)
    return apply(operands);
  if (vector.getRank() != 1)
    return Value();
  Location loc = op->getLoc();
  SmallVector<Value> results;
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    results.push_back(apply(llvm::map_to_vector(operands, [&](Value operand) {
      return vector::ExtractOp::create(rewriter, loc, operand, i).getResult();
    })));
  return vector::FromElementsOp::create(rewriter, loc, vector, results);
}

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
    // LLVM's own log2 is a library call; this intrinsic is of scalars.
    Value result = mapElements(
        rewriter, op, op.getOperand(), [&](ValueRange elements) -> Value {
          return LLVM::CallIntrinsicOp::create(
                     rewriter, loc, rewriter.getF32Type(),
                     rewriter.getStringAttr("llvm.nvvm.lg2.approx.f"), elements)
              ->getResult(0);
        });
    if (!result)
      return failure();
    if (factor != 1.0)
      result = scale(rewriter, loc, result, factor);
    rewriter.replaceOp(op, result);
    return success();
  }
  double factor;
};

/// With `afn` tanh.approx, 2^-11 relative. Else 1 - 2 / (1 + e^(2x)), and where
/// that cancels a polynomial of degree 9, for less than 8 ulp. Its coefficients
/// have the least relative error on [-0.55, 0.55] (Lawson's iteration), 4e-8.
struct ToTanh : OpRewritePattern<math::TanhOp> {
  ToTanh(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasF32Elements(op))
      return failure();
    if (bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn)) {
      rewriter.replaceOp(op, callIntrinsic(rewriter, op, "llvm.tanh",
                                           op.getOperand(),
                                           LLVM::FastmathFlags::afn));
      return success();
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto number = [&](float value) {
      return createScalarOrSplatConstant(b, b.getLoc(), op.getType(),
                                         APFloat(value));
    };
    Value x = op.getOperand();
    Value square = arith::MulFOp::create(b, x, x);
    Value series = number(0x1.0d5036p-6);
    for (float coefficient : {-0x1.af7cccp-5, 0x1.10cef6p-3, -0x1.555452p-2})
      series = math::FmaOp::create(b, series, square, number(coefficient));
    Value small =
        math::FmaOp::create(b, arith::MulFOp::create(b, square, series), x, x);

    Value power =
        callIntrinsic(rewriter, op, "llvm.exp2",
                      scale(rewriter, op.getLoc(), x, 2 * llvm::numbers::log2e),
                      LLVM::FastmathFlags::afn);
    Value one = number(1.0);
    Value inverse =
        arith::DivFOp::create(b, one, arith::AddFOp::create(b, one, power),
                              arith::FastMathFlags::afn);
    Value large = math::FmaOp::create(b, inverse, number(-2.0), one);
    Value isSmall =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                              math::AbsFOp::create(b, x), number(0.55f));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isSmall, small, large);
    return success();
  }
};

/// A quotient whose divisor may be inverted, 2 ulp over the whole range of f32.
/// LLVM inverts constants itself. An exact division is a call, across which
/// nothing stays in uniform registers.
struct ToFullDivision : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasF32Elements(op) ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::arcp) ||
        bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        matchPattern(op.getRhs(), m_Constant()))
      return failure();
    Value quotient = mapElements(
        rewriter, op, op->getOperands(), [&](ValueRange elements) -> Value {
          return LLVM::CallIntrinsicOp::create(
                     rewriter, op.getLoc(), rewriter.getF32Type(),
                     rewriter.getStringAttr("llvm.nvvm.div.full"), elements)
              ->getResult(0);
        });
    if (!quotient)
      return failure();
    rewriter.replaceOp(op, quotient);
    return success();
  }
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
    expansions.add<ToTanh>(context);
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
    table.add<ToFullDivision>(context);
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
