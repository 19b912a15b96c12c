//===- AttnOnlineSoftmax.cpp - One pass over key blocks -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/ScoreMasking.h"
#include "attn/Dialect/Attn/Transforms/ScoreTiling.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNONLINESOFTMAXPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using attn_tile::ReduceKind;

namespace {

/// Head dims are padded to whole matrix-unit steps; loads fill with zeros.
constexpr int64_t kHeadDimStep = 16;
/// Of a warpgroup.
constexpr int64_t kPartRows = attn_gpu::kWarpgroupRows;

/// Emits the tile program of one block.
class BlockProgram {
public:
  BlockProgram(AttentionOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder),
        inputType(op.getQueryType().getElementType()),
        rows(op.getScheduleAttr().getTileQ()),
        columns(op.getScheduleAttr().getTileKv()),
        headDim(llvm::alignTo(op.getHeadDim(), kHeadDimStep)),
        valueHeadDim(llvm::alignTo(op.getValueHeadDim(), kHeadDimStep)),
        scale(op.getScaleValue()) {
    if (op.hasScore()) {
      score = getScaledScore(op);
      isScaleInExponent = score.factor != 1.0;
    } else if (mayFollowMaximum(scale)) {
      std::swap(scale, score.factor);
      isScaleInExponent = true;
    }
  }

  LogicalResult verify();
  void emit();
  bool isMasked() const { return hasMask; }

private:
  /// The recurrence's: the output so far, its weights' reference and sum, and
  /// where the reference is lazy, what it adds in the exponent.
  struct State {
    Value acc, m, l, offset;
  };

  /// Per row: a score's weight is 2^(factor * score - shift).
  struct Exponent {
    Value factor, shift, isSmall;
  };

  RankedTensorType tileType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType scoreType(Type element) {
    return tileType({rows, columns}, element);
  }
  Value splat(RankedTensorType type, double value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, b.getFloatAttr(type.getElementType(), value)));
  }
  Value asValue(OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), ofr);
  }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, operands);
  }
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineMin(
        b, b.getLoc(), AffineMap::getMultiDimIdentityMap(2, b.getContext()),
        {lhs, rhs});
  }
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineMax(
        b, b.getLoc(), AffineMap::getMultiDimIdentityMap(2, b.getContext()),
        {lhs, rhs});
  }
  AffineExpr dim(unsigned i) { return b.getAffineDimExpr(i); }
  AffineExpr constant(int64_t c) { return b.getAffineConstantExpr(c); }

  Value loadRows(Value view, Value row, int64_t tileRows, int64_t tileColumns) {
    return attn_tile::LoadOp::create(
        b, tileType({tileRows, tileColumns}, inputType), view,
        ValueRange{zero, zero, row, zero});
  }
  /// One element per row to a tile of `width` columns.
  Value broadcast(Value slice, int64_t width) {
    auto type = cast<RankedTensorType>(slice.getType());
    return attn_tile::BroadcastOp::create(
        b, tileType({rows, width}, type.getElementType()), slice, 1);
  }
  Value reduce(ReduceKind kind, Value tile, bool partial = false) {
    RankedTensorType type = tileType({rows}, b.getF32Type());
    if (partial)
      return attn_gpu::ReduceThreadOp::create(b, type, kind, tile, 1);
    return attn_tile::ReduceOp::create(b, type, kind, tile, 1);
  }

  /// Whether the bounds of loops and sizes prove `expr(operands) <= limit`.
  bool isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                OpFoldResult limit);
  Value clipToLength(Value view);
  /// Positions in `key` that hold an unmasked pair, from `first`. Rows of the
  /// warpgroup need those up to `ownEnd`, others those up to `end`.
  struct KeyRange {
    OpFoldResult first, ownEnd, end;
  };
  KeyRange getKeyRange();
  /// The position of the diagonal, `d` of #attn.mask.
  OpFoldResult getDiagonalShift();
  SmallVector<MaskCondition> getMaskConditions(Value position);
  Value emitScores(Value query, Value keyBlock, Value position);
  Value emitMask(Value scores, Value position);
  /// The scale that scores do not have yet.
  double getScaleInExponent() { return score.factor; }
  /// The factor of scores in powers of two, as an f32.
  double getFactor() {
    return static_cast<float>(getScaleInExponent() * llvm::numbers::log2e);
  }
  /// The factor where the maximum is large. With a scale the least power of two
  /// that is not below its factor: a shift must not fall where the maximum
  /// rises. Without, any finite maximum has a finite shift.
  double getPowerOfTwoFactor() {
    return isScaleInExponent ? std::exp2(std::ceil(std::log2(getFactor())))
                             : 1.0;
  }
  /// m of a row without keys: its shift is finite.
  double getLowestMaximum() {
    return std::numeric_limits<float>::lowest() /
           std::max(1.0, getPowerOfTwoFactor());
  }
  /// A step's weights, and the state before its product: the accumulator is
  /// rescaled, `l` has the weights.
  struct Weights {
    Value p;
    State state;
  };

  Exponent emitExponent(Value m);
  Value emitWeights(Value scores, Value factor, Value offset);
  Value emitDecrease(Value oldM, Value newM);
  Value roundWeights(Value p);
  /// Weights that refer to `m`, the new l, and what the weights have in the
  /// exponent.
  struct NewWeights {
    Value p, l, offset, isSmall;
  };
  NewWeights emitNewWeights(Value scores, Value m, Value alpha, Value l);
  Weights emitStrictWeights(Value scores, const State &state);
  Weights emitLazyWeights(Value scores, const State &state, Value isFirst);
  Value emitRescale(Value acc, Value alpha);
  State emitStep(Value query, Value position, Value isFirst,
                 const State &state);
  void discardBlocks(Value from, Value to,
                     llvm::function_ref<Value(Value)> getPosition);
  void emitEpilogue(const State &state);
  /// Null for the host.
  attn_gpu::ScheduleAttr getGPUSchedule() {
    return dyn_cast<attn_gpu::ScheduleAttr>(op.getScheduleAttr());
  }
  bool isLazy() {
    attn_gpu::ScheduleAttr schedule = getGPUSchedule();
    return schedule && schedule.getSoftmax() == attn_gpu::SoftmaxKind::Lazy;
  }

  AttentionOp op;
  ImplicitLocOpBuilder b;
  Type inputType;
  int64_t rows, columns, headDim, valueHeadDim;
  /// Of products, before the region.
  double scale;
  /// The region's value that is the score but for a factor, which the exponent
  /// has.
  ScaledScore score = {Value(), 1.0};
  bool isScaleInExponent = false;
  Value zero;
  std::array<OpFoldResult, 4> origin;
  OpFoldResult lengthQ, lengthKv;
  Value key, value;
  bool hasMask = false;
  /// Where warpgroups share their loads and each has its part of the rows: the
  /// part's first row.
  Value part;
};

