//===- ExpandSoftmax.cpp - Softmax states in registers --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchanges.h"
#include "LazySoftmax.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUEXPANDSOFTMAXPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Converts the type of a softmax state to vectors with an element for each
/// row. A strict state is the running maximum and the sum. In a lazy state,
/// each lane has the sum of its own columns only, and a third vector is the
/// offset that is added in the exponent of each probability. A warp computes a
/// new maximum when a lane's sum of one iteration exceeds a limit: a constant
/// or, if the state's type is `exact`, an element of a fourth vector.
class StateConverter : public TypeConverter {
public:
  StateConverter(Attribute layout, bool isLazy, RowParts parts)
      : layout(layout), isLazy(isLazy), parts(parts) {
    addConversion([](Type type) { return type; });
    addConversion(
        [this](SoftmaxType state,
               SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          types.append(2 + this->isLazy + hasLimit(state), getRowType(state));
          return success();
        });
  }

  RankedTensorType getRowType(SoftmaxType state) const {
    return RankedTensorType::get({state.getRows()},
                                 Float32Type::get(state.getContext()), layout);
  }

  bool hasLimit(SoftmaxType state) const { return isLazy && state.getExact(); }

  const Attribute layout;
  const bool isLazy;
  const RowParts parts;
};

template <typename Op> struct ExpandPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  const StateConverter &getStates() const {
    return *this->template getTypeConverter<StateConverter>();
  }
};

struct ExpandInit : ExpandPattern<SoftmaxInitOp> {
  using ExpandPattern::ExpandPattern;

  LogicalResult
  matchAndRewrite(SoftmaxInitOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxType type = op.getState().getType();
    SoftmaxMath math(b, type, getStates().getRowType(type));
    SmallVector<Value> state = {math.getLowestMax(), math.splat(0.0)};
    if (getStates().isLazy)
      state.push_back(math.splat(std::numeric_limits<double>::infinity()));
    if (getStates().hasLimit(type))
      state.push_back(math.splat(kLargestFloat8));
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{state});
    return success();
  }
};

/// Emits the maximum of each row. For a row of NaNs only, it is NaN, while
/// attn_tile.reduce would give -inf. This saves the instruction that takes the
/// maximum with -inf.
Value emitRowMax(attn::NumberBuilder &b, Value scores, RankedTensorType rows,
                 const RowParts &parts) {
  return parts.combine(
      b, ReduceKind::MaxNum,
      ReduceThreadOp::create(b, rows, ReduceKind::MaxNum, scores, 1));
}

/// Emits an iteration with a new running maximum for scores that the row
/// factors have multiplied, and returns its probabilities, state and rescaled
/// accumulators. In the first iteration, accumulators that are constant zeros
/// are not rescaled.
ExpandedStep emitNewMax(attn::NumberBuilder &b, SoftmaxMath &math,
                        SoftmaxUpdateOp op, Value scores, ValueRange state,
                        ValueRange accumulators, RankedTensorType rows,
                        const RowParts &parts, bool isFirst) {
  Value lowered = math.emitLower(emitRowMax(b, scores, rows, parts),
                                 LazyRange(op).exponent);
  Value max = b.maxnumf(state[0], lowered);
  constexpr unsigned kLimit = 3;
  if (state.size() > kLimit) {
    // In an exact state, all probabilities are scaled up as far as the sum of
    // the row allows, so that those far below the largest one keep more of
    // their bits.
    SoftmaxMath::Exponent tried = math.emitExponent(max);
    Value sums = parts.combine(
        b, ReduceKind::MaxNum,
        ReduceThreadOp::create(
            b, rows, ReduceKind::Add,
            math.emitProbabilities(scores, tried.factor, b.negf(tried.shift)),
            1));
    max = b.maxnumf(state[0],
                    b.subf(lowered, LazyRange(op).emitRoom(b, math, sums)));
  }
  Value alpha = math.emitAlpha(state[0], max);
  SmallVector<Value> rescaled(accumulators);
  for (Value &accumulator : rescaled)
    if (!isFirst || !matchPattern(accumulator, m_AnyZeroFloat()))
      accumulator = emitRescale(b, accumulator, alpha);
  SoftmaxMath::Exponent exponent = math.emitExponent(max);
  Value offset = b.negf(exponent.shift);
  Value p = math.emitProbabilities(scores, exponent.factor, offset);
  Value own = ReduceThreadOp::create(b, rows, ReduceKind::Add, p, 1);
  Value sum = b.fma(alpha, state[1], own);
  Value infinity = math.splat(std::numeric_limits<double>::infinity());
  offset = b.select(exponent.isSmall, offset, infinity);
  SmallVector<Value> next = {max, sum, offset};
  if (state.size() > next.size())
    next.push_back(
        LazyRange(op).emitLimit(b, math, state.back(), alpha, own, parts));
  return {math.round(p, op.getProbabilities().getType().getElementType()), next,
          rescaled};
}

