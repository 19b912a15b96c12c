// Heads of keys repeated by unsqueeze, expand and reshape, the softmax in f32, as transformers' eager
// attention is exported.
func.func @main(%x: !torch.vtensor<[2,7,32],bf16>, %y: !torch.vtensor<[2,7,16],bf16>, %z: !torch.vtensor<[2,7,16],bf16>, %m: !torch.vtensor<[2,1,7,7],bf16>) -> !torch.vtensor<[2,7,32],bf16> {
  %none = "torch.constant.none"() : () -> !torch.none
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %c4 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %c6 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %c7 = "torch.constant.int"() <{value = 7 : i64}> : () -> !torch.int
  %c8 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %c15 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
  %c32 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
  %last = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %scale = "torch.constant.float"() <{value = 0.35355339059327379 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 5.000000e-01 : f64}> : () -> !torch.float
  %l0 = "torch.prim.ListConstruct"(%c2, %c7, %c4, %c8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %l1 = "torch.prim.ListConstruct"(%c2, %c7, %c2, %c8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %l2 = "torch.prim.ListConstruct"(%c2, %c2, %c2, %c7, %c8) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %l3 = "torch.prim.ListConstruct"(%c2, %c4, %c7, %c8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %l4 = "torch.prim.ListConstruct"(%c2, %c7, %c32) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %p0 = "torch.prim.ListConstruct"(%c0, %c2, %c1, %c3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %q0 = "torch.aten.view"(%x, %l0) : (!torch.vtensor<[2,7,32],bf16>, !torch.list<int>) -> !torch.vtensor<[2,7,4,8],bf16>
  %q1 = "torch.aten.transpose.int"(%q0, %c1, %c2) : (!torch.vtensor<[2,7,4,8],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,7,8],bf16>
  %k0 = "torch.aten.view"(%y, %l1) : (!torch.vtensor<[2,7,16],bf16>, !torch.list<int>) -> !torch.vtensor<[2,7,2,8],bf16>
  %k1 = "torch.aten.permute"(%k0, %p0) : (!torch.vtensor<[2,7,2,8],bf16>, !torch.list<int>) -> !torch.vtensor<[2,2,7,8],bf16>
  %k2 = "torch.aten.unsqueeze"(%k1, %c2) : (!torch.vtensor<[2,2,7,8],bf16>, !torch.int) -> !torch.vtensor<[2,2,1,7,8],bf16>
  %k3 = "torch.aten.expand"(%k2, %l2, %false) : (!torch.vtensor<[2,2,1,7,8],bf16>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,7,8],bf16>
  %k4 = "torch.aten.reshape"(%k3, %l3) : (!torch.vtensor<[2,2,2,7,8],bf16>, !torch.list<int>) -> !torch.vtensor<[2,4,7,8],bf16>
  %v0 = "torch.aten.view"(%z, %l1) : (!torch.vtensor<[2,7,16],bf16>, !torch.list<int>) -> !torch.vtensor<[2,7,2,8],bf16>
  %v1 = "torch.aten.permute"(%v0, %p0) : (!torch.vtensor<[2,7,2,8],bf16>, !torch.list<int>) -> !torch.vtensor<[2,2,7,8],bf16>
  %v2 = "torch.aten.unsqueeze"(%v1, %c2) : (!torch.vtensor<[2,2,7,8],bf16>, !torch.int) -> !torch.vtensor<[2,2,1,7,8],bf16>
  %v3 = "torch.aten.expand"(%v2, %l2, %false) : (!torch.vtensor<[2,2,1,7,8],bf16>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,7,8],bf16>
  %v4 = "torch.aten.reshape"(%v3, %l3) : (!torch.vtensor<[2,2,2,7,8],bf16>, !torch.list<int>) -> !torch.vtensor<[2,4,7,8],bf16>
  %kt = "torch.aten.transpose.int"(%k4, %c2, %c3) : (!torch.vtensor<[2,4,7,8],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,8,7],bf16>
  %s = "torch.aten.matmul"(%q1, %kt) : (!torch.vtensor<[2,4,7,8],bf16>, !torch.vtensor<[2,4,8,7],bf16>) -> !torch.vtensor<[2,4,7,7],bf16>
  %t = "torch.aten.mul.Scalar"(%s, %scale) : (!torch.vtensor<[2,4,7,7],bf16>, !torch.float) -> !torch.vtensor<[2,4,7,7],bf16>
  %u = "torch.aten.add.Tensor"(%t, %m, %c1) : (!torch.vtensor<[2,4,7,7],bf16>, !torch.vtensor<[2,1,7,7],bf16>, !torch.int) -> !torch.vtensor<[2,4,7,7],bf16>
  %p = "torch.aten.softmax.int"(%u, %last, %c6) : (!torch.vtensor<[2,4,7,7],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,7,7],f32>
  %h = "torch.aten.to.dtype"(%p, %c15, %false, %false, %none) : (!torch.vtensor<[2,4,7,7],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,7,7],bf16>
  %d = "torch.aten.dropout"(%h, %half, %false) : (!torch.vtensor<[2,4,7,7],bf16>, !torch.float, !torch.bool) -> !torch.vtensor<[2,4,7,7],bf16>
  %o = "torch.aten.matmul"(%d, %v4) : (!torch.vtensor<[2,4,7,7],bf16>, !torch.vtensor<[2,4,7,8],bf16>) -> !torch.vtensor<[2,4,7,8],bf16>
  %o1 = "torch.aten.transpose.int"(%o, %c1, %c2) : (!torch.vtensor<[2,4,7,8],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[2,7,4,8],bf16>
  %o2 = "torch.aten.contiguous"(%o1, %c0) : (!torch.vtensor<[2,7,4,8],bf16>, !torch.int) -> !torch.vtensor<[2,7,4,8],bf16>
  %o3 = "torch.aten.view"(%o2, %l4) : (!torch.vtensor<[2,7,4,8],bf16>, !torch.list<int>) -> !torch.vtensor<[2,7,32],bf16>
  return %o3 : !torch.vtensor<[2,7,32],bf16>
}
