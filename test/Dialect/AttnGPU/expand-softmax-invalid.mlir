// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-set-target=chip=sm_90a -attn-gpu-expand-softmax -verify-diagnostics

!state = !attn_tile.softmax<128, factor = 0.125>
func.func @two_layouts(%s0: tensor<128x64xf32, #attn_gpu.mma<warps = 8>>, %s1: tensor<128x64xf32, #attn_gpu.mma<warps = 4>>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %init = attn_tile.softmax_init : !state
      %p0, %state0 = attn_tile.softmax_update %s0, %init
          : (tensor<128x64xf32, #attn_gpu.mma<warps = 8>>, !state) -> (tensor<128x64xf16>, !state)
      // expected-error@below {{'attn_tile.softmax_update' op expected scores of one layout in a launch, found 'tensor<128x64xf32, #attn_gpu.mma<warps = 4>>'}}
      %p1, %state1 = attn_tile.softmax_update %s1, %state0
          : (tensor<128x64xf32, #attn_gpu.mma<warps = 4>>, !state) -> (tensor<128x64xf16>, !state)
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}
