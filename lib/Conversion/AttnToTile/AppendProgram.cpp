//===- AppendProgram.cpp - Tokens for a cache as tile programs ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A program appends all heads of one token. The rows of its tiles are heads;
// they all go to the same position of the cache, so that each tile is loaded
// and stored at once. A second grid updates the lengths after all programs of
// the first one have read them.
//
//===----------------------------------------------------------------------===//

#include "NarrowingProgram.h"
#include "Programs.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

namespace {

class AppendProgram : NarrowingProgram {
public:
  AppendProgram(AppendOp op, OpBuilder &builder)
      : NarrowingProgram(op, builder), op(op) {}

  void emit();

private:
  void emitTokens();
  void emitLengths();
  void findPlace(Value batch, Value token);
  Value readNumber(Value array, ValueRange place);
  Value sliceHeads(Value array, Value outer, Value inner);
  Value loadHeads(Value from, Value head, bool isRotated);
  void copyHeads(Value from, Value to, Value head, bool isRotated,
                 Value factors = Value(), Value made = Value());
  Value makeScale(Value tile, Type element);
  Value loadScale(Value scale, Value batch, Value head);
  Value quantize(Value tile, Type element, Value factors);
  void copyHalves(Value from, Value to, Value head, bool isRotated,
                  Value factors, Value made);
  void storeScale(Value factors, Value made, Value head);
  Value rotate(Value tile, Value heads, Value head, ColumnStep step = {});
  /// For given columns of a head, element by element, the pairs of columns that
  /// the rotary embedding mixes. `angle` is the column of the tables of cos and
  /// sin that has the angle of the pair. `isFirst` says whether the given
  /// column is the first one of its pair, and `other` is the other column of
  /// the pair.
  struct Pair {
    Value angle, isFirst, other;
  };
  Pair findPair(Value column);

  Value both(Value lhs, Value rhs) { return lhs ? b.andi(lhs, rhs) : rhs; }

  AppendOp op;
  /// Where the program's token is stored: its position in the sequence, the
  /// page of the cache (without pages, the batch entry), and its slot in that
  /// page. `isKept` says whether it is stored at all. It is not stored if its
  /// index among the batch entry's new tokens is not below the entry's element
  /// of `counts`, if the cache has no room for it, or if its page is missing.
  Value position, page, slot, isKept;
};

} // namespace

Value AppendProgram::readNumber(Value array, ValueRange place) {
  Value number = attn_tile::GatherOp::create(b, b.getI32Type(), array, place);
  return b.indexCast(b.getIndexType(), number);
}

void AppendProgram::findPlace(Value batch, Value token) {
  Value zero = b.index(0);
  Value length = b.maxsi(readNumber(op.getLengths(), batch), zero);
  position = b.addi(length, token);
  isKept = Value();
  if (op.getCounts())
    isKept = b.slt(token, readNumber(op.getCounts(), batch));
  Value cache = op.getKeyCache();
  if (!op.getPages()) {
    page = batch;
    slot = position;
    isKept = both(isKept, b.slt(position, getSize(cache, 2)));
    return;
  }
  // The page size may be 0, so the divisor is at least 1. With a page size of
  // 0, `isKept` is false, since no slot is below that size, and nothing is
  // stored.
  Value size = b.maxuiOrFold(getSize(cache, 2), b.index(1));
  Value column = b.divui(position, size);
  slot = b.subi(position, b.muli(column, size));
  page = readNumber(op.getPages(), {batch, column});
  isKept = both(isKept, b.slt(slot, getSize(cache, 2)));
  isKept = both(isKept, b.slt(column, getSize(op.getPages(), 1)));
  isKept = both(isKept, b.sge(page, zero));
  isKept = both(isKept, b.slt(page, getSize(cache, 0)));
}

