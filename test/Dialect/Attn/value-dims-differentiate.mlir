// RUN: attn-opt %s -attn-differentiate -verify-diagnostics

func.func @differentiate(%k: tensor<2x4x100x96xf16>, %o: tensor<2x4x100x64xf16>) -> tensor<2x4x100x64xf16> {
  // expected-error@below {{'attn.attention' op expected a value to differentiate 'differentiate', found value_dims}}
  %r = attn.attention ins(%k, %k : tensor<2x4x100x96xf16>, tensor<2x4x100x96xf16>) value_dims [0, 64]
      outs(%o : tensor<2x4x100x64xf16>) -> tensor<2x4x100x64xf16>
  return %r : tensor<2x4x100x64xf16>
}
