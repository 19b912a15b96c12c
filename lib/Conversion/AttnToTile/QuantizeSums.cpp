//===- QuantizeSums.cpp - Means and scales of heads and channels ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizeProgram.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;
using attn_tile::ReduceKind;

/// The number of tokens whose rows one program of the grid (a CTA) adds up to
/// one row, which is a partial result for all tokens of a head.
static constexpr int64_t kChunk = 256;
/// The number of rows of partial results that one iteration of a reduction
/// takes.
static constexpr int64_t kRowsAtOnce = 16;

/// Allocates memory for the partial results: a row with an element for each
/// column, for each chunk of kChunk tokens of each head.
Value QuantizeProgram::allocatePartials() {
  Value array = op.getArray();
  OpFoldResult chunks =
      apply(dim(0).ceilDiv(kChunk), {TileBuilder::getSize(array, 2)});
  return allocate({TileBuilder::getSize(array, 0),
                   TileBuilder::getSize(array, 1), chunks,
                   b.getIndexAttr(headDim)},
                  b.getF32Type());
}

/// Returns the elementwise sum or maximum (`kind`) of `initial`, a tile with
/// kRowsAtOnce rows, and of all such tiles of a head's partial results.
Value QuantizeProgram::reducePartials(ReduceKind kind, Value partials,
                                      const Place &place, Value initial) {
  SmallVector<int64_t> shape = {kRowsAtOnce, columns};
  return loopOver(
             b.index(0), getSize(partials, 2), kRowsAtOnce, initial,
             [&](Value first, ValueRange carried) -> SmallVector<Value> {
               Value own = load(partials, shape,
                                {place.batch, place.head, first, place.column});
               return {kind == ReduceKind::Add ? b.addf(carried[0], own)
                                               : b.maximumf(carried[0], own)};
             })
      .front();
}

/// Emits the grid that, for each column of each chunk of tokens, stores the sum
/// of the finite elements to `sums` and the number of other elements to
/// `absent`.
void QuantizeProgram::emitSums(Value sums, Value absent) {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(countParts(kChunk));
  Value batch = program[0], head = program[1], chunk = program[2];
  std::pair<Value, Value> range = findRange(chunk, kChunk);
  // The loop over tokens carries two tiles, one of sums and one of counts. To
  // hold both in registers, each has at most 32 rows.
  int64_t height = std::min<int64_t>(rows, 32);
  RankedTensorType type = f32Tile({height, columns});
  Value none = splat(type, 0.0), ones = splat(type, 1.0);
  Value infinity = splat(type, std::numeric_limits<double>::infinity());
  overColumns({}, [&](Value column, ValueRange) -> SmallVector<Value> {
    SmallVector<Value> found =
        loopOver(range.first, range.second, height, {none, none},
                 [&](Value first, ValueRange carried) -> SmallVector<Value> {
                   Value tile = extend(load(op.getArray(), type.getShape(),
                                            {batch, head, first, column}));
                   Value isFinite = b.olt(b.absf(tile), infinity);
                   return {b.addf(carried[0], b.select(isFinite, tile, none)),
                           b.addf(carried[1], b.select(isFinite, none, ones))};
                 });
    for (auto [numbers, to] : {std::pair(found[0], sums), {found[1], absent}})
      storeColumns(reduceColumns(ReduceKind::Add, numbers), to,
                   {batch, head, chunk}, column);
    return {};
  });
}

/// Emits the grids that compute and store the mean of each column of each head
/// over its finite elements.
void QuantizeProgram::emitMean() {
  Value sums = allocatePartials(), absent = allocatePartials();
  emitSums(sums, absent);
  {
    OpBuilder::InsertionGuard guard(b);
    auto program = enterGrid();
    Value batch = program[0], head = program[1];
    RankedTensorType type = f32Tile({columns});
    Value length =
        b.uitofp(b.getF32Type(),
                 b.indexCastUI(b.getI32Type(), getSize(op.getArray(), 2)));
    overColumns({}, [&](Value column, ValueRange) -> SmallVector<Value> {
      auto add = [&](Value partials) {
        return reduceColumns(ReduceKind::Add,
                             reducePartials(ReduceKind::Add, partials,
                                            {batch, head, Value(), column},
                                            zeros(kRowsAtOnce)));
      };
      Value sum = add(sums);
      Value count = b.subf(b.splat(length, type), add(absent));
      Value mean = b.divf(sum, b.maximumf(count, splat(type, 1.0)));
      storeColumns(mean, op.getMean(), {batch, head, b.index(0)}, column);
      return {};
    });
  }
}

/// Emits the grid that stores, for each chunk of tokens, the largest magnitude
/// of each column to `partials`.
void QuantizeProgram::emitPartials(Value partials) {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid(countParts(kChunk));
  Value batch = program[0], head = program[1], chunk = program[2];
  std::pair<Value, Value> range = findRange(chunk, kChunk);
  overColumns({}, [&](Value column, ValueRange) -> SmallVector<Value> {
    Value most =
        findMost({batch, head, range.first, column}, range.second, zeros(rows));
    storeColumns(reduceColumns(ReduceKind::MaxNum, most), partials,
                 {batch, head, chunk}, column);
    return {};
  });
}

/// Emits the grid that reduces `partials`. It stores the scale of each channel
/// or head or, if the whole array has one scale, the largest magnitude of each
/// head to `ofHeads`.
void QuantizeProgram::emitScales(Value partials, Value ofHeads) {
  OpBuilder::InsertionGuard guard(b);
  auto program = enterGrid();
  Value batch = program[0], head = program[1];
  auto reduce = [&](Value column, Value initial) {
    return reducePartials(ReduceKind::MaxNum, partials,
                          {batch, head, Value(), column}, initial);
  };
  if (scaleRank == 4) {
    overColumns({}, [&](Value column, ValueRange) -> SmallVector<Value> {
      Value most =
          reduceColumns(ReduceKind::MaxNum, reduce(column, zeros(kRowsAtOnce)));
      storeColumns(findScales(most, stored), op.getScale(),
                   {batch, head, b.index(0)}, column);
      return {};
    });
    return;
  }
  SmallVector<Value> most =
      overColumns(zeros(kRowsAtOnce),
                  [&](Value column, ValueRange carried) -> SmallVector<Value> {
                    return {reduce(column, carried[0])};
                  });
  // Without tokens the tile is a constant after folding, which has no layout
  // from which reduceAll() could derive that of the vector.
  Value largest = isKnownEmpty(op.getArray())
                      ? splat(f32Tile({kRowsAtOnce}), 0.0)
                      : reduceAll(most[0]);
  if (ofHeads)
    storeFirst(largest, ofHeads, {batch, head});
  else
    storeFirst(findScales(largest, stored), op.getScale(), {batch, head});
}

/// Emits the program that computes and stores the scale of the whole array,
/// from `ofHeads`, the largest magnitude of each head.
void QuantizeProgram::emitArrayScale(Value ofHeads) {
  OpBuilder::InsertionGuard guard(b);
  (void)enter(createGridOf(op, b.index(1), {1}, op.getScheduleAttr()));
  Value none = splat(f32Tile({kRowsAtOnce}), 0.0);
  SmallVector<Value> most =
      loopOver(b.index(0), getSize(ofHeads, 0), 1, none,
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
