// Squares are products of two equal factors: of masked probabilities, and of exponentials that
// the sum of the exponentials themselves divides. Neither is attention.
// RUN: attn-opt %s -attn-raise -verify-diagnostics | FileCheck %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
!s = tensor<2x8x12xf32>

// CHECK-LABEL: func.func @probabilities(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @probabilities(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %z = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : !s) -> !s
  %w = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : !s) outs(%e : !s) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %kept = arith.cmpi sge, %i, %j : index
    %x = math.exp %in : f32
    %masked = arith.select %kept, %x, %zero : f32
    linalg.yield %masked : f32
  } -> !s
  %re = tensor.empty() : tensor<2x8xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%w : !s) outs(%rz : tensor<2x8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %a = arith.addf %acc, %in : f32
    linalg.yield %a : f32
  } -> tensor<2x8xf32>
  %p = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %sum : !s, tensor<2x8xf32>) outs(%e : !s) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %kept = arith.cmpi sge, %i, %j : index
    %x = math.exp %in : f32
    %h = arith.divf %x, %total : f32
    %masked = arith.select %kept, %h, %zero : f32
    %square = arith.mulf %masked, %masked : f32
    linalg.yield %square : f32
  } -> !s
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  // expected-remark@below {{attention was not raised: }}
  %o = linalg.batch_matmul ins(%p, %v : !s, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}

// CHECK-LABEL: func.func @exponentials(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @exponentials(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %z = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : !s) -> !s
  %w = linalg.exp ins(%s : !s) outs(%e : !s) -> !s
  %re = tensor.empty() : tensor<2x8xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.reduce ins(%w : !s) outs(%rz : tensor<2x8xf32>) dimensions = [2]
    (%in: f32, %acc: f32) {
      %a = arith.addf %acc, %in : f32
      linalg.yield %a : f32
    }
  %p = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %sum : !s, tensor<2x8xf32>) outs(%e : !s) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    %h = arith.divf %square, %total : f32
    linalg.yield %h : f32
  } -> !s
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  // expected-remark@below {{attention was not raised: probabilities are multiplied with more than values, as by a gate or dropout}}
  %o = linalg.batch_matmul ins(%p, %v : !s, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
