// A product of query and key times infinity or NaN is no attention, which has a finite scale.
// RUN: attn-opt %s -attn-raise -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NOT: attn.attention
func.func @main(%q: tensor<8x4xf32>, %k: tensor<4x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<8x4xf32>, tensor<4x8xf32>) outs(%z : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %w = arith.divf %x, %zero : f32
    %p = arith.mulf %w, %y : f32
    %a = arith.addf %out, %p : f32
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark@below {{attention was not raised: its scale is no finite number of f32}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
