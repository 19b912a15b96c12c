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

/// When passes verify the module. Passes on the user's ops verify after each
/// pass. Kernels and host code are large and consist of few kinds of ops, so
/// they are only verified at the end of the pipeline.
enum class Verify { EachPass, AtEnd };

/// A callback that builds a pass pipeline with its first argument and runs it
/// on the module.
using PassRunner = llvm::function_ref<LogicalResult(
    llvm::function_ref<void(OpPassManager &)>, Verify)>;

/// Lowers tile programs to kernels in the LLVM and NVVM dialects, and describes
/// each kernel in `kernels`.
LogicalResult lowerTileToNVVM(ModuleOp module,
                              const TilePipelineOptions &options,
                              PassRunner run,
                              SmallVectorImpl<KernelResources> &kernels);

/// Lowers attention to host code in the LLVM dialect and the PTX that it
/// launches.
LogicalResult lowerToLaunches(ModuleOp module,
                              const TilePipelineOptions &options,
                              PassRunner run,
                              SmallVectorImpl<KernelResources> &kernels,
                              std::string &ptx);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELLOWERING_H
