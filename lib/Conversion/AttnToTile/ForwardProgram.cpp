//===- ForwardProgram.cpp - Attention as a tile program
//-----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "Programs.h"
#include "ScoreTiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Emits the grid of one op and its program.
class ForwardProgram : ProgramBuilder {
public:
  ForwardProgram(AttentionOp op, OpBuilder &builder)
      : ProgramBuilder(op, builder), op(op),
        rows(op.getScheduleAttr().getTileQ()),
        columns(op.getScheduleAttr().getTileKv()), scale(op.getScaleValue()) {
    if (op.hasScore())
      score = getScaledScore(op);
    else if (mayFollowMaximum(scale))
      std::swap(scale, score.factor);
  }

  void emit();
  bool isMasked() const { return hasMask; }

private:
  Value ofRows(Value vector, int64_t width) {
    return broadcast(vector, 1, {rows, width});
  }
  void emitEmptyRows();
  void emitProgram();
  Value emitScores(Value query, Value keyBlock, Value position, Value partial,
                   ScorePlace &place);
  Value emitMask(Value scores, Value position, Value partial,
                 const ScorePlace &place);
  void emitEpilogue(Value accumulator, Value state);

  AttentionOp op;
  int64_t rows, columns;
  /// What scores are multiplied with before the region.
  double scale;
  /// The region's value that is the score but for a factor, which the softmax
  /// has.
  ScaledScore score = {Value(), 1.0};
  Value zero;
  /// The program's place in the grid.
  Value batch, head, row;
  /// Of its rows, or null.
  Value sink;
  bool hasMask = false;
};
} // namespace

Value ForwardProgram::emitMask(Value scores, Value position, Value partial,
                               const ScorePlace &place) {
  Value masked = maskPartial(scores, partial, /*keyAxis=*/1, place, [&] {
    return getMaskConditions(row, position, columns);
  });
  hasMask = masked != scores;
  return masked;
}

/// Also sets the place of the tile's scores, if something looks at it.
Value ForwardProgram::emitScores(Value query, Value keyBlock, Value position,
                                 Value partial, ScorePlace &place) {
  RankedTensorType type = tileType({rows, columns}, b.getF32Type());
  Value scores = attn_tile::DotOp::create(b, query, keyBlock, splat(type, 0.0),
                                          /*transpose_lhs=*/false,
                                          /*transpose_rhs=*/true);
  if (scale != 1.0)
    scores = arith::MulFOp::create(b, scores, splat(type, scale),
                                   arith::FastMathFlags::contract |
                                       arith::FastMathFlags::reassoc);
  if (op.hasScore() || op.hasMaskRegion() || op.getDropoutAttr())
    place = getScorePlace(batch, head, row, position, /*rowAxis=*/0);
  if (op.hasScore())
    scores = inlineScore(op, b, scores, place, score.value).front();
  return emitMask(scores, position, partial, place);
}

void ForwardProgram::emitEpilogue(Value accumulator, Value state) {
  RankedTensorType rowType = tileType({rows}, b.getF32Type());
  RankedTensorType accType = tileType({rows, valueHeadDim}, b.getF32Type());
  auto finish = attn_tile::SoftmaxFinishOp::create(
      b, rowType, rowType, state, sink, /*approximate=*/!inputType.isF32());
  Value inverse = finish.getInverse(), lse = finish.getLse();
  Value factor = inverse;
  if (op.getDropoutAttr())
    factor =
        arith::MulFOp::create(b, inverse, splat(rowType, op.getDropoutScale()));
  Value output =
      arith::MulFOp::create(b, accumulator, ofRows(factor, valueHeadDim));
  if (mayLeaveOutKeys()) {
    // Probabilities of 0 make a NaN of a value that is not finite.
    Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, inverse,
                                          splat(rowType, 0.0));
    output = arith::SelectOp::create(b, ofRows(isEmpty, valueHeadDim),
                                     splat(accType, 0.0), output);
  }
  // Rows past the true length count as fully masked, whatever they held.
  if (Value isReal =
          findRealRows(getSize(op.getQuery(), 2), numRows, row, rows)) {
    output = arith::SelectOp::create(b, ofRows(isReal, valueHeadDim), output,
                                     splat(accType, 0.0));
    lse = arith::SelectOp::create(b, isReal, lse, emitEmptyLse(sink, rows));
  }
  output = round(output, op.getOutputType().getElementType());
  attn_tile::StoreOp::create(b, output, op.getOutput(),
                             ValueRange{batch, head, row, zero});
  if (Value destination = op.getLse())
    attn_tile::StoreOp::create(b, lse, destination,
                               ValueRange{batch, head, row});
}

