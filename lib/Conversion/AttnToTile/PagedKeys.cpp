//===- PagedKeys.cpp - Keys and values in pages -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of keys that lies within one page is a tile of the pool, at a page
// that a table names; one of several whole pages is a tile of as many parts.
// Others are gathered. A page that is not there has no rows, and its keys are
// masked.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "attn/Dialect/Attn/IR/Pages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

using P = arith::CmpIPredicate;

ProgramBuilder::PagedBlock::Part ProgramBuilder::enterPage(Value number) {
  PagedBlock::Part part;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value size = asValue(getSize(op.getKey(), 2));
  Value found = arith::IndexCastOp::create(
      b, b.getIndexType(),
      memref::LoadOp::create(b, op.getPages(), ValueRange{arrayBatch, number}));
  // As an unsigned number, a negative one is too large.
  part.isMissing =
      arith::CmpIOp::create(b, P::uge, found, asValue(getSize(op.getKey(), 0)));
  part.page = arith::SelectOp::create(b, part.isMissing, zero, found);
  Value left = arith::SubIOp::create(b, asValue(numKeys),
                                     arith::MulIOp::create(b, number, size));
  left = arith::MaxSIOp::create(b, zero, arith::MinSIOp::create(b, left, size));
  part.count = arith::SelectOp::create(b, part.isMissing, zero, left);
  return part;
}

ProgramBuilder::PagedBlock ProgramBuilder::enterPages(Value position,
                                                      int64_t numTileKeys) {
  PagedBlock block;
  block.position = position;
  int64_t pageSize = op.getKeyType().getDimSize(2);
  int64_t numPages = getPagesOfTile(pageSize, numTileKeys);
  if (numPages == 0)
    return block;
  Value size = arith::ConstantIndexOp::create(b, pageSize);
  Value first = arith::DivUIOp::create(b, position, size);
  block.parts.push_back(enterPage(first));
  if (numPages == 1) {
    block.row = arith::RemUIOp::create(b, position, size);
    return block;
  }
  block.row = arith::ConstantIndexOp::create(b, 0);
  // In place of pages behind the last one that has keys, that one is read
  // again: the table may end there.
  Value last = asValue(apply((dim(0) - constant(1)).floorDiv(pageSize),
                             {max(b.getIndexAttr(1), numKeys)}));
  for (int64_t i = 1; i < numPages; ++i) {
    Value next =
        arith::AddIOp::create(b, first, arith::ConstantIndexOp::create(b, i));
    block.parts.push_back(enterPage(arith::MinSIOp::create(b, next, last)));
  }
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
  if (!block.parts.empty()) {
    SmallVector<Value> sources, indices;
    for (const PagedBlock::Part &part : block.parts) {
      sources.push_back(clip(pool, part.count));
      indices.append({part.page, head, block.row, zero});
    }
    auto element = cast<MemRefType>(pool.getType()).getElementType();
    return attn_tile::LoadOp::create(b, tileType(shape, element), sources,
                                     indices);
  }
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
  if (block.parts.empty()) {
    Value isKept =
        gatherPages(block.position, type.getDimSize(1), /*axis=*/0).isKept;
    return arith::SelectOp::create(b, broadcast(isKept, 0, type.getShape()),
                                   scores, masked);
  }
  // Seldom any is, so that all are one question. A bit for each page.
  Value isAnyMissing = block.parts.front().isMissing, bits;
  if (block.parts.size() > 1) {
    Value none = arith::ConstantIndexOp::create(b, 0);
    bits = none;
    for (auto [number, part] : llvm::enumerate(block.parts)) {
      Value bit = arith::SelectOp::create(
          b, part.isMissing,
          arith::ConstantIndexOp::create(b, int64_t(1) << number), none);
      bits = arith::OrIOp::create(b, bits, bit);
    }
    isAnyMissing = arith::CmpIOp::create(b, P::ne, bits, none);
  }
  auto branch = scf::IfOp::create(b, type, isAnyMissing);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&branch.getThenRegion().emplaceBlock());
    Value kept = masked;
    if (bits) {
      int64_t numPages = block.parts.size();
      int64_t numKeysOfTile = type.getDimSize(1);
      RankedTensorType keys = tileType(numKeysOfTile, b.getIndexType());
      auto splat = [&](Value value) -> Value {
        return tensor::SplatOp::create(b, value, keys);
      };
      Value size = arith::ConstantIndexOp::create(b, numKeysOfTile / numPages);
      Value one = splat(arith::ConstantIndexOp::create(b, 1));
      Value number = arith::DivUIOp::create(
          b, attn_tile::CoordinateOp::create(b, keys, 0), splat(size));
      Value bit = arith::AndIOp::create(
          b, arith::ShRUIOp::create(b, splat(bits), number), one);
      Value isMissing = arith::CmpIOp::create(b, P::eq, bit, one);
      kept = arith::SelectOp::create(
          b, broadcast(isMissing, 0, type.getShape()), masked, scores);
    }
    scf::YieldOp::create(b, kept);
    b.setInsertionPointToStart(&branch.getElseRegion().emplaceBlock());
    scf::YieldOp::create(b, scores);
  }
  return branch.getResult(0);
}
