//===- AttnToTile.cpp - Attention as a tile program
//------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreMasking.h"
#include "ScoreTiling.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/DimIndices.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

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
#define GEN_PASS_DEF_CONVERTATTNTOTILEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Head dims are padded to whole matrix-unit steps; loads fill with zeros.
constexpr int64_t kHeadDimStep = 16;

/// Emits the grid of one op and its program.
class AttentionProgram {
public:
  AttentionProgram(AttentionOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder),
        inputType(op.getQueryType().getElementType()),
        rows(getTileSizes(op).getTileQ()),
        columns(getTileSizes(op).getTileKv()),
        headDim(llvm::alignTo(op.getHeadDim(), kHeadDimStep)),
        valueHeadDim(llvm::alignTo(op.getValueHeadDim(), kHeadDimStep)),
        scale(op.getScaleValue()) {
    if (op.hasScore())
      score = getScaledScore(op);
    else if (mayFollowMaximum(scale))
      std::swap(scale, score.factor);
  }

  void emit();
  bool isMasked() const { return hasMask; }

private:
  static TileSizesAttrInterface getTileSizes(AttentionOp op) {
    return cast<TileSizesAttrInterface>(op.getScheduleAttr());
  }
  RankedTensorType tileType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
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
  OpFoldResult getSize(Value view, int64_t dim) {
    return memref::getMixedSize(b, b.getLoc(), view, dim);
  }
  Value broadcast(Value slice, int64_t width) {
    auto type = cast<RankedTensorType>(slice.getType());
    return attn_tile::BroadcastOp::create(
        b, tileType({rows, width}, type.getElementType()), slice, 1);
  }

  bool mayLeaveOutKeys();
  bool isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                OpFoldResult limit);
  Value clipToLength(Value view);
  void computeSizes();
  Value getKvHead();
  void emitEmptyRows();
  void emitProgram();
  Value emitDomain();
  SmallVector<MaskCondition> getMaskConditions(Value position);
  Value emitScores(Value query, Value keyBlock, Value position, Value partial);
  Value emitMask(Value scores, Value position, Value partial);
  void emitEpilogue(Value accumulator, Value state);

  AttentionOp op;
  ImplicitLocOpBuilder b;
  Type inputType;
  int64_t rows, columns, headDim, valueHeadDim;
  /// What scores are multiplied with before the region.
  double scale;
  /// The region's value that is the score but for a factor, which the softmax
  /// has.
  ScaledScore score = {Value(), 1.0};
  Value zero;
  std::array<OpFoldResult, 4> origin;
  OpFoldResult lengthQ, lengthKv;
  /// Rows and keys that count, and the diagonal: row i of the query is at
  /// column i + diagonal of the key, without the mask's own bounds.
  OpFoldResult numRows, numKeys, diagonal;
  Value key, value;
  /// The program's place in the grid.
  Value batch, head, row;
  bool hasMask = false;
};

bool AttentionProgram::isAtMost(AffineExpr expr,
                                ArrayRef<OpFoldResult> operands,
                                OpFoldResult limit) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(operands.size(), 0, expr),
               llvm::map_to_vector(operands,
                                   [](OpFoldResult o) { return Variable(o); })),
      ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(limit));
}

