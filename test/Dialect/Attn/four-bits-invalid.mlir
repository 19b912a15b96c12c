// RUN: attn-opt %s -split-input-file -verify-diagnostics

!q = memref<2x4x100x63xf16>
!k = memref<2x2x90x63xi4>
func.func @odd(%q: !q, %k: !k) {
  // expected-error@below {{'attn.attention' op expected an even head dim in key of i4, which has two elements in a byte, found 63}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xi4, strided<[20000, 10000, 65, 1]>>
func.func @strides(%q: !q, %k: !k) {
  // expected-error@below {{'attn.attention' op expected an even offset and even strides of rows in key of i4, which has two elements in a byte, found 'memref<2x2x90x64xi4, strided<[20000, 10000, 65, 1]>>'}}
  attn.attention ins(%q, %k, %k : !q, !k, !k) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xi4>
func.func @query(%q: !q) {
  // expected-error@below {{'attn.attention' op expected query elements of f16, bf16, f32, f8E4M3FN or f8E5M2, found 'i4'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xi4>
!o = memref<2x4x100x31xf16>
func.func @value_dims(%q: !q, %k: !k, %o: !o) {
  // expected-error@below {{'attn.attention' op expected even value_dims of a key of i4, which has two elements in a byte, found 1, 32}}
  attn.attention ins(%q, %k : !q, !k) value_dims [1, 32] outs(%o : !o)
  return
}

// -----

!k = memref<2x2x1x63xf16>
!c = memref<2x2x90x63xi4>
func.func @append(%k: !k, %c: !c, %n: memref<2xi32>) {
  // expected-error@below {{'attn.append' op expected an even head dim in the key cache of i4, which has two elements in a byte, found 63}}
  attn.append ins(%k, %k : !k, !k) outs(%c, %c : !c, !c) lengths(%n : memref<2xi32>)
  return
}
