// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -verify-diagnostics

func.func @packed(%q: memref<1x4x1x64xf16>, %a: memref<2xi32>) {
  // expected-error@below {{split_kv is not for packed sequences}}
  attn.attention ins(%q, %q, %q : memref<1x4x1x64xf16>, memref<1x4x1x64xf16>, memref<1x4x1x64xf16>)
      packed(%a, %a : memref<2xi32>, memref<2xi32>)
      outs(%q : memref<1x4x1x64xf16>) {schedule = #attn.tiles<q = 16, kv = 32, split_kv = true>}
  return
}

// -----

func.func @captures(%q: memref<1x4x8x64xf16>, %l: memref<1x4x8xf32>, %a: memref<2xi32>, %c: f32, %d: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected no gradients of captures where sequences are packed, found some}}
  attn.attention_backward wrt(captures[0])
      ins(%q, %q, %q, %q, %l, %q : memref<1x4x8x64xf16>, memref<1x4x8x64xf16>, memref<1x4x8x64xf16>, memref<1x4x8x64xf16>, memref<1x4x8xf32>, memref<1x4x8x64xf16>)
      captures(%c : f32) packed(%a, %a : memref<2xi32>, memref<2xi32>) outs(%d : memref<f32>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %f: f32):
      %0 = arith.mulf %s, %f : f32
      attn.yield %0 : f32
    } {schedule = #attn.tiles<q = 16, kv = 32>}
  return
}
