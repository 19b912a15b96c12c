// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f32>, %a1: !torch.vtensor<[2,2,13,16],f32>, %a2: !torch.vtensor<[2,2,13,16],f32>, %a3: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4,13,16],f32> {
  %0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %1 = "torch.aten.unsqueeze"(%a1, %0) : (!torch.vtensor<[2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,1,13,16],f32>
  %2 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %4 = "torch.prim.ListConstruct"(%0, %0, %0, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %5 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %6 = "torch.aten.expand"(%1, %4, %5) : (!torch.vtensor<[2,2,1,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,13,16],f32>
  %7 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %8 = "torch.aten.clone"(%6, %7) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,2,13,16],f32>
  %9 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %10 = "torch.prim.ListConstruct"(%0, %9, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %11 = "torch.aten.view"(%8, %10) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %12 = "torch.aten.unsqueeze"(%a2, %0) : (!torch.vtensor<[2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,1,13,16],f32>
  %13 = "torch.prim.ListConstruct"(%0, %0, %0, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %14 = "torch.aten.expand"(%12, %13, %5) : (!torch.vtensor<[2,2,1,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,2,2,13,16],f32>
  %15 = "torch.aten.clone"(%14, %7) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.int) -> !torch.vtensor<[2,2,2,13,16],f32>
  %16 = "torch.prim.ListConstruct"(%0, %9, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %17 = "torch.aten.view"(%15, %16) : (!torch.vtensor<[2,2,2,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %18 = "torch.prim.ListConstruct"(%2, %2) : (!torch.int, !torch.int) -> !torch.list<int>
  %19 = "torch.constant.float"() <{value = -3.40282346638528860e+38 : f64}> : () -> !torch.float
  %20 = "torch.constant.none"() : () -> !torch.none
  %21 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %22 = "torch.aten.full"(%18, %19, %20, %20, %21, %5) : (!torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[13,13],f32>
  %23 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %24 = "torch.aten.arange.start_step"(%7, %2, %23, %20, %7, %21, %5) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %25 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %26 = "torch.aten.unsqueeze"(%24, %25) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[1,13],si64>
  %27 = "torch.aten.arange.start_step"(%7, %2, %23, %20, %7, %21, %5) : (!torch.int, !torch.int, !torch.int, !torch.none, !torch.int, !torch.Device, !torch.bool) -> !torch.vtensor<[13],si64>
  %28 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %29 = "torch.aten.unsqueeze"(%27, %28) : (!torch.vtensor<[13],si64>, !torch.int) -> !torch.vtensor<[13,1],si64>
  %30 = "torch.aten.sub.Tensor"(%26, %29, %23) : (!torch.vtensor<[1,13],si64>, !torch.vtensor<[13,1],si64>, !torch.int) -> !torch.vtensor<[13,13],si64>
  %31 = "torch.aten.ge.Scalar"(%30, %23) : (!torch.vtensor<[13,13],si64>, !torch.int) -> !torch.vtensor<[13,13],i1>
  %32 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %33 = "torch.aten.scalar_tensor"(%7, %32, %7, %21, %20) : (!torch.int, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %34 = "torch.aten.where.self"(%31, %22, %33) : (!torch.vtensor<[13,13],i1>, !torch.vtensor<[13,13],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[13,13],f32>
  %35 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %36 = "torch.prim.ListConstruct"(%7, %23, %35, %0) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %37 = "torch.aten.permute"(%11, %36) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,13],f32>
  %38 = "torch.prim.ListConstruct"(%0, %9, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %39 = "torch.aten.expand"(%a0, %38, %5) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %40 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %41 = "torch.prim.ListConstruct"(%40, %2, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %42 = "torch.aten.view"(%39, %41) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %43 = "torch.prim.ListConstruct"(%0, %9, %3, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %44 = "torch.aten.expand"(%37, %43, %5) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,13],f32>
  %45 = "torch.prim.ListConstruct"(%40, %3, %2) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %46 = "torch.aten.view"(%44, %45) : (!torch.vtensor<[2,4,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,13],f32>
  %47 = "torch.aten.bmm"(%42, %46) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>) -> !torch.vtensor<[8,13,13],f32>
  %48 = "torch.prim.ListConstruct"(%0, %9, %2, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %49 = "torch.aten.view"(%47, %48) : (!torch.vtensor<[8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13],f32>
  %50 = "torch.constant.float"() <{value = 2.50000000000000000e-01 : f64}> : () -> !torch.float
  %51 = "torch.aten.mul.Tensor"(%49, %50) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %52 = "torch.aten.add.Tensor"(%51, %34, %23) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %53 = "torch.prim.ListConstruct"(%23, %28, %23, %23) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %54 = "torch.aten.view"(%a3, %53) : (!torch.vtensor<[4],f32>, !torch.list<int>) -> !torch.vtensor<[1,4,1,1],f32>
  %55 = "torch.prim.ListConstruct"(%0, %28, %2, %23) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %56 = "torch.aten.expand"(%54, %55, %5) : (!torch.vtensor<[1,4,1,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,1],f32>
  %57 = "torch.prim.ListConstruct"(%52, %56) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,1],f32>) -> !torch.list<vtensor<[2,4,13,13],f32>>
  %58 = "torch.aten.cat"(%57, %28) : (!torch.list<vtensor<[2,4,13,13],f32>>, !torch.int) -> !torch.vtensor<[2,4,13,14],f32>
  %59 = "torch.prim.ListConstruct"(%28) : (!torch.int) -> !torch.list<int>
  %60 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %61 = "torch.aten.amax"(%58, %59, %60) : (!torch.vtensor<[2,4,13,14],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,1],f32>
  %62 = "torch.aten.sub.Tensor"(%58, %61, %23) : (!torch.vtensor<[2,4,13,14],f32>, !torch.vtensor<[2,4,13,1],f32>, !torch.int) -> !torch.vtensor<[2,4,13,14],f32>
  %63 = "torch.aten._softmax"(%62, %28, %5) : (!torch.vtensor<[2,4,13,14],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,14],f32>
  %64 = "torch.aten.slice.Tensor"(%63, %35, %7, %28, %23) : (!torch.vtensor<[2,4,13,14],f32>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %65 = "torch.prim.ListConstruct"(%0, %9, %2, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %66 = "torch.aten.expand"(%64, %65, %5) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %67 = "torch.prim.ListConstruct"(%40, %2, %2) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %68 = "torch.aten.view"(%66, %67) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %69 = "torch.prim.ListConstruct"(%0, %9, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %70 = "torch.aten.expand"(%17, %69, %5) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %71 = "torch.prim.ListConstruct"(%40, %2, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %72 = "torch.aten.view"(%70, %71) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %73 = "torch.aten.bmm"(%68, %72) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %74 = "torch.prim.ListConstruct"(%0, %9, %2, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %75 = "torch.aten.view"(%73, %74) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  return %75 : !torch.vtensor<[2,4,13,16],f32>
}
