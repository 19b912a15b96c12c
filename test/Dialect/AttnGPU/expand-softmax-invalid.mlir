// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-expand-softmax -verify-diagnostics

!state = !attn_tile.softmax<128, factor = 0.125>
attn_gpu.kernel @two_layouts(%s0: tensor<128x64xf32, #attn_gpu.mma<warps = 8>>, %s1: tensor<128x64xf32, #attn_gpu.mma<warps = 4>>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %init = attn_tile.softmax_init : !state
  %p0, %state0 = attn_tile.softmax_update %s0, %init
      : (tensor<128x64xf32, #attn_gpu.mma<warps = 8>>, !state) -> (tensor<128x64xf16>, !state)
  // expected-error@below {{'attn_tile.softmax_update' op expected scores of one layout in a kernel, found 'tensor<128x64xf32, #attn_gpu.mma<warps = 4>>'}}
  %p1, %state1 = attn_tile.softmax_update %s1, %state0
      : (tensor<128x64xf32, #attn_gpu.mma<warps = 4>>, !state) -> (tensor<128x64xf16>, !state)
}
