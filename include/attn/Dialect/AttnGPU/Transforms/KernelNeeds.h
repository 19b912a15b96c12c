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

/// Elements of the results of a kernel's MMAs, of one whose roles are not split
/// yet; those of a reducer do not count.
int64_t countAccumulators(KernelOp kernel);

/// Bytes of shared memory that a kernel will take, of one with layouts whose
/// roles, if there are any, are split. Without roles that is an upper bound:
/// all loops copy ahead, also over a list of blocks.
int64_t planSharedBytes(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_KERNELNEEDS_H
