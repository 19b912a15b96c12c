//===- BackwardStoredMemory.cpp - The memory of stored scores -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the tiles of P and dS (see BackwardStored.cpp) lie in memory, and how
// many heads and keys a section has so that they fit there:
//
// - Under a mask attribute with diagonals, memory has the pairs of tiles of
//   which the diagonals keep some elements, one after the other, so that a
//   window of w keys takes about rows x w elements. See DiagonalPairs for the
//   number of a pair.
// - Packed sequences begin anywhere in the arrays, so memory has all rows, and
//   of each row a number of tiles of keys: all of a section or, under a window,
//   as many as a tile of rows sees. The latter are consecutive, so the number
//   of a tile modulo that number says where it lies.
// - Otherwise memory has all pairs of a section's rows and keys: ranges of mask
//   regions, and masks that read arrays, have a number of pairs that only
//   kernels know, and tiles with rows of several heads are few.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"
#include "DiagonalPairs.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

/// The largest number of bytes that P and dS of a section take together, unless
/// those of one tile of keys take more.
static constexpr int64_t kSectionBytes = int64_t(512) << 20;

/// Whether the memory of P and dS has only the pairs of tiles of which the
/// diagonals of the mask attribute keep some elements.
bool BackwardPrograms::numbersPairs() {
  MaskAttr mask = op.getMaskAttr();
  return !isPacked(op) && ofTile.heads == 1 && mask &&
         (mask.getLowerDiagonal() || mask.getUpperDiagonal());
}

/// Returns the offset of the mask's main diagonal if it is a constant that is
/// the same for all batch entries.
std::optional<int64_t> BackwardPrograms::getConstantDiagonal() {
  MaskAttr mask = op.getMaskAttr();
  if (isPacked(op) ||
      (op.isRagged() && mask.getAlignment() == Alignment::BottomRight))
    return std::nullopt;
  return getConstantIntValue(all.diagonal);
}

