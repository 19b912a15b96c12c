//===- Domains.cpp - Domains of tiles of rows and keys --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "ScoreMasking.h"

#include "attn/Dialect/AttnTile/Transforms/Domains.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

Value mlir::attn::createDomain(TileBuilder &b, Value first, int64_t rows,
                               OpFoldResult all, int64_t block,
                               function_ref<Interval(Value, Value)> emit) {
  OpFoldResult end = b.min(b.apply(b.dim(0) + b.constant(rows), {first}), all);
  auto type = attn_tile::DomainType::get(b.getContext(), block);
  auto domain = attn_tile::DomainOp::create(b, type, first, b.asValue(end));
  OpBuilder::InsertionGuard guard(b);
  Type index = b.getIndexType();
  Block *region = b.createBlock(&domain.getColumns(), {}, {index, index},
                                {b.getLoc(), b.getLoc()});
  Interval columns = emit(region->getArgument(0), region->getArgument(1));
  auto grid = domain->getParentOfType<attn_tile::GridOp>();
  if (columns.hiVaries)
    grid.setLongest(attn_tile::Longest::Last);
  else if (columns.loVaries && !grid.getLongest())
    grid.setLongest(attn_tile::Longest::First);
  attn_tile::DomainYieldOp::create(
      b, b.asValue(columns.lo), b.asValue(columns.hi),
      b.asValue(columns.fullLo), b.asValue(columns.fullHi));
  return domain;
}

std::vector<MaskRanges> mlir::attn::getMaskRanges(AttentionInterface op,
                                                  TileBuilder &b,
                                                  const SequenceView &at,
                                                  bool ofRows, Value head,
                                                  int64_t heads) {
  std::vector<MaskRanges> ofHeads;
  if (!op.hasMaskRegion())
    return ofHeads;
  MaskRanges ranges(op, ofRows);
  if (!ranges.mayBound() && !ranges.mayBeFull())
    return ofHeads;
  Value zero = b.index(0);
  for (int64_t i = 0, count = masksByHead(op) ? heads : 1; i < count; ++i) {
    Value own = b.asValue(b.apply(b.dim(0) + b.constant(i), {head}));
    ScorePlace place = getScorePlace(b, at, own, zero, zero, /*rowAxis=*/0);
    MaskRanges &added = ofHeads.emplace_back(op, ofRows);
    added.emitUniform(b, place.batch, place.head);
  }
  return ofHeads;
}

/// Intersects `interval` with the range that the mask region allows: with the
/// least one that has the ranges of all heads, and for full blocks with what
/// these have in common. `interval` has the keys that the rows [first, last)
/// see or, with `ofRows`, the rows that see the keys [first, last). It is left
/// unchanged if `ranges` is empty. Since the mask region gets positions in the
/// larger problem, the op's origin is added to the positions and subtracted
/// from the range.
void mlir::attn::boundByMask(TileBuilder &b, const SequenceView &at,
                             MutableArrayRef<MaskRanges> ranges, bool ofRows,
                             Value first, Value last, Interval &interval) {
  if (ranges.empty())
    return;
  OpFoldResult given = at.origin[ofRows ? 3 : 2];
  OpFoldResult bounded = at.origin[ofRows ? 2 : 3];
  auto emit = [&](MaskRanges &ofHead) {
    return ofHead.emit(
        b, b.apply(b.dim(0) + b.dim(1), {first, given}),
        b.apply(b.dim(0) + b.dim(1) - b.constant(1), {last, given}));
  };
  MaskRange range = emit(ranges.front());
  for (MaskRanges &ofHead : ranges.drop_front()) {
    MaskRange next = emit(ofHead);
    range.lo = b.min(range.lo, next.lo);
    range.hi = b.max(range.hi, next.hi);
    range.fullLo = b.max(range.fullLo, next.fullLo);
    range.fullHi = b.min(range.fullHi, next.fullHi);
  }
  for (OpFoldResult *bound :
       {&range.lo, &range.hi, &range.fullLo, &range.fullHi})
    *bound = b.apply(b.dim(0) - b.dim(1), {*bound, bounded});
  auto varies = [&](OpFoldResult bound) {
    auto value = dyn_cast<Value>(bound);
    return value && attn_tile::isComputedFrom(value, {first, last});
  };
  interval.loVaries |= varies(range.lo);
  interval.hiVaries |= varies(range.hi);
  interval.lo = b.max(interval.lo, range.lo);
  interval.hi = b.min(interval.hi, range.hi);
  if (!ranges.front().mayBeFull())
    return;
  interval.fullLo = b.max(interval.fullLo, range.fullLo);
  interval.fullHi = b.min(interval.fullHi, range.fullHi);
}

