// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f32>, %a1: !torch.vtensor<[2,4,11,16],f32>, %a2: !torch.vtensor<[2,4,11,16],f32>, %a3: !torch.vtensor<[2,1,13,11],i1>) -> !torch.vtensor<[2,4,13,16],f32> {
  %0 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %1 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %2 = "torch.constant.none"() : () -> !torch.none
  %3 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %4 = "torch.aten.scalar_tensor"(%0, %1, %2, %3, %2) : (!torch.float, !torch.int, !torch.none, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %5 = "torch.constant.float"() <{value = 0.00000000000000000e+00 : f64}> : () -> !torch.float
  %6 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %7 = "torch.aten.scalar_tensor"(%5, %1, %6, %3, %2) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %8 = "torch.aten.where.self"(%a3, %7, %4) : (!torch.vtensor<[2,1,13,11],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,1,13,11],f32>
  %9 = "torch.constant.float"() <{value = 5.00000000000000000e-01 : f64}> : () -> !torch.float
  %10 = "torch.aten.mul.Scalar"(%a0, %9) : (!torch.vtensor<[2,4,13,16],f32>, !torch.float) -> !torch.vtensor<[2,4,13,16],f32>
  %11 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %12 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %13 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %14 = "torch.prim.ListConstruct"(%6, %11, %12, %13) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %15 = "torch.aten.permute"(%a1, %14) : (!torch.vtensor<[2,4,11,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,11],f32>
  %16 = "torch.aten.mul.Scalar"(%15, %9) : (!torch.vtensor<[2,4,16,11],f32>, !torch.float) -> !torch.vtensor<[2,4,16,11],f32>
  %17 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %18 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %19 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %20 = "torch.prim.ListConstruct"(%13, %17, %18, %19) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %21 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %22 = "torch.aten.expand"(%10, %20, %21) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %23 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %24 = "torch.prim.ListConstruct"(%23, %18, %19) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %25 = "torch.aten.view"(%22, %24) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %26 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %27 = "torch.prim.ListConstruct"(%13, %17, %19, %26) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %28 = "torch.aten.expand"(%16, %27, %21) : (!torch.vtensor<[2,4,16,11],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,11],f32>
  %29 = "torch.prim.ListConstruct"(%23, %19, %26) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %30 = "torch.aten.view"(%28, %29) : (!torch.vtensor<[2,4,16,11],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,11],f32>
  %31 = "torch.aten.bmm"(%25, %30) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,11],f32>) -> !torch.vtensor<[8,13,11],f32>
  %32 = "torch.prim.ListConstruct"(%13, %17, %18, %26) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %33 = "torch.aten.view"(%31, %32) : (!torch.vtensor<[8,13,11],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,11],f32>
  %34 = "torch.aten.add.Tensor"(%33, %8, %11) : (!torch.vtensor<[2,4,13,11],f32>, !torch.vtensor<[2,1,13,11],f32>, !torch.int) -> !torch.vtensor<[2,4,13,11],f32>
  %35 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %36 = "torch.aten._softmax"(%34, %35, %21) : (!torch.vtensor<[2,4,13,11],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,11],f32>
  %37 = "torch.aten.eq.Scalar"(%34, %0) : (!torch.vtensor<[2,4,13,11],f32>, !torch.float) -> !torch.vtensor<[2,4,13,11],i1>
  %38 = "torch.aten.logical_not"(%37) : (!torch.vtensor<[2,4,13,11],i1>) -> !torch.vtensor<[2,4,13,11],i1>
  %39 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %40 = "torch.aten.any.dim"(%38, %35, %39) : (!torch.vtensor<[2,4,13,11],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,1],i1>
  %41 = "torch.aten.logical_not"(%40) : (!torch.vtensor<[2,4,13,1],i1>) -> !torch.vtensor<[2,4,13,1],i1>
  %42 = "torch.aten.full_like"(%36, %6, %2, %2, %2, %21, %11) : (!torch.vtensor<[2,4,13,11],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.int) -> !torch.vtensor<[2,4,13,11],f32>
  %43 = "torch.aten.where.self"(%41, %42, %36) : (!torch.vtensor<[2,4,13,1],i1>, !torch.vtensor<[2,4,13,11],f32>, !torch.vtensor<[2,4,13,11],f32>) -> !torch.vtensor<[2,4,13,11],f32>
  %44 = "torch.prim.ListConstruct"(%13, %17, %18, %26) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.expand"(%43, %44, %21) : (!torch.vtensor<[2,4,13,11],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,11],f32>
  %46 = "torch.prim.ListConstruct"(%23, %18, %26) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.view"(%45, %46) : (!torch.vtensor<[2,4,13,11],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,11],f32>
  %48 = "torch.prim.ListConstruct"(%13, %17, %26, %19) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %49 = "torch.aten.expand"(%a2, %48, %21) : (!torch.vtensor<[2,4,11,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,11,16],f32>
  %50 = "torch.prim.ListConstruct"(%23, %26, %19) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %51 = "torch.aten.view"(%49, %50) : (!torch.vtensor<[2,4,11,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,11,16],f32>
  %52 = "torch.aten.bmm"(%47, %51) : (!torch.vtensor<[8,13,11],f32>, !torch.vtensor<[8,11,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %53 = "torch.prim.ListConstruct"(%13, %17, %18, %19) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %54 = "torch.aten.view"(%52, %53) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %55 = "torch.prim.ListConstruct"(%13, %6, %11, %12) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %56 = "torch.aten.permute"(%54, %55) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[13,2,4,16],f32>
  %57 = "torch.aten.clone"(%56, %6) : (!torch.vtensor<[13,2,4,16],f32>, !torch.int) -> !torch.vtensor<[13,2,4,16],f32>
  %58 = "torch.prim.ListConstruct"(%11, %13, %6, %12) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %59 = "torch.aten.permute"(%57, %58) : (!torch.vtensor<[13,2,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  return %59 : !torch.vtensor<[2,4,13,16],f32>
}
