//===- Domains.cpp - Domains of tiles of rows and keys --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "attn/Dialect/Attn/IR/RegionDependence.h"
#include "attn/Dialect/AttnTile/Transforms/Domains.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

Value ProgramBuilder::createDomain(Value first, int64_t rows, OpFoldResult all,
                                   int64_t block,
                                   function_ref<Interval(Value, Value)> emit) {
  OpFoldResult end = min(apply(dim(0) + constant(rows), {first}), all);
  auto type = attn_tile::DomainType::get(b.getContext(), block);
  auto domain = attn_tile::DomainOp::create(b, type, first, asValue(end));
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
  attn_tile::DomainYieldOp::create(b, asValue(columns.lo), asValue(columns.hi),
                                   asValue(columns.fullLo),
                                   asValue(columns.fullHi));
  return domain;
}

std::optional<MaskRanges>
ProgramBuilder::getMaskRanges(const SequenceView &at, bool ofRows, Value head) {
  if (!op.hasMaskRegion())
    return std::nullopt;
  MaskRanges ranges(op, ofRows);
  if (!ranges.mayBound() && !ranges.mayBeFull())
    return std::nullopt;
  Value zero = b.index(0);
  ScorePlace place = getScorePlace(at, head, zero, zero, /*rowAxis=*/0);
  ranges.emitUniform(b, place.batch, place.head);
  return ranges;
}

/// Intersects `interval` with the range that the mask region allows. `interval`
/// has the keys that the rows [first, last) see or, with `ofRows`, the rows
/// that see the keys [first, last). It is left unchanged if `ranges` is
/// std::nullopt. Since the mask region gets positions in the larger problem,
/// the op's origin is added to the positions and subtracted from the range.
void ProgramBuilder::boundByMask(const SequenceView &at,
                                 std::optional<MaskRanges> &ranges, bool ofRows,
                                 Value first, Value last, Interval &interval) {
  if (!ranges)
    return;
  OpFoldResult given = at.origin[ofRows ? 3 : 2];
  OpFoldResult bounded = at.origin[ofRows ? 2 : 3];
  MaskRange range =
      ranges->emit(b, apply(dim(0) + dim(1), {first, given}),
                   apply(dim(0) + dim(1) - constant(1), {last, given}));
  for (OpFoldResult *bound :
       {&range.lo, &range.hi, &range.fullLo, &range.fullHi})
    *bound = apply(dim(0) - dim(1), {*bound, bounded});
  auto varies = [&](OpFoldResult bound) {
    auto value = dyn_cast<Value>(bound);
    return value && attn_tile::isComputedFrom(value, {first, last});
  };
  interval.loVaries |= varies(range.lo);
  interval.hiVaries |= varies(range.hi);
  interval.lo = max(interval.lo, range.lo);
  interval.hi = min(interval.hi, range.hi);
  if (!ranges->mayBeFull())
    return;
  interval.fullLo = max(interval.fullLo, range.fullLo);
  interval.fullHi = min(interval.fullHi, range.fullHi);
}

Value ProgramBuilder::createWholeDomain(OpFoldResult first, OpFoldResult end,
                                        int64_t block) {
  return createDomain(
      b.index(0), 1, b.getIndexAttr(1), block,
      [&](Value, Value) -> Interval { return {first, end, first, end}; });
}

/// Returns the interval that the diagonals of the mask attribute leave: of the
/// keys that the rows [first, last) see or, if `sign` is -1, of the rows that
/// see the keys [first, last). Row i sees key j if lower <= j - i - diagonal <=
/// upper. `hi` and `fullHi` are the ends of the interval without these bounds.
ProgramBuilder::Interval
ProgramBuilder::boundByDiagonals(const SequenceView &at, int64_t sign,
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
    return apply(dim(0) + dim(1) * sign + constant(by * sign + more),
                 {position, at.diagonal});
  };
  if (least) {
    lo = max(lo, move(first, *least));
    fullLo = max(fullLo, move(last, *least, -1));
  }
  if (most) {
    hi = min(hi, move(last, *most));
    fullHi = min(fullHi, move(first, *most, 1));
  }
  return {lo,
          hi,
          fullLo,
          fullHi,
          /*loVaries=*/least.has_value(),
          /*hiVaries=*/most.has_value()};
}

ProgramBuilder::Interval ProgramBuilder::boundKeys(const SequenceView &at,
                                                   Value first, Value last) {
  return boundByDiagonals(at, 1, first, last, at.numKeys, at.numKeys);
}

ProgramBuilder::Interval ProgramBuilder::boundRows(const SequenceView &at,
                                                   Value first, Value last,
                                                   int64_t block,
                                                   bool cutsRows) {
  OpFoldResult all = at.numRows;
  return boundByDiagonals(
      at, -1, first, last, all,
      cutsRows ? all : apply(dim(0).ceilDiv(block) * block, {all}));
}

