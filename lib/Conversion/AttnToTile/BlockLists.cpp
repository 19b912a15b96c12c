//===- BlockLists.cpp - Lists of the blocks that a mask keeps ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockKinds.h"
#include "BlockVectors.h"
#include "ProgramBuilder.h"
#include "Programs.h"

#include "attn/Conversion/MaskBlocks.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t kBlocks = BlockKinds::kBlocks;

/// Whether lists of blocks, which BlockKinds classifies, would exclude blocks,
/// or find blocks full, that the intervals of MaskRanges do not. False without
/// a mask region and for packed sequences.
static bool sayMoreThanRanges(AttentionInterface op) {
  // Packed sequences get no lists, since each list would need memory for the
  // longest possible sequence.
  if (!op.hasMaskRegion() || !op.getPacked().empty())
    return false;
  BlockKinds kinds(op);
  if (!kinds.mayBeEmpty() && !kinds.mayBeFull())
    return false;
  MaskRanges ranges(op, /*ofRows=*/false);
  return kinds.readsArrays() ||
         (kinds.mayBeEmpty() && (!ranges.mayBound() || ranges.mayHaveGaps()));
}

bool mlir::attn::mayMaskFillBlocks(AttentionInterface op) {
  if (!op.hasMaskRegion())
    return true;
  return sayMoreThanRanges(op) ? BlockKinds(op).mayBeFull()
                               : MaskRanges(op, /*ofRows=*/false).mayBeFull();
}

/// Returns the captured array from which `read`, an op of the mask region,
/// reads.
static Value getCapture(AttentionInterface op, ReadOp read) {
  unsigned number = cast<BlockArgument>(read.getArray()).getArgNumber();
  return op.getCaptures()[number - kNumMaskArguments];
}

/// Emits, before the grid that lists blocks, a grid for each array in `reads`
/// that writes the array's summary. A read with the operand `bounds` needs no
/// summary, and an array that already has one gets no second.
static void summarize(AttentionInterface op, TileBuilder &b, SequenceView &all,
                      ArrayRef<ReadOp> reads, TileSizesAttrInterface rowwise) {
  for (ReadOp read : reads) {
    if (read.getBounds())
      continue;
    Value array = getCapture(op, read);
    Value &summary = all.summaries[array];
    if (summary)
      continue;
    summary = b.allocate(getSummarySizes(b, array), b.getI32Type());
    emitSummaryGrid(b, array, summary, rowwise);
  }
}

namespace {

/// Classifies blocks of pairs with rows of several heads: pairs of a block may
/// be kept if they may in any of the heads, and all are kept if all are in each
/// head.
class KindsOfHeads {
public:
  /// `number` is the number of the tile of heads. If `heads` is 0, the mask
  /// region does not depend on the head.
  KindsOfHeads(AttentionInterface op, TileBuilder &b, const SequenceView &at,
               int64_t heads, Value number) {
    Value zero = b.index(0);
    for (int64_t i = 0; i < std::max<int64_t>(heads, 1); ++i) {
      Value head = number;
      if (heads)
        head = b.asValue(b.apply(b.dim(0) * heads + b.constant(i), {number}));
      ScorePlace place = getScorePlace(b, at, head, zero, zero, /*rowAxis=*/0);
      auto &kinds = ofHeads.emplace_back(std::make_unique<BlockKinds>(op));
      kinds->emitUniform(b, place.batch, place.head);
      for (ReadOp read : kinds->getPairReads())
        kinds->setSummary(read, at.summaries.lookup(getCapture(op, read)));
    }
  }

  void setPositions(bool ofRows, const BlockKinds::Positions &given) {
    for (auto &kinds : ofHeads)
      kinds->setPositions(ofRows, given);
  }

