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

/// The options of pipelines that begin with attention ops. attn-to-tile makes
/// tile programs, which is the level that all targets share.
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

/// Adds the passes of attn-to-tile: results become out-parameters,
/// bufferisation, shape checks, the schedule, the grid with online softmax.
void buildAttnToTilePipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// Adds the passes of attn-to-host: attn-to-tile, then linalg, vectors and the
/// LLVM dialect. The result has the C interface of attn-host-export.
void buildAttnToHostPipeline(OpPassManager &pm);

/// Adds the part of attn-to-host after attn-to-tile.
void buildTileToHostPipeline(OpPassManager &pm);

/// Adds the passes of attn-to-nvvm: attn-to-tile for a chip, then the GPU
/// level, and then kernels in a gpu.module in the LLVM and NVVM dialects. Host
/// functions still have ops that launch kernels.
void buildAttnToNVVMPipeline(OpPassManager &pm,
                             const TilePipelineOptions &options);

/// Adds the second of the four parts of attn-to-nvvm, after attn-to-tile for a
/// chip: each attn_tile.grid becomes an attn_gpu.kernel and its launch.
void buildTileToLaunchesPipeline(OpPassManager &pm);

/// Adds the third part of attn-to-nvvm, up to the end of the GPU level: it
/// determines roles, layouts, rings and barriers. The simulator runs its
/// result.
void buildLaunchesToGPUPipeline(OpPassManager &pm);

/// Adds attn-to-gpu: attn-to-tile for a chip, then the second and the third
/// part of attn-to-nvvm.
void buildAttnToGPUPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the last part of attn-to-nvvm, after attn-to-gpu: it lowers kernels to
/// the LLVM and NVVM dialects.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the part of attn-to-ptx after attn-to-nvvm, which compiles kernels to
/// PTX, each in a gpu.binary.
void buildNVVMToPTXPipeline(OpPassManager &pm);

/// Adds the passes of attn-to-ptx: attn-to-nvvm, then PTX, and host functions
/// in the LLVM dialect that launch it, with the C interface of
/// attn-lower-launch.
void buildAttnToPTXPipeline(OpPassManager &pm,
                            const TilePipelineOptions &options);

/// Adds the last part of attn-to-ptx, which lowers host functions to the LLVM
/// dialect.
void buildLaunchToLLVMPipeline(OpPassManager &pm);

/// Registers the pipelines under their names.
void registerPipelines();

/// Registers the implementation of attn_gpu::ProgramPlanner, which builds an
/// op's programs to find their resources, with the attn_gpu dialect.
void registerProgramPlanner(DialectRegistry &registry);

/// Registers the dialects, interfaces and translations that the pipelines need.
void registerDialects(DialectRegistry &registry);

/// Registers the project's passes, and MLIR's passes that the pipelines use.
void registerPasses();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PIPELINES_H
