//===- LaunchChecks.h - What functions for a GPU may hold -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LAUNCHCHECKS_H
#define ATTN_LIB_CONVERSION_LAUNCHCHECKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {

/// Fails with an error at an op that would access an array's elements on the
/// host: the host knows only the arrays' sizes and GPU addresses.
LogicalResult checkForGpu(func::FuncOp func);

/// Returns the reason why the inliner has not inlined calls of a private
/// function.
StringRef findReasonNotInlined(func::FuncOp func, ModuleOp module);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LAUNCHCHECKS_H
