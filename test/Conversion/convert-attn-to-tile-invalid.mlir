// RUN: attn-opt %s -convert-attn-to-tile -split-input-file -verify-diagnostics

func.func @no_schedule(%q: memref<2x6x128x64xf16>) {
  // expected-error@below {{'attn.attention' op expected a schedule, found none; run attn-assign-tiles or attn-gpu-assign-schedule first}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>)
  return
}

// -----

func.func @tensors(%q: tensor<2x6x128x64xf16>) -> tensor<2x6x128x64xf16> {
  // expected-error@below {{'attn.attention' op expected memref operands, found tensors; bufferise first}}
  %r = attn.attention
      ins(%q, %q, %q : tensor<2x6x128x64xf16>, tensor<2x6x128x64xf16>, tensor<2x6x128x64xf16>)
      outs(%q : tensor<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
      -> tensor<2x6x128x64xf16>
  return %r : tensor<2x6x128x64xf16>
}

// -----

// The error is also reported if the op before it could be converted.
func.func @second_op(%q: memref<2x6x128x64xf16>) {
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  // expected-error@below {{'attn.attention' op expected a schedule, found none}}
  attn.attention
      ins(%q, %q, %q : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>)
  return
}
