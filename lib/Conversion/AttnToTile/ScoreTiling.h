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

/// All integers of at most this magnitude are exact in f32.
inline constexpr int64_t kExactInF32 = 1 << 24;

/// A value of a score region, and a constant by which it is multiplied.
struct ScaledScore {
  Value value;
  double factor;
};

/// Whether the softmax may take the maximum of scores before they are
/// multiplied by `factor`: it is positive, so the products have the same order,
/// and constants that are computed from it are normal numbers.
inline bool mayFollowMaximum(double factor) {
  return factor > 0x1p-90 && factor < 0x1p90;
}

/// If the score region of `op` yields the product of a value and a constant,
/// returns both; else the yielded value and 1. Also returns the latter if
/// mayFollowMaximum() is false, or if the value without the factor could exceed
/// the range of exponents: then the factor is larger than ln 2 and the value is
/// no tanh.
ScaledScore getScaledScore(AttentionOp op);

/// How the rows of query heads that share keys are numbered in one tile: row
/// `token` of head `head` of a group has number head * headStep + token *
/// tokenStep. If the steps are null, each head's rowsOfHead rows follow those
/// of the head before.
struct RowPacking {
  /// The number of rows that each head has in the tile; 0 if a tile has rows of
  /// one head only.
  int64_t rowsOfHead = 0;
  Value headStep = {}, tokenStep = {}, group = {};
  /// The number of the tile's first row.
  Value first = {};

  /// Return, for each row of the tile along `axis`, its index in its head, and
  /// the index of its head in the group, as tiles of `type`.
  Value getTokens(TileBuilder &b, RankedTensorType type,
                  int64_t axis = 0) const;
  Value getHeads(TileBuilder &b, RankedTensorType type, int64_t axis = 0) const;
};

/// The position of a tile of scores: its batch entry and head, and the row and
/// key of its first element. Rows are along axis `rowAxis`, keys along the
/// other one.
struct ScorePlace {
  Value batch, head, row, key;
  int64_t rowAxis;
  /// How the tile's rows are numbered if they are of several heads; `head` is
  /// then the first head of the group.
  RowPacking packing = {};
  /// Whether the rows lie outside of packed sequences, so that the program has
  /// no pair and captured arrays may have no element for its batch entry; null
  /// if that is never so.
  Value isOfNone = {};
  /// Whether the tiles that the regions read need registers beside those of
  /// accumulators: their loads and gathers are then marked `beside`.
  bool readsBeside = false;
};

/// Broadcasts a scalar to all elements of a tile.
Value splatScalar(TileBuilder &builder, Value scalar, ArrayRef<int64_t> shape);

/// Emits the score region of `op` for a tile of scores and returns tiles of
/// `results`, which are values of the region. Ops on values that do not vary in
/// the tile stay scalar; reads that depend on the row or on the key alone are
/// emitted as vectors. The region is also evaluated for positions past the last
/// row and key, where the tile ends later than these; attn-define-operands has
/// left nothing in it that could trap there. With `loadsAhead`, loads of
/// captured arrays at row and key are marked `ahead`.
SmallVector<Value> inlineScore(AttentionInterface op, TileBuilder &builder,
                               Value scores, const ScorePlace &place,
                               ValueRange results, bool loadsAhead = false);

/// Emits the mask region of `op` for a tile of pairs and returns a tile of i1,
/// true for pairs that are kept.
Value inlineMask(AttentionInterface op, TileBuilder &builder,
                 ArrayRef<int64_t> shape, const ScorePlace &place);

/// Whether the op's score region may yield an infinity for a finite score,
/// because of a constant, a captured float or a function that has poles, so
/// that rows with keys may attend to nothing. Overflow is not considered.
bool hasPole(AttentionInterface op);

/// A condition `position predicate bound` that holds for scores that are not
/// masked. The position, counted from the tile's first row and key, is the
/// key's, the key's minus the row's, or the row's.
struct MaskCondition {
  enum class Position { Key, Distance, Row };

  Position position;
  arith::CmpIPredicate predicate;
  OpFoldResult bound;
};

/// Returns `scores`, with keys along `keyAxis`, with -inf for elements for
/// which not all conditions hold. If rows are not in the tile's order, `rows`
/// is an i32 vector with the position of each; keys must then be along axis 1.
Value maskScores(TileBuilder &b, Value scores, int64_t keyAxis,
                 ArrayRef<MaskCondition> conditions, Value rows = Value());

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H
