//===- AttnQuantizeOps.td - Arrays of 8 bits and of 4 ------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has a header of its own, Quantize.h, which few files include.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNQUANTIZEOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNQUANTIZEOPS_TD

include "attn/Dialect/Attn/IR/AttnOps.td"

def Attn_QuantizeOp : Attn_RowwiseOp<"quantize"> {
  let summary = "stores an array in 8 bits or in 4, with scales";
  let description = [{
    Divides an array by scales that the op makes, and rounds it to a narrow type:

    ```
    x[b, h, s, d]      = array[b, h, s, d]                                   in f32
    scale[n]           = max(max |x| / largest, 2^-126)
    stored[b, h, s, d] = round(x[b, h, s, d] / scale[n])
    ```

    The inner maximum is over the finite elements that the scale is for, which the rank of
    the scale says:

    | scale | is for |
    |---|---|
    | a number (rank 0) | the whole array |
    | B x H | each head |
    | B x H x ceil(S / `block`) | each `block` tokens of a head; by default each token |
    | B x H x 1 x D | each channel of a head |

    `largest` is the largest number of the stored type: 448 for f8E4M3FN, 57344 for f8E5M2,
    127 for i8 and 7 for i4. Rounding is to nearest even. Numbers past the largest one
    saturate, infinities too; NaN stays NaN, or becomes 0 as an integer. `attn.attention` takes
    stored arrays with these scales.

    With `scale`, scales are given instead of made, and sizes of the scale other than that of
    the channels may be 1. With `centered`, the mean of each channel over the finite elements of
    its tokens is subtracted from x first, and written to the last of `outs`; the mean of a
    channel without finite elements is 0. The order of its sum is not defined.

    | operand | shape | element type |
    |---|---|---|
    | `ins` | B x H x S x D | f16, bf16 or f32 |
    | `scale` (optional) | as above | f32 |
    | `outs` 0, what is stored | B x H x S x D | f8E4M3FN, f8E5M2, i8 or i4 |
    | `outs` 1, the scale, unless it is given | as above | f32 |
    | the last of `outs`, with `centered` | B x H x 1 x D | f32 |

    D is static, the other sizes may be dynamic. `block` is a power of two of at least 16, or 1.
    Operands are all tensors, with a result for each of `outs`, or all memrefs
    with an innermost stride of 1, without results; `outs` must not overlap each other or the
    inputs. `schedule` is an attribute of the target.

    ```mlir
    func.func @keys(%k: memref<?x?x?x128xbf16>, %stored: memref<?x?x?x128xf8E4M3FN>,
                    %scale: memref<?x?x?xf32>) {
      attn.quantize ins(%k : memref<?x?x?x128xbf16>) block 64
          outs(%stored, %scale : memref<?x?x?x128xf8E4M3FN>, memref<?x?x?xf32>)
      return
    }
    ```
  }];

  let arguments = (ins
    Attn_TensorOrMemRef:$array,
    Optional<Attn_TensorOrMemRef>:$given_scale,
    Variadic<Attn_TensorOrMemRef>:$outs,
    DefaultValuedAttr<I64Attr, "1">:$block,
    UnitAttr:$centered,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $array `:` type($array) `)`
    (`scale` `(` $given_scale^ `:` type($given_scale) `)`)?
    (`block` $block^)?
    (`centered` $centered^)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }

    Value getStored() { return getOuts().front(); }
    /// Returns the array with the scale of quantization, which is an input of
    /// the op if it is given to the op, or an output if the op computes it.
    Value getScale() { return getGivenScale() ? getGivenScale() : getOuts()[1]; }
    /// Returns the array to which the op writes the mean, or null if the op is
    /// not `centered`.
    Value getMean() { return getCentered() ? getOuts().back() : Value(); }

    int64_t getHostRows();
    SmallVector<ArrayOperand> getArrays();
    SmallVector<EqualSizes> getEqualSizes();
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNQUANTIZEOPS_TD
