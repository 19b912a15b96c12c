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
  let summary = "add functions that save the lse and that give the gradients";
  let description = [{
    For each public function `f` with one `attn.attention` of its arguments:
    `f_forward`, which gives the lse as well, and `f_backward`, which takes f's
    arguments, the output, the lse and d_output, as far as they are not among them,
    and gives d_query, d_key and d_value by `attn.attention_backward`, and the gradients
    of f's arguments that are a sink, floats that the score region captures, or arrays of
    floats that it reads. A score region that has no derivative is an error at the op that
    has none, as is an array read at indices that have no gradient.

    ```mlir
    func.func @f(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>)
        -> tensor<1x2x8x16xf16>
    // brings along
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
  let summary = "give ops operands for which they have a result";
  let description = [{
    Runs before anything folds: folding and analyses take operands for defined.

    Fails at a `tensor.dim` or `memref.dim` whose constant index is not below the
    rank: the ops accept it, folding and analyses of sizes read past the shape.
    Another index, which may fold to such a constant, becomes at most the last
    dimension's.

    Selects the divisor of each integer division, of scalars, tiles, and tensors and vectors
    of static sizes, so that it is never
    0 or, of a signed one, -1, and the result where it was: a quotient or remainder
    by 0 is 0, and the smallest integer divided by -1 itself, with remainder 0. A
    divisor that is another constant stays. `math.atan2` of two zeros is what
    IEEE 754 says, 0 or pi with the sign of the first, where constant folding
    has a NaN.

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
    innermost, which is 1. Results of other types stay.

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
  let summary = "element-wise ops on tensors as linalg, but for those on tiles";
  let description = [{
    As upstream's `convert-elementwise-to-linalg`, but leaves the programs of an
    `attn_tile.grid` as they are.
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
}

def AttnDecomposeLinalgPass : Pass<"attn-decompose-linalg"> {
  let summary = "turn ops of linalg that are no loops into ones that are";
  let description = [{
    `linalg.softmax`, `linalg.pack`, `linalg.unpack` and the transforms of Winograd
    convolutions have no lowering to loops. Upstream's decompositions turn them into
    ops that have one.
  }];
  let dependentDialects = ["arith::ArithDialect", "bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def AttnReuseBuffersPass : Pass<"attn-reuse-buffers"> {
  let summary = "write what loops and branches yield to one buffer each";
  let description = [{
    A tensor that an iteration of an `scf.for` or `scf.while` makes is written to the
    tensor that the loop carries, and the results of an `scf.if` of static sizes to
    memory that is allocated before it. So no memory is allocated in one iteration or
    branch and needed after it: what is allocated there can be freed at its end. A loop
    begins with a copy, where it does not update its tensor anyway.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def AttnBufferizePass : Pass<"attn-bufferize", "ModuleOp"> {
  let summary = "one-shot bufferisation that keeps the unit innermost stride";
  let description = [{
    Runs upstream's one-shot bufferisation across function boundaries. A tensor
    argument becomes a memref whose strides and offset are dynamic except for
    the innermost stride, which is 1, the layout that `attn.attention` expects. So
    does a tensor that control flow carries (a loop's, the result of an `scf.if`, a
    block's argument) where the buffers that meet there have different layouts.
  }];
  let dependentDialects = ["attn::AttnDialect", "bufferization::BufferizationDialect",
                           "memref::MemRefDialect"];
}

def AttnTransposesToViewsPass : Pass<"attn-transposes-to-views"> {
  let summary = "strides in place of transposed copies around attention";
  let description = [{
    A `linalg.transpose` of an argument to a buffer that attention alone reads becomes a
    `memref.transpose`, a view; so does that of what attention writes to a result, and a copy to it. The
    innermost dimension stays, whose stride is 1, and the argument is not written in the function.
    So tensors in (B, S, H, D) are not copied, and a GPU's functions may have them.
  }];
  let dependentDialects = ["memref::MemRefDialect"];
}

def AttnAssignTilesPass : Pass<"attn-assign-tiles"> {
  let summary = "choose sizes of tiles for each attention op on the host";
  let description = [{
    Sets the `schedule` attribute of each op that has none, `attn.attention`,
    `attn.merge` and the like, to `#attn.tiles` for the host. A schedule written in the IR is kept, also one for
    a GPU, whose tile programs run on the host, too.
  }];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
