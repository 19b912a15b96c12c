// A window whose size depends on a comparison without signs.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %lt = arith.cmpi ult, %c2, %c3 : index
  %w = arith.select %lt, %c2, %c5 : index
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s0 = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s0 : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%x: f32, %out: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %jw = arith.subi %j, %i : index
    %c = arith.cmpi sle, %jw, %w : index
    %r = arith.select %c, %x, %minus : f32
    linalg.yield %r : f32
  } -> tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
