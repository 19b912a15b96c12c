//===- Passes.td - Passes on the attn dialect --------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
#define ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnDifferentiatePass : Pass<"attn-differentiate", "ModuleOp"> {
  let summary = "add functions that return the lse and the gradients";
  let description = [{
    For each public function `f` with one `attn.attention` of its arguments, adds two
    functions:

    - `f_forward` is `f`, and also returns the lse.
    - `f_backward` computes the gradients by an `attn.attention_backward`. Its arguments are
      those of `f`, then the output and the lse, each unless it is a memref argument of `f`
      already, and at last d_output. It returns d_query, d_key and d_value, then the
      gradient of the sink if that is an argument of `f`, then the gradient of each argument
      that the score region captures and that is a float or an array of floats. The gradient
      of a number of f64 is of f32. For arrays that are memrefs it writes the gradients to
      further arguments instead, which have the arrays' layouts, or are row-major if an array's
      type says that elements share an address or does not say that those of a row are
      neighbours.

    An op of the score region without a derivative is an error at that op, as is a read of
    an array at indices for which there is no gradient. So are pages, and another op of `f`
    that writes to an argument, or that may, as a call of a function that gets it. A sink, or
    an array that the score region reads, which may be an argument in another form, such as a
    view of one or a select between two, is an error, too: its gradient would be missing.
    Numbers and arrays that `f` computes, or allocates, have no gradients.

    ```mlir
    func.func @f(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>)
        -> tensor<1x2x8x16xf16>
    // is followed by
    func.func @f_forward(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>)
        -> (tensor<1x2x8x16xf16>, tensor<1x2x8xf32>)
    func.func @f_backward(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>,
                          %o: tensor<1x2x8x16xf16>, %lse: tensor<1x2x8xf32>, %do: tensor<1x2x8x16xf16>)
        -> (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "tensor::TensorDialect"];
}

def AttnDefineOperandsPass : Pass<"attn-define-operands"> {
  let summary = "replace operands for which ops are undefined";
  let description = [{
    Runs before any folding: folders and analyses assume that operands are valid.

    Fails at a `tensor.dim` or `memref.dim` whose constant index is not below the
    rank: the verifiers accept it, but folders and analyses of sizes would read past
    the end of the shape. An index that is not a constant, but may fold to one, is
    clamped to the last dimension.

    Replaces the divisor of each integer division (of scalars, tiles, and tensors and
    vectors of static sizes) with 1 where it is 0 or, in a signed division, -1, and selects
    the result there: a quotient or remainder by 0 is 0, the smallest integer divided by
    -1 is itself, and its remainder is 0. A constant divisor other than these stays.
    `math.atan2` of two zeros becomes what IEEE 754 says, 0 or pi with the sign of the
    first operand, since constant folding returns a NaN. An `arith.index_cast` of an
    index to fewer bits, of which an index is made again, becomes a cast to i64 and an
    `arith.trunci`, since folding removes the two casts as if they lost no bits.

    ```mlir
    %r = arith.remui %x, %y : i32
    // becomes
    %isZero = arith.cmpi eq, %y, %c0 : i32
    %divisor = arith.select %isZero, %c1, %y : i32
    %r = arith.remui %x, %divisor : i32
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect"];
}

def AttnResultsToOutParamsPass : Pass<"attn-results-to-out-params", "ModuleOp"> {
  let summary = "turn tensor results of public functions into trailing parameters";
  let description = [{
    Each tensor result of a public function is written to a new trailing memref
    argument of the same shape, whose strides are dynamic except for the
    innermost one, which is 1. Results of other types stay results.

    ```mlir
    func.func @main(%q: tensor<?x4xf32>) -> tensor<?x4xf32>
    // becomes
    func.func @main(%q: tensor<?x4xf32>,
                    %out: memref<?x4xf32, strided<[?, 1], offset: ?>>)
    ```
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "memref::MemRefDialect"];
}

def AttnElementwiseToLinalgPass : Pass<"attn-elementwise-to-linalg"> {
  let summary = "convert element-wise ops on tensors to linalg, except in grids";
  let description = [{
    Does what upstream's `convert-elementwise-to-linalg` does, but leaves the programs
    of an `attn_tile.grid` as they are.
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
}

def AttnDecomposeLinalgPass : Pass<"attn-decompose-linalg"> {
  let summary = "decompose ops of linalg that have no lowering to loops";
  let description = [{
    `linalg.softmax`, `linalg.pack`, `linalg.unpack` and the transforms of Winograd
    convolutions have no lowering to loops. Applies upstream's decompositions to them,
    whose results have one.
  }];
  let dependentDialects = ["arith::ArithDialect", "bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def AttnReuseBuffersPass : Pass<"attn-reuse-buffers"> {
  let summary = "write the results of loops and branches to buffers outside";
  let description = [{
    A tensor that an iteration of an `scf.for` or `scf.while` makes is written to the
    tensor that the loop carries, and results of static sizes of an `scf.if` are written
    to memory that is allocated before it. Memory that is allocated in an iteration or a
    branch is then not needed after that, and can be freed at its end. A loop that does
    not already update its tensor begins with a copy of it.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def AttnBufferizePass : Pass<"attn-bufferize", "ModuleOp"> {
  let summary = "one-shot bufferisation that keeps the unit innermost stride";
  let description = [{
    Runs upstream's one-shot bufferisation across function boundaries. A tensor
    argument becomes a memref whose strides and offset are dynamic except for the
    innermost stride, which is 1, as `attn.attention` expects. A tensor that a loop
    carries, that an `scf.if` yields or that is an argument of a block gets the same
    layout if the buffers that meet there differ in layout. Arguments of a public
    function that it reads are not written.

    Before that, the pass lets ops write their results to where these are stored, as
    upstream's `eliminate-empty-tensors` does: the `tensor.empty` that is the destination of
    a tensor is replaced by the slice or memref that the tensor is written to. Unlike
    upstream, it does nothing for a memref if an op between them does not write in place, as
    where its destination is read later: the memref would be overwritten before that read.

    ```mlir
    %e = tensor.empty() : tensor<8xf32>
    %x = linalg.exp ins(%in : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %y = linalg.abs ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    bufferization.materialize_in_destination %y in restrict writable %out0 : ...
    // %e becomes %out1 here, since %out0 must not have %x.
    bufferization.materialize_in_destination %x in restrict writable %out1 : ...
    ```

    A `linalg.transpose` of an argument to a buffer that only attention reads becomes a
    view, a `memref.transpose`. The same holds for a buffer that attention writes and that
    is then transposed or copied to a result. The transpose must keep the innermost
    dimension, whose stride is 1, and the function must not write the argument. Tensors in
    the order (B, S, H, D) are then not copied, and functions for a GPU, which cannot have
    such copies, may have them.
  }];
  let dependentDialects = ["attn::AttnDialect", "bufferization::BufferizationDialect",
                           "memref::MemRefDialect", "tensor::TensorDialect"];
}

def AttnAssignTilesPass : Pass<"attn-assign-tiles"> {
  let summary = "choose tile sizes for the host";
  let description = [{
    Sets the `schedule` of each op of attn that has none (`attn.attention`, `attn.merge`
    and the others) to `#attn.tiles`. A schedule written in the IR is kept, even one for
    a GPU: its tile programs also run on the host.
  }];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
