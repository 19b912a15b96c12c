//===- Passes.td - Attention in IR that others wrote -------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_PASSES_TD
#define ATTN_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnRaisePass : Pass<"attn-raise", "ModuleOp"> {
  let summary = "find attention in IR that other compilers wrote";
  let description = [{
    Replaces each value that is softmax(f(scale * Q K^T)) V, whichever ops compute it, by
    `attn.attention`, and leaves all other ops as they are. It understands

    - linalg (named ops, `linalg.generic`, `linalg.softmax`), tensor, arith and math on tensors;
    - StableHLO in the generic form, as ops of a dialect that need not be registered
      (`-allow-unregistered-dialect`);
    - `tm_tensor.attention`, `iree_linalg_ext.attention` and `onnx.Attention` in the generic form;
    - the torch dialect in the generic form: `torch.aten.scaled_dot_product_attention`, and products, softmax,
      masks and element-wise ops on `!torch.vtensor`. Signatures stay; `torch_c.to_builtin_tensor` and
      `torch_c.from_builtin_tensor` are around what was raised;
    - StableHLO's custom calls of cuDNN's attention and its gradients, as JAX writes them.

    The pass does not match a list of patterns. It expresses an element of a product's result by
    indices of its inputs, through transposes, reshapes, broadcasts, slices, casts, element-wise ops
    and calls of private functions, and compares that with the formula of attention. A softmax may
    therefore be one op or several reductions, may divide before or after the second product, and
    heads of keys may be repeated. The ops between the first product and the softmax become
    the score region, the arrays that they read become captures, and a constant factor, also one of
    the query or the key, becomes the scale.

    A mask that is arithmetic on indices, selected or added, becomes the `mask` attribute or
    the mask region if the number at masked pairs is -inf, or if that is about the lowest finite
    number and each row is known to keep a key. Otherwise the score region selects the finite
    number, which keeps the meaning: a row that is masked everywhere is a mean of values.

    All arithmetic between the two products is in f32, even if the source rounds scores to f16
    or bf16; `keep-rounding` rounds them as the source does. A row whose scores are all -inf
    has the result 0, where the source has NaN.

    If a softmax is multiplied with values, but is not attention, a remark says why.
  }];
  let options = [
    Option<"keepRounding", "keep-rounding", "bool", "false",
           "round scores between the products to f16 or bf16 where the source does">
  ];
  let dependentDialects = ["arith::ArithDialect", "attn::AttnDialect", "cf::ControlFlowDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "scf::SCFDialect", "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRaised", "raised", "Number of attentions that were found">
  ];
}

def AttnTorchBordersPass : Pass<"attn-torch-borders", "ModuleOp"> {
  let summary = "make functions of torch-mlir functions of builtin tensors";
  let description = [{
    Replaces arguments and results of type `!torch.vtensor` by builtin tensors in functions that only convert
    them, by `torch_c.to_builtin_tensor` and `torch_c.from_builtin_tensor`, as after `attn-raise` if it raised
    all of the function. Functions with other uses of these values, and those that others call, stay as they
    are. Integers lose their sign. In a pipeline of torch-mlir, `torch-func-backend-type-conversion` does this
    for all functions, after the ops around attention were lowered, too.
  }];
}

def AttnOutlinePass : Pass<"attn-outline", "ModuleOp"> {
  let summary = "move attention to a nested module";
  let description = [{
    Moves each `attn.attention` and `attn.attention_backward` of a function that also has other ops into a
    public function `NAME_attention_0`, `NAME_attention_1` and so on of a nested module, `@attention`, and
    calls that. Ops that only rearrange its operands or results and have no other use (`linalg.transpose`,
    `tensor.expand_shape`, `tensor.collapse_shape`) move with it, since strides may replace them there. The
    outer module gets a private declaration of the function. A function that has nothing but attention and
    such ops moves as a whole.

    A module with other launches or code for the host can thus be compiled for a GPU. The pipeline

    ```
    builtin.module(attn-raise,attn-outline,builtin.module(attn-to-ptx{chip=sm_90a}))
    ```

    leaves the other ops of the outer module as they are. The compiled function is
    `attn_NAME_attention_0`, whose first arguments are a runtime and a stream; see docs/embedding.md.
  }];
  let dependentDialects = ["attn::AttnDialect", "func::FuncDialect"];
}

#endif // ATTN_RAISE_PASSES_TD
