// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-expand-blocks -verify-diagnostics

attn_gpu.kernel @unknown_domain(%q: memref<?x64xf16>, %domain: !attn_tile.domain<64>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  // expected-error@below {{'attn_tile.for_blocks' op expected a domain made by attn_tile.domain or attn_tile.domain_list in the same program}}
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    %k = attn_tile.load %q[%j, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    "test.step"(%j, %partial, %k) : (index, i1, tensor<64x64xf16>) -> ()
  }
}
