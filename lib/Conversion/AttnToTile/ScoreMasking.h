//===- ScoreMasking.h - Masks on tiles of scores ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREMASKING_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREMASKING_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// What unmasked scores fulfil: `position predicate bound`, where the position
/// in the tile is the key's, or the key's less the row's, or the row's.
struct MaskCondition {
  enum class Position { Key, Distance, Row };

  Position position;
  arith::CmpIPredicate predicate;
  OpFoldResult bound;
};

/// Returns the tile of `scores`, with keys along `keyAxis`, with -inf where
/// some condition does not hold. `rows`, with keys along axis 1 alone, has the
/// position of each row, an i32 vector, where they are not those of the tile.
Value maskScores(ImplicitLocOpBuilder &b, Value scores, int64_t keyAxis,
                 ArrayRef<MaskCondition> conditions, Value rows = Value());

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREMASKING_H