  BlockKinds::Kinds emit(TileBuilder &b) {
    BlockKinds::Kinds found = ofHeads.front()->emit(b);
    for (auto &kinds : llvm::drop_begin(ofHeads)) {
      auto [may, must] = kinds->emit(b);
      found.may = found.may && may ? b.ori(found.may, may) : Value();
      found.must = found.must && must ? b.andi(found.must, must) : Value();
    }
    return found;
  }

private:
  SmallVector<std::unique_ptr<BlockKinds>> ofHeads;
};

} // namespace

Value BlockLists::getHeadIndex(TileBuilder &b, Value head) const {
  return heads ? b.asValue(b.apply(b.dim(0).floorDiv(heads), {head}))
               : b.index(0);
}

/// Emits the program that writes the list of one tile: the numbers of the
/// blocks of keys (with `ofRows`, of rows) in which pairs may be kept, whether
/// each block is partial, and the number of listed blocks. `program`, the point
/// of the grid, consists of the batch entry, the head and the number of the
/// tile. Blocks that reach past the last row are partial if `cutsRows`.
static void emitListOf(AttentionInterface op, TileBuilder &b,
                       const SequenceView &at, const BlockLists &lists,
                       bool ofRows, bool cutsRows, ValueRange program) {
  Value batch = program[0], head = program[1], number = program[2];
  Value zero = b.index(0);
  ScorePlace origins = getScorePlace(b, at, zero, zero, zero, /*rowAxis=*/0);
  KindsOfHeads kinds(op, b, at, lists.heads, head);
  Value originOfOwn = ofRows ? origins.key : origins.row;
  Value originOfBlocks = ofRows ? origins.row : origins.key;
  OpFoldResult all = ofRows ? at.numKeys : at.numRows;
  OpFoldResult others = ofRows ? at.numRows : at.numKeys, length = others;
  auto isOfCells = [](int64_t step, Value origin) {
    return step % kSummaryCell == 0 && isZeroInteger(getAsOpFoldResult(origin));
  };
  auto getLast = [&](OpFoldResult count, Value origin) {
    return b.asValue(
        b.apply(b.dim(0) + b.dim(1) - b.constant(1), {count, origin}));
  };

  Value first = b.asValue(b.apply(b.dim(0) * lists.own, {number}));
  Value end =
      b.asValue(b.min(b.apply(b.dim(0) + b.constant(lists.own), {first}), all));
  Interval bounds =
      ofRows ? boundRows(op, b, at, first, end, lists.block, cutsRows)
             : boundKeys(op, b, at, first, end);
  if (ofRows)
    cutLastKeys(b, at, bounds, lists.own, end);
  // A map has all blocks of all tiles, also of tiles and blocks past the last
  // row or key. Positions past the last one are replaced by the last one. If
  // there are no rows or no keys, their number counts as 1 here.
  OpFoldResult lastOfOwn = end;
  if (lists.map) {
    lastOfOwn = b.max(lastOfOwn, b.getIndexAttr(1));
    length = b.max(length, b.getIndexAttr(1));
  }
  kinds.setPositions(!ofRows, {b.addiOrFold(first, originOfOwn),
                               getLast(lastOfOwn, originOfOwn), lists.own,
                               isOfCells(lists.own, originOfOwn)});

  BlockVectors vectors(b);
  auto divideUp = [&](OpFoldResult length) {
    return b.apply(b.dim(0).ceilDiv(lists.block), {length});
  };
  OpFoldResult numBlocks = divideUp(countForTile(b, first, all, others));
  Value none = b.zero(vectors.of(b.getF32Type()));
  OpFoldResult endOfBlocks = numBlocks;
  if (lists.map)
    endOfBlocks =
        b.min(b.getSize(lists.map, 3),
              divideUp(b.getSize(ofRows ? op.getQuery() : op.getKey(), 2)));
  Value domain = createWholeDomain(b, b.getIndexAttr(0), endOfBlocks, kBlocks);
  auto emitBlocks = [&](Value from, Value, ValueRange counts) {
    Type index = b.getIndexType(), word = b.getI32Type();
    Value blocks =
        b.addi(vectors.splat(from), b.coordinate(vectors.of(index), 0));
    Value starts = b.muli(blocks, vectors.splat(b.getIndexAttr(lists.block)));
    Value ends = b.addi(starts, vectors.splat(b.getIndexAttr(lists.block)));
    kinds.setPositions(ofRows, {b.addi(starts, vectors.splat(originOfBlocks)),
                                getLast(length, originOfBlocks), lists.block,
                                isOfCells(lists.block, originOfBlocks)});
    BlockKinds::Kinds found = kinds.emit(b);
    Value kept = b.slt(blocks, vectors.splat(numBlocks));
    kept = vectors.both(kept, found.may);
    kept = vectors.both(kept, b.slt(starts, vectors.splat(bounds.hi)));
    kept = vectors.both(kept, b.sgt(ends, vectors.splat(bounds.lo)));
    Value full = vectors.both(b.sge(starts, vectors.splat(bounds.fullLo)),
                              b.sle(ends, vectors.splat(bounds.fullHi)));
    full = vectors.both(full, found.must);
    auto words = [&](int32_t value) {
      return b.integer(vectors.of(word), value);
    };
    // BlockKinds returns a null `must` if no block is known to be full, so all
    // blocks are marked as partial.
    Value partial = found.must ? b.select(full, words(0), words(1)) : words(1);

    auto [before, inAll] = vectors.count(kept);
    Value place = b.fptosi(vectors.of(word), b.addf(counts[0], before));
    if (lists.map) {
      Value kind = b.subi(words(BlockLists::kFull), partial);
      kind = b.select(kept, kind, words(BlockLists::kNotListed));
      attn_tile::ScatterOp::create(b, b.addi(b.muli(place, words(4)), kind),
                                   lists.map,
                                   ValueRange{batch, head, number, blocks});
    }
    place = b.indexCast(vectors.of(index), place);
    place = b.select(kept, place, vectors.splat(b.getIndexAttr(-1)));
    SmallVector<Value> places = {batch, head, number, place};
    attn_tile::ScatterOp::create(b, b.indexCast(vectors.of(word), blocks),
                                 lists.blocks, places);
    attn_tile::ScatterOp::create(b, partial, lists.partial, places);
    return SmallVector<Value>{b.addf(counts[0], inAll)};
  };
  Value count = b.loopOverBlocks(domain, none, emitBlocks).front();
  // All elements of the vector are the number of listed blocks; only the first
  // element is stored.
  attn_tile::ScatterOp::create(
      b, b.fptosi(vectors.of(b.getI32Type()), count), lists.counts,
      ValueRange{batch, head, vectors.onlyFirst(number)});
}

