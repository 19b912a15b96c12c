//===- KernelLowering.cpp - From attention to kernels ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/KernelLowering.h"

using namespace mlir;
using namespace mlir::attn;

LogicalResult
mlir::attn::lowerTileToNVVM(ModuleOp module, const TilePipelineOptions &options,
                            PassRunner run,
                            SmallVectorImpl<KernelResources> &kernels) {
  if (failed(run(buildTileToLaunchesPipeline)))
    return failure();
  // The plans are attributes of what the rest replaces.
  llvm::StringMap<KernelPlan> plans = getPlans(module);
  if (failed(run([&](OpPassManager &pm) {
        buildLaunchesToNVVMPipeline(pm, options);
      })))
    return failure();
  kernels = getKernels(module, plans);
  return success();
}

LogicalResult mlir::attn::lowerToLaunches(
    ModuleOp module, const TilePipelineOptions &options, PassRunner run,
    SmallVectorImpl<KernelResources> &kernels, std::string &ptx) {
  if (failed(run(
          [&](OpPassManager &pm) { buildAttnToTilePipeline(pm, options); })) ||
      failed(lowerTileToNVVM(module, options, run, kernels)) ||
      failed(run(buildNVVMToPTXPipeline)))
    return failure();
  ptx = getPTX(module);
  return run(buildLaunchToLLVMPipeline);
}
