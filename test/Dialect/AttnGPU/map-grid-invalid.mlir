// RUN: attn-opt %s -split-input-file -attn-gpu-map-grid -verify-diagnostics

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
