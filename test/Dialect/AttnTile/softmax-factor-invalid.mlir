// RUN: attn-opt %s -split-input-file -verify-diagnostics

!state = !attn_tile.softmax<64, factor = 0.125>
func.func @rows(%old: !state, %new: !state) {
  // expected-error@below {{'attn_tile.softmax_factor' op expected a factor of 64 x f32, one for each row of the states, found 'tensor<32xf32>'}}
  %0 = attn_tile.softmax_factor %old to %new : !state -> tensor<32xf32>
  return
}

// -----

!state = !attn_tile.softmax<64, factor = 0.125>
func.func @element(%old: !state, %new: !state) {
  // expected-error@below {{'attn_tile.softmax_factor' op expected a factor of 64 x f32, one for each row of the states, found 'tensor<64xf16>'}}
  %0 = attn_tile.softmax_factor %old to %new : !state -> tensor<64xf16>
  return
}

// -----

func.func @rows_of_tile(%acc: tensor<64x32xf32>, %f: tensor<32xf32>) {
  // expected-error@below {{'attn_tile.rescale' op expected a factor of 64 x f32, one for each row of the tile, found 'tensor<32xf32>'}}
  %0 = attn_tile.rescale %acc by %f : tensor<32xf32>, tensor<64x32xf32>
  return
}

// -----

func.func @narrow(%acc: tensor<64x32xf16>, %f: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.rescale' op expected a tile of f32, found 'tensor<64x32xf16>'}}
  %0 = attn_tile.rescale %acc by %f : tensor<64xf32>, tensor<64x32xf16>
  return
}
