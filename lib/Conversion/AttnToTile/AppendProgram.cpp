//===- AppendProgram.cpp - Tokens for a cache as tile programs ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A program has the heads of one token as the rows of its tiles: where they go
// is then one place, and each tile is loaded and stored at once. The lengths
// change in a second grid, which runs when all programs have read them.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

namespace {

class AppendProgram : RowProgram {
public:
  AppendProgram(AppendOp op, OpBuilder &builder)
      : RowProgram(op, builder), op(op) {}

  void emit();

private:
  using P = arith::CmpIPredicate;

  void emitTokens();
  void emitLengths();
  void findPlace(Value batch, Value token);
  Value readNumber(Value array, ValueRange place);
  Value sliceHeads(Value array, Value outer, Value inner);
  void copyHeads(Value from, Value to, Value head, bool isRotated);
  Value rotate(Value tile, Value heads, Value head);
  /// Of columns, a tile's or a vector's: the angle of its pair, whether it is
  /// the first of it, and the other one of it.
  struct Pair {
    Value angle, isFirst, other;
  };
  Pair findPair(Value column);

  Value compare(P predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  }
  Value both(Value lhs, Value rhs) {
    return lhs ? arith::AndIOp::create(b, lhs, rhs).getResult() : rhs;
  }

  AppendOp op;
  /// Of a program's token: its position, the page, or else the batch entry, and
  /// where it is in there, and whether it has a place.
  Value position, page, slot, isKept;
};

} // namespace

static bool isEmpty(Value array) {
  return llvm::is_contained(cast<ShapedType>(array.getType()).getShape(), 0);
}

Value AppendProgram::readNumber(Value array, ValueRange place) {
  Value number = attn_tile::GatherOp::create(b, b.getI32Type(), array, place);
  return arith::IndexCastOp::create(b, b.getIndexType(), number);
}

void AppendProgram::findPlace(Value batch, Value token) {
  Value zero = index(0);
  Value length =
      arith::MaxSIOp::create(b, readNumber(op.getLengths(), batch), zero);
  position = arith::AddIOp::create(b, length, token);
  isKept = Value();
  if (op.getCounts())
    isKept = compare(P::slt, token, readNumber(op.getCounts(), batch));
  Value cache = op.getKeyCache();
  if (!op.getPages()) {
    page = batch;
    slot = position;
    isKept = both(isKept, compare(P::slt, position, getSize(cache, 2)));
    return;
  }
  // A page of no positions has none to divide by, and a table of no use.
  Value size = b.createOrFold<arith::MaxUIOp>(getSize(cache, 2), index(1));
  Value column = arith::DivUIOp::create(b, position, size);
  slot = arith::SubIOp::create(b, position,
                               arith::MulIOp::create(b, column, size));
  page = readNumber(op.getPages(), {batch, column});
  isKept = both(isKept, compare(P::slt, slot, getSize(cache, 2)));
  isKept = both(isKept, compare(P::slt, column, getSize(op.getPages(), 1)));
  isKept = both(isKept, compare(P::sge, page, zero));
  isKept = both(isKept, compare(P::slt, page, getSize(cache, 0)));
}

/// array[outer, :, inner, :]
Value AppendProgram::sliceHeads(Value array, Value outer, Value inner) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  OpFoldResult zero = b.getIndexAttr(0);
  SmallVector<OpFoldResult> offsets = {outer, zero, inner, zero};
  sizes[0] = sizes[2] = b.getIndexAttr(1);
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      {type.getDimSize(1), type.getDimSize(3)}, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, reduced, array, offsets, sizes, strides);
}

AppendProgram::Pair AppendProgram::findPair(Value column) {
  auto type = cast<RankedTensorType>(column.getType());
  int64_t half = cast<ShapedType>(op.getCos().getType()).getDimSize(1);
  auto number = [&](int64_t value) { return splat(type, value); };
  if (op.getInterleaved()) {
    Value isSecond = arith::AndIOp::create(b, column, number(1));
    return {arith::ShRUIOp::create(b, column, number(1)),
            compare(P::eq, isSecond, number(0)),
            arith::XOrIOp::create(b, column, number(1))};
  }
  Value isFirst = compare(P::slt, column, number(half));
  Value before = arith::SubIOp::create(b, column, number(half));
  Value behind = arith::AddIOp::create(b, column, number(half));
  return {arith::SelectOp::create(b, isFirst, column, before), isFirst,
          arith::SelectOp::create(b, isFirst, behind, before)};
}

