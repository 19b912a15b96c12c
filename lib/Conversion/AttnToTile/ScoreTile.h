//===- ScoreTile.h - A tile of scores in gradients --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILE_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILE_H

#include "SequenceView.h"

namespace mlir::attn {

/// A tile of scores, together with the tiles and vectors from which its
/// gradients are computed. Rows are along axis `rowAxis`, keys along the other
/// axis.
struct ScoreTile {
  int64_t rowAxis;
  SequenceView at;
  /// The query head, the tile's first row and its first key. If the tile has
  /// rows of several heads (`at.packing`), the first of these heads, and the
  /// first row of each.
  Value head, row, key;
  /// An i1: whether some pairs of the tile may be masked.
  Value partial;
  Value queryTile, keyTile, valueTile, dOutputTile;
  /// The tiles of 8 bits from which scores are computed instead of from
  /// `queryTile` and `keyTile`, or null.
  Value narrowQueryTile, narrowKeyTile;
  /// The f32 factors by which products of query and key, as the arrays store
  /// them, become scores (see emitScores()). `scoreFactor`, a number, or
  /// `scoreScales`, a vector with an element for each row, includes the op's
  /// scale; `keyScales` is a vector with an element for each key. All are null
  /// if query and key have no scales.
  Value scoreFactor, scoreScales, keyScales;
  /// The factors of dS before dS is rounded for d_key: `queryScales`, a vector
  /// with an element for each row, or `queryFactor`, a number, or neither. For
  /// d_query, the factor is `keyScales`.
  Value queryScales, queryFactor;
  /// The factors of dP: a number, and a vector with an element for each key; or
  /// null.
  Value valueFactor, valueScales;
  /// Vectors with an element for each row. `bias` is the lse, which is
  /// subtracted from scores before exp; it is in units of log2 unless
  /// roundsScores(). `delta` is the sum of output times d_output, minus d_lse.
  Value bias, delta;
  /// The tile of d_output rounded to f8E4M3FN, and the vector by whose elements
  /// the rows of its product with values are multiplied. Null unless programs
  /// read `roundedRows`.
  Value roundedTile, roundedScales;
  /// A tile of i1: the pairs that dropout keeps. Null without dropout.
  Value keep;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILE_H
