//===- QuantizeProgram.cpp - Stored arrays as tile programs ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A program finds the scale of each of its tokens, or of a block of tokens, and
// stores these tokens. Scales of heads, of channels and of the array take three
// grids: one that reduces each kChunk tokens to one row of columns, one that
// reduces these rows to scales, and one that stores. Two further grids find the
// mean in the same way.
//
// Reductions yield vectors, so a number that is for a whole tile is a vector of
// equal elements.
//
//===----------------------------------------------------------------------===//

#include "QuantizeProgram.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;
using attn_tile::ReduceKind;

/// The largest number of rows of a tile, and of bits of a tile's row: then 128
/// threads can hold two tiles, and their elements in f32, in registers. Wider
/// rows are divided into several tiles.
static constexpr int64_t kMostRows = 64, kMostBits = 2048;

QuantizeProgram::QuantizeProgram(QuantizeOp op, OpBuilder &builder)
    : NarrowingProgram(op, builder), op(op),
      stored(getElementTypeOrSelf(op.getStored())),
      scaleRank(cast<ShapedType>(op.getScale().getType()).getRank()),
      headDim(cast<ShapedType>(op.getArray().getType()).getDimSize(3)),
      columns(std::min<int64_t>(
          padColumns(headDim),
          kMostBits /
              getElementTypeOrSelf(op.getArray()).getIntOrFloatBitWidth())) {
  int64_t block = op.getBlock();
  rows = block == 1 ? kMostRows : std::min(kMostRows, block);
}

/// Creates a grid over batch entries and heads and moves the builder into it.
/// With `number`, the grid has a third dimension of size `number` and step
/// `step`; otherwise it has one program for each head.
Block::BlockArgListType QuantizeProgram::enterGrid(Value number, int64_t step) {
  SmallVector<Value> sizes = {getSize(op.getArray(), 0),
                              getSize(op.getArray(), 1)};
  SmallVector<int64_t> steps = {1, 1};
  if (number) {
    sizes.push_back(number);
    steps.push_back(step);
  }
  return enter(createGridOf(op, sizes, steps, op.getScheduleAttr()));
}

/// Returns the number of parts of `size` tokens that the array has; the last
/// part may be shorter.
Value QuantizeProgram::countParts(int64_t size) {
  return asValue(
      apply(dim(0).ceilDiv(size), {TileBuilder::getSize(op.getArray(), 2)}));
}

/// Returns the first token (inclusive) and the end (exclusive) of the part with
/// index `number`. Parts have `size` tokens; the end is at most the array's
/// number of tokens.
std::pair<Value, Value> QuantizeProgram::findRange(Value number, int64_t size) {
  Value first = b.muli(number, b.index(size));
  return {first,
          b.minui(b.addi(first, b.index(size)), getSize(op.getArray(), 2))};
}

