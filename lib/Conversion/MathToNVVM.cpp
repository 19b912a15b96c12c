//===- MathToNVVM.cpp - The table of math on the GPU ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"
#include "NVVMMath.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"
#include "attn/Target/PTX.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNMATHTONVVMPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {

/// Lowers an op to the LLVM intrinsic `name`, for which LLVM's code generator
/// for GPUs has instructions.
template <typename Source> struct ToIntrinsic : OpRewritePattern<Source> {
  ToIntrinsic(MLIRContext *context, StringRef name)
      : OpRewritePattern<Source>(context), name(name) {}

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, attn::callIntrinsic(rewriter, op, name,
                                               op->getOperands(),
                                               LLVM::FastmathFlags::none));
    return success();
  }
  StringRef name;
};

/// Calls an LLVM intrinsic of f32 scalars for the operands of an op: once if
/// they are scalars, or for each element if they are vectors of rank 1. Returns
/// the result, which is a scalar or a vector. Returns null if the operands are
/// vectors of another rank.
Value callForElements(PatternRewriter &rewriter, Operation *op,
                      StringRef name) {
  Location loc = op->getLoc();
  auto apply = [&](ValueRange elements) {
    return LLVM::CallIntrinsicOp::create(rewriter, loc, rewriter.getF32Type(),
                                         rewriter.getStringAttr(name), elements)
        ->getResult(0);
  };
  ValueRange operands = op->getOperands();
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector)
    return apply(operands);
  if (vector.getRank() != 1)
    return Value();
  SmallVector<Value> results;
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    results.push_back(apply(llvm::map_to_vector(operands, [&](Value operand) {
      return vector::ExtractOp::create(rewriter, loc, operand, i).getResult();
    })));
  return vector::FromElementsOp::create(rewriter, loc, vector, results);
}

/// Lowers exp(x), which equals 2^(x log2 e), and exp2(x) to ex2.approx. The
/// error is 2 ulp, plus, for exp, the error from the rounding of the product.
template <typename Source> struct ToExp2 : OpRewritePattern<Source> {
  ToExp2(MLIRContext *context, double factor)
      : OpRewritePattern<Source>(context), factor(factor) {}

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    if (!attn::hasF32Elements(op))
      return failure();
    Value operand = op.getOperand();
    if (factor != 1.0)
      operand = attn::scaleElements(rewriter, op.getLoc(), operand, factor);
    rewriter.replaceOp(op,
                       attn::callIntrinsic(rewriter, op, "llvm.exp2", operand,
                                           LLVM::FastmathFlags::afn));
    return success();
  }
  double factor;
};

/// Lowers ln(x), log2(x) and log10(x) to lg2.approx, times a constant factor
/// for ln and log10. The absolute error of lg2.approx near x = 1 is 2^-22.6.
template <typename Source> struct ToLog2 : OpRewritePattern<Source> {
  ToLog2(MLIRContext *context, double factor)
      : OpRewritePattern<Source>(context), factor(factor) {}

  LogicalResult matchAndRewrite(Source op,
                                PatternRewriter &rewriter) const override {
    if (!attn::hasF32Elements(op))
      return failure();
    // LLVM's own log2 would become a call of a library. The intrinsic for
    // lg2.approx takes a scalar, so it is called for each element.
    Value result = callForElements(rewriter, op, "llvm.nvvm.lg2.approx.f");
    if (!result)
      return failure();
    if (factor != 1.0)
      result = attn::scaleElements(rewriter, op.getLoc(), result, factor);
    rewriter.replaceOp(op, result);
    return success();
  }
  double factor;
};

