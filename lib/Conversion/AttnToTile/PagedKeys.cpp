//===- PagedKeys.cpp - Keys and values in pages -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of keys that lies within one page is loaded as one tile from the page
// that the table names, and a block of several whole pages as one part for each
// of them. If pages have one key, the table is a list of rows, from which
// copies take the rows of a tile. Other blocks are gathered row by row. A
// missing page is loaded as zeros, and its keys are masked.
//
//===----------------------------------------------------------------------===//

#include "PagedKeys.h"

#include "attn/Dialect/Attn/IR/Pages.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <utility>

using namespace mlir;
using namespace mlir::attn;

using P = arith::CmpIPredicate;

/// Reads entry `number` of the sequence's row in the table of pages; the
/// table must have this entry. If the page that the entry names is not in the
/// pool, the page is missing: the function returns page 0 with no valid rows.
static PagedBlock::Part enterPage(AttentionInterface op, TileBuilder &b,
                                  const SequenceView &at, Value number) {
  PagedBlock::Part part;
  Value zero = b.index(0);
  Value size = b.asValue(b.getSize(op.getKey(), 2));
  Value found =
      b.indexCast(b.getIndexType(),
                  memref::LoadOp::create(b, op.getPages(),
                                         ValueRange{at.arrayBatch, number}));
  // Page indices are compared with the number of pages as unsigned integers, so
  // that a negative index also counts as out of range.
  part.isMissing = b.uge(found, b.asValue(b.getSize(op.getKey(), 0)));
  part.page = b.select(part.isMissing, zero, found);
  Value left = b.subi(b.asValue(at.numKeys), b.muli(number, size));
  left = b.maxsi(zero, b.minsi(left, size));
  part.count = b.select(part.isMissing, zero, left);
  return part;
}

PagedBlock mlir::attn::enterPages(AttentionInterface op, TileBuilder &b,
                                  const SequenceView &at, Value position,
                                  int64_t numTileKeys) {
  PagedBlock block;
  block.position = position;
  int64_t pageSize = op.getKeyType().getDimSize(2);
  int64_t numPages = getPagesOfTile(pageSize, numTileKeys);
  if (numPages == 0)
    return block;
  Value size = b.index(pageSize);
  Value first = b.divui(position, size);
  block.parts.push_back(enterPage(op, b, at, first));
  if (numPages == 1) {
    block.row = b.remui(position, size);
    return block;
  }
  block.row = b.index(0);
  // The table of pages may have no entries past the last page that has valid
  // keys. Where a block reaches past that page, the page's entry is read again.
  Value last = b.asValue(b.apply((b.dim(0) - b.constant(1)).floorDiv(pageSize),
                                 {b.max(b.getIndexAttr(1), at.numKeys)}));
  for (int64_t i = 1; i < numPages; ++i) {
    Value next = b.addi(first, b.index(i));
    block.parts.push_back(enterPage(op, b, at, b.minsi(next, last)));
  }
  return block;
}

/// Returns the entries of the list of rows, at.keyList, for `count` keys from
/// key `position` on, as a vector of i32, and a vector of i1: whether each
/// entry names a row of the pool. Past the end of the list, entries are 0.
static std::pair<Value, Value> readList(AttentionInterface op, TileBuilder &b,
                                        const SequenceView &at, Value position,
                                        int64_t count) {
  Value entries = b.load(at.keyList, {count}, position, /*beside=*/true);
  // Entries are compared with the number of pages as unsigned integers, so that
  // a negative entry also counts as missing. Entries are at most 2^31 - 1.
  constexpr int64_t kMost = int64_t(1) << 31;
  Value numPages =
      b.minui(b.asValue(b.getSize(op.getKey(), 0)), b.index(kMost));
  Value bound = b.indexCast(b.getI32Type(), numPages);
  return {entries,
          b.ult(entries,
                b.splat(bound, cast<RankedTensorType>(entries.getType())))};
}

/// For a tile or vector whose keys begin at `position` and lie along `axis`,
/// returns each key's page, its row in that page, and whether the key is valid
/// and its page exists. Callers that need both a vector and a tile of these
/// call this twice: if both were computed from the same values, the vector
/// would need two layouts.
static GatheredKeys gatherPages(AttentionInterface op, TileBuilder &b,
                                const SequenceView &at, Value position,
                                ArrayRef<int64_t> shape, int64_t axis) {
  RankedTensorType type = b.tileType(shape, b.getIndexType());
  auto splat = [&](Value value) -> Value { return b.splat(value, type); };
  Value size = b.asValue(b.getSize(op.getKey(), 2));
  Value keys = b.addi(b.coordinate(type, axis), splat(position));
  // The table of pages may have no entries past the last valid key. For keys
  // past it, the entry of the last valid key's page is read instead.
  Value last = b.asValue(b.max(
      b.getIndexAttr(0), b.apply(b.dim(0) - b.constant(1), {at.numKeys})));
  Value read = b.minui(keys, splat(last));
  Value pages = attn_tile::GatherOp::create(
      b, b.tileType(shape, b.getI32Type()), op.getPages(),
      ValueRange{at.arrayBatch, b.divui(read, splat(size))}, /*beside=*/true);
  GatheredKeys found;
  found.page = b.indexCast(type, pages);
  found.row = b.remui(keys, splat(size));
  // Page indices are compared with the number of pages as unsigned integers, so
  // that the page of a negative index also counts as missing.
  Value isThere =
      b.ult(found.page, splat(b.asValue(b.getSize(op.getKey(), 0))));
  found.isKept = b.andi(isThere, b.slt(keys, splat(b.asValue(at.numKeys))));
  return found;
}

