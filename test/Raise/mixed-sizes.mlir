// A product requires that a dynamic size of one array equals a static one of another.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
func.func @main(%q: tensor<?x8x16xf32>, %k: tensor<3x?x16xf32>, %v: tensor<?x13x8xf32>) -> tensor<?x8x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x8x16xf32>
  %e = tensor.empty(%b) : tensor<?x8x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x13xf32>) -> tensor<?x8x13xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>] ins(%q, %k : tensor<?x8x16xf32>, tensor<3x?x16xf32>) outs(%z : tensor<?x8x13xf32>) -> tensor<?x8x13xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x8x13xf32>) outs(%e : tensor<?x8x13xf32>) -> tensor<?x8x13xf32>
  %oe = tensor.empty(%b) : tensor<?x8x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<?x8x13xf32>, tensor<?x13x8xf32>) outs(%oz : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  return %o : tensor<?x8x8xf32>
}
