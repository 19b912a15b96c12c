// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-set-target=chip=sm_90a -attn-gpu-expand-blocks -verify-diagnostics

func.func @no_schedule(%q: memref<?x64xf16>, %n: index, %r: index, %end: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    // expected-error@below {{expected 'attn_gpu.schedule' at a launch of a tile program, found none}}
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %domain = attn_tile.domain rows %r to %end {
      ^bb0(%first: index, %last: index):
        attn_tile.domain_yield %c0 to %n full %c0 to %n
      } : !attn_tile.domain<64>
      attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
        %k = attn_tile.load %q[%j, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
        "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16>) -> ()
      }
      gpu.terminator
    }
    return
}

// -----

func.func @unknown_domain(%q: memref<?x64xf16>, %domain: !attn_tile.domain<64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      // expected-error@below {{'attn_tile.for_blocks' op expected a domain made by attn_tile.domain or attn_tile.domain_list in the same program}}
      attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
        %k = attn_tile.load %q[%j, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
        "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16>) -> ()
      }
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}
