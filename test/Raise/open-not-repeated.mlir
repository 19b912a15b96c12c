// The product of weights and values is repeated along a dimension whose size no operand has.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
func.func @main(%q: tensor<8x16xf32>, %k: tensor<16x12xf32>, %v: tensor<12x4xf32>, %n: index) -> tensor<?x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x16xf32>, tensor<16x12xf32>) outs(%z : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x12xf32>) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %oe = tensor.empty(%n) : tensor<?x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, i, c, j) -> (i, j)>, affine_map<(b, i, c, j) -> (j, c)>, affine_map<(b, i, c, j) -> (b, i, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<8x12xf32>, tensor<12x4xf32>) outs(%oz : tensor<?x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %x = arith.addf %c, %m : f32
    linalg.yield %x : f32
  } -> tensor<?x8x4xf32>
  return %o : tensor<?x8x4xf32>
}
