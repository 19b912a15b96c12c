//===- KernelLowering.h - From attention to kernels -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_KERNELLOWERING_H
#define ATTN_DRIVER_KERNELLOWERING_H

#include "attn/Driver/KernelResources.h"
#include "attn/Pipelines/Pipelines.h"

namespace mlir::attn {

/// When the module is verified: what passes make of the user's ops after each
/// of them; what has become of kernels and host code, which is large and made
/// of few ops, could wait for the last one.
enum class Verify { EachPass, AtEnd };

/// Runs a pipeline on the module, with what its owner does around passes.
using PassRunner = llvm::function_ref<LogicalResult(
    llvm::function_ref<void(OpPassManager &)>, Verify)>;

/// Lowers tile programs to kernels in the LLVM and NVVM dialects, and tells
/// what the compiler decided of them.
LogicalResult lowerTileToNVVM(ModuleOp module,
                              const TilePipelineOptions &options,
                              PassRunner run,
                              SmallVectorImpl<KernelResources> &kernels);

/// Lowers attention to host code in the LLVM dialect and the PTX it launches.
LogicalResult lowerToLaunches(ModuleOp module,
                              const TilePipelineOptions &options,
                              PassRunner run,
                              SmallVectorImpl<KernelResources> &kernels,
                              std::string &ptx);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELLOWERING_H