/// Emits a loop from `first` to `end` by `step` and returns its results. Its
/// body yields what `emitBody` returns for the induction variable and the
/// carried values.
SmallVector<Value> QuantizeProgram::loopOver(Value first, Value end,
                                             int64_t step, ValueRange initial,
                                             LoopBody emitBody) {
  auto loop = scf::ForOp::create(b, first, end, b.index(step), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      emitBody(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(b, next);
  return loop.getResults();
}

/// Calls `emitBody` with the first column of each tile. If a tile has all
/// columns of a row, this is one call with column 0, whose results are
/// returned. Else it is a call in an emitted loop over columns, whose results
/// are returned.
SmallVector<Value> QuantizeProgram::overColumns(ValueRange initial,
                                                LoopBody emitBody) {
  if (headDim <= columns)
    return emitBody(b.index(0), initial);
  return loopOver(b.index(0), b.index(headDim), columns, initial, emitBody);
}

/// Returns, for each element of a vector or tile of type `type`, the column of
/// the array to which its index along `axis` corresponds.
Value QuantizeProgram::findColumns(const Place &place, RankedTensorType type,
                                   int64_t axis, ColumnStep step) {
  return b.addi(getColumns(type, axis, step), b.splat(place.column, type));
}

/// Loads a tile of tokens, extends it to f32 and subtracts the mean, if the op
/// computes a mean. If the tile has consecutive columns (step 1), elements past
/// the end of the array are 0; if it has every second column, they are
/// arbitrary.
Value QuantizeProgram::loadTokens(const Place &place, ColumnStep step) {
  Value array = op.getArray();
  SmallVector<int64_t> shape = {rows, padWidth(step)};
  RankedTensorType indices = tileType(shape, b.getIndexType());
  Value tile;
  if (step.step == 1)
    tile = load(array, shape,
                {place.batch, place.head, place.first, place.column});
  else
    tile = attn_tile::GatherOp::create(
        b, tileType(shape, getElementTypeOrSelf(array)), array,
        ValueRange{place.batch, place.head, countFrom(place.first, indices),
                   findColumns(place, indices, 1, step)});
  tile = extend(tile);
  if (!op.getMean())
    return tile;
  RankedTensorType ofColumns = tileType(shape[1], b.getIndexType());
  Value mean = attn_tile::GatherOp::create(
      b, f32Tile(shape[1]), op.getMean(),
      ValueRange{place.batch, place.head, b.index(0),
                 findColumns(place, ofColumns, 0, step)});
  tile = b.subf(tile, broadcast(mean, 0, shape));
  if (step.step != 1)
    return tile;
  Value isToken = b.slt(countFrom(place.first, indices),
                        b.splat(getSize(array, 2), indices));
  Value isColumn =
      b.slt(findColumns(place, indices, 1, step), splat(indices, headDim));
  return dropOut(tile, b.andi(isToken, isColumn));
}

/// Returns the elementwise maximum of the tile `initial` and the magnitudes of
/// all tiles of tokens from token `place.first` (inclusive) to `end`
/// (exclusive).
Value QuantizeProgram::findMost(const Place &place, Value end, Value initial) {
  return loopOver(place.first, end, rows, initial,
                  [&](Value first, ValueRange most) -> SmallVector<Value> {
                    Value tile = loadTokens(
                        {place.batch, place.head, first, place.column});
                    return {b.maximumf(most[0], findMagnitudes(tile))};
                  })
      .front();
}

Value QuantizeProgram::reduceColumns(ReduceKind kind, Value tile) {
  int64_t width = cast<RankedTensorType>(tile.getType()).getDimSize(1);
  return b.reduce(f32Tile({width}), kind, tile, /*axis=*/0);
}

/// Returns a vector, with an element for each row, that repeats the largest
/// element of the tile. The maxima of the columns are broadcast to a tile,
/// combined with the given tile and reduced along rows, so that the vector
/// follows from the layout of the given tile alone.
Value QuantizeProgram::reduceAll(Value tile) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  Value most = broadcast(reduceColumns(ReduceKind::MaxNum, tile), 0, shape);
  return b.reduce(f32Tile({shape[0]}), ReduceKind::MaxNum,
                  b.maximumf(tile, most), /*axis=*/1);
}

/// Returns a tile of the scales by which the tokens of a tile are divided, read
/// from memory.
Value QuantizeProgram::findFactors(const Place &place, ColumnStep step) {
  Value scale = op.getScale();
  auto type = cast<MemRefType>(scale.getType());
  SmallVector<int64_t> shape = {rows, padWidth(step)};
  bool isOfColumns = scaleRank == 4;
  RankedTensorType indices = tileType(shape[isOfColumns], b.getIndexType());
  SmallVector<Value> where;
  if (scaleRank > 0)
    where = {place.batch, place.head};
  if (scaleRank == 3)
    where.push_back(
        b.divui(countFrom(place.first, indices),
                splat(indices, static_cast<int64_t>(op.getBlock()))));
  else if (isOfColumns)
    where.append({b.index(0), findColumns(place, indices, 0, step)});
  for (auto [dim, index] : llvm::enumerate(where))
    if (type.getDimSize(dim) == 1)
      index = b.index(0);
  bool isVector =
      !where.empty() && isa<RankedTensorType>(where.back().getType());
  RankedTensorType numbers = f32Tile(indices.getShape());
  Value factors;
  if (isVector)
    factors = attn_tile::GatherOp::create(b, numbers, scale, where);
  else
    factors = b.splat(
        attn_tile::GatherOp::create(b, b.getF32Type(), scale, where), numbers);
  return broadcast(factors, isOfColumns ? 0 : 1, shape);
}

/// Divides a tile of tokens by the scales that `getFactors` returns, rounds it
/// to the stored type and stores it.
void QuantizeProgram::storeTokens(const Place &place,
                                  function_ref<Value(ColumnStep)> getFactors) {
  auto getNumbers = [&](ColumnStep step) -> Value {
    return narrow(b.divf(loadTokens(place, step), getFactors(step)), stored);
  };
  Value numbers, column = place.column;
  if (isInt4(stored)) {
    numbers = packHalves(getNumbers({0, 2}), getNumbers({1, 2}));
    column = b.divuiOrFold(column, b.index(2));
  } else {
    numbers = getNumbers({});
  }
  store(numbers, destination, {place.batch, place.head, place.first, column});
}

/// Stores all columns of a tile's tokens, divided by `scales`, a vector with
/// one scale for each row.
void QuantizeProgram::storeRows(const Place &place, Value scales) {
  overColumns({}, [&](Value column, ValueRange) -> SmallVector<Value> {
    storeTokens({place.batch, place.head, place.first, column},
                [&](ColumnStep step) {
                  return broadcast(scales, 1, {rows, padWidth(step)});
                });
    return {};
  });
}

/// Emits the grid that computes the scale of each token, and stores the scales
/// and the quantized tokens.
void QuantizeProgram::emitTokens() {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(getSize(op.getArray(), 2), rows);
  Place place = {program[0], program[1], program[2], Value()};
  SmallVector<Value> sizes = overColumns(
      zeros(rows), [&](Value column, ValueRange most) -> SmallVector<Value> {
        place.column = column;
        return {b.maximumf(most[0], findMagnitudes(loadTokens(place)))};
      });
  Value most =
      b.reduce(f32Tile({rows}), ReduceKind::MaxNum, sizes[0], /*axis=*/1);
  Value scales = findScales(most, stored);
  store(scales, op.getScale(), program);
  storeRows(place, scales);
}

/// Emits the grid whose programs compute the scale of a block of tokens, and
/// store the scale and the quantized tokens of the block.
void QuantizeProgram::emitBlocks() {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(countParts(op.getBlock()));
  Value batch = program[0], head = program[1], number = program[2];
  std::pair<Value, Value> range = findRange(number, op.getBlock());
  SmallVector<Value> most = overColumns(
      zeros(rows), [&](Value column, ValueRange carried) -> SmallVector<Value> {
        return {findMost({batch, head, range.first, column}, range.second,
                         carried[0])};
      });
  Value scale = findScales(reduceAll(most[0]), stored);
  storeFirst(scale, op.getScale(), {batch, head, number});
  loopOver(range.first, range.second, rows, {},
           [&](Value first, ValueRange) -> SmallVector<Value> {
             storeRows({batch, head, first, Value()}, scale);
             return {};
           });
}

/// Emits the grid that divides all tokens by scales in memory, which are either
/// given or written by earlier grids, and stores the quantized tokens.
void QuantizeProgram::emitStores() {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(getSize(op.getArray(), 2), rows);
  Place place = {program[0], program[1], program[2], Value()};
  overColumns({}, [&](Value column, ValueRange) -> SmallVector<Value> {
    place.column = column;
    storeTokens(place,
                [&](ColumnStep step) { return findFactors(place, step); });
    return {};
  });
}

void QuantizeProgram::emit() {
  destination = op.getStored();
  if (isInt4(stored))
    destination = attn_tile::BytesOp::create(b, destination);
  if (op.getMean())
    emitMean();
  if (op.getGivenScale())
    return emitStores();
  if (scaleRank == 3)
    return op.getBlock() == 1 ? emitTokens() : emitBlocks();
  Value partials = allocatePartials(), ofHeads;
  if (scaleRank == 0)
    ofHeads = allocate({TileBuilder::getSize(op.getArray(), 0),
                        TileBuilder::getSize(op.getArray(), 1)},
                       b.getF32Type());
  emitPartials(partials);
  emitScales(partials, ofHeads);
  if (ofHeads)
    emitArrayScale(ofHeads);
  emitStores();
}

void mlir::attn::emitQuantize(QuantizeOp op, OpBuilder &builder) {
  QuantizeProgram(op, builder).emit();
}
