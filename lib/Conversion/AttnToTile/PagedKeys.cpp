//===- PagedKeys.cpp - Keys and values in pages -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of keys that lies within one page is a tile of the pool, at a page
// that a table names. One that has keys of several pages is gathered. A page
// that is not there has no rows, and its keys are masked.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

using P = arith::CmpIPredicate;

ProgramBuilder::PagedBlock ProgramBuilder::enterPages(Value position,
                                                      int64_t numTileKeys) {
  PagedBlock block;
  OpFoldResult pageSize = getSize(op.getKey(), 2);
  Value size = asValue(pageSize);
  Value numPages = asValue(getSize(op.getKey(), 0));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value table = op.getPages();
  std::optional<int64_t> known = getConstantIntValue(pageSize);
  if (known && *known % numTileKeys == 0) {
    Value number = arith::DivUIOp::create(b, position, size);
    block.page = arith::IndexCastOp::create(
        b, b.getIndexType(),
        memref::LoadOp::create(b, table, ValueRange{arrayBatch, number}));
    block.row = arith::RemUIOp::create(b, position, size);
    // As an unsigned number, a negative one is too large.
    block.isMissing = arith::CmpIOp::create(b, P::uge, block.page, numPages);
    block.page = arith::SelectOp::create(b, block.isMissing, zero, block.page);
    Value first = arith::SubIOp::create(b, position, block.row);
    Value left = arith::SubIOp::create(b, asValue(numKeys), first);
    left =
        arith::MaxSIOp::create(b, zero, arith::MinSIOp::create(b, left, size));
    block.count = arith::SelectOp::create(b, block.isMissing, zero, left);
    return block;
  }
  block.position = position;
  return block;
}

/// Pages of a tile's keys, their rows in them, and which count: keys are along
/// `axis`. Of vectors and of tiles alike: one vector would have two layouts.
ProgramBuilder::GatheredKeys
ProgramBuilder::gatherPages(Value position, ArrayRef<int64_t> shape,
                            int64_t axis) {
  RankedTensorType type = tileType(shape, b.getIndexType());
  auto splat = [&](Value value) -> Value {
    return tensor::SplatOp::create(b, value, type);
  };
  Value size = asValue(getSize(op.getKey(), 2));
  Value keys = arith::AddIOp::create(
      b, attn_tile::CoordinateOp::create(b, type, axis), splat(position));
  // Of keys behind the last one, the last number that counts is read.
  Value last =
      asValue(max(b.getIndexAttr(0), apply(dim(0) - constant(1), {numKeys})));
  Value read = arith::MinUIOp::create(b, keys, splat(last));
  Value pages = attn_tile::GatherOp::create(
      b, tileType(shape, b.getI32Type()), op.getPages(),
      ValueRange{arrayBatch,
                 arith::DivUIOp::create(b, read, splat(size)).getResult()});
  GatheredKeys found;
  found.page = arith::IndexCastOp::create(b, type, pages);
  found.row = arith::RemUIOp::create(b, keys, splat(size));
  // As an unsigned number, a negative one is too large.
  Value isThere = arith::CmpIOp::create(
      b, P::ult, found.page, splat(asValue(getSize(op.getKey(), 0))));
  found.isKept = arith::AndIOp::create(
      b, isThere,
      arith::CmpIOp::create(b, P::slt, keys, splat(asValue(numKeys))));
  return found;
}

Value ProgramBuilder::loadPaged(const PagedBlock &block, Value pool, Value head,
                                ArrayRef<int64_t> shape) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  if (block.count)
    return load(clip(pool, block.count), shape,
                {block.page, head, block.row, zero});
  auto poolType = cast<MemRefType>(pool.getType());
  RankedTensorType type = tileType(shape, poolType.getElementType());
  RankedTensorType indices = tileType(shape, b.getIndexType());
  Value columns = attn_tile::CoordinateOp::create(b, indices, 1);
  auto [pages, rows, isKept] = gatherPages(block.position, shape, /*axis=*/0);
  Value own = attn_tile::GatherOp::create(
      b, type, pool, ValueRange{pages, head, rows, columns});
  if (poolType.getDimSize(3) < shape[1]) {
    Value width =
        tensor::SplatOp::create(b, asValue(getSize(pool, 3)), indices);
    isKept = arith::AndIOp::create(
        b, isKept, arith::CmpIOp::create(b, P::slt, columns, width));
  }
  return arith::SelectOp::create(b, isKept, own, splat(type, 0.0));
}

Value ProgramBuilder::maskMissing(Value scores, const PagedBlock &block) {
  auto type = cast<RankedTensorType>(scores.getType());
  Value masked = splat(type, -INFINITY);
  if (!block.count) {
    Value isKept =
        gatherPages(block.position, type.getDimSize(1), /*axis=*/0).isKept;
    return arith::SelectOp::create(b, broadcast(isKept, 0, type.getShape()),
                                   scores, masked);
  }
  auto branch = scf::IfOp::create(
      b, block.isMissing,
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, masked);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, scores);
      });
  return branch.getResult(0);
}
