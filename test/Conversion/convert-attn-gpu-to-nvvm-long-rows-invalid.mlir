// RUN: attn-opt %s -split-input-file -verify-diagnostics -convert-attn-gpu-to-nvvm

// Lanes combine rows, and take numbers of rows, only in tiles of which four lanes share a row.

!tile = tensor<64x128xf32, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
attn_gpu.kernel @reduced(%in: memref<64x128xf32>, %out: memref<64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %tile = attn_tile.load %in[%c0, %c0] : memref<64x128xf32> -> !tile
  // expected-error@below {{failed to legalize operation 'attn_tile.reduce'}}
  %sums = attn_tile.reduce add %tile along 1 : !tile -> !rows
  attn_tile.store %sums, %out[%c0] : !rows, memref<64xf32>
}

// -----

!tile = tensor<64x128xf32, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
attn_gpu.kernel @repeated(%in: memref<64xf32>, %out: memref<64x128xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %rows = attn_tile.load %in[%c0] : memref<64xf32> -> !rows
  // expected-error@below {{failed to legalize operation 'attn_tile.broadcast'}}
  %tile = attn_tile.broadcast %rows along 1 : !rows -> !tile
  attn_tile.store %tile, %out[%c0, %c0] : !tile, memref<64x128xf32>
}
