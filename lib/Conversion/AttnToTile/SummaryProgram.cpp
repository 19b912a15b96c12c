//===- SummaryProgram.cpp - Bounds of an array's cells --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "ScoreTiling.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using attn_tile::ReduceKind;

/// The number of cells that a program reduces. They are adjacent along the last
/// dimension, and one reduction over rows serves all of them. It is also the
/// number of bytes that a lane loads at once, so that a lane of the reduced
/// tile has one column of each cell.
static constexpr int64_t kCells = 8;
/// The number of cells that a program loads at once.
static constexpr int64_t kAtOnce = 2;
/// The number of columns of the tile that is reduced over rows: kCells for each
/// of the four lanes that hold a row.
static constexpr int64_t kWidth = 4 * kCells;
/// In cells of conditions (i1), each row adds 1 to the cell's sum if any of its
/// conditions holds, and also kAll if all hold. kAll is larger than the number
/// of rows of a cell, so that this one sum shows both whether any and whether
/// all conditions of the cell hold.
static constexpr float kAll = 2 * kSummaryCell;

SmallVector<OpFoldResult> mlir::attn::getSummarySizes(TileBuilder &b,
                                                      Value array) {
  SmallVector<OpFoldResult> sizes = b.getMixedSizes(array);
  AffineExpr size = b.getAffineDimExpr(0);
  for (OpFoldResult &own : MutableArrayRef(sizes).take_back(2))
    own = b.apply(size.ceilDiv(kSummaryCell), {own});
  sizes.push_back(b.getIndexAttr(2));
  return sizes;
}

namespace {
/// Emits the program that stores the minimum and maximum of each of kCells
/// cells, which have kSummaryCell x kSummaryCell elements of an array. Column c
/// of the tile that is reduced over rows belongs to cell c mod kCells.
class SummaryProgram {
public:
  explicit SummaryProgram(TileBuilder &b) : b(b) {}

  void emit(Value array, Value summary, ValueRange first);

private:
  RankedTensorType getType(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getF32Type());
  }
  Value splat(float value, ArrayRef<int64_t> shape) {
    return b.real(getType(shape), value);
  }
  Value splat(int64_t value, RankedTensorType type) {
    return b.integer(type, value);
  }
  Value loadCell(Value array, ValueRange cell);
  SmallVector<Value> reduceRows(Value cell);
  SmallVector<Value> reduce(ReduceKind kind, Value array, ValueRange first);
  void store(Value numbers, Value summary, ValueRange first);

  TileBuilder &b;
};
} // namespace

/// Loads a cell of the array as a tile. Elements past the end of the array read
/// as 0.
Value SummaryProgram::loadCell(Value array, ValueRange cell) {
  SmallVector<int64_t> shape = {kSummaryCell, kSummaryCell};
  SmallVector<Value> place(cell);
  Value size = b.index(kSummaryCell);
  for (Value &index : MutableArrayRef(place).take_back(2))
    index = b.muli(index, size);
  Type element = cast<MemRefType>(array.getType()).getElementType();
  return attn_tile::LoadOp::create(b, RankedTensorType::get(shape, element),
                                   array, place);
}

/// Reduces each row of a cell to numbers, which are later combined over rows.
/// For integers, these are two vectors: the largest element of each row, and
/// the largest negated element. For conditions (i1), it is one vector: 1 if any
/// condition holds, plus kAll if all hold.
SmallVector<Value> SummaryProgram::reduceRows(Value cell) {
  RankedTensorType rows = getType(kSummaryCell);
  auto reduce = [&](ReduceKind kind, Value tile) -> Value {
    Type element = cast<RankedTensorType>(tile.getType()).getElementType();
    return b.reduce(RankedTensorType::get(kSummaryCell, element), kind, tile,
                    1);
  };
  auto type = cast<RankedTensorType>(cell.getType());
  if (type.getElementType().isInteger(1)) {
    Value any = b.uitofp(rows, reduce(ReduceKind::Or, cell));
    Value all = b.uitofp(rows, reduce(ReduceKind::And, cell));
    all = b.mulf(all, splat(kAll, kSummaryCell));
    return {b.addf(any, all)};
  }
  Value numbers = b.sitofp(getType(type.getShape()), cell);
  Value negated = b.negf(numbers);
  return {reduce(ReduceKind::MaxNum, numbers),
          reduce(ReduceKind::MaxNum, negated)};
}

