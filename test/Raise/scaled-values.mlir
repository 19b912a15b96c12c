// Values with a scale for each key are products themselves, as those of a quantized cache are. They
// are computed before attention.
// REQUIRES: numpy
// RUN: attn-opt %s -attn-raise | FileCheck %s
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
// CHECK: %[[VALUE:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<2x12x4xf32>, tensor<2x12xf32>)
// CHECK: attn.attention
// CHECK-NOT: math.exp
// CHECK-NOT: linalg.softmax
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>, %scales: tensor<2x12xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %ve = tensor.empty() : tensor<2x12x4xf32>
  %scaled = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v, %scales : tensor<2x12x4xf32>, tensor<2x12xf32>) outs(%ve : tensor<2x12x4xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %x = arith.mulf %in, %scale : f32
    linalg.yield %x : f32
  } -> tensor<2x12x4xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %scaled : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
