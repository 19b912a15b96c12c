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

def AttnAssignTilesPass : Pass<"attn-assign-tiles"> {
  let summary = "choose sizes of tiles for each attention op on the host";
  let description = [{
    Sets the `schedule` attribute of each `attn.attention` that has none to
    `#attn.tiles` for the host. A schedule written in the IR is kept, also one for
    a GPU, whose tile programs run on the host, too.
  }];
}

def AttnTilePass : Pass<"attn-tile"> {
  let summary = "split attention into a grid over batch, head and query block";
  let description = [{
    Tiles each `attn.attention` on memrefs, which must have a schedule, to one batch
    entry, one head and `tile_q` query rows, in an `scf.forall`. The op in the
    body carries its origin and the lengths of the whole problem. An op whose
    type has no keys becomes stores of empty rows.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_tile::AttnTileDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

def AttnOnlineSoftmaxPass : Pass<"attn-online-softmax"> {
  let summary = "rewrite a block of attention to one pass over key blocks";
  let description = [{
    Rewrites each `attn.attention` on one batch entry, one head and at most
    `tile_q` rows to a tile program with the recurrence of FlashAttention-2
    (arXiv 2307.08691, algorithm 1). For each block of `tile_kv` keys, with the
    state (acc, m, l) of unnormalised output, row maximum and row sum:

    ```
    S     = Q * K^T, -inf where masked
    m'    = max(m, rowmax(S))
    P     = exp2(c * S - c * m')          c = scale * log2(e)
    alpha = exp2(c * m - c * m')
    l'    = alpha * l + rowsum(P)
    acc'  = alpha * acc + P * V
    ```

    After the loop, `output = acc / l` and `lse = scale * m + ln(l)`. The scale of
    an op with a score region, or one that is not positive, is applied to S
    instead, and `scale` above is 1, or the constant factor that a soft cap has
    last. With `softmax = lazy`, `m` is any reference that keeps the weights in range:
    a step first tries the one it has. Blocks that the mask empties are outside of
    the loop's bounds; with a schedule for a GPU, an `scf.if` leaves out the mask
    of blocks that it cuts nothing from.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn_gpu::AttnGPUDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numMasked", "masked", "Number of blocks whose loop holds mask arithmetic">
  ];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
