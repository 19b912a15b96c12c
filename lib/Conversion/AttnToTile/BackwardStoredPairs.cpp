//===- BackwardStoredPairs.cpp - Pairs of tiles that are stored -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of the pairs of a tile of rows and a tile of keys for which P and dS
// are stored (see BackwardStored.cpp). A mask may keep few of a section's
// pairs, so the grid that computes P and dS has a program for each entry of the
// list, and reads from memory how many entries are used.
//
// Two grids write the list, each with a program for each tile of rows. The
// first one finds and counts the tiles of keys that the list has beside the
// tile of rows. A program of the second one sums the counts of the tiles before
// its own, and writes its entries from there on. Entries are thus in the order
// of their rows, and neighbors in the list read the same query.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"
#include "BlockVectors.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t kBlocks = BlockKinds::kBlocks;
/// The bits of what findStoredPairs() returns.
static constexpr int64_t kIsListed = 1, kIsFull = 2;

/// Whether P and dS are not stored for all pairs of a section's tiles.
bool BackwardPrograms::listsPairs() {
  return isPacked(op) || op.getMaskAttr() || op.isRagged() ||
         all.hasRowsBehind || all.hasKeysBehind || keepsKinds();
}

/// Whether what findStoredPairs() returns is kept in memory, since it is
/// computed from more than the diagonals and lengths of the mask.
bool BackwardPrograms::keepsKinds() {
  return all.keyLists.blocks || listsByRanges();
}

/// Allocates the list of a section's pairs, which has an entry for each pair of
/// a tile of rows and a tile of keys that the memory of P and dS has; sections
/// have at most `numTiles` tiles of rows.
void BackwardPrograms::createPairList(Value numTiles) {
  Type word = b.getI32Type();
  auto create = [&](ArrayRef<OpFoldResult> sizes) {
    return allocate(sizes, word);
  };
  storedPairs.step = own;
  storedPairs.hasUnwritten = true;
  Value stored = storedProbabilities ? storedProbabilities : storedOfKey;
  storedPairs.count =
      numbersPairs() ? getSize(stored, 0)
                     : getAsOpFoldResult(
                           b.muliOrFold(numTiles, asValue(getSize(stored, 1))));
  storedPairs.numbers =
      create({b.getIndexAttr(isPacked(op) ? int64_t(kNumbersOfPairs)
                                          : int64_t(kNumbersOfHeadPairs)),
              storedPairs.count});
  storedPairs.used = create({b.getIndexAttr(1)});
  pairsOfRows = create({getAsOpFoldResult(numTiles)});
  if (keepsKinds())
    kindsOfPairs = create(
        {getAsOpFoldResult(numTiles), getAsOpFoldResult(tilesOfSection)});
}

/// Whether the list regards the ranges of keys that the mask region allows. A
/// list that serves all heads does not if these have different ranges.
bool BackwardPrograms::listsByRanges() {
  return op.hasMaskRegion() && !all.keyLists.blocks &&
         MaskRanges(op, /*ofRows=*/false).mayBound() &&
         !(isPacked(op) && BlockKinds(op).usesHead());
}

/// Returns an i1: whether the mask's diagonals, the lengths and the ranges of
/// the mask region say that pairs of the tile that begins at `row` and `key`
/// may be kept, or that the grids of d_key and d_value read the tile. These
/// visit whole blocks of the rows that see the tile's keys. No row of a tile
/// that they read need see a key: a region's ranges may differ between the two
/// sides, and the first row that would see the keys may lie past the last row,
/// in its block.
Value BackwardPrograms::isKeptByRanges(const SequenceView &at, Value head,
                                       Value row, Value key) {
  auto isBefore = [&](OpFoldResult lhs, OpFoldResult rhs) -> Value {
    return b.slt(asValue(lhs), asValue(rhs));
  };
  OpFoldResult endOfRows = apply(dim(0) + constant(ofTile.tokens), {row});
  OpFoldResult endOfKeys = apply(dim(0) + constant(own), {key});
  auto ranges = getMaskRanges(op, b, at, /*ofRows=*/false, head, ofTile.heads);
  Interval seen = boundKeysOfTile(at, ranges, row, row,
                                  asValue(min(endOfRows, at.numRows)));
  Value isSeen = b.andi(isBefore(key, seen.hi), isBefore(seen.lo, endOfKeys));
  Value lastKey = asValue(min(endOfKeys, at.numKeys));
  Interval rows = boundRows(op, b, at, key, lastKey, block, /*cutsRows=*/true);
  auto ofRows = getMaskRanges(op, b, at, /*ofRows=*/true, head, ofTile.heads);
  boundByMask(b, at, ofRows, /*ofRows=*/true, key, lastKey, rows);
  Value isRead = b.andi(isBefore(row, rows.hi), isBefore(rows.lo, endOfRows));
  return b.ori(isSeen, b.andi(isRead, isBefore(key, at.numKeys)));
}

