//===- Pipelines.cpp - Named pipelines ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Pipelines/Pipelines.h"
#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

/// Adds the passes of attn-to-tile for `chip`, which is `host`, or an NVIDIA
/// chip, or empty for that of the module's target.
static void addToTile(OpPassManager &pm, StringRef chip, StringRef access) {
  // attn-define-operands must run before all passes that fold, since folding
  // assumes that an op's operands, such as divisors, do not make it undefined.
  pm.addPass(createAttnDefineOperandsPass());
  pm.addPass(createInlinerPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createAttnResultsToOutParamsPass());
  // linalg ops are only decomposed for the host. Functions for a GPU may not
  // contain linalg ops; they are left as they are there, so that the error
  // message names the op that the user wrote.
  if (chip == "host") {
    pm.addNestedPass<func::FuncOp>(createAttnCheckTensorSizesPass());
    pm.addPass(createAttnDecomposeLinalgPass());
    pm.addPass(createAttnReuseBuffersPass());
  }
  pm.addPass(createAttnElementwiseToLinalgPass());
  pm.addPass(createAttnBufferizePass());
  pm.addNestedPass<func::FuncOp>(createAttnCheckArraysPass());
  if (chip == "host") {
    pm.addPass(createAttnAssignTilesPass());
  } else {
    pm.addPass(attn_gpu::createAttnGPUAssignSchedulePass({chip.str()}));
    pm.addPass(attn_gpu::createAttnGPUMultiversionPass({access.str()}));
  }
  pm.addPass(createConvertAttnToTilePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::attn::buildAttnToTilePipeline(OpPassManager &pm,
                                         const TilePipelineOptions &options) {
  addToTile(pm, options.chip, options.access);
}

/// Returns the chip of a pipeline for GPUs. It is empty, for that of the
/// module's target, if the options do not name one.
static StringRef getGPUChip(const TilePipelineOptions &options) {
  StringRef chip = options.chip;
  return chip == "host" ? StringRef() : chip;
}

/// Adds the last passes for host code, which lower it to the LLVM dialect.
static void addHostToLLVM(OpPassManager &pm) {
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createAttnCheckLoweredPass());
}

void mlir::attn::buildAttnToHostPipeline(OpPassManager &pm) {
  buildAttnToTilePipeline(pm, TilePipelineOptions());
  buildTileToHostPipeline(pm);
}

void mlir::attn::buildTileToHostPipeline(OpPassManager &pm) {
  // The following passes lower tiles to linalg on buffers.
  pm.addPass(attn_tile::createAttnTileExpandBlocksPass());
  pm.addPass(attn_tile::createAttnTileExpandSoftmaxPass());
  pm.addPass(attn_tile::createAttnTileExpandRandomPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createAttnHostFuseElementwisePass());
  pm.addPass(createConvertAttnTileToLinalgPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLinalgElementwiseOpFusionPass());
  pm.addPass(createCSEPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createAttnHostFreeBuffersPass());

  // The following passes lower linalg on buffers to vectors and loops.
  pm.addPass(createAttnHostVectorizePass());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createAttnExpandMathPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createAttnHostOutlineGridPass());
  // Transfers of tiles are unrolled here. As loops, they would pass their
  // tiles through memory until LLVM has unrolled these loops, which takes it
  // far more time.
  pm.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createAttnHostExportPass());

  // The following passes lower vectors and loops to the LLVM dialect.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectorToLLVM;
  // LLVM may reorder the additions of a reduction, since attn_tile.reduce
  // allows any order for the sum of a row.
  vectorToLLVM.reassociateFPReductions = true;
  pm.addPass(createConvertVectorToLLVMPass(vectorToLLVM));
  addHostToLLVM(pm);
}

void mlir::attn::buildTileToLaunchesPipeline(OpPassManager &pm) {
  pm.addPass(attn_gpu::createAttnGPUMapGridPass());
}