/// Reduces kCells cells. The numbers of each cell's rows are written to the
/// cell's columns of one tile, and this tile is then reduced over its rows.
SmallVector<Value> SummaryProgram::reduce(ReduceKind kind, Value array,
                                          ValueRange first) {
  SmallVector<int64_t> shape = {kSummaryCell, kWidth};
  auto words = RankedTensorType::get(shape, b.getI32Type());
  Value own = b.remui(b.coordinate(words, 1), splat(kCells, words));
  // Conditions need one tile. Integers need two: one of the largest elements
  // and one of the largest negated elements.
  SmallVector<Value> initial(kind == ReduceKind::Add ? 1 : 2,
                             splat(0.0f, shape));
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult count = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(),
      AffineMap::get(2, 0, {d0 - d1, b.getAffineConstantExpr(kCells)},
                     b.getContext()),
      {getSummarySizes(b, array).end()[-2], first.back()});
  auto loop = scf::ForOp::create(b, b.index(0), b.asValue(count),
                                 b.index(kAtOnce), initial);
  b.setInsertionPointToStart(loop.getBody());
  // The loads of several cells are issued before the ops that depend on them,
  // so that their latencies overlap.
  SmallVector<Value> numbers, tiles;
  for (int64_t i = 0; i < kAtOnce; ++i) {
    numbers.push_back(b.addiOrFold(loop.getInductionVar(), b.index(i)));
    SmallVector<Value> cell(first);
    cell.back() = b.addi(cell.back(), numbers.back());
    tiles.push_back(loadCell(array, cell));
  }
  SmallVector<Value> next(loop.getRegionIterArgs());
  for (auto [number, tile] : llvm::zip(numbers, tiles)) {
    Value isOwn =
        b.eq(own, b.splat(b.indexCast(b.getI32Type(), number), words));
    for (auto [result, rows] : llvm::zip(next, reduceRows(tile))) {
      Value columns = b.broadcast(getType(shape), rows, 1);
      result = b.select(isOwn, columns, result);
    }
  }
  scf::YieldOp::create(b, next);
  b.setInsertionPointAfter(loop);
  SmallVector<Value> reduced;
  for (Value rows : loop.getResults())
    reduced.push_back(b.reduce(getType(kWidth), kind, rows, 0));
  return reduced;
}

/// Scatters the minimum and the maximum of each cell to the summary.
void SummaryProgram::store(Value numbers, Value summary, ValueRange first) {
  auto places = RankedTensorType::get(kWidth, b.getIndexType());
  Value column = b.coordinate(places, 0);
  Value size = splat(kCells, places);
  SmallVector<Value> indices(first);
  indices.back() = b.addi(b.splat(first.back(), places), b.remui(column, size));
  // The vector has kWidth elements, of which the first 2 * kCells are the
  // minima and maxima of the cells. For the others, the summary's last index is
  // 2 or more, which is out of bounds, so that the scatter does not store them.
  indices.push_back(b.divui(column, size));
  attn_tile::ScatterOp::create(b, numbers, summary, indices);
}

void SummaryProgram::emit(Value array, Value summary, ValueRange first) {
  Value least, most;
  if (cast<MemRefType>(array.getType()).getElementType().isInteger(1)) {
    Value sum = reduce(ReduceKind::Add, array, first).front();
    auto isMore = [&](float than) -> Value {
      Value is = b.ogt(sum, splat(than, kWidth));
      return b.uitofp(getType(kWidth), is);
    };
    least = isMore(kSummaryCell * kAll - 0.5f);
    most = isMore(0.5f);
  } else {
    SmallVector<Value> reduced = reduce(ReduceKind::MaxNum, array, first);
    most = reduced[0];
    least = b.negf(reduced[1]);
  }
  auto words = RankedTensorType::get(kWidth, b.getI32Type());
  Value isFirst = b.ult(b.coordinate(words, 0), splat(kCells, words));
  Value both = b.select(isFirst, least, most);
  both = b.maxnumf(splat(-kExactInF32, kWidth),
                   b.minnumf(splat(kExactInF32, kWidth), both));
  store(b.fptosi(words, both), summary, first);
}

void mlir::attn::emitSummaryGrid(TileBuilder &b, Value array, Value summary,
                                 TileSizesAttrInterface rowwise) {
  if (isKnownEmpty(array))
    return;
  OpBuilder::InsertionGuard guard(b);
  SmallVector<OpFoldResult> sizes = getSummarySizes(b, array);
  sizes.pop_back();
  SmallVector<int64_t> steps(sizes.size(), 1);
  steps.back() = kCells;
  auto grid = attn_tile::GridOp::create(
      b, getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes), steps, rowwise);
  b.setInsertionPointToStart(&grid.getBody().front());
  SummaryProgram(b).emit(array, summary, grid.getBody().getArguments());
}

void mlir::attn::emitSummarize(SummarizeOp op, OpBuilder &builder) {
  TileBuilder b(op.getLoc(), builder);
  emitSummaryGrid(b, op.getArray(), op.getSummary(), op.getScheduleAttr());
}