/// Emits the program that finds the place of tile `program[2]` in the order of
/// the lengths of lists, and stores the tile's number in `lists.order` at this
/// index. The place is the number of tiles that have shorter lists, plus that
/// of tiles with smaller numbers and lists of the same length.
static void emitPlaceOf(TileBuilder &b, const BlockLists &lists,
                        ValueRange program) {
  Value batch = program[0], head = program[1], number = program[2];
  BlockVectors vectors(b);
  Value own = vectors.splat(
      memref::LoadOp::create(b, lists.counts, ValueRange{batch, head, number}));
  OpFoldResult numTiles = b.getSize(lists.counts, 2);
  Value domain = createWholeDomain(b, b.getIndexAttr(0), numTiles, kBlocks);
  Value none = b.zero(vectors.of(b.getF32Type()));
  auto emitTiles = [&](Value from, Value, ValueRange sums) {
    Value others =
        b.load(lists.counts, {kBlocks}, ValueRange{batch, head, from});
    Value numbers = b.addi(vectors.splat(from),
                           b.coordinate(vectors.of(b.getIndexType()), 0));
    Value isShorter = b.slt(others, own);
    Value isEarlier =
        vectors.both(b.eq(others, own), b.slt(numbers, vectors.splat(number)));
    Value isBefore = vectors.both(b.slt(numbers, vectors.splat(numTiles)),
                                  b.ori(isShorter, isEarlier));
    return SmallVector<Value>{b.addf(sums[0], vectors.count(isBefore).second)};
  };
  Value place = b.loopOverBlocks(domain, none, emitTiles).front();
  place = b.fptosi(vectors.of(b.getI32Type()), place);
  place = b.indexCast(vectors.of(b.getIndexType()), place);
  attn_tile::ScatterOp::create(
      b, vectors.splat(b.indexCast(b.getI32Type(), number)), lists.order,
      ValueRange{batch, head, vectors.onlyFirst(place)});
}