/// Lowers a division of f32 to div.full, whose error is 2 ulp over the whole
/// range of f32. The division must have the flag `arcp` but not `afn`, and its
/// divisor must not be a constant, which LLVM itself inverts. An exact division
/// would become a call, across which values are lost from uniform registers.
LogicalResult toFullDivision(arith::DivFOp op, PatternRewriter &rewriter) {
  if (!attn::hasF32Elements(op) ||
      !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::arcp) ||
      bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
      matchPattern(op.getRhs(), m_Constant()))
    return failure();
  Value quotient = callForElements(rewriter, op, "llvm.nvvm.div.full");
  if (!quotient)
    return failure();
  rewriter.replaceOp(op, quotient);
  return success();
}

/// Expands the remainder of a division of f32 to x - n y, where n is the
/// quotient of x and y, rounded to nearest, and adds |y| with the sign of x if
/// the difference has the opposite sign. Both sums are exact while |x / y| is
/// below 2^21: the quotient has an error of 2 ulp, so n is at most off by one.
/// With a truncated n, the difference could have more bits than f32. If |x| is
/// below |y|, the remainder is x, also if y is infinite. For larger quotients
/// only the sign of the result is right, and that it is less than |y|: a
/// difference that is not is replaced by 0.
LogicalResult toNearestMultiple(arith::RemFOp op, PatternRewriter &rewriter) {
  if (!attn::hasF32Elements(op))
    return failure();
  attn::NumberBuilder b(op.getLoc(), rewriter);
  Value x = op.getLhs(), y = op.getRhs();
  Value quotient = arith::DivFOp::create(b, x, y, arith::FastMathFlags::arcp);
  Value n = attn::callIntrinsic(rewriter, op, "llvm.rint", quotient,
                                LLVM::FastmathFlags::none);
  Value rest = b.fma(b.negf(n), y, x);
  Value magnitude = b.absf(y);
  Value change = math::CopySignOp::create(b, magnitude, x);
  // A remainder of 0 has the sign of x, too.
  Value signs = math::CopySignOp::create(b, rest, x);
  Value isExact = b.oeq(signs, rest);
  Value fixed = b.select(isExact, signs, b.addf(rest, change));
  Value isOutside = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE,
                                          b.absf(fixed), magnitude);
  Value none = math::CopySignOp::create(b, b.zero(op.getType()), x);
  fixed = b.select(isOutside, none, fixed);
  Value isSmall = b.olt(b.absf(x), magnitude);
  rewriter.replaceOp(op, b.select(isSmall, x, fixed));
  return success();
}

/// Expands |x| of integers to max(x, -x). For the smallest integer, whose
/// magnitude is not representable, the result is that integer itself.
LogicalResult toLarger(math::AbsIOp op, PatternRewriter &rewriter) {
  Value x = op.getOperand();
  Value zero = createScalarOrSplatConstant(rewriter, op.getLoc(), op.getType(),
                                           int64_t(0));
  rewriter.replaceOpWithNewOp<arith::MaxSIOp>(
      op, x, arith::SubIOp::create(rewriter, op.getLoc(), zero, x));
  return success();
}

/// Computes an op on integers of type index as one on i64, since LLVM has
/// intrinsics of integers of known widths alone. The pattern comes before those
/// that expand such ops.
template <typename Source>
LogicalResult toWords(Source op, PatternRewriter &rewriter) {
  Type type = op.getType();
  if (!getElementTypeOrSelf(type).isIndex())
    return failure();
  attn::NumberBuilder b(op.getLoc(), rewriter);
  Type words = attn::getTypeLike(type, b.getI64Type());
  Value result = Source::create(b, b.indexCast(words, op.getOperand()));
  rewriter.replaceOp(op, b.indexCast(type, result));
  return success();
}

/// Expands the number of trailing zeros of x to the number of ones in (x & -x)
/// - 1. If x is 0, all bits of this expression are set, so the result is the
/// width of x.
LogicalResult toPopulation(math::CountTrailingZerosOp op,
                           PatternRewriter &rewriter) {
  attn::NumberBuilder b(op.getLoc(), rewriter);
  Value x = op.getOperand();
  Value lowest = b.andi(x, b.subi(b.zero(op.getType()), x));
  rewriter.replaceOpWithNewOp<math::CtPopOp>(
      op, b.subi(lowest, b.integer(op.getType(), 1)));
  return success();
}