Value mlir::attn::createWholeDomain(TileBuilder &b, OpFoldResult first,
                                    OpFoldResult end, int64_t block) {
  return createDomain(
      b, b.index(0), 1, b.getIndexAttr(1), block,
      [&](Value, Value) -> Interval { return {first, end, first, end}; });
}

/// Returns the interval that the diagonals of the mask attribute leave: of the
/// keys that the rows [first, last) see or, if `sign` is -1, of the rows that
/// see the keys [first, last). Row i sees key j if lower <= j - i - diagonal <=
/// upper. `hi` and `fullHi` are the ends of the interval without these bounds.
static Interval boundByDiagonals(AttentionInterface op, TileBuilder &b,
                                 const SequenceView &at, int64_t sign,
                                 Value first, Value last, OpFoldResult hi,
                                 OpFoldResult fullHi) {
  OpFoldResult lo = b.getIndexAttr(0), fullLo = lo;
  MaskAttr mask = op.getMaskAttr();
  std::optional<int64_t> least, most;
  if (mask) {
    least = mask.getLowerDiagonal();
    most = mask.getUpperDiagonal();
  }
  if (sign < 0)
    std::swap(least, most);
  auto move = [&](Value position, int64_t by, int64_t more = 0) {
    return b.apply(b.dim(0) + b.dim(1) * sign + b.constant(by * sign + more),
                   {position, at.diagonal});
  };
  if (least) {
    lo = b.max(lo, move(first, *least));
    fullLo = b.max(fullLo, move(last, *least, -1));
  }
  if (most) {
    hi = b.min(hi, move(last, *most));
    fullHi = b.min(fullHi, move(first, *most, 1));
  }
  return {lo,
          hi,
          fullLo,
          fullHi,
          /*loVaries=*/least.has_value(),
          /*hiVaries=*/most.has_value()};
}

Interval mlir::attn::boundKeys(AttentionInterface op, TileBuilder &b,
                               const SequenceView &at, Value first,
                               Value last) {
  return boundByDiagonals(op, b, at, 1, first, last, at.numKeys, at.numKeys);
}

Interval mlir::attn::boundRows(AttentionInterface op, TileBuilder &b,
                               const SequenceView &at, Value first, Value last,
                               int64_t block, bool cutsRows) {
  OpFoldResult all = at.numRows;
  return boundByDiagonals(
      op, b, at, -1, first, last, all,
      cutsRows ? all : b.apply(b.dim(0).ceilDiv(block) * block, {all}));
}

/// Makes all blocks of rows partial, by setting the end of the full blocks
/// (interval.fullHi) to 0, if a tile of `keys` keys contains keys past the last
/// valid one. `last` is the end of the tile's valid keys.
void mlir::attn::cutLastKeys(TileBuilder &b, const SequenceView &at,
                             Interval &interval, int64_t keys, Value last) {
  std::optional<int64_t> staticKeys = getConstantIntValue(at.numKeys);
  if (staticKeys && *staticKeys % keys == 0)
    return;
  Value rest = b.asValue(b.apply(b.dim(0) % keys, {at.numKeys}));
  Value zero = b.index(0);
  Value isRagged = b.ne(rest, zero);
  Value isLast = b.eq(last, b.asValue(at.numKeys));
  Value isCut = b.andi(isRagged, isLast);
  interval.fullHi =
      getAsOpFoldResult(b.select(isCut, zero, b.asValue(interval.fullHi)));
}

/// Returns `value` if `first`, the first row or key of a tile, is less than
/// `own`, the number of valid rows or keys; else returns `behind`.
static OpFoldResult selectForTile(TileBuilder &b, Value first, OpFoldResult own,
                                  OpFoldResult value, OpFoldResult behind) {
  Value isTile = b.slt(first, b.asValue(own));
  return b.select(isTile, b.asValue(value), b.asValue(behind));
}