/// Returns a vector of i32 with an element for each of the kBlocks tiles of
/// keys from tile `from` on, counted in the section, the part of the heads and
/// keys whose P and dS are in memory at a time. An element combines the bits
/// kIsListed, if the section's list of pairs has the pair of the tile of rows
/// and this tile of keys, and kIsFull, if the map of the mask's blocks says
/// that all pairs of the two tiles are kept. The list has each tile that the
/// grids that multiply P and dS read; see isKeptByRanges().
Value BackwardPrograms::findStoredPairs(const Section &section,
                                        const StoredTile &tile, Value from) {
  BlockVectors vectors(b);
  const SequenceView &at = tile.at;
  Value keys = getSectionKeys(section, from);
  // In place of the rows that the tile has, those of a whole tile: the first
  // one that would see a key may lie past the last row.
  Value endOfRows =
      asValue(apply(dim(0) + constant(ofTile.tokens), {tile.row}));
  Interval seen =
      boundKeysOfTile(at, /*ranges=*/{}, tile.row, tile.row, endOfRows);
  OpFoldResult end =
      min(seen.hi, apply(dim(0) + dim(1), {section.firstKey, section.numKeys}));
  Value ends = b.addi(keys, vectors.splat(b.getIndexAttr(own)));
  Value kept = b.andi(b.slt(keys, vectors.splat(end)),
                      b.sgt(ends, vectors.splat(seen.lo)));
  RankedTensorType words = vectors.of(b.getI32Type());
  auto toBits = [&](Value flags, int64_t bit) -> Value {
    return b.select(flags, splat(words, bit), splat(words, int64_t(0)));
  };
  if (listsByRanges()) {
    // The ranges are of one tile, so a loop asks for one tile after another.
    OpFoldResult count =
        min(b.getIndexAttr(kBlocks),
            apply(dim(0).ceilDiv(own) - dim(1), {section.numKeys, from}));
    Value lanes = b.coordinate(vectors.of(b.getIndexType()), 0);
    auto loop = scf::ForOp::create(b, b.index(0), asValue(count), b.index(1),
                                   splat(words, int64_t(0)));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value lane = loop.getInductionVar();
    Value key =
        b.addi(section.firstKey, b.muli(b.addi(from, lane), b.index(own)));
    Value isKept =
        isKeptByRanges(at, tile.head ? tile.head : b.index(0), tile.row, key);
    Value word = b.select(isKept, b.word(kIsListed), b.word(0));
    scf::YieldOp::create(b, b.select(b.eq(lanes, vectors.splat(lane)),
                                     vectors.splat(word),
                                     loop.getRegionIterArgs()[0]));
    b.setInsertionPointAfter(loop);
    return b.andi(loop.getResult(0), toBits(kept, kIsListed));
  }
  if (!at.keyLists.blocks)
    return toBits(kept, kIsListed);
  auto [isListed, isFull] = findListedBlocks(b, at.keyLists, at.batch,
                                             tile.head, tile.row, keys, own);
  Value isRead = findListedBlocks(b, at.rowLists, at.batch, tile.head, keys,
                                  tile.row, ofTile.tokens)
                     .first;
  kept = b.andi(kept, b.ori(isListed, isRead));
  isFull = b.andi(isFull, b.sle(ends, vectors.splat(at.numKeys)));
  return b.ori(toBits(kept, kIsListed), toBits(isFull, kIsFull));
}

/// Returns a vector of the first keys of kBlocks tiles of keys, from tile
/// `from` of the section on.
Value BackwardPrograms::getSectionKeys(const Section &section, Value from) {
  BlockVectors vectors(b);
  Value numbers = countFrom(from, vectors.of(b.getIndexType()));
  return b.addi(b.muli(numbers, vectors.splat(b.getIndexAttr(own))),
                vectors.splat(section.firstKey));
}

