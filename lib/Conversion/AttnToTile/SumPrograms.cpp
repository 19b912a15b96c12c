//===- SumPrograms.cpp - Sums over many programs' numbers -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumPrograms.h"
#include "Programs.h"
#include "SumPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

void SumPrograms::addRows(Value from, Value to) {
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  SmallVector<Value> sizes = getSizes(from);
  sizes.pop_back();
  int64_t last = sizes.size();
  OpFoldResult numRows = getSize(from, last - 1);
  OpFoldResult numColumns = getSize(from, last);
  SmallVector<int64_t> steps(last, 1);
  steps.back() = rows;
  auto program = enter(attn_tile::GridOp::create(b, sizes, steps, rowwise));
  Value row = program.back();
  Value domain = createDomain(b, row, rows, numRows, kStretch,
                              [&](Value, Value) -> Interval {
                                OpFoldResult zero = b.getIndexAttr(0);
                                return {zero, numColumns, zero, numColumns};
                              });
  auto place = [&](Value column) {
    SmallVector<Value> indices(program);
    indices.push_back(column);
    return indices;
  };
  RankedTensorType tile = f32Tile({rows, kStretch});
  Value sum = loopOverBlocks(domain, splat(tile, 0.0),
                             [&](Value column, Value, ValueRange sums) {
                               Value next =
                                   load(from, {rows, kStretch}, place(column));
                               return SmallVector<Value>{b.addf(sums[0], next)};
                             })
                  .front();
  Value sums = b.reduce(f32Tile({rows}), attn_tile::ReduceKind::Add, sum, 1);
  auto type = cast<MemRefType>(to.getType());
  SmallVector<Value> point(program);
  while (static_cast<int64_t>(point.size()) < type.getRank())
    point.insert(point.begin(), b.index(0));
  store(round(sums, type.getElementType()), to, point);
}

//===----------------------------------------------------------------------===//
// RowSums
//===----------------------------------------------------------------------===//

