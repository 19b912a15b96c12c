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

#include "NarrowingProgram.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;
using attn_tile::ReduceKind;

/// The number of tokens that one program reduces to a row of columns.
static constexpr int64_t kChunk = 256;
/// The number of rows of columns that are reduced at once.
static constexpr int64_t kRowsAtOnce = 16;
/// The number of elements of a tile that 128 threads can hold in registers.
static constexpr int64_t kTileElements = 8192;

namespace {

class QuantizeProgram : NarrowingProgram {
public:
  QuantizeProgram(QuantizeOp op, OpBuilder &builder);

  void emit();

private:
  /// The tokens of a program: from `first` on, of a head.
  struct Tokens {
    Value batch, head, first;
  };
  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;

  Block::BlockArgListType enterGrid(Value number = Value(), int64_t step = 1);
  std::pair<Value, Value> findRange(Value number, int64_t size);
  Value countParts(int64_t size);
  Value loadTokens(const Tokens &tokens, ColumnStep step = {});
  Value findMost(Value batch, Value head, std::pair<Value, Value> range);
  SmallVector<Value> loopOver(Value first, Value end, int64_t step,
                              ValueRange initial, LoopBody emitBody);
  Value reduceColumns(ReduceKind kind, Value tile);
  Value reduceAll(Value tile);
  Value allocatePartials();
  Value reducePartials(ReduceKind kind, Value partials, Value batch,
                       Value head);
  Value findFactors(const Tokens &tokens, ColumnStep step);
  void storeTokens(const Tokens &tokens,
                   function_ref<Value(ColumnStep)> getFactors);
  void emitSums(Value sums, Value absent);
  void emitMean();
  void emitTokens();
  void emitBlocks();
  void emitPartials(Value partials);
  void emitScales(Value partials, Value ofHeads);
  void emitArrayScale(Value ofHeads);
  void emitStores();

  int64_t padWidth(ColumnStep step) { return padColumns(headDim / step.step); }

  QuantizeOp op;
  Type stored;
  /// What is stored, or for i4 its bytes, which have two numbers each.
  Value destination;
  int64_t scaleRank, headDim, columns;
};

} // namespace

QuantizeProgram::QuantizeProgram(QuantizeOp op, OpBuilder &builder)
    : NarrowingProgram(op, builder), op(op),
      stored(getElementTypeOrSelf(op.getStored())),
      scaleRank(cast<ShapedType>(op.getScale().getType()).getRank()),
      headDim(cast<ShapedType>(op.getArray().getType()).getDimSize(3)),
      columns(padColumns(headDim)) {
  rows = 16;
  while (rows < 64 && 2 * rows * columns <= kTileElements &&
         (op.getBlock() == 1 || rows < static_cast<int64_t>(op.getBlock())))
    rows *= 2;
}

/// Creates a grid of each head's programs: one, or one for each `step` of a
/// number. Enters it.
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

/// Returns how many parts of `size` tokens the array has; the last one may be
/// shorter.
Value QuantizeProgram::countParts(int64_t size) {
  return asValue(
      apply(dim(0).ceilDiv(size), {TileProgram::getSize(op.getArray(), 2)}));
}

/// Returns the first token of a part, and the one past its last.
std::pair<Value, Value> QuantizeProgram::findRange(Value number, int64_t size) {
  Value first = b.muli(number, b.index(size));
  return {first,
          b.minui(b.addi(first, b.index(size)), getSize(op.getArray(), 2))};
}

/// Emits a loop from `first` to `end`, and returns what it carries.
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