void mlir::attn::buildLaunchesToGPUPipeline(OpPassManager &pm) {
  // The following passes lower tiles to registers and shared memory, in each
  // kernel by itself.
  OpPassManager &kernels = pm.nest<attn_gpu::KernelOp>();
  kernels.addPass(attn_gpu::createAttnGPUAssignLayoutsPass());
  kernels.addPass(attn_gpu::createAttnGPUSpecializeWarpsPass());
  kernels.addPass(attn_gpu::createAttnGPUExpandBlocksPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(attn_gpu::createAttnGPUPipelinePass());
  kernels.addPass(attn_gpu::createAttnGPUPipelineLoadsPass());
  kernels.addPass(attn_gpu::createAttnGPUExpandSoftmaxPass());
  kernels.addPass(attn_gpu::createAttnGPUPlaceTilesPass());
  kernels.addPass(attn_gpu::createAttnGPUPlaceReleasesPass());
  kernels.addPass(attn_gpu::createAttnGPUExpandTilesPass());
  kernels.addPass(attn_gpu::createAttnGPUNumberSlotsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  // The following passes simplify the functions that launch the kernels.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

void mlir::attn::buildAttnToGPUPipeline(OpPassManager &pm,
                                        const TilePipelineOptions &options) {
  addToTile(pm, getGPUChip(options), options.access);
  buildTileToLaunchesPipeline(pm);
  buildLaunchesToGPUPipeline(pm);
}

void mlir::attn::buildGPUToNVVMPipeline(OpPassManager &pm,
                                        const TilePipelineOptions &options) {
  if (!options.lineinfo.empty())
    pm.addPass(createAttnSnapshotLocationsPass({options.lineinfo}));
  pm.addPass(createConvertAttnGPUToNVVMPass());
  // Besides attention, a module may have gpu.launch ops, which this pass
  // outlines.
  pm.addPass(createGpuKernelOutliningPass());
  GpuNVVMAttachTargetOptions target;
  if (StringRef chip = getGPUChip(options); !chip.empty())
    target.chip = chip.str();
  pm.addPass(createGpuNVVMAttachTarget(target));
  pm.addPass(attn_gpu::createAttnGPUOutlineKernelsPass());

  // The following passes lower kernels to the LLVM and NVVM dialects.
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createConvertAttnNVToLLVMPass());
  kernels.addPass(createAttnMathToNVVMPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createAttnAnnotateKernelsPass());
  // Only line tables are emitted, since ptxas would compile without
  // optimisations if there were full debug information.
  if (!options.lineinfo.empty())
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(
        {LLVM::DIEmissionKind::DebugDirectivesOnly}));
}

void mlir::attn::buildAttnToNVVMPipeline(OpPassManager &pm,
                                         const TilePipelineOptions &options) {
  addToTile(pm, getGPUChip(options), options.access);
  buildTileToLaunchesPipeline(pm);
  buildLaunchesToGPUPipeline(pm);
  buildGPUToNVVMPipeline(pm, options);
}

void mlir::attn::buildNVVMToPTXPipeline(OpPassManager &pm) {
  pm.addPass(createAttnSerializeKernelsPass());
}

void mlir::attn::buildAttnToPTXPipeline(OpPassManager &pm,
                                        const TilePipelineOptions &options) {
  buildAttnToNVVMPipeline(pm, options);
  buildNVVMToPTXPipeline(pm);
  buildLaunchToLLVMPipeline(pm);
}

void mlir::attn::buildLaunchToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createAttnLowerLaunchPass());
  pm.addPass(createAttnHostExportPass({/*returnsStatus=*/true}));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(arith::createArithExpandOpsPass());
  addHostToLLVM(pm);
}

void mlir::attn::registerPipelines() {
  PassPipelineRegistration<TilePipelineOptions>(
      "attn-to-tile",
      "Attention ops to tile programs: out-parameters, bufferisation, run-time "
      "shape checks, schedule, grid, online softmax",
      buildAttnToTilePipeline);
  PassPipelineRegistration<TilePipelineOptions>(
      "attn-to-gpu",
      "Attention ops to launches of the GPU level for an NVIDIA chip, which "
      "attnc run --target simulate runs",
      buildAttnToGPUPipeline);
  PassPipelineRegistration<TilePipelineOptions>(
      "attn-to-nvvm",
      "Attention ops to kernels in the LLVM and NVVM dialects for an NVIDIA "
      "chip",
      buildAttnToNVVMPipeline);
  PassPipelineRegistration<TilePipelineOptions>(
      "attn-to-ptx",
      "Attention ops to PTX for an NVIDIA chip, and host code that launches it "
      "through attnrt",
      buildAttnToPTXPipeline);
  PassPipelineRegistration<>(
      "attn-to-host",
      "Attention ops to the LLVM dialect for the host CPU, with a C interface",
      buildAttnToHostPipeline);
}
