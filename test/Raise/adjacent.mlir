// All of several attentions whose last products follow each other are raised.
// RUN: attn-opt %s -attn-raise | FileCheck %s
// CHECK-COUNT-3: attn.attention
// CHECK-NOT: linalg.batch_matmul
func.func @main(%q0: tensor<2x8x8xf32>, %k0: tensor<2x8x8xf32>, %v0: tensor<2x8x8xf32>, %q1: tensor<2x8x8xf32>, %k1: tensor<2x8x8xf32>, %v1: tensor<2x8x8xf32>, %q2: tensor<2x8x8xf32>, %k2: tensor<2x8x8xf32>, %v2: tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s0 = linalg.batch_matmul ins(%q0, %k0 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %p0 = linalg.softmax dimension(2) ins(%s0 : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s1 = linalg.batch_matmul ins(%q1, %k1 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %p1 = linalg.softmax dimension(2) ins(%s1 : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s2 = linalg.batch_matmul ins(%q2, %k2 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %p2 = linalg.softmax dimension(2) ins(%s2 : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %o0 = linalg.batch_matmul ins(%p0, %v0 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %o1 = linalg.batch_matmul ins(%p1, %v1 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %o2 = linalg.batch_matmul ins(%p2, %v2 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %o0, %o1, %o2 : tensor<2x8x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>
}
