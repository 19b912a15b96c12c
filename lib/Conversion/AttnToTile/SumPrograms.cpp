//===- SumPrograms.cpp - Sums over many programs' numbers -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumPrograms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

Value SumPrograms::allocate(ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return memref::AllocOp::create(b, MemRefType::get(shape, b.getF32Type()),
                                 dynamicSizes);
}

void SumPrograms::addRows(Value from, Value to) {
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  OpFoldResult numRows = getSize(from, 0), numColumns = getSize(from, 1);
  auto grid = attn_tile::GridOp::create(b, asValue(numRows), {rows}, rowwise);
  Value row = grid.getBody().getArgument(0);
  b.setInsertionPointToStart(&grid.getBody().front());
  Value domain =
      createDomain(row, rows, numRows, kStretch, [&](Value, Value) -> Interval {
        OpFoldResult zero = b.getIndexAttr(0);
        return {zero, numColumns, zero, numColumns};
      });
  RankedTensorType tile = f32Tile({rows, kStretch});
  Value sum = loopOverBlocks(domain, splat(tile, 0.0),
                             [&](Value column, Value, ValueRange sums) {
                               Value next =
                                   load(from, {rows, kStretch}, {row, column});
                               return SmallVector<Value>{
                                   arith::AddFOp::create(b, sums[0], next)};
                             })
                  .front();
  Value sums = attn_tile::ReduceOp::create(b, f32Tile({rows}),
                                           attn_tile::ReduceKind::Add, sum, 1);
  auto type = cast<MemRefType>(to.getType());
  SmallVector<Value> place(type.getRank() - 1,
                           arith::ConstantIndexOp::create(b, 0));
  place.push_back(row);
  attn_tile::StoreOp::create(b, round(sums, type.getElementType()), to, place);
}

//===----------------------------------------------------------------------===//
// HeadSums
//===----------------------------------------------------------------------===//

Value HeadSums::allocateTerms() {
  follow();
  OpFoldResult stretches =
      apply(dim(0).ceilDiv(kStretch), {getSize(op.getQuery(), 2)});
  terms = allocate({getSize(op.getQuery(), 0), getSize(op.getQuery(), 1),
                    stretches, b.getIndexAttr(kStretch)});
  return memref::CollapseShapeOp::create(
      b, terms, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
}

void HeadSums::finish(Value out) {
  follow();
  // Of stretches, by heads first: a row is what a head adds up.
  Value sums =
      allocate({getSize(terms, 1), getSize(terms, 0), getSize(terms, 2)});
  int64_t rows = rowwise.getTileQ();
  {
    OpBuilder::InsertionGuard guard(b);
    auto grid = createGrid(terms, getSize(terms, 1), rows, rowwise);
    Value batch = grid.getBody().getArgument(0);
    Value head = grid.getBody().getArgument(1);
    Value stretch = grid.getBody().getArgument(2);
    b.setInsertionPointToStart(&grid.getBody().front());
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value sum = attn_tile::ReduceOp::create(
        b, f32Tile({rows}), attn_tile::ReduceKind::Add,
        load(terms, {rows, kStretch}, {batch, head, stretch, zero}), 1);
    attn_tile::StoreOp::create(b, sum, sums, ValueRange{head, batch, stretch});
  }
  addRows(memref::CollapseShapeOp::create(
              b, sums, ArrayRef<ReassociationIndices>{{0}, {1, 2}}),
          out);
  for (Value own : {terms, sums})
    memref::DeallocOp::create(b, own);
}
