//===- RepeatableOps.h - Ops that may run more than once --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REPEATABLEOPS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REPEATABLEOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn_gpu {

/// Whether an op in `program` has a write effect on `view`, on the array of
/// which it is a view, or on another view of that array.
bool isWritten(Value view, Operation *program);

/// Whether an op and its regions can be executed again elsewhere in the program
/// with the same results. Their only effects may be reads of memory to which
/// nothing in `program` writes.
bool isRepeatable(Operation *op, Operation *program);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REPEATABLEOPS_H
