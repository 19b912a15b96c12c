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

/// Replaces values from outside that the body of a new kernel uses by
/// arguments, and returns the values. Constants are cloned into the kernel.
/// Adds an attn_gpu.array op for each array of which the function knows the
/// sizes, as those of a slice or an allocation; dense allocations are
/// workspace.
SmallVector<Value> isolateKernel(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_KERNELARGUMENTS_H
