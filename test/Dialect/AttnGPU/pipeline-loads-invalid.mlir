// RUN: attn-opt %s -split-input-file -attn-gpu-pipeline-loads -verify-diagnostics

// Threads copy tiles, and vectors of the workspace.
module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  func.func @vector(%k: memref<4x64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c128, %m1 = %c1, %m2 = %c1) {
      // expected-error@below {{'attn_tile.load' op expected a tile of rank 2, or a row of the workspace, to copy to shared memory, found 'tensor<64xf32, #attn_gpu.shared<padding = 0>>'}}
      %v = attn_tile.load %k[%b0, %c0] : memref<4x64xf32> -> tensor<64xf32, #attn_gpu.shared<padding = 0>>
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>}
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  // A part's panels would not lie behind one another.
  func.func @parts(%k: memref<4x32x128xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c128, %m1 = %c1, %m2 = %c1) {
      // expected-error@below {{'attn_tile.load' op expected a tile of one part to copy to panels of columns other than by TMA, found 2}}
      %v = attn_tile.load %k[%b0, %c0, %c0], %k[%c0, %c0, %c0]
          : memref<4x32x128xf16> -> tensor<64x128xf16, #attn_gpu.swizzled>
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>}
    return
  }
}
