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
    Replaces each value that is softmax(f(scale * Q K^T)) V, whichever ops say so, by
    `attn.attention`, and leaves all other ops as they are. It reads

    - linalg (named ops, `linalg.generic`, `linalg.softmax`), tensor, arith and math on tensors;
    - StableHLO in the generic form, as ops of a dialect that need not be registered
      (`-allow-unregistered-dialect`);
    - `tm_tensor.attention`, `iree_linalg_ext.attention` and `onnx.Attention` in the generic form.

    The pass does not match a list of patterns. It writes an element of a product's result as an
    expression of indices, through transposes, reshapes, broadcasts, slices, casts, element-wise ops
    and calls of private functions, and compares that with the formula of attention. So a softmax may
    come as one op or as reductions, its quotient before or after the second product, and
    heads of keys may be repeated. What stands between the first product and the softmax becomes
    the score region, arrays that it reads become captures, and a constant factor, also one of the
    query or the key, becomes the scale.

    A mask that is arithmetic of indices, selected or added, becomes the `mask` attribute or
    the mask region if its number is -inf, or if it is about the lowest finite number
    and each row is known to keep a key. Else the region selects the finite number, which is
    the same meaning: a row that is masked everywhere is a mean of values.

    The result is computed in f32 between the products. So are scores that the source rounds to f16
    or bf16; `keep-rounding` rounds them as the source does. A row of scores that are all -inf is 0
    where the source has NaN.

    A softmax that is multiplied with values, but for a reason is no attention, gets a remark.
  }];
  let options = [
    Option<"keepRounding", "keep-rounding", "bool", "false",
           "round scores between the products to f16 or bf16 where the source does">
  ];
  let dependentDialects = ["arith::ArithDialect", "attn::AttnDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRaised", "raised", "Number of attentions that were found">
  ];
}

def AttnOutlinePass : Pass<"attn-outline", "ModuleOp"> {
  let summary = "attention in a module of its own, beside other code";
  let description = [{
    Moves each `attn.attention` and `attn.attention_backward` that is beside other ops of its function into a
    public function `NAME_attention_0` and so on of a nested module, `@attention`, and calls it. What only
    moves elements of its operands or results, and nobody else uses (`linalg.transpose`,
    `tensor.expand_shape` and `collapse_shape`), comes along, as strides may say it there. The module keeps a
    private declaration of the function. Functions that have nothing but attention and such ops move as a whole.

    So a module with other launches or host code compiles for a GPU:

    ```
    builtin.module(attn-raise,attn-outline,builtin.module(attn-to-ptx{chip=sm_90a}))
    ```

    leaves the outer module's other ops as they are. Its calls are of `attn_NAME_attention_0`, which takes a
    runtime and a stream first, as docs/embedding.md says.
  }];
  let dependentDialects = ["attn::AttnDialect", "func::FuncDialect"];
}

#endif // ATTN_RAISE_PASSES_TD
