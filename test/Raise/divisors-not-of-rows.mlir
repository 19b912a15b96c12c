// What divides an exponential is a sum that has its bias, not that of each summed key.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>, %b: tensor<2x12xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b, i, j, n) -> (b, i, n)>, affine_map<(b, i, j, n) -> (b, j)>, affine_map<(b, i, j, n) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s, %b : tensor<2x8x12xf32>, tensor<2x12xf32>) outs(%z : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %bias: f32, %acc: f32):
    %d = arith.addf %in, %bias : f32
    %x = math.exp %d : f32
    %a = arith.addf %acc, %x : f32
    linalg.yield %a : f32
  } -> tensor<2x8x12xf32>
  %p = linalg.generic {indexing_maps = [#map, affine_map<(b, i, j) -> (b, j)>, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %b, %l : tensor<2x8x12xf32>, tensor<2x12xf32>, tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %bias: f32, %sum: f32, %out: f32):
    %d = arith.addf %in, %bias : f32
    %x = math.exp %d : f32
    %h = arith.divf %x, %sum : f32
    linalg.yield %h : f32
  } -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
