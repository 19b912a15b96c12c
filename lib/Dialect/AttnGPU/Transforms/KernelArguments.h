//===- KernelArguments.h - What kernels get from launches -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_KERNELARGUMENTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_KERNELARGUMENTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Makes the values from outside of a new kernel, which its body still uses,
/// its arguments, and returns them. Constants are copied into it. Says of
/// arrays what the function around knows: the sizes of slices, and memory that
/// it allocates for kernels.
SmallVector<Value> isolateKernel(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_KERNELARGUMENTS_H
