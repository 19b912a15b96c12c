//===- MathPatterns.h - Expansions for the host and the GPU -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_MATHPATTERNS_H
#define ATTN_LIB_CONVERSION_MATHPATTERNS_H

#include "attn/Support/TypeLike.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#include <type_traits>

namespace mlir::attn {

/// Expands a clamp to min(max(x, lo), hi). The expansion of MLIR, max(min(x,
/// lo), hi), confuses the two bounds and is wrong if lo < hi.
inline LogicalResult expandClamp(math::ClampFOp op, PatternRewriter &rewriter) {
  Value raised = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(),
                                           op.getMin());
  rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax());
  return success();
}

/// Expands isfinite, isinf, isnan and isnormal of x to comparisons of |x| with
/// infinity and, for isnormal, with the smallest normal number.
template <typename Source>
LogicalResult expandClassification(Source op, PatternRewriter &rewriter) {
  using Predicate = arith::CmpFPredicate;
  Location loc = op.getLoc();
  Type type = op.getOperand().getType();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
  auto compare = [&](Predicate predicate, const APFloat &bound) -> Value {
    return arith::CmpFOp::create(
        rewriter, loc, predicate, magnitude,
        createScalarOrSplatConstant(rewriter, loc, type, bound));
  };
  APFloat infinity = APFloat::getInf(semantics);
  Value result;
  if constexpr (std::is_same_v<Source, math::IsFiniteOp>) {
    result = compare(Predicate::OLT, infinity);
  } else if constexpr (std::is_same_v<Source, math::IsInfOp>) {
    result = compare(Predicate::OEQ, infinity);
  } else if constexpr (std::is_same_v<Source, math::IsNaNOp>) {
    result = compare(Predicate::UNO, infinity);
  } else {
    static_assert(std::is_same_v<Source, math::IsNormalOp>);
    Value isLarge =
        compare(Predicate::OGE, APFloat::getSmallestNormalized(semantics));
    Value isFinite = compare(Predicate::OLT, infinity);
    result = arith::AndIOp::create(rewriter, loc, isLarge, isFinite);
  }
  rewriter.replaceOp(op, result);
  return success();
}

/// Adds expansions of math ops for which MLIR's conversions are missing or
/// wrong, on both the host and the GPU.
inline void populateCommonMathPatterns(RewritePatternSet &patterns) {
  patterns.add(expandClamp)
      .add(expandClassification<math::IsFiniteOp>)
      .add(expandClassification<math::IsInfOp>)
      .add(expandClassification<math::IsNaNOp>)
      .add(expandClassification<math::IsNormalOp>);
}

/// Makes casts from floats to integers of at most `largestWidth` bits saturate,
/// by selects. A number that is out of range becomes the nearest integer, and
/// NaN becomes 0. GPUs need this only for 8 bits and less, since their casts to
/// integers of 16, 32 and 64 bits saturate in the same way.
void saturateCasts(Operation *root, unsigned largestWidth);

/// Computes functions of math on f16 and bf16, such as exp and tanh, in f32 and
/// rounds their results. The expansions below are of f32 alone.
void extendMath(Operation *root);

/// Whether the op rounds numbers of f16, bf16 or f32 to 8-bit floats, to
/// nearest even. The numbers may be scalars or vectors.
bool isTruncationToFloat8(arith::TruncFOp op);
/// Converts a float, or a vector of floats, to another float type, by extension
/// or rounding.
Value convertFloat(ImplicitLocOpBuilder &builder, Value value, Type type);
/// Adds patterns that expand conversions of 8-bit floats to ops on integers.
void populateFloat8Expansions(RewritePatternSet &patterns);
/// Adds patterns that lower conversions of 8-bit floats to GPU instructions.
void populateFloat8ToNVVMPatterns(RewritePatternSet &patterns);
/// Adds patterns that convert vectors of signed 8-bit integers to f16 or bf16.
/// They use byte permutations, and an addition (f16) or an fma (bf16) of each
/// pair of elements.
void populateInt8ToNVVMPatterns(RewritePatternSet &patterns);
/// Fails with an error if an op of arith or math in `root` has operands or
/// results of 8-bit floats. Constants, bitcasts and selects are allowed. The
/// function is called after the expansion of conversions, and no other op on
/// 8-bit floats has a lowering.
LogicalResult checkFloat8Ops(Operation *root);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_MATHPATTERNS_H