/// Memory past the true length may hold anything, NaN too, and 0 * NaN is NaN:
/// it must not be read where the true length is not the view's own. Keys and
/// values are of one length.
Value AttentionProgram::clipToLength(Value view) {
  OpFoldResult size = getSize(op.getKey(), 2);
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

/// What programs share is computed before the grid.
void AttentionProgram::computeSizes() {
  for (unsigned i = 0; i < 4; ++i)
    origin[i] = op.getOriginOrZero(i);
  lengthQ = op.getTrueQueryLength(b);
  lengthKv = op.getTrueKvLength(b);
  key = clipToLength(op.getKey());
  value = clipToLength(op.getValue());
  numRows = getSize(op.getQuery(), 2);
  if (!isAtMost(dim(0) + dim(1), {origin[2], numRows}, lengthQ))
    numRows = min(numRows, apply(dim(0) - dim(1), {lengthQ, origin[2]}));
  numKeys = getSize(key, 2);
  diagonal = apply(dim(0) - dim(1), {origin[2], origin[3]});
  MaskAttr mask = op.getMaskAttr();
  if (mask && mask.getAlignment() == Alignment::BottomRight)
    diagonal = apply(dim(0) + dim(1) - dim(2), {diagonal, lengthKv, lengthQ});
}

/// Whether a row may have no key though there are some: its mask, its region or
/// the lengths leave all of them out. Under a causal mask from the top left
/// each row has the first key.
bool AttentionProgram::mayLeaveOutKeys() {
  MaskAttr mask = op.getMaskAttr();
  bool hasFirstKey =
      !mask || (mask.getAlignment() == Alignment::TopLeft &&
                !mask.getLowerDiagonal() && op.getOrigin().empty());
  return op.hasScore() || !op.getLengths().empty() || !hasFirstKey;
}

/// The key and value head of the program's query head.
Value AttentionProgram::getKvHead() {
  OpFoldResult queryHeads = getSize(op.getQuery(), 1);
  OpFoldResult kvHeads = getSize(op.getKey(), 1);
  if (queryHeads == kvHeads)
    return head;
  std::optional<int64_t> hq = getConstantIntValue(queryHeads);
  std::optional<int64_t> hkv = getConstantIntValue(kvHeads);
  if (hq && hkv && *hkv != 0)
    return asValue(apply(dim(0).floorDiv(*hq / *hkv), {head}));
  // Affine maps have no division by a variable.
  Value group =
      b.createOrFold<arith::DivUIOp>(asValue(queryHeads), asValue(kvHeads));
  return b.createOrFold<arith::DivUIOp>(head, group);
}

/// The columns of rows `[first, last)`, local to query and key.
Value AttentionProgram::emitDomain() {
  OpFoldResult end = min(apply(dim(0) + constant(rows), {row}), numRows);
  auto type = attn_tile::DomainType::get(b.getContext(), columns);
  auto domain = attn_tile::DomainOp::create(b, type, row, asValue(end));
  OpBuilder::InsertionGuard guard(b);
  Type index = b.getIndexType();
  Block *region = b.createBlock(&domain.getColumns(), {}, {index, index},
                                {b.getLoc(), b.getLoc()});
  Value first = region->getArgument(0), last = region->getArgument(1);
  OpFoldResult lo = b.getIndexAttr(0), fullLo = lo;
  OpFoldResult hi = numKeys, fullHi = numKeys;
  MaskAttr mask = op.getMaskAttr();
  if (std::optional<int64_t> lower =
          mask ? mask.getLowerDiagonal() : std::nullopt) {
    lo = max(lo, apply(dim(0) + dim(1) + constant(*lower), {first, diagonal}));
    fullLo = max(fullLo, apply(dim(0) + dim(1) + constant(*lower - 1),
                               {last, diagonal}));
  }
  if (std::optional<int64_t> upper =
          mask ? mask.getUpperDiagonal() : std::nullopt) {
    hi = min(hi, apply(dim(0) + dim(1) + constant(*upper), {last, diagonal}));
    fullHi = min(fullHi, apply(dim(0) + dim(1) + constant(*upper + 1),
                               {first, diagonal}));
  }
  attn_tile::DomainYieldOp::create(b, asValue(lo), asValue(hi), asValue(fullLo),
                                   asValue(fullHi));
  return domain;
}

SmallVector<MaskCondition> AttentionProgram::getMaskConditions(Value position) {
  using Position = MaskCondition::Position;
  SmallVector<MaskCondition> conditions;
  std::optional<int64_t> staticKeys = getConstantIntValue(numKeys);
  if (!staticKeys || *staticKeys % columns != 0)
    conditions.push_back({Position::Column, arith::CmpIPredicate::slt,
                          apply(dim(0) - dim(1), {numKeys, position})});
  MaskAttr mask = op.getMaskAttr();
  if (!mask)
    return conditions;
  OpFoldResult distance =
      apply(dim(0) + dim(1) - dim(2), {row, diagonal, position});
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sle,
                          apply(dim(0) + constant(*upper), {distance})});
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    conditions.push_back({Position::Distance, arith::CmpIPredicate::sge,
                          apply(dim(0) + constant(*lower), {distance})});
  return conditions;
}

