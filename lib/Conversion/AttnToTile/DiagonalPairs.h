//===- DiagonalPairs.h - Pairs of tiles within diagonals --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_DIAGONALPAIRS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_DIAGONALPAIRS_H

#include "TileBuilder.h"

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// The pairs of a tile of `own` rows and a tile of `own` keys of which the
/// diagonals of a mask attribute keep some elements, and their numbers: 0, 1, 2
/// and so on, in the order of the tiles of rows and, of one tile of rows, in
/// that of the tiles of keys. A tile of rows counts as if all of its `own` rows
/// existed.
class DiagonalPairs {
public:
  /// Regards the `tilesOfKeys` tiles of keys from key `firstKey` on, a multiple
  /// of `own`. `diagonal` is that of SequenceView.
  DiagonalPairs(TileBuilder &b, MaskAttr mask, int64_t own,
                OpFoldResult diagonal, OpFoldResult firstKey,
                Value tilesOfKeys);

  /// Returns the number of pairs of tiles of rows before `tileOfRows`.
  Value countBefore(Value tileOfRows);
  /// Returns the number of the pair of a tile of rows and a tile of keys, which
  /// is counted from `firstKey` on.
  Value getNumber(Value tileOfRows, Value tileOfKeys);
  /// Returns the largest number of tiles of keys that a tile of rows has pairs
  /// with, for the given diagonal or, if that is std::nullopt, for any.
  /// Returns std::nullopt if the mask has only one diagonal, so that the number
  /// of keys bounds it.
  static std::optional<int64_t> getWidth(MaskAttr mask, int64_t own,
                                         std::optional<int64_t> diagonal);

private:
  Value sumBefore(Value end);
  Value clamp(Value number);

  TileBuilder &b;
  Value tilesOfKeys;
  /// Tile r of rows has pairs with the tiles [r + first, r + end) of keys, as
  /// far as these exist. Null if the mask has no lower or no upper diagonal.
  Value first, end;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_DIAGONALPAIRS_H