bool BlockProgram::isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                            OpFoldResult limit) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(operands.size(), 0, expr),
               llvm::map_to_vector(operands,
                                   [](OpFoldResult o) { return Variable(o); })),
      ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(limit));
}

/// Memory past the true length may hold anything, NaN too, and 0 * NaN is NaN:
/// it must not be read where the true length is not the view's own.
Value BlockProgram::clipToLength(Value view) {
  OpFoldResult size = memref::getMixedSize(b, b.getLoc(), view, 2);
  if (isAtMost(dim(0) + dim(1), {origin[3], size}, lengthKv))
    return view;
  OpFoldResult valid =
      max(b.getIndexAttr(0),
          min(size, apply(dim(0) - dim(1), {lengthKv, origin[3]})));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), view);
  sizes[2] = valid;
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  return memref::SubViewOp::create(b, view, offsets, sizes, strides);
}

/// The array that a view is a part of.
static Value getArray(Value view) {
  while (auto slice = view.getDefiningOp<memref::SubViewOp>())
    view = slice.getSource();
  return view;
}

OpFoldResult BlockProgram::getDiagonalShift() {
  MaskAttr mask = op.getMaskAttr();
  if (!mask || mask.getAlignment() == Alignment::TopLeft)
    return b.getIndexAttr(0);
  return apply(dim(0) - dim(1), {lengthKv, lengthQ});
}