Value AttentionProgram::emitMask(Value scores, Value position, Value partial) {
  // Without conditions no block is partial.
  auto cut = scf::IfOp::create(b, scores.getType(), partial,
                               /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(cut.thenBlock());
  SmallVector<MaskCondition> conditions = getMaskConditions(position);
  hasMask = !conditions.empty();
  if (!hasMask) {
    cut.erase();
    return scores;
  }
  scf::YieldOp::create(b, maskScores(b, scores, conditions));
  b.setInsertionPointToStart(cut.elseBlock());
  scf::YieldOp::create(b, scores);
  return cut.getResult(0);
}

Value AttentionProgram::emitScores(Value query, Value keyBlock, Value position,
                                   Value partial) {
  RankedTensorType type = tileType({rows, columns}, b.getF32Type());
  Value scores = attn_tile::DotOp::create(b, query, keyBlock, splat(type, 0.0),
                                          /*transpose_lhs=*/false,
                                          /*transpose_rhs=*/true);
  if (scale != 1.0)
    scores = arith::MulFOp::create(b, scores, splat(type, scale),
                                   arith::FastMathFlags::contract |
                                       arith::FastMathFlags::reassoc);
  if (op.hasScore()) {
    auto place = [&](unsigned axis, Value local) {
      return asValue(apply(dim(0) + dim(1), {origin[axis], local}));
    };
    scores = inlineScore(op, b, scores, place(0, batch), place(1, head),
                         place(2, row), place(3, position), score.value);
  }
  return emitMask(scores, position, partial);
}

void AttentionProgram::emitEpilogue(Value accumulator, Value state) {
  RankedTensorType rowType = tileType({rows}, b.getF32Type());
  RankedTensorType accType = tileType({rows, valueHeadDim}, b.getF32Type());
  auto finish = attn_tile::SoftmaxFinishOp::create(
      b, rowType, rowType, state, /*approximate=*/!inputType.isF32());
  Value inverse = finish.getInverse(), lse = finish.getLse();
  Value output =
      arith::MulFOp::create(b, accumulator, broadcast(inverse, valueHeadDim));
  if (mayLeaveOutKeys()) {
    // Probabilities of 0 make a NaN of a value that is not finite.
    Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, inverse,
                                          splat(rowType, 0.0));
    output = arith::SelectOp::create(b, broadcast(isEmpty, valueHeadDim),
                                     splat(accType, 0.0), output);
  }
  // Rows past the true length count as fully masked, whatever they held.
  OpFoldResult size = getSize(op.getQuery(), 2);
  if (!isAtMost(dim(0), {size}, numRows)) {
    RankedTensorType type = tileType({rows}, b.getIndexType());
    Value bound = asValue(apply(dim(0) - dim(1), {numRows, row}));
    Value isReal =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                              attn_tile::CoordinateOp::create(b, type, 0),
                              tensor::SplatOp::create(b, bound, type));
    output = arith::SelectOp::create(b, broadcast(isReal, valueHeadDim), output,
                                     splat(accType, 0.0));
    lse = arith::SelectOp::create(b, isReal, lse, splat(rowType, -INFINITY));
  }
  Type outputType = op.getOutputType().getElementType();
  if (!outputType.isF32())
    output = arith::TruncFOp::create(
        b, tileType({rows, valueHeadDim}, outputType), output);
  attn_tile::StoreOp::create(b, output, op.getOutput(),
                             ValueRange{batch, head, row, zero});
  if (Value destination = op.getLse())
    attn_tile::StoreOp::create(b, lse, destination,
                               ValueRange{batch, head, row});
}