Value RowSums::allocateTerms(bool isCleared) {
  follow();
  OpFoldResult stretches =
      apply(dim(0).ceilDiv(kStretch), {getSize(op.getQuery(), 2)});
  terms = allocate({getSize(op.getQuery(), 0), getSize(op.getQuery(), 1),
                    stretches, b.getIndexAttr(kStretch)});
  Value rows = memref::CollapseShapeOp::create(
      b, terms, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  if (isCleared)
    emitZeros(rows, rowwise);
  return rows;
}

void RowSums::finish(Value out) {
  follow();
  // `sums` has the sum of each stretch of kStretch rows. Its order of
  // dimensions is such that, after the collapse below, each of its rows has all
  // terms of one element of the result.
  bool isByHead = keepsHeads && !keepsBatch, isOne = !keepsHeads && !keepsBatch;
  SmallVector<OpFoldResult> sizes = {getSize(terms, 0), getSize(terms, 1),
                                     getSize(terms, 2)};
  if (isByHead)
    std::swap(sizes[0], sizes[1]);
  if (isOne)
    sizes.insert(sizes.begin(), b.getIndexAttr(1));
  Value sums = allocate(sizes);
  int64_t rows = rowwise.getTileQ();
  {
    OpBuilder::InsertionGuard guard(b);
    auto program =
        enter(createGrid(op, b, terms, getSize(terms, 1), rows, rowwise));
    Value batch = program[0], head = program[1], stretch = program[2];
    Value sum =
        b.reduce(f32Tile({rows}), attn_tile::ReduceKind::Add,
                 load(terms, {rows, kStretch}, {batch, head, stretch}), 1);
    if (isByHead)
      std::swap(batch, head);
    SmallVector<Value> place = {batch, head, stretch};
    if (isOne)
      place.insert(place.begin(), b.index(0));
    store(sum, sums, place);
  }
  Value from = sums;
  auto collapse = [&](ArrayRef<ReassociationIndices> groups) {
    from = memref::CollapseShapeOp::create(b, sums, groups);
  };
  if (isOne)
    collapse({{0}, {1, 2, 3}});
  else if (!keepsBatch || !keepsHeads)
    collapse({{0}, {1, 2}});
  addRows(from, out);
}

//===----------------------------------------------------------------------===//
// Sums of captures
//===----------------------------------------------------------------------===//

void CaptureSums::allocateRows(ArrayRef<std::optional<CaptureReads>> captures) {
  if (captures.empty())
    return;
  follow();
  OpFoldResult batch = getSize(op.getQuery(), 0);
  OpFoldResult heads = getSize(op.getQuery(), 1);
  // Affine maps cannot multiply two sizes, so arith.muli multiplies the numbers
  // of batch entries and heads.
  OpFoldResult all =
      getAsOpFoldResult(b.muliOrFold(asValue(batch), asValue(heads)));
  for (const std::optional<CaptureReads> &capture : captures) {
    std::optional<RowSums> &own = sums.emplace_back();
    if (capture) {
      own.emplace(op, outer, rowwise, capture->has(CaptureReads::Batch),
                  capture->has(CaptureReads::Head));
      // The memory of the terms is set to zero, since programs need not write
      // all rows of the last stretch.
      partial.push_back(own->allocateTerms(/*isCleared=*/true));
      follow();
      continue;
    }
    partial.push_back(allocate({all, getSize(op.getQuery(), 2)}));
  }
}

void CaptureSums::store(unsigned i, Value sums, Value batch, Value head,
                        Value row) {
  follow();
  if (this->sums[i]) {
    int64_t count = cast<RankedTensorType>(sums.getType()).getDimSize(0);
    if (Value isOfQuery = findRealRows(getSize(partial[i], 2),
                                       getSize(op.getQuery(), 2), row, count))
      sums = b.select(isOfQuery, sums, splat(f32Tile({count}), 0.0));
    TileBuilder::store(sums, partial[i], {batch, head, row});
    return;
  }
  Value heads = asValue(getSize(op.getQuery(), 1));
  Value place = b.addiOrFold(b.muliOrFold(batch, heads), head);
  TileBuilder::store(sums, partial[i], {place, row});
}

void CaptureSums::scatter(unsigned i, Value sums, Value batch, Value heads,
                          Value rows) {
  follow();
  Value terms = partial[i];
  if (this->sums[i]) {
    // Rows past the last one stay zeros.
    terms = clip(terms, getSize(op.getQuery(), 2));
  } else {
    SmallVector<OpFoldResult> sizes = b.getMixedSizes(op.getQuery());
    sizes.pop_back();
    terms = memref::ExpandShapeOp::create(
        b, decomposeMixedValues(sizes).first, terms,
        ArrayRef<ReassociationIndices>{{0, 1}, {2}}, sizes);
  }
  attn_tile::ScatterOp::create(b, sums, terms, ValueRange{batch, heads, rows});
}

/// Emits a grid that computes to[n, r], the sum of columns n * kStretch to (n +
/// 1) * kStretch - 1 of row r of `from`.
void CaptureSums::addStretches(Value from, Value to) {
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  auto program = enter(
      attn_tile::GridOp::create(b, getSizes(from), {rows, kStretch}, rowwise));
  Value row = program[0], column = program[1];
  Value sums = b.reduce(f32Tile({rows}), attn_tile::ReduceKind::Add,
                        load(from, {rows, kStretch}, {row, column}), 1);
  Value stretch = asValue(apply(dim(0).floorDiv(kStretch), {column}));
  TileBuilder::store(sums, to, {stretch, row});
}

/// Returns a view of a capture's gradient without its dimensions of size 1. A
/// gradient that has one element, or rank 0, becomes a vector of one element.
Value CaptureSums::asVector(Value out) {
  auto type = cast<MemRefType>(out.getType());
  if (int64_t rank = type.getRank(); rank != 0) {
    bool isOne = type.hasStaticShape() && type.getNumElements() == 1;
    return dropDims(out, [&](int64_t dim) {
      return type.getDimSize(dim) != 1 || (isOne && dim == rank - 1);
    });
  }
  SmallVector<ReassociationIndices> none;
  return memref::ExpandShapeOp::create(
      b, SmallVector<int64_t>{1}, out, none,
      SmallVector<OpFoldResult>{b.getIndexAttr(1)});
}

void CaptureSums::finish(ValueRange outs) {
  follow();
  for (auto [from, out, array] : llvm::zip(partial, outs, sums)) {
    if (array) {
      Value to = asVector(out);
      array->finish(to);
      follow();
      continue;
    }
    OpFoldResult stretches =
        apply(dim(0).ceilDiv(kStretch), {getSize(from, 1)});
    Value ofStretches = allocate({stretches, getSize(from, 0)});
    Value ofAll = allocate({b.getIndexAttr(1), stretches});
    addStretches(from, ofStretches);
    addRows(ofStretches, ofAll);
    addRows(ofAll, asVector(out));
  }
}

void CaptureSums::storeZeros(ValueRange outs) {
  follow();
  int64_t rows = rowwise.getTileQ();
  for (Value out : outs) {
    OpBuilder::InsertionGuard guard(b);
    if (cast<MemRefType>(out.getType()).getRank() != 0) {
      emitZeros(out, rowwise);
      continue;
    }
    Value vector = asVector(out);
    auto grid = attn_tile::GridOp::create(b, asValue(b.getIndexAttr(1)), {rows},
                                          rowwise);
    Value place = enter(grid)[0];
    Type element = cast<MemRefType>(out.getType()).getElementType();
    TileBuilder::store(splat(tileType({rows}, element), 0.0), vector, place);
  }
}

//===----------------------------------------------------------------------===//
// Gradients of sinks
//===----------------------------------------------------------------------===//
// A sink acts as a key whose value is 0, so that its dP is 0 and its gradient
// is the sum over rows of -P * delta. The programs of blocks of keys do not
// compute it.

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
  /// The number of valid rows of the query, which are those before `len_q`.
  OpFoldResult rowsThatCount;
  /// The op's arrays with a dimension of rows, cut to the valid rows.
  Value output, dOutput, lse, dLse;
};

} // namespace

