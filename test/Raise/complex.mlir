// Complex numbers are no operands of ops of arith.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise | FileCheck %s
// CHECK: stablehlo.divide
func.func @main(%a: tensor<4xcomplex<f32>>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = "stablehlo.constant"() <{value = dense<(1.0,2.0)> : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %m = "stablehlo.multiply"(%a, %c) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %x = "stablehlo.abs"(%m) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %o = "stablehlo.divide"(%x, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %o : tensor<4xf32>
}
