//===- ScoreDerivative.h - Derivatives of score regions -*- C++ -*
//------------===//
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

/// Adds ops to a score region that compute the derivative of what it yields
/// with respect to `variable`, one of its float arguments, and returns that, or
/// null if it is 0 everywhere. Forward mode: each op's derivative stands behind
/// the op.
///
/// At a select the branch counts that was taken; maxima and minima of equal
/// operands take half of each; |x| and functions that round have 0 at their
/// kinks. Fails with an error at the first op that has no derivative.
FailureOr<Value> deriveScore(Block &region, BlockArgument variable);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_SCOREDERIVATIVE_H
