// RUN: attn-opt %s -split-input-file -verify-diagnostics

!key = memref<2x4x100x96xf16>
!value = memref<2x4x100x64xf16>
func.func @neither(%k: !key, %v: !value) {
  // expected-error@below {{'attn.attention' op expected a value or value_dims, found neither}}
  attn.attention ins(%k, %k : !key, !key) outs(%v : !value)
  return
}

// -----

!key = memref<2x4x100x96xf16>
!value = memref<2x4x100x64xf16>
func.func @both(%k: !key, %v: !value) {
  // expected-error@below {{'attn.attention' op expected a value or value_dims, found both}}
  attn.attention ins(%k, %k, %v : !key, !key, !value) value_dims [0, 64] outs(%v : !value)
  return
}

// -----

!key = memref<2x4x100x96xf16>
!value = memref<2x4x100x64xf16>
func.func @outside(%k: !key, %v: !value) {
  // expected-error@below {{'attn.attention' op expected value_dims to be the first column of the key that is the value's and the one past its last, within 96 columns, found 40, 104}}
  attn.attention ins(%k, %k : !key, !key) value_dims [40, 104] outs(%v : !value)
  return
}

// -----

!key = memref<2x4x100x96xf16>
!value = memref<2x4x100x64xf16>
func.func @empty(%k: !key, %v: !value) {
  // expected-error@below {{'attn.attention' op expected value_dims to be the first column of the key that is the value's and the one past its last, within 96 columns, found 64, 64}}
  attn.attention ins(%k, %k : !key, !key) value_dims [64, 64] outs(%v : !value)
  return
}

// -----

!key = memref<2x4x100x96xf16>
!value = memref<2x4x100x64xf16>
func.func @one(%k: !key, %v: !value) {
  // expected-error@below {{within 96 columns, found 64}}
  attn.attention ins(%k, %k : !key, !key) value_dims [64] outs(%v : !value)
  return
}

// -----

!key = memref<2x4x100x96xf16>
!value = memref<2x4x100x64xf16>
func.func @width(%k: !key, %v: !value) {
  // expected-error@below {{'attn.attention' op expected equal head dims, found 48 in value and 64 in output}}
  attn.attention ins(%k, %k : !key, !key) value_dims [0, 48] outs(%v : !value)
  return
}