void mlir::attn::listBlocks(AttentionInterface op, TileBuilder &b,
                            SequenceView &all, bool ofRows, int64_t own,
                            int64_t block, int64_t heads, bool cutsRows,
                            TileSizesAttrInterface rowwise, bool hasMap) {
  BlockLists &lists = ofRows ? all.rowLists : all.keyLists;
  if (lists.blocks || !sayMoreThanRanges(op))
    return;
  BlockKinds kinds(op);
  lists.own = own;
  lists.block = block;
  lists.hasBatch = kinds.usesBatch() || op.isRagged();
  lists.heads = kinds.usesHead() ? heads : 0;
  OpFoldResult one = b.getIndexAttr(1);
  auto divide = [&](OpFoldResult length, int64_t by) {
    return b.apply(b.dim(0).ceilDiv(by), {length});
  };
  SmallVector<OpFoldResult> sizes = {
      lists.hasBatch ? b.getSize(op.getQuery(), 0) : one,
      lists.heads ? b.apply(b.dim(0).floorDiv(lists.heads),
                            {b.getSize(op.getQuery(), 1)})
                  : one,
      divide(b.getSize(ofRows ? op.getKey() : op.getQuery(), 2), own),
      divide(ofRows ? all.numRows : all.numKeys, block)};
  // The lists of a program are views of these arrays. A view of an array that
  // is statically empty would be out of bounds, which is an error.
  if (isZeroInteger(sizes.back()))
    sizes.back() = one;
  lists.blocks = b.allocate(sizes, b.getI32Type());
  lists.partial = b.allocate(sizes, b.getI32Type());
  if (hasMap) {
    SmallVector<OpFoldResult> ofMap = sizes;
    ofMap.back() = b.max(ofMap.back(), one);
    lists.map = b.allocate(ofMap, b.getI32Type());
  }
  sizes.pop_back();
  lists.counts = b.allocate(sizes, b.getI32Type());
  // Programs take tiles in the order of the lengths of their lists. Tiles of
  // keys have no such order if several query heads share keys and each query
  // head has its own lists. A program then visits the lists of all of these
  // heads, so no single length says how long it takes.
  if (!hasMap && (!ofRows || !lists.heads || !getGroup(op, b)))
    lists.order = b.allocate(sizes, b.getI32Type());
  summarize(op, b, all, kinds.getPairReads(), rowwise);

  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> tiles;
  for (OpFoldResult size : sizes)
    tiles.push_back(b.asValue(size));
  auto grid = attn_tile::GridOp::create(b, tiles, {1, 1, 1}, rowwise);
  OpBuilder::InsertPoint behind = b.saveInsertionPoint();
  auto place = b.enter(grid);
  emitListOf(op, b, enterBatch(op, b, all, place[0]), lists, ofRows, cutsRows,
             place);
  if (!lists.order)
    return;
  b.restoreInsertionPoint(behind);
  grid = attn_tile::GridOp::create(b, tiles, {1, 1, 1}, rowwise);
  emitPlaceOf(b, lists, b.enter(grid));
}

Value mlir::attn::findListedTile(TileBuilder &b, const BlockLists &lists,
                                 Value batch, Value head, Value position) {
  if (!lists.order)
    return position;
  Value zero = b.index(0);
  Value place = b.asValue(b.apply(b.dim(0).floorDiv(lists.own), {position}));
  Value number = b.indexCast(
      b.getIndexType(),
      memref::LoadOp::create(b, lists.order,
                             ValueRange{lists.hasBatch ? batch : zero,
                                        lists.getHeadIndex(b, head), place}));
  return b.asValue(b.apply(b.dim(0) * lists.own, {number}));
}