/// Rounds pairs of f32 to 32-bit words that hold two 16-bit floats, by
/// intrinsics. If a branch yields such values, LLVM would move a rounding of
/// another form to after the branch. The values would then leave the branch as
/// f32, in twice as many registers.
LogicalResult toPackedTrunc(arith::TruncFOp op, PatternRewriter &rewriter) {
  auto result = dyn_cast<VectorType>(op.getType());
  if (!result || result.getRank() != 1 || result.getNumElements() % 2 != 0 ||
      !getElementTypeOrSelf(op.getIn()).isF32() ||
      op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
          arith::RoundingMode::to_nearest_even)
    return failure();
  Type element = result.getElementType();
  if (!element.isF16() && !element.isBF16())
    return failure();
  attn::NumberBuilder b(op.getLoc(), rewriter);
  StringAttr name = b.getStringAttr(element.isF16() ? "llvm.nvvm.ff2f16x2.rn"
                                                    : "llvm.nvvm.ff2bf16x2.rn");
  auto pairType = VectorType::get({2}, element);
  int64_t count = result.getNumElements();
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; i += 2) {
    Value low = vector::ExtractOp::create(b, op.getIn(), i);
    Value high = vector::ExtractOp::create(b, op.getIn(), i + 1);
    // The first operand of the intrinsic becomes the upper half of its
    // result.
    auto pair =
        LLVM::CallIntrinsicOp::create(b, pairType, name, ValueRange{high, low});
    if (count == 2) {
      rewriter.replaceOp(op, pair);
      return success();
    }
    words.push_back(
        LLVM::BitcastOp::create(b, b.getI32Type(), pair->getResult(0)));
  }
  auto type =
      VectorType::get(static_cast<int64_t>(words.size()), b.getI32Type());
  rewriter.replaceOpWithNewOp<vector::BitCastOp>(
      op, result, vector::FromElementsOp::create(b, type, words));
  return success();
}

/// Whether the code generator for GPUs can compute with the type as an operand
/// or a result of ops of arith. It has no instructions for floats other than
/// the types that programs support and f64.
bool isComputable(Type type) {
  type = getElementTypeOrSelf(type);
  return !isa<FloatType>(type) || type.isF16() || type.isBF16() ||
         type.isF32() || type.isF64() || attn::isFloat8(type);
}

/// Whether the op is a conversion between floats and integers of more than 64
/// bits, for which LLVM would call a library that is not linked.
bool convertsWideIntegers(Operation *op) {
  auto isWide = [](Type type) {
    type = getElementTypeOrSelf(type);
    return type.isInteger() && type.getIntOrFloatBitWidth() > 64;
  };
  return isa<arith::FPToSIOp, arith::FPToUIOp, arith::SIToFPOp,
             arith::UIToFPOp>(op) &&
         (isWide(op->getOperand(0).getType()) ||
          isWide(op->getResult(0).getType()));
}

