// RUN: attn-opt %s -split-input-file -verify-diagnostics

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @outs(%x: !x, %y: !y) {
  // expected-error@below {{expected 2 outs (what is stored, the scale), found 1}}
  attn.quantize ins(%x : !x) outs(%y : !y)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @given(%x: !x, %y: !y, %s: memref<f32>) {
  // expected-error@below {{expected 2 outs (what is stored, the mean), found 1}}
  attn.quantize ins(%x : !x) scale(%s : memref<f32>) centered outs(%y : !y)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @rank(%x: !x, %y: !y, %s: memref<3xf32>) {
  // expected-error@below {{expected a scale of rank 0 (of the array), 2 (of heads), 3 (of tokens) or 4 (of channels), found 'memref<3xf32>'}}
  attn.quantize ins(%x : !x) outs(%y, %s : !y, memref<3xf32>)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @block(%x: !x, %y: !y, %s: memref<2x3x2xf32>) {
  // expected-error@below {{expected a block of 1 token, or of a power of two of at least 16, found 24}}
  attn.quantize ins(%x : !x) block 24 outs(%y, %s : !y, memref<2x3x2xf32>)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @heads(%x: !x, %y: !y, %s: memref<2x3xf32>) {
  // expected-error@below {{expected no block beside a scale that is not of tokens, found 32 and 'memref<2x3xf32>'}}
  attn.quantize ins(%x : !x) block 32 outs(%y, %s : !y, memref<2x3xf32>)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @blocks(%x: !x, %y: !y, %s: memref<2x3x3xf32>) {
  // expected-error@below {{expected equal numbers of blocks of tokens, found 2 in the array and 3 in the scale}}
  attn.quantize ins(%x : !x) block 32 outs(%y, %s : !y, memref<2x3x3xf32>)
  return
}

// -----

// A made scale has an element for each head.
!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @made(%x: !x, %y: !y, %s: memref<2x1xf32>) {
  // expected-error@below {{expected equal head counts, found 3 in the array and 1 in the scale}}
  attn.quantize ins(%x : !x) outs(%y, %s : !y, memref<2x1xf32>)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xf16>
func.func @elements(%x: !x, %y: !y, %s: memref<2x3xf32>) {
  // expected-error@below {{expected what is stored elements of 'f8E4M3FN', 'f8E5M2', 'i8' or 'i4', found 'f16'}}
  attn.quantize ins(%x : !x) outs(%y, %s : !y, memref<2x3xf32>)
  return
}

// -----

!x = memref<2x3x40x16xf16>
!y = memref<2x3x40x16xi8>
func.func @channels(%x: !x, %y: !y, %s: memref<2x3x40x16xf32>) {
  // expected-error@below {{expected a scale of channels with size 1 in dimension 2, found 'memref<2x3x40x16xf32>'}}
  attn.quantize ins(%x : !x) outs(%y, %s : !y, memref<2x3x40x16xf32>)
  return
}

// -----

!x = memref<2x3x40x15xf16>
!y = memref<2x3x40x15xi4>
func.func @odd(%x: !x, %y: !y, %s: memref<2x3xf32>) {
  // expected-error@below {{expected an even head dim in what is stored of i4, which has two elements in a byte, found 15}}
  attn.quantize ins(%x : !x) outs(%y, %s : !y, memref<2x3xf32>)
  return
}
