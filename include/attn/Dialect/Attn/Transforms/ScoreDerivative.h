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

/// Adds ops to a score region that compute the derivatives of what it yields
/// with respect to `variables`, float arguments of it, and returns those, f32,
/// or null where one is 0 everywhere. Forward mode: each op's derivative stands
/// behind the op.
///
/// At a select the branch counts that was taken; maxima and minima of equal
/// operands take half of each; |x| and functions that round have 0 at their
/// kinks. Fails with an error at the first op that has no derivative.
FailureOr<SmallVector<Value>> deriveScore(Block &region,
                                          ArrayRef<BlockArgument> variables);

/// The same where a variable may be several values of the region, floats that
/// are always equal, such as reads of one element.
FailureOr<SmallVector<Value>>
deriveScoreOf(Block &region, ArrayRef<SmallVector<Value>> variables);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_SCOREDERIVATIVE_H
