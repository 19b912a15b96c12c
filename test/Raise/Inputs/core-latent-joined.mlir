// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,13,4,16],f32>, %a1: !torch.vtensor<[2,13,4,8],f32>, %a2: !torch.vtensor<[2,13,4,16],f32>, %a3: !torch.vtensor<[2,13,8],f32>, %a4: !torch.vtensor<[2,13,4,12],f32>) -> !torch.vtensor<[2,13,48],f32> {
  %0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %2 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %4 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %5 = "torch.aten.permute"(%a0, %4) : (!torch.vtensor<[2,13,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %6 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %7 = "torch.aten.permute"(%a1, %6) : (!torch.vtensor<[2,13,4,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,8],f32>
  %8 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %9 = "torch.aten.permute"(%a2, %8) : (!torch.vtensor<[2,13,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %10 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %11 = "torch.aten.permute"(%a4, %10) : (!torch.vtensor<[2,13,4,12],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,12],f32>
  %12 = "torch.prim.ListConstruct"(%5, %7) : (!torch.vtensor<[2,4,13,16],f32>, !torch.vtensor<[2,4,13,8],f32>) -> !torch.list<vtensor<[2,4,13,16],f32>>
  %13 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %14 = "torch.aten.cat"(%12, %13) : (!torch.list<vtensor<[2,4,13,16],f32>>, !torch.int) -> !torch.vtensor<[2,4,13,24],f32>
  %15 = "torch.aten.unsqueeze"(%a3, %2) : (!torch.vtensor<[2,13,8],f32>, !torch.int) -> !torch.vtensor<[2,1,13,8],f32>
  %16 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %17 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %18 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %19 = "torch.prim.ListConstruct"(%1, %16, %17, %18) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %20 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %21 = "torch.aten.expand"(%15, %19, %20) : (!torch.vtensor<[2,1,13,8],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,8],f32>
  %22 = "torch.prim.ListConstruct"(%9, %21) : (!torch.vtensor<[2,4,13,16],f32>, !torch.vtensor<[2,4,13,8],f32>) -> !torch.list<vtensor<[2,4,13,16],f32>>
  %23 = "torch.aten.cat"(%22, %13) : (!torch.list<vtensor<[2,4,13,16],f32>>, !torch.int) -> !torch.vtensor<[2,4,13,24],f32>
  %24 = "torch.prim.ListConstruct"(%17, %17) : (!torch.int, !torch.int) -> !torch.list<int>
  %25 = "torch.constant.float"() <{value = -3.40282346638528860e+38 : f64}> : () -> !torch.float
  %26 = "torch.constant.none"() : () -> !torch.none
  %27 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %28 = "torch.aten.full"(%24, %25, %26, %26, %27, %20) : (!torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],f32>
  %29 = "torch.aten.arange.start_step"(%0, %17, %2, %26, %0, %27, %20) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %30 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %31 = "torch.aten.unsqueeze"(%29, %30) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %32 = "torch.aten.arange.start_step"(%0, %17, %2, %26, %0, %27, %20) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %33 = "torch.aten.unsqueeze"(%32, %13) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %34 = "torch.aten.sub.Tensor"(%31, %33, %2) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %35 = "torch.aten.ge.Scalar"(%34, %2) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %36 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %37 = "torch.aten.scalar_tensor"(%0, %36, %0, %27, %26) : (!torch.int, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %38 = "torch.aten.where.self"(%35, %28, %37) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[13,13],f32>
  %39 = "torch.prim.ListConstruct"(%0, %2, %3, %1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %40 = "torch.aten.permute"(%23, %39) : (!torch.vtensor<[2,4,13,24],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,24,13],f32>
  %41 = "torch.constant.int"() <{value = 24 : i64}> : () -> !torch.int
  %42 = "torch.prim.ListConstruct"(%1, %16, %17, %41) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.expand"(%14, %42, %20) : (!torch.vtensor<[2,4,13,24],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,24],f32>
  %44 = "torch.prim.ListConstruct"(%18, %17, %41) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.view"(%43, %44) : (!torch.vtensor<[2,4,13,24],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,24],f32>
  %46 = "torch.prim.ListConstruct"(%1, %16, %41, %17) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.expand"(%40, %46, %20) : (!torch.vtensor<[2,4,24,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,24,13],f32>
  %48 = "torch.prim.ListConstruct"(%18, %41, %17) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %49 = "torch.aten.view"(%47, %48) : (!torch.vtensor<[2,4,24,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,24,13],f32>
  %50 = "torch.aten.bmm"(%45, %49) : (!torch.vtensor<[8,13,24],f32>, !torch.vtensor<[8,24,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %51 = "torch.prim.ListConstruct"(%1, %16, %17, %17) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %52 = "torch.aten.view"(%50, %51) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %53 = "torch.constant.float"() <{value = 2.04124145231931509e-01 : f64}> : () -> !torch.float
  %54 = "torch.aten.mul.Tensor"(%52, %53) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %55 = "torch.aten.add.Tensor"(%54, %38, %2) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %56 = "torch.aten._softmax"(%55, %13, %20) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %57 = "torch.prim.ListConstruct"(%1, %16, %17, %17) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %58 = "torch.aten.expand"(%56, %57, %20) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %59 = "torch.prim.ListConstruct"(%18, %17, %17) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %60 = "torch.aten.view"(%58, %59) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %61 = "torch.constant.int"() <{value = 12 : i64}> : () -> !torch.int
  %62 = "torch.prim.ListConstruct"(%1, %16, %17, %61) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %63 = "torch.aten.expand"(%11, %62, %20) : (!torch.vtensor<[2,4,13,12],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,12],f32>
  %64 = "torch.aten.clone"(%63, %0) : (!torch.vtensor<[2,4,13,12],f32>, !torch.int) -> !torch.vtensor<[2,4,13,12],f32>
  %65 = "torch.prim.ListConstruct"(%18, %17, %61) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %66 = "torch.aten.view"(%64, %65) : (!torch.vtensor<[2,4,13,12],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,12],f32>
  %67 = "torch.aten.bmm"(%60, %66) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,12],f32>) -> !torch.vtensor<[8,13,12],f32>
  %68 = "torch.prim.ListConstruct"(%1, %16, %17, %61) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %69 = "torch.aten.view"(%67, %68) : (!torch.vtensor<[8,13,12],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,12],f32>
  %70 = "torch.prim.ListConstruct"(%0, %1, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %71 = "torch.aten.permute"(%69, %70) : (!torch.vtensor<[2,4,13,12],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,12],f32>
  %72 = "torch.aten.clone"(%71, %0) : (!torch.vtensor<[2,13,4,12],f32>, !torch.int) -> !torch.vtensor<[2,13,4,12],f32>
  %73 = "torch.constant.int"() <{value = 48 : i64}> : () -> !torch.int
  %74 = "torch.prim.ListConstruct"(%1, %17, %73) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %75 = "torch.aten.view"(%72, %74) : (!torch.vtensor<[2,13,4,12],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,48],f32>
  return %75 : !torch.vtensor<[2,13,48],f32>
}