/// Loads tokens as f32, and subtracts the mean. With all columns, elements past
/// the end of the array are 0.
Value QuantizeProgram::loadTokens(const Tokens &tokens, ColumnStep step) {
  Value array = op.getArray();
  auto [batch, head, first] = tokens;
  SmallVector<int64_t> shape = {rows, padWidth(step)};
  RankedTensorType indices = tileType(shape, b.getIndexType());
  Value tile;
  if (step.step == 1)
    tile = load(array, shape, {batch, head, first});
  else
    tile = attn_tile::GatherOp::create(
        b, tileType(shape, getElementTypeOrSelf(array)), array,
        ValueRange{batch, head, countFrom(first, indices),
                   getColumns(indices, 1, step)});
  tile = extend(tile);
  if (!op.getMean())
    return tile;
  RankedTensorType ofColumns = tileType(shape[1], b.getIndexType());
  Value mean = attn_tile::GatherOp::create(
      b, f32Tile(shape[1]), op.getMean(),
      ValueRange{batch, head, b.index(0), getColumns(ofColumns, 0, step)});
  tile = b.subf(tile, broadcast(mean, 0, shape));
  if (step.step != 1)
    return tile;
  Value isToken =
      b.slt(countFrom(first, indices), b.splat(getSize(array, 2), indices));
  Value isColumn = b.slt(b.coordinate(indices, 1), splat(indices, headDim));
  return dropOut(tile, b.andi(isToken, isColumn));
}

/// Returns a tile whose columns have the largest magnitudes of those of a range
/// of tokens.
Value QuantizeProgram::findMost(Value batch, Value head,
                                std::pair<Value, Value> range) {
  Value zeros = splat(f32Tile({rows, columns}), 0.0);
  return loopOver(range.first, range.second, rows, zeros,
                  [&](Value first, ValueRange most) -> SmallVector<Value> {
                    Value tile = loadTokens({batch, head, first});
                    return {b.maximumf(most[0], findMagnitudes(tile))};
                  })
      .front();
}

Value QuantizeProgram::reduceColumns(ReduceKind kind, Value tile) {
  int64_t width = cast<RankedTensorType>(tile.getType()).getDimSize(1);
  return b.reduce(f32Tile({width}), kind, tile, /*axis=*/0);
}

/// Returns the largest element of a tile, in an element for each row. The tile
/// that is reduced last includes the given one, so that both have one layout.
Value QuantizeProgram::reduceAll(Value tile) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  Value most = broadcast(reduceColumns(ReduceKind::MaxNum, tile), 0, shape);
  return b.reduce(f32Tile({shape[0]}), ReduceKind::MaxNum,
                  b.maximumf(tile, most), /*axis=*/1);
}

/// Allocates a row of columns for each chunk of tokens of each head.
Value QuantizeProgram::allocatePartials() {
  Value array = op.getArray();
  OpFoldResult chunks =
      apply(dim(0).ceilDiv(kChunk), {TileProgram::getSize(array, 2)});
  return allocate({TileProgram::getSize(array, 0),
                   TileProgram::getSize(array, 1), chunks,
                   b.getIndexAttr(columns)},
                  b.getF32Type());
}

/// Reduces a head's rows of columns to a tile of kRowsAtOnce rows.
Value QuantizeProgram::reducePartials(ReduceKind kind, Value partials,
                                      Value batch, Value head) {
  SmallVector<int64_t> shape = {kRowsAtOnce, columns};
  Value zeros = splat(f32Tile(shape), 0.0);
  return loopOver(b.index(0), getSize(partials, 2), kRowsAtOnce, zeros,
                  [&](Value first, ValueRange carried) -> SmallVector<Value> {
                    Value own = load(partials, shape, {batch, head, first});
                    return {kind == ReduceKind::Add
                                ? b.addf(carried[0], own)
                                : b.maximumf(carried[0], own)};
                  })
      .front();
}

/// Emits the grid that sums the finite elements of each chunk's tokens, and
/// counts the others.
void QuantizeProgram::emitSums(Value sums, Value absent) {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(countParts(kChunk));
  Value batch = program[0], head = program[1], chunk = program[2];
  auto [begin, end] = findRange(chunk, kChunk);
  RankedTensorType type = f32Tile({rows, columns});
  Value zeros = splat(type, 0.0), ones = splat(type, 1.0);
  Value infinity = splat(type, std::numeric_limits<double>::infinity());
  SmallVector<Value> found = loopOver(
      begin, end, rows, {zeros, zeros},
      [&](Value first, ValueRange carried) -> SmallVector<Value> {
        Value tile =
            extend(load(op.getArray(), type.getShape(), {batch, head, first}));
        Value isFinite = b.olt(b.absf(tile), infinity);
        return {b.addf(carried[0], b.select(isFinite, tile, zeros)),
                b.addf(carried[1], b.select(isFinite, zeros, ones))};
      });
  for (auto [numbers, to] : {std::pair(found[0], sums), {found[1], absent}})
    storeColumns(reduceColumns(ReduceKind::Add, numbers), to,
                 {batch, head, chunk});
}

