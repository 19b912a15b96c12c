// Ops of torch-mlir and calls of cuDNN that do not have what they need: nothing is raised, nothing crashes, and
// nothing that was added stays.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -attn-torch-borders 2>&1 | FileCheck %s
// CHECK-COUNT-7: remark: attention was not raised: expected
// CHECK-NOT: attn.attention
// CHECK-NOT: attn_raise
!t = !torch.vtensor<[2,4,5,8],f32>
func.func @ops(%x: !t, %y: !torch.vtensor<[3,8],f32>, %z: !torch.vtensor<[2,4,5,8],i1>, %l: !torch.list<int>, %i: !torch.int, %e: !torch.vtensor<[0,8],f32>, %u: !torch.vtensor, %h: !torch.vtensor<[2,x],f32>) -> !t {
  %none = "torch.constant.none"() : () -> !torch.none
  %big = "torch.constant.int"() <{value = 9223372036854775807 : i64}> : () -> !torch.int
  %least = "torch.constant.int"() <{value = -9223372036854775808 : i64}> : () -> !torch.int
  %bad = "torch.constant.int"() <{value = "one"}> : () -> !torch.int
  %float = "torch.constant.float"() : () -> !torch.float
  %nan = "torch.constant.float"() <{value = 0x7FF8000000000000 : f64}> : () -> !torch.float
  %bool = "torch.constant.bool"() <{value = 1 : i64}> : () -> !torch.bool
  %list = "torch.prim.ListConstruct"(%big, %least, %bad, %x) : (!torch.int, !torch.int, !torch.int, !t) -> !torch.list<int>
  %dims = "torch.prim.ListConstruct"(%big, %least) : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = "torch.aten.scaled_dot_product_attention"() : () -> !t
  %1 = "torch.aten.scaled_dot_product_attention"(%x) : (!t) -> !t
  %2 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %x, %x, %x, %x, %x) : (!t, !t, !t, !t, !t, !t, !t, !t) -> !torch.int
  %3 = "torch.aten.scaled_dot_product_attention"(%y, %x, %none, %none, %float, %bool) : (!torch.vtensor<[3,8],f32>, !t, !torch.none, !torch.none, !torch.float, !torch.bool) -> !t
  "torch.aten.scaled_dot_product_attention"(%0, %1, %2, %3) : (!t, !t, !torch.int, !t) -> ()
  %4 = "torch.aten.matmul"(%x, %y) : (!t, !torch.vtensor<[3,8],f32>) -> !t
  %5 = "torch.aten.matmul"(%4) : (!t) -> !t
  %6 = "torch.aten.mm"(%5, %x) : (!t, !t) -> !t
  %7 = "torch.aten.softmax.int"(%6, %big, %none) : (!t, !torch.int, !torch.none) -> !t
  %8 = "torch.aten._softmax"(%7, %least, %bad) : (!t, !torch.int, !torch.int) -> !t
  %9 = "torch.aten.transpose.int"(%8, %big, %least) : (!t, !torch.int, !torch.int) -> !t
  %10 = "torch.aten.permute"(%9, %dims) : (!t, !torch.list<int>) -> !t
  %11 = "torch.aten.permute"(%10, %list) : (!t, !torch.list<int>) -> !t
  %12 = "torch.aten.view"(%y, %l) : (!torch.vtensor<[3,8],f32>, !torch.list<int>) -> !t
  %13 = "torch.aten.view"(%e, %l) : (!torch.vtensor<[0,8],f32>, !torch.list<int>) -> !torch.vtensor<[8,0],f32>
  %14 = "torch.aten.view"(%e, %l) : (!torch.vtensor<[0,8],f32>, !torch.list<int>) -> !torch.vtensor<[],f32>
  %15 = "torch.aten.unsqueeze"(%y, %big) : (!torch.vtensor<[3,8],f32>, !torch.int) -> !t
  %16 = "torch.aten.select.int"(%y, %i, %big) : (!torch.vtensor<[3,8],f32>, !torch.int, !torch.int) -> !t
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %17 = "torch.aten.select.int"(%y, %c0, %big) : (!torch.vtensor<[3,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[8],f32>
  %18 = "torch.aten.slice.Tensor"(%y, %c0, %least, %big, %big) : (!torch.vtensor<[3,8],f32>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[9,8],f32>
  %19 = "torch.aten.slice.Tensor"(%y, %c0, %big, %big, %c0) : (!torch.vtensor<[3,8],f32>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[1,8],f32>
  %20 = "torch.aten.expand"(%y, %l) : (!torch.vtensor<[3,8],f32>, !torch.list<int>) -> !torch.vtensor<[2],f32>
  %21 = "torch.aten.tril"(%y, %least) : (!torch.vtensor<[3,8],f32>, !torch.int) -> !torch.vtensor<[3,8],f32>
  %22 = "torch.aten.add.Tensor"(%x, %y, %c0) : (!t, !torch.vtensor<[3,8],f32>, !torch.int) -> !t
  %23 = "torch.aten.add.Tensor"(%z, %z) : (!torch.vtensor<[2,4,5,8],i1>, !torch.vtensor<[2,4,5,8],i1>) -> !torch.vtensor<[2,4,5,8],i1>
  %24 = "torch.aten.mul.Scalar"(%x, %nan) : (!t, !torch.float) -> !t
  %25 = "torch.aten.where.self"(%x, %x, %x) : (!t, !t, !t) -> !t
  %26 = "torch.aten.masked_fill.Scalar"(%x, %z, %bad) : (!t, !torch.vtensor<[2,4,5,8],i1>, !torch.int) -> !t
  %27 = "torch.aten.amax"(%x, %list, %bool) : (!t, !torch.list<int>, !torch.bool) -> !t
  %28 = "torch.aten.amax"(%x, %dims, %bool) : (!t, !torch.list<int>, !torch.bool) -> !t
  %29 = "torch.aten.sum.dim_IntList"(%x, %x, %x, %x) : (!t, !t, !t, !t) -> !t
  %30 = "torch.aten.arange.start"(%least, %big) : (!torch.int, !torch.int) -> !torch.vtensor<[4],si64>
  %31 = "torch.aten.full"(%l, %nan) : (!torch.list<int>, !torch.float) -> !torch.vtensor<[4],si64>
  %32 = "torch.vtensor.literal"() <{value = dense<1> : tensor<4xi64>}> : () -> !t
  %33 = "torch.aten.exp"(%u) : (!torch.vtensor) -> !torch.vtensor
  %34 = "torch.aten.exp"(%h) : (!torch.vtensor<[2,x],f32>) -> !torch.vtensor<[2,x],f32>
  %35 = "torch.aten.to.dtype"(%x) : (!t) -> !torch.vtensor<[2,4,5,8],si64>
  %36 = "torch.aten.ge.Scalar"(%x, %nan) : (!t, !torch.float) -> !t
  %37 = "torch.aten.logical_not"(%x) : (!t) -> !t
  %38 = "torch.aten.dropout"(%x) : (!t) -> !t
  %pair = "torch.prim.ListConstruct"(%x, %y) : (!t, !torch.vtensor<[3,8],f32>) -> !torch.list<vtensor>
  %twice = "torch.prim.ListConstruct"(%x, %x) : (!t, !t) -> !torch.list<vtensor>
  %empty = "torch.prim.ListConstruct"() : () -> !torch.list<vtensor>
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %45 = "torch.aten.cat"(%pair, %c1) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[2,8,5,8],f32>
  %46 = "torch.aten.cat"(%twice, %big) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[2,8,5,8],f32>
  %47 = "torch.aten.cat"(%twice, %c1) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[2,9,5,8],f32>
  %48 = "torch.aten.cat"(%empty, %c1) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[2,0,5,8],f32>
  %49 = "torch.aten.cat"(%l, %c1, %c1) : (!torch.list<int>, !torch.int, !torch.int) -> !t
  %50 = "torch.aten.cat"(%twice, %c1) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[2,8,5,8],f16>
  %51 = "torch.aten.baddbmm"(%x, %x, %x, %c1, %c1) : (!t, !t, !t, !torch.int, !torch.int) -> !t
  %52 = "torch.aten.baddbmm"(%u, %e, %y, %nan, %bad) : (!torch.vtensor, !torch.vtensor<[0,8],f32>, !torch.vtensor<[3,8],f32>, !torch.float, !torch.int) -> !torch.vtensor<[2,3,8],f32>
  %53 = "torch.aten.baddbmm"(%x) : (!t) -> !t
  "use"(%45, %46, %47, %48, %49, %50, %51, %52, %53) : (!torch.vtensor<[2,8,5,8],f32>, !torch.vtensor<[2,8,5,8],f32>, !torch.vtensor<[2,9,5,8],f32>, !torch.vtensor<[2,0,5,8],f32>, !t, !torch.vtensor<[2,8,5,8],f16>, !t, !torch.vtensor<[2,3,8],f32>, !t) -> ()
  %39 = "torch_c.to_builtin_tensor"() : () -> tensor<2x4x5x8xf32>
  %40 = "torch_c.from_builtin_tensor"() : () -> !t
  %41 = "torch.aten.bmm"(%40, %38) : (!t, !t) -> !t
  "use"(%3, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23) : (!t, !t, !t, !torch.vtensor<[8,0],f32>, !torch.vtensor<[],f32>, !t, !t, !torch.vtensor<[8],f32>, !torch.vtensor<[9,8],f32>, !torch.vtensor<[1,8],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[3,8],f32>, !t, !torch.vtensor<[2,4,5,8],i1>) -> ()
  "use"(%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37) : (!t, !t, !t, !t, !t, !t, !torch.vtensor<[4],si64>, !torch.vtensor<[4],si64>, !t, !torch.vtensor, !torch.vtensor<[2,x],f32>, !torch.vtensor<[2,4,5,8],si64>, !t, !t) -> ()
  "use"(%39, %41) : (tensor<2x4x5x8xf32>, !t) -> ()
  return %4 : !t
}

func.func @calls(%q: tensor<2x4xf16>) {
  %0 = "stablehlo.custom_call"() <{call_target_name = "__cudnn$fmhaSoftmax"}> : () -> tensor<2x4xf16>
  %1 = "stablehlo.custom_call"(%q) <{call_target_name = "__cudnn$fmhaSoftmaxBackward", backend_config = 1 : i32}> : (tensor<2x4xf16>) -> tensor<2x4xf16>
  %2 = "stablehlo.custom_call"(%q) <{call_target_name = "__cudnn$fmha", backend_config = "[]"}> : (tensor<2x4xf16>) -> tensor<2x4xf16>
  %3 = "stablehlo.custom_call"(%q) <{call_target_name = 1 : i32}> : (tensor<2x4xf16>) -> tensor<2x4xf16>
  "stablehlo.custom_call"(%q) <{call_target_name = "__cudnn$fmhaSoftmax"}> : (tensor<2x4xf16>) -> ()
  "use"(%0, %1, %2, %3) : (tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x4xf16>) -> ()
  return
}