/// Emits an iteration that keeps the running maximum if possible. Any maximum
/// is correct as long as the narrowest type of probabilities holds them, so the
/// iteration does not compute the maximum of its scores. It computes
/// probabilities with the present maximum, and each lane adds up those of its
/// own columns of a row, which the softmax needs anyway. `rowFactors`, unless
/// null, multiply the softmax's factor, which takes no instruction for each
/// score. A score of -inf times a factor that is not positive gives a sum that
/// is infinite or NaN. If the sum of any lane of the warp is above the limit,
/// or NaN, the warp computes the probabilities again with a new maximum, for
/// which it multiplies the scores by the row factors first. For a maximum whose
/// shift is not small (SoftmaxMath::Exponent), the state's offset is infinite,
/// so that each sum is above the limit.
ExpandedStep emitLazyStep(attn::NumberBuilder &b, SoftmaxMath &math,
                          SoftmaxUpdateOp op, Value scores, Value rowFactors,
                          ValueRange state, ValueRange accumulators,
                          RankedTensorType rows, const RowParts &parts) {
  Value factor = math.splat(math.getFactor());
  if (rowFactors)
    factor = b.mulf(rowFactors, factor);
  Value tried = math.emitProbabilities(scores, factor, state[2]);
  Value triedSum = ReduceThreadOp::create(b, rows, ReduceKind::Add, tried, 1);
  Value sum = b.addf(state[1], triedSum);
  // Lists the values of a step that both branches yield: probabilities, state
  // and rescaled accumulators.
  auto flatten = [](const ExpandedStep &step) {
    SmallVector<Value> values = {step.probabilities};
    llvm::append_range(values, step.state);
    llvm::append_range(values, step.rescaled);
    return values;
  };
  SmallVector<Value> keptState(state);
  keptState[1] = sum;
  SmallVector<Value> kept = flatten(
      {math.round(tried, op.getProbabilities().getType().getElementType()),
       keptState, SmallVector<Value>(accumulators)});
  constexpr unsigned kLimit = 3;
  Value limit = state.size() > kLimit ? state[kLimit]
                                      : math.splat(LazyRange(op).largestSum);
  Value isLarge =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, triedSum, limit);
  Value isAny = parts.voteAny(b, isLarge);
  auto change = scf::IfOp::create(b, TypeRange(ValueRange(kept)), isAny,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(change.thenBlock());
  scf::YieldOp::create(
      b, flatten(emitNewMax(b, math, op, math.emitTimesRows(scores, rowFactors),
                            state, accumulators, rows, parts,
                            /*isFirst=*/false)));
  b.setInsertionPointToStart(change.elseBlock());
  scf::YieldOp::create(b, kept);
  ResultRange results = change.getResults();
  return {results.front(), SmallVector<Value>(results.slice(1, state.size())),
          SmallVector<Value>(results.drop_front(1 + state.size()))};
}

struct ExpandUpdate : ExpandPattern<SoftmaxUpdateOp> {
  using ExpandPattern::ExpandPattern;

  LogicalResult
  matchAndRewrite(SoftmaxUpdateOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxType type = op.getState().getType();
    RankedTensorType rows = getStates().getRowType(type);
    SoftmaxMath math(b, type, rows);
    Value scores = adaptor.getScores().front();
    Value rowFactors = getOptional(adaptor.getRowFactors());
    ValueRange state = adaptor.getState();
    bool isFirst = op.getState().getDefiningOp<SoftmaxInitOp>() != nullptr;
    if (!getStates().isLazy || isFirst)
      scores = math.emitTimesRows(scores, rowFactors);
    if (!getStates().isLazy) {
      replaceUpdate(rewriter, op,
                    emitStrictUpdate(b, op, scores,
                                     emitRowMax(b, scores, rows, RowParts()),
                                     state, adaptor.getAccumulators(), rows));
      return success();
    }
    SmallVector<Value> accumulators;
    for (ValueRange accumulator : adaptor.getAccumulators())
      accumulators.push_back(accumulator.front());
    const RowParts &parts = getStates().parts;
    replaceUpdate(rewriter, op,
                  isFirst ? emitNewMax(b, math, op, scores, state, accumulators,
                                       rows, parts, isFirst)
                          : emitLazyStep(b, math, op, scores, rowFactors, state,
                                         accumulators, rows, parts));
    return success();
  }
};

struct ExpandFactor : ExpandPattern<SoftmaxFactorOp> {
  using ExpandPattern::ExpandPattern;

