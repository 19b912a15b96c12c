// RUN: attn-opt %s -split-input-file -attn-gpu-pipeline-loads -attn-gpu-specialize-warps \
// RUN:   -verify-diagnostics

!array = memref<1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// TMA copies rows that follow each other.
attn_gpu.kernel @tma(%k: !array, %l: memref<?xi32>, %zero: !scores, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  // expected-error@below {{'attn_tile.load' op expected copy = cp_async or element for rows of a list, found tma}}
  %x = attn_tile.load %k[%c0, %c0] rows %l[%c0] : !array, memref<?xi32> -> !tile
  %d = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  attn_tile.store %d, %o[%c0, %c0] : !scores, memref<?x64xf32>
}

// -----

!array = memref<1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @tma_of_a_producer(%k: !array, %l: memref<?xi32>, %zero: !scores, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  // expected-error@below {{'attn_tile.load' op expected copy = cp_async or element for rows of a list, found tma}}
  %x = attn_tile.load %k[%c0, %c0] rows %l[%c0] : !array, memref<?xi32> -> !tile
  %d = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  attn_tile.store %d, %o[%c0, %c0] : !scores, memref<?x64xf32>
}

// -----

!array = memref<1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

attn_gpu.kernel @written(%k: !array, %l: memref<?xi32>, %zero: !scores, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  // expected-error@below {{'attn_tile.load' op expected a list of rows that the program does not write beside a producer, which reads it ahead}}
  %x = attn_tile.load %k[%c0, %c0] rows %l[%c0] : !array, memref<?xi32> -> !tile
  %d = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  memref.store %one, %l[%c0] : memref<?xi32>
  attn_tile.store %d, %o[%c0, %c0] : !scores, memref<?x64xf32>
}
