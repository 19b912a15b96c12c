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
/// with respect to `variables`, float arguments of the region. Returns the
/// derivatives as f32, or null for one that is 0 everywhere. This is
/// forward-mode differentiation: each op's derivative is inserted after the op.
///
/// A select has the derivative of the operand that it takes. A maximum or
/// minimum of equal operands has half the sum of their derivatives; |x| and
/// functions that round have the derivative 0 at their kinks. Fails with an
/// error at the first op that has no derivative.
FailureOr<SmallVector<Value>> deriveScore(Block &region,
                                          ArrayRef<BlockArgument> variables);

/// The same as deriveScore(), except that each variable is a list of float
/// values of the region that are always equal, such as several reads of one
/// element.
FailureOr<SmallVector<Value>>
deriveScoreOf(Block &region, ArrayRef<SmallVector<Value>> variables);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_SCOREDERIVATIVE_H