/// Emits a grid with a program for each of a section's tiles of rows, in all
/// query heads of the section or, of packed sequences, whose list is the same
/// for all heads, without heads; entries of the list of rows that are not used
/// are tiles without rows. Returns the program's tile.
BackwardPrograms::StoredTile
BackwardPrograms::createRowTileGrid(const Section &section) {
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  StoredTile tile;
  int64_t step = ofTile.tokens;
  if (isPacked(op)) {
    Value size = asValue(apply(dim(0) * step, {sectionRows.count}));
    auto place =
        enter(attn_tile::GridOp::create(b, ValueRange(size), {step}, rowwise));
    tile.at = enterTile(op, b, all, sectionRows, place, tile.row);
    tile.numberOfRows = asValue(apply(dim(0).floorDiv(step), {place[0]}));
    return tile;
  }
  SmallVector<Value> sizes = {section.numHeads, groupSize,
                              asValue(countTokens())};
  auto place =
      enter(attn_tile::GridOp::create(b, sizes, {1, 1, step}, rowwise));
  tile.number = place[0];
  enterSection(section, tile);
  tile.inGroup = place[1];
  tile.head = getFirstHead(getQueryHead(tile.kvHead, tile.inGroup));
  tile.row = place[2];
  tile.numberOfRows =
      numberRowTile(getQueryHead(tile.number, tile.inGroup), tile.row);
  return tile;
}

/// Returns the number, among the section's tiles of rows, of the tile that
/// begins at `row` of the query head (tile of heads) that has the index
/// `queryHead` in the section. Sequences are not packed.
Value BackwardPrograms::numberRowTile(Value queryHead, Value row) {
  OpFoldResult tiles = apply(dim(0).ceilDiv(ofTile.tokens), {countTokens()});
  return b.addiOrFold(
      b.muliOrFold(queryHead, asValue(tiles)),
      asValue(apply(dim(0).floorDiv(ofTile.tokens), {getAsOpFoldResult(row)})));
}

/// Emits the grids that write the list of the section's pairs.
void BackwardPrograms::listStoredPairs(const Section &section) {
  BlockVectors vectors(b);
  Type index = b.getIndexType(), word = b.getI32Type();
  RankedTensorType sums = vectors.of(b.getF32Type());
  auto toWords = [&](Value numbers) -> Value {
    return numbers.getType() == sums ? b.fptosi(vectors.of(word), numbers)
                                     : b.indexCast(vectors.of(word), numbers);
  };
  // Calls `emit` for each kBlocks tiles of keys of the section, with the number
  // of the first of them. `emit` gets and returns a carried number.
  auto overKeys = [&](Value initial,
                      function_ref<Value(Value from, Value carried)> emit) {
    OpFoldResult numTiles = apply(dim(0).ceilDiv(own), {section.numKeys});
    Value domain = createWholeDomain(b, b.getIndexAttr(0), numTiles, kBlocks);
    return loopOverBlocks(
        domain, initial,
        [&](Value from, Value, ValueRange carried) -> SmallVector<Value> {
          return {emit(from, carried[0])};
        })[0];
  };
  auto has = [&](Value kinds, int64_t bit) -> Value {
    Value found = b.andi(kinds, splat(vectors.of(word), bit));
    return b.ne(found, splat(vectors.of(word), int64_t(0)));
  };
  Value zeros = splat(sums, 0.0);
  Value numTiles =
      isPacked(op) ? asValue(sectionRows.count)
                   : numberRowTile(getQueryHead(section.numHeads, b.index(0)),
                                   b.index(0));
  Value last = b.subi(numTiles, b.index(1));
  for (bool writes : {false, true}) {
    OpBuilder::InsertionGuard guard(b);
    StoredTile tile = createRowTileGrid(section);
    Value number = tile.numberOfRows;
    if (!writes) {
      Value count = overKeys(zeros, [&](Value from, Value carried) -> Value {
        Value kinds = findStoredPairs(section, tile, from);
        if (kindsOfPairs)
          store(kinds, kindsOfPairs, {number, from});
        return b.addf(carried, vectors.count(has(kinds, kIsListed)).second);
      });
      attn_tile::ScatterOp::create(b, toWords(count), pairsOfRows,
                                   ValueRange{vectors.onlyFirst(number)});
      continue;
    }
    Value before = loopOverBlocks(
        createWholeDomain(b, b.getIndexAttr(0), number, kBlocks), zeros,
        [&](Value from, Value, ValueRange carried) -> SmallVector<Value> {
          Value counts = load(pairsOfRows, {kBlocks}, {from});
          Value isBefore =
              b.slt(countFrom(from, vectors.of(index)), vectors.splat(number));
          counts =
              b.select(isBefore, counts, splat(vectors.of(word), int64_t(0)));
          return {b.addf(carried[0], b.sitofp(sums, counts))};
        })[0];
    before = vectors.sum(before).second;
    // The numbers of the list that are the same for all of the tile's entries.
    SmallVector<std::pair<int64_t, Value>> shared;
    if (isPacked(op)) {
      Value position = b.muli(number, b.index(sectionRows.step));
      for (int64_t i = 0; i < kNumbers; ++i)
        shared.emplace_back(
            i, readListed(b, sectionRows, PackedNumber(i), position));
    } else {
      shared = {{kPairHead, tile.number},
                {kPairInGroup, tile.inGroup},
                {kPairRow, tile.row}};
    }
    Value end = overKeys(before, [&](Value from, Value carried) -> Value {
      Value kinds = kindsOfPairs ? load(kindsOfPairs, {kBlocks}, {number, from})
                                 : findStoredPairs(section, tile, from);
      Value kept = has(kinds, kIsListed);
      auto [earlier, found] = vectors.count(kept);
      Value place =
          b.indexCast(vectors.of(index), toWords(b.addf(carried, earlier)));
      place = b.select(kept, place, vectors.splat(b.getIndexAttr(-1)));
      auto write = [&](int64_t which, Value numbers) {
        attn_tile::ScatterOp::create(b, numbers, storedPairs.numbers,
                                     ValueRange{b.index(which), place});
      };
      for (auto [which, value] : shared)
        write(which, toWords(vectors.splat(value)));
      write(isPacked(op) ? int64_t(kKeyStart) : int64_t(kPairKey),
            toWords(getSectionKeys(section, from)));
      if (all.keyLists.blocks)
        write(kPairIsFull, b.extui(vectors.of(word), has(kinds, kIsFull)));
      return b.addf(carried, found);
    });
    // The last program's end is the number of used entries.
    Value isLast = b.eq(number, last);
    Value first = b.select(isLast, b.index(0), b.index(-1));
    attn_tile::ScatterOp::create(b, toWords(end), storedPairs.used,
                                 ValueRange{vectors.onlyFirst(first)});
  }
}

