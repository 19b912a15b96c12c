// An index into a dimension of size 0.
// RUN: attn-opt %s -attn-raise | FileCheck %s
// CHECK: arith.mulf
func.func @main(%a: tensor<4x0xf32>, %b: tensor<0xf32>) -> tensor<0xf32> {
  %k2 = tensor.collapse_shape %a [[0, 1]] : tensor<4x0xf32> into tensor<0xf32>
  %o = arith.mulf %k2, %b : tensor<0xf32>
  return %o : tensor<0xf32>
}
