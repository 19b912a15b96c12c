//===- SharedMemory.h - Describes shared memory of a kernel -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_SHAREDMEMORY_H
#define ATTN_LIB_DRIVER_SHAREDMEMORY_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn {

/// Describes the shared memory of a kernel for people, such as "55296 bytes,
/// query 18432, key 2 x 9216, value 2 x 9216". The kernel must be as it is
/// after the pipeline attn-to-gpu.
std::string describeSharedMemory(attn_gpu::KernelOp kernel);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_SHAREDMEMORY_H
