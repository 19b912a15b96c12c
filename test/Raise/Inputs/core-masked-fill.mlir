// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f32>, %a1: !torch.vtensor<[2,4,13,16],f32>, %a2: !torch.vtensor<[2,4,13,16],f32>, %a3: !torch.vtensor<[2,1,1,13],i1>) -> !torch.vtensor<[2,4,13,16],f32> {
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
  %22 = "torch.constant.float"() <{value = 4.00000000000000000e+00 : f64}> : () -> !torch.float
  %23 = "torch.aten.div.Tensor"(%21, %22) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %24 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %25 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %26 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %27 = "torch.constant.none"() : () -> !torch.none
  %28 = "torch.aten.scalar_tensor"(%24, %25, %0, %26, %27) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %29 = "torch.aten.where.self"(%a3, %28, %23) : (!torch.vtensor<[2,1,1,13],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[2,4,13,13],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %30 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %31 = "torch.aten._softmax"(%29, %30, %10) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %32 = "torch.prim.ListConstruct"(%3, %6, %7, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %33 = "torch.aten.expand"(%31, %32, %10) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %34 = "torch.prim.ListConstruct"(%12, %7, %7) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %35 = "torch.aten.view"(%33, %34) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %36 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %37 = "torch.aten.expand"(%a2, %36, %10) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %38 = "torch.prim.ListConstruct"(%12, %7, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %39 = "torch.aten.view"(%37, %38) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %40 = "torch.aten.bmm"(%35, %39) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %41 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %42 = "torch.aten.view"(%40, %41) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  return %42 : !torch.vtensor<[2,4,13,16],f32>
}
