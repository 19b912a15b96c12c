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

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

void mlir::attn::buildAttnToTilePipeline(OpPassManager &pm,
                                         const TilePipelineOptions &options) {
  pm.addPass(createInlinerPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createAttnResultsToOutParamsPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(createAttnBufferizePass());
  pm.addNestedPass<func::FuncOp>(createAttnCheckShapesPass());
  pm.addPass(createAttnAssignSchedulePass({options.chip}));
  pm.addPass(createAttnTilePass());
  pm.addPass(createAttnOnlineSoftmaxPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::attn::buildAttnToHostPipeline(OpPassManager &pm) {
  buildAttnToTilePipeline(pm, TilePipelineOptions());

  // Tiles to linalg on buffers.
  pm.addPass(createConvertAttnTileToLinalgPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLinalgElementwiseOpFusionPass());
  pm.addPass(createCSEPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());

  // Buffers to vectors and loops.
  pm.addPass(createAttnHostVectorizePass());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createAttnExpandMathPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createAttnHostOutlineGridPass());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createAttnHostExportPass());

  // To the LLVM dialect.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectorToLLVM;
  // A row sum's order is free; see attn_tile.reduce.
  vectorToLLVM.reassociateFPReductions = true;
  pm.addPass(createConvertVectorToLLVMPass(vectorToLLVM));
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::attn::registerPipelines() {
  PassPipelineRegistration<TilePipelineOptions>(
      "attn-to-tile",
      "Attention ops to tile programs: out-parameters, bufferisation, run-time "
      "shape checks, schedule, grid, online softmax",
      buildAttnToTilePipeline);
  PassPipelineRegistration<>(
      "attn-to-host",
      "Attention ops to the LLVM dialect for the host CPU, with a C interface",
      buildAttnToHostPipeline);
}
