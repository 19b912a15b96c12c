// A block of a model as a compiler that knows linalg alone has it: projections
// of 24 rows, attention of 2 heads, a projection of its output, and the
// residual.
!x = tensor<24x32xf32>
!w = tensor<32x32xf32>
!rows = tensor<24x2x16xf32>
!heads = tensor<2x24x16xf32>
!scores = tensor<2x24x24xf32>
#query = affine_map<(h, i, j, d) -> (h, i, d)>
#key = affine_map<(h, i, j, d) -> (h, j, d)>
#score = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @block(%x: !x, %wq: !w, %wk: !w, %wv: !w, %wo: !w) -> !x {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !x
  %z = linalg.fill ins(%zero : f32) outs(%e : !x) -> !x
  %xq = linalg.matmul ins(%x, %wq : !x, !w) outs(%z : !x) -> !x
  %xk = linalg.matmul ins(%x, %wk : !x, !w) outs(%z : !x) -> !x
  %xv = linalg.matmul ins(%x, %wv : !x, !w) outs(%z : !x) -> !x
  %rq = tensor.expand_shape %xq [[0], [1, 2]] output_shape [24, 2, 16] : !x into !rows
  %rk = tensor.expand_shape %xk [[0], [1, 2]] output_shape [24, 2, 16] : !x into !rows
  %rv = tensor.expand_shape %xv [[0], [1, 2]] output_shape [24, 2, 16] : !x into !rows
  %he = tensor.empty() : !heads
  %q = linalg.transpose ins(%rq : !rows) outs(%he : !heads) permutation = [1, 0, 2]
  %k = linalg.transpose ins(%rk : !rows) outs(%he : !heads) permutation = [1, 0, 2]
  %v = linalg.transpose ins(%rv : !rows) outs(%he : !heads) permutation = [1, 0, 2]

  %se = tensor.empty() : !scores
  %sz = linalg.fill ins(%zero : f32) outs(%se : !scores) -> !scores
  %s = linalg.batch_matmul indexing_maps = [#query, #key, #score]
      ins(%q, %k : !heads, !heads) outs(%sz : !scores) -> !scores
  %p = linalg.softmax dimension(2) ins(%s : !scores) outs(%se : !scores) -> !scores
  %hz = linalg.fill ins(%zero : f32) outs(%he : !heads) -> !heads
  %o = linalg.batch_matmul ins(%p, %v : !scores, !heads) outs(%hz : !heads) -> !heads

  %re = tensor.empty() : !rows
  %ro = linalg.transpose ins(%o : !heads) outs(%re : !rows) permutation = [1, 0, 2]
  %xo = tensor.collapse_shape %ro [[0], [1, 2]] : !rows into !x
  %y = linalg.matmul ins(%xo, %wo : !x, !w) outs(%z : !x) -> !x
  %r = arith.addf %x, %y : !x
  return %r : !x
}
