// RUN: attn-opt %s -split-input-file -attn-gpu-place-releases -verify-diagnostics

!ring = !attn_gpu.ring<1, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

func.func @unknown_ring(%ring: !ring) {
  // expected-error@below {{'attn_gpu.acquire' op expected a ring made by attn_gpu.ring}}
  %x, %n = attn_gpu.acquire %ring : !ring -> !tile
  return
}
