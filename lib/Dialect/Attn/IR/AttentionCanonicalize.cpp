//===- AttentionCanonicalize.cpp - Canonical forms of attn.attention ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Returns the static number of rows (i = 0) or keys (i = 1) of the op. It is
/// the operand of `lengths` if the op has these, otherwise dimension 2 of
/// `type`, the type of its query or key. Returns nullopt if that number is not
/// a constant, if batch entries may have different lengths, or if keys are in
/// pages.
std::optional<int64_t> getStaticLength(AttentionInterface op, unsigned i,
                                       ShapedType type) {
  if (op.isRagged() || op.getPages())
    return std::nullopt;
  if (!op.getLengths().empty())
    return getConstantIntValue(op.getLengths()[i]);
  if (type.isDynamicDim(2))
    return std::nullopt;
  return type.getDimSize(2);
}

/// Drops the parts of a mask (causal, left, right) that exclude no pair, and
/// the whole mask if no part is left. Sets the alignment to top_left if there
/// are as many keys as rows, so that both alignments mean the same.
LogicalResult simplifyMask(AttentionInterface op, PatternRewriter &rewriter) {
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return failure();
  Alignment alignment = mask.getAlignment();
  bool causal = mask.getCausal();
  std::optional<int64_t> left = mask.getLeft();
  // A pair that a causal mask keeps also satisfies each bound `right`, which
  // is at least 0, so a causal mask needs no such bound.
  std::optional<int64_t> right = causal ? std::nullopt : mask.getRight();

  std::optional<int64_t> lengthQ = getStaticLength(op, 0, op.getQueryType());
  std::optional<int64_t> lengthKv = getStaticLength(op, 1, op.getKeyType());
  if (lengthQ && lengthKv) {
    int64_t shift =
        alignment == Alignment::BottomRight ? *lengthKv - *lengthQ : 0;
    int64_t largest = *lengthKv - 1 - shift;
    int64_t smallest = -(*lengthQ - 1) - shift;
    if (causal && largest <= 0)
      causal = false;
    if (right && *right >= largest)
      right = std::nullopt;
    if (left && -*left <= smallest)
      left = std::nullopt;
    if (*lengthQ == *lengthKv)
      alignment = Alignment::TopLeft;
  }

  MaskAttr simplified;
  if (causal || left || right)
    simplified = MaskAttr::get(op.getContext(), alignment, causal, left, right);
  if (simplified == mask)
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.setMaskAttr(simplified); });
  return success();
}

/// Whether the op is a backward op that computes the gradient of at least one
/// capture.
bool hasCaptureGradients(AttentionInterface op) {
  auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
  return backward && !backward.getCaptureWrt().empty();
}

/// Removes the block of a score or mask region that has no effect. Also removes
/// all captures if the op then has neither a score region nor a mask region.
void dropRegion(AttentionInterface op, Region &region,
                PatternRewriter &rewriter) {
  rewriter.modifyOpInPlace(op, [&] {
    rewriter.eraseBlock(&region.front());
    if (!op.hasScore() && !op.hasMaskRegion())
      op.getCapturesMutable().clear();
  });
}

/// Removes a score region that yields the score unchanged.
LogicalResult dropIdentityScore(AttentionInterface op,
                                PatternRewriter &rewriter) {
  if (!op.hasScore() || hasCaptureGradients(op))
    return failure();
  Block &body = op.getScore().front();
  if (cast<YieldOp>(body.getTerminator()).getValue() != body.getArgument(0))
    return failure();
  dropRegion(op, op.getScore(), rewriter);
  return success();
}

/// Removes a mask region that keeps every pair.
LogicalResult dropTrueMask(AttentionInterface op, PatternRewriter &rewriter) {
  if (!op.hasMaskRegion())
    return failure();
  auto yield = cast<YieldOp>(op.getMaskRegion().front().getTerminator());
  if (!matchPattern(yield.getValue(), m_One()))
    return failure();
  dropRegion(op, op.getMaskRegion(), rewriter);
  return success();
}

/// Replaces one captured constant by constants in the regions, or drops one
/// capture that no region uses. Adjusts the indices of captures in a backward
/// op's `wrt`. Captures for which a backward op computes a gradient are left
/// alone.
LogicalResult simplifyCaptures(AttentionInterface op,
                               PatternRewriter &rewriter) {
  auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
  SmallVector<std::pair<Block *, unsigned>> bodies;
  if (op.hasScore())
    bodies.emplace_back(&op.getScore().front(), kNumScoreArguments);
  if (op.hasMaskRegion())
    bodies.emplace_back(&op.getMaskRegion().front(), kNumMaskArguments);
  for (unsigned i = 0, e = op.getCaptures().size(); i < e; ++i) {
    if (backward && llvm::is_contained(backward.getCaptureWrt(), i))
      continue;
    Value capture = op.getCaptures()[i];
    bool isUsed = llvm::any_of(bodies, [&](auto body) {
      return !body.first->getArgument(body.second + i).use_empty();
    });
    Attribute constant;
    bool isConstant = matchPattern(capture, m_Constant(&constant)) &&
                      isa<IntegerAttr, FloatAttr>(constant);
    if (isUsed && !isConstant)
      continue;
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [body, first] : bodies) {
        BlockArgument argument = body->getArgument(first + i);
        if (!argument.use_empty()) {
          OpBuilder::InsertionGuard guard(rewriter);
          rewriter.setInsertionPointToStart(body);
          Value inner = arith::ConstantOp::create(rewriter, capture.getLoc(),
                                                  cast<TypedAttr>(constant));
          rewriter.replaceAllUsesWith(argument, inner);
        }
        body->eraseArgument(first + i);
      }
      op.getCapturesMutable().erase(i);
      if (!backward)
        return;
      SmallVector<int64_t> numbers(backward.getCaptureWrt());
      for (int64_t &number : numbers)
        number -= number > int64_t(i);
      backward.setCaptureWrt(numbers);
    });
    return success();
  }
  return failure();
}