/// Decides how many heads and keys a section has, if an element of P and those
/// of dS take `bytesOfPair` bytes. Sets `memory` to the sizes of the memory of
/// P and to those of dS, and sets `tilesOfSection` and `pairsOfHead`.
BackwardPrograms::Sections
BackwardPrograms::planSections(int64_t bytesOfPair,
                               SmallVectorImpl<OpFoldResult> &memory) {
  Value one = b.index(1);
  auto countTiles = [&](OpFoldResult size) -> Value {
    return b.maxsiOrFold(asValue(apply(dim(0).ceilDiv(own), {size})), one);
  };

  // Sizes may be 0.
  OpFoldResult rows = getSize(query, 2), keys = getSize(op.getKey(), 2);
  Value heads = b.muliOrFold(asValue(getSize(op.getKey(), 0)),
                             asValue(getSize(op.getKey(), 1)));
  Value tilesOfKeys = countTiles(keys);
  MaskAttr mask = op.getMaskAttr();
  std::optional<int64_t> diagonal = mask ? getConstantDiagonal() : std::nullopt;
  std::optional<int64_t> width =
      mask ? DiagonalPairs::getWidth(mask, own, diagonal) : std::nullopt;
  Value headsOfSection;
  if (numbersPairs()) {
    Value tilesOfRows = countTiles(rows);
    Value room = b.index(
        std::max<int64_t>(kSectionBytes / (bytesOfPair * own * own), 1));
    Value roomOfHead = b.divuiOrFold(room, b.maxsiOrFold(groupSize, one));
    // All pairs of a head. If only a launch knows the diagonal, this is the
    // largest number for any diagonal.
    Value columns =
        width ? b.minsiOrFold(b.index(*width), tilesOfKeys) : tilesOfKeys;
    Value ofHead = diagonal ? DiagonalPairs(b, mask, own, all.diagonal,
                                            b.getIndexAttr(0), tilesOfKeys)
                                  .countBefore(tilesOfRows)
                            : b.muliOrFold(tilesOfRows, columns);
    ofHead = b.maxsiOrFold(ofHead, one);
    Value isWhole = b.uleOrFold(ofHead, roomOfHead);
    // A section of s tiles of keys has pairs with all tiles of rows or, under a
    // window of w tiles, with s + w of them, and with at most w tiles of keys
    // beside a tile of rows. So there is room for s tiles if there is for
    // (s + w) * w pairs or, where s is at most w, for 2 w * s.
    Value some = b.maxsiOrFold(b.divuiOrFold(roomOfHead, tilesOfRows), one);
    if (width) {
      Value ofWidth = b.divuiOrFold(roomOfHead, b.index(*width));
      some = b.maxsiOrFold(some, b.subiOrFold(ofWidth, b.index(*width)));
      some =
          b.maxsiOrFold(some, b.minsiOrFold(b.divuiOrFold(ofWidth, b.index(2)),
                                            b.index(*width)));
    }
    some = b.minsiOrFold(some, tilesOfKeys);
    tilesOfSection = b.selectOrFold(isWhole, tilesOfKeys, some);
    Value rowsOfSome = tilesOfRows, columnsOfSome = some;
    if (width) {
      rowsOfSome =
          b.minsiOrFold(rowsOfSome, b.addiOrFold(some, b.index(*width)));
      columnsOfSome = b.minsiOrFold(columnsOfSome, b.index(*width));
    }
    pairsOfHead = b.selectOrFold(isWhole, ofHead,
                                 b.muliOrFold(rowsOfSome, columnsOfSome));
    Value ofGroup = b.muliOrFold(pairsOfHead, groupSize);
    headsOfSection = b.maxsiOrFold(
        b.minsiOrFold(b.divuiOrFold(room, b.maxsiOrFold(ofGroup, one)), heads),
        one);
    // More rows or keys must not need less memory, so if sections do not have
    // all heads, memory has the room of any section.
    Value needed = b.muliOrFold(headsOfSection, ofGroup);
    Value total = b.muliOrFold(b.muliOrFold(heads, groupSize), ofHead);
    if (!getConstantIntValue(needed))
      needed =
          b.selectOrFold(b.uleOrFold(total, room), b.maxsiOrFold(total, one),
                         b.maxsiOrFold(needed, room));
    memory.assign({getAsOpFoldResult(needed), b.getIndexAttr(1),
                   b.getIndexAttr(own), b.getIndexAttr(own)});
  } else {
    Value bytesOfKeys =
        b.muliOrFold(b.maxsiOrFold(b.muliOrFold(groupSize, asValue(rows)), one),
                     b.index(bytesOfPair * own));
    Value parts =
        b.maxsiOrFold(b.divuiOrFold(b.index(kSectionBytes), bytesOfKeys), one);
    tilesOfSection = b.minsiOrFold(parts, tilesOfKeys);
    Value columns = tilesOfSection;
    if (width) {
      tilesOfSection = b.selectOrFold(b.uleOrFold(b.index(*width), parts),
                                      tilesOfKeys, tilesOfSection);
      columns = b.minsiOrFold(tilesOfSection, b.index(*width));
    }
    headsOfSection =
        b.maxsiOrFold(b.minsiOrFold(b.divuiOrFold(parts, columns), heads), one);
    memory.assign({getAsOpFoldResult(b.muliOrFold(headsOfSection, groupSize)),
                   getAsOpFoldResult(columns), rows, b.getIndexAttr(own)});
  }
  Value step = b.muliOrFold(tilesOfSection, b.index(own));
  std::optional<int64_t> numKeys = getConstantIntValue(keys);
  std::optional<int64_t> numStep = getConstantIntValue(step);
  return {heads, headsOfSection, asValue(keys), step,
          numKeys && numStep && *numKeys <= *numStep};
}

/// Returns the indices, in the memory of P or dS, of the first element of a
/// stored tile, or of a part of one. The tile begins at row `row` and at key
/// `localKey`, counted from the section's first key. `inGroup` is the query
/// head's index in its group. The tile of an entry of the list of pairs that is
/// not used lies outside of the memory. Rows of `own` elements follow each
/// other in memory: a static length, which any kind of copy takes.
SmallVector<Value> BackwardPrograms::placeStored(const Section &section,
                                                 const StoredTile &tile,
                                                 Value inGroup, Value row,
                                                 Value localKey) {
  Value head = getQueryHead(tile.number, inGroup);
  Value size = b.index(own);
  Value tileOfKeys = b.divui(localKey, size);
  Value keyOfTile = b.remui(localKey, size);
  MaskAttr mask = op.getMaskAttr();
  if (!numbersPairs()) {
    std::optional<int64_t> width =
        isPacked(op) && mask ? DiagonalPairs::getWidth(mask, own, std::nullopt)
                             : std::nullopt;
    if (width)
      tileOfKeys = b.remui(tileOfKeys, b.index(*width));
    return {head, tileOfKeys, asValue(placeOfToken(row)), keyOfTile};
  }
  DiagonalPairs pairs(b, mask, own, tile.at.diagonal, section.firstKey,
                      tilesOfSection);
  Value number = b.addi(b.muli(head, pairsOfHead),
                        pairs.getNumber(b.divui(row, size), tileOfKeys));
  Value rowOfTile = b.remui(row, size);
  if (tile.isUsed) {
    number = b.select(tile.isUsed, number, b.index(0));
    rowOfTile = b.select(tile.isUsed, rowOfTile, size);
  }
  return {number, b.index(0), rowOfTile, keyOfTile};
}
