// Attention as a compiler that knows linalg alone has it: 8 heads of 24 rows.
!q = tensor<8x24x16xf32>
!s = tensor<8x24x24xf32>
#query = affine_map<(b, i, j, d) -> (b, i, d)>
#key = affine_map<(b, i, j, d) -> (b, j, d)>
#score = affine_map<(b, i, j, d) -> (b, i, j)>
func.func @main(%q: !q, %k: !q, %v: !q) -> !q {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [#query, #key, #score]
      ins(%q, %k : !q, !q) outs(%sz : !s) -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty() : !q
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%oz : !q) -> !q
  return %o : !q
}