/// Creates the grid that has a program for each pair of the list and, of packed
/// sequences, for each head, and enters its program. The programs of entries
/// that are not used get a tile whose row is past the last one, so that they
/// store nothing, and `isUsed` is false.
BackwardPrograms::StoredTile
BackwardPrograms::createListedGrid(const Section &section) {
  SmallVector<Value> sizes;
  SmallVector<int64_t> steps;
  if (isPacked(op)) {
    sizes = {section.numHeads, groupSize};
    steps = {1, 1};
  }
  sizes.push_back(asValue(apply(dim(0) * own, {storedPairs.count})));
  steps.push_back(own);
  auto grid = createGridOf(op, sizes, steps, schedule);
  grid.getLimitMutable().assign(storedPairs.used);
  auto place = enter(grid);
  StoredTile tile;
  if (isPacked(op)) {
    Value row;
    tile.at = enterTile(op, b, all, storedPairs, place, row);
    tile.row = row;
    tile.number = place[0];
    tile.inGroup = place[1];
    tile.kvHead = b.addi(section.firstHead, tile.number);
    tile.key = readListed(b, storedPairs, kKeyStart, place.back());
  } else {
    auto read = [&](HeadNumber number) {
      return readListed(b, storedPairs, number, place.back());
    };
    tile.number = read(kPairHead);
    enterSection(section, tile);
    tile.inGroup = read(kPairInGroup);
    tile.row = read(kPairRow);
    tile.key = read(kPairKey);
    if (all.keyLists.blocks)
      tile.isFull = b.ne(read(kPairIsFull), b.index(0));
  }
  tile.isUsed = isListed(b, storedPairs, place.back());
  if (!isPacked(op))
    tile.row = b.select(tile.isUsed, tile.row, asValue(countTokens()));
  tile.localKey = b.subi(tile.key, section.firstKey);
  tile.head = getFirstHead(getQueryHead(tile.kvHead, tile.inGroup));
  return tile;
}