/// Returns delta, sum_d output[i,d] * d_output[i,d] - d_lse[i], for the rows
/// from `row` on. Where the output is 0, as in rows that see no key, the
/// product counts as 0 even if d_output is not finite.
Value SinkGradient::emitDelta(Value batch, Value head, Value row) {
  int64_t rows = rowwise.getTileQ();
  RankedTensorType type = f32Tile({rows, valueHeadDim});
  auto loadF32 = [&](Value array) {
    return extend(load(array, {rows, valueHeadDim}, {batch, head, row}));
  };
  Value own = loadF32(output), zeros = splat(type, 0.0);
  Value isZero = b.oeq(own, zeros);
  Value product = b.select(isZero, zeros, b.mulf(own, loadF32(dOutput)));
  Value sum = b.reduce(f32Tile({rows}), attn_tile::ReduceKind::Add, product, 1);
  if (!dLse)
    return sum;
  return b.subf(sum, load(dLse, {rows}, {batch, head, row}));
}

void SinkGradient::emitTerms(Value terms) {
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  auto program =
      enter(createGrid(op, b, terms, getSize(terms, 1), rows, rowwise));
  Value batch = program[0], head = program[1], row = program[2];
  if (op.getLengthArray(0))
    rowsThatCount = enterBatch(op, b, viewAll(op, b), batch).numRows;
  RankedTensorType type = f32Tile({rows});
  Value delta = emitDelta(batch, head, row);
  Value rowLse = load(lse, {rows}, {batch, head, row});
  Value weight = b.exp(b.subf(emitSink(op, b, head, rows), rowLse));
  Value term = b.negf(b.mulf(weight, delta));
  Value isEmpty = b.oeq(rowLse, splat(type, -INFINITY));
  Value zeros = splat(type, 0.0);
  term = b.select(isEmpty, zeros, term);
  if (Value isReal = findRealRows(getSize(terms, 2), rowsThatCount, row, rows))
    term = b.select(isReal, term, zeros);
  store(term, terms, {batch, head, row});
}

void SinkGradient::emit(Value out) {
  if (isKnownEmpty(op.getQuery()))
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