void ForwardProgram::emitProgram() {
  auto loadRows = [&](Value array, Value arrayHead, Value position,
                      int64_t tileRows, int64_t tileColumns) -> Value {
    return load(array, {tileRows, tileColumns},
                ValueRange{batch, arrayHead, position, zero});
  };
  Value kvHead = getKvHead(head);
  Value query = loadRows(op.getQuery(), head, row, rows, headDim);
  sink = emitSink(head, rows);
  Value domain = createKeyDomain(row, rows, columns, batch, head);
  auto stateType = attn_tile::SoftmaxType::get(b.getContext(), rows,
                                               b.getF64FloatAttr(score.factor));
  RankedTensorType accType = tileType({rows, valueHeadDim}, b.getF32Type());
  SmallVector<Value> initial = {splat(accType, 0.0),
                                attn_tile::SoftmaxInitOp::create(b, stateType)};
  auto emitBlock = [&](Value position, Value partial, ValueRange carried) {
    Value keyBlock = loadRows(key, kvHead, position, columns, headDim);
    Value valueBlock = loadRows(value, kvHead, position, columns, valueHeadDim);
    ScorePlace place;
    Value scores = emitScores(query, keyBlock, position, partial, place);
    auto step = attn_tile::SoftmaxUpdateOp::create(
        b, tileType({rows, columns}, inputType), stateType, TypeRange(accType),
        scores, carried[1], carried[0]);
    Value kept =
        dropOut(step.getProbabilities(), emitKeep({rows, columns}, place));
    Value accumulator = attn_tile::DotOp::create(
        b, kept, valueBlock, step.getRescaled().front(),
        /*transpose_lhs=*/false, /*transpose_rhs=*/false);
    return SmallVector<Value>{accumulator, step.getNewState()};
  };
  SmallVector<Value> results = loopOverBlocks(domain, initial, emitBlock);
  emitEpilogue(results[0], results[1]);
}

/// Without keys every row is empty, and there is nothing to load.
void ForwardProgram::emitEmptyRows() {
  Type element = op.getOutputType().getElementType();
  attn_tile::StoreOp::create(
      b, splat(tileType({rows, valueHeadDim}, element), 0.0), op.getOutput(),
      ValueRange{batch, head, row, zero});
  if (Value lse = op.getLse())
    attn_tile::StoreOp::create(b, emitEmptyLse(emitSink(head, rows), rows), lse,
                               ValueRange{batch, head, row});
}

void ForwardProgram::emit() {
  if (llvm::is_contained(op.getOutputType().getShape(), 0))
    return;
  bool hasKeys = op.getKeyType().getDimSize(2) != 0;
  if (hasKeys) {
    computeSizes();
    listBlocks(/*ofRows=*/false, rows, columns, /*cutsRows=*/false,
               op.getScheduleAttr().getRowwise());
  }
  auto grid = createGrid(op.getOutput(), getSize(op.getOutput(), 1), rows,
                         op.getScheduleAttr());
  batch = grid.getBody().getArgument(0);
  head = grid.getBody().getArgument(1);
  row = grid.getBody().getArgument(2);
  freeLists();
  b.setInsertionPointToStart(&grid.getBody().front());
  zero = arith::ConstantIndexOp::create(b, 0);
  if (hasKeys)
    emitProgram();
  else
    emitEmptyRows();
}

bool mlir::attn::emitForward(AttentionOp op, OpBuilder &builder) {
  ForwardProgram program(op, builder);
  program.emit();
  return program.isMasked();
}
