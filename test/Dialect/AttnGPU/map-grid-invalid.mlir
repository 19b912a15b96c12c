// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-map-grid -verify-diagnostics

// Whatever multiplies: warpgroups' own rows are a part of the schedule's.
func.func @rows(%n: index, %o: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<256x64xf32>
  // expected-error@below {{expected tile_q to be the 256 rows of the program's domain, found #attn_gpu.schedule<tile_q = 128,}}
  attn_tile.grid (%i) to (%n) step [256] schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = tma, roles = producer_consumer> {
    %end = affine.min affine_map<(i)[n] -> (i + 256, n)>(%i)[%n]
    // expected-note@below {{the domain is here}}
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %last full %c0 to %first
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      attn_tile.store %zero, %o[%i, %c0] : tensor<256x64xf32>, memref<?x64xf32>
    }
  }
  return
}

// -----

// A domain that is the same for all rows may have any.
func.func @all(%n: index, %o: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  attn_tile.grid (%i) to (%n) step [64] schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> {
    %domain = attn_tile.domain rows %c0 to %n {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %n full %c0 to %n
    } : !attn_tile.domain<64>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      attn_tile.store %zero, %o[%i, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    }
  }
  return
}

// -----

// Warpgroups go over the columns of their own rows: those of a tile's first axis.
func.func @columns_first(%n: index, %k: memref<?x64xf16>, %o: memref<64x?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  attn_tile.grid (%i) to (%n) step [128] schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 128, warps = 8, mma = mma_sync, copy = tma, roles = producer_consumer> {
    %end = affine.min affine_map<(i)[n] -> (i + 128, n)>(%i)[%n]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %last full %c0 to %first
    } : !attn_tile.domain<128>
    // expected-error@below {{expected tiles that have the domain's rows along their first axis where 2 warpgroups compute beside a producer, found columns of its blocks there; roles = none can compute this}}
    %r = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%sum = %zero) -> (tensor<128x64xf32>) : !attn_tile.domain<128> {
      %kj = attn_tile.load %k[%j, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
      %x = arith.extf %kj : tensor<128x64xf16> to tensor<128x64xf32>
      %next = arith.addf %sum, %x : tensor<128x64xf32>
      attn_tile.yield %next : tensor<128x64xf32>
    }
  }
  return
}
