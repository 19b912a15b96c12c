// An op that writes only a part of its output, such as the diagonal, leaves the other elements as they are.
// RUN: attn-opt %s -attn-raise | FileCheck %s

// CHECK-LABEL: func.func @diagonal(
// CHECK: %[[BIAS:.+]] = linalg.generic
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<8x8xf32>)
func.func @diagonal(%q: tensor<8x4xf32>, %k: tensor<4x8xf32>, %v: tensor<8x4xf32>, %x: tensor<8xf32>, %b: tensor<8x8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %bias = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%b : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.add ins(%s, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @column(
// CHECK: %[[BIAS:.+]] = linalg.generic
// CHECK: attn.attention
// CHECK-SAME: captures(%[[BIAS]] : tensor<8x8xf32>)
func.func @column(%q: tensor<8x4xf32>, %k: tensor<4x8xf32>, %v: tensor<8x4xf32>, %x: tensor<8xf32>, %b: tensor<8x8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %bias = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, 3)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%b : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.add ins(%s, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
