//===- Passes.td - Passes on tile programs -----------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_TD
#define ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnGPUAssignSchedulePass : Pass<"attn-gpu-assign-schedule", "ModuleOp"> {
  let summary = "choose a schedule for each attention op, or check its own";
  let description = [{
    With `chip`, sets the module's attribute `attn_gpu.target`, from which this pass,
    `attn-gpu-multiversion` and `attn-gpu-map-grid` know the chip. One that the module has
    must be the same.

    Sets `schedule` and `fallback` of each `attn.attention` that has no schedule,
    from a table for the chip: the rows that apply, but for those that do not fit.
    A schedule written in the IR is kept if it fits; if not, that is an error.
    Ops on rows (`attn.merge`, `attn.append`) have one schedule on all chips, of
    programs of 16 rows without MMAs, and no fallback.
    `attn.reasons` says why, in sentences that travel with the schedule to the
    launch; nothing depends on them.

    Whether a schedule fits tell its fields and, where those go together, the op's
    programs, which are built of a copy of the op, up to their layouts and roles.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "An NVIDIA chip such as sm_90a (default: the module's)">
  ];
  let dependentDialects = ["attn_gpu::AttnGPUDialect"];
}

def AttnGPUMultiversionPass : Pass<"attn-gpu-multiversion"> {
  let summary = "choose between an op's schedules where each launch knows more";
  let description = [{
    How a kernel copies is what it must know of addresses: `tma` asks for arrays
    that tensor maps describe, `cp_async` for rows at multiples of 16 bytes,
    `element` for nothing. With `access=auto` an op on memrefs with a `fallback`
    becomes an `scf.if` that tests the addresses, sizes and strides of its arrays,
    and holds the op with its schedule in one branch, with its fallback in the
    other. A schedule without a fallback is believed, but what it promises is
    checked at run time, as is that no array begins within an element: the GPU's
    own check ends the whole CUDA context.

    The classes `tma`, `async16` and `narrow` ask for one way of copying, `tma`,
    `cp_async` and `element`. The last of `attn.reasons` says why an op has it.
  }];
  let options = [
    Option<"access", "access", "std::string", /*default=*/"\"auto\"",
           "The class of every op: narrow, async16, tma, or auto">
  ];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "cf::ControlFlowDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

def AttnGPUMapGridPass : Pass<"attn-gpu-map-grid", "ModuleOp"> {
  let summary = "a kernel for each grid, and its launch";
  let description = [{
    Turns each `attn_tile.grid` with a schedule for a GPU into an `attn_gpu.kernel`, which
    comes after the function that holds the grid, and an `attn_gpu.launch` of one block for
    each iteration, last iteration first. Where the grid says that its `longest` programs
    are the first or the last, those begin first. The block's number is linear: the limits
    of CUDA's other dimensions are too small for heads and batches. A kernel has the name of
    the function and the access class, the module's target, and the grid's schedule and
    reasons. What its program
    uses from around the grid becomes an argument; `attn_gpu.array` says what the function
    knows of arrays. A grid of tiles without a schedule is an error.

    Where the schedule's `scheduler` is `persistent` or `dynamic` there are as many
    blocks as SMs, if that is fewer, and each runs `attn_gpu.for_tiles`. For a
    `dynamic` one, and where the grid has `shared` dimensions, the order is that of the
    last rows of all heads first, or of the first where those are the `longest`, within
    sections of heads: so many that the second-level cache holds what their programs read
    or add to, by the grid's `position_bytes`. Shared dimensions are the inner ones.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "attn_nv::AttnNVDialect", "gpu::GPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUExpandBlocksPass : Pass<"attn-gpu-expand-blocks"> {
  let summary = "loops over the blocks of a kernel as scf.for";
  let description = [{
    Each `attn_tile.for_blocks` of a kernel becomes an `scf.for`. In roles, blocks
    come in descending order, and each of several warpgroups asks the domain for
    its own rows: it skips the blocks that others alone need, and knows for itself
    which are partial.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_gpu::AttnGPUDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

def AttnGPUExpandSoftmaxPass : Pass<"attn-gpu-expand-softmax"> {
  let summary = "softmax states of a kernel in registers";
  let description = [{
    As `attn-tile-expand-softmax`, for kernels. With `softmax = lazy` a step
    keeps its running max while no sum of a thread's probabilities is above 2^14: it is any
    value that keeps the probabilities in range. A step whose state is that of
    `attn_tile.softmax_init` has nothing to rescale and always finds its maximum.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "math::MathDialect", "scf::SCFDialect"];
}

def AttnGPUAssignLayoutsPass : Pass<"attn-gpu-assign-layouts"> {
  let summary = "give each tile of a kernel its layout";
  let description = [{
    In each kernel, accumulators and element-wise tiles get the layout of
    mma.sync for the block's warps, vectors its slices, and what is loaded as an
    operand of an MMA a place in shared memory, one for all MMAs that read
    it. A left operand moves to registers where it is loaded if enough of them are
    left.

    A vector lies along rows or along columns as the ops say that read or make it,
    and everything element-wise between them; one that is loaded, or a constant, is
    made anew for each of both. Other vectors that are needed in both are an error.

    What arithmetic makes is an operand of an MMA as it is if it is a left one
    that is not transposed; else it is converted to shared memory, once for all
    MMAs.
  }];
  let dependentDialects = ["attn_gpu::AttnGPUDialect"];
}

def AttnGPUFlushSumsPass : Pass<"attn-gpu-flush-sums"> {
  let summary = "add up exactly what MMAs of 8 bits do not";
  let description = [{
    In kernels with `mma = wgmma`, an `exact` product of 8-bit operands that a loop over
    blocks adds to what it carries adds to a part of that: every 256 products the part is
    added to the sum, in f32, and begins with zeros. What a softmax rescales is both.
  }];
  let dependentDialects = ["arith::ArithDialect", "scf::SCFDialect"];
}

def AttnGPUPipelineLoadsPass : Pass<"attn-gpu-pipeline-loads"> {
  let summary = "copy tiles to shared memory while the previous ones are used";
  let description = [{
    In kernels without roles, loads of tiles in shared memory become tiles of rings. In
    a loop, copies are `stages - 1` steps ahead: a step first waits for its own tiles,
    then begins the copies of a later step. What a step loads may depend on its
    position and on memory that the kernel does not write, such as a list of blocks or
    a table of pages.

    The kernel's schedule says what copies. TMA copies for the first thread, and the
    rings have barriers. By cp.async or element by element all threads copy: rings
    have no barriers, and all warps wait for each other at the begin of each step and
    before the copies of another `attn_gpu.for_tiles` tile. If numbers of tiles come
    from counters, shared memory has them after the tiles.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "attn_nv::AttnNVDialect", "gpu::GPUDialect",
                           "NVVM::NVVMDialect", "scf::SCFDialect"];
}

def AttnGPUPipelinePass : Pass<"attn-gpu-pipeline"> {
  let summary = "MMAs of one iteration beside the softmax of the next";
  let description = [{
    In kernels of wgmma whose schedule has `overlap`, MMAs of a loop
    are issued and awaited by ops of their own. An MMA that nothing else in its
    iteration waits for runs an iteration late: beside the next one's softmax. The
    stage of every other op, the order of the loop's body and how many MMAs each
    wait leaves unfinished follow from dependences; scf's pipeliner does the rest.
    A loop without such an MMA stays as it is, and a remark says so; so do all loops
    of mma.sync, whose MMAs end where they begin, and one whose MMAs read a tile that
    is exchanged through shared memory: the next iteration takes its place.

    With `ping_pong`, one warpgroup at a time issues the MMAs of the loop's body.
    That takes roles: without them, warpgroups wait for each other in each iteration.

    The other dots of wgmma become an `attn_gpu.mma` and, at once, its `attn_gpu.mma_wait`,
    whatever the schedule's `overlap`. Those of mma.sync stay dots, which nothing waits for.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUSpecializeWarpsPass : Pass<"attn-gpu-specialize-warps"> {
  let summary = "give the copies of a kernel to a warpgroup of their own";
  let description = [{
    In kernels whose schedule has `roles = producer_consumer`, each load of a tile
    in shared memory gets a ring there. The consumers, the
    schedule's warps, run the program and acquire the tiles. A further
    warpgroup, the last, runs the loads and what they depend on: it is cut out of
    the program, loops over blocks as a whole. With `copy = tma` one of its threads
    copies by tensor maps; with other copies all of them do. A load that depends on
    a tile, which another role has, is an error. Registers move from the producer to
    the consumers, on chips that can. With `copy = tma`, stores of 16-bit tiles go
    through shared memory and a tensor map.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_nv::AttnNVDialect",
                           "attn_gpu::AttnGPUDialect", "gpu::GPUDialect",
                           "NVVM::NVVMDialect", "scf::SCFDialect"];
}

def AttnGPUPlaceReleasesPass : Pass<"attn-gpu-place-releases"> {
  let summary = "release each tile of a ring after its last reader";
  let description = [{
    That is the wait of the last MMA that reads it, or the copy of a tile to
    registers. One whose memory an output takes is free when that was stored. Copies of
    the next tile's first block need not wait for that, so they come before the copy of
    such a tile; the `persistent` scheduler's producer prefetches it.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUExpandTilesPass : Pass<"attn-gpu-expand-tiles"> {
  let summary = "loops over the tiles of a CTA as loops of scf";
  let description = [{
    With the `dynamic` scheduler, the first thread of the last role takes the next
    tile's number from a counter in global memory and tells the others. Without roles,
    the CTA's first thread does. With the `persistent` one, a CTA takes every so
    many-th tile.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "gpu::GPUDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

def AttnGPUNumberSlotsPass : Pass<"attn-gpu-number-slots"> {
  let summary = "number the tiles of each ring";
  let description = [{
    Each role counts the tiles of a ring from 0 on, through loops and branches: the
    number says which slot, and which phase of its barriers. Rings whose tiles it
    comes to at the same places share a counter.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUPlaceTilesPass : Pass<"attn-gpu-place-tiles"> {
  let summary = "shared memory for what passes through it between warps";
  let description = [{
    Conversions of tiles from registers to shared memory, and reductions along
    columns, get a place after the shared memory that the kernel has already. Those
    that are not needed at the same time may have the same place. A tile that is
    converted must be read in the same iteration: the next one takes its place.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect"];
}

def AttnGPUOutlineKernelsPass : Pass<"attn-gpu-outline-kernels", "ModuleOp"> {
  let summary = "kernels as functions of the module attn_kernels";
  let description = [{
    Each `attn_gpu.kernel` becomes a `gpu.func` of the one module `attn_kernels`, and each
    `attn_gpu.launch` a `gpu.launch_func` of it. Parameters are what the code uses, in the order
    of its first uses: arguments, and what the launch computes of them, which are tensor maps and
    the sizes of arrays that the code does not read otherwise. The kernels' target is said as
    `#nvvm.target` of `attn_kernels`: those of one module are for one chip.
  }];
  let dependentDialects = ["arith::ArithDialect", "gpu::GPUDialect",
                           "memref::MemRefDialect", "NVVM::NVVMDialect"];
}

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_TD
