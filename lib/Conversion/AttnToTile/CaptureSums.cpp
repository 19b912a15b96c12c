//===- CaptureSums.cpp - Gradients of captures, from sums over keys -*- C++
//-*-===//
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

void CaptureSums::allocateRows(unsigned numCaptures) {
  if (numCaptures == 0)
    return;
  follow();
  OpFoldResult batch = getSize(op.getQuery(), 0);
  OpFoldResult heads = getSize(op.getQuery(), 1);
  // Affine maps have no product of two sizes.
  OpFoldResult all = getAsOpFoldResult(
      b.createOrFold<arith::MulIOp>(asValue(batch), asValue(heads)));
  for (unsigned i = 0; i < numCaptures; ++i)
    partial.push_back(allocate({all, getSize(op.getQuery(), 2)}));
}

void CaptureSums::store(unsigned i, Value sums, Value batch, Value head,
                        Value row) {
  follow();
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

/// A number in memory as a vector of one.
Value CaptureSums::asVector(Value out) {
  SmallVector<ReassociationIndices> none;
  return memref::ExpandShapeOp::create(
      b, SmallVector<int64_t>{1}, out, none,
      SmallVector<OpFoldResult>{b.getIndexAttr(1)});
}

void CaptureSums::finish(ValueRange outs) {
  follow();
  for (auto [from, out] : llvm::zip(partial, outs)) {
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
    Value vector = asVector(out);
    auto grid = attn_tile::GridOp::create(b, asValue(b.getIndexAttr(1)), {rows},
                                          rowwise);
    b.setInsertionPointToStart(&grid.getBody().front());
    Type element = cast<MemRefType>(out.getType()).getElementType();
    attn_tile::StoreOp::create(b, splat(tileType({rows}, element), 0.0), vector,
                               ValueRange(grid.getBody().getArgument(0)));
  }
}