BlockProgram::KeyRange BlockProgram::getKeyRange() {
  OpFoldResult first = b.getIndexAttr(0);
  OpFoldResult end = memref::getMixedSize(b, b.getLoc(), key, 2);
  OpFoldResult ownEnd = end;
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return {first, end, end};

  // In positions of `key`: the diagonal column of the block's first row.
  OpFoldResult diagonal = apply(dim(0) + dim(1) - dim(2),
                                {origin[2], getDiagonalShift(), origin[3]});
  if (std::optional<int64_t> lower = mask.getLowerDiagonal()) {
    // Rounded down, so that blocks lie where they do without a window.
    OpFoldResult start =
        max(b.getIndexAttr(0), apply(dim(0) + constant(*lower), {diagonal}));
    first = apply(dim(0).floorDiv(columns) * columns, {start});
  }
  if (std::optional<int64_t> upper = mask.getUpperDiagonal()) {
    OpFoldResult numRows =
        memref::getMixedSize(b, b.getLoc(), op.getQuery(), 2);
    if (!isAtMost(dim(0) + dim(1), {origin[2], numRows}, lengthQ))
      numRows = min(numRows, apply(dim(0) - dim(1), {lengthQ, origin[2]}));
    auto getEnd = [&](OpFoldResult lastRow) {
      return min(
          end, apply(dim(0) + dim(1) + constant(*upper), {diagonal, lastRow}));
    };
    OpFoldResult all = getEnd(numRows);
    ownEnd = all;
    // A part's first block is not skipped: it may be another's. Keys that are
    // the values share their loads with them, in another order than steps'.
    if (part && rows - kPartRows >= columns &&
        getArray(op.getKey()) != getArray(op.getValue()))
      ownEnd =
          max(getEnd(min(numRows, apply(dim(0) + constant(kPartRows), {part}))),
              min(all, apply(dim(0) + constant(1), {first})));
    end = all;
  }
  return {first, ownEnd, end};
}

SmallVector<MaskCondition> BlockProgram::getMaskConditions(Value position) {
  using Position = MaskCondition::Position;
  SmallVector<MaskCondition> conditions;
  OpFoldResult numKeys = memref::getMixedSize(b, b.getLoc(), key, 2);
  std::optional<int64_t> staticKeys = getConstantIntValue(numKeys);
  if (!staticKeys || *staticKeys % columns != 0)
    conditions.push_back({Position::Column, arith::CmpIPredicate::slt,
                          apply(dim(0) - dim(1), {numKeys, position})});
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return conditions;
  OpFoldResult diagonal =
      apply(dim(0) + dim(1) - dim(2) - dim(3),
            {origin[2], getDiagonalShift(), origin[3], position});
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sle,
                          apply(dim(0) + constant(*upper), {diagonal})});
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sge,
                          apply(dim(0) + constant(*lower), {diagonal})});
  return conditions;
}

Value BlockProgram::emitMask(Value scores, Value position) {
  SmallVector<MaskCondition> conditions = getMaskConditions(position);
  hasMask = !conditions.empty();
  // The host would copy the tile that a branch yields.
  std::optional<RowPart> branch;
  if (part)
    branch = {part, kPartRows};
  else if (getGPUSchedule())
    branch = {Value(), rows};
  return maskScores(b, scores, conditions, branch);
}

Value BlockProgram::emitScores(Value query, Value keyBlock, Value position) {
  Type f32 = b.getF32Type();
  RankedTensorType type = scoreType(f32);
  Value scores = attn_tile::DotOp::create(b, query, keyBlock, splat(type, 0.0),
                                          /*transpose_lhs=*/false,
                                          /*transpose_rhs=*/true);
  if (scale != 1.0)
    scores = arith::MulFOp::create(b, scores, splat(type, scale),
                                   arith::FastMathFlags::contract |
                                       arith::FastMathFlags::reassoc);
  if (op.hasScore()) {
    auto last = [&](OpFoldResult first, Value view) {
      OpFoldResult size = memref::getMixedSize(b, b.getLoc(), view, 2);
      return asValue(apply(dim(0) + dim(1) - constant(1), {first, size}));
    };
    IndexRange rowRange = {asValue(origin[2]), last(origin[2], op.getQuery())};
    IndexRange columnRange = {
        asValue(apply(dim(0) + dim(1), {origin[3], position})),
        last(origin[3], key)};
    scores = inlineScore(op, b, scores, asValue(origin[0]), asValue(origin[1]),
                         rowRange, columnRange, score.value);
  }
  return emitMask(scores, position);
}

/// The rounding error of the shift, factor * m, is common to a row's weights
/// and cancels, unless it alone makes them overflow. Below 2^28 it is at
/// most 8. Above, different scores are at least 16 apart in the exponent, and
/// the row is its maximum's alone with a power of two in place of the factor,
/// too: that one has an exact shift.
BlockProgram::Exponent BlockProgram::emitExponent(Value m) {
  auto type = cast<RankedTensorType>(m.getType());
  double factor = getFactor();
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(b, m),
                                        splat(type, 0x1p28 / factor));
  Value perRow = arith::SelectOp::create(b, isSmall, splat(type, factor),
                                         splat(type, getPowerOfTwoFactor()));
  return {perRow, arith::MulFOp::create(b, m, perRow), isSmall};
}

