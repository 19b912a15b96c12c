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

/// The options of pipelines that begin with attention ops. The first such
/// pipeline, attn-to-tile, makes tile programs, which is the level that all
/// targets share.
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

/// Adds the passes of attn-to-tile. They turn results into out-parameters,
/// bufferise, add shape checks, choose the schedule, and make grids with an
/// online softmax.
void buildAttnToTilePipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// Adds the passes of attn-to-host: those of attn-to-tile, and then the
/// lowering to linalg, to vectors and to the LLVM dialect. The resulting
/// functions have the C interface that attn-host-export defines.
void buildAttnToHostPipeline(OpPassManager &pm);

/// Adds those passes of attn-to-host that come after attn-to-tile.
void buildTileToHostPipeline(OpPassManager &pm);

/// Adds the passes of attn-to-nvvm, in four parts: attn-to-tile for a chip, the
/// conversion of grids to kernels, the GPU level, and the lowering to the LLVM
/// and NVVM dialects. Kernels are then in a gpu.module, and host functions
/// still have ops that launch them.
void buildAttnToNVVMPipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// Adds the second of the four parts of attn-to-nvvm. It turns each
/// attn_tile.grid into an attn_gpu.kernel and its launch.
void buildTileToLaunchesPipeline(OpPassManager &pm);

/// Adds the third of the four parts of the pipeline attn-to-nvvm: the passes of
/// the dialect attn_gpu. They determine the roles of warps, layouts of tiles,
/// and rings of shared memory with their barriers. The project's simulator of
/// GPUs runs their result.
void buildLaunchesToGPUPipeline(OpPassManager &pm);

/// Adds the passes of attn-to-gpu, which are the first three of the four parts
/// of attn-to-nvvm: attn-to-tile for a chip, the conversion of grids to
/// kernels, and the GPU level.
void buildAttnToGPUPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the last of the four parts of attn-to-nvvm, after attn-to-gpu. It
/// lowers kernels to the LLVM and NVVM dialects.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the part of attn-to-ptx that follows attn-to-nvvm. It compiles each
/// kernel to PTX in a gpu.binary of its own.
void buildNVVMToPTXPipeline(OpPassManager &pm);

/// Adds the passes of attn-to-ptx: those of attn-to-nvvm, the compilation of
/// kernels to PTX, and the lowering of host functions, which launch the PTX, to
/// the LLVM dialect. These functions have the C interface that
/// attn-lower-launch defines.
void buildAttnToPTXPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the last part of attn-to-ptx, which lowers host functions to the LLVM
/// dialect.
void buildLaunchToLLVMPipeline(OpPassManager &pm);

/// Registers the pipelines under their names.
void registerPipelines();

/// Registers, with the attn_gpu dialect, the implementation of
/// attn_gpu::ProgramPlanner. It builds the programs of an op to find the
/// resources that they need.
void registerProgramPlanner(DialectRegistry &registry);

/// Registers the dialects, interfaces and translations that the pipelines need.
void registerDialects(DialectRegistry &registry);

/// Registers the project's passes, and MLIR's passes that the pipelines use.
void registerPasses();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PIPELINES_H
