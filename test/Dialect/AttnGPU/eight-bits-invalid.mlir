// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts -verify-diagnostics

// wgmma transposes no operand of 8 bits.
attn_gpu.kernel @rhs(%a: memref<?x64xf8E4M3FN>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  // expected-error@below {{expected operands of 8 bits whose rows lie along K, lhs as M x K and rhs as N x K with 'transpose_rhs', for mma = wgmma; found rhs as K x N}}
  %s = attn_tile.dot %x, %x, %none : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @lhs(%a: memref<?x64xf8E5M2>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf8E5M2> -> tensor<64x64xf8E5M2>
  // expected-error@below {{for mma = wgmma; found lhs as K x M}}
  %s = attn_tile.dot %x, %x, %none transpose_lhs transpose_rhs : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

attn_gpu.kernel @steps(%a: memref<?x48xf8E5M2>, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x48xf8E5M2> -> tensor<64x48xf8E5M2>
  // expected-error@below {{expected a multiple of 32 products to add up, found 48}}
  %s = attn_tile.dot %x, %x, %none transpose_rhs : tensor<64x48xf8E5M2>, tensor<64x48xf8E5M2>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// -----

func.func @panels(%t: tensor<64x256xf8E4M3FN, #attn_gpu.swizzled>) {
  // expected-error@below {{expected whole panels of 128 columns, found 64 from 64 on}}
  %0 = attn_gpu.columns %t from 64
      : tensor<64x256xf8E4M3FN, #attn_gpu.swizzled> -> tensor<64x64xf8E4M3FN, #attn_gpu.swizzled>
  return
}

// -----

!eight = memref<?x128xf8E4M3FN>
!tile = tensor<64x128xf8E4M3FN>
!sum = tensor<64x64xf32>

// wgmma would cut the low bits of these sums.
attn_gpu.kernel @nested(%a: !eight, %f: memref<?xf32>, %c: memref<?x64xf32>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : !sum
  %domain = attn_tile.domain rows %c0 to %c64 {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %c512 full %c0 to %c512
  } : !attn_tile.domain<128>
  %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<128> {
    %at = attn_tile.load %a[%c0, %l] : !eight -> !tile
    %next = scf.if %partial -> (!sum) {
      // expected-error@below {{expected the accumulator of an exact sum to be a value that attn_tile.for_blocks carries, or this value rescaled by one op, and the loop to yield the product}}
      %sum = attn_tile.dot %at, %at, %acc transpose_rhs exact : !tile, !tile, !sum
      scf.yield %sum : !sum
    } else {
      scf.yield %acc : !sum
    }
    attn_tile.yield %next : !sum
  }
  attn_tile.store %x, %c[%c0, %c0] : !sum, memref<?x64xf32>
}

// -----

!eight = memref<?x128xf8E4M3FN>
!tile = tensor<64x128xf8E4M3FN>
!sum = tensor<64x64xf32>

attn_gpu.kernel @two(%a: !eight, %f: memref<?xf32>, %c: memref<?x64xf32>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : !sum
  %domain = attn_tile.domain rows %c0 to %c64 {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %c512 full %c0 to %c512
  } : !attn_tile.domain<128>
  %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<128> {
    %at = attn_tile.load %a[%c0, %l] : !eight -> !tile
    // expected-error@below {{expected the accumulator of an exact sum to be a value that attn_tile.for_blocks carries, or this value rescaled by one op, and the loop to yield the product}}
    %first = attn_tile.dot %at, %at, %acc transpose_rhs exact : !tile, !tile, !sum
    %next = attn_tile.dot %at, %at, %first transpose_rhs exact : !tile, !tile, !sum
    attn_tile.yield %next : !sum
  }
  attn_tile.store %x, %c[%c0, %c0] : !sum, memref<?x64xf32>
}
