// GroupQueryAttention whose heads all share one head of keys, with a dynamic number of batch entries: the entries are no
// heads, so that the heads, which have a sink each, are static.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @smooth(
// CHECK: %[[SINK:.+]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: attn.attention {{.*}}ins(%{{.+}}, %{{.+}}, %{{.+}} : tensor<?x4x?x16xf32>, tensor<?x1x?x16xf32>, tensor<?x1x?x16xf32>) sink(%[[SINK]] : tensor<4xf32>)
// CHECK-NOT: onnx
// CHECK: return
func.func @smooth(%q: tensor<?x?x64xf32>, %k: tensor<?x?x16xf32>, %v: tensor<?x?x16xf32>, %last: tensor<?xi32>, %total: tensor<i32>) -> tensor<?x?x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 1 : si64, smooth_softmax = 1 : si64} : (tensor<?x?x64xf32>, tensor<?x?x16xf32>, tensor<?x?x16xf32>, none, none, tensor<?xi32>, tensor<i32>) -> tensor<?x?x64xf32>
  return %0 : tensor<?x?x64xf32>
}
