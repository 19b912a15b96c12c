//===- ScoreTiling.h - Score and mask regions on tiles ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H

#include "RowPacking.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::attn {

/// The largest magnitude up to which f32 holds every integer exactly.
inline constexpr int64_t kExactInF32 = 1 << 24;

/// A value of a score region, and the constant factor by which it is
/// multiplied.
struct ScaledScore {
  Value value;
  double factor;
};

/// Whether the softmax may compute the maximum of scores before they are
/// multiplied by `factor`. The factor must be positive, so that the products
/// have the same order. It must also be far from the limits of f32, so that
/// constants computed from it are normal numbers.
inline bool mayFollowMaximum(double factor) {
  return factor > 0x1p-90 && factor < 0x1p90;
}

/// If the score region of `op` yields the product of a value and a constant,
/// returns both; else returns the yielded value and 1. The latter is also
/// returned if mayFollowMaximum() is false for the constant, or if the constant
/// exceeds ln 2 and the value is not the result of a tanh: then the softmax's
/// product of value and factor * log2(e) could overflow.
ScaledScore getScaledScore(AttentionOp op);

/// The position of a tile of scores in the larger problem: its batch entry and
/// head, and the row and key of its first element. Rows are along axis
/// `rowAxis`, keys along the other axis.
struct ScorePlace {
  Value batch, head, row, key;
  int64_t rowAxis;
  /// How the tile's rows are numbered if they belong to several heads; `head`
  /// is then the first of these heads.
  RowPacking packing = {};
  /// An i1 that is true if the rows lie outside of all packed sequences. The
  /// program then has no pairs, and captured arrays may have no element for its
  /// batch entry. Null if the rows always lie in a sequence.
  Value isOfNone = {};
  /// Whether the tiles that the regions read need registers next to those of
  /// accumulators. Their loads and gathers are then marked `beside`.
  bool readsBeside = false;
};

/// Returns a tile with the scalar in all elements; a constant becomes a
/// constant tile.
Value splatScalar(TileBuilder &builder, Value scalar, ArrayRef<int64_t> shape);

/// Emits the score region of `op` for a tile of scores and returns tiles of
/// `results`, which are values of the region. Ops on values that are the same
/// for all pairs of the tile stay scalar, and reads that depend on only one of
/// row and key become vectors.
///
/// The region is also evaluated for positions past the last row and key, if the
/// tile reaches past them. It contains no ops that could trap there, since
/// attn-define-operands has removed these. With `loadsAhead`, loads of captured
/// arrays at row and key are marked `ahead`.
SmallVector<Value> inlineScore(AttentionInterface op, TileBuilder &builder,
                               Value scores, const ScorePlace &place,
                               ValueRange results, bool loadsAhead = false);

/// Emits the mask region of `op` for a tile of pairs and returns a tile of i1
/// that is true for the pairs that the region keeps.
Value inlineMask(AttentionInterface op, TileBuilder &builder,
                 ArrayRef<int64_t> shape, const ScorePlace &place);

/// Whether the op's score region may yield an infinity for a finite score, so
/// that rows that see keys may attend to none of them. The cause may be a
/// constant, a captured float, or a function that has poles. Overflow is not
/// considered.
bool hasPole(AttentionInterface op);

/// A condition `position predicate bound` that scores must fulfil so as not to
/// be masked. Positions are relative to the tile's first row and first key. The
/// position is that of the key (Key), that of the key minus that of the row
/// (Distance), or that of the row (Row).
struct MaskCondition {
  enum class Position { Key, Distance, Row };

  Position position;
  arith::CmpIPredicate predicate;
  OpFoldResult bound;
};

/// Returns `scores` with -inf for those elements for which not all conditions
/// hold; keys are along `keyAxis`. If the tile's rows are not consecutive,
/// `rows` is an i32 vector with the position of each row.
Value maskScores(TileBuilder &b, Value scores, int64_t keyAxis,
                 ArrayRef<MaskCondition> conditions, Value rows = Value());

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCORETILING_H
