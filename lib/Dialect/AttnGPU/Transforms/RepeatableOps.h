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

/// Whether an op in `program` writes to the memory of the view.
bool isWritten(Value view, Operation *program);

/// Whether the op and its regions have no effect but reads of memory that
/// nothing in `program` writes, so that it yields the same results wherever its
/// operands are available.
bool isRepeatable(Operation *op, Operation *program);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REPEATABLEOPS_H
