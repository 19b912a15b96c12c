//===- SinkGradient.cpp - The gradient of a sink as tile programs ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sink is a key whose value is 0, so dP of it is 0 and its gradient a sum
// over rows of -P * delta. No program over blocks has a part in it.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "SumPrograms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

class SinkGradient : SumPrograms {
public:
  SinkGradient(AttentionBackwardOp op, OpBuilder &builder,
               TileSizesAttrInterface rowwise)
      : SumPrograms(op, builder, rowwise), op(op) {}

  void emit(Value out);

private:
  void emitTerms(Value terms);
  Value emitDelta(Value batch, Value head, Value row);

  AttentionBackwardOp op;
  /// Those before `len_q`: others never count.
  OpFoldResult rowsThatCount;
  /// Of those rows.
  Value output, dOutput, lse, dLse;
};

} // namespace

/// sum_d output[i,d] * d_output[i,d] - d_lse[i]. Where the output is 0, as it
/// is without keys, d_output does not matter.
Value SinkGradient::emitDelta(Value batch, Value head, Value row) {
  int64_t rows = rowwise.getTileQ();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  RankedTensorType type = f32Tile({rows, valueHeadDim});
  auto loadF32 = [&](Value array) -> Value {
    Value tile = load(array, {rows, valueHeadDim}, {batch, head, row, zero});
    if (tile.getType() == type)
      return tile;
    return arith::ExtFOp::create(b, type, tile);
  };
  Value own = loadF32(output), zeros = splat(type, 0.0);
  Value isZero =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, own, zeros);
  Value product = arith::SelectOp::create(
      b, isZero, zeros, arith::MulFOp::create(b, own, loadF32(dOutput)));
  Value sum = attn_tile::ReduceOp::create(
      b, f32Tile({rows}), attn_tile::ReduceKind::Add, product, 1);
  if (!dLse)
    return sum;
  return arith::SubFOp::create(b, sum, load(dLse, {rows}, {batch, head, row}));
}

void SinkGradient::emitTerms(Value terms) {
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  auto grid = createGrid(terms, getSize(terms, 1), rows, rowwise);
  Value batch = grid.getBody().getArgument(0);
  Value head = grid.getBody().getArgument(1);
  Value row = grid.getBody().getArgument(2);
  b.setInsertionPointToStart(&grid.getBody().front());
  if (op.getLengthArray(0)) {
    computeSizes();
    enterBatch(batch);
    rowsThatCount = numRows;
  }
  RankedTensorType type = f32Tile({rows});
  Value delta = emitDelta(batch, head, row);
  Value rowLse = load(lse, {rows}, {batch, head, row});
  Value weight = math::ExpOp::create(
      b, arith::SubFOp::create(b, emitSink(head, rows), rowLse));
  Value term =
      arith::NegFOp::create(b, arith::MulFOp::create(b, weight, delta));
  Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, rowLse,
                                        splat(type, -INFINITY));
  Value zeros = splat(type, 0.0);
  term = arith::SelectOp::create(b, isEmpty, zeros, term);
  if (Value isReal = findRealRows(getSize(terms, 2), rowsThatCount, row, rows))
    term = arith::SelectOp::create(b, isReal, term, zeros);
  attn_tile::StoreOp::create(b, term, terms, ValueRange{batch, head, row});
}

void SinkGradient::emit(Value out) {
  if (llvm::is_contained(op.getQueryType().getShape(), 0))
    return emitZeros(out, rowwise);
  rowsThatCount = getSize(op.getQuery(), 2);
  output = op.getOutput();
  dOutput = op.getDOutput();
  lse = op.getLse();
  dLse = op.getDLse();
  OpFoldResult first = op.getOriginOrZero(2);
  OpFoldResult length = op.getTrueQueryLength(b);
  if (!isAtMost(dim(0) + dim(1), {first, rowsThatCount}, length)) {
    rowsThatCount =
        max(b.getIndexAttr(0),
            min(rowsThatCount, apply(dim(0) - dim(1), {length, first})));
    for (Value *array : {&output, &dOutput, &lse, &dLse})
      if (*array)
        *array = clip(*array, rowsThatCount);
  }
  RowSums sums(op, b, rowwise, /*keepsBatch=*/false, /*keepsHeads=*/true);
  emitTerms(sums.allocateTerms(/*isCleared=*/false));
  sums.finish(out);
}

void mlir::attn::emitSinkGradient(AttentionBackwardOp op, OpBuilder &builder,
                                  Value out) {
  SinkGradient(op, builder, op.getScheduleAttr().getRowwise()).emit(out);
}
