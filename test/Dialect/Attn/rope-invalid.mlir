// RUN: attn-opt %s -split-input-file -verify-diagnostics

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
func.func @alone(%q: !q, %r: !r) {
  // expected-error@below {{'attn.attention' op expected query_rope and key_rope or neither, found key_rope alone}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(key_rope %r : !r) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!s = memref<2x4x100x31xf16>
func.func @width(%q: !q, %r: !r, %s: !s) {
  // expected-error@below {{'attn.attention' op expected equal head dims, found 32 in query_rope and 31 in key_rope}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %s : !s) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!s = memref<2x4x99x32xf16>
func.func @length(%q: !q, %r: !r, %s: !s) {
  // expected-error@below {{'attn.attention' op expected equal lengths, found 99 in key_rope and 100 in key}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %s : !s) outs(%q : !q)
  return
}

// -----

// All heads may share further columns of keys, but not those of queries.

!q = memref<2x4x100x96xf16>
!r = memref<2x1x100x32xf16>
func.func @heads(%q: !q, %r: !r) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 1 in query_rope and 4 in query}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %r : !r) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!s = memref<2x2x100x32xf16>
func.func @some_heads(%q: !q, %r: !r, %s: !s) {
  // expected-error@below {{'attn.attention' op expected equal head counts, found 2 in key_rope and 4 in key}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %s : !s) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xbf16>
func.func @type(%q: !q, %r: !r) {
  // expected-error@below {{'attn.attention' op expected query_rope elements of 'f16', as query, found 'bf16'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %r : !r) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!k = memref<2x4x100x96xi8>
!r = memref<2x4x100x32xf16>
!s = memref<2x4x100x32xi8>
func.func @eight_bits(%q: !q, %k: !k, %r: !r, %s: !s) {
  // expected-error@below {{'attn.attention' op expected key_rope elements of 'f16', as query, found 'i8'}}
  attn.attention ins(%q, %k, %q : !q, !k, !q) with(query_rope %r : !r, key_rope %s : !s) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100xf16>
func.func @rank(%q: !q, %r: !r) {
  // expected-error@below {{'attn.attention' op expected query_rope of rank 4, found 'memref<2x4x100xf16>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %r : !r) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
func.func @blocks(%q: !q, %r: !r) {
  // expected-error@below {{'attn.attention' op expected no 'per' beside query_rope, found 16}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r per 16 : !r, key_rope %r : !r) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!lse = memref<2x4x100xf32>
func.func @gradients(%q: !q, %r: !r, %lse: !lse) {
  // expected-error@below {{'attn.attention_backward' op expected query_rope in 'with' for a gradient with respect to it, found none}}
  attn.attention_backward wrt(query_rope) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !lse, !q)
      outs(%r : !r)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!s = memref<2x1x100x32xf16>
!lse = memref<2x4x100xf32>
func.func @gradient_of_heads(%q: !q, %r: !r, %s: !s, %lse: !lse) {
  // expected-error@below {{'attn.attention_backward' op expected d_key_rope of the shape of 'memref<2x1x100x32xf16>', found 'memref<2x4x100x32xf16>'}}
  attn.attention_backward wrt(key_rope) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !lse, !q)
      with(query_rope %r : !r, key_rope %s : !s) outs(%r : !r)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!d = memref<2x4x100x32xbf16>
!lse = memref<2x4x100xf32>
func.func @gradient_type(%q: !q, %r: !r, %d: !d, %lse: !lse) {
  // expected-error@below {{'attn.attention_backward' op expected d_query_rope elements of 'f16', as query_rope, or of f32, found 'bf16'}}
  attn.attention_backward wrt(query_rope) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !lse, !q)
      with(query_rope %r : !r, key_rope %r : !r) outs(%d : !d)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!r = memref<2x4x100x32xf16>
!lse = memref<2x4x100xf32>
func.func @order(%q: !q, %r: !r, %lse: !lse) {
  // expected-error@below {{expected query, key, value, sink, query_rope, key_rope and captures in this order, each once, found 'query' after a later one}}
  attn.attention_backward wrt(query_rope, query) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !lse, !q)
      with(query_rope %r : !r, key_rope %r : !r) outs(%r, %q : !r, !q)
  return
}

// -----

!q = memref<2x4x100x96xf16>
!k = memref<2x4x100x96xf8E4M3FN>
!r = memref<2x4x100x32xf16>
!lse = memref<2x4x100xf32>
func.func @narrow_key(%q: !q, %k: !k, %r: !r, %lse: !lse) {
  // expected-error@below {{'attn.attention_backward' op expected key elements of 'f16', as query, beside key_rope for gradients, found 'f8E4M3FN'}}
  attn.attention_backward wrt(query) ins(%q, %k, %q, %q, %lse, %q : !q, !k, !q, !q, !lse, !q)
      with(query_rope %r : !r, key_rope %r : !r) outs(%q : !q)
  return
}
