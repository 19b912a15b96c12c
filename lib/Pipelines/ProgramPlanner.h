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

/// Registers the implementation of attn_gpu::ProgramPlanner, which builds an
/// op's programs to find their resources, with the attn_gpu dialect.
void registerProgramPlanner(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_LIB_PIPELINES_PROGRAMPLANNER_H
