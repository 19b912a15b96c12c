//===- Pipelines.h - Named pipelines ----------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_PIPELINES_PIPELINES_H
#define ATTN_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::attn {

/// From attention ops on tensors or memrefs to tile programs, the level that
/// all targets share.
struct TilePipelineOptions : PassPipelineOptions<TilePipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("What runs the program: host, or "
                                          "an NVIDIA chip such as sm_90"),
                           llvm::cl::init("host")};
  Option<std::string> access{
      *this, "access",
      llvm::cl::desc("On a chip, what is known of the addresses of arrays: "
                     "auto, tma, async16 or narrow; see attn-gpu-multiversion"),
      llvm::cl::init("auto")};
  Option<std::string> lineinfo{
      *this, "lineinfo",
      llvm::cl::desc("Beyond tile programs on a chip: write the tile programs "
                     "to this file, and line tables of the PTX that point "
                     "there")};
};

/// attn-to-tile: out-parameters, bufferisation, shape checks, schedule, grid,
/// online softmax.
void buildAttnToTilePipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// attn-to-host: attn-to-tile, then linalg, vectors and the LLVM dialect. The
/// result has the C interface of attn-host-export.
void buildAttnToHostPipeline(OpPassManager &pm);

/// The rest of it, of programs on tiles.
void buildTileToHostPipeline(OpPassManager &pm);

/// attn-to-nvvm: attn-to-tile for a chip, then layouts, copies ahead, kernels
/// in a gpu.module of LLVM and NVVM. The host functions keep their launches.
void buildAttnToNVVMPipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// The second part of attn-to-nvvm, after attn-to-tile for a chip: a launch for
/// each grid.
void buildTileToLaunchesPipeline(OpPassManager &pm);

/// The third part of attn-to-nvvm, up to the end of the GPU level: what
/// threads, rings and barriers are used for is settled, and the simulator runs
/// it.
void buildLaunchesToGPUPipeline(OpPassManager &pm);

/// attn-to-gpu: attn-to-tile for a chip, then the two parts above.
void buildAttnToGPUPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// The last part of attn-to-nvvm, after attn-to-gpu.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// The part of attn-to-ptx after attn-to-nvvm: PTX, a binary for each kernel.
void buildNVVMToPTXPipeline(OpPassManager &pm);

/// attn-to-ptx: attn-to-nvvm, then PTX, and host functions in the LLVM dialect
/// that launch it, with the C interface of attn-lower-launch.
void buildAttnToPTXPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// The last part of attn-to-ptx, after the one above: host functions.
void buildLaunchToLLVMPipeline(OpPassManager &pm);

/// Registers the pipelines under their names.
void registerPipelines();

/// Gives the attn_gpu dialect its attn_gpu::ProgramPlanner.
void registerProgramPlanner(DialectRegistry &registry);

/// Dialects, interfaces and translations that the pipelines need.
void registerDialects(DialectRegistry &registry);

/// The project's passes, and upstream's that the pipelines use.
void registerPasses();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PIPELINES_H
