// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,13,4,16],f32>, %a1: !torch.vtensor<[2,13,4,8],f32>, %a2: !torch.vtensor<[2,13,4,16],f32>, %a3: !torch.vtensor<[2,13,8],f32>, %a4: !torch.vtensor<[2,13,4,12],f32>, %a5: !torch.vtensor<[2,13,4,12],f32>) -> (!torch.vtensor<[2,13,4,16],f32>, !torch.vtensor<[2,13,4,8],f32>, !torch.vtensor<[2,13,4,16],f32>, !torch.vtensor<[2,13,8],f32>, !torch.vtensor<[2,13,4,12],f32>) {
  %0 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %1 = "torch.aten.unsqueeze"(%a0, %0) : (!torch.vtensor<[2,13,4,16],f32>, !torch.int) -> !torch.vtensor<[2,13,4,16,1],f32>
  %2 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %4 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %5 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %6 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %7 = "torch.aten.permute"(%1, %6) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,16],f32>
  %8 = "torch.aten.unsqueeze"(%a2, %0) : (!torch.vtensor<[2,13,4,16],f32>, !torch.int) -> !torch.vtensor<[2,13,4,16,1],f32>
  %9 = "torch.prim.ListConstruct"(%2, %3, %0, %4, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %10 = "torch.aten.permute"(%8, %9) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,1,13,16],f32>
  %11 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %12 = "torch.aten.permute"(%7, %11) : (!torch.vtensor<[2,4,13,1,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16,1],f32>
  %13 = "torch.aten.clone"(%12, %2) : (!torch.vtensor<[2,4,13,16,1],f32>, !torch.int) -> !torch.vtensor<[2,4,13,16,1],f32>
  %14 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %15 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %16 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %17 = "torch.prim.ListConstruct"(%14, %15, %16) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.view"(%13, %17) : (!torch.vtensor<[2,4,13,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %19 = "torch.prim.ListConstruct"(%2, %4, %0, %5, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %20 = "torch.aten.permute"(%10, %19) : (!torch.vtensor<[2,4,1,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13,1],f32>
  %21 = "torch.aten.clone"(%20, %2) : (!torch.vtensor<[2,4,16,13,1],f32>, !torch.int) -> !torch.vtensor<[2,4,16,13,1],f32>
  %22 = "torch.prim.ListConstruct"(%14, %16, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %23 = "torch.aten.view"(%21, %22) : (!torch.vtensor<[2,4,16,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %24 = "torch.aten.bmm"(%18, %23) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %25 = "torch.prim.ListConstruct"(%3, %0, %15, %4, %15) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %26 = "torch.aten.view"(%24, %25) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,13],f32>
  %27 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %28 = "torch.aten.permute"(%26, %27) : (!torch.vtensor<[2,4,13,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %29 = "torch.prim.ListConstruct"(%3, %0, %15, %15) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %30 = "torch.aten.view"(%28, %29) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %31 = "torch.aten.unsqueeze"(%a1, %0) : (!torch.vtensor<[2,13,4,8],f32>, !torch.int) -> !torch.vtensor<[2,13,4,8,1],f32>
  %32 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %33 = "torch.aten.permute"(%31, %32) : (!torch.vtensor<[2,13,4,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,8],f32>
  %34 = "torch.aten.unsqueeze"(%a3, %5) : (!torch.vtensor<[2,13,8],f32>, !torch.int) -> !torch.vtensor<[2,13,8,1],f32>
  %35 = "torch.aten.unsqueeze"(%34, %0) : (!torch.vtensor<[2,13,8,1],f32>, !torch.int) -> !torch.vtensor<[2,13,8,1,1],f32>
  %36 = "torch.prim.ListConstruct"(%2, %5, %0, %4, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %37 = "torch.aten.permute"(%35, %36) : (!torch.vtensor<[2,13,8,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,1,13,8],f32>
  %38 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %39 = "torch.aten.permute"(%33, %38) : (!torch.vtensor<[2,4,13,1,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,8,1],f32>
  %40 = "torch.aten.clone"(%39, %2) : (!torch.vtensor<[2,4,13,8,1],f32>, !torch.int) -> !torch.vtensor<[2,4,13,8,1],f32>
  %41 = "torch.constant.int"() <{value = 52 : i64}> : () -> !torch.int
  %42 = "torch.prim.ListConstruct"(%3, %41, %14) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.view"(%40, %42) : (!torch.vtensor<[2,4,13,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,52,8],f32>
  %44 = "torch.prim.ListConstruct"(%2, %0, %5, %4, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.permute"(%37, %44) : (!torch.vtensor<[2,1,1,13,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,1,1],f32>
  %46 = "torch.prim.ListConstruct"(%3, %14, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.view"(%45, %46) : (!torch.vtensor<[2,8,13,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13],f32>
  %48 = "torch.aten.bmm"(%43, %47) : (!torch.vtensor<[2,52,8],f32>, !torch.vtensor<[2,8,13],f32>) -> !torch.vtensor<[2,52,13],f32>
  %49 = "torch.prim.ListConstruct"(%3, %0, %15, %4, %15) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %50 = "torch.aten.view"(%48, %49) : (!torch.vtensor<[2,52,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,13],f32>
  %51 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %52 = "torch.aten.permute"(%50, %51) : (!torch.vtensor<[2,4,13,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %53 = "torch.prim.ListConstruct"(%3, %0, %15, %15) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %54 = "torch.aten.view"(%52, %53) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %55 = "torch.aten.add.Tensor"(%30, %54, %4) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %56 = "torch.prim.ListConstruct"(%15, %15) : (!torch.int, !torch.int) -> !torch.list<int>
  %57 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %58 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %59 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %60 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %61 = "torch.aten.full"(%56, %57, %58, %2, %59, %60) : (!torch.list<int>, !torch.bool, !torch.int, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],i1>
  %62 = "torch.constant.none"() : () -> !torch.none
  %63 = "torch.aten.arange.start_step"(%2, %15, %4, %62, %2, %59, %60) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %64 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %65 = "torch.aten.unsqueeze"(%63, %64) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %66 = "torch.aten.arange.start_step"(%2, %15, %4, %62, %2, %59, %60) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %67 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %68 = "torch.aten.unsqueeze"(%66, %67) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %69 = "torch.aten.sub.Tensor"(%65, %68, %4) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %70 = "torch.aten.le.Scalar"(%69, %2) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %71 = "torch.aten.logical_and"(%70, %61) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],i1>) -> !torch.vtensor<[13,13],i1>
  %72 = "torch.constant.float"() <{value = 2.04124145231931509e-01 : f64}> : () -> !torch.float
  %73 = "torch.aten.mul.Tensor"(%55, %72) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %74 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %75 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %76 = "torch.aten.scalar_tensor"(%74, %75, %2, %59, %62) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %77 = "torch.aten.where.self"(%71, %73, %76) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %78 = "torch.aten._softmax"(%77, %67, %60) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %79 = "torch.aten.unsqueeze"(%78, %0) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13,1],f32>
  %80 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %81 = "torch.aten.permute"(%79, %80) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,1,13],f32>
  %82 = "torch.aten.unsqueeze"(%a4, %0) : (!torch.vtensor<[2,13,4,12],f32>, !torch.int) -> !torch.vtensor<[2,13,4,12,1],f32>
  %83 = "torch.prim.ListConstruct"(%2, %0, %3, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %84 = "torch.aten.permute"(%82, %83) : (!torch.vtensor<[2,13,4,12,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,12,13],f32>
  %85 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %86 = "torch.aten.permute"(%81, %85) : (!torch.vtensor<[2,13,4,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %87 = "torch.prim.ListConstruct"(%14, %15, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %88 = "torch.aten.view"(%86, %87) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %89 = "torch.prim.ListConstruct"(%2, %3, %0, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %90 = "torch.aten.permute"(%84, %89) : (!torch.vtensor<[2,1,4,12,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,12,1],f32>
  %91 = "torch.aten.clone"(%90, %2) : (!torch.vtensor<[2,4,13,12,1],f32>, !torch.int) -> !torch.vtensor<[2,4,13,12,1],f32>
  %92 = "torch.constant.int"() <{value = 12 : i64}> : () -> !torch.int
  %93 = "torch.prim.ListConstruct"(%14, %15, %92) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %94 = "torch.aten.view"(%91, %93) : (!torch.vtensor<[2,4,13,12,1],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,12],f32>
  %95 = "torch.prim.ListConstruct"(%3, %15, %0, %92, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %96 = "torch.aten.view"(%a5, %95) : (!torch.vtensor<[2,13,4,12],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,12,1],f32>
  %97 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %98 = "torch.aten.permute"(%96, %97) : (!torch.vtensor<[2,13,4,12,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,12],f32>
  %99 = "torch.aten.clone"(%98, %2) : (!torch.vtensor<[2,4,13,1,12],f32>, !torch.int) -> !torch.vtensor<[2,4,13,1,12],f32>
  %100 = "torch.prim.ListConstruct"(%14, %15, %92) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %101 = "torch.aten.view"(%99, %100) : (!torch.vtensor<[2,4,13,1,12],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,12],f32>
  %102 = "torch.prim.ListConstruct"(%2, %3, %4) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %103 = "torch.aten.permute"(%88, %102) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %104 = "torch.aten.bmm"(%103, %101) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,12],f32>) -> !torch.vtensor<[8,13,12],f32>
  %105 = "torch.prim.ListConstruct"(%2, %3, %4) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %106 = "torch.aten.permute"(%94, %105) : (!torch.vtensor<[8,13,12],f32>, !torch.list<int>) -> !torch.vtensor<[8,12,13],f32>
  %107 = "torch.aten.bmm"(%101, %106) : (!torch.vtensor<[8,13,12],f32>, !torch.vtensor<[8,12,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %108 = "torch.prim.ListConstruct"(%3, %0, %15, %92, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %109 = "torch.aten.view"(%104, %108) : (!torch.vtensor<[8,13,12],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,12,1],f32>
  %110 = "torch.prim.ListConstruct"(%2, %0, %4, %5, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %111 = "torch.aten.permute"(%109, %110) : (!torch.vtensor<[2,4,13,12,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,12,13],f32>
  %112 = "torch.prim.ListConstruct"(%3, %0, %15, %15, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %113 = "torch.aten.view"(%107, %112) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %114 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %115 = "torch.aten.permute"(%113, %114) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,1,13],f32>
  %116 = "torch.prim.ListConstruct"(%2, %0, %3, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %117 = "torch.aten.permute"(%111, %116) : (!torch.vtensor<[2,1,4,12,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,12,1],f32>
  %118 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
  %119 = "torch.aten.squeeze.dims"(%117, %118) : (!torch.vtensor<[2,13,4,12,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,12],f32>
  %120 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %121 = "torch.aten.permute"(%115, %120) : (!torch.vtensor<[2,13,4,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %122 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
  %123 = "torch.aten.squeeze.dims"(%121, %122) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %124 = "torch.aten.mul.Tensor"(%123, %78) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %125 = "torch.prim.ListConstruct"(%67) : (!torch.int) -> !torch.list<int>
  %126 = "torch.aten.sum.dim_IntList"(%124, %125, %57, %62) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2,4,13,1],f32>
  %127 = "torch.aten.mul.Tensor"(%78, %126) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,1],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %128 = "torch.aten.sub.Tensor"(%124, %127, %4) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %129 = "torch.aten.scalar_tensor"(%2, %75, %2, %59, %62) : (!torch.int, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %130 = "torch.aten.where.self"(%71, %128, %129) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %131 = "torch.aten.mul.Tensor"(%130, %72) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %132 = "torch.prim.ListConstruct"(%3, %0, %15, %15, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %133 = "torch.aten.view"(%131, %132) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %134 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %135 = "torch.aten.permute"(%133, %134) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,13],f32>
  %136 = "torch.prim.ListConstruct"(%3, %41, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %137 = "torch.aten.view"(%135, %136) : (!torch.vtensor<[2,4,13,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,52,13],f32>
  %138 = "torch.prim.ListConstruct"(%2, %3, %4) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %139 = "torch.aten.permute"(%43, %138) : (!torch.vtensor<[2,52,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,52],f32>
  %140 = "torch.aten.bmm"(%139, %137) : (!torch.vtensor<[2,8,52],f32>, !torch.vtensor<[2,52,13],f32>) -> !torch.vtensor<[2,8,13],f32>
  %141 = "torch.prim.ListConstruct"(%2, %3, %4) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %142 = "torch.aten.permute"(%47, %141) : (!torch.vtensor<[2,8,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,8],f32>
  %143 = "torch.aten.bmm"(%137, %142) : (!torch.vtensor<[2,52,13],f32>, !torch.vtensor<[2,13,8],f32>) -> !torch.vtensor<[2,52,8],f32>
  %144 = "torch.prim.ListConstruct"(%3, %14, %15, %4, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %145 = "torch.aten.view"(%140, %144) : (!torch.vtensor<[2,8,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,1,1],f32>
  %146 = "torch.prim.ListConstruct"(%2, %5, %0, %3, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %147 = "torch.aten.permute"(%145, %146) : (!torch.vtensor<[2,8,13,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,1,13,8],f32>
  %148 = "torch.prim.ListConstruct"(%3, %0, %15, %14, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %149 = "torch.aten.view"(%143, %148) : (!torch.vtensor<[2,52,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,8,1],f32>
  %150 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %151 = "torch.aten.permute"(%149, %150) : (!torch.vtensor<[2,4,13,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,8],f32>
  %152 = "torch.prim.ListConstruct"(%2, %5, %0, %4, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %153 = "torch.aten.permute"(%147, %152) : (!torch.vtensor<[2,1,1,13,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,8,1,1],f32>
  %154 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
  %155 = "torch.aten.squeeze.dims"(%153, %154) : (!torch.vtensor<[2,13,8,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,8,1],f32>
  %156 = "torch.prim.ListConstruct"(%5) : (!torch.int) -> !torch.list<int>
  %157 = "torch.aten.squeeze.dims"(%155, %156) : (!torch.vtensor<[2,13,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,8],f32>
  %158 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %159 = "torch.aten.permute"(%151, %158) : (!torch.vtensor<[2,4,13,1,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,8,1],f32>
  %160 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
  %161 = "torch.aten.squeeze.dims"(%159, %160) : (!torch.vtensor<[2,13,4,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,8],f32>
  %162 = "torch.prim.ListConstruct"(%3, %0, %15, %15, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %163 = "torch.aten.view"(%131, %162) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %164 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %165 = "torch.aten.permute"(%163, %164) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,13],f32>
  %166 = "torch.prim.ListConstruct"(%14, %15, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %167 = "torch.aten.view"(%165, %166) : (!torch.vtensor<[2,4,13,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %168 = "torch.prim.ListConstruct"(%2, %3, %4) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %169 = "torch.aten.permute"(%18, %168) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %170 = "torch.aten.bmm"(%169, %167) : (!torch.vtensor<[8,16,13],f32>, !torch.vtensor<[8,13,13],f32>) -> !torch.vtensor<[8,16,13],f32>
  %171 = "torch.prim.ListConstruct"(%2, %3, %4) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %172 = "torch.aten.permute"(%23, %171) : (!torch.vtensor<[8,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %173 = "torch.aten.bmm"(%167, %172) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %174 = "torch.prim.ListConstruct"(%3, %0, %16, %15, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %175 = "torch.aten.view"(%170, %174) : (!torch.vtensor<[8,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13,1],f32>
  %176 = "torch.prim.ListConstruct"(%2, %4, %0, %5, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %177 = "torch.aten.permute"(%175, %176) : (!torch.vtensor<[2,4,16,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,1,13,16],f32>
  %178 = "torch.prim.ListConstruct"(%3, %0, %15, %16, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %179 = "torch.aten.view"(%173, %178) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16,1],f32>
  %180 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %181 = "torch.aten.permute"(%179, %180) : (!torch.vtensor<[2,4,13,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,16],f32>
  %182 = "torch.prim.ListConstruct"(%2, %5, %4, %0, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %183 = "torch.aten.permute"(%177, %182) : (!torch.vtensor<[2,4,1,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16,1],f32>
  %184 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
  %185 = "torch.aten.squeeze.dims"(%183, %184) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16],f32>
  %186 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %187 = "torch.aten.permute"(%181, %186) : (!torch.vtensor<[2,4,13,1,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16,1],f32>
  %188 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
  %189 = "torch.aten.squeeze.dims"(%187, %188) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16],f32>
  return %189, %161, %185, %157, %119 : !torch.vtensor<[2,13,4,16],f32>, !torch.vtensor<[2,13,4,8],f32>, !torch.vtensor<[2,13,4,16],f32>, !torch.vtensor<[2,13,8],f32>, !torch.vtensor<[2,13,4,12],f32>
}
