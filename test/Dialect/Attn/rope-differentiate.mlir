// RUN: attn-opt %s -attn-differentiate | FileCheck %s

// Query and key in two arrays each: each of the five arrays has a gradient, and that of the
// columns that heads share is a sum over them.

!q = tensor<2x4x100x128xf16>
!r = tensor<2x4x100x64xf16>
!s = tensor<2x1x100x64xf16>
!sink = tensor<4xf32>
// CHECK-LABEL: func.func @f_forward(
// CHECK: with(query_rope %{{.*}} : tensor<2x4x100x64xf16>, key_rope %{{.*}} : tensor<2x1x100x64xf16>)
// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME: -> (tensor<2x4x100x128xf16>, tensor<2x4x100x128xf16>, tensor<2x4x100x128xf16>, tensor<4xf32>, tensor<2x4x100x64xf16>, tensor<2x1x100x64xf16>)
// CHECK: attn.attention_backward wrt(query, key, value, sink, query_rope, key_rope)
// CHECK-SAME: with(query_rope %{{.*}} : tensor<2x4x100x64xf16>, key_rope %{{.*}} : tensor<2x1x100x64xf16>)
func.func @f(%q: !q, %k: !q, %v: !q, %r: !r, %s: !s, %sink: !sink, %o: !q) -> !q {
  %0 = attn.attention ins(%q, %k, %v : !q, !q, !q) sink(%sink : !sink)
      with(query_rope %r : !r, key_rope %s : !s) outs(%o : !q) -> !q
  return %0 : !q
}
