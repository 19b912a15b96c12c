// Gradients of masked attention, with the gradient of a softmax by its parts.
func.func @main(%q: !torch.vtensor<[2,3,13,16],f32>, %k: !torch.vtensor<[2,3,11,16],f32>, %v: !torch.vtensor<[2,3,11,8],f32>, %do: !torch.vtensor<[2,3,13,8],f32>, %m: !torch.vtensor<[1,1,13,11],i1>) -> (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>) {
  %last = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %before = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %one = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %type = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  %scale = "torch.constant.float"() <{value = 0.25 : f64}> : () -> !torch.float
  %dims = "torch.prim.ListConstruct"(%last) : (!torch.int) -> !torch.list<int>
  %inf = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %zero = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %kt = "torch.aten.transpose.int"(%k, %before, %last) : (!torch.vtensor<[2,3,11,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,16,11],f32>
  %s = "torch.aten.matmul"(%q, %kt) : (!torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,16,11],f32>) -> !torch.vtensor<[2,3,13,11],f32>
  %t = "torch.aten.mul.Scalar"(%s, %scale) : (!torch.vtensor<[2,3,13,11],f32>, !torch.float) -> !torch.vtensor<[2,3,13,11],f32>
  %not = "torch.aten.logical_not"(%m) : (!torch.vtensor<[1,1,13,11],i1>) -> !torch.vtensor<[1,1,13,11],i1>
  %u = "torch.aten.masked_fill.Scalar"(%t, %not, %inf) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[1,1,13,11],i1>, !torch.float) -> !torch.vtensor<[2,3,13,11],f32>
  %p = "torch.aten._softmax"(%u, %last, %false) : (!torch.vtensor<[2,3,13,11],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,3,13,11],f32>
  %o = "torch.aten.matmul"(%p, %v) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,11,8],f32>) -> !torch.vtensor<[2,3,13,8],f32>
  %pt = "torch.aten.transpose.int"(%p, %before, %last) : (!torch.vtensor<[2,3,13,11],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,11,13],f32>
  %dv = "torch.aten.matmul"(%pt, %do) : (!torch.vtensor<[2,3,11,13],f32>, !torch.vtensor<[2,3,13,8],f32>) -> !torch.vtensor<[2,3,11,8],f32>
  %vt = "torch.aten.transpose.int"(%v, %before, %last) : (!torch.vtensor<[2,3,11,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,8,11],f32>
  %dp = "torch.aten.matmul"(%do, %vt) : (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,8,11],f32>) -> !torch.vtensor<[2,3,13,11],f32>
  %pp = "torch.aten.mul.Tensor"(%dp, %p) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,13,11],f32>) -> !torch.vtensor<[2,3,13,11],f32>
  %sum = "torch.aten.sum.dim_IntList"(%pp, %dims, %true, %none) : (!torch.vtensor<[2,3,13,11],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2,3,13,1],f32>
  %ps = "torch.aten.mul.Tensor"(%p, %sum) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,13,1],f32>) -> !torch.vtensor<[2,3,13,11],f32>
  %du = "torch.aten.sub.Tensor"(%pp, %ps, %one) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,13,11],f32>, !torch.int) -> !torch.vtensor<[2,3,13,11],f32>
  %ds = "torch.aten.masked_fill.Scalar"(%du, %not, %zero) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[1,1,13,11],i1>, !torch.int) -> !torch.vtensor<[2,3,13,11],f32>
  %dt = "torch.aten.mul.Scalar"(%ds, %scale) : (!torch.vtensor<[2,3,13,11],f32>, !torch.float) -> !torch.vtensor<[2,3,13,11],f32>
  %dq = "torch.aten.matmul"(%dt, %k) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,11,16],f32>) -> !torch.vtensor<[2,3,13,16],f32>
  %qt = "torch.aten.transpose.int"(%q, %before, %last) : (!torch.vtensor<[2,3,13,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,16,13],f32>
  %dkt = "torch.aten.matmul"(%qt, %dt) : (!torch.vtensor<[2,3,16,13],f32>, !torch.vtensor<[2,3,13,11],f32>) -> !torch.vtensor<[2,3,16,11],f32>
  %dk = "torch.aten.transpose.int"(%dkt, %before, %last) : (!torch.vtensor<[2,3,16,11],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,11,16],f32>
  return %o, %dq, %dk, %dv : !torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>
}
