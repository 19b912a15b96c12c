// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,13,64],f32>, %a1: !torch.vtensor<[2,13,32],f32>, %a2: !torch.vtensor<[2,13,32],f32>) -> !torch.vtensor<[2,13,64],f32> {
  %0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %2 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %4 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %5 = "torch.aten.view"(%a0, %4) : (!torch.vtensor<[2,13,64],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16],f32>
  %6 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %7 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %8 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %9 = "torch.prim.ListConstruct"(%6, %0, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %10 = "torch.aten.permute"(%5, %9) : (!torch.vtensor<[2,13,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %11 = "torch.prim.ListConstruct"(%0, %1, %0, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %12 = "torch.aten.view"(%a1, %11) : (!torch.vtensor<[2,13,32],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,2,16],f32>
  %13 = "torch.prim.ListConstruct"(%6, %0, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %14 = "torch.aten.permute"(%12, %13) : (!torch.vtensor<[2,13,2,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,2,13,16],f32>
  %15 = "torch.prim.ListConstruct"(%0, %1, %0, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %16 = "torch.aten.view"(%a2, %15) : (!torch.vtensor<[2,13,32],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,2,16],f32>
  %17 = "torch.prim.ListConstruct"(%6, %0, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.permute"(%16, %17) : (!torch.vtensor<[2,13,2,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,2,13,16],f32>
  %19 = "torch.aten.unsqueeze"(%14, %0) : (!torch.vtensor<[2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,1,13,16],f32>
  %20 = "torch.prim.ListConstruct"(%0, %0, %0, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %21 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %22 = "torch.aten.expand"(%19, %20, %21) : (!torch.vtensor<[2,2,1,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,13,16],f32>
  %23 = "torch.aten.clone"(%22, %6) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,2,13,16],f32>
  %24 = "torch.prim.ListConstruct"(%0, %2, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %25 = "torch.aten.view"(%23, %24) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %26 = "torch.aten.unsqueeze"(%18, %0) : (!torch.vtensor<[2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,1,13,16],f32>
  %27 = "torch.prim.ListConstruct"(%0, %0, %0, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %28 = "torch.aten.expand"(%26, %27, %21) : (!torch.vtensor<[2,2,1,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,13,16],f32>
  %29 = "torch.aten.clone"(%28, %6) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,2,13,16],f32>
  %30 = "torch.prim.ListConstruct"(%0, %2, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %31 = "torch.aten.view"(%29, %30) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %32 = "torch.prim.ListConstruct"(%1, %1) : (!torch.int, !torch.int) -> !torch.list<int>
  %33 = "torch.constant.float"() <{value = -3.40282346638528860e+38 : f64}> : () -> !torch.float
  %34 = "torch.constant.none"() : () -> !torch.none
  %35 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %36 = "torch.aten.full"(%32, %33, %34, %34, %35, %21) : (!torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],f32>
  %37 = "torch.aten.arange.start_step"(%6, %1, %7, %34, %6, %35, %21) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %38 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %39 = "torch.aten.unsqueeze"(%37, %38) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %40 = "torch.aten.arange.start_step"(%6, %1, %7, %34, %6, %35, %21) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %41 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %42 = "torch.aten.unsqueeze"(%40, %41) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %43 = "torch.aten.sub.Tensor"(%39, %42, %7) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %44 = "torch.aten.ge.Scalar"(%43, %7) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %45 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %46 = "torch.aten.scalar_tensor"(%6, %45, %6, %35, %34) : (!torch.int, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %47 = "torch.aten.where.self"(%44, %36, %46) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[13,13],f32>
  %48 = "torch.prim.ListConstruct"(%6, %7, %8, %0) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %49 = "torch.aten.permute"(%25, %48) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13],f32>
  %50 = "torch.prim.ListConstruct"(%0, %2, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %51 = "torch.aten.expand"(%10, %50, %21) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %52 = "torch.aten.clone"(%51, %6) : (!torch.vtensor<[2,4,13,16],f32>, !torch.int) -> !torch.vtensor<[2,4,13,16],f32>
  %53 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %54 = "torch.prim.ListConstruct"(%53, %1, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %55 = "torch.aten.view"(%52, %54) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %56 = "torch.prim.ListConstruct"(%0, %2, %3, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %57 = "torch.aten.expand"(%49, %56, %21) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,13],f32>
  %58 = "torch.prim.ListConstruct"(%53, %3, %1) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %59 = "torch.aten.view"(%57, %58) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %60 = "torch.aten.bmm"(%55, %59) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %61 = "torch.prim.ListConstruct"(%0, %2, %1, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %62 = "torch.aten.view"(%60, %61) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %63 = "torch.constant.float"() <{value = 4.00000000000000000e+00 : f64}> : () -> !torch.float
  %64 = "torch.aten.div.Tensor"(%62, %63) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %65 = "torch.aten.add.Tensor"(%64, %47, %7) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %66 = "torch.aten._softmax"(%65, %41, %21) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %67 = "torch.prim.ListConstruct"(%0, %2, %1, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %68 = "torch.aten.expand"(%66, %67, %21) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %69 = "torch.prim.ListConstruct"(%53, %1, %1) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %70 = "torch.aten.view"(%68, %69) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %71 = "torch.prim.ListConstruct"(%0, %2, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %72 = "torch.aten.expand"(%31, %71, %21) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %73 = "torch.prim.ListConstruct"(%53, %1, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %74 = "torch.aten.view"(%72, %73) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %75 = "torch.aten.bmm"(%70, %74) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %76 = "torch.prim.ListConstruct"(%0, %2, %1, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %77 = "torch.aten.view"(%75, %76) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %78 = "torch.prim.ListConstruct"(%6, %0, %7, %8) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %79 = "torch.aten.permute"(%77, %78) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16],f32>
  %80 = "torch.aten.clone"(%79, %6) : (!torch.vtensor<[2,13,4,16],f32>, !torch.int) -> !torch.vtensor<[2,13,4,16],f32>
  %81 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
  %82 = "torch.prim.ListConstruct"(%0, %1, %81) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %83 = "torch.aten.view"(%80, %82) : (!torch.vtensor<[2,13,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,64],f32>
  return %83 : !torch.vtensor<[2,13,64],f32>
}
