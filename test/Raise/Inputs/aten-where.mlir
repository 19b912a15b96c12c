// Matrices without batches, a window by positions and where, and a softmax by its parts.
func.func @main(%q: !torch.vtensor<[13,16],f32>, %k: !torch.vtensor<[11,16],f32>, %v: !torch.vtensor<[11,16],f32>) -> !torch.vtensor<[13,16],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c5 = "torch.constant.int"() <{value = 5 : i64}> : () -> !torch.int
  %c11 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %c13 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %last = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %dims = "torch.prim.ListConstruct"(%last) : (!torch.int) -> !torch.list<int>
  %least = "torch.vtensor.literal"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> !torch.vtensor<[],f32>
  %i = "torch.aten.arange"(%c13, %none, %none, %none, %none) : (!torch.int, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[13],si64>
  %i2 = "torch.aten.unsqueeze"(%i, %c1) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %j = "torch.aten.arange.start"(%c0, %c11, %none, %none, %none, %none) : (!torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[11],si64>
  %far = "torch.aten.sub.Tensor"(%i2, %j, %c1) : (!torch.vtensor<[13,1],si64>, !torch.vtensor<[11],si64>, !torch.int) -> !torch.vtensor<[13,11],si64>
  %a = "torch.aten.ge.Scalar"(%far, %c0) : (!torch.vtensor<[13,11],si64>, !torch.int) -> !torch.vtensor<[13,11],i1>
  %b = "torch.aten.lt.Scalar"(%far, %c5) : (!torch.vtensor<[13,11],si64>, !torch.int) -> !torch.vtensor<[13,11],i1>
  %c = "torch.aten.logical_and"(%a, %b) : (!torch.vtensor<[13,11],i1>, !torch.vtensor<[13,11],i1>) -> !torch.vtensor<[13,11],i1>
  %kt = "torch.aten.t"(%k) : (!torch.vtensor<[11,16],f32>) -> !torch.vtensor<[16,11],f32>
  %s = "torch.aten.mm"(%q, %kt) : (!torch.vtensor<[13,16],f32>, !torch.vtensor<[16,11],f32>) -> !torch.vtensor<[13,11],f32>
  %u = "torch.aten.where.self"(%c, %s, %least) : (!torch.vtensor<[13,11],i1>, !torch.vtensor<[13,11],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[13,11],f32>
  %m = "torch.aten.amax"(%u, %dims, %true) : (!torch.vtensor<[13,11],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[13,1],f32>
  %d = "torch.aten.sub.Tensor"(%u, %m, %c1) : (!torch.vtensor<[13,11],f32>, !torch.vtensor<[13,1],f32>, !torch.int) -> !torch.vtensor<[13,11],f32>
  %e = "torch.aten.exp"(%d) : (!torch.vtensor<[13,11],f32>) -> !torch.vtensor<[13,11],f32>
  %z = "torch.aten.sum.dim_IntList"(%e, %dims, %true, %none) : (!torch.vtensor<[13,11],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[13,1],f32>
  %p = "torch.aten.div.Tensor"(%e, %z) : (!torch.vtensor<[13,11],f32>, !torch.vtensor<[13,1],f32>) -> !torch.vtensor<[13,11],f32>
  %o = "torch.aten.mm"(%p, %v) : (!torch.vtensor<[13,11],f32>, !torch.vtensor<[11,16],f32>) -> !torch.vtensor<[13,16],f32>
  return %o : !torch.vtensor<[13,16],f32>
}
