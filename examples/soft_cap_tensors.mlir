// Grouped-query attention on tensors with a soft cap on the scores.
// attnc run soft_cap_tensors.mlir random:1 random:2 random:3 30 --check \
//     --shape 0=2x8x100x64 --shape 1=2x2x100x64 --shape 2=2x2x100x64
!q = tensor<?x8x?x64xbf16>
!kv = tensor<?x2x?x64xbf16>
func.func @main(%query: !q, %key: !kv, %value: !kv, %cap: f32) -> !q {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %batch = tensor.dim %query, %c0 : !q
  %length = tensor.dim %query, %c2 : !q
  %empty = tensor.empty(%batch, %length) : !q
  %output = attn.attention mask <bottom_right, causal, left = 63>
      ins(%query, %key, %value : !q, !kv, !kv) captures(%cap : f32)
      outs(%empty : !q)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
      %0 = arith.divf %s, %c : f32
      %1 = math.tanh %0 : f32
      %2 = arith.mulf %1, %c : f32
      attn.yield %2 : f32
    } -> !q
  return %output : !q
}
