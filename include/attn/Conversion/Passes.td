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
    Emits a `cf.assert` before each `attn.attention` for each equation between
    sizes that its types leave open: batch sizes, head counts and lengths that
    must be equal, query heads that must be a multiple of the others.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "memref::MemRefDialect", "tensor::TensorDialect"];
}

def ConvertAttnTileToLinalgPass : Pass<"convert-attn-tile-to-linalg"> {
  let summary = "lower tile programs to linalg on tensors";
  let description = [{
    Loads become slices of a view in a tile of zeros, dots become f32 matrix
    products, reductions and coordinates become `linalg.generic`. Element-wise
    arith and math on tiles is left to `convert-elementwise-to-linalg`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "memref::MemRefDialect",
                           "tensor::TensorDialect"];
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
    the `cf.assert`s of the function.
  }];
  let dependentDialects = ["cf::ControlFlowDialect", "LLVM::LLVMDialect"];
}

def AttnExpandMathPass : Pass<"attn-expand-math"> {
  let summary = "expand math functions to polynomials on vectors";
  let description = [{
    Replaces the math ops for which a vector expansion of a few units in the last
    place exists. Others are left to the conversions to LLVM and libm.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "vector::VectorDialect"];
}

#endif // ATTN_CONVERSION_PASSES_TD
