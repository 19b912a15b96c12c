// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f16>, %a1: !torch.vtensor<[2,4,13,16],f16>, %a2: !torch.vtensor<[2,4,13,16],f16>) -> !torch.vtensor<[2,4,13,16],f16> {
  %0 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %1 = "torch.constant.none"() : () -> !torch.none
  %2 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %3 = "torch.aten._to_copy"(%a0, %0, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,4,13,16],f16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,16],f32>
  %4 = "torch.aten._to_copy"(%a1, %0, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,4,13,16],f16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,16],f32>
  %5 = "torch.aten._to_copy"(%a2, %0, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,4,13,16],f16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,16],f32>
  %6 = "torch.constant.float"() <{value = 5.00000000000000000e-01 : f64}> : () -> !torch.float
  %7 = "torch.aten.mul.Scalar"(%3, %6) : (!torch.vtensor<[2,4,13,16],f32>, !torch.float) -> !torch.vtensor<[2,4,13,16],f32>
  %8 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %9 = "torch.prim.ListConstruct"(%8, %8) : (!torch.int, !torch.int) -> !torch.list<int>
  %10 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %11 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %12 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %13 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %14 = "torch.aten.full"(%9, %10, %11, %12, %13, %2) : (!torch.list<int>, !torch.bool, !torch.int, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],i1>
  %15 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %16 = "torch.aten.arange.start_step"(%12, %8, %15, %1, %12, %13, %2) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %17 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %18 = "torch.aten.unsqueeze"(%16, %17) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %19 = "torch.aten.arange.start_step"(%12, %8, %15, %1, %12, %13, %2) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %20 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %21 = "torch.aten.unsqueeze"(%19, %20) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %22 = "torch.aten.sub.Tensor"(%18, %21, %15) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %23 = "torch.aten.le.Scalar"(%22, %12) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %24 = "torch.aten.logical_and"(%23, %14) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],i1>) -> !torch.vtensor<[13,13],i1>
  %25 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %26 = "torch.aten.scalar_tensor"(%25, %0, %1, %13, %1) : (!torch.float, !torch.int, !torch.none, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %27 = "torch.constant.float"() <{value = 0.00000000000000000e+00 : f64}> : () -> !torch.float
  %28 = "torch.aten.scalar_tensor"(%27, %0, %12, %13, %1) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %29 = "torch.aten.where.self"(%24, %28, %26) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[13,13],f32>
  %30 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %31 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %32 = "torch.prim.ListConstruct"(%12, %15, %30, %31) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %33 = "torch.aten.permute"(%4, %32) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13],f32>
  %34 = "torch.aten.mul.Scalar"(%33, %6) : (!torch.vtensor<[2,4,16,13],f32>, !torch.float) -> !torch.vtensor<[2,4,16,13],f32>
  %35 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %36 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %37 = "torch.prim.ListConstruct"(%31, %35, %8, %36) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %38 = "torch.aten.expand"(%7, %37, %2) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %39 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %40 = "torch.prim.ListConstruct"(%39, %8, %36) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %41 = "torch.aten.view"(%38, %40) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %42 = "torch.prim.ListConstruct"(%31, %35, %36, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.expand"(%34, %42, %2) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,13],f32>
  %44 = "torch.prim.ListConstruct"(%39, %36, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.view"(%43, %44) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %46 = "torch.aten.bmm"(%41, %45) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %47 = "torch.prim.ListConstruct"(%31, %35, %8, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %48 = "torch.aten.view"(%46, %47) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %49 = "torch.aten.add.Tensor"(%48, %29, %15) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %50 = "torch.aten._softmax"(%49, %20, %2) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %51 = "torch.aten.eq.Scalar"(%49, %25) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],i1>
  %52 = "torch.aten.logical_not"(%51) : (!torch.vtensor<[2,4,13,13],i1>) -> !torch.vtensor<[2,4,13,13],i1>
  %53 = "torch.aten.any.dim"(%52, %20, %10) : (!torch.vtensor<[2,4,13,13],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,1],i1>
  %54 = "torch.aten.logical_not"(%53) : (!torch.vtensor<[2,4,13,1],i1>) -> !torch.vtensor<[2,4,13,1],i1>
  %55 = "torch.aten.full_like"(%50, %12, %1, %1, %1, %2, %15) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %56 = "torch.aten.where.self"(%54, %55, %50) : (!torch.vtensor<[2,4,13,1],i1>, !torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %57 = "torch.prim.ListConstruct"(%31, %35, %8, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %58 = "torch.aten.expand"(%56, %57, %2) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %59 = "torch.prim.ListConstruct"(%39, %8, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %60 = "torch.aten.view"(%58, %59) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %61 = "torch.prim.ListConstruct"(%31, %35, %8, %36) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %62 = "torch.aten.expand"(%5, %61, %2) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %63 = "torch.prim.ListConstruct"(%39, %8, %36) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %64 = "torch.aten.view"(%62, %63) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %65 = "torch.aten.bmm"(%60, %64) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %66 = "torch.prim.ListConstruct"(%31, %35, %8, %36) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %67 = "torch.aten.view"(%65, %66) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %68 = "torch.constant.int"() <{value = 5 : i64}> : () -> !torch.int
  %69 = "torch.aten._to_copy"(%67, %68, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,4,13,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,16],f16>
  %70 = "torch.prim.ListConstruct"(%31, %12, %15, %30) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %71 = "torch.aten.permute"(%69, %70) : (!torch.vtensor<[2,4,13,16],f16>, !torch.list<int>) -> !torch.vtensor<[13,2,4,16],f16>
  %72 = "torch.aten.clone"(%71, %12) : (!torch.vtensor<[13,2,4,16],f16>, !torch.int) -> !torch.vtensor<[13,2,4,16],f16>
  %73 = "torch.prim.ListConstruct"(%15, %31, %12, %30) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %74 = "torch.aten.permute"(%72, %73) : (!torch.vtensor<[13,2,4,16],f16>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f16>
  return %74 : !torch.vtensor<[2,4,13,16],f16>
}
