//===- CaptureSums.cpp - Gradients of captures, from sums over keys -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaptureSums.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

void CaptureSums::allocateRows(ArrayRef<std::optional<CaptureReads>> captures) {
  if (captures.empty())
    return;
  follow();
  OpFoldResult batch = getSize(op.getQuery(), 0);
  OpFoldResult heads = getSize(op.getQuery(), 1);
  // Affine maps have no product of two sizes.
  OpFoldResult all = getAsOpFoldResult(
      b.createOrFold<arith::MulIOp>(asValue(batch), asValue(heads)));
  for (const std::optional<CaptureReads> &capture : captures) {
    std::optional<RowSums> &own = sums.emplace_back();
    if (capture) {
      own.emplace(op, outer, rowwise, capture->has(CaptureReads::Batch),
                  capture->has(CaptureReads::Head));
      // A program's rows may end before the last stretch does.
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
      sums = arith::SelectOp::create(b, isOfQuery, sums,
                                     splat(f32Tile({count}), 0.0));
    attn_tile::StoreOp::create(b, sums, partial[i],
                               ValueRange{batch, head, row});
    return;
  }
  Value heads = asValue(getSize(op.getQuery(), 1));
  Value place = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(batch, heads), head);
  attn_tile::StoreOp::create(b, sums, partial[i], ValueRange{place, row});
}

/// to[n, r] = the sum of the n-th stretch of columns of row r
void CaptureSums::addStretches(Value from, Value to) {
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  auto grid = attn_tile::GridOp::create(
      b, ValueRange{asValue(getSize(from, 0)), asValue(getSize(from, 1))},
      {rows, kStretch}, rowwise);
  Value row = grid.getBody().getArgument(0);
  Value column = grid.getBody().getArgument(1);
  b.setInsertionPointToStart(&grid.getBody().front());
  Value sums = attn_tile::ReduceOp::create(
      b, f32Tile({rows}), attn_tile::ReduceKind::Add,
      load(from, {rows, kStretch}, {row, column}), 1);
  Value stretch = asValue(apply(dim(0).floorDiv(kStretch), {column}));
  attn_tile::StoreOp::create(b, sums, to, ValueRange{stretch, row});
}

/// What is summed up, without dimensions of size 1; at least a vector of one.
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
    for (Value own : {Value(from), ofStretches, ofAll})
      memref::DeallocOp::create(b, own);
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
    b.setInsertionPointToStart(&grid.getBody().front());
    Type element = cast<MemRefType>(out.getType()).getElementType();
    attn_tile::StoreOp::create(b, splat(tileType({rows}, element), 0.0), vector,
                               ValueRange(grid.getBody().getArgument(0)));
  }
}
