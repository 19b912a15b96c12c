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

/// Options of the pipelines from attention ops. attn-to-tile makes tile
/// programs, the level that all targets share.
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

/// Adds attn-to-tile: results to out-parameters, bufferisation, shape checks,
/// schedule, grid, online softmax.
void buildAttnToTilePipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// Adds attn-to-host: attn-to-tile, then linalg, vectors and the LLVM dialect.
/// The result has the C interface of attn-host-export.
void buildAttnToHostPipeline(OpPassManager &pm);

/// Adds the part of attn-to-host after attn-to-tile.
void buildTileToHostPipeline(OpPassManager &pm);

/// Adds attn-to-nvvm: attn-to-tile for a chip, then the GPU level, and kernels
/// in a gpu.module in the LLVM and NVVM dialects. Host functions still have
/// launches.
void buildAttnToNVVMPipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// Adds the second part of attn-to-nvvm, after attn-to-tile for a chip: it
/// makes a launch and a kernel of each grid.
void buildTileToLaunchesPipeline(OpPassManager &pm);

/// Adds the third part of attn-to-nvvm, to the end of the GPU level: roles,
/// layouts, rings and barriers are then determined, and the simulator runs the
/// result.
void buildLaunchesToGPUPipeline(OpPassManager &pm);

/// Adds attn-to-gpu: attn-to-tile for a chip, then the two parts above.
void buildAttnToGPUPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the last part of attn-to-nvvm, after attn-to-gpu.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the part of attn-to-ptx after attn-to-nvvm: PTX, and a binary for each
/// kernel.
void buildNVVMToPTXPipeline(OpPassManager &pm);

/// Adds attn-to-ptx: attn-to-nvvm, then PTX, and host functions in the LLVM
/// dialect that launch it, with the C interface of attn-lower-launch.
void buildAttnToPTXPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the last part of attn-to-ptx, which lowers host functions.
void buildLaunchToLLVMPipeline(OpPassManager &pm);

/// Registers the pipelines under their names.
void registerPipelines();

/// Registers the implementation of attn_gpu::ProgramPlanner with the attn_gpu
/// dialect.
void registerProgramPlanner(DialectRegistry &registry);

/// Registers the dialects, interfaces and translations that the pipelines need.
void registerDialects(DialectRegistry &registry);

/// Registers the project's passes, and MLIR's passes that the pipelines use.
void registerPasses();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PIPELINES_H