/// Whether an op that the patterns have left cannot be lowered.
bool hasNoLowering(Operation *op) {
  // MLIR would turn ops of math into calls of a library that is not linked.
  if (isa<math::MathDialect>(op->getDialect()) || isa<arith::RemFOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         (convertsWideIntegers(op) ||
          !llvm::all_of(op->getOperandTypes(), isComputable) ||
          !llvm::all_of(op->getResultTypes(), isComputable));
}

/// Returns whether the chip has instructions for 8-bit floats. In a module of
/// kernels, the chip is that of the module's target; if there is none, the
/// function fails with an error at the module. Elsewhere, the chip is the
/// user's target; if there is none, the function returns false.
FailureOr<bool> findFloat8(Operation *root) {
  if (auto module = dyn_cast<gpu::GPUModuleOp>(root)) {
    FailureOr<attn::Chip> chip = attn::getChip(module);
    if (failed(chip))
      return failure();
    return chip->hasFloat8();
  }
  attn_gpu::TargetAttr target = attn_gpu::findTarget(root);
  return target && target.getDescription().hasFloat8();
}

struct AttnMathToNVVMPass
    : public attn::impl::AttnMathToNVVMPassBase<AttnMathToNVVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    FailureOr<bool> hasFloat8 = findFloat8(getOperation());
    if (failed(hasFloat8))
      return signalPassFailure();
    // Casts to integers of 8 bits or fewer do not saturate on GPUs, so they are
    // expanded here.
    attn::saturateCasts(getOperation(), /*largestWidth=*/8);
    attn::extendMath(getOperation());
    attn::reduceAngles(getOperation());
    // The first set of patterns expands ops for which there is a polynomial, or
    // an expression in terms of other functions.
    RewritePatternSet expansions(context);
    math::populateExpansionPatterns(
        expansions, {"sinh", "cosh", "asinh", "acosh", "atanh", "powf", "fpowi",
                     "roundeven", "round", "rsqrt", "ctlz"});
    attn::populatePowersToNVVMPatterns(expansions);
    attn::populateTanhToNVVMPatterns(expansions);
    expansions.add(toNearestMultiple)
        .add(toLarger)
        .add(toPopulation)
        .add(toWords<math::AbsIOp>, /*benefit=*/2)
        .add(toWords<math::CtPopOp>, /*benefit=*/2)
        .add(toWords<math::CountLeadingZerosOp>, /*benefit=*/2)
        .add(toWords<math::CountTrailingZerosOp>, /*benefit=*/2);
    if (*hasFloat8)
      attn::populateFloat8ToNVVMPatterns(expansions);
    else
      attn::populateFloat8Expansions(expansions);
    attn::populateInt8ToNVVMPatterns(expansions);
    populateMathPolynomialApproximationPatterns(expansions, [](StringRef name) {
      return llvm::is_contained({"math.tanh", "math.sin", "math.cos",
                                 "math.asin", "math.acos", "math.erf",
                                 "math.erfc", "math.log1p", "math.expm1"},
                                name);
    });
    (void)applyPatternsGreedily(getOperation(), std::move(expansions));
    if (failed(attn::checkFloat8Ops(getOperation())))
      return signalPassFailure();

    RewritePatternSet table(context);
    table.add<ToIntrinsic<arith::MaxNumFOp>>(context, "llvm.maxnum");
    table.add<ToIntrinsic<arith::MinNumFOp>>(context, "llvm.minnum");
    table.add<ToIntrinsic<arith::MaximumFOp>>(context, "llvm.maximum");
    table.add<ToIntrinsic<arith::MinimumFOp>>(context, "llvm.minimum");
    table.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    table.add<ToIntrinsic<math::CeilOp>>(context, "llvm.ceil");
    table.add<ToIntrinsic<math::CtPopOp>>(context, "llvm.ctpop");
    table.add<ToIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
    table.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
    table.add<ToIntrinsic<math::FmaOp>>(context, "llvm.fma");
    table.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
    table.add<ToIntrinsic<math::TruncOp>>(context, "llvm.trunc");
    attn::populateCommonMathPatterns(table);
    table.add(toFullDivision).add(toPackedTrunc);
    table.add<ToExp2<math::ExpOp>>(context, M_LOG2E);
    table.add<ToExp2<math::Exp2Op>>(context, 1.0);
    table.add<ToLog2<math::LogOp>>(context, M_LN2);
    table.add<ToLog2<math::Log2Op>>(context, 1.0);
    table.add<ToLog2<math::Log10Op>>(context, M_LN2 / M_LN10);
    (void)applyPatternsGreedily(getOperation(), std::move(table));

    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!hasNoLowering(op))
        return WalkResult::advance();
      op->emitError("'") << op->getName() << "' has no lowering for the GPU";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
