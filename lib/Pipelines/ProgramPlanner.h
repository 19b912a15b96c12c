//===- ProgramPlanner.h - Plans kernels by building programs ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PIPELINES_PROGRAMPLANNER_H
#define ATTN_LIB_PIPELINES_PROGRAMPLANNER_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::attn {

/// Registers with the attn_gpu dialect the implementation of
/// attn_gpu::ProgramPlanner, which builds an attention op's programs to find
/// what resources they need.
void registerProgramPlanner(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_LIB_PIPELINES_PROGRAMPLANNER_H
