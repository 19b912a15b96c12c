//===- TanhToNVVM.cpp - The hyperbolic tangent on the GPU -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CombinePairwise.h"
#include "NVVMMath.h"

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// kLargestOfSeries is the largest magnitude of x for which tanh(x) is computed
/// as x + x^3 p(x^2). kTanhSeries has the coefficients of the polynomial p,
/// that of the highest power first. They minimise the relative error (Lawson's
/// iteration), which is 4e-8.
constexpr float kLargestOfSeries = 0.55f;
constexpr float kTanhSeries[] = {0x1.0d5036p-6, -0x1.af7cccp-5, 0x1.10cef6p-3,
                                 -0x1.555452p-2};

/// Returns a value and a constant factor whose product is `x`. Returns `x` and
/// 1 if `x` is not the multiple of a value by a constant.
std::pair<Value, double> findBase(Value x) {
  double factor = 1;
  auto allows = [](Operation *op, arith::FastMathFlags flags) {
    return bitEnumContainsAll(cast<arith::ArithFastMathInterface>(op)
                                  .getFastMathFlagsAttr()
                                  .getValue(),
                              flags);
  };
  while (Operation *op = x.getDefiningOp()) {
    bool isProduct = isa<arith::MulFOp>(op);
    APFloat constant(0.0);
    if ((!isProduct && !isa<arith::DivFOp>(op)) ||
        !allows(op, arith::FastMathFlags::reassoc) ||
        (!isProduct && !allows(op, arith::FastMathFlags::arcp)) ||
        !matchPattern(op->getOperand(1), m_ConstantFloat(&constant)))
      break;
    // Only factors between 2^-12 and 2^12 are taken, since their powers become
    // coefficients of the series.
    constexpr double kLargest = 0x1p12;
    double other = constant.convertToDouble();
    if (!(other > 0))
      break;
    double next = isProduct ? factor * other : factor / other;
    if (next > kLargest || next < 1 / kLargest)
      break;
    factor = next;
    x = op->getOperand(0);
  }
  return {x, factor};
}

/// Returns an i1: whether the elements of all lanes of the warp are so small
/// that the series is accurate. The lanes of the warp vote on this, since they
/// all take the same branch.
Value emitAreSmall(NumberBuilder &b, Value base, double factor) {
  SmallVector<Value> magnitudes;
  int64_t count = cast<VectorType>(base.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    magnitudes.push_back(b.absf(vector::ExtractOp::create(b, base, i)));
  Value largest =
      combinePairwise(std::move(magnitudes), [&](Value lhs, Value rhs) {
        return b.maxnumf(lhs, rhs);
      });
  Value isSmall =
      b.olt(largest, b.real(b.getF32Type(), kLargestOfSeries / factor));
  Value lanes = b.word(-1);
  return NVVM::VoteSyncOp::create(b, b.getI1Type(), lanes, isSmall,
                                  NVVM::VoteSyncKind::all);
}

/// Returns the series of tanh(base * factor), in the form base * (factor +
/// base^2 * ...).
Value emitSeries(NumberBuilder &b, Value base, double factor) {
  Value square = b.mulf(base, base);
  auto constant = [&](double value) { return b.real(base.getType(), value); };
  Value sum;
  double power = std::pow(factor, 2.0 * std::size(kTanhSeries) + 1);
  for (double coefficient : kTanhSeries) {
    Value next = constant(coefficient * power);
    sum = sum ? b.fma(sum, square, next) : next;
    power /= factor * factor;
  }
  return b.mulf(base, b.fma(sum, square, constant(factor)));
}

Value emitAny(NumberBuilder &b, math::TanhOp op) {
  Value x = op.getOperand();
  // The series is computed from `multiple`, not from x. If it were computed
  // from x, it would share ops with the other branch, and LLVM would move
  // them before the branch and keep their results in registers.
  constexpr double kFactor = 2 * llvm::numbers::log2e;
  Value multiple = scaleElements(b, op.getLoc(), x, kFactor);
  Value small = emitSeries(b, multiple, 1 / kFactor);
  Value power =
      callIntrinsic(b, op, "llvm.exp2", multiple, LLVM::FastmathFlags::afn);
  Value one = b.real(x.getType(), 1.0);
  Value inverse = arith::DivFOp::create(b, one, b.addf(one, power),
                                        arith::FastMathFlags::afn);
  Value large = b.fma(inverse, b.real(x.getType(), -2.0), one);
  Value isSmall = b.olt(b.absf(x), b.real(x.getType(), kLargestOfSeries));
  return b.select(isSmall, small, large);
}

/// Lowers tanh(x) of f32. With the flag `afn`, it becomes tanh.approx, whose
/// relative error is 2^-11. Otherwise it is computed as 1 - 2 / (1 + e^(2x))
/// or, for small x, where that expression cancels, as a series. The error is
/// less than 8 ulp.
///
/// For vectors of rank 1, a branch computes only the series if the arguments of
/// all lanes of the warp are small, as those of a soft cap often are. The
/// series needs no exponential, of which an SM can compute only few at a time.
LogicalResult toTanh(math::TanhOp op, PatternRewriter &rewriter) {
  if (!hasF32Elements(op))
    return failure();
  Value x = op.getOperand();
  if (bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn)) {
    rewriter.replaceOp(op, callIntrinsic(rewriter, op, "llvm.tanh", x,
                                         LLVM::FastmathFlags::afn));
    return success();
  }
  NumberBuilder b(op.getLoc(), rewriter);
  auto vector = dyn_cast<VectorType>(op.getType());
  if (!vector || vector.getRank() != 1) {
    rewriter.replaceOp(op, emitAny(b, op));
    return success();
  }
  // If x is a product with a constant factor, powers of that factor are
  // multiplied into the coefficients of the series. The branch with the
  // series then does not need x, and only the other branch computes the
  // product.
  auto [base, factor] = findBase(x);
  auto branch =
      scf::IfOp::create(b, op.getType(), emitAreSmall(b, base, factor),
                        /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, emitSeries(b, base, factor));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, emitAny(b, op));
  rewriter.replaceOp(op, branch);
  return success();
}

} // namespace

void mlir::attn::populateTanhToNVVMPatterns(RewritePatternSet &patterns) {
  patterns.add(toTanh, /*benefit=*/2);
}
