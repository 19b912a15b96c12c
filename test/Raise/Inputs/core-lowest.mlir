// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f16>, %a1: !torch.vtensor<[2,4,13,16],f16>, %a2: !torch.vtensor<[2,4,13,16],f16>) -> !torch.vtensor<[2,4,13,16],f16> {
  %0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %2 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %4 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %5 = "torch.aten.permute"(%a1, %4) : (!torch.vtensor<[2,4,13,16],f16>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13],f16>
  %6 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %7 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %8 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %9 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %10 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %11 = "torch.aten.expand"(%a0, %9, %10) : (!torch.vtensor<[2,4,13,16],f16>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f16>
  %12 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %13 = "torch.prim.ListConstruct"(%12, %7, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %14 = "torch.aten.view"(%11, %13) : (!torch.vtensor<[2,4,13,16],f16>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f16>
  %15 = "torch.prim.ListConstruct"(%3, %6, %8, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %16 = "torch.aten.expand"(%5, %15, %10) : (!torch.vtensor<[2,4,16,13],f16>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,13],f16>
  %17 = "torch.prim.ListConstruct"(%12, %8, %7) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.view"(%16, %17) : (!torch.vtensor<[2,4,16,13],f16>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f16>
  %19 = "torch.aten.bmm"(%14, %18) : (!torch.vtensor<[8,13,16],f16>, !torch.vtensor<[8,16,13],f16>) -> !torch.vtensor<[8,13,13],f16>
  %20 = "torch.prim.ListConstruct"(%3, %6, %7, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %21 = "torch.aten.view"(%19, %20) : (!torch.vtensor<[8,13,13],f16>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f16>
  %22 = "torch.constant.float"() <{value = 2.50000000000000000e-01 : f64}> : () -> !torch.float
  %23 = "torch.aten.mul.Tensor"(%21, %22) : (!torch.vtensor<[2,4,13,13],f16>, !torch.float) -> !torch.vtensor<[2,4,13,13],f16>
  %24 = "torch.prim.ListConstruct"(%7, %7) : (!torch.int, !torch.int) -> !torch.list<int>
  %25 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %26 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %27 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %28 = "torch.aten.full"(%24, %25, %26, %0, %27, %10) : (!torch.list<int>, !torch.bool, !torch.int, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],i1>
  %29 = "torch.constant.none"() : () -> !torch.none
  %30 = "torch.aten.arange.start_step"(%0, %7, %1, %29, %0, %27, %10) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %31 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %32 = "torch.aten.unsqueeze"(%30, %31) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %33 = "torch.aten.arange.start_step"(%0, %7, %1, %29, %0, %27, %10) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %34 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %35 = "torch.aten.unsqueeze"(%33, %34) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %36 = "torch.aten.sub.Tensor"(%32, %35, %1) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %37 = "torch.aten.le.Scalar"(%36, %0) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %38 = "torch.aten.logical_and"(%37, %28) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],i1>) -> !torch.vtensor<[13,13],i1>
  %39 = "torch.constant.float"() <{value = -6.55040000000000000e+04 : f64}> : () -> !torch.float
  %40 = "torch.constant.int"() <{value = 5 : i64}> : () -> !torch.int
  %41 = "torch.aten.scalar_tensor"(%39, %40, %0, %27, %29) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f16>
  %42 = "torch.aten.where.self"(%38, %23, %41) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[2,4,13,13],f16>, !torch.vtensor<[],f16>) -> !torch.vtensor<[2,4,13,13],f16>
  %43 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %44 = "torch.aten._to_copy"(%42, %43, %29, %29, %29, %10, %29) : (!torch.vtensor<[2,4,13,13],f16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,13],f32>
  %45 = "torch.aten._softmax"(%44, %34, %10) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %46 = "torch.aten._to_copy"(%45, %40, %29, %29, %29, %10, %29) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,13],f16>
  %47 = "torch.prim.ListConstruct"(%3, %6, %7, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %48 = "torch.aten.expand"(%46, %47, %10) : (!torch.vtensor<[2,4,13,13],f16>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f16>
  %49 = "torch.prim.ListConstruct"(%12, %7, %7) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %50 = "torch.aten.view"(%48, %49) : (!torch.vtensor<[2,4,13,13],f16>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f16>
  %51 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %52 = "torch.aten.expand"(%a2, %51, %10) : (!torch.vtensor<[2,4,13,16],f16>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f16>
  %53 = "torch.prim.ListConstruct"(%12, %7, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %54 = "torch.aten.view"(%52, %53) : (!torch.vtensor<[2,4,13,16],f16>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f16>
  %55 = "torch.aten.bmm"(%50, %54) : (!torch.vtensor<[8,13,13],f16>, !torch.vtensor<[8,13,16],f16>) -> !torch.vtensor<[8,13,16],f16>
  %56 = "torch.prim.ListConstruct"(%3, %6, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %57 = "torch.aten.view"(%55, %56) : (!torch.vtensor<[8,13,16],f16>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f16>
  return %57 : !torch.vtensor<[2,4,13,16],f16>
}
