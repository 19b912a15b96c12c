// The logarithm of 2 by which scores of exp2 are multiplied has all digits of f32.
// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/check-raised.py %seed %s
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%q: tensor<2x8x16xbf16>, %k: tensor<2x16x12xbf16>, %v: tensor<2x12x4xbf16>) -> tensor<2x8x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2x8x12xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<2x8x12xbf16>) -> tensor<2x8x12xbf16>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xbf16>, tensor<2x16x12xbf16>) outs(%z : tensor<2x8x12xbf16>) -> tensor<2x8x12xbf16>
  %re = tensor.empty() : tensor<2x8xbf16>
  %rz = linalg.fill ins(%zero : bf16) outs(%re : tensor<2x8xbf16>) -> tensor<2x8xbf16>
  %x = math.exp2 %s : tensor<2x8x12xbf16>
  %l = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x8x12xbf16>) outs(%rz : tensor<2x8xbf16>) {
  ^bb0(%in: bf16, %acc: bf16):
    %a = arith.addf %acc, %in : bf16
    linalg.yield %a : bf16
  } -> tensor<2x8xbf16>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %l : tensor<2x8x12xbf16>, tensor<2x8xbf16>) outs(%e : tensor<2x8x12xbf16>) {
  ^bb0(%in: bf16, %sum: bf16, %out: bf16):
    %h = arith.divf %in, %sum : bf16
    linalg.yield %h : bf16
  } -> tensor<2x8x12xbf16>
  %oe = tensor.empty() : tensor<2x8x4xbf16>
  %oz = linalg.fill ins(%zero : bf16) outs(%oe : tensor<2x8x4xbf16>) -> tensor<2x8x4xbf16>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x12xbf16>, tensor<2x12x4xbf16>) outs(%oz : tensor<2x8x4xbf16>) -> tensor<2x8x4xbf16>
  return %o : tensor<2x8x4xbf16>
}
