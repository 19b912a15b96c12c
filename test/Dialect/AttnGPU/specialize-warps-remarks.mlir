// RUN: attn-opt %s -attn-gpu-specialize-warps -verify-diagnostics

// Five slots of keys and values leave no room for the output's tile, and the query's tile is smaller.
!array = memref<4x1024x64xf16>
!wide = memref<4x1024x256xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!values = tensor<64x256xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!output = tensor<64x256xf32, #attn_gpu.mma<warps = 4>>
!out = tensor<64x256xf16, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @no_room(%q: !array, %k: !array, %v: !wide, %o: !wide, %n: index, %b1: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, stages = 5, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0.0> : !output
  %x = attn_tile.load %q[%c0, %b1, %c0] : !array -> !tile
  %domain = attn_tile.domain rows %b1 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %last full %c0 to %first
  } : !attn_tile.domain<64>
  %sum = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %none) -> (!output) : !attn_tile.domain<64> {
    %y = attn_tile.load %k[%c0, %j, %c0] : !array -> !tile
    %z = attn_tile.load %v[%c0, %j, %c0] : !wide -> !values
    %s = attn_tile.dot %x, %y, %zero transpose_rhs : !tile, !tile, !scores
    %p = arith.truncf %s : !scores to !rounded
    %next = attn_tile.dot %p, %z, %acc : !rounded, !values, !output
    attn_tile.yield %next : !output
  }
  %result = arith.truncf %sum : !output to !out
  // expected-remark@below {{stored from registers: no shared memory is left to stage the tile for TMA}}
  attn_tile.store %result, %o[%c0, %b1, %c0] : !out, !wide
}
