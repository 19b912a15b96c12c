//===- ScoreTiling.h - Score regions on tiles -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_SCORETILING_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_SCORETILING_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Indices along one side of a tile: that of its first element, and the last
/// one that exists, which a tile at the end of a sequence reaches beyond.
struct IndexRange {
  Value first, last;
};

/// Inlines the score region of `op` on a tile of scores and returns the tile of
/// new scores. `batch` and `head` are the block's indices. Region ops on values
/// that do not vary within the tile stay scalar. Where an op may trap, as a
/// division does, it sees existing indices only.
Value inlineScore(AttentionOp op, OpBuilder &builder, Value scores, Value batch,
                  Value head, IndexRange rows, IndexRange columns);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_SCORETILING_H
