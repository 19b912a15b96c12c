//===- AttnSummaryOps.td - Summaries of captured masks -----*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of AttnOps.td, which includes this.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNSUMMARYOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNSUMMARYOPS_TD

def Attn_SummarizeOp : Attn_RowwiseOp<"summarize", []> {
  let summary = "computes the minimum and maximum of each 64 x 64 cell of an array";
  let description = [{
    A cell is 64 x 64 elements of the last two dimensions. An i1 counts as 0 or 1, other
    types as signed numbers, clamped to -2^24 and 2^24. Elements of a cell past the end of
    the array count as 0.

    ```
    out[.., r, c, 0] = min array[.., 64 r + m, 64 c + n]    0 <= m, n < 64
    out[.., r, c, 1] = max array[.., 64 r + m, 64 c + n]
    ```

    A mask region that reads the array at i and j can pass the summary as `bounds` of
    that read (`attn.read`), to skip blocks. Without `bounds`, each attention op computes the
    summary again; a summary that is passed need only be computed when the array changes.

    | operand | shape | element type |
    |---|---|---|
    | `ins` | .. x M x N | an integer of at most 64 bits |
    | `outs` | .. x ceil(M / 64) x ceil(N / 64) x 2 | i32 |

    Operands are both tensors, with one result, or both memrefs with an innermost
    stride of 1, without results; `outs` must not overlap the array. `schedule` is an attribute
    of the target.

    ```mlir
    func.func @summary(%mask: memref<1x8x?x?xi1>, %out: memref<1x8x?x?x2xi32>) {
      attn.summarize ins(%mask : memref<1x8x?x?xi1>) outs(%out : memref<1x8x?x?x2xi32>)
      return
    }
    ```
  }];

  let arguments = (ins
    Attn_TensorOrMemRef:$array,
    Variadic<Attn_TensorOrMemRef>:$outs,
    OptionalAttr<Attn_TileSizesAttrInterface>:$schedule
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $array `:` type($array) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }

    Value getSummary() { return getOuts().front(); }

    int64_t getHostRows();
    SmallVector<ArrayOperand> getArrays();
    SmallVector<EqualSizes> getEqualSizes();
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNSUMMARYOPS_TD
