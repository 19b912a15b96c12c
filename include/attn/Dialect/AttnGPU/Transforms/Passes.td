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

/// A pass that runs on one kernel, and reads nothing outside of that kernel.
class KernelPass<string flag> : Pass<flag, "::mlir::attn_gpu::KernelOp">;

def AttnGPUAssignSchedulePass : Pass<"attn-gpu-assign-schedule", "ModuleOp"> {
  let summary = "choose a schedule for each attention op, or check a given one";
  let description = [{
    With `chip`, sets the module's attribute `attn_gpu.target`, from which this pass,
    `attn-gpu-multiversion` and `attn-gpu-map-grid` know the chip. If the module already
    has the attribute, it must name the same chip.

    Sets `schedule` and `fallback` of each `attn.attention` and `attn.attention_backward`
    that has no schedule, from a table for the chip: from the first of the rows that apply
    whose schedule fits. A schedule written in the IR is kept if it fits, and is an error
    otherwise. Ops on rows (`attn.merge`, `attn.append`, `attn.summarize`) have the same
    schedule on all chips, with programs of 16 rows and no MMAs, and no fallback. The
    attribute `attn.reasons` has sentences for people that say why a schedule was chosen. It
    is copied to the kernel, and no pass depends on it.

    To decide whether a schedule fits, the pass first checks the schedule's fields. If they
    do not contradict each other, it builds the programs of a copy of the op, up to their
    layouts and roles, and checks the resources that these need.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "An NVIDIA chip such as sm_90a (default: the module's)">
  ];
  let dependentDialects = ["attn_gpu::AttnGPUDialect"];
}

def AttnGPUMultiversionPass : Pass<"attn-gpu-multiversion"> {
  let summary = "choose between an op's schedule and its fallback at run time";
  let description = [{
    The `copy` of a schedule requires something of arrays: `tma`, that tensor maps can
    describe them; `cp_async`, that rows begin at multiples of 16 bytes; `element`
    requires nothing. With `access=auto`, an op on memrefs that has a `fallback` becomes
    an `scf.if` that tests the addresses, sizes and strides of its arrays: one branch has
    the op with its schedule, the other has it with its fallback. An op without a fallback
    keeps its schedule, and what that requires is checked at run time. Also checked is that
    each array is aligned to the size of its elements, since a misaligned access on the GPU
    would make the whole CUDA context unusable.

    Access `tma`, `async16` or `narrow` chooses the version with `copy = tma`, `cp_async` or
    `element` for all ops. The last of `attn.reasons` says why an op has its version.
  }];
  let options = [
    Option<"access", "access", "std::string", /*default=*/"\"auto\"",
           "Access class of all ops: narrow, async16, tma, or auto">
  ];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "cf::ControlFlowDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

def AttnGPUMapGridPass : Pass<"attn-gpu-map-grid", "ModuleOp"> {
  let summary = "turn each grid into a kernel and its launch";
  let description = [{
    Turns each `attn_tile.grid` with a schedule for a GPU into an `attn_gpu.kernel`, which
    is inserted after the function that holds the grid, and an `attn_gpu.launch` of one CTA
    for each program. CTAs have a linear number, since the limits of CUDA's other grid
    dimensions are too small for heads and batches. The kernel is named after the function
    and the access class, and has the module's target and the grid's schedule and reasons.
    Values from outside the grid that its program uses become arguments; `attn_gpu.array`
    says what the function knows of arrays, and which of them are `attn_tile.workspace`. The
    function then allocates these. A grid of tiles without a schedule is an error.

    With `scheduler = persistent` or `dynamic`, a launch has as many CTAs as the device has
    SMs, or fewer if there are fewer programs, and each CTA runs its programs in a loop,
    `attn_gpu.for_tiles`.

    Programs begin in descending order of their number, except in three cases: with
    `scheduler = dynamic`, with `static` if the grid says which programs are `longest`, and
    with `persistent` if the grid has `shared` dimensions. Then heads are divided into
    sections, and the programs of a section begin before those of the next section. Within a
    section, the last rows of all heads begin first, or the first rows if those are the
    `longest`. A section has as many heads as the second-level cache can serve: the grid's
    `position_bytes` says how many bytes their programs read or add to. With `persistent` or
    `dynamic`, shared dimensions are the inner ones, so that CTAs that run at the same time
    read the same tiles.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "attn_nv::AttnNVDialect", "gpu::GPUDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

def AttnGPUExpandBlocksPass : KernelPass<"attn-gpu-expand-blocks"> {
  let summary = "expand loops over blocks of a kernel to scf.for";
  let description = [{
    Each `attn_tile.for_blocks` of a kernel becomes an `scf.for`. In roles, blocks of an
    interval are visited in descending order. If several warpgroups compute, each evaluates
    the domain for its own rows: it skips the blocks that only other warpgroups need, and
    computes for its rows which blocks are partial.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_gpu::AttnGPUDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

def AttnGPUExpandSoftmaxPass : KernelPass<"attn-gpu-expand-softmax"> {
  let summary = "expand softmax states of a kernel to registers";
  let description = [{
    Does what `attn-tile-expand-softmax` does, for kernels. With `softmax = lazy`, an
    iteration computes probabilities with the running max of the previous iteration, and each
    thread sums the probabilities that it holds of a row. Only if one of these sums in the
    warp is above 2^14 (less for probabilities of e4m3), a branch finds the maximum, rescales
    and computes the probabilities again. An `attn_tile.softmax_update` whose state is
    from `attn_tile.softmax_init` always finds the maximum, and rescales nothing.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "math::MathDialect", "scf::SCFDialect"];
}

def AttnGPUAssignLayoutsPass : KernelPass<"attn-gpu-assign-layouts"> {
  let summary = "give each tile of a kernel its layout";
  let description = [{
    In each kernel, accumulators and element-wise tiles get the accumulator layout of
    mma.sync for the CTA's warps, and vectors get slices of it. A tile that is loaded as an
    operand of MMAs gets a layout in shared memory, one for all MMAs that read it. A
    left operand is copied to registers after its load if enough registers are left.

    Whether a vector lies along rows or along columns follows from the ops that make and
    read it, and holds for all element-wise ops between them. A loaded or constant vector
    that is needed along both is loaded or created twice; any other such vector is an error.

    A tile that arithmetic computes stays in registers as the left operand of an MMA
    that does not transpose it. As any other operand it is converted to shared memory, once
    for all MMAs that read it.

    A vector of f32 that a loop over blocks reads from memory for columns of tiles, such as scales
    of tokens, gets layout `#attn_gpu.spread`, in which a warp reads each element once, and is
    converted to the slice after the read.

    wgmma keeps only some 14 bits of a sum of 8-bit products. With `mma = wgmma`, an
    `exact` product of 8-bit operands that a loop over blocks accumulates therefore gets
    two accumulators: the MMA adds to a partial sum, which every 256 products is added to
    the sum in f32 and begins with zeros again. An `attn_tile.softmax_update` rescales both.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUPipelineLoadsPass : KernelPass<"attn-gpu-pipeline-loads"> {
  let summary = "load tiles and vectors while the previous ones are used";
  let description = [{
    In kernels without roles, each load of a tile to shared memory becomes a fill and an
    acquire of a ring. In a loop, copies are `stages - 1` iterations ahead: an iteration
    first waits for its tiles, then begins the copies for a later iteration. Which tiles an
    iteration loads may depend on the loop's counter and on memory that the kernel does not
    write, such as a list of blocks or a table of pages.

    The schedule's `copy` says how tiles are copied. With `tma`, the CTA's first thread issues the
    copies, and rings have barriers. With `cp_async` or `element`, all threads copy: rings
    have no barriers, and all warps wait for each other at the beginning of each iteration and
    before the copies of the next tile of `attn_gpu.for_tiles`. With the `dynamic` scheduler, one
    thread reads a tile's number from a counter and passes it to the others in shared
    memory, which is allocated after the rings.

    In all kernels, a vector of layout `#attn_gpu.spread` that an iteration of a loop reads from
    memory, and that depends only on the loop's counter and on memory that the kernel does not
    write, is read in the iteration before, at its beginning, and carried by the loop. The reads
    then overlap with the waits of that iteration, for copies and for MMAs. The vectors of the
    first iteration are read before the loop. Such vectors are scales of tokens, which
    `attn-gpu-assign-layouts` lets each warp read once.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "attn_nv::AttnNVDialect", "gpu::GPUDialect",
                           "NVVM::NVVMDialect", "scf::SCFDialect"];
}

def AttnGPUPipelinePass : KernelPass<"attn-gpu-pipeline"> {
  let summary = "overlap MMAs of one iteration with the softmax of the next";
  let description = [{
    In kernels of wgmma whose schedule has `overlap`, separate ops issue the MMAs of a loop
    and wait for them. An MMA whose result is not needed by anything else in its
    iteration runs one iteration late, beside the softmax of the next one. The stage of every
    other op, the order of the loop's body, and how many MMAs each wait leaves unfinished
    follow from dependences; scf's pipeliner writes prologue, kernel and epilogue.
    A loop without such an MMA stays as it is, and a remark says so. The same holds for all
    loops of mma.sync, which is synchronous, and for a loop whose MMAs read a tile
    that warps exchange through shared memory, since the next iteration overwrites that tile.

    With `ping_pong`, one warpgroup at a time issues the MMAs of the loop's body.
    This requires roles: without them, warpgroups wait for each other in each iteration.

    All other dots of wgmma become an `attn_gpu.mma` followed by its `attn_gpu.mma_wait`,
    with or without `overlap`. Dots of mma.sync stay as they are.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUSpecializeWarpsPass : KernelPass<"attn-gpu-specialize-warps"> {
  let summary = "divide a kernel into producer, consumers and other roles";
  let description = [{
    In kernels whose schedule has `roles` other than `none`, each load of a tile to
    shared memory gets a ring. The consumers, the warps that the schedule's `warps` counts,
    run the program and acquire the tiles. The last warps, four or, without TMA, up to 16, are
    the producer: they run the loads, and the ops and loops that these depend on. With
    `copy = tma` one of their threads copies by tensor maps; otherwise all of them
    copy. A load that depends on a tile is an error, since another role has the tile.

    With `producer_consumer_reducer`, a warpgroup between these takes over stores with
    `add apart`, with the MMAs whose results they add. With `producer_consumer_converter`,
    it computes right operands of MMAs from loaded tiles. A multiplier computes the products
    that the program marks with `apart`. Consumers pass tiles to the
    reducer, and converters and multipliers pass tiles to other roles, through rings.

    On chips that can, the producer's registers are given to the other roles
    (`setmaxnreg`). Where TMA can describe the array and shared memory has room, stores of
    16-bit tiles go through shared memory and a tensor map.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_nv::AttnNVDialect",
                           "attn_gpu::AttnGPUDialect", "gpu::GPUDialect",
                           "NVVM::NVVMDialect", "scf::SCFDialect"];
}

def AttnGPUPlaceReleasesPass : KernelPass<"attn-gpu-place-releases"> {
  let summary = "release each tile of a ring after its last reader";
  let description = [{
    The last reader of a tile is the wait for the last MMA that reads it, or its copy to
    registers. A tile whose memory the output reuses is released when the output has been
    stored. The producer would wait for this store before it refills the slot. It therefore
    first begins the copies of the next program's first block, which use other slots, and
    refills the slot after them. With `scheduler = persistent` it meanwhile prefetches the
    delayed tile to the second-level cache.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUExpandTilesPass : KernelPass<"attn-gpu-expand-tiles"> {
  let summary = "expand loops over the tiles of a CTA to loops of scf";
  let description = [{
    With the `dynamic` scheduler, the first thread of the last role, or without roles
    the first thread of the CTA, takes the next tile's number from a counter in global
    memory and passes it to the other threads through shared memory. With the `persistent`
    scheduler, CTA c of C takes the tiles c, c + C, c + 2C and so on.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "gpu::GPUDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

def AttnGPUNumberSlotsPass : KernelPass<"attn-gpu-number-slots"> {
  let summary = "number the tiles of each ring";
  let description = [{
    Each role counts the tiles of a ring from 0, through loops and branches. A tile's
    number determines its slot and the phase of the slot's barriers. Rings that a role
    fills or acquires equally often in each part of the program share a counter.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect",
                           "scf::SCFDialect"];
}

def AttnGPUPlaceTilesPass : KernelPass<"attn-gpu-place-tiles"> {
  let summary = "allocate shared memory for tiles that warps exchange";
  let description = [{
    Conversions of tiles from registers to shared memory, and reductions along
    columns, get offsets after the shared memory that the kernel uses already. Those
    that are not needed at the same time may share memory. A converted tile must be read
    in the iteration that converts it, since the next iteration overwrites it.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_gpu::AttnGPUDialect"];
}

def AttnGPUOutlineKernelsPass : Pass<"attn-gpu-outline-kernels", "ModuleOp"> {
  let summary = "outline kernels to functions of the module attn_kernels";
  let description = [{
    Each `attn_gpu.kernel` becomes a `gpu.func` of one module, `attn_kernels`, and each
    `attn_gpu.launch` becomes a `gpu.launch_func`. The function's parameters are the values that
    its code uses, in the order of their first use: arguments of the kernel, and values that the
    host computes from these for each launch, which are tensor maps, and sizes of arrays of which
    the code uses nothing else. `attn_kernels` gets the kernels' target as `#nvvm.target`; all
    kernels of a module must be for the same chip.
  }];
  let dependentDialects = ["arith::ArithDialect", "gpu::GPUDialect",
                           "memref::MemRefDialect", "NVVM::NVVMDialect"];
}

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_TD
