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

def AttnCheckArraysPass : Pass<"attn-check-arrays", "func::FuncOp"> {
  let summary = "check what types do not say of arrays";
  let description = [{
    Fails at an op of attn that has one memref twice among its `outs`, also by a `memref.cast`
    or a `memref.transpose`: its results would overwrite each other. Different arguments of a
    function, and views, may also be the same memory, which only a launch can check.

    Emits `cf.assert`s for the conditions on sizes of each op of attn that its
    types do not decide: batch sizes, head counts and lengths that must be equal,
    a number of query heads that must be a multiple of the number of key heads,
    sizes of arrays of lengths and of pages, and what reads of captured arrays
    promise. The checks are before the op or, if the op is in a grid, before the grid.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "memref::MemRefDialect", "tensor::TensorDialect"];
}

def AttnCheckTensorSizesPass : Pass<"attn-check-tensor-sizes", "func::FuncOp"> {
  let summary = "check dynamic sizes of ops on tensors around attention";
  let description = [{
    Emits `cf.assert`s in a public function for what linalg's structured ops, and the ops of the tensor dialect that join,
    divide, cut and cast tensors, require of sizes that are dynamic: dimensions that one loop indexes are equal, parts are
    within the whole, what is inserted is of the part's size, and results of the function have the sizes of what is stored
    to them. Without them, such an op reads and writes outside of its arrays. The message names the arguments that
    disagree, where the sizes are theirs, and the checks are then at the begin of the function. Indices that are no
    loops by themselves, and ops in loops and branches, are not checked.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "memref::MemRefDialect", "tensor::TensorDialect"];
}

def AttnCheckLoweredPass : Pass<"attn-check-lowered", "ModuleOp"> {
  let summary = "report ops that were not lowered to the LLVM dialect";
  let description = [{
    Fails at the first op outside of the LLVM dialect, for which the host pipeline
    has no lowering, and at an `llvm.alloca`, `llvm.getelementptr` or `llvm.inline_asm`
    that LLVM IR cannot express.
  }];
}

def ConvertAttnToTilePass : Pass<"convert-attn-to-tile"> {
  let summary = "turn ops of attn into tile programs";
  let description = [{
    Each `attn.attention` on memrefs, which must have a schedule, becomes an
    `attn_tile.grid` over batch entries, heads and blocks of `tile_q` query rows.
    Its program is one pass over the blocks of `tile_kv` keys that the rows need,
    with the recurrence of FlashAttention-2 (arXiv 2307.08691, algorithm 1) as an
    `attn_tile.softmax_update`. The mask becomes the program's domain, the
    blocks that it visits, and for partial blocks a branch that compares columns with
    bounds for each row. The scale of an op without a
    score region, or the constant factor that a soft cap multiplies with last, is the
    softmax state's factor.

    An op whose type has no keys becomes stores of zeros to the output and, to the lse, of the
    row's sink if there is one and it is finite, else of -inf.

    `attn.attention_backward` becomes several grids: one computes delta, others the
    gradients. `attn.merge` becomes one grid over rows. The rows of a program of
    `attn.append` are the heads of one token, which are all written to the same
    position; a second grid updates the lengths after the first one has read them. What
    grids pass to later grids is in `attn_tile.workspace`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_tile::AttnTileDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numMasked", "masked", "Number of programs that apply a mask to scores">
  ];
}

def AttnHostFuseElementwisePass : Pass<"attn-host-fuse-elementwise"> {
  let summary = "fuse chains of element-wise ops on tiles";
  let description = [{
    Makes one `linalg.generic` of each chain of element-wise ops whose results
    only the chain uses, together with the constants, scalars, coordinates and row
    vectors that it reads. Upstream's fusion merges one op at a time, which takes
    time quadratic in the number of ops of a score region.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def ConvertAttnTileToLinalgPass : Pass<"convert-attn-tile-to-linalg"> {
  let summary = "lower tile programs to linalg on tensors";
  let description = [{
    A load becomes a slice of the view, inserted into a tile of zeros; a dot
    becomes a matrix product in f32; reductions and coordinates become
    `linalg.generic`; workspace becomes memory that is freed at the end of its block.
    Element-wise arith and math on tiles stay: run
    `attn-host-fuse-elementwise` before, or `convert-elementwise-to-linalg` after.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "memref::MemRefDialect",
                           "tensor::TensorDialect"];
}

def ConvertAttnGPUToNVVMPass : Pass<"convert-attn-gpu-to-nvvm"> {
  let summary = "lower tile programs in kernels to the code of one thread";
  let description = [{
    A tile in registers becomes a vector of the elements that a thread holds, and a
    tile in shared memory becomes its address. `attn_tile.dot` becomes mma.sync,
    whose operands of f16, bf16 and 8 bits are read by ldmatrix; a product of f32 is six
    MMAs of bf16 parts. `attn_gpu.mma` becomes `attn_nv.wgmma`. Where a launch has checked
    that sizes of arrays are below 2^31, loops with MMAs count in 32 bits.
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
    Each `attn_nv.wgmma` becomes one statement of inline assembly, as does
    `attn_nv.compare_halves` where the chip compares two 16-bit halves at once. A
    select between 16-bit floats and zeros by bits of `attn_nv.unpack_pairs` masks
    two floats with one bitwise and. Tensor maps become pointers.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "vector::VectorDialect"];
}

def AttnAnnotateKernelsPass : Pass<"attn-annotate-kernels", "gpu::GPUModuleOp"> {
  let summary = "set attributes of kernels that ptxas and launches read";
  let description = [{
    Works on functions of the LLVM dialect. Parameters that are tensor maps are passed by
    value, in constant memory. `attn_nv.least_ctas` and `attn_nv.launch_registers` become
    `nvvm.minctasm` and `nvvm.maxnreg`. Dynamic shared memory is aligned to 1024 bytes, and
    each launch gives its size. `attn_nv.wait_for_launches` becomes assembly, and the
    `passthrough` of its function gets `attn.after_previous`.
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "NVVM::NVVMDialect"];
}

def AttnMathToNVVMPass : Pass<"attn-math-to-nvvm"> {
  let summary = "lower math to instructions of the GPU";
  let description = [{
    Lowers each math op by the table below: to an instruction, a polynomial or an
    expression of other ops. Functions such as exp and tanh of f16 and bf16 are
    computed in f32, and rounded. The project does not link libdevice, so an op without
    an entry is an error, as are functions of f64.

    Casts of 8-bit floats depend on the chip. In a `gpu.module` it is that of the module's
    target, without which the pass fails; elsewhere it is that of `attn_gpu.target`.

    | op | lowering | largest error |
    |---|---|---|
    | exp, exp2 | ex2.approx | 2 ulp, and the rounding of x log2 e |
    | log, log2, log10 | lg2.approx | 2^-22 absolute near 1, else 1 ulp |
    | isfinite, isinf, isnan | comparisons | exact |
    | sqrt, fma, floor, ceil, trunc, absf, copysign | instructions | exact or rounded once |
    | divf with fastmath arcp | div.full, or a product if the divisor is constant | 2 ulp |
    | tanh | 1 - 2 / (1 + e^2x), a polynomial near 0; with fastmath afn tanh.approx; where all of a warp's arguments are near 0, a polynomial alone | 8 ulp; 2^-11 |
    | sin, cos | upstream's polynomials, after x was reduced to less than a turn | 4e-7 absolute below 2^22 turns |
    | powf | 2^(y log2 abs(x)), with the sign and the special values of C's pow | the rounding of y log2 abs(x) |
    | asinh | log1p of a sum of positive terms | a few ulp |
    | remf | x - n y with n = round(x / y), and one more y | exact if abs(x / y) is below 2^21 |
    | atan, erf, log1p, expm1, cbrt, ... | upstream's polynomials | a few ulp |
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "math::MathDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
}

def AttnSerializeKernelsPass : Pass<"attn-serialize-kernels", "ModuleOp"> {
  let summary = "compile kernels to PTX";
  let description = [{
    Replaces each `gpu.module` in the LLVM and NVVM dialects with a `gpu.binary` that
    holds its PTX, of the lowest PTX version that its `#nvvm.target` allows. Modules
    are compiled in parallel, each in its own thread and LLVM context. A module of several
    kernels is split first: each kernel gets its own module, named after both, with the
    symbols that it needs. The CUDA driver then compiles only the kernels that are launched,
    and not those for arrays of another access class.
  }];
  let dependentDialects = ["gpu::GPUDialect", "NVVM::NVVMDialect"];
}

def AttnSnapshotLocationsPass : Pass<"attn-snapshot-locations", "ModuleOp"> {
  let summary = "write the module to a file and let locations point there";
  let description = [{
    Does what upstream's `snapshot-op-locations` does, except that a file that cannot
    be written is reported as an error instead of ending the process, and that no
    incomplete file remains.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "Name of the file to write, which line tables will contain">
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
    `convert-gpu-to-nvvm` makes: the fields of a memref's descriptor, one by one. The
    binary becomes a constant `attnrt_program`. A kernel that has `attn.after_previous` in
    its metadata in the binary's table of kernels, which `attn-serialize-kernels` writes, is
    launched with programmatic stream serialization: it may begin before the previous kernel
    of the stream has ended, and waits for that kernel's end by an instruction of its own.

    A `memref.alloc` becomes a call of `attnrt_allocate_async`. The memory is freed
    when the function returns, on every path, so that a `memref.dealloc` of it is
    dropped. A `memref.alloc` in a loop is an error.

    Control flow must have been lowered to branches between blocks. The functions run
    on the host and arrays are in the device's memory: an op that would read or write
    an array is an error.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "LLVM::LLVMDialect", "memref::MemRefDialect"];
}

def AttnHostVectorizePass : Pass<"attn-host-vectorize"> {
  let summary = "tile linalg on static buffers to register size and vectorise it";
  let description = [{
    A matrix product becomes loops over register tiles of `dot-rows` x `lanes`
    elements, whose accumulator is carried in registers; element-wise ops and
    reductions are vectorised row by row. Ops with dynamic sizes are left to
    `convert-linalg-to-loops`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "memref::MemRefDialect",
                           "scf::SCFDialect", "vector::VectorDialect",
                           "attn_tile::AttnTileDialect"];
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
  let summary = "turn grids into calls of the runtime's parallel loop";
  let description = [{
    Each outermost `scf.forall` without results becomes a call of the function

    ```c
    void attnrt_parallel_for(void (*body)(void *context, int64_t index),
                             void *context, int64_t count);
    ```

    and its body becomes a function of one linear index. `context` points to the
    values that the body reads from outside. Buffers of static size in the body are
    allocated once per call, on the stack up to 1 MiB. The pass adds a weak definition
    of the function that runs the iterations in order, so that an object file links
    without the runtime.
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
    memref is passed as a pointer to its descriptor (allocated and aligned pointer,
    offset, sizes, strides), a scalar by value. `args` holds the address of each
    argument; for a memref that is the address of its descriptor. Run-time checks are
    the `cf.assert`s of the function; one that fails in a private function that was not
    inlined aborts the process. With `returns-status`, for functions that
    `attn-lower-launch` has lowered, the C functions return an `attnrt_status`, and their
    first parameters are the runtime and the stream. Arrays passed
    for tensors must not overlap results, and a function that updates a tensor argument
    may do so in place.

    Arrays of i4 are passed with two elements in a byte: each `attn_tile.bytes` becomes a
    cast of the array's address, with half the offset, columns and strides of rows. Its
    array must be an argument of the function, since memory that LLVM allocates has an i4
    in each byte, and only attention, appends and copies may access it.
  }];
  let options = [
    Option<"returnsStatus", "returns-status", "bool", /*default=*/"false",
           "Public functions return an attnrt_status, as attn-lower-launch makes them">
  ];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "LLVM::LLVMDialect", "memref::MemRefDialect"];
}

def AttnExpandMathPass : Pass<"attn-expand-math"> {
  let summary = "expand math functions to polynomials on vectors";
  let description = [{
    Replaces math ops on f32, scalars or vectors, for which there is an expansion that
    is accurate to a few units in the last place. Other ops are left to the conversions
    to LLVM and libm; ops that these do not lower either are errors.

    | op | lowering | largest error |
    |---|---|---|
    | exp2 | polynomial of degree 6 | 1 ulp; 0 below the normal numbers |
    | exp, log, tanh | upstream's polynomials | a few ulp |
    | clampf, isinf, isnormal | comparisons | exact |
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "vector::VectorDialect"];
}

#endif // ATTN_CONVERSION_PASSES_TD
