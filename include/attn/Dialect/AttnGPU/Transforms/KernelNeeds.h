//===- KernelNeeds.h - What a kernel will take ------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_TRANSFORMS_KERNELNEEDS_H
#define ATTN_DIALECT_ATTNGPU_TRANSFORMS_KERNELNEEDS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// The number of elements that a kernel's MMAs accumulate, without those of a
/// reducer. The kernel's roles must not have been split yet.
int64_t countAccumulators(KernelOp kernel);

/// The bytes of shared memory that a kernel will take. Its tiles must have
/// layouts, and its roles, if there are any, must have been split. Without
/// roles the result is an upper bound: it assumes that all loops copy ahead,
/// also those over a list of blocks.
int64_t planSharedBytes(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_KERNELNEEDS_H
