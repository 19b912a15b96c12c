// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,13,64],f32>, %a1: !torch.vtensor<[2,13,64],f32>, %a2: !torch.vtensor<[2,13,4,16],f32>, %a3: !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4,13,16],f32> {
  %0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %2 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %3 = "torch.prim.ListConstruct"(%0, %1, %2, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %4 = "torch.aten.view"(%a0, %3) : (!torch.vtensor<[2,13,64],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,8,8],f32>
  %5 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %6 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %7 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %8 = "torch.prim.ListConstruct"(%5, %0, %6, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %9 = "torch.aten.permute"(%4, %8) : (!torch.vtensor<[2,13,8,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,8],f32>
  %10 = "torch.prim.ListConstruct"(%0, %1, %2, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %11 = "torch.aten.view"(%a1, %10) : (!torch.vtensor<[2,13,64],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,8,8],f32>
  %12 = "torch.prim.ListConstruct"(%5, %0, %6, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %13 = "torch.aten.permute"(%11, %12) : (!torch.vtensor<[2,13,8,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,8],f32>
  %14 = "torch.prim.ListConstruct"(%1, %1) : (!torch.int, !torch.int) -> !torch.list<int>
  %15 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %16 = "torch.constant.none"() : () -> !torch.none
  %17 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %18 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %19 = "torch.aten.full"(%14, %15, %16, %16, %17, %18) : (!torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],f32>
  %20 = "torch.aten.arange.start_step"(%5, %1, %6, %16, %5, %17, %18) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %21 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %22 = "torch.aten.unsqueeze"(%20, %21) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %23 = "torch.aten.arange.start_step"(%5, %1, %6, %16, %5, %17, %18) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %24 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %25 = "torch.aten.unsqueeze"(%23, %24) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %26 = "torch.aten.sub.Tensor"(%22, %25, %6) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %27 = "torch.aten.ge.Scalar"(%26, %6) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %28 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %29 = "torch.aten.scalar_tensor"(%5, %28, %5, %17, %16) : (!torch.int, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %30 = "torch.aten.where.self"(%27, %19, %29) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[13,13],f32>
  %31 = "torch.constant.float"() <{value = 3.53553390593273786e-01 : f64}> : () -> !torch.float
  %32 = "torch.aten.mul.Tensor"(%9, %31) : (!torch.vtensor<[2,8,13,8],f32>, !torch.float) -> !torch.vtensor<[2,8,13,8],f32>
  %33 = "torch.prim.ListConstruct"(%5, %6, %7, %0) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %34 = "torch.aten.permute"(%13, %33) : (!torch.vtensor<[2,8,13,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,8,13],f32>
  %35 = "torch.prim.ListConstruct"(%0, %2, %1, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %36 = "torch.aten.expand"(%32, %35, %18) : (!torch.vtensor<[2,8,13,8],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,8,13,8],f32>
  %37 = "torch.aten.clone"(%36, %5) : (!torch.vtensor<[2,8,13,8],f32>, !torch.int) -> !torch.vtensor<[2,8,13,8],f32>
  %38 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %39 = "torch.prim.ListConstruct"(%38, %1, %2) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %40 = "torch.aten.view"(%37, %39) : (!torch.vtensor<[2,8,13,8],f32>, !torch.list<int>) -> !torch.vtensor<[16,13,8],f32>
  %41 = "torch.prim.ListConstruct"(%0, %2, %2, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %42 = "torch.aten.expand"(%34, %41, %18) : (!torch.vtensor<[2,8,8,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,8,8,13],f32>
  %43 = "torch.aten.clone"(%42, %5) : (!torch.vtensor<[2,8,8,13],f32>, !torch.int) -> !torch.vtensor<[2,8,8,13],f32>
  %44 = "torch.prim.ListConstruct"(%38, %2, %1) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.view"(%43, %44) : (!torch.vtensor<[2,8,8,13],f32>, !torch.list<int>) -> !torch.vtensor<[16,8,13],f32>
  %46 = "torch.aten.bmm"(%40, %45) : (!torch.vtensor<[16,13,8],f32>, !torch.vtensor<[16,8,13],f32>) -> !torch.vtensor<[16,13,13],f32>
  %47 = "torch.prim.ListConstruct"(%0, %2, %1, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %48 = "torch.aten.view"(%46, %47) : (!torch.vtensor<[16,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,13],f32>
  %49 = "torch.aten.add.Tensor"(%48, %30, %6) : (!torch.vtensor<[2,8,13,13],f32>, !torch.vtensor<[13,13],f32>, !torch.int) -> !torch.vtensor<[2,8,13,13],f32>
  %50 = "torch.aten._softmax"(%49, %24, %18) : (!torch.vtensor<[2,8,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,8,13,13],f32>
  %51 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %52 = "torch.prim.ListConstruct"(%0, %51, %0, %1, %1) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %53 = "torch.aten.view"(%50, %52) : (!torch.vtensor<[2,8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,2,13,13],f32>
  %54 = "torch.aten.select.int"(%53, %0, %5) : (!torch.vtensor<[2,4,2,13,13],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %55 = "torch.aten.exp"(%a3) : (!torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>
  %56 = "torch.constant.float"() <{value = 2.00000000000000011e-01 : f64}> : () -> !torch.float
  %57 = "torch.aten.add.Tensor"(%55, %56, %6) : (!torch.vtensor<[],f32>, !torch.float, !torch.int) -> !torch.vtensor<[],f32>
  %58 = "torch.aten.select.int"(%53, %0, %6) : (!torch.vtensor<[2,4,2,13,13],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %59 = "torch.aten.mul.Tensor"(%57, %58) : (!torch.vtensor<[],f32>, !torch.vtensor<[2,4,13,13],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %60 = "torch.aten.sub.Tensor"(%54, %59, %6) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %61 = "torch.prim.ListConstruct"(%5, %0, %6, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %62 = "torch.aten.permute"(%a2, %61) : (!torch.vtensor<[2,13,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %63 = "torch.prim.ListConstruct"(%0, %51, %1, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %64 = "torch.aten.expand"(%60, %63, %18) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %65 = "torch.prim.ListConstruct"(%2, %1, %1) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %66 = "torch.aten.view"(%64, %65) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %67 = "torch.prim.ListConstruct"(%0, %51, %1, %38) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %68 = "torch.aten.expand"(%62, %67, %18) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %69 = "torch.aten.clone"(%68, %5) : (!torch.vtensor<[2,4,13,16],f32>, !torch.int) -> !torch.vtensor<[2,4,13,16],f32>
  %70 = "torch.prim.ListConstruct"(%2, %1, %38) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %71 = "torch.aten.view"(%69, %70) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %72 = "torch.aten.bmm"(%66, %71) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %73 = "torch.prim.ListConstruct"(%0, %51, %1, %38) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %74 = "torch.aten.view"(%72, %73) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  return %74 : !torch.vtensor<[2,4,13,16],f32>
}
