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

// -----

// The pass plans shared memory from its first byte, so it would give bytes that are in use to rings.
!tile = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
// expected-error@below {{'attn_gpu.kernel' op expected 0 bytes of shared memory that are in use so far, found 9216}}
attn_gpu.kernel @in_use(%k: memref<64x64xf16>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 shared 9216 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %k[%c0, %c0] : memref<64x64xf16> -> !mma
  %y = attn_gpu.local_store %x at 0 : !mma -> !tile
  %z = attn_tile.load %k[%c0, %c0] : memref<64x64xf16> -> !tile
}
