//===- PackedTiles.cpp - Tiles of packed sequences --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number and the positions of the tiles of packed sequences are known only
// when the program runs. One grid, with a program for each sequence, writes a
// list of all tiles; another grid has a program for each listed tile and head,
// or for each group of heads if a tile has rows of several (SplitRows.cpp). The
// list orders sequences by their lengths, so that the tiles that take longest
// can be started first.
//
// The parts of the arrays before the first sequence and past the last one count
// as two more sequences; these have no keys, or no rows if the tiles are of
// keys.
//
//===----------------------------------------------------------------------===//

#include "PackedTiles.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;

/// The number of list entries that a program writes per iteration, as one
/// vector.
static constexpr int64_t kVector = 32;

namespace {
/// Emits parts of the program that lists the tiles of one packed sequence.
class SequenceProgram {
public:
  SequenceProgram(TileBuilder &b, OperandRange packed, Value numRows,
                  Value numKeys, Value number)
      : b(b), packed(packed), lengths{numRows, numKeys}, number(number) {
    last = b.createOrFold<memref::DimOp>(packed[0], 0);
    std::tie(firstRow, this->numRows) = findOwn(0);
    std::tie(firstKey, this->numKeys) = findOwn(1);
  }

  /// Returns the number of tiles that precede the tiles of this sequence in the
  /// list, and the number of all tiles. Tiles of shorter sequences come first;
  /// among sequences of equal length, those of the sequence with the smaller
  /// index. `count` returns the number of tiles of a sequence, given its
  /// numbers of rows and keys and whether it is an outer one (isOuter).
  /// Sequences are compared by their rows (`order` 0) or keys (`order` 1);
  /// `own` is the length of this one.
  std::pair<Value, Value>
  sumTiles(unsigned order, Value own,
           function_ref<Value(Value rows, Value keys, Value isOuter)> count);
  /// Returns the number of tiles, of `step` rows (`array` 0) or keys (`array`
  /// 1) each, of the sequences with smaller indices than this one.
  Value countEarlier(unsigned array, int64_t step);
  /// Whether the program's sequence, or the one with index `position`, is an
  /// outer one: the part of the arrays before the first packed sequence, or the
  /// part after the last one. The list has tiles for both parts.
  Value isOuter() { return isOuter(number); }
  Value isOuter(Value position) {
    return b.oriOrFold(b.eq(position, b.index(0)), b.eq(position, last));
  }
  Value isLast() { return b.eq(number, last); }
  /// Prepares for write(). Tokens before the first or after the last packed
  /// sequence belong to no sequence. A tile of rows there has 0 keys, and a
  /// tile of keys there has 0 rows.
  void beginList(bool ofKeys) {
    Value &other = ofKeys ? numRows : numKeys;
    other = b.select(isOuter(), b.index(0), other);
    lanes = b.coordinate(RankedTensorType::get({kVector}, b.getIndexType()), 0);
    sequence = b.subi(number, b.index(1));
  }
  void write(const PackedTiles &tiles, Value first, Value end, Value units,
             Value firstTile = {}, bool isTile = true);

  Value ceilDiv(Value value, int64_t by) {
    return b.divui(b.addi(value, b.index(by - 1)), b.index(by));
  }

  /// The first row and first key of the program's sequence, and the numbers of
  /// its rows and keys.
  Value firstRow, firstKey, numRows, numKeys;

private:
  std::pair<Value, Value> findOwn(unsigned array);
  Value findEnd(unsigned array, Value position, Value before);
  SmallVector<Value>
  forEach(Value count, ValueRange initial,
          function_ref<SmallVector<Value>(Value, ValueRange)> emit);

  TileBuilder &b;
  OperandRange packed;
  Value lengths[2];
  Value number, last, sequence, lanes;
};
} // namespace

