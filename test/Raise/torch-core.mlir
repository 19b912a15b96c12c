// Views of several dynamic sizes in the torch dialect, and ops of constants that are read only in part.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -verify-diagnostics | FileCheck %s

// The heads of each batch entry are batches of bmm. The sizes are in the lists of the views.
// CHECK-LABEL: func.func @views(
// CHECK-NOT: torch.aten
// CHECK: attn.attention scale 1.000000e+00 ins({{.+}} : tensor<?x4x?x16xf32>, tensor<?x4x?x16xf32>, tensor<?x4x?x16xf32>)
// CHECK-NOT: torch.aten.bmm
func.func @views(%q: !torch.vtensor<[?,4,?,16],f32>, %k: !torch.vtensor<[?,4,?,16],f32>) -> !torch.vtensor<[?,4,?,16],f32> {
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c4 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %c16 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %b = "torch.aten.size.int"(%q, %c0) : (!torch.vtensor<[?,4,?,16],f32>, !torch.int) -> !torch.int
  %i = "torch.aten.size.int"(%q, %c2) : (!torch.vtensor<[?,4,?,16],f32>, !torch.int) -> !torch.int
  %j = "torch.aten.size.int"(%k, %c2) : (!torch.vtensor<[?,4,?,16],f32>, !torch.int) -> !torch.int
  %bh = "torch.aten.mul.int"(%b, %c4) : (!torch.int, !torch.int) -> !torch.int
  %of_q = "torch.prim.ListConstruct"(%bh, %i, %c16) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %whole = "torch.prim.ListConstruct"(%b, %c4, %j, %c16) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %of_k = "torch.prim.ListConstruct"(%bh, %j, %c16) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %of_o = "torch.prim.ListConstruct"(%b, %c4, %i, %c16) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %q3 = "torch.aten.view"(%q, %of_q) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,16],f32>
  %ke = "torch.aten.expand"(%k, %whole, %false) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,4,?,16],f32>
  %k3 = "torch.aten.view"(%ke, %of_k) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,16],f32>
  %kt = "torch.aten.transpose.int"(%k3, %c1, %c2) : (!torch.vtensor<[?,?,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[?,16,?],f32>
  %s = "torch.aten.bmm"(%q3, %kt) : (!torch.vtensor<[?,?,16],f32>, !torch.vtensor<[?,16,?],f32>) -> !torch.vtensor<[?,?,?],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[?,?,?],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[?,?,?],f32>
  %o3 = "torch.aten.bmm"(%p, %k3) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,16],f32>) -> !torch.vtensor<[?,?,16],f32>
  %o = "torch.aten.view"(%o3, %of_o) : (!torch.vtensor<[?,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,4,?,16],f32>
  return %o : !torch.vtensor<[?,4,?,16],f32>
}

// A list may leave one size to torch. What is before such a view is an array of its own here.
// CHECK-LABEL: func.func @inferred(
// CHECK: "torch.aten.view"
// CHECK: attn.attention
// CHECK-NOT: torch.aten.bmm
func.func @inferred(%q: !torch.vtensor<[?,4,?,16],f32>, %k: !torch.vtensor<[?,9,16],f32>) -> !torch.vtensor<[?,?,16],f32> {
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c16 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %rest = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %i = "torch.aten.size.int"(%q, %c2) : (!torch.vtensor<[?,4,?,16],f32>, !torch.int) -> !torch.int
  %sizes = "torch.prim.ListConstruct"(%rest, %i, %c16) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %q3 = "torch.aten.view"(%q, %sizes) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,16],f32>
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[?,9,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[?,16,9],f32>
  %s = "torch.aten.bmm"(%q3, %kt) : (!torch.vtensor<[?,?,16],f32>, !torch.vtensor<[?,16,9],f32>) -> !torch.vtensor<[?,?,9],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[?,?,9],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[?,?,9],f32>
  %o = "torch.aten.bmm"(%p, %k) : (!torch.vtensor<[?,?,9],f32>, !torch.vtensor<[?,9,16],f32>) -> !torch.vtensor<[?,?,16],f32>
  return %o : !torch.vtensor<[?,?,16],f32>
}

// Positions in other steps than 1 are not read: the mask is an array.
// CHECK-LABEL: func.func @steps(
// CHECK: "torch.aten.arange.start_step"
// CHECK: attn.attention
// CHECK: attn.read {{.+}} : tensor<9xi64>
func.func @steps(%q: !torch.vtensor<[2,9,16],f32>) -> !torch.vtensor<[2,9,16],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c8 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %c18 = "torch.constant.int"() <{value = 18 : i64}> : () -> !torch.int
  %low = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %kt = "torch.aten.transpose.int"(%q, %c1, %c2) : (!torch.vtensor<[2,9,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,16,9],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,9,16],f32>, !torch.vtensor<[2,16,9],f32>) -> !torch.vtensor<[2,9,9],f32>
  %j = "torch.aten.arange.start_step"(%c0, %c18, %c2, %none, %none, %none, %none) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[9],si64>
  %m = "torch.aten.gt.Scalar"(%j, %c8) : (!torch.vtensor<[9],si64>, !torch.int) -> !torch.vtensor<[9],i1>
  %t = "torch.aten.masked_fill.Scalar"(%s, %m, %low) : (!torch.vtensor<[2,9,9],f32>, !torch.vtensor<[9],i1>, !torch.float) -> !torch.vtensor<[2,9,9],f32>
  %p = "torch.aten._softmax"(%t, %c2, %false) : (!torch.vtensor<[2,9,9],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,9,9],f32>
  %o = "torch.aten.bmm"(%p, %q) : (!torch.vtensor<[2,9,9],f32>, !torch.vtensor<[2,9,16],f32>) -> !torch.vtensor<[2,9,16],f32>
  return %o : !torch.vtensor<[2,9,16],f32>
}

