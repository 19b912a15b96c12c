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
  // expected-error@below {{'attn.attention' op expected in 'with' some of query_scale, key_scale, value_scale, value_mean, output_scale, query_rope, key_rope, in this order, found 'key_scale'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_scale %s : memref<f32>, key_scale %s : memref<f32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @name(%q: !q, %k: !k, %s: memref<f32>) {
  // expected-error@below {{'attn.attention' op expected in 'with' some of query_scale, key_scale, value_scale, value_mean, output_scale, query_rope, key_rope, in this order, found 'keys_scale'}}
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
!k = memref<2x2x90x64xf16>
func.func @wide_keys(%q: !q, %k: !k, %o: memref<2x4x100x64xf16>) {
  // expected-error@below {{'attn.attention' op expected key elements of f8E4M3FN, f8E5M2, i8 or i4, beside a query of 'f8E4M3FN', found 'f16'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) outs(%o : memref<2x4x100x64xf16>)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
func.func @unscaled_output(%q: !q, %o: !q) {
  // expected-error@below {{'attn.attention' op expected an output_scale in 'with' beside an output of 'f8E4M3FN', found none}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
func.func @scaled_output(%q: !q, %o: !q, %s: memref<f32>) {
  // expected-error@below {{'attn.attention' op expected no output_scale beside an output of 'f16', found one; it is of outputs of 8 bits}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(output_scale %s : memref<f32>) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
func.func @output_of_tokens(%q: !q, %o: !q, %s: memref<2x4x100xf32>) {
  // expected-error@below {{'attn.attention' op expected output_scale of output to be of rank 0 or B x H, found 'memref<2x4x100xf32>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(output_scale %s : memref<2x4x100xf32>) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
func.func @output_of_integers(%q: !q, %o: memref<2x4x100x64xi8>, %s: memref<f32>) {
  // expected-error@below {{'attn.attention' op expected output elements of f16, bf16 or f32, or of f8E4M3FN or f8E5M2, found 'i8'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(output_scale %s : memref<f32>) outs(%o : memref<2x4x100x64xi8>)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x4x100x64xf8E4M3FN>
!row = memref<2x4x100xf32>
func.func @gradients_of_8_bits(%q: !q, %k: !k, %lse: !row) {
  // expected-error@below {{'attn.attention_backward' op expected d_key elements of 'f16', as query, or of f32, found 'f8E4M3FN'}}
  attn.attention_backward wrt(key) ins(%q, %k, %k, %q, %lse, %q : !q, !k, !k, !q, !row, !q) outs(%k : !k)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @gradients_of_other_types(%q: !q, %o: !o, %lse: !row, %dq: memref<2x4x100x64xbf16>) {
  // expected-error@below {{'attn.attention_backward' op expected d_query elements of 'f16', as products, or of f32, found 'bf16'}}
  attn.attention_backward wrt(query) ins(%q, %q, %q, %o, %lse, %o : !q, !q, !q, !o, !row, !o) outs(%dq : memref<2x4x100x64xbf16>)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @gradients_of_scaled_outputs(%q: !q, %o: !o, %lse: !row, %s: memref<f32>) {
  // expected-error@below {{'attn.attention_backward' op expected no output_scale for gradients, found one}}
  attn.attention_backward wrt(query) ins(%q, %q, %q, %o, %lse, %o : !q, !q, !q, !o, !row, !o) with(output_scale %s : memref<f32>) outs(%o : !o)
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

// -----

!q = memref<2x4x100x64xf8E4M3FN>
!v = memref<2x4x100x64xf8E5M2>
!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @narrow_products_of_two_types(%q: !q, %v: !v, %o: !o, %lse: !row, %dq: !o) {
  // expected-error@below {{'attn.attention_backward' op expected query, key and value of one 8-bit float type with 'narrow_products', found 'f8E4M3FN', 'f8E4M3FN' and 'f8E5M2'; leave 'narrow_products' out for other types}}
  attn.attention_backward wrt(query) narrow_products ins(%q, %q, %v, %o, %lse, %o : !q, !q, !v, !o, !row, !o) outs(%dq : !o)
  return
}

// -----

!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @narrow_products_of_16_bits(%o: !o, %lse: !row, %dq: !o) {
  // expected-error@below {{'attn.attention_backward' op expected query, key and value of one 8-bit float type with 'narrow_products', found 'f16', 'f16' and 'f16'; leave}}
  attn.attention_backward wrt(query) narrow_products ins(%o, %o, %o, %o, %lse, %o : !o, !o, !o, !o, !row, !o) outs(%dq : !o)
  return
}

// -----

!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @all_narrow_products_of_16_bits(%o: !o, %lse: !row, %dq: !o) {
  // expected-error@below {{'attn.attention_backward' op expected query, key and value of one 8-bit float type with 'narrow_products', found 'f16', 'f16' and 'f16'; leave}}
  attn.attention_backward wrt(query) narrow_products<all> ins(%o, %o, %o, %o, %lse, %o : !o, !o, !o, !o, !row, !o) outs(%dq : !o)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @unknown_narrow_products(%q: !q, %o: !o, %lse: !row, %dq: !o) {
  // expected-error@below {{expected 'scores' or 'all' within '<' and '>' of 'narrow_products', found 'keys'}}
  attn.attention_backward wrt(query) narrow_products<keys> ins(%q, %q, %q, %o, %lse, %o : !q, !q, !q, !o, !row, !o) outs(%dq : !o)
  return
}

// -----

!q = memref<2x4x100x64xf8E4M3FN>
!o = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @no_narrow_products(%q: !q, %o: !o, %lse: !row, %dq: !o) {
  // expected-error@below {{expected 'scores' or 'all' within '<' and '>' of 'narrow_products', found ''}}
  attn.attention_backward wrt(query) narrow_products<> ins(%q, %q, %q, %o, %lse, %o : !q, !q, !q, !o, !row, !o) outs(%dq : !o)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @mean_of_tokens(%q: !q, %k: !k, %m: memref<2x2x90xf32>) {
  // expected-error@below {{'attn.attention' op expected value_mean of value to be B x H x 1 x D, found 'memref<2x2x90xf32>'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_mean %m : memref<2x2x90xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @mean_of_query_heads(%q: !q, %k: !k, %m: memref<1x4x1x64xf32>) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 4 in value_mean and 2 in value}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_mean %m : memref<1x4x1x64xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @mean_of_channels(%q: !q, %k: !k, %m: memref<1x1x1x32xf32>) {
  // expected-error@below {{'attn.attention' op expected equal head dims, found 32 in value_mean and 64 in value}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_mean %m : memref<1x1x1x32xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @mean_of_16_bits(%q: !q, %k: !k, %m: memref<1x1x1x64xf16>) {
  // expected-error@below {{'attn.attention' op expected value_mean elements of f32, found 'f16'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_mean %m : memref<1x1x1x64xf16>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @mean_of_blocks(%q: !q, %k: !k, %m: memref<1x1x1x64xf32>) {
  // expected-error@below {{'attn.attention' op expected 'per' with a power of two from 16 on, beside an element for each block of rows, found 16 of value_mean}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_mean %m per 16 : memref<1x1x1x64xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
func.func @mean_within_keys(%q: !q, %k: !k, %o: memref<2x4x100x32xf16>, %m: memref<1x1x1x1xf32>) {
  // expected-error@below {{'attn.attention' op expected no element for each channel of value_mean beside value_dims, found}}
  attn.attention ins(%q, %k : !q, !k) value_dims [0, 32] with(value_mean %m : memref<1x1x1x1xf32>) outs(%o : memref<2x4x100x32xf16>)
  return
}

// -----

!q = memref<2x4x1x64xf16>
!k = memref<9x2x16x64xf8E4M3FN>
func.func @mean_of_pages(%q: !q, %k: !k, %pages: memref<2x4xi32>, %m: memref<9x2x1x64xf32>) {
  // expected-error@below {{'attn.attention' op expected value_mean to have the same channels for all pages, 1 x H x 1 x D, found}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) pages(%pages : memref<2x4xi32>) with(value_mean %m : memref<9x2x1x64xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
func.func @mean_with_dropout(%q: !q, %m: memref<1x1x1x64xf32>, %n: i64) {
  // expected-error@below {{'attn.attention' op expected no dropout beside value_mean, found one of probability 2.5}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(0.25, %n, %n : i64, i64) with(value_mean %m : memref<1x1x1x64xf32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>
func.func @mean_with_dropout_in_gradients(%q: !q, %lse: !row, %m: memref<1x1x1x64xf32>, %n: i64) {
  // expected-error@below {{'attn.attention_backward' op expected no dropout beside value_mean, found one of probability 2.5}}
  attn.attention_backward wrt(query) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !row, !q) dropout(0.25, %n, %n : i64, i64)
      with(value_mean %m : memref<1x1x1x64xf32>) outs(%q : !q)
  return
}
