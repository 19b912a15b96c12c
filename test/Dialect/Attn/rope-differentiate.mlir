// RUN: attn-opt %s -attn-differentiate -verify-diagnostics

!q = tensor<2x4x100x64xf16>
!r = tensor<2x4x100x32xf16>
func.func @differentiate(%q: !q, %r: !r, %o: !q) -> !q {
  // expected-error@below {{'attn.attention' op expected query and key in one array each to differentiate 'differentiate', found query_rope}}
  %0 = attn.attention ins(%q, %q, %q : !q, !q, !q) with(query_rope %r : !r, key_rope %r : !r)
      outs(%o : !q) -> !q
  return %0 : !q
}
