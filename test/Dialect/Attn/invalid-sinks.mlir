// RUN: attn-opt %s -split-input-file -verify-diagnostics

!q = memref<1x4x100x64xf16>
func.func @type(%q: !q, %sink: memref<4xi32>) {
  // expected-error@below {{'attn.attention' op expected sink elements of f16, bf16 or f32, found 'i32'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) sink(%sink : memref<4xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @heads(%q: !q, %sink: memref<2xf32>) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 4 in query and 2 in sink}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) sink(%sink : memref<2xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @rank(%q: !q, %sink: memref<1x4xf32>) {
  // expected-error@below {{'attn.attention' op expected sink of rank 1, found 'memref<1x4xf32>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) sink(%sink : memref<1x4xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @form(%q: !q, %sink: tensor<4xf32>) {
  // expected-error@below {{expected all operands to be tensors or all to be memrefs, found sink of type 'tensor<4xf32>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) sink(%sink : tensor<4xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @no_sink(%q: !q, %lse: memref<1x4x100xf32>, %d: memref<4xf32>) {
  // expected-error@below {{'attn.attention_backward' op expected a sink for a gradient with respect to it, found none}}
  attn.attention_backward wrt(sink) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, memref<1x4x100xf32>, !q)
      outs(%d : memref<4xf32>)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @gradient_type(%q: !q, %lse: memref<1x4x100xf32>, %sink: memref<4xbf16>, %d: memref<4xf16>) {
  // expected-error@below {{'attn.attention_backward' op expected d_sink elements of 'bf16', as sink, or of f32, found 'f16'}}
  attn.attention_backward wrt(sink) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, memref<1x4x100xf32>, !q)
      sink(%sink : memref<4xbf16>) outs(%d : memref<4xf16>)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @gradient_heads(%q: !q, %lse: memref<1x4x100xf32>, %sink: memref<4xf32>, %d: memref<5xf32>) {
  // expected-error@below {{'attn.attention_backward' op expected equal head counts, found 4 in query and 5 in d_sink}}
  attn.attention_backward wrt(sink) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, memref<1x4x100xf32>, !q)
      sink(%sink : memref<4xf32>) outs(%d : memref<5xf32>)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @order(%q: !q, %lse: memref<1x4x100xf32>, %sink: memref<4xf32>, %d: memref<4xf32>) {
  // expected-error@below {{expected query, key, value, sink, query_rope, key_rope and captures in this order, each once, found 'key' after a later one}}
  attn.attention_backward wrt(sink, key) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, memref<1x4x100xf32>, !q)
      sink(%sink : memref<4xf32>) outs(%d, %q : memref<4xf32>, !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @probability(%q: !q, %seed: i64) {
  // expected-error@below {{'attn.attention' op expected a probability of dropout from 0 to 1, found 1.5}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(1.5, %seed, %seed : i64, i64) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @seeds(%q: !q, %seed: memref<2xi64>, %offset: i64) {
  // expected-error@below {{'attn.attention' op expected seed to be an i64 or an array of one, found 'memref<2xi64>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(0.5, %seed, %offset : memref<2xi64>, i64) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @offset_type(%q: !q, %seed: i64, %offset: memref<i32>) {
  // expected-error@below {{'attn.attention' op expected offset to be an i64 or an array of one, found 'memref<i32>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(0.5, %seed, %offset : i64, memref<i32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x100x64xf16>
func.func @seed_form(%q: !q, %seed: tensor<i64>, %offset: i64) {
  // expected-error@below {{expected all operands to be tensors or all to be memrefs, found seed of type 'tensor<i64>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(0.5, %seed, %offset : tensor<i64>, i64) outs(%q : !q)
  return
}

// -----

func.func @alone(%q: memref<1x4x100x64xf16>) {
  // expected-error@below {{'attn.attention' op expected a probability of dropout, a seed and an offset, or none of them, found no seed beside a probability}}
  "attn.attention"(%q, %q, %q, %q) <{dropout = 0.5 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>}>
      ({}, {}) : (memref<1x4x100x64xf16>, memref<1x4x100x64xf16>, memref<1x4x100x64xf16>, memref<1x4x100x64xf16>) -> ()
  return
}