/// Emits the grids that find the mean.
void QuantizeProgram::emitMean() {
  Value sums = allocatePartials(), absent = allocatePartials();
  emitSums(sums, absent);
  {
    OpBuilder::InsertionGuard guard(b);
    auto program = enterGrid();
    Value batch = program[0], head = program[1];
    RankedTensorType type = f32Tile({columns});
    auto add = [&](Value rows) {
      return reduceColumns(ReduceKind::Add,
                           reducePartials(ReduceKind::Add, rows, batch, head));
    };
    Value sum = add(sums), others = add(absent);
    Value length =
        b.uitofp(b.getF32Type(),
                 b.indexCastUI(b.getI32Type(), getSize(op.getArray(), 2)));
    Value count = b.subf(b.splat(length, type), others);
    Value mean = b.divf(sum, b.maximumf(count, splat(type, 1.0)));
    storeColumns(mean, op.getMean(), {batch, head, b.index(0)});
  }
  memref::DeallocOp::create(b, sums);
  memref::DeallocOp::create(b, absent);
}

/// Returns a tile of the scales that tokens are divided by.
Value QuantizeProgram::findFactors(const Tokens &tokens, ColumnStep step) {
  Value scale = op.getScale();
  auto type = cast<MemRefType>(scale.getType());
  SmallVector<int64_t> shape = {rows, padWidth(step)};
  bool isOfColumns = scaleRank == 4;
  RankedTensorType indices = tileType(shape[isOfColumns], b.getIndexType());
  SmallVector<Value> place;
  if (scaleRank > 0)
    place = {tokens.batch, tokens.head};
  if (scaleRank == 3)
    place.push_back(
        b.divui(countFrom(tokens.first, indices),
                splat(indices, static_cast<int64_t>(op.getBlock()))));
  else if (isOfColumns)
    place.append({b.index(0), getColumns(indices, 0, step)});
  for (auto [dim, index] : llvm::enumerate(place))
    if (type.getDimSize(dim) == 1)
      index = b.index(0);
  bool isVector =
      !place.empty() && isa<RankedTensorType>(place.back().getType());
  RankedTensorType numbers = f32Tile(indices.getShape());
  Value factors;
  if (isVector)
    factors = attn_tile::GatherOp::create(b, numbers, scale, place);
  else
    factors = b.splat(
        attn_tile::GatherOp::create(b, b.getF32Type(), scale, place), numbers);
  return broadcast(factors, isOfColumns ? 0 : 1, shape);
}

/// Divides tokens by their factors and stores them.
void QuantizeProgram::storeTokens(const Tokens &tokens,
                                  function_ref<Value(ColumnStep)> getFactors) {
  auto getNumbers = [&](ColumnStep step) -> Value {
    return narrow(b.divf(loadTokens(tokens, step), getFactors(step)), stored);
  };
  Value numbers = isInt4(stored)
                      ? packHalves(getNumbers({0, 2}), getNumbers({1, 2}))
                      : getNumbers({});
  store(numbers, destination, {tokens.batch, tokens.head, tokens.first});
}

/// Emits the grid that finds the scale of each token, and stores them.
void QuantizeProgram::emitTokens() {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(getSize(op.getArray(), 2), rows);
  Tokens tokens = {program[0], program[1], program[2]};
  Value most = b.reduce(f32Tile({rows}), ReduceKind::MaxNum,
                        findMagnitudes(loadTokens(tokens)), /*axis=*/1);
  Value scales = findScales(most, stored);
  store(scales, op.getScale(), program);
  storeTokens(tokens, [&](ColumnStep step) {
    return broadcast(scales, 1, {rows, padWidth(step)});
  });
}

