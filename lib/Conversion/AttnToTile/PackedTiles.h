//===- PackedTiles.h - Lists of tiles of packed sequences -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_PACKEDTILES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_PACKEDTILES_H

#include "SequenceView.h"

namespace mlir::attn {

/// A list, in memory, of the tiles of all packed sequences. A grid writes the
/// list, since the tiles are only known when the kernel runs.
struct PackedTiles {
  /// An i32 array of kNumbers x tiles: for each tile, the values that
  /// PackedNumber names.
  Value numbers;
  /// The number of rows (or keys, in a list of tiles of keys) of a tile.
  int64_t step = 0;
  OpFoldResult count;
  /// In lists of a section: an i32 array of one element, the number of
  /// entries that are used.
  Value used = {};
  /// Whether entries that are not used hold anything, and not zeros. They are
  /// read as zeros.
  bool hasUnwritten = false;
};
/// The values that the list of packed tiles has for each tile: the index of the
/// tile's sequence, the sequence's first row and number of rows, its first key
/// and number of keys, the index of its first unit (see listPackedTiles) in
/// vectors with an element for each row, and the tile's first row or key,
/// relative to the beginning of the sequence. In a list of tiles of pairs,
/// kTileStart is the first row, and kKeyStart the first key.
enum PackedNumber {
  kSequence,
  kFirstRow,
  kNumRows,
  kFirstKey,
  kNumKeys,
  kFirstUnit,
  kTileStart,
  kNumbers,
  kKeyStart = kNumbers,
  kNumbersOfPairs
};
/// The values that a list of tiles of pairs has for each tile if sequences are
/// not packed: the index of the tile's key head in its section, the index of
/// its query head in the key head's group, the first row and the first key, and
/// whether the lists of blocks say that no pair is masked.
enum HeadNumber {
  kPairHead,
  kPairInGroup,
  kPairRow,
  kPairKey,
  kPairIsFull,
  kNumbersOfHeadPairs
};
/// Emits a grid that writes the list of the tiles of all packed sequences; the
/// tiles of shorter sequences come first. Tiles have `step` rows or, with
/// `ofKeys`, `step` keys. Rows outside of all sequences are in tiles whose rows
/// see no key, and keys outside of all sequences are in tiles that no row sees.
///
/// Vectors in memory with an element for each row, such as delta, are padded so
/// that each sequence has a whole number of units of `unit` elements. If there
/// are no such vectors, `unit` is 0.
PackedTiles listPackedTiles(AttentionInterface op, TileBuilder &b, bool ofKeys,
                            int64_t step, TileSizesAttrInterface rowwise,
                            int64_t unit = 0);
/// Whether tiles are tiles of rows, of keys, or of pairs of rows and keys.
enum class TilesOf { Rows, Keys, Pairs };
/// The part of the keys of each packed sequence that a section has: those of
/// the `numTiles` tiles of `step` keys from tile `firstTile` on that the
/// sequence has.
struct KeySection {
  Value firstTile, numTiles;
  int64_t step;
};
/// Allocates a list of tiles of `step` rows or, with `ofKeys`, keys.
PackedTiles createPackedTiles(AttentionInterface op, TileBuilder &b,
                              bool ofKeys, int64_t step);
/// Emits a grid that writes the list of a section's tiles to `tiles`. Tiles of
/// keys include those outside of all sequences, which no row sees. Tiles of
/// rows are those of sequences with keys in the section and, if the section
/// begins at tile 0, all others. `unit` has the same meaning as in
/// listPackedTiles(). List entries past the used ones are zeros.
void listSectionTiles(AttentionInterface op, TileBuilder &b,
                      const PackedTiles &tiles, bool ofKeys,
                      const KeySection &section, TileSizesAttrInterface rowwise,
                      int64_t unit);
/// Reads number `number` (PackedNumber or HeadNumber) from the list, for the
/// tile of the program whose grid coordinate along the list is `position`.
Value readListed(TileBuilder &b, const PackedTiles &tiles, int64_t number,
                 Value position);
/// Whether the entry at the grid coordinate `position` is one of the list's
/// used entries.
Value isListed(TileBuilder &b, const PackedTiles &tiles, Value position);
/// Creates a grid with one program for each tile of the list of packed tiles
/// and each of `heads` heads.
attn_tile::GridOp createPackedGrid(AttentionInterface op, TileBuilder &b,
                                   const PackedTiles &tiles, OpFoldResult heads,
                                   TileSizesAttrInterface schedule);
/// Returns the SequenceView of the program with these grid coordinates: that of
/// its tile's sequence if sequences are packed, else that of its batch entry.
/// Sets `position` to the tile's first row or key in that sequence or entry.
SequenceView enterTile(AttentionInterface op, TileBuilder &b,
                       const SequenceView &all, const PackedTiles &tiles,
                       ValueRange coordinates, Value &position);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PACKEDTILES_H
