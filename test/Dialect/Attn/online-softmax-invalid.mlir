// RUN: attn-opt %s -attn-online-softmax -split-input-file -verify-diagnostics

func.func @no_schedule(%q: memref<1x1x64x64xf16>) {
  // expected-error@below {{expected a schedule, found none; run attn-assign-tiles or attn-gpu-assign-schedule first}}
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>)
  return
}

// -----

func.func @tensors(%q: tensor<1x1x64x64xf16>) -> tensor<1x1x64x64xf16> {
  // expected-error@below {{expected memref operands, found tensors; bufferise and run attn-tile first}}
  %r = attn.attention
      ins(%q, %q, %q : tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>)
      outs(%q : tensor<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
      -> tensor<1x1x64x64xf16>
  return %r : tensor<1x1x64x64xf16>
}

// -----

func.func @heads(%q: memref<1x2x64x64xf16>) {
  // expected-error@below {{expected query of one batch entry and head, found 'memref<1x2x64x64xf16>'; run attn-tile first}}
  attn.attention
      ins(%q, %q, %q : memref<1x2x64x64xf16>, memref<1x2x64x64xf16>, memref<1x2x64x64xf16>)
      outs(%q : memref<1x2x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

func.func @dynamic_batch(%q: memref<?x1x64x64xf16>) {
  // expected-error@below {{expected query of one batch entry and head, found 'memref<?x1x64x64xf16>'; run attn-tile first}}
  attn.attention
      ins(%q, %q, %q : memref<?x1x64x64xf16>, memref<?x1x64x64xf16>, memref<?x1x64x64xf16>)
      outs(%q : memref<?x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

func.func @rows(%q: memref<1x1x65x64xf16>) {
  // expected-error@below {{expected at most tile_q = 64 query rows, which the type and the loops around do not prove; run attn-tile first}}
  attn.attention
      ins(%q, %q, %q : memref<1x1x65x64xf16>, memref<1x1x65x64xf16>, memref<1x1x65x64xf16>)
      outs(%q : memref<1x1x65x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

func.func @dynamic_rows(%q: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected at most tile_q = 64 query rows, which the type and the loops around do not prove; run attn-tile first}}
  attn.attention
      ins(%q, %q, %q : memref<1x1x?x64xf16>, memref<1x1x?x64xf16>, memref<1x1x?x64xf16>)
      outs(%q : memref<1x1x?x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