GatheredKeys mlir::attn::findKeys(AttentionInterface op, TileBuilder &b,
                                  const SequenceView &at, Value position,
                                  int64_t count) {
  if (!at.keyList)
    return gatherPages(op, b, at, position, count, /*axis=*/0);
  RankedTensorType type = b.tileType({count}, b.getIndexType());
  auto splat = [&](Value value) -> Value { return b.splat(value, type); };
  auto [entries, isRow] = readList(op, b, at, position, count);
  Value keys = b.addi(b.coordinate(type, 0), splat(position));
  // Entries past the end of the list are 0, which names a row.
  Value isListed = b.slt(keys, splat(b.asValue(at.numKeys)));
  return {b.indexCast(type, entries), splat(b.index(0)),
          b.andi(isRow, isListed)};
}

Value mlir::attn::loadPaged(AttentionInterface op, TileBuilder &b,
                            const SequenceView &at, const PagedBlock &block,
                            Value pool, Value head, ArrayRef<int64_t> shape,
                            int64_t keyAxis, int64_t firstColumn) {
  Value zero = b.index(0), first = b.index(firstColumn);
  if (at.keyList && keyAxis == 0) {
    auto element = cast<MemRefType>(pool.getType()).getElementType();
    return attn_tile::LoadOp::create(
        b, b.tileType(shape, element), ValueRange(pool),
        ValueRange{zero, head, zero, first}, at.keyList, block.position,
        /*ahead=*/false, /*beside=*/false);
  }
  // The parts of a load are groups of rows of its tile. So a tile that has keys
  // as columns is loaded from one page or, if its keys are in several pages,
  // gathered.
  if (block.parts.size() == 1 || (keyAxis == 0 && !block.parts.empty())) {
    SmallVector<Value> sources, indices;
    for (const PagedBlock::Part &part : block.parts) {
      sources.push_back(b.slice(pool, b.getIndexAttr(0), part.count,
                                /*dim=*/2 + keyAxis));
      indices.append({part.page, head, block.row, first});
      if (keyAxis == 1)
        std::swap(indices.back(), indices[indices.size() - 2]);
    }
    auto element = cast<MemRefType>(pool.getType()).getElementType();
    return attn_tile::LoadOp::create(b, b.tileType(shape, element), sources,
                                     indices);
  }
  auto poolType = cast<MemRefType>(pool.getType());
  RankedTensorType type = b.tileType(shape, poolType.getElementType());
  RankedTensorType indices = b.tileType(shape, b.getIndexType());
  int64_t columnAxis = 1 - keyAxis;
  Value columns = b.coordinate(indices, columnAxis);
  if (firstColumn != 0)
    columns = b.addi(columns, b.splat(first, indices));
  auto [pages, rows, isKept] =
      gatherPages(op, b, at, block.position, shape, keyAxis);
  SmallVector<Value> place = {pages, head, rows, columns};
  if (keyAxis == 1)
    std::swap(place[2], place[3]);
  Value own =
      attn_tile::GatherOp::create(b, type, pool, place, /*beside=*/true);
  if (poolType.getDimSize(2 + columnAxis) < firstColumn + shape[columnAxis]) {
    Value width = b.splat(b.asValue(b.getSize(pool, 2 + columnAxis)), indices);
    isKept = b.andi(isKept, b.slt(columns, width));
  }
  Value none = b.zero(type);
  return b.select(isKept, own, none);
}

Value mlir::attn::maskMissing(AttentionInterface op, TileBuilder &b,
                              const SequenceView &at, Value scores,
                              const PagedBlock &block) {
  auto type = cast<RankedTensorType>(scores.getType());
  Value masked = b.splat(type, -INFINITY);
  if (block.parts.empty()) {
    int64_t count = type.getDimSize(1);
    Value isKept =
        at.keyList
            ? readList(op, b, at, block.position, count).second
            : gatherPages(op, b, at, block.position, count, /*axis=*/0).isKept;
    return b.select(b.broadcast(isKept, 0, type.getShape()), scores, masked);
  }
  // Scores are masked in a branch that is taken if any page of the block is
  // missing, which is rare. Bit i of `bits` is set if page i of the
  // block is missing; the branch tests the bit of each key's page.
  Value isAnyMissing = block.parts.front().isMissing, bits;
  if (block.parts.size() > 1) {
    Value none = b.index(0);
    bits = none;
    for (auto [number, part] : llvm::enumerate(block.parts)) {
      Value bit = b.select(part.isMissing, b.index(int64_t(1) << number), none);
      bits = b.ori(bits, bit);
    }
    isAnyMissing = b.ne(bits, none);
  }
  isAnyMissing = attn_tile::RareOp::create(b, b.getI1Type(), isAnyMissing);
  auto branch = scf::IfOp::create(b, type, isAnyMissing);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&branch.getThenRegion().emplaceBlock());
    Value kept = masked;
    if (bits) {
      int64_t numPages = block.parts.size();
      int64_t numKeysOfTile = type.getDimSize(1);
      RankedTensorType keys = b.tileType(numKeysOfTile, b.getIndexType());
      auto splat = [&](Value value) -> Value { return b.splat(value, keys); };
      Value size = b.index(numKeysOfTile / numPages);
      Value one = splat(b.index(1));
      Value number = b.divui(b.coordinate(keys, 0), splat(size));
      Value bit = b.andi(b.shrui(splat(bits), number), one);
      Value isMissing = b.eq(bit, one);
      kept =
          b.select(b.broadcast(isMissing, 0, type.getShape()), masked, scores);
    }
    scf::YieldOp::create(b, kept);
    b.setInsertionPointToStart(&branch.getElseRegion().emplaceBlock());
    scf::YieldOp::create(b, scores);
  }
  return branch.getResult(0);
}
