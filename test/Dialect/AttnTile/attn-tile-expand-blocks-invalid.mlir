// RUN: attn-opt %s -attn-tile-expand-blocks -split-input-file -verify-diagnostics

func.func @unknown_domain(%domain: !attn_tile.domain<64>) {
  // expected-error@below {{'attn_tile.for_blocks' op expected a domain made by attn_tile.domain or attn_tile.domain_list in the same program}}
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
  }
  return
}
