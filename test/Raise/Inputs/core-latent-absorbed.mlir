// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,1,4,32],f32>, %a1: !torch.vtensor<[2,1,4,8],f32>, %a2: !torch.vtensor<[2,13,32],f32>, %a3: !torch.vtensor<[2,13,8],f32>, %a4: !torch.vtensor<[2,13],i1>) -> !torch.vtensor<[2,1,4,32],f32> {
  %0 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %1 = "torch.aten.unsqueeze"(%a0, %0) : (!torch.vtensor<[2,1,4,32],f32>, !torch.int) -> !torch.vtensor<[2,1,4,32,1],f32>
  %2 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %4 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %5 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %6 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %7 = "torch.aten.permute"(%1, %6) : (!torch.vtensor<[2,1,4,32,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,1,32],f32>
  %8 = "torch.aten.unsqueeze"(%a2, %5) : (!torch.vtensor<[2,13,32],f32>, !torch.int) -> !torch.vtensor<[2,13,32,1],f32>
  %9 = "torch.aten.unsqueeze"(%8, %0) : (!torch.vtensor<[2,13,32,1],f32>, !torch.int) -> !torch.vtensor<[2,13,32,1,1],f32>
  %10 = "torch.prim.ListConstruct"(%2, %5, %0, %3, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %11 = "torch.aten.permute"(%9, %10) : (!torch.vtensor<[2,13,32,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,1,13,32],f32>
  %12 = "torch.prim.ListConstruct"(%2, %4, %0, %3, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %13 = "torch.aten.permute"(%7, %12) : (!torch.vtensor<[2,1,4,1,32],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,32,1,1],f32>
  %14 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
  %15 = "torch.prim.ListConstruct"(%4, %0, %14) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %16 = "torch.aten.view"(%13, %15) : (!torch.vtensor<[2,4,32,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,32],f32>
  %17 = "torch.prim.ListConstruct"(%2, %0, %3, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.permute"(%11, %17) : (!torch.vtensor<[2,1,1,13,32],f32>, !torch.list<int>) -> !torch.vtensor<[2,32,1,13,1],f32>
  %19 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %20 = "torch.prim.ListConstruct"(%4, %14, %19) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %21 = "torch.aten.view"(%18, %20) : (!torch.vtensor<[2,32,1,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,32,13],f32>
  %22 = "torch.aten.bmm"(%16, %21) : (!torch.vtensor<[2,4,32],f32>, !torch.vtensor<[2,32,13],f32>) -> !torch.vtensor<[2,4,13],f32>
  %23 = "torch.prim.ListConstruct"(%4, %0, %3, %3, %19) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %24 = "torch.aten.view"(%22, %23) : (!torch.vtensor<[2,4,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,1,1,13],f32>
  %25 = "torch.prim.ListConstruct"(%2, %5, %3, %0, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %26 = "torch.aten.permute"(%24, %25) : (!torch.vtensor<[2,4,1,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,13,1],f32>
  %27 = "torch.prim.ListConstruct"(%4, %3, %0, %19) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %28 = "torch.aten.view"(%26, %27) : (!torch.vtensor<[2,1,4,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,13],f32>
  %29 = "torch.aten.unsqueeze"(%a1, %0) : (!torch.vtensor<[2,1,4,8],f32>, !torch.int) -> !torch.vtensor<[2,1,4,8,1],f32>
  %30 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %31 = "torch.aten.permute"(%29, %30) : (!torch.vtensor<[2,1,4,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,1,8],f32>
  %32 = "torch.aten.unsqueeze"(%a3, %5) : (!torch.vtensor<[2,13,8],f32>, !torch.int) -> !torch.vtensor<[2,13,8,1],f32>
  %33 = "torch.aten.unsqueeze"(%32, %0) : (!torch.vtensor<[2,13,8,1],f32>, !torch.int) -> !torch.vtensor<[2,13,8,1,1],f32>
  %34 = "torch.prim.ListConstruct"(%2, %5, %0, %3, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %35 = "torch.aten.permute"(%33, %34) : (!torch.vtensor<[2,13,8,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,1,13,8],f32>
  %36 = "torch.prim.ListConstruct"(%2, %4, %0, %3, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %37 = "torch.aten.permute"(%31, %36) : (!torch.vtensor<[2,1,4,1,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,8,1,1],f32>
  %38 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %39 = "torch.prim.ListConstruct"(%4, %0, %38) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %40 = "torch.aten.view"(%37, %39) : (!torch.vtensor<[2,4,8,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,8],f32>
  %41 = "torch.prim.ListConstruct"(%2, %0, %3, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %42 = "torch.aten.permute"(%35, %41) : (!torch.vtensor<[2,1,1,13,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,1,13,1],f32>
  %43 = "torch.prim.ListConstruct"(%4, %38, %19) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %44 = "torch.aten.view"(%42, %43) : (!torch.vtensor<[2,8,1,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13],f32>
  %45 = "torch.aten.bmm"(%40, %44) : (!torch.vtensor<[2,4,8],f32>, !torch.vtensor<[2,8,13],f32>) -> !torch.vtensor<[2,4,13],f32>
  %46 = "torch.prim.ListConstruct"(%4, %0, %3, %3, %19) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.view"(%45, %46) : (!torch.vtensor<[2,4,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,1,1,13],f32>
  %48 = "torch.prim.ListConstruct"(%2, %5, %3, %0, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %49 = "torch.aten.permute"(%47, %48) : (!torch.vtensor<[2,4,1,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,13,1],f32>
  %50 = "torch.prim.ListConstruct"(%4, %3, %0, %19) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %51 = "torch.aten.view"(%49, %50) : (!torch.vtensor<[2,1,4,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,13],f32>
  %52 = "torch.aten.add.Tensor"(%28, %51, %3) : (!torch.vtensor<[2,1,4,13],f32>, !torch.vtensor<[2,1,4,13],f32>, !torch.int) -> !torch.vtensor<[2,1,4,13],f32>
  %53 = "torch.constant.float"() <{value = 2.00000000000000011e-01 : f64}> : () -> !torch.float
  %54 = "torch.aten.mul.Tensor"(%52, %53) : (!torch.vtensor<[2,1,4,13],f32>, !torch.float) -> !torch.vtensor<[2,1,4,13],f32>
  %55 = "torch.aten.unsqueeze"(%a4, %3) : (!torch.vtensor<[2,13],i1>, !torch.int) -> !torch.vtensor<[2,1,13],i1>
  %56 = "torch.aten.unsqueeze"(%55, %4) : (!torch.vtensor<[2,1,13],i1>, !torch.int) -> !torch.vtensor<[2,1,1,13],i1>
  %57 = "torch.aten.bitwise_not"(%56) : (!torch.vtensor<[2,1,1,13],i1>) -> !torch.vtensor<[2,1,1,13],i1>
  %58 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %59 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
  %60 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %61 = "torch.constant.none"() : () -> !torch.none
  %62 = "torch.aten.scalar_tensor"(%58, %59, %2, %60, %61) : (!torch.float, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[],f32>
  %63 = "torch.aten.where.self"(%57, %62, %54) : (!torch.vtensor<[2,1,1,13],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[2,1,4,13],f32>) -> !torch.vtensor<[2,1,4,13],f32>
  %64 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %65 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %66 = "torch.aten._softmax"(%63, %64, %65) : (!torch.vtensor<[2,1,4,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,1,4,13],f32>
  %67 = "torch.aten.unsqueeze"(%66, %0) : (!torch.vtensor<[2,1,4,13],f32>, !torch.int) -> !torch.vtensor<[2,1,4,13,1],f32>
  %68 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %69 = "torch.aten.permute"(%67, %68) : (!torch.vtensor<[2,1,4,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,1,13],f32>
  %70 = "torch.aten.unsqueeze"(%a2, %5) : (!torch.vtensor<[2,13,32],f32>, !torch.int) -> !torch.vtensor<[2,13,32,1],f32>
  %71 = "torch.aten.unsqueeze"(%70, %0) : (!torch.vtensor<[2,13,32,1],f32>, !torch.int) -> !torch.vtensor<[2,13,32,1,1],f32>
  %72 = "torch.prim.ListConstruct"(%2, %5, %0, %4, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %73 = "torch.aten.permute"(%71, %72) : (!torch.vtensor<[2,13,32,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,1,32,13],f32>
  %74 = "torch.prim.ListConstruct"(%2, %4, %0, %3, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %75 = "torch.aten.permute"(%69, %74) : (!torch.vtensor<[2,1,4,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,1],f32>
  %76 = "torch.prim.ListConstruct"(%4, %0, %19) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %77 = "torch.aten.view"(%75, %76) : (!torch.vtensor<[2,4,13,1,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13],f32>
  %78 = "torch.prim.ListConstruct"(%2, %0, %3, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %79 = "torch.aten.permute"(%73, %78) : (!torch.vtensor<[2,1,1,32,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,1,32,1],f32>
  %80 = "torch.prim.ListConstruct"(%4, %19, %14) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %81 = "torch.aten.view"(%79, %80) : (!torch.vtensor<[2,13,1,32,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,32],f32>
  %82 = "torch.aten.bmm"(%77, %81) : (!torch.vtensor<[2,4,13],f32>, !torch.vtensor<[2,13,32],f32>) -> !torch.vtensor<[2,4,32],f32>
  %83 = "torch.prim.ListConstruct"(%4, %0, %3, %3, %14) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %84 = "torch.aten.view"(%82, %83) : (!torch.vtensor<[2,4,32],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,1,1,32],f32>
  %85 = "torch.prim.ListConstruct"(%2, %5, %3, %0, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %86 = "torch.aten.permute"(%84, %85) : (!torch.vtensor<[2,4,1,1,32],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,32,1],f32>
  %87 = "torch.prim.ListConstruct"(%4, %3, %0, %14) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %88 = "torch.aten.view"(%86, %87) : (!torch.vtensor<[2,1,4,32,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,32],f32>
  return %88 : !torch.vtensor<[2,1,4,32],f32>
}
