// A softmax whose NaNs are replaced by 0, as ONNX's exporters write it for masks of bools. The mask leaves some rows without a key.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%q: tensor<2x8x16xf32>, %k: tensor<2x16x5xf32>, %v: tensor<2x5x4xf32>, %m: tensor<2x8x5xi1>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x8x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %s0 = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x5xf32>) outs(%z : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %s = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s0, %m : tensor<2x8x5xf32>, tensor<2x8x5xi1>) outs(%e : tensor<2x8x5xf32>) {
  ^bb0(%x: f32, %y: i1, %out: f32):
    %b = arith.select %y, %minus, %zero : f32
    %t = arith.addf %x, %b : f32
    linalg.yield %t : f32
  } -> tensor<2x8x5xf32>
  %p0 = linalg.softmax dimension(2) ins(%s : tensor<2x8x5xf32>) outs(%e : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %p = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p0 : tensor<2x8x5xf32>) outs(%e : tensor<2x8x5xf32>) {
  ^bb0(%x: f32, %out: f32):
    %n = arith.cmpf une, %x, %x : f32
    %t = arith.select %n, %zero, %x : f32
    linalg.yield %t : f32
  } -> tensor<2x8x5xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x5xf32>, tensor<2x5x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
