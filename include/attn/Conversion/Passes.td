//===- Passes.td - Conversions of tile programs ------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_PASSES_TD
#define ATTN_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnCheckShapesPass : Pass<"attn-check-shapes", "func::FuncOp"> {
  let summary = "check at run time what dynamic sizes must fulfil";
  let description = [{
    Emits a `cf.assert` before each op of attn for each equation between sizes
    that its types leave open: batch sizes, head counts and lengths that
    must be equal, query heads that must be a multiple of the others.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "memref::MemRefDialect", "tensor::TensorDialect"];
}

def AttnCheckLoweredPass : Pass<"attn-check-lowered", "ModuleOp"> {
  let summary = "diagnose what is not in the LLVM dialect";
  let description = [{
    Fails at the first op outside of the LLVM dialect: one that the host pipeline
    has no lowering for. Elements of LLVM's allocations and addresses must be of
    types that LLVM has.
  }];
}

def ConvertAttnToTilePass : Pass<"convert-attn-to-tile"> {
  let summary = "attention as a tile program";
  let description = [{
    Each `attn.attention` on memrefs, which must have a schedule, becomes an
    `attn_tile.grid` over batch entries, heads and blocks of `tile_q` query rows.
    Its program is one pass over the blocks of `tile_kv` keys that the rows need,
    with the recurrence of FlashAttention-2 (arXiv 2307.08691, algorithm 1) as an
    `attn_tile.softmax_update`. The mask is the program's domain, and in a branch
    for partial blocks, per-row bounds of columns. The scale of an op without a
    score region, or the constant factor that a soft cap has last, is the softmax
    state's factor.

    An op whose type has no keys becomes stores of empty rows.

    `attn.merge` becomes one grid over rows. Programs of `attn.append` have the heads
    of one token as rows, so where it goes is one place; a second grid, behind the one
    that reads them, changes the lengths.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_tile::AttnTileDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numMasked", "masked", "Number of programs that hold mask arithmetic">
  ];
}

def AttnHostFuseElementwisePass : Pass<"attn-host-fuse-elementwise"> {
  let summary = "fuse chains of element-wise ops on tiles";
  let description = [{
    Makes one `linalg.generic` of each chain of element-wise ops whose results
    only the chain uses, with the constants, scalars, coordinates and rows that
    it reads. Fusion op by op, which upstream does, takes a time that grows with
    the square of a score region.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def ConvertAttnTileToLinalgPass : Pass<"convert-attn-tile-to-linalg"> {
  let summary = "lower tile programs to linalg on tensors";
  let description = [{
    Loads become slices of a view in a tile of zeros, dots become f32 matrix
    products, reductions and coordinates become `linalg.generic`. Element-wise
    arith and math on tiles is left to `attn-host-fuse-elementwise` before, or to
    `convert-elementwise-to-linalg`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "memref::MemRefDialect",
                           "tensor::TensorDialect"];
}

def ConvertAttnGPUToNVVMPass : Pass<"convert-attn-gpu-to-nvvm"> {
  let summary = "lower tile programs in kernels to the work of one thread";
  let description = [{
    Tiles with a layout become vectors of the registers that a thread holds, tiles
    in shared memory their address. MMAs use mma.sync: f16 and bf16 with
    operands read by ldmatrix, f32 as six MMAs of bf16 parts. Where a launch has checked
    that arrays' sizes are below 2^31, loops with MMAs count in 32 bits.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_nv::AttnNVDialect", "gpu::GPUDialect",
                           "LLVM::LLVMDialect", "math::MathDialect",
                           "memref::MemRefDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
}

def ConvertAttnNVToLLVMPass : Pass<"convert-attn-nv-to-llvm", "gpu::GPUModuleOp"> {
  let summary = "lower attn_nv to inline assembly";
  let description = [{
    MMAs of warpgroups become one block of inline assembly each, and comparisons
    of halves where the chip compares both at once. 16-bit floats that bits of
    `attn_nv.unpack_pairs` select, or zeros, are masked in pairs. Tensor maps
    become pointers.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "vector::VectorDialect"];
}

def AttnAnnotateKernelsPass : Pass<"attn-annotate-kernels", "gpu::GPUModuleOp"> {
  let summary = "tell ptxas what it must know of kernels";
  let description = [{
    On functions of the LLVM dialect: parameters that are tensor maps are passed by
    value in constant memory. `attn_nv.least_ctas` and `attn_nv.launch_registers` become
    `nvvm.minctasm` and `nvvm.maxnreg`. The launch gives the size of shared memory, which
    begins at a multiple of 1024 bytes. `attn_nv.wait_for_launches` becomes
    assembly, and its function says `attn.after_previous` in `passthrough`.
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "NVVM::NVVMDialect"];
}

def AttnMathToNVVMPass : Pass<"attn-math-to-nvvm"> {
  let summary = "lower math to instructions of the GPU";
  let description = [{
    The table of math functions on the GPU: each op becomes an instruction, a
    polynomial or an expression in others. There is no device library, so an op
    without an entry is an error.

    | op | lowering | error |
    |---|---|---|
    | exp, exp2 | ex2.approx | 2 ulp, and the rounding of x log2 e |
    | log, log2, log10 | lg2.approx | 2^-22 absolute near 1, else 1 ulp |
    | isfinite, isinf, isnan | comparisons | exact |
    | sqrt, fma, floor, ceil, trunc, absf, copysign | instructions | exact or rounded once |
    | divf with fastmath arcp | div.full, or a product if the divisor is constant | 2 ulp |
    | tanh | 1 - 2 / (1 + e^2x), a polynomial near 0; with fastmath afn tanh.approx; where all of a warp's arguments are near 0, a polynomial alone | 8 ulp; 2^-11 |
    | sin, cos, atan, erf, log1p, expm1, cbrt, ... | upstream's polynomials | a few ulp |
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "math::MathDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
}

def AttnSerializeKernelsPass : Pass<"attn-serialize-kernels", "ModuleOp"> {
  let summary = "compile kernels to PTX";
  let description = [{
    Replaces each `gpu.module` in the LLVM and NVVM dialects by a `gpu.binary` that
    holds its PTX, of the lowest version that its `#nvvm.target` allows. Several
    are compiled at once, each on a thread and in an LLVM context of its own. Each kernel
    of a module that has several gets a module of its own, named after both, with the
    symbols that it needs: the driver then compiles the kernels that are launched, and
    not those for arrays of another access class.
  }];
  let dependentDialects = ["gpu::GPUDialect", "NVVM::NVVMDialect"];
}

def AttnSnapshotLocationsPass : Pass<"attn-snapshot-locations", "ModuleOp"> {
  let summary = "write the module to a file and let locations point there";
  let description = [{
    As upstream's `snapshot-op-locations`, except that a file that cannot be written
    is a diagnostic, not the end of the process, and leaves no half of a file.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "The file, as line tables are to name it">
  ];
}

def AttnLowerLaunchPass : Pass<"attn-lower-launch", "ModuleOp"> {
  let summary = "lower launches to calls of the runtime attnrt";
  let description = [{
    A public function gets two leading parameters, `attnrt_runtime *` and
    `attnrt_stream`, and returns an `attnrt_status`; see attnrt.h. Each
    `gpu.launch_func` of a kernel in a `gpu.binary` becomes a call of
    `attnrt_launch_kernel`, whose failure is returned, and each `cf.assert` a call
    of `attnrt_fail` with its message. Kernel parameters are those that
    `convert-gpu-to-nvvm` makes: a memref is its descriptor's words. The binary
    becomes a constant `attnrt_program`. A kernel that has `attn.after_previous` in its
    metadata in the binary's table of kernels, which `attn-serialize-kernels` writes, may
    begin before the one before it has ended: it waits for that itself.

    A `memref.alloc` becomes a call of `attnrt_allocate_async`. What it allocates
    is freed when the function returns, on every path; a `memref.dealloc` of it
    says nothing more. It cannot lie in a loop.

    Functions are expected as graphs of blocks. They cannot touch arrays, which
    are the device's: an op that would is an error.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "LLVM::LLVMDialect", "memref::MemRefDialect"];
}

def AttnHostVectorizePass : Pass<"attn-host-vectorize"> {
  let summary = "tile linalg on static buffers to register size and vectorise it";
  let description = [{
    Matrix products become loops over a register tile of `dot-rows` by `lanes`
    with its accumulator carried in registers; element-wise work and reductions
    go row by row. Ops with dynamic sizes are left to
    `convert-linalg-to-loops`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "memref::MemRefDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
  let options = [
    Option<"lanes", "lanes", "int64_t", /*default=*/"16",
           "f32 elements in a row of the register tile">,
    Option<"dotRows", "dot-rows", "int64_t", /*default=*/"4",
           "Rows of the register tile of a matrix product">
  ];
}

def AttnHostFreeBuffersPass : Pass<"attn-host-free-buffers", "func::FuncOp"> {
  let summary = "free buffers at the end of the block that allocates them";
  let description = [{
    Frees each `memref.alloc` whose uses, views of it included, stay within its
    block. Upstream's deallocation passes reject functions with branches or with
    deallocations of their own.
  }];
  let dependentDialects = ["memref::MemRefDialect"];
}

def AttnHostOutlineGridPass : Pass<"attn-host-outline-grid", "ModuleOp"> {
  let summary = "outline the grid's body for a parallel loop of the runtime";
  let description = [{
    Each outermost `scf.forall` without results becomes a call of

    ```c
    void attnrt_parallel_for(void (*body)(void *context, int64_t index),
                             void *context, int64_t count);
    ```

    and its body a function of one linear index. Captured values travel in
    `context`; buffers of static size in the body are allocated once per call, on
    the stack up to 1 MiB. A weak
    definition that runs the body in order is added, so that an object file
    links without the runtime.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "memref::MemRefDialect"];
}

def AttnHostExportPass : Pass<"attn-host-export", "ModuleOp"> {
  let summary = "give public functions a C interface";
  let description = [{
    A public function `@name` becomes the C functions

    ```c
    const char *attn_name(ARG...);
    const char *attn_name_packed(void **args);
    ```

    which return null, or a message that says which run-time check failed. A
    memref argument is a pointer to its descriptor (allocated and aligned
    pointer, offset, sizes, strides), a scalar is itself; `args` holds the
    address of each argument, where a memref's is its descriptor's. Checks are
    the `cf.assert`s of the function; those of private functions that are not
    inlined abort. A function that attn-lower-launch has lowered returns its status
    and takes the runtime and the stream first. Arrays passed for tensors must not overlap results, and a
    function that updates a tensor argument may do so in place.
  }];
  let dependentDialects = ["cf::ControlFlowDialect", "LLVM::LLVMDialect"];
}

def AttnLowerByteViewsPass : Pass<"attn-lower-byte-views"> {
  let summary = "bytes of arrays of i4 as views of the same memory";
  let description = [{
    Each `attn_tile.bytes` becomes a cast of the array's address, with half the
    offset, columns and strides of rows. The array must be an argument of the
    function: memory that LLVM allocates has an i4 in each byte.
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
}

def AttnExpandMathPass : Pass<"attn-expand-math"> {
  let summary = "expand math functions to polynomials on vectors";
  let description = [{
    Replaces the math ops on f32, scalars or vectors, for which an expansion of a
    few units in the last place exists. Others are left to the conversions to LLVM
    and libm; those that these lack are errors.

    | op | lowering | error |
    |---|---|---|
    | exp2 | polynomial of degree 6 | 1 ulp; 0 below the normal numbers |
    | exp, log, tanh | upstream's polynomials | a few ulp |
    | clampf, isinf, isnormal | comparisons | exact |
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "vector::VectorDialect"];
}

#endif // ATTN_CONVERSION_PASSES_TD
