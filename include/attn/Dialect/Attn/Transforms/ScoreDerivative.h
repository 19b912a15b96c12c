//===- ScoreDerivative.h - Derivatives of score regions ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_SCOREDERIVATIVE_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_SCOREDERIVATIVE_H

#include "mlir/IR/Block.h"

namespace mlir::attn {

/// Adds ops to a score region that compute the derivatives of the yielded score
/// with respect to `variables`, which are float arguments of the region.
/// Returns the derivatives as f32, or null for a derivative that is 0
/// everywhere. The method is forward-mode differentiation: the derivative of
/// each op is inserted after the op.
///
/// A select has the derivative of the operand that it chooses. A maximum or
/// minimum of two equal operands has half the sum of their derivatives. |x| and
/// functions that round have the derivative 0 where they have none. Fails with
/// an error at the first op that has no derivative.
FailureOr<SmallVector<Value>> deriveScore(Block &region,
                                          ArrayRef<BlockArgument> variables);

/// Does what deriveScore() does, but each variable is a list of float values of
/// the region that are always equal, such as several reads of one element. A
/// derivative is then with respect to this common value.
FailureOr<SmallVector<Value>>
deriveScoreOf(Block &region, ArrayRef<SmallVector<Value>> variables);

inline FailureOr<SmallVector<Value>>
deriveScore(Block &region, ArrayRef<BlockArgument> variables) {
  SmallVector<SmallVector<Value>> lists;
  for (BlockArgument variable : variables)
    lists.push_back({variable});
  return deriveScoreOf(region, lists);
}

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_SCOREDERIVATIVE_H
