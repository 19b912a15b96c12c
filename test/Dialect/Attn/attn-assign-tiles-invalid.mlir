// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_80 -split-input-file -verify-diagnostics
// RUN: attn-opt %s -attn-assign-tiles -split-input-file -verify-diagnostics

func.func @head_dim(%q: memref<2x6x128x257xf16>, %v: memref<2x6x128x64xf16>) {
  // expected-error@below {{expected a head dim of at most 256, found 257}}
  attn.attention
      ins(%q, %q, %v : memref<2x6x128x257xf16>, memref<2x6x128x257xf16>, memref<2x6x128x64xf16>)
      outs(%v : memref<2x6x128x64xf16>)
  return
}

// -----

func.func @value_head_dim(%q: memref<2x6x128x64xf16>, %v: memref<2x6x128x512xf16>) {
  // expected-error@below {{expected a head dim of at most 256, found 512}}
  attn.attention
      ins(%q, %q, %v : memref<2x6x128x64xf16>, memref<2x6x128x64xf16>, memref<2x6x128x512xf16>)
      outs(%v : memref<2x6x128x512xf16>)
  return
}
