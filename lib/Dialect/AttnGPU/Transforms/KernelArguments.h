//===- KernelArguments.h - Arguments from launches to kernels ---*- C++ -*-===//
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

/// Makes the body of a new kernel independent of the code around it. Constants
/// from outside are cloned into it, and all other values from outside that it
/// uses are replaced by arguments. Returns the values for these arguments. Adds
/// an attn_gpu.array op for each array whose sizes the function knows, since
/// the array is a slice, an allocation or an attn_tile.workspace, which the
/// attn_gpu.array op then marks as such.
SmallVector<Value> isolateKernel(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_KERNELARGUMENTS_H
