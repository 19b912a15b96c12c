//===- BlockKinds.cpp - Blocks classified by a mask region ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockKinds.h"

#include "ScoreTiling.h"

using namespace mlir;
using namespace mlir::attn;

/// The number of columns of the tiles on which values of the mask region are
/// computed: kStrip if blocks have different positions, kSharedStrip if all
/// blocks have the same positions.
static constexpr int64_t kStrip = 16, kSharedStrip = 8;

//===----------------------------------------------------------------------===//
// Analysis of the region
//===----------------------------------------------------------------------===//

BlockKinds::BlockKinds(AttentionInterface op)
    : RegionIntervals(op, op.getMaskRegion().front()) {
  for (auto read : body.getOps<ReadOp>()) {
    if (isPairRead(read))
      pairReads.push_back(read);
    uint8_t on = dependence.getOfPair(read);
    hasReads |= (on != 0 && isOfOne(read)) || hasBounds(read);
  }
  decided = findDecided(
      getCondition(), [&](Value part) { return isLeaf(part); },
      [&](Value part, bool) {
        auto comparison = part.getDefiningOp<arith::CmpIOp>();
        return comparison && hasInterval(comparison.getLhs()) &&
               hasInterval(comparison.getRhs());
      });
}

/// Whether `read` reads integers (i1, i8, i16, i32 or i64) whose last two
/// indices are row and key, in any order, while its other indices depend on
/// neither. False for an array that is statically empty.
bool BlockKinds::isPairRead(ReadOp read) const {
  auto type = cast<ShapedType>(read.getArray().getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  unsigned rank = type.getRank();
  if (!element || element.getWidth() > 64 || rank < 2 ||
      (element.getWidth() > 1 &&
       !llvm::isPowerOf2_32(std::max(element.getWidth(), 8u))) ||
      isKnownEmpty(read.getArray()))
    return false;
  auto last = read.getPosition(rank - 1), other = read.getPosition(rank - 2);
  return last && other && *last >= 2 && *other >= 2 && last != other &&
         llvm::all_of(read.getIndices().drop_back(2),
                      [&](Value index) { return isUniform(index); });
}

/// Whether the value is the result of one of `pairReads`, so that the summary
/// of the array gives bounds of it.
bool BlockKinds::hasBounds(Value value) const {
  auto read = value.getDefiningOp<ReadOp>();
  return read && llvm::is_contained(pairReads, read);
}

//===----------------------------------------------------------------------===//
// Values that depend on one position
//===----------------------------------------------------------------------===//

Value BlockKinds::splat(Value scalar, ArrayRef<int64_t> shape) {
  return splatScalar(*builder, scalar, shape);
}

Value BlockKinds::constant(int64_t number) {
  auto type = RankedTensorType::get(kBlocks, builder->getIndexType());
  return builder->integer(type, number);
}

bool BlockKinds::isShared(Value value) const {
  return !isa<RankedTensorType>(
      positions[isOfRows(value) ? 0 : 1].first.getType());
}

/// Returns the shape of the tiles on which a value of the mask region is
/// computed. Each of their kBlocks rows has kStrip positions of one block. If
/// all blocks have the same positions, the tile instead has kBlocks x
/// kSharedStrip consecutive positions, row after row.
SmallVector<int64_t> BlockKinds::getShape(Value value) const {
  return {kBlocks, isShared(value) ? kSharedStrip : kStrip};
}

/// Returns a tile of row or key indices, whichever `value` depends on. In each
/// block they begin at offset `strip`; indices past the last position are
/// replaced by that position.
Value BlockKinds::getPositions(Value value, int64_t strip) {
  TileBuilder &b = *builder;
  const Positions &own = positions[isOfRows(value) ? 0 : 1];
  SmallVector<int64_t> shape = getShape(value);
  auto type = RankedTensorType::get(shape, b.getIndexType());
  auto number = [&](int64_t n) { return splat(b.index(n), shape); };
  Value position = b.coordinate(type, 1);
  if (isShared(value)) {
    Value row = b.coordinate(type, 0);
    row = b.muli(row, number(kSharedStrip));
    position = b.addi(position, row);
    position = b.addi(position, splat(own.first, shape));
  } else {
    Value first = b.broadcast(type, own.first, 1);
    position = b.addi(position, first);
  }
  if (strip > 0)
    position = b.addi(position, number(strip));
  return b.minsi(position, splat(own.last, shape));
}

/// Returns a tile of the values that `value` has at the positions that
/// getPositions() returns for the same `strip`, an offset in each block. Each
/// row of the tile belongs to one block; if all blocks have the same positions,
/// these are instead consecutive from row to row. A value that depends on
/// neither row nor key is repeated in all elements.
Value BlockKinds::evaluate(Value value, int64_t strip,
                           ArrayRef<int64_t> shape) {
  TileBuilder &b = *builder;
  if (isUniform(value))
    return splat(uniform.lookupOrDefault(value), shape);
  if (Value known = tiles.lookup({value, strip}))
    return known;
  if (isa<BlockArgument>(value))
    return tiles[{value, strip}] = getPositions(value, strip);
  Operation *inner = value.getDefiningOp();
  if (auto read = dyn_cast<ReadOp>(inner)) {
    auto indices = llvm::map_to_vector(read.getIndices(), [&](Value index) {
      return isUniform(index) ? uniform.lookupOrDefault(index)
                              : evaluate(index, strip, shape);
    });
    Value found = attn_tile::GatherOp::create(
        b, RankedTensorType::get(shape, read.getType()),
        uniform.lookup(read.getArray()), indices);
    return tiles[{value, strip}] = found;
  }
  IRMapping onTiles;
  for (Value operand : inner->getOperands())
    onTiles.map(operand, evaluate(operand, strip, shape));
  Operation *clone = b.clone(*inner, onTiles);
  for (auto [result, other] :
       llvm::zip(clone->getResults(), inner->getResults())) {
    result.setType(RankedTensorType::get(shape, result.getType()));
    tiles[{other, strip}] = result;
  }
  return tiles[{value, strip}];
}

/// Returns a vector with the largest element of each row of the tile. With
/// `isShared`, when all blocks have the same positions, each element is the
/// largest element of the whole tile.
Value BlockKinds::findLargest(Value tile, bool isShared) {
  TileBuilder &b = *builder;
  auto vector = RankedTensorType::get(kBlocks, b.getF32Type());
  auto reduce = [&](Value of, RankedTensorType type, int64_t axis) -> Value {
    return b.reduce(type, attn_tile::ReduceKind::MaxNum, of, axis);
  };
  Value ofRows = reduce(tile, vector, 1);
  if (!isShared)
    return ofRows;
  Type type = tile.getType();
  Value ofColumns =
      reduce(b.broadcast(type, ofRows, 1),
             RankedTensorType::get(kSharedStrip, b.getF32Type()), 0);
  return reduce(b.broadcast(type, ofColumns, 0), vector, 1);
}

/// Returns two vectors of f32: for each block, the minimum and the maximum that
/// `value` has at the positions of the block.
std::pair<Value, Value> BlockKinds::reduce(Value value) {
  TileBuilder &b = *builder;
  SmallVector<int64_t> shape = getShape(value);
  auto tileType = RankedTensorType::get(shape, b.getF32Type());
  int64_t step = isShared(value) ? kBlocks * kSharedStrip : kStrip;
  Value low, high;
  for (int64_t strip = 0; strip < positions[isOfRows(value) ? 0 : 1].size;
       strip += step) {
    Value tile = evaluate(value, strip, shape);
    if (value.getType().isIndex())
      tile = b.indexCast(RankedTensorType::get(shape, b.getI64Type()), tile);
    tile = value.getType().isInteger(1) ? b.uitofp(tileType, tile)
                                        : b.sitofp(tileType, tile);
    Value negated = b.negf(tile);
    // The tiles for all positions of the blocks are first combined element by
    // element, so that only one reduction across lanes and warps is needed.
    high = high ? b.maxnumf(high, tile) : tile;
    low = low ? b.maxnumf(low, negated) : negated;
  }
  low = b.negf(findLargest(low, isShared(value)));
  return {low, findLargest(high, isShared(value))};
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Returns `found`, with the interval of all numbers for blocks that have a
/// bound of magnitude 2^24 or more, since f32 may not hold such a bound
/// exactly.
RegionIntervals::Interval BlockKinds::keepExact(Interval found) {
  return widen(found, isAny(found, -kExactInF32, kExactInF32));
}

/// Returns the indices, along one axis, of the cells of a summary that each
/// block overlaps: vectors with an element for each block, or scalars if all
/// blocks have the same positions. They are the cells of every kSummaryCell-th
/// position of a block and of its last one, so the same cell may occur twice.
SmallVector<Value> BlockKinds::getCells(bool ofRows) {
  TileBuilder &b = *builder;
  const Positions &own = positions[ofRows ? 0 : 1];
  bool isVector = isa<RankedTensorType>(own.first.getType());
  auto spread = [&](Value scalar) {
    return isVector ? splat(scalar, {kBlocks}) : scalar;
  };
  auto number = [&](int64_t n) { return spread(b.index(n)); };
  SmallVector<int64_t> offsets;
  for (int64_t offset = 0; offset < own.size; offset += kSummaryCell)
    offsets.push_back(offset);
  if (!own.isOfCells && offsets.back() != own.size - 1)
    offsets.push_back(own.size - 1);
  SmallVector<Value> cells;
  for (int64_t offset : offsets) {
    Value position = b.addi(own.first, number(offset));
    position = b.minsi(position, spread(own.last));
    position = b.maxsi(position, number(0));
    cells.push_back(b.divui(position, number(kSummaryCell)));
  }
  return cells;
}

/// Returns, for each block, the interval of a read at row and key: the minimum
/// and the maximum of those cells of the array's summary that the block
/// overlaps. If the read has the operand `bounds`, that operand is the summary.
RegionIntervals::Interval BlockKinds::readBounds(ReadOp read) {
  TileBuilder &b = *builder;
  Value summary = summaries.lookup(read);
  if (read.getBounds())
    summary = uniform.lookup(read.getBounds());
  SmallVector<Value> indices;
  for (Value index : read.getIndices().drop_back(2))
    indices.push_back(uniform.lookupOrDefault(index));
  bool isRowFirst = *read.getPosition(read.getIndices().size() - 2) == 2;
  auto words = RankedTensorType::get(kBlocks, b.getI32Type());
  Value bounds[2];
  for (Value outer : getCells(isRowFirst))
    for (Value inner : getCells(!isRowFirst))
      for (int64_t which : {0, 1}) {
        SmallVector<Value> place(indices);
        place.append({outer, inner, b.index(which)});
        Value found = attn_tile::GatherOp::create(b, words, summary, place);
        Value &bound = bounds[which];
        if (!bound)
          bound = found;
        else if (which == 0)
          bound = b.minsi(bound, found);
        else
          bound = b.maxsi(bound, found);
      }
  auto toIndex = [&](Value bound) -> Value {
    return b.indexCast(RankedTensorType::get(kBlocks, b.getIndexType()), bound);
  };
  return keepExact({toIndex(bounds[0]), toIndex(bounds[1])});
}

RegionIntervals::Interval BlockKinds::getSource(Value value) {
  TileBuilder &b = *builder;
  if (isUniform(value)) {
    OpFoldResult own = splat(getUniform(value), {kBlocks});
    return keepFitting({own, own}, {}, 64);
  }
  if (hasBounds(value))
    return readBounds(value.getDefiningOp<ReadOp>());
  auto [low, high] = reduce(value);
  auto toIndex = [&](Value bound) -> Value {
    auto exact = RankedTensorType::get(kBlocks, b.getF32Type());
    auto edge = [&](float limit) { return b.real(exact, limit); };
    // The bounds were computed in f32. They are clamped to [-2^24, 2^24], where
    // f32 holds all integers exactly, since others may not fit i32. keepExact()
    // then replaces an interval with a clamped bound by that of all numbers.
    Value near =
        b.maxnumf(edge(-kExactInF32), b.minnumf(edge(kExactInF32), bound));
    Value number =
        b.fptosi(RankedTensorType::get(kBlocks, b.getI32Type()), near);
    return b.indexCast(RankedTensorType::get(kBlocks, b.getIndexType()),
                       number);
  };
  Value lowIndex = toIndex(low);
  return keepExact({lowIndex, toIndex(high)});
}

/// Returns two vectors with an element for each block: whether `part` of the
/// mask's condition, such as a comparison, may be true for some pair of the
/// block, and whether it must be true for all pairs. Both are null if the
/// intervals of the comparison's operands are not known.
BlockKinds::Kinds BlockKinds::getKindsOf(Value part) {
  TileBuilder &b = *builder;
  if (isUniform(part)) {
    Value all = splat(uniform.lookupOrDefault(part), {kBlocks});
    return {all, all};
  }
  if (hasBounds(part)) {
    Interval found = getInterval(part);
    auto isTrue = [&](OpFoldResult bound) -> Value {
      return b.sgt(cast<Value>(bound), constant(0));
    };
    Value may = isTrue(found.high);
    return {may, isTrue(found.low)};
  }
  if (isOfOne(part)) {
    auto [low, high] = reduce(part);
    auto type = RankedTensorType::get(kBlocks, b.getF32Type());
    Value half = b.real(type, 0.5);
    Value may = b.ogt(high, half);
    return {may, b.ogt(low, half)};
  }
  auto comparison = part.getDefiningOp<arith::CmpIOp>();
  if (!comparison || !hasInterval(comparison.getLhs()) ||
      !hasInterval(comparison.getRhs()))
    return {};
  Interval x = getInterval(comparison.getLhs());
  return compare(comparison.getPredicate(), x,
                 getInterval(comparison.getRhs()));
}

BlockKinds::Kinds BlockKinds::emit(TileBuilder &b) {
  builder = &b;
  auto both = [&](Value lhs, Value rhs) { return b.andi(lhs, rhs); };
  auto either = [&](Value lhs, Value rhs) { return b.ori(lhs, rhs); };
  // Combines what is known of the two operands of an `and` or `or`, where null
  // means unknown. If one operand is unknown, the result is the other operand's
  // or, with `needsBoth`, unknown.
  auto combine = [](Value lhs, Value rhs, bool needsBoth,
                    function_ref<Value(Value, Value)> combined) {
    if (lhs && rhs)
      return combined(lhs, rhs);
    return needsBoth ? Value() : lhs ? lhs : rhs;
  };
  return combineConditions<Kinds>(
      getCondition(), [&](Value part) { return isLeaf(part); },
      [&](Value part, bool isNegated) -> Kinds {
        Kinds found = getKindsOf(part);
        if (!isNegated)
          return found;
        Value yes = splat(b.boolean(true), {kBlocks});
        auto negate = [&](Value value) {
          return value ? b.xori(value, yes) : value;
        };
        Value may = negate(found.must);
        return {may, negate(found.may)};
      },
      [&](Kinds lhs, Kinds rhs) -> Kinds {
        Value may = combine(lhs.may, rhs.may, /*needsBoth=*/false, both);
        return {may, combine(lhs.must, rhs.must, /*needsBoth=*/true, both)};
      },
      [&](Kinds lhs, Kinds rhs) -> Kinds {
        Value may = combine(lhs.may, rhs.may, /*needsBoth=*/true, either);
        return {may, combine(lhs.must, rhs.must, /*needsBoth=*/false, either)};
      });
}
