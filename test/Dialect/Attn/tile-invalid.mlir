// RUN: attn-opt %s -attn-tile -split-input-file -verify-diagnostics

func.func @no_schedule(%q: memref<2x6x128x64xf16>) {
  // expected-error@below {{expected a schedule, found none; run attn-assign-tiles or attn-gpu-assign-schedule first}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>)
  return
}

// -----

func.func @tensors(%q: tensor<2x6x128x64xf16>) -> tensor<2x6x128x64xf16> {
  // expected-error@below {{expected memref operands, found tensors; bufferise before attn-tile}}
  %r = attn.attention
      ins(%q, %q, %q : tensor<2x6x128x64xf16>, tensor<2x6x128x64xf16>, tensor<2x6x128x64xf16>)
      outs(%q : tensor<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
      -> tensor<2x6x128x64xf16>
  return %r : tensor<2x6x128x64xf16>
}

// -----

func.func @fallback(%q: memref<2x6x128x64xf16>) {
  // expected-error@below {{expected one schedule, found the fallback #attn.tiles<q = 32, kv = 32>; run attn-gpu-multiversion first}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>, fallback = #attn.tiles<q = 32, kv = 32>}
  return
}
