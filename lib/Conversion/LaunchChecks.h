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

/// Fails with an error if a function contains an op that would access the
/// elements of an array on the host. The host knows only the sizes and GPU
/// addresses of arrays.
LogicalResult checkForGpu(func::FuncOp func);

/// Returns a text with the reason why the inliner has not inlined the calls of
/// a private function.
StringRef findReasonNotInlined(func::FuncOp func, ModuleOp module);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LAUNCHCHECKS_H