/// Makes all blocks of rows partial, by setting the end of the full blocks
/// (interval.fullHi) to 0, if a tile of `keys` keys contains keys past the last
/// valid one. `last` is the end of the tile's valid keys.
void ProgramBuilder::cutLastKeys(const SequenceView &at, Interval &interval,
                                 int64_t keys, Value last) {
  std::optional<int64_t> staticKeys = getConstantIntValue(at.numKeys);
  if (staticKeys && *staticKeys % keys == 0)
    return;
  Value rest = asValue(apply(dim(0) % keys, {at.numKeys}));
  Value zero = b.index(0);
  Value isRagged = b.ne(rest, zero);
  Value isLast = b.eq(last, asValue(at.numKeys));
  Value isCut = b.andi(isRagged, isLast);
  interval.fullHi =
      getAsOpFoldResult(b.select(isCut, zero, asValue(interval.fullHi)));
}

/// Returns `value` if `first`, the first row or key of a tile, is less than
/// `own`, the number of valid rows or keys; else returns `behind`.
OpFoldResult ProgramBuilder::selectForTile(Value first, OpFoldResult own,
                                           OpFoldResult value,
                                           OpFoldResult behind) {
  Value isTile = b.slt(first, asValue(own));
  return b.select(isTile, asValue(value), asValue(behind));
}

/// Returns `count` if `first`, the first row or key of a tile, is less than
/// `own`, the number of valid rows or keys; else returns 0.
OpFoldResult ProgramBuilder::countForTile(Value first, OpFoldResult own,
                                          OpFoldResult count) {
  return selectForTile(first, own, count, b.getIndexAttr(0));
}

/// Returns the row from which the tile of row `first` is loaded: `first` if it
/// is less than `own`, the number of valid rows, else 0. The data of a tile
/// past the valid rows is not used, and row 0 is likely in the cache.
Value ProgramBuilder::placeForTile(Value first, OpFoldResult own) {
  return asValue(countForTile(first, own, first));
}

bool ProgramBuilder::masksByHead() {
  if (!op.hasMaskRegion())
    return false;
  Block &body = op.getMaskRegion().front();
  Value kept = cast<YieldOp>(body.getTerminator()).getValue();
  return RegionDependence(body).get(kept) & RegionDependence::OnHead;
}

Value ProgramBuilder::createKeyDomain(const SequenceView &at, Value head,
                                      Value row, int64_t rows, int64_t block) {
  if (at.keyLists.blocks)
    return createListedDomain(at.keyLists, at.batch, head, row);
  bool isOfHeads = static_cast<bool>(at.packing);
  bool differs = isOfHeads && masksByHead();
  std::optional<MaskRanges> ranges =
      differs ? std::nullopt : getMaskRanges(at, /*ofRows=*/false, head);
  SequenceView ofTile = at;
  if (at.hasRowsBehind)
    ofTile.numKeys = countForTile(row, at.numRows, at.numKeys);
  auto emit = [&](Value first, Value last) -> Interval {
    Interval interval = boundKeys(ofTile, first, last);
    boundByMask(at, ranges, /*ofRows=*/false, first, last, interval);
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
    Value end = asValue(
        min(apply(dim(0) + dim(1), {row, at.packing.rowsOfHead}), at.numRows));
    auto emitAll = [&](Value, Value) { return emit(row, end); };
    return createDomain(b.index(0), rows, b.getIndexAttr(rows), block, emitAll);
  }
  return createDomain(row, rows, at.numRows, block, emit);
}

Value ProgramBuilder::createRowDomain(const SequenceView &at, Value head,
                                      Value firstKey, int64_t keys,
                                      int64_t block, bool cutsRows) {
  if (at.rowLists.blocks)
    return createListedDomain(at.rowLists, at.batch, head, firstKey);
  std::optional<MaskRanges> ranges = getMaskRanges(at, /*ofRows=*/true, head);
  auto emit = [&](Value first, Value last) -> Interval {
    Interval interval = boundRows(at, first, last, block, cutsRows);
    boundByMask(at, ranges, /*ofRows=*/true, first, last, interval);
    cutLastKeys(at, interval, keys, last);
    // For a tile of keys past the last valid key, the interval begins past the
    // last row, so that it is empty.
    interval.loVaries |= at.hasKeysBehind;
    interval.hiVaries |= isPacked();
    if (at.hasKeysBehind)
      interval.lo =
          selectForTile(firstKey, at.numKeys, interval.lo,
                        apply(dim(0).ceilDiv(block) * block, {at.numRows}));
    return interval;
  };
  return createDomain(firstKey, keys, at.numKeys, block, emit);
}