/// 2^(factor * score + offset).
Value BlockProgram::emitWeights(Value scores, Value factor, Value offset) {
  return math::Exp2Op::create(
      b, math::FmaOp::create(b, scores, broadcast(factor, columns),
                             broadcast(offset, columns)));
}

Value BlockProgram::roundWeights(Value p) {
  if (inputType.isF32())
    return p;
  return arith::TruncFOp::create(b, scoreType(inputType), p);
}

/// The weight of an old reference against a new one.
Value BlockProgram::emitDecrease(Value oldM, Value newM) {
  Exponent from = emitExponent(oldM), to = emitExponent(newM);
  Value decrease = arith::SubFOp::create(b, from.shift, to.shift);
  if (!isScaleInExponent)
    // Shifts of different factors do not compare; the maxima are far apart.
    decrease = arith::SelectOp::create(
        b, arith::AndIOp::create(b, from.isSmall, to.isSmall), decrease,
        arith::SubFOp::create(b, oldM, newM));
  return math::Exp2Op::create(b, decrease);
}

Value BlockProgram::emitRescale(Value acc, Value alpha) {
  return arith::MulFOp::create(b, acc, broadcast(alpha, valueHeadDim));
}

BlockProgram::NewWeights BlockProgram::emitNewWeights(Value scores, Value m,
                                                      Value alpha, Value l) {
  auto [factor, shift, isSmall] = emitExponent(m);
  Value offset = arith::NegFOp::create(b, shift);
  Value p = emitWeights(scores, factor, offset);
  Value sum = reduce(ReduceKind::Add, p, /*partial=*/isLazy());
  return {p, math::FmaOp::create(b, alpha, l, sum), offset, isSmall};
}

BlockProgram::Weights BlockProgram::emitStrictWeights(Value scores,
                                                      const State &state) {
  Value m =
      arith::MaxNumFOp::create(b, state.m, reduce(ReduceKind::MaxNum, scores));
  Value alpha = emitDecrease(state.m, m);
  NewWeights weights = emitNewWeights(scores, m, alpha, state.l);
  return {roundWeights(weights.p),
          {emitRescale(state.acc, alpha), m, weights.l, Value()}};
}

/// The reference need not be the maximum: larger weights are as good, as long
/// as the narrowest type holds them. So a step does not look for its maximum.
/// It tries the reference it has, and each lane adds its own weights of a row,
/// which it must anyway; only if any of the warp's sums is too large, or a NaN,
/// they make the weights again with a new reference. References whose exponent
/// is not linear are always found too large: their offset is infinite.
BlockProgram::Weights
BlockProgram::emitLazyWeights(Value scores, const State &state, Value isFirst) {
  constexpr double kLargestSum = 0x1p14; // f16 ends at 2^16
  auto type = cast<RankedTensorType>(state.m.getType());
  Value tried = emitWeights(scores, splat(type, getFactor()), state.offset);
  Value triedSum = reduce(ReduceKind::Add, tried, /*partial=*/true);
  Value triedL = arith::AddFOp::create(b, state.l, triedSum);
  Value triedP = roundWeights(tried);
  Value isLarge = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, triedSum,
                                        splat(type, kLargestSum));
  Value isChanged = arith::OrIOp::create(
      b, isFirst, attn_gpu::VoteAnyOp::create(b, b.getI1Type(), isLarge));
  auto change = scf::IfOp::create(
      b, TypeRange{triedP.getType(), state.acc.getType(), type, type, type},
      isChanged, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(change.thenBlock());
  Value own = reduce(ReduceKind::MaxNum, scores, /*partial=*/true);
  Value m = arith::MaxNumFOp::create(
      b, state.m,
      attn_gpu::CombineQuadOp::create(b, type, ReduceKind::MaxNum, own));
  Value alpha = emitDecrease(state.m, m);
  // The first step's accumulator is empty.
  Value acc = arith::SelectOp::create(b, isFirst, state.acc,
                                      emitRescale(state.acc, alpha));
  auto [p, l, offset, isSmall] = emitNewWeights(scores, m, alpha, state.l);
  Value infinity = splat(type, std::numeric_limits<double>::infinity());
  offset = arith::SelectOp::create(b, isSmall, offset, infinity);
  scf::YieldOp::create(b, ValueRange{roundWeights(p), acc, m, l, offset});
  b.setInsertionPointToStart(change.elseBlock());
  scf::YieldOp::create(
      b, ValueRange{triedP, state.acc, state.m, triedL, state.offset});
  return {change.getResult(0),
          {change.getResult(1), change.getResult(2), change.getResult(3),
           change.getResult(4)}};
}