/// Removes a sink that is a constant with -inf for all heads, which adds
/// nothing to the sum of exponentials, unless the op computes the gradient of
/// the sink.
LogicalResult dropSinkOfNothing(AttentionInterface op,
                                PatternRewriter &rewriter) {
  auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
  if (!op.getSink() || !matchPattern(op.getSink(), m_NegInfFloat()) ||
      (backward && backward.getGradient(Gradients::Sink)))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getSinkMutable().clear(); });
  return success();
}

/// Removes the dropout of an op, with its seed and offset, if its probability
/// is so small that dropout drops no pair (threshold 0).
LogicalResult dropDropoutOfNothing(AttentionInterface op,
                                   PatternRewriter &rewriter) {
  if (!op.getDropoutAttr() || op.getDropoutThreshold() != 0)
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getSeedMutable().clear();
    op.getOffsetMutable().clear();
    op.removeDropoutAttr();
  });
  return success();
}

/// Removes the origin of an op if it is 0 in all positions, which is the
/// default.
LogicalResult dropZeroOrigin(AttentionInterface op, PatternRewriter &rewriter) {
  if (op.getOrigin().empty() || !llvm::all_of(op.getOrigin(), [](Value v) {
        return matchPattern(v, m_Zero());
      }))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getOriginMutable().clear(); });
  return success();
}

/// Folds tensor.casts around an attention op. An operand that is a cast to a
/// tensor with fewer static sizes is replaced by the cast's source. A result
/// whose type changes is cast back to its old type. Upstream has such a pattern
/// for all ops with destinations, but it clones regions, and crashes on a
/// region without a block. This pattern therefore has a higher benefit and is
/// tried first.
LogicalResult foldTensorCasts(AttentionInterface op,
                              PatternRewriter &rewriter) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op.getOperation());
  if (!dps || !tensor::hasFoldableTensorCastOperand(op))
    return failure();
  SmallVector<Type> oldTypes(op->getResultTypes()), types = oldTypes;
  SmallVector<Value> operands =
      tensor::getUpdatedOperandsAfterCastOpFolding(dps, types);
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperands(operands);
    for (auto [result, type] : llvm::zip(op->getResults(), types))
      result.setType(type);
    // The arguments of the score and mask regions that stand for captures get
    // the types of the captured operands, which may have changed.
    for (auto [region, first] :
         {std::pair(&op.getScore(), unsigned(kNumScoreArguments)),
          {&op.getMaskRegion(), unsigned(kNumMaskArguments)}})
      if (!region->empty())
        for (auto [i, capture] : llvm::enumerate(op.getCaptures()))
          region->getArgument(first + i).setType(capture.getType());
  });
  rewriter.setInsertionPointAfter(op);
  for (auto [result, type] : llvm::zip(op->getResults(), oldTypes)) {
    if (result.getType() == type)
      continue;
    auto cast = tensor::CastOp::create(rewriter, op->getLoc(), type, result);
    rewriter.replaceAllUsesExcept(result, cast, cast);
  }
  return success();
}

/// The pattern of a function that rewrites attention ops.
struct FunctionPattern : OpInterfaceRewritePattern<AttentionInterface> {
  using Function = LogicalResult (*)(AttentionInterface, PatternRewriter &);

  FunctionPattern(MLIRContext *context, Function rewrite,
                  PatternBenefit benefit = 1)
      : OpInterfaceRewritePattern(context, benefit), rewrite(rewrite) {}

  LogicalResult matchAndRewrite(AttentionInterface op,
                                PatternRewriter &rewriter) const override {
    return rewrite(op, rewriter);
  }

  Function rewrite;
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  for (FunctionPattern::Function rewrite :
       {simplifyMask, dropIdentityScore, dropTrueMask, simplifyCaptures,
        dropSinkOfNothing, dropDropoutOfNothing, dropZeroOrigin})
    patterns.add<FunctionPattern>(context, rewrite);
  patterns.add<FunctionPattern>(context, foldTensorCasts, /*benefit=*/2);
}

// Adds no patterns for attn.attention_backward. The patterns that
// attn.attention registers match AttentionInterface, so they apply to this op,
// too.
void AttentionBackwardOp::getCanonicalizationPatterns(RewritePatternSet &,
                                                      MLIRContext *) {}
