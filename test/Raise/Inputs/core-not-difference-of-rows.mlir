// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,13,8,8],f32>, %a1: !torch.vtensor<[2,13,8,8],f32>, %a2: !torch.vtensor<[2,13,4,16],f32>, %a3: !torch.vtensor<[2,4,13,1],f32>) -> !torch.vtensor<[2,4,13,16],f32> {
  %0 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %1 = "torch.aten.unsqueeze"(%a0, %0) : (!torch.vtensor<[2,13,8,8],f32>, !torch.int) -> !torch.vtensor<[2,13,8,8,1],f32>
  %2 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %4 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %5 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %6 = "torch.prim.ListConstruct"(%2, %3, %4, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %7 = "torch.aten.permute"(%1, %6) : (!torch.vtensor<[2,13,8,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,1,8],f32>
  %8 = "torch.aten.unsqueeze"(%a1, %0) : (!torch.vtensor<[2,13,8,8],f32>, !torch.int) -> !torch.vtensor<[2,13,8,8,1],f32>
  %9 = "torch.prim.ListConstruct"(%2, %3, %0, %4, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %10 = "torch.aten.permute"(%8, %9) : (!torch.vtensor<[2,13,8,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,1,13,8],f32>
  %11 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %12 = "torch.aten.permute"(%7, %11) : (!torch.vtensor<[2,8,13,1,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,8,1],f32>
  %13 = "torch.aten.clone"(%12, %2) : (!torch.vtensor<[2,8,13,8,1],f32>, !torch.int) -> !torch.vtensor<[2,8,13,8,1],f32>
  %14 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %15 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %16 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %17 = "torch.prim.ListConstruct"(%14, %15, %16) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.view"(%13, %17) : (!torch.vtensor<[2,8,13,8,1],f32>, !torch.list<int>) -> !torch.vtensor<[16,13,8],f32>
  %19 = "torch.prim.ListConstruct"(%2, %4, %0, %5, %3) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %20 = "torch.aten.permute"(%10, %19) : (!torch.vtensor<[2,8,1,13,8],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,8,13,1],f32>
  %21 = "torch.aten.clone"(%20, %2) : (!torch.vtensor<[2,8,8,13,1],f32>, !torch.int) -> !torch.vtensor<[2,8,8,13,1],f32>
  %22 = "torch.prim.ListConstruct"(%14, %16, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %23 = "torch.aten.view"(%21, %22) : (!torch.vtensor<[2,8,8,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[16,8,13],f32>
  %24 = "torch.aten.bmm"(%18, %23) : (!torch.vtensor<[16,13,8],f32>, !torch.vtensor<[16,8,13],f32>) -> !torch.vtensor<[16,13,13],f32>
  %25 = "torch.prim.ListConstruct"(%3, %16, %15, %4, %15) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %26 = "torch.aten.view"(%24, %25) : (!torch.vtensor<[16,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,1,13],f32>
  %27 = "torch.prim.ListConstruct"(%2, %4, %3, %0, %5) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %28 = "torch.aten.permute"(%26, %27) : (!torch.vtensor<[2,8,13,1,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,13,1],f32>
  %29 = "torch.prim.ListConstruct"(%3, %16, %15, %15) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %30 = "torch.aten.view"(%28, %29) : (!torch.vtensor<[2,8,13,13,1],f32>, !torch.list<int>) -> !torch.vtensor<[2,8,13,13],f32>
  %31 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %32 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %33 = "torch.aten._softmax"(%30, %31, %32) : (!torch.vtensor<[2,8,13,13],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,8,13,13],f32>
  %34 = "torch.prim.ListConstruct"(%3, %0, %3, %15, %15) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %35 = "torch.aten.view"(%33, %34) : (!torch.vtensor<[2,8,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,2,13,13],f32>
  %36 = "torch.aten.select.int"(%35, %3, %2) : (!torch.vtensor<[2,4,2,13,13],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %37 = "torch.aten.select.int"(%35, %3, %4) : (!torch.vtensor<[2,4,2,13,13],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %38 = "torch.aten.mul.Tensor"(%a3, %37) : (!torch.vtensor<[2,4,13,1],f32>, !torch.vtensor<[2,4,13,13],f32>) -> !torch.vtensor<[2,4,13,13],f32>
  %39 = "torch.aten.sub.Tensor"(%36, %38, %4) : (!torch.vtensor<[2,4,13,13],f32>, !torch.vtensor<[2,4,13,13],f32>, !torch.int) -> !torch.vtensor<[2,4,13,13],f32>
  %40 = "torch.prim.ListConstruct"(%2, %3, %4, %5) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %41 = "torch.aten.permute"(%a2, %40) : (!torch.vtensor<[2,13,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  %42 = "torch.prim.ListConstruct"(%3, %0, %15, %15) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.expand"(%39, %42, %32) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,13],f32>
  %44 = "torch.prim.ListConstruct"(%16, %15, %15) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.view"(%43, %44) : (!torch.vtensor<[2,4,13,13],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,13],f32>
  %46 = "torch.prim.ListConstruct"(%3, %0, %15, %14) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.expand"(%41, %46, %32) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %48 = "torch.aten.clone"(%47, %2) : (!torch.vtensor<[2,4,13,16],f32>, !torch.int) -> !torch.vtensor<[2,4,13,16],f32>
  %49 = "torch.prim.ListConstruct"(%16, %15, %14) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %50 = "torch.aten.view"(%48, %49) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %51 = "torch.aten.bmm"(%45, %50) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  %52 = "torch.prim.ListConstruct"(%3, %0, %15, %14) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %53 = "torch.aten.view"(%51, %52) : (!torch.vtensor<[8,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,16],f32>
  return %53 : !torch.vtensor<[2,4,13,16],f32>
}
