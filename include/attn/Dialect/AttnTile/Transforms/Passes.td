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
  let summary = "loops over blocks as scf.for";
  let description = [{
    Each `attn_tile.for_blocks` becomes an `scf.for`, in ascending order or that of
    a list. A block of an interval counts as partial, whatever it is: for the
    host, on which a branch around the mask costs more than the mask.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

def AttnTileExpandSoftmaxPass : Pass<"attn-tile-expand-softmax"> {
  let summary = "softmax states as a running max and a sum";
  let description = [{
    Expands each step of an online softmax to the recurrence as FlashAttention-2
    writes it (arXiv 2307.08691, algorithm 1), in powers of two:

    ```
    m'     = max(m, rowmax(S))
    P      = exp2(c * S - c * m')          c = factor * log2(e)
    alpha  = exp2(c * m - c * m')
    l'     = alpha * l + rowsum(P)
    acc'   = alpha * acc
    ```

    States become two row vectors through scf's loops and branches; loops over
    blocks have been expanded before.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_tile::AttnTileDialect",
                           "math::MathDialect"];
}

def AttnTileExpandRandomPass : Pass<"attn-tile-expand-random"> {
  let summary = "attn_tile.random_keep as arithmetic on tiles";
  let description = [{
    A call of Philox for each element, of which it takes 16 bits: for the host, whose
    vectors share no calls. A target with layouts has threads that do.
  }];
  let dependentDialects = ["arith::ArithDialect", "attn_tile::AttnTileDialect",
                           "tensor::TensorDialect"];
}

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_PASSES_TD
