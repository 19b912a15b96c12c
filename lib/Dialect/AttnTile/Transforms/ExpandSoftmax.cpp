//===- ExpandSoftmax.cpp - Softmax states as a running max and a sum ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNTILEEXPANDSOFTMAXPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

static RankedTensorType getRowType(SoftmaxType state) {
  return RankedTensorType::get({state.getRows()},
                               Float32Type::get(state.getContext()));
}

namespace {
struct ExpandInit : OpConversionPattern<SoftmaxInitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SoftmaxInitOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxMath math(b, op.getState().getType(),
                     getRowType(op.getState().getType()));
    SmallVector<Value> state = {math.getLowestMax(), math.splat(0.0)};
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{state});
    return success();
  }
};

struct ExpandUpdate : OpConversionPattern<SoftmaxUpdateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SoftmaxUpdateOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    RankedTensorType rows = getRowType(op.getState().getType());
    SoftmaxMath math(b, op.getState().getType(), rows);
    Value scores = math.emitTimesRows(adaptor.getScores().front(),
                                      getOptional(adaptor.getRowFactors()));
    Value ownMax = ReduceOp::create(b, rows, ReduceKind::MaxNum, scores, 1);
    replaceUpdate(rewriter, op,
                  emitStrictUpdate(b, op, scores, ownMax, adaptor.getState(),
                                   adaptor.getAccumulators(), rows));
    return success();
  }
};

struct ExpandFactor : OpConversionPattern<SoftmaxFactorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SoftmaxFactorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxType type = op.getBefore().getType();
    rewriter.replaceOp(op, SoftmaxMath(b, type, getRowType(type))
                               .emitAlpha(adaptor.getBefore().front(),
                                          adaptor.getAfter().front()));
    return success();
  }
};

struct ExpandRescale : OpConversionPattern<RescaleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(RescaleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(
        op, emitRescale(b, adaptor.getAccumulator(), adaptor.getFactor()));
    return success();
  }
};

struct ExpandFinish : OpConversionPattern<SoftmaxFinishOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SoftmaxFinishOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxType type = op.getState().getType();
    ValueRange state = adaptor.getState();
    auto [inverse, lse] =
        SoftmaxMath(b, type, getRowType(type))
            .emitFinish(state[0], state[1], getOptional(adaptor.getSink()),
                        op.getApproximate());
    rewriter.replaceOp(op, {inverse, lse});
    return success();
  }
};

struct AttnTileExpandSoftmaxPass
    : public attn_tile::impl::AttnTileExpandSoftmaxPassBase<
          AttnTileExpandSoftmaxPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](SoftmaxType state,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          types.append(2, getRowType(state));
          return success();
        });
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    patterns.add<ExpandInit, ExpandUpdate, ExpandFactor, ExpandRescale,
                 ExpandFinish>(converter, context);
    target.addIllegalOp<RescaleOp>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
