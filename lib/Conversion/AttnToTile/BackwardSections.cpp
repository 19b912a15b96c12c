//===- BackwardSections.cpp - Sections whose scores are stored ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops over sections of heads and keys, and the grids of a section; see
// BackwardStored.cpp for their programs.
//
// The number of pairs of packed sequences is known only when kernels run. The
// memory of P and dS has all rows of the query array, so each sequence has rows
// of its own there, and a section has the same keys, counted from the first, of
// each sequence. There are as many sections as one sequence of all keys would
// need. For each section, grids list the tiles that the sequences have in it,
// and kernels read how many these are: a section past the end of the longest
// sequence takes only the time of its launches. Pairs of tiles are also listed
// under masks (BackwardStoredPairs.cpp).
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns the number of columns of a gradient's tiles if it has `columns`
/// columns: a multiple of 64 (a swizzled panel), at most 256 (the columns of an
/// MMA's result), and such that all tiles have about as many.
int64_t BackwardPrograms::getTileColumns(int64_t columns) {
  constexpr int64_t kPanel = 64, kMost = 256;
  return llvm::alignTo<kPanel>(
      llvm::divideCeil(columns, llvm::divideCeil(columns, kMost)));
}

/// Emits the loops over all sections and, in them, the grids of a section.
void BackwardPrograms::emitSections(const Sections &all, Value dQuery) {
  Value zero = b.index(0);
  Section section;
  auto overParts = [&](Value all, Value end, Value step, Value &first,
                       Value &count, function_ref<void()> emit) {
    auto loop = scf::ForOp::create(b, zero, end, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    first = loop.getInductionVar();
    count = b.minuiOrFold(step, b.subi(all, first));
    emit();
  };
  auto overHeads = [&](function_ref<void()> emit) {
    overParts(all.heads, all.heads, all.headsOfSection, section.firstHead,
              section.numHeads, emit);
  };
  auto overKeys = [&](function_ref<void()> emit) {
    if (all.isOneOfKeys) {
      section.firstKey = zero;
      section.numKeys = all.keys;
      return emit();
    }
    // Without keys, one section stores zeros as d_query.
    overParts(all.keys, b.maxuiOrFold(all.keys, b.index(1)), all.keysOfSection,
              section.firstKey, section.numKeys, emit);
  };
  if (!isPacked(op)) {
    if (listsPairs()) {
      // Under diagonals alone, a launch with more rows or keys must not need
      // less memory. Its sections may have fewer heads, so these do not decide
      // the size of the list there: the memory of P and dS has as many pairs
      // for any section.
      Value heads =
          numbersPairs() && !keepsKinds() ? all.heads : all.headsOfSection;
      createPairList(numberRowTile(getQueryHead(heads, zero), zero));
    }
    return overHeads([&] {
      overKeys([&] {
        if (storedPairs.numbers)
          listStoredPairs(section);
        emitSection(section, dQuery);
      });
    });
  }
  // The lists of a section's tiles are the same for all heads, so they are
  // written before the loop over heads.
  auto create = [&](PackedTiles &tiles, bool ofKeys) {
    tiles = createPackedTiles(op, b, ofKeys, ofKeys ? own : ofTile.tokens);
    tiles.used = allocate({b.getIndexAttr(1)}, b.getI32Type());
  };
  create(sectionRows, /*ofKeys=*/false);
  if (op.getGradient(Gradients::Key) || op.getGradient(Gradients::Value))
    create(sectionKeys, /*ofKeys=*/true);
  createPairList(asValue(sectionRows.count));
  overKeys([&] {
    KeySection keys = {b.divui(section.firstKey, b.index(own)), tilesOfSection,
                       own};
    for (PackedTiles *tiles : {&sectionRows, &sectionKeys})
      if (tiles->numbers)
        listSectionTiles(op, b, *tiles, tiles == &sectionKeys, keys,
                         schedule.getRowwise(), unit);
    listStoredPairs(section);
    overHeads([&] { emitSection(section, dQuery); });
  });
}

/// Creates the grid over a section's tiles and moves the builder into its
/// program. With TilesOf::Pairs these are tiles of rows x keys; with Keys or
/// Rows, they are tiles of keys or rows x columns of the gradient `out`.
BackwardPrograms::StoredTile
BackwardPrograms::createStoredGrid(const Section &section, TilesOf kind,
                                   Value out) {
  if (kind == TilesOf::Pairs && storedPairs.numbers)
    return createListedGrid(section);
  bool ofKeys = kind == TilesOf::Keys, ofPairs = kind == TilesOf::Pairs;
  SmallVector<Value> sizes = {section.numHeads};
  SmallVector<int64_t> steps = {1};
  auto addDim = [&](Value size, int64_t step) {
    sizes.push_back(size);
    steps.push_back(step);
    return sizes.size() - 1;
  };
  auto addColumns = [&] {
    Value columns = asValue(getSize(out, 3));
    return addDim(columns, getTileColumns(*getConstantIntValue(columns)));
  };
  StoredTile tile;
  unsigned columns = 0;
  if (!ofKeys)
    addDim(groupSize, 1);
  if (isPacked(op)) {
    const PackedTiles &tiles = ofKeys ? sectionKeys : sectionRows;
    columns = addColumns();
    addDim(asValue(apply(dim(0) * tiles.step, {tiles.count})), tiles.step);
    auto grid = createGridOf(op, sizes, steps, schedule);
    grid.getLimitMutable().assign(tiles.used);
    auto place = enter(grid);
    Value position;
    tile.at = enterTile(op, b, all, tiles, place, position);
    tile.number = place[0];
    tile.kvHead = b.addi(section.firstHead, tile.number);
    (ofKeys ? tile.key : tile.row) = position;
    tile.column = place[columns];
    if (tile.key)
      tile.localKey = b.subi(tile.key, section.firstKey);
    if (!ofKeys) {
      tile.inGroup = place[1];
      tile.head = getFirstHead(getQueryHead(tile.kvHead, tile.inGroup));
      tile.numberOfRows =
          asValue(apply(dim(0).floorDiv(tiles.step), {place.back()}));
    }
    return tile;
  }
  unsigned rows =
      ofKeys ? 0
             : addDim(asValue(ofPairs ? countTokens() : getSize(out, 2)),
                      ofTile.tokens);
  unsigned keys = 0;
  if (kind != TilesOf::Rows)
    keys = addDim(section.numKeys, own);
  if (!ofPairs)
    columns = addColumns();
  auto place = enter(createGridOf(op, sizes, steps, schedule));
  tile.number = place[0];
  enterSection(section, tile);
  if (rows) {
    tile.inGroup = place[1];
    tile.head = getFirstHead(getQueryHead(tile.kvHead, tile.inGroup));
    tile.row = place[rows];
    tile.numberOfRows =
        numberRowTile(getQueryHead(tile.number, tile.inGroup), tile.row);
  }
  if (keys) {
    tile.localKey = place[keys];
    tile.key = asValue(apply(dim(0) + dim(1), {section.firstKey, place[keys]}));
  }
  if (columns)
    tile.column = place[columns];
  return tile;
}

/// Sets `tile.kvHead` and `tile.at`, the view of the batch entry that has this
/// key head. Its index in the section is `tile.number`; a section counts key
/// heads through all batch entries.
void BackwardPrograms::enterSection(const Section &section, StoredTile &tile) {
  OpFoldResult heads = getSize(op.getKey(), 1);
  OpFoldResult number =
      apply(dim(0) + dim(1), {section.firstHead, tile.number});
  Value batch;
  if (std::optional<int64_t> count = getConstantIntValue(heads)) {
    batch = asValue(apply(dim(0).floorDiv(*count), {number}));
    tile.kvHead = asValue(apply(dim(0) % *count, {number}));
  } else {
    batch = divideHeads(asValue(number), asValue(heads));
    tile.kvHead = b.subi(asValue(number), b.muli(batch, asValue(heads)));
  }
  tile.at = enterBatch(op, b, all, batch);
}

/// Returns the query head (the tile of heads) that has index `number` in the
/// group of those of a head of keys: kvHead * groupSize + number.
Value BackwardPrograms::getQueryHead(Value kvHead, Value number) {
  return b.addiOrFold(b.muliOrFold(kvHead, groupSize), number);
}

/// Returns the first query head of a tile of heads.
Value BackwardPrograms::getFirstHead(Value tileOfHeads) {
  return asValue(apply(dim(0) * ofTile.heads, {tileOfHeads}));
}

/// Returns where the rows of token `token` begin in arrays that have rows of
/// tiles of heads in the order of tokens.
OpFoldResult BackwardPrograms::placeOfToken(OpFoldResult token) {
  return apply(dim(0) * ofTile.heads, {token});
}

/// Returns the number of tokens of the arrays of query and d_output.
OpFoldResult BackwardPrograms::countTokens() {
  return apply(dim(0).floorDiv(ofTile.heads), {getSize(query, 2)});
}
