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
  if (failed(run(buildTileToLaunchesPipeline, Verify::EachPass)) ||
      failed(run(buildLaunchesToGPUPipeline, Verify::EachPass)))
    return failure();
  // Of kernels that the rest replaces.
  llvm::StringMap<KernelPlan> plans = getPlans(module);
  if (failed(
          run([&](OpPassManager &pm) { buildGPUToNVVMPipeline(pm, options); },
              Verify::AtEnd)))
    return failure();
  kernels = getKernels(module, plans);
  return success();
}

LogicalResult mlir::attn::lowerToLaunches(
    ModuleOp module, const TilePipelineOptions &options, PassRunner run,
    SmallVectorImpl<KernelResources> &kernels, std::string &ptx) {
  if (failed(
          run([&](OpPassManager &pm) { buildAttnToTilePipeline(pm, options); },
              Verify::EachPass)) ||
      failed(lowerTileToNVVM(module, options, run, kernels)) ||
      failed(run(buildNVVMToPTXPipeline, Verify::AtEnd)))
    return failure();
  ptx = getPTX(module);
  return run(buildLaunchToLLVMPipeline, Verify::AtEnd);
}