/// Emits the grid whose programs find the scale of a block of tokens, and store
/// the block.
void QuantizeProgram::emitBlocks() {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(countParts(op.getBlock()));
  Value batch = program[0], head = program[1];
  std::pair<Value, Value> range = findRange(program[2], op.getBlock());
  Value scale = findScales(reduceAll(findMost(batch, head, range)), stored);
  storeFirst(scale, op.getScale(), {batch, head, program[2]});
  loopOver(range.first, range.second, rows, {},
           [&](Value first, ValueRange) -> SmallVector<Value> {
             storeTokens({batch, head, first}, [&](ColumnStep step) {
               return broadcast(scale, 1, {rows, padWidth(step)});
             });
             return {};
           });
}

/// Emits the grid that finds the largest magnitudes of each chunk's columns.
void QuantizeProgram::emitPartials(Value partials) {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(countParts(kChunk));
  Value batch = program[0], head = program[1], chunk = program[2];
  Value most = findMost(batch, head, findRange(chunk, kChunk));
  storeColumns(reduceColumns(ReduceKind::MaxNum, most), partials,
               {batch, head, chunk});
}

/// Emits the grid that finds the scales of heads or channels, or the largest
/// magnitude of each head.
void QuantizeProgram::emitScales(Value partials, Value ofHeads) {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid();
  Value batch = program[0], head = program[1];
  Value most = reducePartials(ReduceKind::MaxNum, partials, batch, head);
  if (scaleRank == 4)
    return storeColumns(
        findScales(reduceColumns(ReduceKind::MaxNum, most), stored),
        op.getScale(), {batch, head, b.index(0)});
  Value largest = reduceAll(most);
  if (ofHeads)
    storeFirst(largest, ofHeads, {batch, head});
  else
    storeFirst(findScales(largest, stored), op.getScale(), {batch, head});
}

/// Emits the program that finds the scale of the array.
void QuantizeProgram::emitArrayScale(Value ofHeads) {
  OpBuilder::InsertionGuard guard(b);
  (void)enter(createGridOf(op, b.index(1), {1}, op.getScheduleAttr()));
  Value zeros = splat(f32Tile({kRowsAtOnce}), 0.0);
  SmallVector<Value> most =
      loopOver(b.index(0), getSize(ofHeads, 0), 1, zeros,
               [&](Value batch, ValueRange carried) {
                 return loopOver(
                     b.index(0), getSize(ofHeads, 1), kRowsAtOnce, carried,
                     [&](Value head, ValueRange own) -> SmallVector<Value> {
                       Value next = load(ofHeads, {kRowsAtOnce}, {batch, head});
                       return {b.maximumf(own[0], next)};
                     });
               });
  Value largest =
      reduceAll(broadcast(most[0], 1, {kRowsAtOnce, padColumns(1)}));
  storeFirst(findScales(largest, stored), op.getScale(), {});
}

/// Emits the grid that stores all tokens, with scales that memory has.
void QuantizeProgram::emitStores() {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(getSize(op.getArray(), 2), rows);
  Tokens tokens = {program[0], program[1], program[2]};
  storeTokens(tokens,
              [&](ColumnStep step) { return findFactors(tokens, step); });
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
    ofHeads = allocate({TileProgram::getSize(op.getArray(), 0),
                        TileProgram::getSize(op.getArray(), 1)},
                       b.getF32Type());
  emitPartials(partials);
  emitScales(partials, ofHeads);
  memref::DeallocOp::create(b, partials);
  if (ofHeads) {
    emitArrayScale(ofHeads);
    memref::DeallocOp::create(b, ofHeads);
  }
  emitStores();
}

void mlir::attn::emitQuantize(QuantizeOp op, OpBuilder &builder) {
  QuantizeProgram(op, builder).emit();
}
