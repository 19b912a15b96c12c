//===- BlockKinds.cpp - What a mask region says of whole blocks -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockKinds.h"

#include "MaskRanges.h"
#include "ScoreTiling.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

/// kAny bounds an integer that may be any number. Computed bounds have lower
/// magnitudes than kRange.
static constexpr int64_t kAny = int64_t(1) << 60, kRange = int64_t(1) << 31;
/// Columns of a tile on which values are computed: kStrip where blocks have
/// different positions, kSharedStrip where all blocks share them.
static constexpr int64_t kStrip = 16, kSharedStrip = 8;

static bool isIntegerType(Type type) {
  return type.isIndex() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() > 1 &&
          type.getIntOrFloatBitWidth() <= 64);
}
static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static std::optional<int64_t> getPositiveConstant(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) ||
      number.getSignificantBits() > 32 || !number.isStrictlyPositive())
    return std::nullopt;
  return number.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Analysis of the region
//===----------------------------------------------------------------------===//

BlockKinds::BlockKinds(AttentionInterface op)
    : op(op), body(op.getMaskRegion().front()) {
  dependence[body.getArgument(2)] = kOnRow;
  dependence[body.getArgument(3)] = kOnKey;
  for (Operation &inner : body.without_terminator()) {
    uint8_t on = 0;
    for (Value operand : inner.getOperands())
      on |= dependence.lookup(operand);
    for (Value result : inner.getResults())
      dependence[result] = on;
    auto read = dyn_cast<ReadOp>(inner);
    if (read && on == kOnBoth && isPairRead(read))
      pairReads.push_back(read);
    hasReads |= read && (on == kOnRow || on == kOnKey || hasBounds(read));
  }
  decided = findDecided(cast<YieldOp>(body.getTerminator()).getValue());
}

/// Whether a read of integers has both positions as its last indices, in any
/// order, and other indices that depend on neither.
bool BlockKinds::isPairRead(ReadOp read) const {
  auto type = cast<ShapedType>(read.getArray().getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  unsigned rank = type.getRank();
  if (!element || element.getWidth() > 64 || rank < 2 ||
      (element.getWidth() > 1 &&
       !llvm::isPowerOf2_32(std::max(element.getWidth(), 8u))) ||
      llvm::is_contained(type.getShape(), 0))
    return false;
  uint8_t on = 0;
  for (Value index : read.getIndices().take_back(2))
    if (index == body.getArgument(2) || index == body.getArgument(3))
      on |= dependence.lookup(index);
  return on == kOnBoth &&
         llvm::all_of(read.getIndices().drop_back(2), [&](Value index) {
           return dependence.lookup(index) == 0;
         });
}

/// Whether the value is a read that a summary bounds.
bool BlockKinds::hasBounds(Value value) const {
  auto read = value.getDefiningOp<ReadOp>();
  return read && llvm::is_contained(pairReads, read);
}

bool BlockKinds::isOfOne(Value value) const {
  return dependence.lookup(value) != kOnBoth;
}

bool BlockKinds::hasInterval(Value value) const {
  if (!isIntegerType(value.getType()))
    return false;
  if (isOfOne(value) || hasBounds(value))
    return true;
  Operation *inner = value.getDefiningOp();
  auto has = [&](Value operand) { return hasInterval(operand); };
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(inner))
    return getPositiveConstant(inner->getOperand(1)) &&
           has(inner->getOperand(0));
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
             arith::MaxSIOp, math::AbsIOp, arith::IndexCastOp, arith::ExtSIOp,
             arith::TruncIOp>(inner) &&
         llvm::all_of(inner->getOperands(), has);
}

