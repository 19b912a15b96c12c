// RUN: attn-opt %s -attn-tile-expand-softmax -split-input-file -verify-diagnostics

!state = !attn_tile.softmax<64, factor = 0.125>
func.func @blocks(%d: !attn_tile.domain<64>, %s: tensor<64x32xf32>) -> tensor<64xf32> {
  %m0 = attn_tile.softmax_init : !state
  // expected-error@below {{failed to legalize operation 'attn_tile.for_blocks'}}
  %m = attn_tile.for_blocks (%j, %partial) of %d iter_args(%a = %m0) -> (!state) : !attn_tile.domain<64> {
    %p, %next = attn_tile.softmax_update %s, %a : (tensor<64x32xf32>, !state) -> (tensor<64x32xf16>, !state)
    attn_tile.yield %next : !state
  }
  %inverse, %lse = attn_tile.softmax_finish %m : !state -> tensor<64xf32>, tensor<64xf32>
  return %inverse : tensor<64xf32>
}

// -----

!state = !attn_tile.softmax<64, factor = 0.125>
func.func @result(%m: !state) -> !state {
  // expected-error@below {{failed to legalize operation 'func.return'}}
  return %m : !state
}
