// Gradients of attention as make_fx writes them, with the gradient of a softmax as one op.
func.func @main(%q: !torch.vtensor<[2,3,13,16],f32>, %k: !torch.vtensor<[2,3,11,16],f32>, %v: !torch.vtensor<[2,3,11,8],f32>, %do: !torch.vtensor<[2,3,13,8],f32>) -> (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>) {
  %last = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %before = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %one = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %type = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  %scale = "torch.constant.float"() <{value = 0.25 : f64}> : () -> !torch.float
  %dims = "torch.prim.ListConstruct"(%last) : (!torch.int) -> !torch.list<int>
  %kt = "torch.aten.transpose.int"(%k, %before, %last) : (!torch.vtensor<[2,3,11,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,16,11],f32>
  %s = "torch.aten.matmul"(%q, %kt) : (!torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,16,11],f32>) -> !torch.vtensor<[2,3,13,11],f32>
  %t = "torch.aten.mul.Scalar"(%s, %scale) : (!torch.vtensor<[2,3,13,11],f32>, !torch.float) -> !torch.vtensor<[2,3,13,11],f32>
  %p = "torch.aten._softmax"(%t, %last, %false) : (!torch.vtensor<[2,3,13,11],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,3,13,11],f32>
  %o = "torch.aten.matmul"(%p, %v) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,11,8],f32>) -> !torch.vtensor<[2,3,13,8],f32>
  %pt = "torch.aten.transpose.int"(%p, %before, %last) : (!torch.vtensor<[2,3,13,11],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,11,13],f32>
  %dv = "torch.aten.matmul"(%pt, %do) : (!torch.vtensor<[2,3,11,13],f32>, !torch.vtensor<[2,3,13,8],f32>) -> !torch.vtensor<[2,3,11,8],f32>
  %vt = "torch.aten.transpose.int"(%v, %before, %last) : (!torch.vtensor<[2,3,11,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,8,11],f32>
  %dp = "torch.aten.matmul"(%do, %vt) : (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,8,11],f32>) -> !torch.vtensor<[2,3,13,11],f32>
  %ds = "torch.aten._softmax_backward_data"(%dp, %p, %last, %type) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,13,11],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,13,11],f32>
  %dt = "torch.aten.mul.Scalar"(%ds, %scale) : (!torch.vtensor<[2,3,13,11],f32>, !torch.float) -> !torch.vtensor<[2,3,13,11],f32>
  %dq = "torch.aten.matmul"(%dt, %k) : (!torch.vtensor<[2,3,13,11],f32>, !torch.vtensor<[2,3,11,16],f32>) -> !torch.vtensor<[2,3,13,16],f32>
  %qt = "torch.aten.transpose.int"(%q, %before, %last) : (!torch.vtensor<[2,3,13,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,16,13],f32>
  %dkt = "torch.aten.matmul"(%qt, %dt) : (!torch.vtensor<[2,3,16,13],f32>, !torch.vtensor<[2,3,13,11],f32>) -> !torch.vtensor<[2,3,16,11],f32>
  %dk = "torch.aten.transpose.int"(%dkt, %before, %last) : (!torch.vtensor<[2,3,16,11],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3,11,16],f32>
  return %o, %dq, %dk, %dv : !torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>
}
