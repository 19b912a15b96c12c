// RUN: attn-opt %s -split-input-file -verify-diagnostics

!q = memref<2x4x8x64xf16>

func.func @rank(%q: !q, %a: memref<2x1xi32>, %n: index) {
  // expected-error@below {{'attn.attention' op expected the lengths of the key to be an array of i32 of rank 1, found 'memref<2x1xi32>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%n, %a : index, memref<2x1xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x8x64xf16>
func.func @dtype(%q: !q, %a: memref<2xi64>, %n: index) {
  // expected-error@below {{expected the lengths of the query to be an array of i32 of rank 1, found 'memref<2xi64>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%a, %n : memref<2xi64>, index) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x8x64xf16>
func.func @size(%q: !q, %a: memref<3xi32>, %n: index) {
  // expected-error@below {{expected the lengths of the key of as many numbers as batch entries, 2, found 3}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%n, %a : index, memref<3xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x8x64xf16>
func.func @form(%q: !q, %a: tensor<2xi32>, %n: index) {
  // expected-error@below {{expected all operands to be tensors or all to be memrefs, found the lengths of the key of type 'tensor<2xi32>' and query of type 'memref<2x4x8x64xf16>'}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%n, %a : index, tensor<2xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x8x64xf16>
func.func @one(%q: !q, %a: memref<3xi32>) {
  // expected-error@below {{expected 2 arrays of cumulative lengths (query, key), found 1}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) packed(%a : memref<3xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x8x64xf16>
func.func @sizes(%q: !q, %a: memref<3xi32>, %b: memref<4xi32>) {
  // expected-error@below {{expected the cumulative lengths of the key of as many numbers as those of the query, 3, found 4}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) packed(%a, %b : memref<3xi32>, memref<4xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x8x64xf16>
func.func @none(%q: !q, %a: memref<0xi32>) {
  // expected-error@below {{expected the cumulative lengths of the query to have a number at least, found none}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) packed(%a, %a : memref<0xi32>, memref<0xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x8x64xf16>
func.func @batch(%q: !q, %a: memref<3xi32>) {
  // expected-error@below {{expected a batch size of 1 where sequences are packed, found 2}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) packed(%a, %a : memref<3xi32>, memref<3xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x8x64xf16>
func.func @both(%q: !q, %a: memref<3xi32>, %n: index) {
  // expected-error@below {{expected no lengths where sequences are packed, found lengths}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%n, %n) packed(%a, %a : memref<3xi32>, memref<3xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<1x4x8x64xf16>
func.func @origin(%q: !q, %a: memref<3xi32>, %n: index) {
  // expected-error@below {{expected no origin where sequences are packed, found an origin}}
  attn.attention ins(%q, %q, %q : !q, !q, !q) origin(%n, %n, %n, %n) packed(%a, %a : memref<3xi32>, memref<3xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x8x64xf16>
func.func @table(%q: !q, %k: memref<9x4x16x64xf16>, %t: memref<3x8xi32>) {
  // expected-error@below {{expected the table of pages of as many rows as batch entries, 2, found 3}}
  attn.attention ins(%q, %k, %k : !q, memref<9x4x16x64xf16>, memref<9x4x16x64xf16>) pages(%t : memref<3x8xi32>) outs(%q : !q)
  return
}

// -----

!q = memref<2x4x8x64xf16>
func.func @pool(%q: !q, %k: memref<9x4x16x64xf16>, %v: memref<8x4x16x64xf16>, %t: memref<2x8xi32>) {
  // expected-error@below {{expected equal numbers of pages, found 9 in key and 8 in value}}
  attn.attention ins(%q, %k, %v : !q, memref<9x4x16x64xf16>, memref<8x4x16x64xf16>) pages(%t : memref<2x8xi32>) outs(%q : !q)
  return
}
