// IR that does not say what its ops need: nothing is raised, and nothing crashes.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise 2>&1 | FileCheck %s
// CHECK-COUNT-4: remark: attention was not raised: expected
// CHECK-NOT: attn.attention
func.func @a(%q: tensor<2x4xf32>, %k: tensor<4x3xf32>, %v: tensor<3x5xf32>) -> tensor<2x5xf32> {
  %0 = "stablehlo.dot_general"(%q, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [7], rhs_contracting_dimensions = [0]>}> : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %e = "stablehlo.exponential"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = "stablehlo.reduce"(%e, %c) <{dimensions = array<i64: 9>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %zb = "stablehlo.broadcast_in_dim"(%z) <{broadcast_dimensions = array<i64: -1>}> : (tensor<2xf32>) -> tensor<2x3xf32>
  %p = "stablehlo.divide"(%e, %zb) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = "stablehlo.transpose"(%v) <{permutation = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %o = "stablehlo.dot_general"(%p, %t) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<2x5xf32>
  %x = "stablehlo.iota"() : () -> tensor<2x5xf32>
  %y = "stablehlo.multiply"(%x) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %w = "stablehlo.divide"() : () -> tensor<2x5xf32>
  %u = "tm_tensor.attention"(%o) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %r = "iree_linalg_ext.attention"(%o) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %n = "onnx.Attention"() : () -> tensor<2x5xf32>
  %m = "torch.operator"() <{name = "onnx.Attention"}> : () -> tensor<2x5xf32>
  "onnx.Attention"(%m) : (tensor<2x5xf32>) -> ()
  "torch.operator"() <{name = "onnx.Attention"}> : () -> ()
  %sel = "stablehlo.select"(%o, %o) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %d2 = "stablehlo.divide"(%sel, %y) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %d3 = "stablehlo.divide"(%d2, %x) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %cv = "stablehlo.convert"(%w) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %d4 = "stablehlo.dot_general"(%w) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  return %d3 : tensor<2x5xf32>
}
