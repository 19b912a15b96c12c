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

/// The points at which passes verify the module. Passes on the user's ops
/// verify it after each pass. Kernels and host code are large and consist of
/// few kinds of ops, so passes on these verify only at the end of the pipeline.
enum class Verify { EachPass, AtEnd };

/// A callback that runs a pass pipeline on the module. Its first argument
/// builds the pipeline.
using PassRunner = llvm::function_ref<LogicalResult(
    llvm::function_ref<void(OpPassManager &)>, Verify)>;

/// Lowers tile programs to kernels in the LLVM and NVVM dialects. Adds a
/// description of each kernel to `kernels`.
LogicalResult lowerTileToNVVM(ModuleOp module,
                              const TilePipelineOptions &options,
                              PassRunner run,
                              SmallVectorImpl<KernelResources> &kernels);

/// Lowers attention to host code in the LLVM dialect, and to the PTX that this
/// code launches.
LogicalResult lowerToLaunches(ModuleOp module,
                              const TilePipelineOptions &options,
                              PassRunner run,
                              SmallVectorImpl<KernelResources> &kernels,
                              std::string &ptx);

} // namespace mlir::attn

#endif // ATTN_DRIVER_KERNELLOWERING_H
