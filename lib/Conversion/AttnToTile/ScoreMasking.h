//===- ScoreMasking.h - Masks, sinks and dropout ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREMASKING_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREMASKING_H

#include "SequenceView.h"

namespace mlir::attn {

/// Whether the mask region keeps different pairs for different heads.
bool masksByHead(AttentionInterface op);
/// Whether a row may see no key although there are keys. Score and mask
/// regions, a mask attribute, true lengths and missing pages may exclude all
/// keys of a row. A causal mask that is aligned top left, without a lower
/// diagonal and an origin, never does, since each row sees key 0.
bool mayLeaveOutKeys(AttentionInterface op);
/// Returns the conditions under which pairs are valid, for a tile of
/// `numTileKeys` keys that begins at `row` and `key`: those of the mask
/// attribute's diagonals and that of the number of keys. The latter is omitted
/// if at.numKeys is known to be a multiple of `numTileKeys`.
SmallVector<MaskCondition>
getMaskConditions(AttentionInterface op, TileBuilder &b, const SequenceView &at,
                  OpFoldResult row, OpFoldResult key, int64_t numTileKeys);
/// Returns the scores of a block with -inf for masked pairs; keys are along
/// `keyAxis`. The conditions of getConditions() are tested in a branch that is
/// taken if the block is `partial`. The mask region is evaluated in the same
/// branch if the compiler can derive that some blocks are full, else for each
/// block. Nothing is emitted if there are neither conditions nor a mask region.
Value maskPartial(AttentionInterface op, TileBuilder &b, const SequenceView &at,
                  Value scores, Value partial, int64_t keyAxis,
                  const ScorePlace &place,
                  function_ref<SmallVector<MaskCondition>()> getConditions);
/// Returns the position, in the larger problem that the op is part of, of a
/// tile of scores that begins at row `row` and key `key` of the op.
ScorePlace getScorePlace(TileBuilder &b, const SequenceView &at, Value head,
                         Value row, Value key, int64_t rowAxis);
/// Returns a vector of `rows` elements that all are the sink of query head
/// `head` in f32, or null if the op has no sinks. `isOfNone` is null or an i1
/// that is true at run time if the rows lie outside of all packed sequences;
/// the elements are then -inf.
Value emitSink(AttentionInterface op, TileBuilder &b, Value head, int64_t rows,
               Value isOfNone = Value());
/// Returns the lse of `rows` rows that see no key: the sink where it is finite,
/// else -inf. `sink` is the vector of the rows' sinks, or null if the op has no
/// sinks.
Value emitEmptyLse(TileBuilder &b, Value sink, int64_t rows);
/// Returns a tile of i1 that says whether dropout keeps each pair of the tile
/// of scores at `place`, or null if the op has no dropout.
Value emitKeep(AttentionInterface op, TileBuilder &b, ArrayRef<int64_t> shape,
               const SequenceView &at, const ScorePlace &place);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREMASKING_H
