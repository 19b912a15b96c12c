//===- KernelMetadata.h - What is said of compiled kernels ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may be launched while the one before it runs if it waits for that
// itself. It says so in its function's `passthrough`, and later in its metadata
// in the table of kernels of a `gpu.binary`.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_KERNELMETADATA_H
#define ATTN_CONVERSION_KERNELMETADATA_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::attn {

/// Says in `passthrough` that the kernel waits for the one before it.
void setAfterPrevious(LLVM::LLVMFuncOp kernel);

/// The table of the kernels in `module`.
gpu::KernelTableAttr getKernelTable(gpu::GPUModuleOp module);

/// Whether the table in `object` says that a kernel waits for the one before
/// it. False for a kernel that the table does not have.
bool isAfterPrevious(gpu::ObjectAttr object, StringAttr kernel);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_KERNELMETADATA_H
