//===- KernelMetadata.h - Metadata of compiled kernels ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that itself waits for the end of the previous kernel may be launched
// while that one still runs. Its function says so in `passthrough`, and later
// its metadata in the table of kernels of a gpu.binary.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_KERNELMETADATA_H
#define ATTN_CONVERSION_KERNELMETADATA_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::attn {

/// Adds an entry to the `passthrough` of a kernel, which the translation to
/// LLVM IR makes an attribute of the function.
void addPassthrough(LLVM::LLVMFuncOp kernel, Attribute entry);

/// Marks a kernel, by an attribute in its `passthrough`, as one that waits
/// itself for the end of the previous kernel. Such a kernel may be launched
/// before that end.
void setAfterPrevious(LLVM::LLVMFuncOp kernel);

/// Returns the table of the kernels in `module`, with their metadata.
gpu::KernelTableAttr getKernelTable(gpu::GPUModuleOp module);

/// Whether the kernel table of `object` marks the kernel as one that waits
/// itself for the previous kernel. Returns false for a kernel that is not in
/// the table.
bool isAfterPrevious(gpu::ObjectAttr object, StringAttr kernel);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_KERNELMETADATA_H
