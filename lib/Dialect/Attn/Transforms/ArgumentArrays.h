//===- ArgumentArrays.h - Arrays that may be arguments ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_ARGUMENTARRAYS_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_ARGUMENTARRAYS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// Returns whether an array may be an argument of its function, or a part of
/// one. Views, casts, selects, and the values that regions yield and branches
/// pass are followed. A memref that an op without effects makes of other arrays
/// may be an argument if one of these may. A memref whose memory is not known,
/// such as one that is read from memory, may be an argument. A tensor that an
/// op computes is a new array. Numbers are no arrays.
bool mayBeArgument(Value array);

/// Whether an op, or an op in its regions, may write to an argument of the
/// function (see mayBeArgument()). An op whose effects are not known, such as a
/// call, may write to each array that is its operand. The backward function has
/// copies of all ops of the function but the attention op. A copy that writes
/// would overwrite arrays that the gradients read, as would an op that follows
/// the attention op and changes its output.
bool mayWriteToArgument(Operation *op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_ARGUMENTARRAYS_H