  LogicalResult
  matchAndRewrite(SoftmaxFactorOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxType type = op.getBefore().getType();
    rewriter.replaceOp(op, SoftmaxMath(b, type, getStates().getRowType(type))
                               .emitAlpha(adaptor.getBefore().front(),
                                          adaptor.getAfter().front()));
    return success();
  }
};

/// With a lazy softmax, a warp multiplies only if a factor of its rows is not
/// 1.
struct ExpandRescale : ExpandPattern<RescaleOp> {
  using ExpandPattern::ExpandPattern;

  LogicalResult
  matchAndRewrite(RescaleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    Value accumulator = adaptor.getAccumulator().front(),
          factor = adaptor.getFactor().front();
    if (!getStates().isLazy) {
      rewriter.replaceOp(op, emitRescale(b, accumulator, factor));
      return success();
    }
    Value isChanged = arith::CmpFOp::create(
        b, arith::CmpFPredicate::UNE, factor, b.real(factor.getType(), 1.0));
    Value isAny = VoteAnyOp::create(b, b.getI1Type(), isChanged);
    auto change = scf::IfOp::create(
        b, isAny,
        [&](OpBuilder &inner, Location loc) {
          attn::NumberBuilder body(loc, inner);
          scf::YieldOp::create(body, emitRescale(body, accumulator, factor));
        },
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc, accumulator);
        });
    rewriter.replaceOp(op, change);
    return success();
  }
};

struct ExpandFinish : ExpandPattern<SoftmaxFinishOp> {
  using ExpandPattern::ExpandPattern;

  LogicalResult
  matchAndRewrite(SoftmaxFinishOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    attn::NumberBuilder b(op.getLoc(), rewriter);
    SoftmaxType type = op.getState().getType();
    RankedTensorType rows = getStates().getRowType(type);
    ValueRange state = adaptor.getState();
    Value sum = state[1];
    // In a lazy state, each lane has the sum of its own columns only. To finish
    // the softmax, the sums of the lanes that share a row are added up.
    if (getStates().isLazy)
      sum = getStates().parts.combine(b, ReduceKind::Add, sum);
    auto [inverse, lse] =
        SoftmaxMath(b, type, rows)
            .emitFinish(state[0], sum, getOptional(adaptor.getSink()),
                        op.getApproximate());
    rewriter.replaceOp(op, {inverse, lse});
    return success();
  }
};

/// Returns the layout of vectors with an element for each row of the kernel's
/// scores: the slice of the scores' layout along axis 1. Returns null if the
/// kernel has no softmax. Fails with an error if scores of the kernel have
/// different layouts.
FailureOr<Attribute> getRowLayout(KernelOp kernel) {
  Attribute layout;
  WalkResult result = kernel.walk([&](SoftmaxUpdateOp op) {
    Attribute own = op.getScores().getType().getEncoding();
    if (auto mma = dyn_cast_or_null<MmaLayoutAttr>(own))
      own = SliceLayoutAttr::getOf(mma, /*axis=*/1);
    if (layout && own != layout) {
      op.emitOpError("expected scores of one layout in a kernel, found ")
          << op.getScores().getType();
      return WalkResult::interrupt();
    }
    layout = own;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // If the kernel has no softmax update left, there are no scores. The results
  // of the softmax then already have the layout that their readers need.
  if (!layout)
    kernel.walk([&](SoftmaxFinishOp op) {
      layout = op.getInverse().getType().getEncoding();
    });
  return layout;
}

LogicalResult expand(KernelOp kernel, ScheduleAttr schedule,
                     const attn::Chip &chip) {
  FailureOr<Attribute> layout = getRowLayout(kernel);
  if (failed(layout))
    return failure();
  RowParts parts;
  if (int64_t bytes = getBytesOfDividedRows(kernel)) {
    int64_t begin = kernel.getSharedBytes();
    parts.offset = llvm::alignTo(begin, kRowPartsAlignment);
    if (failed(extendSharedBytes(kernel, begin, parts.offset + bytes, chip)))
      return failure();
  }
  MLIRContext *context = kernel.getContext();
  StateConverter converter(*layout, schedule.getSoftmax() == SoftmaxKind::Lazy,
                           parts);
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  patterns
      .add<ExpandInit, ExpandUpdate, ExpandFactor, ExpandRescale, ExpandFinish>(
          converter, context);
  target.addIllegalOp<RescaleOp>();
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  return applyPartialConversion(kernel, target, std::move(patterns));
}

struct AttnGPUExpandSoftmaxPass
    : public attn_gpu::impl::AttnGPUExpandSoftmaxPassBase<
          AttnGPUExpandSoftmaxPass> {
  void runOnOperation() override {
    if (failed(lowerKernel(getOperation(), expand)))
      signalPassFailure();
  }
};

} // namespace
