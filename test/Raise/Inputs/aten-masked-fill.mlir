// A causal mask by tril and masked_fill, products of batches of matrices, and a softmax as _softmax.
func.func @main(%q: !torch.vtensor<[6,9,16],f16>, %k: !torch.vtensor<[6,9,16],f16>, %v: !torch.vtensor<[6,9,5],f16>) -> !torch.vtensor<[6,9,5],f16> {
  %none = "torch.constant.none"() : () -> !torch.none
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c9 = "torch.constant.int"() <{value = 9 : i64}> : () -> !torch.int
  %scale = "torch.constant.float"() <{value = 0.25 : f64}> : () -> !torch.float
  %least = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %shape = "torch.prim.ListConstruct"(%c9, %c9) : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = "torch.aten.ones"(%shape, %none, %none, %none, %none) : (!torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[9,9],f32>
  %tri = "torch.aten.tril"(%ones, %c0) : (!torch.vtensor<[9,9],f32>, !torch.int) -> !torch.vtensor<[9,9],f32>
  %out = "torch.aten.eq.Scalar"(%tri, %c0) : (!torch.vtensor<[9,9],f32>, !torch.int) -> !torch.vtensor<[9,9],i1>
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[6,9,16],f16>, !torch.int, !torch.int) -> !torch.vtensor<[6,16,9],f16>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[6,9,16],f16>, !torch.vtensor<[6,16,9],f16>) -> !torch.vtensor<[6,9,9],f16>
  %t = "torch.aten.mul.Scalar"(%s, %scale) : (!torch.vtensor<[6,9,9],f16>, !torch.float) -> !torch.vtensor<[6,9,9],f16>
  %u = "torch.aten.masked_fill.Scalar"(%t, %out, %least) : (!torch.vtensor<[6,9,9],f16>, !torch.vtensor<[9,9],i1>, !torch.float) -> !torch.vtensor<[6,9,9],f16>
  %p = "torch.aten._softmax"(%u, %c2, %false) : (!torch.vtensor<[6,9,9],f16>, !torch.int, !torch.bool) -> !torch.vtensor<[6,9,9],f16>
  %o = "torch.aten.bmm"(%p, %v) : (!torch.vtensor<[6,9,9],f16>, !torch.vtensor<[6,9,5],f16>) -> !torch.vtensor<[6,9,5],f16>
  return %o : !torch.vtensor<[6,9,5],f16>
}