SmallVector<Value> SequenceProgram::forEach(
    Value count, ValueRange initial,
    function_ref<SmallVector<Value>(Value, ValueRange)> emit) {
  auto loop = scf::ForOp::create(b, b.index(0), count, b.index(1), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      emit(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, next);
  return loop.getResults();
}

/// Returns where sequence `position` ends, given that the sequence before it
/// ends at `before`. The end is the cumulative length of index `position` or,
/// for the part after the last packed sequence, the end of the array.
Value SequenceProgram::findEnd(unsigned array, Value position, Value before) {
  Value isBehind = b.eq(position, last);
  // The read of the cumulative lengths also runs for the part of the array
  // after the last sequence, which has no cumulative length. It then reads
  // element 0, which exists, and the result is not used.
  Value within = b.select(isBehind, b.index(0), position);
  Value end = b.indexCast(b.getIndexType(),
                          memref::LoadOp::create(b, packed[array], within));
  end = b.minsi(end, lengths[array]);
  end = b.maxsi(end, before);
  return b.select(isBehind, lengths[array], end);
}

/// Returns the first row (`array` 0) or first key (`array` 1) of the program's
/// sequence, and the number of its rows or keys.
std::pair<Value, Value> SequenceProgram::findOwn(unsigned array) {
  Value zero = b.index(0);
  SmallVector<Value> bounds =
      forEach(b.addi(number, b.index(1)), {zero, zero},
              [&](Value position, ValueRange carried) -> SmallVector<Value> {
                return {carried[1], findEnd(array, position, carried[1])};
              });
  return {bounds[0], b.subi(bounds[1], bounds[0])};
}

std::pair<Value, Value> SequenceProgram::sumTiles(
    unsigned order, Value own,
    function_ref<Value(Value rows, Value keys, Value isOuter)> count) {
  Value zero = b.index(0);
  SmallVector<Value> sums =
      forEach(b.addi(last, b.index(1)), {zero, zero, zero, zero},
              [&](Value position, ValueRange carried) -> SmallVector<Value> {
                Value ends[2], lengths[2];
                for (unsigned array : {0, 1}) {
                  ends[array] = findEnd(array, position, carried[array]);
                  lengths[array] = b.subi(ends[array], carried[array]);
                }
                Value tiles = count(lengths[0], lengths[1], isOuter(position));
                Value isShorter = b.ult(lengths[order], own);
                Value isEarlier =
                    b.andi(b.eq(lengths[order], own), b.ult(position, number));
                Value isBefore = b.ori(isShorter, isEarlier);
                return {ends[0], ends[1],
                        b.addi(carried[2], b.select(isBefore, tiles, zero)),
                        b.addi(carried[3], tiles)};
              });
  return {sums[2], sums[3]};
}

Value SequenceProgram::countEarlier(unsigned array, int64_t step) {
  Value zero = b.index(0);
  return forEach(number, {zero, zero},
                 [&](Value position, ValueRange carried) -> SmallVector<Value> {
                   Value end = findEnd(array, position, carried[0]);
                   return {end, b.addi(carried[1],
                                       ceilDiv(b.subi(end, carried[0]), step))};
                 })[1];
}

/// Writes the entries of the list from `first` (inclusive) to `end`
/// (exclusive): those of the sequence's tiles from tile `firstTile` on or, with
/// `isTile` false, zeros. `units` is the number of units before the sequence.
void SequenceProgram::write(const PackedTiles &tiles, Value first, Value end,
                            Value units, Value firstTile, bool isTile) {
  auto vector = cast<RankedTensorType>(lanes.getType());
  auto splat = [&](Value value) -> Value { return b.splat(value, vector); };
  Value zero = b.index(0);
  Value count = b.subi(end, first);
  Value view = b.slice(tiles.numbers, first, count, /*dim=*/1);
  auto loop = scf::ForOp::create(b, zero, count, b.index(kVector));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  SmallVector<Value> values(kNumbers, splat(zero));
  if (isTile) {
    for (auto [i, value] : {std::pair(kSequence, sequence),
                            {kFirstRow, firstRow},
                            {kNumRows, numRows},
                            {kFirstKey, firstKey},
                            {kNumKeys, numKeys},
                            {kFirstUnit, units}})
      values[i] = splat(value);
    Value tile = b.addi(lanes, splat(position));
    if (firstTile)
      tile = b.addi(tile, splat(firstTile));
    values[kTileStart] = b.muli(tile, splat(b.index(tiles.step)));
  }
  for (auto [i, value] : llvm::enumerate(values))
    b.store(b.indexCast(vector.clone(b.getI32Type()), value), view,
            {b.index(i), position});
}

PackedTiles mlir::attn::createPackedTiles(AttentionInterface op, TileBuilder &b,
                                          bool ofKeys, int64_t step) {
  PackedTiles tiles;
  tiles.step = step;
  // An upper bound of the number of tiles: the number of full tiles, plus one
  // partial tile for each sequence. With n cumulative lengths there are n + 1
  // sequences, including the parts of the array before the first and after the
  // last packed sequence.
  tiles.count = b.apply(b.dim(0).floorDiv(step) + b.dim(1) + b.constant(1),
                        {b.getSize(ofKeys ? op.getKey() : op.getQuery(), 2),
                         b.getSize(op.getPacked()[0], 0)});
  tiles.numbers =
      b.allocate({b.getIndexAttr(kNumbers), tiles.count}, b.getI32Type());
  return tiles;
}

/// Creates a grid with a program for each packed sequence, and for the parts of
/// the arrays before and after them, and enters its program.
static Value enterSequence(AttentionInterface op, TileBuilder &b,
                           TileSizesAttrInterface rowwise) {
  Value sequences = b.asValue(
      b.apply(b.dim(0) + b.constant(1), {b.getSize(op.getPacked()[0], 0)}));
  return b.enter(
      attn_tile::GridOp::create(b, ValueRange(sequences), {1}, rowwise))[0];
}

PackedTiles mlir::attn::listPackedTiles(AttentionInterface op, TileBuilder &b,
                                        bool ofKeys, int64_t step,
                                        TileSizesAttrInterface rowwise,
                                        int64_t unit) {
  PackedTiles tiles = createPackedTiles(op, b, ofKeys, step);
  OpFoldResult rows = b.getSize(op.getQuery(), 2),
               keys = b.getSize(op.getKey(), 2);
  OpBuilder::InsertionGuard guard(b);
  Value number = enterSequence(op, b, rowwise);
  SequenceProgram program(b, op.getPacked(), b.asValue(rows), b.asValue(keys),
                          number);
  Value length = ofKeys ? program.numKeys : program.numRows;
  auto [before, all] = program.sumTiles(
      ofKeys ? 1 : 0, length, [&](Value rows, Value keys, Value) {
        return program.ceilDiv(ofKeys ? keys : rows, step);
      });
  Value units = unit ? program.countEarlier(0, unit) : b.index(0);
  program.beginList(ofKeys);
  program.write(tiles, before, b.addi(before, program.ceilDiv(length, step)),
                units);
  Value count = b.asValue(tiles.count);
  program.write(tiles, b.select(program.isLast(), all, count), count, units,
                /*firstTile=*/{}, /*isTile=*/false);
  return tiles;
}

void mlir::attn::listSectionTiles(AttentionInterface op, TileBuilder &b,
                                  const PackedTiles &tiles, bool ofKeys,
                                  const KeySection &section,
                                  TileSizesAttrInterface rowwise,
                                  int64_t unit) {
  OpBuilder::InsertionGuard guard(b);
  Value number = enterSequence(op, b, rowwise);
  SequenceProgram program(b, op.getPacked(),
                          b.asValue(b.getSize(op.getQuery(), 2)),
                          b.asValue(b.getSize(op.getKey(), 2)), number);
  Value zero = b.index(0);
  auto countKeys = [&](Value keys) -> Value {
    Value end = b.maxui(program.ceilDiv(keys, section.step), section.firstTile);
    return b.minui(b.subi(end, section.firstTile), section.numTiles);
  };
  auto count = [&](Value rows, Value keys, Value isOuter) -> Value {
    if (ofKeys)
      return countKeys(keys);
    Value own = b.select(isOuter, zero, countKeys(keys));
    Value isListed =
        b.ori(b.ne(own, zero), b.eq(section.firstTile, b.index(0)));
    return b.select(isListed, program.ceilDiv(rows, tiles.step), zero);
  };
  // Tiles are listed in the order of the lengths of their sequences: of the
  // numbers of rows for tiles of keys, and of keys for tiles of rows and of
  // pairs.
  auto [before, all] = program.sumTiles(
      ofKeys ? 0 : 1, ofKeys ? program.numRows : program.numKeys, count);
  Value own = count(program.numRows, program.numKeys, program.isOuter());
  Value units = unit ? program.countEarlier(0, unit) : zero;
  program.beginList(ofKeys);
  program.write(tiles, before, b.addi(before, own), units,
                ofKeys ? section.firstTile : Value());
  // The last program also fills the unused entries of the list with zeros, and
  // stores the number of used entries to `tiles.used`.
  Value end = b.asValue(tiles.count);
  program.write(tiles, b.select(program.isLast(), all, end), end, units,
                /*firstTile=*/{}, /*isTile=*/false);
  RankedTensorType words = b.tileType({kVector}, b.getI32Type());
  b.store(b.splat(b.indexCast(b.getI32Type(), all), words),
          b.slice(tiles.used, b.getIndexAttr(0),
                  b.select(program.isLast(), b.index(1), zero), /*dim=*/0),
          {zero});
}

attn_tile::GridOp
mlir::attn::createPackedGrid(AttentionInterface op, TileBuilder &b,
                             const PackedTiles &tiles, OpFoldResult heads,
                             TileSizesAttrInterface schedule) {
  SmallVector<Value> sizes = {
      b.asValue(heads),
      b.asValue(b.apply(b.dim(0) * tiles.step, {tiles.count}))};
  return b.createGridOf(op, sizes, {1, tiles.step}, schedule);
}

Value mlir::attn::readListed(TileBuilder &b, const PackedTiles &tiles,
                             int64_t number, Value position) {
  Value tile = b.asValue(b.apply(b.dim(0).floorDiv(tiles.step), {position}));
  Value found =
      b.indexCast(b.getIndexType(),
                  memref::LoadOp::create(b, tiles.numbers,
                                         ValueRange{b.index(number), tile}));
  return tiles.hasUnwritten
             ? b.select(isListed(b, tiles, position), found, b.index(0))
             : found;
}

Value mlir::attn::isListed(TileBuilder &b, const PackedTiles &tiles,
                           Value position) {
  Value tile = b.asValue(b.apply(b.dim(0).floorDiv(tiles.step), {position}));
  Value used = b.indexCast(
      b.getIndexType(),
      memref::LoadOp::create(b, tiles.used, ValueRange(b.index(0))));
  return b.slt(tile, used);
}

SequenceView mlir::attn::enterTile(AttentionInterface op, TileBuilder &b,
                                   const SequenceView &all,
                                   const PackedTiles &tiles,
                                   ValueRange coordinates, Value &position) {
  position = coordinates.back();
  if (!isPacked(op))
    return enterBatch(op, b, all, coordinates.front());
  Value numbers[kNumbers];
  for (int64_t i = 0; i < kNumbers; ++i)
    numbers[i] = readListed(b, tiles, PackedNumber(i), position);
  SequenceView at = all;
  // The part of the array before the first sequence has the index -1, and that
  // after the last one has the index `numSequences`. As unsigned integers, both
  // are at least `numSequences`, so one comparison finds them.
  Value numSequences = b.asValue(
      b.apply(b.dim(0) - b.constant(1), {b.getSize(op.getPacked()[0], 0)}));
  at.isOfNone = b.uge(numbers[kSequence], numSequences);
  // Rows outside of all sequences get sequence index 0, so that regions read
  // captured arrays within bounds.
  at.batch = b.select(at.isOfNone, b.index(0), numbers[kSequence]);
  at.arrayBatch = b.index(0);
  at.firstRow = numbers[kFirstRow];
  at.firstKey = numbers[kFirstKey];
  at.firstUnit = numbers[kFirstUnit];
  at.numRows = at.lengthQ = numbers[kNumRows];
  at.numKeys = at.lengthKv = numbers[kNumKeys];
  at.hasRowsBehind = at.hasKeysBehind = true;
  at.diagonal = b.getIndexAttr(0);
  MaskAttr mask = op.getMaskAttr();
  if (mask && mask.getAlignment() == Alignment::BottomRight)
    at.diagonal = b.apply(b.dim(0) - b.dim(1), {at.lengthKv, at.lengthQ});
  takeKeys(op, b, at, at.firstKey);
  position = numbers[kTileStart];
  return at;
}
