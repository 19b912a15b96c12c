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

/// Inlines the score region of `op` on a tile of scores and returns the tile of
/// new scores. `batch` and `head` are the block's indices, `row` and `column`
/// the indices of the tile's first element. Region ops on values that do not
/// vary within the tile stay scalar.
Value inlineScore(AttentionOp op, OpBuilder &builder, Value scores, Value batch,
                  Value head, Value row, Value column);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_SCORETILING_H
