// A sum of exponentials reads the largest score so far, not the largest score.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %re = tensor.empty() : tensor<2x8xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x8xf32>) -> tensor<2x8xf32>
  %m, %l = linalg.generic {indexing_maps = [#map, #rows, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x8x12xf32>) outs(%rz, %rz : tensor<2x8xf32>, tensor<2x8xf32>) {
  ^bb0(%in: f32, %mx: f32, %acc: f32):
    %n = arith.maximumf %mx, %in : f32
    %d = arith.subf %in, %mx : f32
    %x = math.exp %d : f32
    %a = arith.addf %acc, %x : f32
    linalg.yield %n, %a : f32, f32
  } -> (tensor<2x8xf32>, tensor<2x8xf32>)
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %l : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %x = math.exp %in : f32
    %h = arith.divf %x, %sum : f32
    linalg.yield %h : f32
  } -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
