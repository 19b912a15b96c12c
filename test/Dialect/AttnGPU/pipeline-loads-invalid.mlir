// RUN: attn-opt %s -split-input-file -attn-gpu-pipeline-loads -verify-diagnostics

// Threads copy tiles, and vectors of the workspace.
module {
  attn_gpu.kernel @vector(%k: memref<4x64xf32>)
      target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
    %b0 = gpu.block_id x
    %c0 = arith.constant 0 : index
    // expected-error@below {{'attn_tile.load' op expected a tile of rank 2, or a row of the workspace, to copy to shared memory, found 'tensor<64xf32, #attn_gpu.shared<padding = 0>>'}}
    %v = attn_tile.load %k[%b0, %c0] : memref<4x64xf32> -> tensor<64xf32, #attn_gpu.shared<padding = 0>>
  }
}
