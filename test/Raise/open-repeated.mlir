// A result is repeated along a dimension whose size no operand has: this stays after the attention.
// RUN: attn-opt %s -attn-raise | FileCheck %s
// CHECK: attn.attention
// CHECK: linalg.broadcast
func.func @main(%q: tensor<8x16xf32>, %k: tensor<16x12xf32>, %v: tensor<12x4xf32>, %n: index) -> tensor<?x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x16xf32>, tensor<16x12xf32>) outs(%z : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x12xf32>) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x12xf32>, tensor<12x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  %be = tensor.empty(%n) : tensor<?x8x4xf32>
  %b = linalg.broadcast ins(%o : tensor<8x4xf32>) outs(%be : tensor<?x8x4xf32>) dimensions = [0]
  return %b : tensor<?x8x4xf32>
}