BlockKinds::Decided BlockKinds::findDecided(Value condition) const {
  if (isOfOne(condition) || hasBounds(condition))
    return {true, true};
  Operation *inner = condition.getDefiningOp();
  if (Value negated = getNegated(condition)) {
    Decided other = findDecided(negated);
    return {other.full, other.empty};
  }
  if (isa<arith::AndIOp, arith::OrIOp>(inner)) {
    Decided lhs = findDecided(inner->getOperand(0));
    Decided rhs = findDecided(inner->getOperand(1));
    if (isa<arith::AndIOp>(inner))
      return {lhs.empty || rhs.empty, lhs.full && rhs.full};
    return {lhs.empty && rhs.empty, lhs.full || rhs.full};
  }
  bool isKnown = isa<arith::CmpIOp>(inner) &&
                 hasInterval(inner->getOperand(0)) &&
                 hasInterval(inner->getOperand(1));
  return {isKnown, isKnown};
}

//===----------------------------------------------------------------------===//
// Values that depend on one position
//===----------------------------------------------------------------------===//

void BlockKinds::emitUniform(TileBuilder &b, Value batch, Value head) {
  emitUniformOps(
      op, b, batch, head,
      [&](Value value) { return dependence.lookup(value) == 0; }, uniform);
}

Value BlockKinds::splat(Value scalar, ArrayRef<int64_t> shape) {
  return splatScalar(*builder, scalar, shape);
}

Value BlockKinds::constant(int64_t number) {
  auto type = RankedTensorType::get(kBlocks, builder->getIndexType());
  return arith::ConstantOp::create(
      *builder, DenseElementsAttr::get(type, builder->getIndexAttr(number)));
}

bool BlockKinds::isShared(Value value) const {
  return !isa<RankedTensorType>(
      positions[dependence.lookup(value) == kOnRow ? 0 : 1].first.getType());
}

/// A tile has a row for each block; positions that all blocks share fill the
/// tile.
SmallVector<int64_t> BlockKinds::getShape(Value value) const {
  return {kBlocks, isShared(value) ? kSharedStrip : kStrip};
}

