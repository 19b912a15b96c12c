// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f32>, %a1: !torch.vtensor<[2,4,13,16],f32>, %a2: !torch.vtensor<[2,4,13,16],f32>) -> !torch.vtensor<[2,4,13,16],f32> {
  %0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %2 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %4 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %5 = "torch.aten.permute"(%a1, %4) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13],f32>
  %6 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %7 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %8 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %9 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %10 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %11 = "torch.aten.expand"(%a0, %9, %10) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %12 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %13 = "torch.prim.ListConstruct"(%12, %7, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %14 = "torch.aten.view"(%11, %13) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %15 = "torch.prim.ListConstruct"(%3, %6, %8, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %16 = "torch.aten.expand"(%5, %15, %10) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,13],f32>
  %17 = "torch.prim.ListConstruct"(%12, %8, %7) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.view"(%16, %17) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %19 = "torch.aten.bmm"(%14, %18) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %20 = "torch.prim.ListConstruct"(%3, %6, %7, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %21 = "torch.aten.view"(%19, %20) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %22 = "torch.aten.gt.Scalar"(%21, %0) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],i1>
  %23 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %24 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %25 = "torch.aten.any.dim"(%22, %23, %24) : (!torch.vtensor<[2,4,13,13],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,1],i1>
  %26 = "torch.aten._softmax"(%21, %23, %10) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %27 = "torch.constant.float"() <{value = 0.00000000000000000e+00 : f64}> : () -> !torch.float
  %28 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %29 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %30 = "torch.constant.none"() : () -> !torch.none
  %31 = "torch.aten.scalar_tensor"(%27, %28, %0, %29, %30) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %32 = "torch.aten.where.self"(%25, %26, %31) : (!torch.vtensor<[2,4,13,1],i1>, !torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %33 = "torch.prim.ListConstruct"(%3, %6, %7, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %34 = "torch.aten.expand"(%32, %33, %10) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %35 = "torch.prim.ListConstruct"(%12, %7, %7) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %36 = "torch.aten.view"(%34, %35) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %37 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %38 = "torch.aten.expand"(%a2, %37, %10) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %39 = "torch.prim.ListConstruct"(%12, %7, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %40 = "torch.aten.view"(%38, %39) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %41 = "torch.aten.bmm"(%36, %40) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %42 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.view"(%41, %42) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  return %43 : !torch.vtensor<[2,4,13,16],f32>
}
