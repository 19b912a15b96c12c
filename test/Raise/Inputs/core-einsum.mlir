// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,13,4,16],f32>, %a1: !torch.vtensor<[2,13,4,16],f32>, %a2: !torch.vtensor<[2,13,4,16],f32>) -> !torch.vtensor<[2,13,4,16],f32> {
  %0 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %1 = "torch.aten.unsqueeze"(%a0, %0) : (!torch.vtensor<[2,13,4,16],f32>, !torch.int) -> !torch.vtensor<[2,13,4,16,1],f32>
  %2 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %4 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %5 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %6 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %7 = "torch.aten.permute"(%1, %6) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,16],f32>
  %8 = "torch.aten.unsqueeze"(%a1, %0) : (!torch.vtensor<[2,13,4,16],f32>, !torch.int) -> !torch.vtensor<[2,13,4,16,1],f32>
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
  %31 = "torch.constant.float"() <{value = 2.50000000000000000e-01 : f64}> : () -> !torch.float
  %32 = "torch.aten.mul.Tensor"(%30, %31) : (!torch.vtensor<[2,4,13,13],f32>, !torch.float) -> !torch.vtensor<[2,4,13,13],f32>
  %33 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %34 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %35 = "torch.aten._softmax"(%32, %33, %34) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %36 = "torch.aten.unsqueeze"(%35, %0) : (!torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13,1],f32>
  %37 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %38 = "torch.aten.permute"(%36, %37) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,1,13],f32>
  %39 = "torch.aten.unsqueeze"(%a2, %0) : (!torch.vtensor<[2,13,4,16],f32>, !torch.int) -> !torch.vtensor<[2,13,4,16,1],f32>
  %40 = "torch.prim.ListConstruct"(%2, %0, %3, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %41 = "torch.aten.permute"(%39, %40) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,1,4,16,13],f32>
  %42 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.permute"(%38, %42) : (!torch.vtensor<[2,13,4,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,13,1],f32>
  %44 = "torch.prim.ListConstruct"(%14, %15, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.view"(%43, %44) : (!torch.vtensor<[2,4,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %46 = "torch.prim.ListConstruct"(%2, %3, %0, %5, %4) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.permute"(%41, %46) : (!torch.vtensor<[2,1,4,16,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16,1],f32>
  %48 = "torch.aten.clone"(%47, %2) : (!torch.vtensor<[2,4,13,16,1],f32>, !torch.int) -> !torch.vtensor<[2,4,13,16,1],f32>
  %49 = "torch.prim.ListConstruct"(%14, %15, %16) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %50 = "torch.aten.view"(%48, %49) : (!torch.vtensor<[2,4,13,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %51 = "torch.aten.bmm"(%45, %50) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %52 = "torch.prim.ListConstruct"(%3, %0, %15, %4, %16) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %53 = "torch.aten.view"(%51, %52) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,1,16],f32>
  %54 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %55 = "torch.aten.permute"(%53, %54) : (!torch.vtensor<[2,4,13,1,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16,1],f32>
  %56 = "torch.prim.ListConstruct"(%3, %15, %0, %16) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %57 = "torch.aten.view"(%55, %56) : (!torch.vtensor<[2,13,4,16,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,13,4,16],f32>
  return %57 : !torch.vtensor<[2,13,4,16],f32>
}