/// One step of the recurrence. Rows without an unmasked key have a finite m,
/// which keeps -inf - -inf, a NaN, out of the exponent.
BlockProgram::State BlockProgram::emitStep(Value query, Value position,
                                           Value isFirst, const State &state) {
  Value keyBlock = loadRows(key, position, columns, headDim);
  Value valueBlock = loadRows(value, position, columns, valueHeadDim);
  Value scores = emitScores(query, keyBlock, position);
  auto [p, next] = isLazy() ? emitLazyWeights(scores, state, isFirst)
                            : emitStrictWeights(scores, state);
  next.acc = attn_tile::DotOp::create(b, p, valueBlock, next.acc,
                                      /*transpose_lhs=*/false,
                                      /*transpose_rhs=*/false);
  return next;
}

/// Blocks that only other warpgroups' rows see.
void BlockProgram::discardBlocks(Value from, Value to,
                                 llvm::function_ref<Value(Value)> getPosition) {
  scf::ForOp::create(b, from, to, arith::ConstantIndexOp::create(b, columns),
                     ValueRange(),
                     [&](OpBuilder &, Location, Value counter, ValueRange) {
                       Value position = getPosition(counter);
                       for (auto [view, width] :
                            {std::pair(key, headDim), {value, valueHeadDim}})
                         attn_gpu::DiscardOp::create(
                             b, loadRows(view, position, columns, width));
                       scf::YieldOp::create(b);
                     });
}

void BlockProgram::emitEpilogue(const State &state) {
  auto [acc, m, l, offset] = state;
  Type f32 = b.getF32Type();
  // Until now each lane added its own columns.
  if (isLazy())
    l = attn_gpu::CombineQuadOp::create(b, l.getType(), ReduceKind::Add, l);
  RankedTensorType rowType = tileType({rows}, f32);
  RankedTensorType accType = tileType({rows, valueHeadDim}, f32);

  // Rows past the true length count as fully masked, whatever they held.
  OpFoldResult numRows = memref::getMixedSize(b, b.getLoc(), op.getQuery(), 2);
  if (!isAtMost(dim(0) + dim(1), {origin[2], numRows}, lengthQ)) {
    RankedTensorType type = tileType({rows}, b.getIndexType());
    Value bound = asValue(apply(dim(0) - dim(1), {lengthQ, origin[2]}));
    Value isReal =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                              attn_tile::CoordinateOp::create(b, type, 0),
                              tensor::SplatOp::create(b, bound, type));
    m = arith::SelectOp::create(b, isReal, m, splat(rowType, 0.0));
    l = arith::SelectOp::create(b, isReal, l, splat(rowType, 0.0));
    acc = arith::SelectOp::create(b, broadcast(isReal, valueHeadDim), acc,
                                  splat(accType, 0.0));
  }

  Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, l,
                                        splat(rowType, 0.0));
  Value one = splat(rowType, 1.0);
  Value sum = arith::SelectOp::create(b, isEmpty, one, l);
  // A GPU's exact division is a call, across which nothing stays in uniform
  // registers.
  auto inverse = arith::DivFOp::create(b, one, sum);
  if (!inputType.isF32())
    inverse.setFastmath(arith::FastMathFlags::afn);
  Value output =
      arith::MulFOp::create(b, acc, broadcast(inverse, valueHeadDim));
  Type outputType = op.getOutputType().getElementType();
  if (!outputType.isF32())
    output = arith::TruncFOp::create(
        b, tileType({rows, valueHeadDim}, outputType), output);
  attn_tile::StoreOp::create(b, output, op.getOutput(),
                             ValueRange{zero, zero, zero, zero});
  if (Value lse = op.getLse()) {
    // An empty row has a finite m and ln(0) = -inf.
    Value value = math::FmaOp::create(
        b, m, splat(rowType, getScaleInExponent()), math::LogOp::create(b, l));
    attn_tile::StoreOp::create(b, value, lse, ValueRange{zero, zero, zero});
  }
}