// Ops whose operands are not as torch defines them. Sizes are followed through a few ops only.
// CHECK-LABEL: func.func @malformed(
// CHECK-NOT: attn_raise
// CHECK: return
func.func @malformed(%x: !torch.vtensor<[?,4,?],f32>, %y: !torch.vtensor<[2,3],i1>) {
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c9 = "torch.constant.int"() <{value = 9 : i64}> : () -> !torch.int
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %0 = "torch.aten.any.dim"(%y, %c9, %true) : (!torch.vtensor<[2,3],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[2,1],i1>
  %1 = "torch.aten.any.dim"(%x, %c0, %true) : (!torch.vtensor<[?,4,?],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[1,4,?],i1>
  %2 = "torch.aten.any.dim"(%y) : (!torch.vtensor<[2,3],i1>) -> !torch.vtensor<[2,1],i1>
  %3 = "torch.aten.full_like"(%x) : (!torch.vtensor<[?,4,?],f32>) -> !torch.vtensor<[?,4,?],f32>
  %4 = "torch.aten.scalar_tensor"(%c0, %c0) : (!torch.int, !torch.int) -> !torch.vtensor<[2],f32>
  %5 = "torch.aten.arange.start_step"(%c0, %c9) : (!torch.int, !torch.int) -> !torch.vtensor<[9],si64>
  %n = "torch.aten.size.int"(%x, %c9) : (!torch.vtensor<[?,4,?],f32>, !torch.int) -> !torch.int
  %n0 = "torch.aten.size.int"(%x, %c0) : (!torch.vtensor<[?,4,?],f32>, !torch.int) -> !torch.int
  %n1 = "torch.aten.mul.int"(%n0, %n0) : (!torch.int, !torch.int) -> !torch.int
  %n2 = "torch.aten.mul.int"(%n1, %n1) : (!torch.int, !torch.int) -> !torch.int
  %n3 = "torch.aten.mul.int"(%n2, %n2) : (!torch.int, !torch.int) -> !torch.int
  %n4 = "torch.aten.mul.int"(%n3, %n3) : (!torch.int, !torch.int) -> !torch.int
  %l0 = "torch.prim.ListConstruct"(%n, %n) : (!torch.int, !torch.int) -> !torch.list<int>
  %l1 = "torch.prim.ListConstruct"(%n4, %n4) : (!torch.int, !torch.int) -> !torch.list<int>
  %6 = "torch.aten.view"(%x, %l0) : (!torch.vtensor<[?,4,?],f32>, !torch.list<int>) -> !torch.vtensor<[?,?],f32>
  %7 = "torch.aten.view"(%x, %l1) : (!torch.vtensor<[?,4,?],f32>, !torch.list<int>) -> !torch.vtensor<[?,?],f32>
  %8 = "torch.aten.view"(%x) : (!torch.vtensor<[?,4,?],f32>) -> !torch.vtensor<[?,?],f32>
  %9 = "torch.aten.expand"(%x, %l1) : (!torch.vtensor<[?,4,?],f32>, !torch.list<int>) -> !torch.vtensor<[?,4,?],f32>
  "use"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (!torch.vtensor<[2,1],i1>, !torch.vtensor<[1,4,?],i1>, !torch.vtensor<[2,1],i1>, !torch.vtensor<[?,4,?],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[9],si64>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,4,?],f32>) -> ()
  return
}

// A bool that is filled with 2 is true, and masks each key here, so that nothing is left to raise.
// CHECK-LABEL: func.func @true_mask(
// CHECK-NOT: attn.attention
func.func @true_mask(%q: !torch.vtensor<[2,9,16],f32>) -> !torch.vtensor<[2,9,16],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c9 = "torch.constant.int"() <{value = 9 : i64}> : () -> !torch.int
  %low = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %l = "torch.prim.ListConstruct"(%c9) : (!torch.int) -> !torch.list<int>
  %kt = "torch.aten.transpose.int"(%q, %c1, %c2) : (!torch.vtensor<[2,9,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,16,9],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,9,16],f32>, !torch.vtensor<[2,16,9],f32>) -> !torch.vtensor<[2,9,9],f32>
  %m = "torch.aten.full_like"(%s, %c2, %c1, %none, %none, %none, %none) : (!torch.vtensor<[2,9,9],f32>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[2,9,9],i1>
  %t = "torch.aten.masked_fill.Scalar"(%s, %m, %low) : (!torch.vtensor<[2,9,9],f32>, !torch.vtensor<[2,9,9],i1>, !torch.float) -> !torch.vtensor<[2,9,9],f32>
  %p = "torch.aten._softmax"(%t, %c2, %false) : (!torch.vtensor<[2,9,9],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,9,9],f32>
  // expected-remark@below {{attention was not raised: exponentials are multiplied with values, but what divides them is not their sum over the same keys}}
  %o = "torch.aten.bmm"(%p, %q) : (!torch.vtensor<[2,9,9],f32>, !torch.vtensor<[2,9,16],f32>) -> !torch.vtensor<[2,9,16],f32>
  return %o : !torch.vtensor<[2,9,16],f32>
}
