// RUN: attn-opt %s -split-input-file -verify-diagnostics

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @type(%q: !q, %k: !k, %s: memref<2x2xf16>) {
  // expected-error@below {{'attn.attention' op expected key_scale elements of f32, found 'f16'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(key_scale %s : memref<2x2xf16>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @rank(%q: !q, %k: !k, %s: memref<2xf32>) {
  // expected-error@below {{'attn.attention' op expected key_scale of key to be of rank 0, B x H or B x H x S, found 'memref<2xf32>'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(key_scale %s : memref<2xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @heads(%q: !q, %k: !k, %s: memref<2x4xf32>) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 4 in value_scale and 2 in value}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_scale %s : memref<2x4xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @channels_of_keys(%q: !q, %k: !k, %s: memref<2x2x1x64xf32>) {
  // expected-error@below {{'attn.attention' op expected key_scale of key to be of rank 0, B x H or B x H x S, found}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(key_scale %s : memref<2x2x1x64xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @channels_of_tokens(%q: !q, %k: !k, %s: memref<2x2x90x64xf32>) {
  // expected-error@below {{'attn.attention' op expected value_scale of value to be of rank 0, B x H, B x H x S or B x H x 1 x D, found}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_scale %s : memref<2x2x90x64xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @blocks(%q: !q, %k: !k, %s: memref<2x2x2xf32>) {
  // expected-error@below {{'attn.attention' op expected equal numbers of blocks of rows, found 2 in key_scale and 3 in key}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(key_scale %s per 32 : memref<2x2x2xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @small_blocks(%q: !q, %k: !k, %s: memref<2x2x12xf32>) {
  // expected-error@below {{'attn.attention' op expected 'per' with a power of two from 16 on, beside an element for each block of rows, found 8 of key_scale}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(key_scale %s per 8 : memref<2x2x12xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @order(%q: !q, %k: !k, %s: memref<f32>) {
  // expected-error@below {{'attn.attention' op expected in 'with' some of query_scale, key_scale, value_scale, in this order, found 'key_scale'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_scale %s : memref<f32>, key_scale %s : memref<f32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @name(%q: !q, %k: !k, %s: memref<f32>) {
  // expected-error@below {{'attn.attention' op expected in 'with' some of query_scale, key_scale, value_scale, in this order, found 'keys_scale'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(keys_scale %s : memref<f32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @form(%q: !q, %k: !k, %s: tensor<2x2xf32>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found key_scale of type 'tensor<2x2xf32>'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(key_scale %s : tensor<2x2xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<7x4x16x64xf8E4M3FN>
func.func @pages(%q: !q, %k: !k, %t: memref<2x8xi32>, %s: memref<7xf32>) {
  // expected-error@below {{'attn.attention' op expected key_scale of key to be of rank 0, Pages x H or Pages x H x P, found}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) pages(%t : memref<2x8xi32>) with(key_scale %s : memref<7xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
!o = memref<2x4x100x64xf16>
func.func @query(%q: !q, %o: !o) {
  // expected-error@below {{'attn.attention' op expected query elements of f16, bf16 or f32, found 'f8E4M3FN'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) outs(%o : !o)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x4x100x64xf8E4M3FN>
!row = memref<2x4x100xf32>
func.func @gradients(%q: !q, %k: !k, %lse: !row) {
  // expected-error@below {{'attn.attention_backward' op expected key elements of 'f16', as query, for gradients, found 'f8E4M3FN'; extend keys and values of 8 bits first}}
  attn.attention_backward wrt(query) ins(%q, %k, %k, %q, %lse, %q : !q, !k, !k, !q, !row, !q) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @channels_within_keys(%q: !q, %k: !k, %o: memref<2x4x100x32xf16>, %s: memref<2x2x1x32xf32>) {
  // expected-error@below {{'attn.attention' op expected no element for each channel of value_scale beside value_dims, found}}
  attn.attention ins(%q, %k : !q, !k) value_dims [0, 32] with(value_scale %s : memref<2x2x1x32xf32>) outs(%o : memref<2x4x100x32xf16>)
  return
}

// -----

!q = memref<2x4x1x64xf16>
!k = memref<9x2x16x64xf8E4M3FN>
func.func @channels_of_pages(%q: !q, %k: !k, %pages: memref<2x4xi32>, %s: memref<9x2x1x64xf32>) {
  // expected-error@below {{'attn.attention' op expected value_scale to have the same channels for all pages, 1 x H x 1 x D, found}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) pages(%pages : memref<2x4xi32>) with(value_scale %s : memref<9x2x1x64xf32>) outs(%q : !q)
  return
}
