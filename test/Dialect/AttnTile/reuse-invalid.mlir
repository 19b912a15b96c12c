// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @bytes(%p: tensor<64x64xf16>, %k: tensor<64x64xi8>) {
  // expected-error@below {{'attn_tile.reuse' op expected tiles of as many rows of as many bytes, found 'tensor<64x64xf16>' over 'tensor<64x64xi8>'}}
  %0 = attn_tile.reuse %p over %k : tensor<64x64xf16>, tensor<64x64xi8>
  return
}

// -----

func.func @rows(%p: tensor<64x64xf16>, %k: tensor<32x64xf16>) {
  // expected-error@below {{'attn_tile.reuse' op expected tiles of as many rows of as many bytes, found 'tensor<64x64xf16>' over 'tensor<32x64xf16>'}}
  %0 = attn_tile.reuse %p over %k : tensor<64x64xf16>, tensor<32x64xf16>
  return
}

// -----

func.func @read(%p: tensor<64x64xf16>, %k: tensor<64x64xf16>, %zero: tensor<64x64xf32>) {
  // expected-error@below {{'attn_tile.reuse' op expected no reader of the dead tile after this op, found one}}
  %0 = attn_tile.reuse %p over %k : tensor<64x64xf16>, tensor<64x64xf16>
  // expected-note@below {{it is read here}}
  %1 = attn_tile.dot %0, %k, %zero : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  return
}
