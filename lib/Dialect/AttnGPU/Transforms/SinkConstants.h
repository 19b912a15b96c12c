//===- SinkConstants.h - Constants of a launch ------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SINKCONSTANTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SINKCONSTANTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::attn_gpu {

/// Gives a launch its own copies of the constants that it uses.
void sinkConstants(gpu::LaunchOp launch);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SINKCONSTANTS_H
