//===- AttentionCanonicalize.cpp - Canonical forms of attn.attention ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A true length where it is known at compile time.
std::optional<int64_t> getStaticLength(OperandRange lengths, unsigned i,
                                       ShapedType type) {
  if (!lengths.empty())
    return getConstantIntValue(lengths[i]);
  if (type.isDynamicDim(2))
    return std::nullopt;
  return type.getDimSize(2);
}

/// Drops bounds that never mask, and names equal alignments alike.
struct SimplifyMask : OpInterfaceRewritePattern<AttentionInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AttentionInterface op,
                                PatternRewriter &rewriter) const override {
    MaskAttr mask = op.getMaskAttr();
    if (!mask)
      return failure();
    Alignment alignment = mask.getAlignment();
    bool causal = mask.getCausal();
    std::optional<int64_t> left = mask.getLeft();
    // Every kept pair of a causal mask satisfies any right bound.
    std::optional<int64_t> right = causal ? std::nullopt : mask.getRight();

    std::optional<int64_t> lengthQ =
        getStaticLength(op.getLengths(), 0, op.getQueryType());
    std::optional<int64_t> lengthKv =
        getStaticLength(op.getLengths(), 1, op.getKeyType());
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
      simplified =
          MaskAttr::get(op.getContext(), alignment, causal, left, right);
    if (simplified == mask)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setMaskAttr(simplified); });
    return success();
  }
};

/// A region that yields the score as it came is no region.
struct DropIdentityScore : OpInterfaceRewritePattern<AttentionInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AttentionInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasScore())
      return failure();
    Block &body = op.getScore().front();
    auto yield = cast<YieldOp>(body.getTerminator());
    if (yield.getScore() != body.getArgument(0))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getCapturesMutable().clear();
      rewriter.eraseBlock(&body);
    });
    return success();
  }
};

/// Moves constants into the region and drops captures without a use.
struct SimplifyCaptures : OpInterfaceRewritePattern<AttentionInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AttentionInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasScore())
      return failure();
    constexpr unsigned kFirstCapture = 5;
    Block &body = op.getScore().front();
    for (unsigned i = 0, e = op.getCaptures().size(); i < e; ++i) {
      Value capture = op.getCaptures()[i];
      BlockArgument argument = body.getArgument(kFirstCapture + i);
      Attribute constant;
      bool isConstant = matchPattern(capture, m_Constant(&constant)) &&
                        isa<IntegerAttr, FloatAttr>(constant);
      if (!argument.use_empty() && !isConstant)
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        if (!argument.use_empty()) {
          OpBuilder::InsertionGuard guard(rewriter);
          rewriter.setInsertionPointToStart(&body);
          Value inner = arith::ConstantOp::create(rewriter, capture.getLoc(),
                                                  cast<TypedAttr>(constant));
          rewriter.replaceAllUsesWith(argument, inner);
        }
        body.eraseArgument(kFirstCapture + i);
        op.getCapturesMutable().erase(i);
      });
      return success();
    }
    return failure();
  }
};

/// An origin of zeros is the default.
struct DropZeroOrigin : OpInterfaceRewritePattern<AttentionInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AttentionInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getOrigin().empty() || !llvm::all_of(op.getOrigin(), [](Value v) {
          return matchPattern(v, m_Zero());
        }))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getOriginMutable().clear(); });
    return success();
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns
      .add<SimplifyMask, DropIdentityScore, SimplifyCaptures, DropZeroOrigin>(
          context);
}

// The patterns are on the interface, and one op brings them along for all.
void AttentionBackwardOp::getCanonicalizationPatterns(RewritePatternSet &,
                                                      MLIRContext *) {}
