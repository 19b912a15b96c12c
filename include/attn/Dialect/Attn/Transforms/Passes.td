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

def AttnDefineArithPass : Pass<"attn-define-arith"> {
  let summary = "give scalar arithmetic a value where it has none";
  let description = [{
    Selects the divisor of each integer division of scalars, so that it is never
    0 or, of a signed one, -1, and the result where it was: a quotient or remainder
    by 0 is 0, and the smallest integer divided by -1 itself, with remainder 0. A
    divisor that is another constant stays. `math.atan2` of two zeros is what
    IEEE 754 says, 0 or pi with the sign of the first, where constant folding
    has a NaN. Runs before anything folds.

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

def AttnCheckDimsPass : Pass<"attn-check-dims"> {
  let summary = "diagnose sizes of dimensions that do not exist";
  let description = [{
    Fails at a `tensor.dim` or `memref.dim` whose constant index is not below the
    rank: the ops accept it, folding and analyses of sizes read past the shape.
    Another index, which may fold to such a constant, becomes at most the last
    dimension's.
  }];
  let dependentDialects = ["arith::ArithDialect"];
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

def AttnBufferizePass : Pass<"attn-bufferize", "ModuleOp"> {
  let summary = "one-shot bufferisation that keeps the unit innermost stride";
  let description = [{
    Runs upstream's one-shot bufferisation across function boundaries. A tensor
    argument becomes a memref whose strides and offset are dynamic except for
    the innermost stride, which is 1, the layout that `attn.attention` expects.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "memref::MemRefDialect"];
}

def AttnAssignSchedulePass : Pass<"attn-assign-schedule"> {
  let summary = "choose a schedule for each attention op";
  let description = [{
    Sets the `schedule` attribute of each `attn.attention` that has none, from
    a table for the chip. A schedule written in the IR is kept. For a GPU,
    `attn.reasons` says why, in sentences that travel with the schedule to the
    launch; nothing depends on them.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"host\"",
           "What runs the program: host, or an NVIDIA chip such as sm_90">
  ];
}

def AttnChooseAccessPass : Pass<"attn-choose-access"> {
  let summary = "choose the access class of each attention op for a GPU";
  let description = [{
    A kernel is compiled for a class of memory access: `tma`, whose tiles the
    tensor memory accelerator copies, `async16`, with copies of 16 bytes, or
    `narrow`, element by element. With `access=auto` an op on memrefs whose
    schedule is a GPU's becomes an `scf.if` that tests the addresses, sizes and
    strides of query, key and value. One branch holds the op for `tma` if its
    schedule says so, else for `async16`, the other for `narrow`. Strides that are
    static and unfit leave `narrow` alone; a schedule that says `async16` is
    believed, and one that says `tma` if there is no other for the op; what they
    promise is checked at run time, as is that no array begins within an element:
    the GPU's own check ends the whole CUDA context. The last of `attn.reasons`
    says why an op has its class.
  }];
  let options = [
    Option<"access", "access", "std::string", /*default=*/"\"auto\"",
           "The class of every op: narrow, async16, tma, or auto">
  ];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