/// Returns a view of array[outer, :, inner, :], the heads and columns of a
/// token.
Value AppendProgram::sliceHeads(Value array, Value outer, Value inner) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> sizes = b.getMixedSizes(array);
  OpFoldResult zero = b.getIndexAttr(0);
  sizes[0] = sizes[2] = b.getIndexAttr(1);
  return viewPart(array, {outer, zero, inner, zero}, sizes,
                  {type.getDimSize(1), type.getDimSize(3)});
}

AppendProgram::Pair AppendProgram::findPair(Value column) {
  auto type = cast<RankedTensorType>(column.getType());
  int64_t half = cast<ShapedType>(op.getCos().getType()).getDimSize(1);
  auto number = [&](int64_t value) { return splat(type, value); };
  if (op.getInterleaved()) {
    Value isSecond = b.andi(column, number(1));
    return {b.shrui(column, number(1)), b.eq(isSecond, number(0)),
            b.xori(column, number(1))};
  }
  Value isFirst = b.slt(column, number(half));
  Value before = b.subi(column, number(half));
  Value behind = b.addi(column, number(half));
  return {b.select(isFirst, column, before), isFirst,
          b.select(isFirst, behind, before)};
}

/// Returns the tile (heads x columns) rotated by the angles of the token's
/// position. Each element is multiplied by cos, and the other element of its
/// pair, gathered from `heads`, times sin is added (subtracted for the first
/// element of a pair). Columns of the head past the last pair are returned
/// unchanged. If the head has none and scales are computed from the tile,
/// columns of the tile past the head's end become 0.
Value AppendProgram::rotate(Value tile, Value heads, Value head,
                            ColumnStep step) {
  auto type = cast<RankedTensorType>(tile.getType());
  ArrayRef<int64_t> shape = type.getShape();
  RankedTensorType ofColumns = tileType(shape[1], b.getIndexType());
  RankedTensorType ofElements = tileType(shape, b.getIndexType());
  Pair pair = findPair(getColumns(ofColumns, 0, step));
  auto readAngles = [&](Value table) {
    Type element = getElementTypeOrSelf(table);
    return extend(
        attn_tile::GatherOp::create(b, tileType(shape[1], element), table,
                                    ValueRange{position, pair.angle}));
  };
  Value cos = readAngles(op.getCos()), sin = readAngles(op.getSin());
  sin = b.select(pair.isFirst, b.negf(sin), sin);

  Value column = getColumns(ofElements, 1, step);
  Value other = attn_tile::GatherOp::create(
      b, type, heads,
      ValueRange{countFrom(head, ofElements), findPair(column).other});
  Value own = b.mulf(extend(tile), broadcast(cos, 0, shape));
  Value turned = b.mulf(extend(other), broadcast(sin, 0, shape));
  Value sum = round(b.addf(own, turned), type.getElementType());
  int64_t width = 2 * cast<ShapedType>(op.getCos().getType()).getDimSize(1);
  int64_t columns = cast<ShapedType>(heads.getType()).getDimSize(1);
  bool areAllTurned = width == columns;
  bool isPadded = step.first + (shape[1] - 1) * step.step >= columns;
  if (areAllTurned && !(isPadded && op.getMakesScales()))
    return sum;
  Value isTurned = b.slt(column, splat(ofElements, width));
  return b.select(isTurned, sum, areAllTurned ? splat(type, 0.0) : tile);
}

/// Returns a vector with the quantization scale, from the array `scale`, of
/// each of the tile's heads. A scale that heads or batch entries share is
/// repeated. Returns null if `scale` is null.
Value AppendProgram::loadScale(Value scale, Value batch, Value head) {
  if (!scale)
    return Value();
  auto type = cast<MemRefType>(scale.getType());
  SmallVector<Value> indices;
  std::array<Value, 2> places = {
      batch, countFrom(head, tileType({rows}, b.getIndexType()))};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    indices.push_back(type.getDimSize(dim) == 1 ? b.index(0) : places[dim]);
  if (!indices.empty() && isa<RankedTensorType>(indices.back().getType()))
    return attn_tile::GatherOp::create(b, f32Tile({rows}), scale, indices);
  return b.splat(attn_tile::GatherOp::create(b, b.getF32Type(), scale, indices),
                 f32Tile({rows}));
}