std::pair<Value, Value>
mlir::attn::findListedBlocks(TileBuilder &b, const BlockLists &lists,
                             Value batch, Value head, Value position,
                             Value first, int64_t size) {
  BlockVectors vectors(b);
  Type index = b.getIndexType();
  Value zero = b.index(0);
  auto asVector = [&](Value value) {
    return value.getType().isIndex() ? vectors.splat(value) : value;
  };
  auto word = [&](int64_t value) {
    return b.splat(vectors.of(b.getI32Type()), value);
  };
  auto divide = [&](Value vector, int64_t by) -> Value {
    return b.divui(vector, b.splat(vectors.of(index), by));
  };
  // For a tile or block past the end of the map, the map's last one is read.
  auto keepWithin = [&](Value vector, int64_t axis) -> Value {
    return b.minui(vector,
                   vectors.splat(b.apply(b.dim(0) - b.constant(1),
                                         {b.getSize(lists.map, axis)})));
  };
  SmallVector<Value> place = {
      lists.hasBatch ? batch : zero, lists.getHeadIndex(b, head),
      keepWithin(divide(asVector(position), lists.own), 2), Value()};
  first = divide(asVector(first), lists.block);
  Value any, all;
  for (int64_t i = 0; i < size / lists.block; ++i) {
    place.back() = keepWithin(b.addi(first, b.splat(vectors.of(index), i)), 3);
    Value entry = attn_tile::GatherOp::create(b, vectors.of(b.getI32Type()),
                                              lists.map, place);
    Value kind = b.andi(entry, word(3));
    Value isListed = b.ne(kind, word(BlockLists::kNotListed));
    Value isFull = b.eq(kind, word(BlockLists::kFull));
    any = any ? b.ori(any, isListed) : isListed;
    all = vectors.both(isFull, all);
  }
  return {any, all};
}

/// Returns the domain of a loop over blocks: the blocks that are in the list of
/// the tile whose first row or key is `position`, a multiple of the tile's
/// size.
Value mlir::attn::createListedDomain(TileBuilder &b, const BlockLists &lists,
                                     Value batch, Value head, Value position,
                                     Value first, Value end) {
  Value zero = b.index(0);
  Value number = b.asValue(b.apply(b.dim(0).floorDiv(lists.own), {position}));
  SmallVector<Value> place = {lists.hasBatch ? batch : zero,
                              lists.getHeadIndex(b, head), number};
  Value count = b.indexCast(b.getIndexType(),
                            memref::LoadOp::create(b, lists.counts, place));
  place.push_back(zero);
  if (end) {
    OpFoldResult numBlocks = b.getSize(lists.map, 3);
    Value two = b.word(2);
    auto countBefore = [&](OpFoldResult block) -> Value {
      Value isBlock = b.slt(b.asValue(block), b.asValue(numBlocks));
      place.back() = b.asValue(
          b.min(block, b.apply(b.dim(0) - b.constant(1), {numBlocks})));
      Value entry = memref::LoadOp::create(b, lists.map, place);
      Value before = b.indexCast(b.getIndexType(), b.shrui(entry, two));
      return b.select(isBlock, before, count);
    };
    Value last = countBefore(b.apply(b.dim(0).ceilDiv(lists.block), {end}));
    place.back() =
        countBefore(b.apply(b.dim(0).floorDiv(lists.block), {first}));
    count = b.subi(last, place.back());
  }
  auto getList = [&](Value array) {
    return b.viewRow(array, getAsOpFoldResult(place), count);
  };
  return attn_tile::DomainListOp::create(
      b, attn_tile::DomainType::get(b.getContext(), lists.block),
      getList(lists.blocks), getList(lists.partial), count);
}