void AttentionProgram::emitProgram() {
  auto load = [&](Value array, Value arrayHead, Value position,
                  int64_t tileRows, int64_t tileColumns) -> Value {
    return attn_tile::LoadOp::create(
        b, tileType({tileRows, tileColumns}, inputType), array,
        ValueRange{batch, arrayHead, position, zero});
  };
  Value kvHead = getKvHead();
  Value query = load(op.getQuery(), head, row, rows, headDim);
  Value domain = emitDomain();
  auto stateType = attn_tile::SoftmaxType::get(b.getContext(), rows,
                                               b.getF64FloatAttr(score.factor));
  RankedTensorType accType = tileType({rows, valueHeadDim}, b.getF32Type());
  SmallVector<Value> initial = {splat(accType, 0.0),
                                attn_tile::SoftmaxInitOp::create(b, stateType)};
  auto loop = attn_tile::ForBlocksOp::create(b, TypeRange(ValueRange(initial)),
                                             domain, initial);
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Type> types = {b.getIndexType(), b.getI1Type()};
    llvm::append_range(types, TypeRange(ValueRange(initial)));
    Block *body =
        b.createBlock(&loop.getBody(), {}, types,
                      SmallVector<Location>(types.size(), b.getLoc()));
    Value position = body->getArgument(0), partial = body->getArgument(1);
    Value keyBlock = load(key, kvHead, position, columns, headDim);
    Value valueBlock = load(value, kvHead, position, columns, valueHeadDim);
    Value scores = emitScores(query, keyBlock, position, partial);
    auto step = attn_tile::SoftmaxUpdateOp::create(
        b, tileType({rows, columns}, inputType), stateType, TypeRange(accType),
        scores, body->getArgument(3), body->getArgument(2));
    Value accumulator = attn_tile::DotOp::create(
        b, step.getProbabilities(), valueBlock, step.getRescaled().front(),
        /*transpose_lhs=*/false, /*transpose_rhs=*/false);
    attn_tile::YieldOp::create(b, ValueRange{accumulator, step.getNewState()});
  }
  emitEpilogue(loop.getResult(0), loop.getResult(1));
  moveLoopInvariantCode(loop);
}

/// Without keys every row is empty, and there is nothing to load.
void AttentionProgram::emitEmptyRows() {
  auto store = [&](Value destination, ArrayRef<int64_t> shape, double value) {
    Type element = cast<MemRefType>(destination.getType()).getElementType();
    SmallVector<Value> indices = {batch, head, row};
    if (shape.size() == 2)
      indices.push_back(zero);
    attn_tile::StoreOp::create(b, splat(tileType(shape, element), value),
                               destination, indices);
  };
  store(op.getOutput(), {rows, valueHeadDim}, 0.0);
  if (Value lse = op.getLse())
    store(lse, {rows}, -INFINITY);
}

void AttentionProgram::emit() {
  if (llvm::is_contained(op.getOutputType().getShape(), 0))
    return;
  bool hasKeys = op.getKeyType().getDimSize(2) != 0;
  if (hasKeys)
    computeSizes();
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < 3; ++i)
    sizes.push_back(asValue(getSize(op.getOutput(), i)));
  auto grid =
      attn_tile::GridOp::create(b, sizes, {1, 1, rows}, op.getScheduleAttr());
  if (Attribute reasons = op->getAttr(kReasonsAttrName))
    grid->setAttr(kReasonsAttrName, reasons);
  batch = grid.getBody().getArgument(0);
  head = grid.getBody().getArgument(1);
  row = grid.getBody().getArgument(2);
  b.setInsertionPointToStart(&grid.getBody().front());
  zero = arith::ConstantIndexOp::create(b, 0);
  if (hasKeys)
    emitProgram();
  else
    emitEmptyRows();
}

struct ConvertAttnToTilePass
    : public attn::impl::ConvertAttnToTilePassBase<ConvertAttnToTilePass> {
  void runOnOperation() override {
    if (failed(verifyDimIndices(getOperation())))
      return signalPassFailure();
    SmallVector<AttentionOp> ops;
    WalkResult result = getOperation()->walk([&](AttentionOp op) {
      if (op.getNumResults() != 0) {
        op.emitOpError("expected memref operands, found tensors; bufferise "
                       "first");
        return WalkResult::interrupt();
      }
      if (!op.getScheduleAttr()) {
        op.emitOpError("expected a schedule, found none; run attn-assign-tiles "
                       "or attn-gpu-assign-schedule first");
        return WalkResult::interrupt();
      }
      // The schedule alone would take arrays that are not fit for it.
      if (op.getFallbackAttr()) {
        op.emitOpError("expected one schedule, found the fallback ")
            << op.getFallbackAttr() << "; run attn-gpu-multiversion first";
        return WalkResult::interrupt();
      }
      ops.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (AttentionOp op : ops) {
      OpBuilder builder(op);
      AttentionProgram program(op, builder);
      program.emit();
      numMasked += program.isMasked();
      op.erase();
    }
  }
};

} // namespace