/// Returns `count` if `first`, the first row or key of a tile, is less than
/// `own`, the number of valid rows or keys; else returns 0.
OpFoldResult mlir::attn::countForTile(TileBuilder &b, Value first,
                                      OpFoldResult own, OpFoldResult count) {
  return selectForTile(b, first, own, count, b.getIndexAttr(0));
}

/// Returns the row from which the tile of row `first` is loaded: `first` if it
/// is less than `own`, the number of valid rows, else 0. The data of a tile
/// past the valid rows is not used, and row 0 is likely in the cache.
Value mlir::attn::placeForTile(TileBuilder &b, Value first, OpFoldResult own) {
  return b.asValue(countForTile(b, first, own, first));
}

Value mlir::attn::createKeyDomain(AttentionInterface op, TileBuilder &b,
                                  const SequenceView &at, Value head, Value row,
                                  int64_t rows, int64_t block) {
  if (at.keyLists.blocks)
    return createListedDomain(b, at.keyLists, at.batch, head, row);
  bool isOfHeads = static_cast<bool>(at.packing);
  // A tile has all blocks, all of them partial, if only a launch knows how many
  // heads have rows in it and these heads have different ranges.
  bool differs = isOfHeads && !at.packing.heads && masksByHead(op);
  auto ranges = differs ? std::vector<MaskRanges>()
                        : getMaskRanges(op, b, at, /*ofRows=*/false, head,
                                        std::max<int64_t>(at.packing.heads, 1));
  SequenceView ofTile = at;
  if (at.hasRowsBehind)
    ofTile.numKeys = countForTile(b, row, at.numRows, at.numKeys);
  auto emit = [&](Value first, Value last) -> Interval {
    Interval interval = boundKeys(op, b, ofTile, first, last);
    boundByMask(b, at, ranges, /*ofRows=*/false, first, last, interval);
    if (differs)
      interval.fullHi = b.getIndexAttr(0);
    // The end of the interval differs among tiles where arrays may have rows
    // past the valid ones, since these rows see no key. It also differs in
    // packed sequences, which have different numbers of keys.
    interval.hiVaries |= at.hasRowsBehind;
    return interval;
  };
  if (isOfHeads) {
    // A row of a tile with rows of several heads may belong to any of the
    // tile's tokens. So the interval is that of all of its tokens, whichever
    // rows the domain is evaluated for.
    Value end = b.asValue(
        b.min(b.apply(b.dim(0) + b.dim(1), {row, at.packing.rowsOfHead}),
              at.numRows));
    auto emitAll = [&](Value, Value) { return emit(row, end); };
    return createDomain(b, b.index(0), rows, b.getIndexAttr(rows), block,
                        emitAll);
  }
  return createDomain(b, row, rows, at.numRows, block, emit);
}

Value mlir::attn::createRowDomain(AttentionInterface op, TileBuilder &b,
                                  const SequenceView &at, Value head,
                                  int64_t heads, Value firstKey, int64_t keys,
                                  int64_t block, bool cutsRows) {
  if (at.rowLists.blocks)
    return createListedDomain(b, at.rowLists, at.batch, head, firstKey);
  std::vector<MaskRanges> ranges =
      getMaskRanges(op, b, at, /*ofRows=*/true, head, heads);
  auto emit = [&](Value first, Value last) -> Interval {
    Interval interval = boundRows(op, b, at, first, last, block, cutsRows);
    boundByMask(b, at, ranges, /*ofRows=*/true, first, last, interval);
    cutLastKeys(b, at, interval, keys, last);
    // For a tile of keys past the last valid key, the interval begins past the
    // last row, so that it is empty.
    interval.loVaries |= at.hasKeysBehind;
    interval.hiVaries |= isPacked(op);
    if (at.hasKeysBehind)
      interval.lo =
          selectForTile(b, firstKey, at.numKeys, interval.lo,
                        b.apply(b.dim(0).ceilDiv(block) * block, {at.numRows}));
    return interval;
  };
  return createDomain(b, firstKey, keys, at.numKeys, block, emit);
}
