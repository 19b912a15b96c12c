//===- Passes.td - Passes on tile programs -----------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_TRANSFORMS_PASSES_TD
#define ATTN_DIALECT_ATTNTILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnTileExpandBlocksPass : Pass<"attn-tile-expand-blocks"> {
  let summary = "expand loops over blocks to scf.for";
  let description = [{
    Each `attn_tile.for_blocks` becomes an `scf.for`, in ascending order or in the order
    of a list. All blocks of an interval are treated as partial, since on the host a
    branch around the mask costs more than the mask.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

def AttnTileExpandSoftmaxPass : Pass<"attn-tile-expand-softmax"> {
  let summary = "expand softmax states to a running max and a sum";
  let description = [{
    Expands each `attn_tile.softmax_update` to the recurrence of FlashAttention-2
    (arXiv 2307.08691, algorithm 1), with exponentials to base 2:

    ```
    m'     = max(m, rowmax(S))
    P      = exp2(c * S - c * m')          c = factor * log2(e)
    alpha  = exp2(c * m - c * m')
    l'     = alpha * l + rowsum(P)
    acc'   = alpha * acc
    ```

    A state becomes two row vectors, also where loops and branches of scf carry it.
    Loops over blocks must have been expanded before.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_tile::AttnTileDialect",
                           "math::MathDialect"];
}

def AttnTileExpandRandomPass : Pass<"attn-tile-expand-random"> {
  let summary = "expand attn_tile.random_keep to arithmetic on tiles";
  let description = [{
    For the host: emits one call of the generator Philox for each element, which uses 16 of
    the call's 128 bits. On a GPU a thread holds several keys of a row, and
    `convert-attn-gpu-to-nvvm` uses one call for several of them.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_tile::AttnTileDialect",
                           "tensor::TensorDialect"];
}

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_PASSES_TD