/// Divides each head of the tile by its element of `factors`, unless `factors`
/// is null, and rounds the quotients to `element`, with clamping, by narrow().
/// Quotients rounded to i4 are returned as i32.
Value AppendProgram::quantize(Value tile, Type element, Value factors) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  Value numbers = extend(tile);
  if (factors)
    numbers = b.divf(numbers, broadcast(factors, 1, shape));
  return narrow(numbers, element);
}

/// Returns a vector with a quantization scale for each head of the tile,
/// computed from the head's largest magnitude.
Value AppendProgram::makeScale(Value tile, Type element) {
  int64_t heads = cast<RankedTensorType>(tile.getType()).getDimSize(0);
  Value most = b.reduce(f32Tile({heads}), attn_tile::ReduceKind::MaxNum,
                        findMagnitudes(tile), /*axis=*/1);
  return findScales(most, element);
}

/// Stores `factors`, the scales computed for the token's heads from `head` on,
/// to the array `made`, at the token's page and slot.
void AppendProgram::storeScale(Value factors, Value made, Value head) {
  Value own = countFrom(head, tileType({rows}, b.getIndexType()));
  attn_tile::ScatterOp::create(b, factors, made, ValueRange{page, own, slot});
}

/// Stores the heads of `from` from `head` on as i4 to the bytes of `to`.
/// Columns 2 c and 2 c + 1 are the low and the high half of byte c. With
/// `isRotated`, the heads are rotated first. They are divided by `factors` or,
/// if `made` is not null, by scales that are computed here and stored to
/// `made`. A gather of a column past the last one reads the last column.
void AppendProgram::copyHalves(Value from, Value to, Value head, bool isRotated,
                               Value factors, Value made) {
  Type element = b.getIntegerType(4);
  auto type = cast<MemRefType>(from.getType());
  int64_t columns = padColumns(type.getDimSize(1) / 2);
  RankedTensorType indices = tileType({rows, columns}, b.getIndexType());
  Value own = countFrom(head, indices);
  SmallVector<Value> halves;
  for (int64_t odd : {0, 1}) {
    ColumnStep step = {odd, 2};
    Value tile = attn_tile::GatherOp::create(
        b, tileType({rows, columns}, type.getElementType()), from,
        ValueRange{own, getColumns(indices, 1, step)});
    halves.push_back(isRotated ? rotate(tile, from, head, step) : tile);
  }
  if (made) {
    factors = b.maximumf(makeScale(halves[0], element),
                         makeScale(halves[1], element));
    storeScale(factors, made, head);
  }
  store(packHalves(quantize(halves[0], element, factors),
                   quantize(halves[1], element, factors)),
        to, head);
}

Value AppendProgram::loadHeads(Value from, Value head, bool isRotated) {
  int64_t columns = padColumns(cast<ShapedType>(from.getType()).getDimSize(1));
  Value tile = load(from, {rows, columns}, head);
  return isRotated ? rotate(tile, from, head) : tile;
}

/// Stores the heads of `from` from `head` on to `to`; with `isRotated`, rotates
/// them first. If the element types differ, the heads are divided by `factors`
/// and rounded. If `made` is not null, the factors are scales that are computed
/// here and stored to `made`.
void AppendProgram::copyHeads(Value from, Value to, Value head, bool isRotated,
                              Value factors, Value made) {
  Value tile = loadHeads(from, head, isRotated);
  Type element = getElementTypeOrSelf(to);
  if (made) {
    factors = makeScale(tile, element);
    storeScale(factors, made, head);
  }
  if (element != getElementTypeOrSelf(from))
    tile = quantize(tile, element, factors);
  store(tile, to, head);
}

