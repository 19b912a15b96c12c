// RUN: attn-opt %s -split-input-file -attn-gpu-place-releases -verify-diagnostics

!ring = !attn_gpu.ring<1, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

attn_gpu.kernel @unknown_ring(%ring: !ring) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  // expected-error@below {{'attn_gpu.acquire' op expected a ring made by attn_gpu.ring}}
  %x, %n = attn_gpu.acquire %ring : !ring -> !tile
}
