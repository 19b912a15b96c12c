// The bits of an f16 are not those of the f32 that a score region has.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s0 = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s0 : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%x: f32, %out: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %h = arith.truncf %x : f32 to f16
    %bi = arith.bitcast %h : f16 to i16
    %bj = arith.bitcast %bi : i16 to f16
    %r = arith.extf %bj : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
