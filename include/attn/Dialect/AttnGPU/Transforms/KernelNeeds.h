//===- KernelNeeds.h - Resources that a kernel needs ------------*- C++ -*-===//
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

/// Returns the number of elements that the MMAs of a kernel accumulate, over
/// all threads of a CTA. MMAs that a reducer runs do not count. The kernel must
/// not have been divided into roles yet.
int64_t countAccumulators(KernelOp kernel);

/// Returns the bytes of shared memory that a kernel will take. Its tiles must
/// have layouts, and a kernel with a producer must have been split into roles.
/// Without roles the result is an upper bound: it assumes that all loops copy
/// ahead, also those over a list of blocks.
int64_t planSharedBytes(KernelOp kernel);

/// Returns why ptxas would reject the wgmma of a product of the kernel, or ""
/// if it would not. The kernel's tiles must have layouts.
std::string findUnfitProduct(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_KERNELNEEDS_H
