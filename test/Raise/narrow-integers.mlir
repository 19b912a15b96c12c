// Exponentials and their sum convert one number to integers of different widths.
// RUN: attn-opt %s -attn-raise -verify-diagnostics | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @narrower(
// CHECK-NOT: attn.attention
func.func @narrower(%q: tensor<8x4xf32>, %k: tensor<4x8xf32>, %v: tensor<8x4xf32>, %b: tensor<8x8xi32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<8x8xf32>, tensor<8x8xi32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: i32, %out: f32):
    %n = arith.trunci %y : i32 to i8
    %f = arith.sitofp %n : i8 to f32
    %t = arith.addf %x, %f : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<8x8xf32>
  %re = tensor.empty() : tensor<8xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%s, %b : tensor<8x8xf32>, tensor<8x8xi32>) outs(%rz : tensor<8xf32>) {
  ^bb0(%x: f32, %y: i32, %out: f32):
    %n = arith.trunci %y : i32 to i16
    %f = arith.sitofp %n : i16 to f32
    %t = arith.addf %x, %f : f32
    %u = math.exp %t : f32
    %a = arith.addf %u, %out : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %r : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.divf %x, %y : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark@below {{attention was not raised: exponentials are multiplied with values, but what divides them is not their sum over the same keys}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