void AppendProgram::emitTokens() {
  OpBuilder::InsertionGuard guard(b);
  Value key = op.getKey(), query = op.getQuery();
  bool hasKeys = llvm::none_of(
      ArrayRef<Value>{key, op.getValue(), op.getKeyCache(), op.getValueCache()},
      isKnownEmpty);
  bool hasQuery =
      query && !isKnownEmpty(query) && !isKnownEmpty(op.getQueryOut());
  if (!hasKeys && !hasQuery)
    return;
  Value heads = hasKeys ? getSize(key, 1) : getSize(query, 1);
  if (hasKeys && hasQuery)
    heads = b.maxuiOrFold(heads, getSize(query, 1));
  auto viewBytes = [&](Value cache) -> Value {
    return hasKeys && isInt4(getElementTypeOrSelf(cache))
               ? attn_tile::BytesOp::create(b, cache)
               : cache;
  };
  Value keyCache = viewBytes(op.getKeyCache()),
        valueCache = viewBytes(op.getValueCache());
  auto grid = beginGrid({getSize(key, 0), getSize(key, 2), heads});
  auto program = grid.getBody().getArguments();
  Value batch = program[0], token = program[1], head = program[2];
  findPlace(batch, token);
  bool isRotated = bool(op.getCos());
  if (hasQuery)
    copyHeads(sliceHeads(query, batch, token),
              sliceHeads(op.getQueryOut(), batch, token), head, isRotated);
  if (!hasKeys)
    return;
  if (hasQuery)
    isKept = both(isKept, b.slt(head, getSize(key, 1)));
  auto keep = scf::IfOp::create(b, isKept, /*withElseRegion=*/false);
  b.setInsertionPointToStart(keep.thenBlock());
  for (auto [array, cache, bytes, scale, made, mayRotate] :
       {std::tuple(key, op.getKeyCache(), keyCache, op.getKeyScale(),
                   op.getMadeKeyScale(), true),
        {op.getValue(), op.getValueCache(), valueCache, op.getValueScale(),
         op.getMadeValueScale(), false}}) {
    bool isHalved = isInt4(getElementTypeOrSelf(cache));
    auto copy =
        isHalved ? &AppendProgram::copyHalves : &AppendProgram::copyHeads;
    (this->*copy)(sliceHeads(array, batch, token),
                  sliceHeads(bytes, page, slot), head, isRotated && mayRotate,
                  loadScale(scale, batch, head), made);
  }
}

void AppendProgram::emitLengths() {
  OpBuilder::InsertionGuard guard(b);
  if (isKnownEmpty(op.getLengths()))
    return;
  Value room = getSize(op.getKeyCache(), 2);
  if (op.getPages())
    room = b.muliOrFold(room, getSize(op.getPages(), 1));
  Value largest = b.index(std::numeric_limits<int32_t>::max());
  RankedTensorType type = tileType({rows}, b.getI32Type());
  auto emitSplat = [&](Value number) -> Value {
    number = b.indexCast(b.getI32Type(), b.minuiOrFold(number, largest));
    return b.splat(number, type);
  };
  auto grid = beginGrid({getSize(op.getLengths(), 0)});
  Value first = grid.getBody().getArgument(0);
  Value zeros = splat(type, int64_t(0));
  auto clamp = [&](Value numbers, Value upper) -> Value {
    return b.minsi(b.maxsi(numbers, zeros), upper);
  };
  Value rooms = emitSplat(room), counts = emitSplat(getSize(op.getKey(), 2));
  if (op.getCounts())
    counts = clamp(load(op.getCounts(), {rows}, first), counts);
  Value lengths = clamp(load(op.getLengths(), {rows}, first), rooms);
  counts = b.minsi(counts, b.subi(rooms, lengths));
  store(b.addi(lengths, counts), op.getLengths(), first);
}

void AppendProgram::emit() {
  emitTokens();
  emitLengths();
}

void mlir::attn::emitAppend(AppendOp op, OpBuilder &builder) {
  AppendProgram(op, builder).emit();
}