/// Returns a tile of an axis's positions, of a strip that begins at the
/// position `strip`.
Value BlockKinds::getPositions(Value value, int64_t strip) {
  TileBuilder &b = *builder;
  const Positions &own = positions[dependence.lookup(value) == kOnRow ? 0 : 1];
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

/// Returns a tile of the values at the positions of a strip.
Value BlockKinds::evaluate(Value value, int64_t strip,
                           ArrayRef<int64_t> shape) {
  TileBuilder &b = *builder;
  if (dependence.lookup(value) == 0)
    return splat(uniform.lookupOrDefault(value), shape);
  if (Value known = tiles.lookup({value, strip}))
    return known;
  if (isa<BlockArgument>(value))
    return tiles[{value, strip}] = getPositions(value, strip);
  Operation *inner = value.getDefiningOp();
  if (auto read = dyn_cast<ReadOp>(inner)) {
    auto indices = llvm::map_to_vector(read.getIndices(), [&](Value index) {
      return dependence.lookup(index) ? evaluate(index, strip, shape)
                                      : uniform.lookupOrDefault(index);
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

/// Returns the largest element of each row, or of the tile if blocks share it.
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

/// Returns the least and the largest value at each block's positions, in f32.
BlockKinds::Interval BlockKinds::reduce(Value value) {
  TileBuilder &b = *builder;
  SmallVector<int64_t> shape = getShape(value);
  auto tileType = RankedTensorType::get(shape, b.getF32Type());
  bool isOfRows = dependence.lookup(value) == kOnRow;
  int64_t step = isShared(value) ? kBlocks * kSharedStrip : kStrip;
  Value low, high;
  for (int64_t strip = 0; strip < positions[isOfRows ? 0 : 1].size;
       strip += step) {
    Value tile = evaluate(value, strip, shape);
    if (value.getType().isIndex())
      tile = b.indexCast(RankedTensorType::get(shape, b.getI64Type()), tile);
    tile = value.getType().isInteger(1) ? b.uitofp(tileType, tile)
                                        : b.sitofp(tileType, tile);
    Value negated = b.negf(tile);
    // Combines the tiles of all strips first, so that one reduction across
    // lanes and warps suffices.
    high = high ? b.maxnumf(high, tile) : tile;
    low = low ? b.maxnumf(low, negated) : negated;
  }
  return {b.negf(findLargest(low, isShared(value))),
          findLargest(high, isShared(value))};
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

static Value isAny(TileBuilder &b, Value low, Value high, Value least,
                   Value most) {
  return b.ori(b.sle(low, least), b.sge(high, most));
}

/// Returns the bounds of any number where an operand may be any number, or the
/// result may not fit its type.
BlockKinds::Interval BlockKinds::keepInRange(Interval result,
                                             ArrayRef<Interval> operands,
                                             unsigned width) {
  TileBuilder &b = *builder;
  int64_t range = width >= 32 ? kRange - 1 : (int64_t(1) << (width - 1)) - 1;
  Value isWild = isAny(b, result.low, result.high, constant(-range - 1),
                       constant(range + 1));
  for (Interval operand : operands)
    isWild = b.ori(isWild, isAny(b, operand.low, operand.high,
                                 constant(-kRange), constant(kRange)));
  return {b.select(isWild, constant(-kAny), result.low),
          b.select(isWild, constant(kAny), result.high)};
}

/// Returns the bounds of any number where a bound is not exact in f32.
BlockKinds::Interval BlockKinds::keepExact(Interval found) {
  TileBuilder &b = *builder;
  Value isWild = isAny(b, found.low, found.high, constant(-kExactInF32),
                       constant(kExactInF32));
  return {b.select(isWild, constant(-kAny), found.low),
          b.select(isWild, constant(kAny), found.high)};
}

/// Returns the summary's cells that contain the axis's positions: vectors with
/// an element for each block, or scalars if blocks share the positions. Checks
/// the positions at multiples of the cell's size and the last one, so that a
/// cell may occur twice.
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

/// Returns the interval of a read at both positions, from the cells that the
/// block overlaps. Cells are clamped as positions are.
BlockKinds::Interval BlockKinds::readBounds(ReadOp read) {
  TileBuilder &b = *builder;
  Value summary = summaries.lookup(read);
  if (read.getBounds())
    summary = uniform.lookup(read.getBounds());
  SmallVector<Value> indices;
  for (Value index : read.getIndices().drop_back(2))
    indices.push_back(uniform.lookupOrDefault(index));
  bool isRowFirst = read.getIndices().drop_back().back() == body.getArgument(2);
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

BlockKinds::Interval BlockKinds::getInterval(Value value) {
  TileBuilder &b = *builder;
  auto known = intervals.find(value);
  if (known != intervals.end())
    return known->second;
  uint8_t on = dependence.lookup(value);
  Interval found;
  if (on == 0) {
    Value own = uniform.lookupOrDefault(value);
    if (!own.getType().isIndex())
      own = b.indexCast(b.getIndexType(), own);
    own = splat(own, {kBlocks});
    found = keepInRange({own, own}, {}, 64);
  } else if (hasBounds(value)) {
    found = readBounds(value.getDefiningOp<ReadOp>());
  } else if (on == kOnBoth) {
    found = computeInterval(value.getDefiningOp());
  } else {
    Interval inFloats = reduce(value);
    auto toIndex = [&](Value bound) -> Value {
      auto exact = RankedTensorType::get(kBlocks, b.getF32Type());
      auto edge = [&](float limit) -> Value {
        return arith::ConstantOp::create(
            b, DenseElementsAttr::get(exact, b.getF32FloatAttr(limit)));
      };
      // Numbers beyond are not exact, and need not fit i32.
      Value near =
          b.maxnumf(edge(-kExactInF32), b.minnumf(edge(kExactInF32), bound));
      Value number =
          b.fptosi(RankedTensorType::get(kBlocks, b.getI32Type()), near);
      return b.indexCast(RankedTensorType::get(kBlocks, b.getIndexType()),
                         number);
    };
    found = keepExact({toIndex(inFloats.low), toIndex(inFloats.high)});
  }
  return intervals[value] = found;
}

/// Returns the interval of a value that depends on rows and keys.
BlockKinds::Interval BlockKinds::computeInterval(Operation *inner) {
  TileBuilder &b = *builder;
  SmallVector<Interval> operands;
  bool isQuotient =
      isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(inner);
  for (Value operand : inner->getOperands())
    if (operands.empty() || !isQuotient)
      operands.push_back(getInterval(operand));
  unsigned width = getWidth(inner->getResult(0).getType());
  auto min = [&](Value lhs, Value rhs) -> Value { return b.minsi(lhs, rhs); };
  auto max = [&](Value lhs, Value rhs) -> Value { return b.maxsi(lhs, rhs); };
  Interval x = operands[0], y = operands.size() > 1 ? operands[1] : x;
  Interval result = x;
  if (isa<arith::AddIOp>(inner)) {
    result = {b.addi(x.low, y.low), b.addi(x.high, y.high)};
  } else if (isa<arith::SubIOp>(inner)) {
    result = {b.subi(x.low, y.high), b.subi(x.high, y.low)};
  } else if (isa<arith::MinSIOp>(inner)) {
    return {min(x.low, y.low), min(x.high, y.high)};
  } else if (isa<arith::MaxSIOp>(inner)) {
    return {max(x.low, y.low), max(x.high, y.high)};
  } else if (isa<arith::MulIOp>(inner)) {
    // Clamps factors so that products do not overflow. With a factor that may
    // be any number, keepInRange makes the product any number.
    auto near = [&](Value bound) {
      return min(constant(kRange), max(constant(-kRange), bound));
    };
    Value products[4];
    for (int i = 0; i < 4; ++i)
      products[i] =
          b.muli(near(i & 1 ? x.high : x.low), near(i & 2 ? y.high : y.low));
    result = {
        min(min(products[0], products[1]), min(products[2], products[3])),
        max(max(products[0], products[1]), max(products[2], products[3]))};
  } else if (isa<math::AbsIOp>(inner)) {
    Value zero = constant(0);
    Value negated = b.subi(zero, x.low);
    result = {max(zero, max(x.low, b.subi(zero, x.high))),
              max(negated, x.high)};
  } else if (isQuotient) {
    Value divisor = constant(*getPositiveConstant(inner->getOperand(1)));
    // The three ops have different quotients of negative numbers.
    auto divide = [&](Value bound) -> Value {
      return b.divui(max(constant(0), bound), divisor);
    };
    Value isNegative = b.slt(x.low, constant(0));
    result = {b.select(isNegative, constant(-kAny), divide(x.low)),
              b.select(isNegative, constant(kAny), divide(x.high))};
  }
  return keepInRange(result, operands, width);
}

BlockKinds::Kinds BlockKinds::compare(Operation *inner) {
  using P = arith::CmpIPredicate;
  TileBuilder &b = *builder;
  auto comparison = cast<arith::CmpIOp>(inner);
  if (!hasInterval(comparison.getLhs()) || !hasInterval(comparison.getRhs()))
    return {};
  Interval x = getInterval(comparison.getLhs());
  Interval y = getInterval(comparison.getRhs());
  auto holds = [&](P predicate, Value lhs, Value rhs) -> Value {
    return b.cmpi(predicate, lhs, rhs);
  };
  auto both = [&](Value lhs, Value rhs) -> Value { return b.andi(lhs, rhs); };
  auto either = [&](Value lhs, Value rhs) -> Value { return b.ori(lhs, rhs); };
  switch (comparison.getPredicate()) {
  case P::slt:
  case P::sle:
    return {holds(comparison.getPredicate(), x.low, y.high),
            holds(comparison.getPredicate(), x.high, y.low)};
  case P::sgt:
  case P::sge:
    return {holds(comparison.getPredicate(), x.high, y.low),
            holds(comparison.getPredicate(), x.low, y.high)};
  case P::eq:
    return {both(holds(P::sle, x.low, y.high), holds(P::sle, y.low, x.high)),
            both(both(holds(P::eq, x.low, x.high), holds(P::eq, y.low, y.high)),
                 holds(P::eq, x.low, y.low))};
  case P::ne:
    return {
        either(either(holds(P::ne, x.low, x.high), holds(P::ne, y.low, y.high)),
               holds(P::ne, x.low, y.low)),
        either(holds(P::sgt, x.low, y.high), holds(P::sgt, y.low, x.high))};
  default:
    break;
  }
  // Compares as signed numbers; where one may be negative, nothing is known.
  bool isLess = comparison.getPredicate() == P::ult ||
                comparison.getPredicate() == P::ule;
  bool isStrict = comparison.getPredicate() == P::ult ||
                  comparison.getPredicate() == P::ugt;
  if (!isLess)
    std::swap(x, y);
  P predicate = isStrict ? P::slt : P::sle;
  Value isSigned = either(holds(P::slt, x.low, constant(0)),
                          holds(P::slt, y.low, constant(0)));
  Value isUnsigned = both(holds(P::sge, x.low, constant(0)),
                          holds(P::sge, y.low, constant(0)));
  return {either(isSigned, holds(predicate, x.low, y.high)),
          both(isUnsigned, holds(predicate, x.high, y.low))};
}

BlockKinds::Kinds BlockKinds::getKinds(Value condition) {
  TileBuilder &b = *builder;
  uint8_t on = dependence.lookup(condition);
  if (on == 0) {
    Value all = splat(uniform.lookupOrDefault(condition), {kBlocks});
    return {all, all};
  }
  if (hasBounds(condition)) {
    Interval found = getInterval(condition);
    auto isTrue = [&](Value bound) -> Value {
      return b.sgt(bound, constant(0));
    };
    return {isTrue(found.high), isTrue(found.low)};
  }
  if (on != kOnBoth) {
    Interval found = reduce(condition);
    auto type = RankedTensorType::get(kBlocks, b.getF32Type());
    Value half = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, b.getF32FloatAttr(0.5f)));
    auto isTrue = [&](Value bound) -> Value { return b.ogt(bound, half); };
    return {isTrue(found.high), isTrue(found.low)};
  }
  Operation *inner = condition.getDefiningOp();
  auto combine = [&](bool isAnd, Value lhs, Value rhs) -> Value {
    if (!lhs || !rhs)
      return Value();
    if (isAnd)
      return b.andi(lhs, rhs);
    return b.ori(lhs, rhs);
  };
  auto orElse = [](Value value, Value other) { return value ? value : other; };
  if (Value negated = getNegated(condition)) {
    Kinds other = getKinds(negated);
    Value yes = splat(arith::ConstantIntOp::create(b, 1, 1), {kBlocks});
    auto negate = [&](Value value) {
      return value ? b.xori(value, yes) : value;
    };
    return {negate(other.must), negate(other.may)};
  }
  if (isa<arith::AndIOp, arith::OrIOp>(inner)) {
    Kinds lhs = getKinds(inner->getOperand(0));
    Kinds rhs = getKinds(inner->getOperand(1));
    if (isa<arith::AndIOp>(inner))
      return {lhs.may && rhs.may ? combine(true, lhs.may, rhs.may)
                                 : orElse(lhs.may, rhs.may),
              combine(true, lhs.must, rhs.must)};
    return {combine(false, lhs.may, rhs.may),
            lhs.must && rhs.must ? combine(false, lhs.must, rhs.must)
                                 : orElse(lhs.must, rhs.must)};
  }
  if (isa<arith::CmpIOp>(inner))
    return compare(inner);
  return {};
}

BlockKinds::Kinds BlockKinds::emit(TileBuilder &b) {
  builder = &b;
  return getKinds(cast<YieldOp>(body.getTerminator()).getValue());
}