/// The heads of a tile, turned by the angles of the program's position. What is
/// read beyond the pairs is not used.
Value AppendProgram::rotate(Value tile, Value heads, Value head) {
  auto type = cast<RankedTensorType>(tile.getType());
  ArrayRef<int64_t> shape = type.getShape();
  RankedTensorType ofColumns = tileType(shape[1], b.getIndexType());
  RankedTensorType ofElements = tileType(shape, b.getIndexType());
  Pair pair = findPair(attn_tile::CoordinateOp::create(b, ofColumns, 0));
  auto readAngles = [&](Value table) {
    Type element = getElementTypeOrSelf(table);
    return extend(
        attn_tile::GatherOp::create(b, tileType(shape[1], element), table,
                                    ValueRange{position, pair.angle}));
  };
  Value cos = readAngles(op.getCos()), sin = readAngles(op.getSin());
  sin = arith::SelectOp::create(b, pair.isFirst, arith::NegFOp::create(b, sin),
                                sin);

  Value column = attn_tile::CoordinateOp::create(b, ofElements, 1);
  Value row = arith::AddIOp::create(
      b, attn_tile::CoordinateOp::create(b, ofElements, 0),
      tensor::SplatOp::create(b, head, ofElements));
  Value other = attn_tile::GatherOp::create(
      b, type, heads, ValueRange{row, findPair(column).other});
  Value own = arith::MulFOp::create(b, extend(tile), broadcast(cos, 0, shape));
  Value turned =
      arith::MulFOp::create(b, extend(other), broadcast(sin, 0, shape));
  Value sum =
      round(arith::AddFOp::create(b, own, turned), type.getElementType());
  int64_t width = 2 * cast<ShapedType>(op.getCos().getType()).getDimSize(1);
  if (width == cast<ShapedType>(heads.getType()).getDimSize(1))
    return sum;
  Value isTurned = compare(P::slt, column, splat(ofElements, width));
  return arith::SelectOp::create(b, isTurned, sum, tile);
}

void AppendProgram::copyHeads(Value from, Value to, Value head,
                              bool isRotated) {
  int64_t columns = padColumns(cast<ShapedType>(from.getType()).getDimSize(1));
  Value zero = index(0);
  Value tile = load(from, {rows, columns}, {head, zero});
  if (isRotated)
    tile = rotate(tile, from, head);
  attn_tile::StoreOp::create(b, tile, to, ValueRange{head, zero});
}

void AppendProgram::emitTokens() {
  OpBuilder::InsertionGuard guard(b);
  Value key = op.getKey(), query = op.getQuery();
  bool hasKeys = !isEmpty(key) && !isEmpty(op.getKeyCache());
  bool hasQuery = query && !isEmpty(query);
  if (!hasKeys && !hasQuery)
    return;
  Value heads = hasKeys ? getSize(key, 1) : getSize(query, 1);
  if (hasKeys && hasQuery)
    heads = b.createOrFold<arith::MaxUIOp>(heads, getSize(query, 1));
  auto grid = beginGrid({getSize(key, 0), getSize(key, 2), heads});
  Value batch = grid.getBody().getArgument(0);
  Value token = grid.getBody().getArgument(1);
  Value head = grid.getBody().getArgument(2);
  findPlace(batch, token);
  bool isRotated = bool(op.getCos());
  if (hasQuery)
    copyHeads(sliceHeads(query, batch, token),
              sliceHeads(op.getQueryOut(), batch, token), head, isRotated);
  if (!hasKeys)
    return;
  if (hasQuery)
    isKept = both(isKept, compare(P::slt, head, getSize(key, 1)));
  auto keep = scf::IfOp::create(b, isKept, /*withElseRegion=*/false);
  b.setInsertionPointToStart(keep.thenBlock());
  for (auto [array, cache] :
       {std::pair(key, op.getKeyCache()), {op.getValue(), op.getValueCache()}})
    copyHeads(sliceHeads(array, batch, token), sliceHeads(cache, page, slot),
              head, isRotated && array == key);
}

void AppendProgram::emitLengths() {
  OpBuilder::InsertionGuard guard(b);
  if (isEmpty(op.getLengths()))
    return;
  Value room = getSize(op.getKeyCache(), 2);
  if (op.getPages())
    room = b.createOrFold<arith::MulIOp>(room, getSize(op.getPages(), 1));
  Value largest = index(std::numeric_limits<int32_t>::max());
  RankedTensorType type = tileType({rows}, b.getI32Type());
  auto emitSplat = [&](Value number) -> Value {
    number = arith::IndexCastOp::create(
        b, b.getI32Type(), b.createOrFold<arith::MinUIOp>(number, largest));
    return tensor::SplatOp::create(b, number, type);
  };
  auto grid = beginGrid({getSize(op.getLengths(), 0)});
  Value first = grid.getBody().getArgument(0);
  Value zeros = splat(type, int64_t(0));
  auto clamp = [&](Value numbers, Value upper) -> Value {
    return arith::MinSIOp::create(b, arith::MaxSIOp::create(b, numbers, zeros),
                                  upper);
  };
  Value rooms = emitSplat(room), counts = emitSplat(getSize(op.getKey(), 2));
  if (op.getCounts())
    counts = clamp(load(op.getCounts(), {rows}, first), counts);
  Value lengths = clamp(load(op.getLengths(), {rows}, first), rooms);
  counts = arith::MinSIOp::create(b, counts,
                                  arith::SubIOp::create(b, rooms, lengths));
  attn_tile::StoreOp::create(b, arith::AddIOp::create(b, lengths, counts),
                             op.getLengths(), first);
}

void AppendProgram::emit() {
  emitTokens();
  emitLengths();
}

void mlir::attn::emitAppend(AppendOp op, OpBuilder &builder) {
  AppendProgram(op, builder).emit();
}