/// The program covers one head of one batch entry, and `tile_q` rows.
LogicalResult BlockProgram::verify() {
  for (auto [name, view] : {std::pair("query", op.getQuery()),
                            {"key", op.getKey()},
                            {"value", op.getValue()},
                            {"output", op.getOutput()}}) {
    ArrayRef<int64_t> shape = cast<MemRefType>(view.getType()).getShape();
    if (shape[0] != 1 || shape[1] != 1)
      return op.emitOpError("expected ")
             << name << " of one batch entry and head, found " << view.getType()
             << "; run attn-tile first";
  }
  OpFoldResult numRows = memref::getMixedSize(b, b.getLoc(), op.getQuery(), 2);
  if (!isAtMost(dim(0), {numRows}, b.getIndexAttr(rows)))
    return op.emitOpError("expected at most tile_q = ")
           << rows << " query rows, which the type and the loops around do "
           << "not prove; run attn-tile first";
  return success();
}

void BlockProgram::emit() {
  zero = arith::ConstantIndexOp::create(b, 0);
  for (unsigned i = 0; i < 4; ++i)
    origin[i] = op.getOriginOrZero(i);
  lengthQ = op.getTrueQueryLength(b);
  lengthKv = op.getTrueKvLength(b);
  key = clipToLength(op.getKey());
  value = clipToLength(op.getValue());

  Type f32 = b.getF32Type();
  RankedTensorType rowType = tileType({rows}, f32);
  SmallVector<Value> initial = {splat(tileType({rows, valueHeadDim}, f32), 0.0),
                                splat(rowType, getLowestMaximum()),
                                splat(rowType, 0.0)};
  if (isLazy())
    initial.push_back(splat(rowType, std::numeric_limits<double>::infinity()));
  auto getState = [&](ValueRange values) -> State {
    return {values[0], values[1], values[2], isLazy() ? values[3] : Value()};
  };
  Value query = loadRows(op.getQuery(), zero, rows, headDim);
  bool sharesLoads = getGPUSchedule() && getGPUSchedule().hasProducer();
  if (op.getMaskAttr() && sharesLoads && rows > kPartRows)
    part = attn_gpu::PartOffsetOp::create(b, b.getIndexType());
  KeyRange range = getKeyRange();
  Value first = asValue(range.first), end = asValue(range.end), from = first;

  // Last keys first: so the masked blocks come first, which not all warpgroups
  // need, and a bias for near keys gives the maximum early.
  OpFoldResult last;
  auto getPosition = [&](Value counter) {
    return sharesLoads ? asValue(apply(dim(0) + dim(1) - dim(2),
                                       {range.first, last, counter}))
                       : counter;
  };
  if (sharesLoads) {
    auto getLast = [&](OpFoldResult end) {
      return apply(dim(1) + (dim(0) - dim(1) - constant(1)).floorDiv(columns) *
                                columns,
                   {end, range.first});
    };
    last = getLast(range.end);
    if (range.ownEnd != range.end) {
      from = asValue(apply(dim(0) + dim(1) - dim(2),
                           {range.first, last, getLast(range.ownEnd)}));
      discardBlocks(first, from, getPosition);
    }
  }
  Value step = arith::ConstantIndexOp::create(b, columns);
  auto loop = scf::ForOp::create(
      b, from, end, step, initial,
      [&](OpBuilder &, Location, Value counter, ValueRange carried) {
        Value isFirst;
        if (isLazy())
          isFirst =
              arith::CmpIOp::create(b, arith::CmpIPredicate::eq, counter, from);
        State next =
            emitStep(query, getPosition(counter), isFirst, getState(carried));
        SmallVector<Value> values = {next.acc, next.m, next.l};
        if (isLazy())
          values.push_back(next.offset);
        scf::YieldOp::create(b, values);
      });
  emitEpilogue(getState(loop.getResults()));
  // Here and not in a pass on the function: that would also leave the grid,
  // whose body must hold the whole tile program.
  moveLoopInvariantCode(loop);
}

struct AttnOnlineSoftmaxPass
    : public attn::impl::AttnOnlineSoftmaxPassBase<AttnOnlineSoftmaxPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](AttentionOp op) {
      if (!isa<MemRefType>(op.getQuery().getType())) {
        op.emitOpError("expected memref operands, found tensors; bufferise "
                       "and run attn-tile first");
        return WalkResult::interrupt();
      }
      if (!op.getScheduleAttr()) {
        op.emitOpError("expected a schedule, found none; run "
                       "attn-assign-tiles or attn-gpu-assign-schedule first");
        return WalkResult::interrupt();
      }
      OpBuilder builder(op);
      BlockProgram program(op, builder);
      if (failed(program.verify()))
        return WalkResult::interrupt();
      program.emit();
      numMasked += program.isMasked();
      op.erase();
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
