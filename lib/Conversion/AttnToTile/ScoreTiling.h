//===- ScoreTiling.h - Score and mask regions on tiles ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H

#include "TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::attn {

/// Integers of lower magnitude are exact in f32.
inline constexpr int64_t kExactInF32 = 1 << 24;

/// A value of a score region, and a constant by which it is multiplied.
struct ScaledScore {
  Value value;
  double factor;
};

/// Whether the maximum of scores may be taken before their product with
/// `factor`: the product keeps their order, and constants computed from it are
/// normal numbers.
inline bool mayFollowMaximum(double factor) {
  return factor > 0x1p-90 && factor < 0x1p90;
}

/// Returns the value that the score region of `op` multiplies last by a
/// constant, and that constant, else the value that the region yields, and 1. A
/// constant stays in the region if it may not follow the maximum, or takes
/// large finite scores out of the range of exponents.
ScaledScore getScaledScore(AttentionOp op);

/// How rows of several heads that share keys are numbered: row `token` of head
/// `head` of a group is number head * headStep + token * tokenStep. Without
/// steps, heads are one after another.
struct RowPacking {
  /// The number of rows that each head has, or 0 if a tile has rows of one head
  /// only.
  int64_t rowsOfHead = 0;
  Value headStep = {}, tokenStep = {}, group = {};
  /// The number of the tile's first row.
  Value first = {};

  /// Return the number of each row, along `axis`, in its head, and its head's
  /// number in the group, as a tile of `type`.
  Value getTokens(TileBuilder &b, RankedTensorType type,
                  int64_t axis = 0) const;
  Value getHeads(TileBuilder &b, RankedTensorType type, int64_t axis = 0) const;
};

/// The position of a tile of scores: its batch entry and head, and the row and
/// key of its first element. Rows are along `rowAxis`, keys along the other
/// axis.
struct ScorePlace {
  Value batch, head, row, key;
  int64_t rowAxis;
  /// Of rows of several heads, counted from the first row of `head`.
  RowPacking packing = {};
  /// Whether the program has no pair and arrays may have no element for its
  /// batch entry; null if it never is.
  Value isOfNone = {};
};

/// Broadcasts a scalar to all elements of a tile.
Value splatScalar(TileBuilder &builder, Value scalar, ArrayRef<int64_t> shape);

/// Inlines the score region of `op` on a tile of scores and returns the tiles
/// of `results`, values of the region. Region ops on values that do not vary
/// within the tile stay scalar; reads that depend on the row or on the key
/// alone are vectors. The region also gets indices past the last row and key,
/// where the tile reaches beyond: attn-define-operands has left nothing that
/// could trap there. With `loadsAhead`, tiles of arrays of pairs are loaded
/// ahead, if the target can.
SmallVector<Value> inlineScore(AttentionInterface op, TileBuilder &builder,
                               Value scores, const ScorePlace &place,
                               ValueRange results, bool loadsAhead = false);

/// Inlines the mask region of `op` and returns a tile of i1, true for pairs
/// that count.
Value inlineMask(AttentionInterface op, TileBuilder &builder,
                 ArrayRef<int64_t> shape, const ScorePlace &place);

/// Whether the op's score region may yield an infinity for a finite score, so
/// that rows with keys may have nothing to attend to: by a constant, a capture,
/// or a function that has poles. Overflow is not considered.
bool hasPole(AttentionInterface op);

/// A condition that unmasked scores fulfil: `position predicate bound`, where
/// the position in the tile is the key's, the key's minus the row's, or the
/// row's.
struct MaskCondition {
  enum class Position { Key, Distance, Row };

  Position position;
  arith::CmpIPredicate predicate;
  OpFoldResult bound;
};

/// Returns the tile of `scores`, with keys along `keyAxis`, with -inf where
/// some condition does not hold. `rows`, which requires keys along axis 1, is
/// an i32 vector with the position of each row, if rows are not in the tile's
/// order.
Value maskScores(TileBuilder &b, Value scores, int64_t keyAxis,
                 ArrayRef<MaskCondition> conditions, Value rows = Value());

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H
