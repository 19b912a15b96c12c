// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],bf16>, %a1: !torch.vtensor<[2,2,13,16],bf16>, %a2: !torch.vtensor<[2,2,13,16],bf16>) -> !torch.vtensor<[2,4,13,16],bf16> {
  %0 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %1 = "torch.constant.none"() : () -> !torch.none
  %2 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %3 = "torch.aten._to_copy"(%a0, %0, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,4,13,16],bf16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,16],f32>
  %4 = "torch.aten._to_copy"(%a1, %0, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,2,13,16],bf16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,2,13,16],f32>
  %5 = "torch.aten._to_copy"(%a2, %0, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,2,13,16],bf16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,2,13,16],f32>
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
  %30 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %31 = "torch.aten.unsqueeze"(%4, %30) : (!torch.vtensor<[2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,1,13,16],f32>
  %32 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %33 = "torch.prim.ListConstruct"(%30, %30, %30, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %34 = "torch.aten.expand"(%31, %33, %2) : (!torch.vtensor<[2,2,1,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,13,16],f32>
  %35 = "torch.aten.clone"(%34, %12) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,2,13,16],f32>
  %36 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %37 = "torch.prim.ListConstruct"(%30, %36, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %38 = "torch.aten.view"(%35, %37) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %39 = "torch.aten.unsqueeze"(%5, %30) : (!torch.vtensor<[2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,1,13,16],f32>
  %40 = "torch.prim.ListConstruct"(%30, %30, %30, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %41 = "torch.aten.expand"(%39, %40, %2) : (!torch.vtensor<[2,2,1,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,13,16],f32>
  %42 = "torch.aten.clone"(%41, %12) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,2,13,16],f32>
  %43 = "torch.prim.ListConstruct"(%30, %36, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %44 = "torch.aten.view"(%42, %43) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %45 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %46 = "torch.prim.ListConstruct"(%12, %15, %45, %30) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.permute"(%38, %46) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13],f32>
  %48 = "torch.aten.mul.Scalar"(%47, %6) : (!torch.vtensor<[2,4,16,13],f32>, !torch.float) -> !torch.vtensor<[2,4,16,13],f32>
  %49 = "torch.prim.ListConstruct"(%30, %36, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %50 = "torch.aten.expand"(%7, %49, %2) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %51 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %52 = "torch.prim.ListConstruct"(%51, %8, %32) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %53 = "torch.aten.view"(%50, %52) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %54 = "torch.prim.ListConstruct"(%30, %36, %32, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %55 = "torch.aten.expand"(%48, %54, %2) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,13],f32>
  %56 = "torch.prim.ListConstruct"(%51, %32, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %57 = "torch.aten.view"(%55, %56) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %58 = "torch.aten.bmm"(%53, %57) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %59 = "torch.prim.ListConstruct"(%30, %36, %8, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %60 = "torch.aten.view"(%58, %59) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %61 = "torch.aten.add.Tensor"(%60, %29, %15) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %62 = "torch.aten._softmax"(%61, %20, %2) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %63 = "torch.aten.eq.Scalar"(%61, %25) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],i1>
  %64 = "torch.aten.logical_not"(%63) : (!torch.vtensor<[2,4,13,13],i1>) -> !torch.vtensor<[2,4,13,13],i1>
  %65 = "torch.aten.any.dim"(%64, %20, %10) : (!torch.vtensor<[2,4,13,13],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,1],i1>
  %66 = "torch.aten.logical_not"(%65) : (!torch.vtensor<[2,4,13,1],i1>) -> !torch.vtensor<[2,4,13,1],i1>
  %67 = "torch.aten.full_like"(%62, %12, %1, %1, %1, %2, %15) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %68 = "torch.aten.where.self"(%66, %67, %62) : (!torch.vtensor<[2,4,13,1],i1>, !torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %69 = "torch.prim.ListConstruct"(%30, %36, %8, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %70 = "torch.aten.expand"(%68, %69, %2) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %71 = "torch.prim.ListConstruct"(%51, %8, %8) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %72 = "torch.aten.view"(%70, %71) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %73 = "torch.prim.ListConstruct"(%30, %36, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %74 = "torch.aten.expand"(%44, %73, %2) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %75 = "torch.prim.ListConstruct"(%51, %8, %32) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %76 = "torch.aten.view"(%74, %75) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %77 = "torch.aten.bmm"(%72, %76) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %78 = "torch.prim.ListConstruct"(%30, %36, %8, %32) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %79 = "torch.aten.view"(%77, %78) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %80 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
  %81 = "torch.aten._to_copy"(%79, %80, %1, %1, %1, %2, %1) : (!torch.vtensor<[2,4,13,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,16],bf16>
  %82 = "torch.prim.ListConstruct"(%30, %12, %15, %45) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %83 = "torch.aten.permute"(%81, %82) : (!torch.vtensor<[2,4,13,16],bf16>, !torch.list<int>) -> !torch.vtensor<[13,2,4,16],bf16>
  %84 = "torch.aten.clone"(%83, %12) : (!torch.vtensor<[13,2,4,16],bf16>, !torch.int) -> !torch.vtensor<[13,2,4,16],bf16>
  %85 = "torch.prim.ListConstruct"(%15, %30, %12, %45) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %86 = "torch.aten.permute"(%84, %85) : (!torch.vtensor<[13,2,4,16],bf16>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],bf16>
  return %86 : !torch.vtensor<[2,4,13,16],bf16>
}
