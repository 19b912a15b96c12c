// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[?,4,?,16],f32>, %a1: !torch.vtensor<[?,4,?,16],f32>, %a2: !torch.vtensor<[?,4,?,16],f32>) -> !torch.vtensor<[?,4,?,16],f32> {
  %0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %1 = "torch.aten.size.int"(%a0, %0) : (!torch.vtensor<[?,4,?,16],f32>, !torch.int) -> !torch.int
  %2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %3 = "torch.aten.size.int"(%a0, %2) : (!torch.vtensor<[?,4,?,16],f32>, !torch.int) -> !torch.int
  %4 = "torch.constant.float"() <{value = 5.00000000000000000e-01 : f64}> : () -> !torch.float
  %5 = "torch.aten.mul.Scalar"(%a0, %4) : (!torch.vtensor<[?,4,?,16],f32>, !torch.float) -> !torch.vtensor<[?,4,?,16],f32>
  %6 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %7 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %8 = "torch.prim.ListConstruct"(%0, %6, %7, %2) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %9 = "torch.aten.permute"(%a1, %8) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,4,16,?],f32>
  %10 = "torch.aten.mul.Scalar"(%9, %4) : (!torch.vtensor<[?,4,16,?],f32>, !torch.float) -> !torch.vtensor<[?,4,16,?],f32>
  %11 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %12 = "torch.aten.mul.int"(%1, %11) : (!torch.int, !torch.int) -> !torch.int
  %13 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %14 = "torch.prim.ListConstruct"(%1, %11, %3, %13) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %15 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %16 = "torch.aten.expand"(%5, %14, %15) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,4,?,16],f32>
  %17 = "torch.prim.ListConstruct"(%12, %3, %13) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %18 = "torch.aten.view"(%16, %17) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,16],f32>
  %19 = "torch.prim.ListConstruct"(%1, %11, %13, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %20 = "torch.aten.expand"(%10, %19, %15) : (!torch.vtensor<[?,4,16,?],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,4,16,?],f32>
  %21 = "torch.prim.ListConstruct"(%12, %13, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %22 = "torch.aten.view"(%20, %21) : (!torch.vtensor<[?,4,16,?],f32>, !torch.list<int>) -> !torch.vtensor<[?,16,?],f32>
  %23 = "torch.aten.bmm"(%18, %22) : (!torch.vtensor<[?,?,16],f32>, !torch.vtensor<[?,16,?],f32>) -> !torch.vtensor<[?,?,?],f32>
  %24 = "torch.prim.ListConstruct"(%1, %11, %3, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %25 = "torch.aten.view"(%23, %24) : (!torch.vtensor<[?,?,?],f32>, !torch.list<int>) -> !torch.vtensor<[?,4,?,?],f32>
  %26 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %27 = "torch.aten._softmax"(%25, %26, %15) : (!torch.vtensor<[?,4,?,?],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[?,4,?,?],f32>
  %28 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %29 = "torch.aten.eq.Scalar"(%25, %28) : (!torch.vtensor<[?,4,?,?],f32>, !torch.float) -> !torch.vtensor<[?,4,?,?],i1>
  %30 = "torch.aten.logical_not"(%29) : (!torch.vtensor<[?,4,?,?],i1>) -> !torch.vtensor<[?,4,?,?],i1>
  %31 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %32 = "torch.aten.any.dim"(%30, %26, %31) : (!torch.vtensor<[?,4,?,?],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[?,4,?,1],i1>
  %33 = "torch.aten.logical_not"(%32) : (!torch.vtensor<[?,4,?,1],i1>) -> !torch.vtensor<[?,4,?,1],i1>
  %34 = "torch.constant.none"() : () -> !torch.none
  %35 = "torch.aten.full_like"(%27, %0, %34, %34, %34, %15, %6) : (!torch.vtensor<[?,4,?,?],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.int) -> !torch.vtensor<[?,4,?,?],f32>
  %36 = "torch.aten.where.self"(%33, %35, %27) : (!torch.vtensor<[?,4,?,1],i1>, !torch.vtensor<[?,4,?,?],f32>, !torch.vtensor<[?,4,?,?],f32>) -> !torch.vtensor<[?,4,?,?],f32>
  %37 = "torch.prim.ListConstruct"(%1, %11, %3, %3) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %38 = "torch.aten.expand"(%36, %37, %15) : (!torch.vtensor<[?,4,?,?],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,4,?,?],f32>
  %39 = "torch.prim.ListConstruct"(%12, %3, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %40 = "torch.aten.view"(%38, %39) : (!torch.vtensor<[?,4,?,?],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,?],f32>
  %41 = "torch.prim.ListConstruct"(%1, %11, %3, %13) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %42 = "torch.aten.expand"(%a2, %41, %15) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,4,?,16],f32>
  %43 = "torch.prim.ListConstruct"(%12, %3, %13) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %44 = "torch.aten.view"(%42, %43) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,16],f32>
  %45 = "torch.aten.bmm"(%40, %44) : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,16],f32>) -> !torch.vtensor<[?,?,16],f32>
  %46 = "torch.prim.ListConstruct"(%1, %11, %3, %13) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %47 = "torch.aten.view"(%45, %46) : (!torch.vtensor<[?,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,4,?,16],f32>
  %48 = "torch.prim.ListConstruct"(%2, %0, %6, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %49 = "torch.aten.permute"(%47, %48) : (!torch.vtensor<[?,4,?,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,?,4,16],f32>
  %50 = "torch.aten.clone"(%49, %0) : (!torch.vtensor<[?,?,4,16],f32>, !torch.int) -> !torch.vtensor<[?,?,4,16],f32>
  %51 = "torch.prim.ListConstruct"(%6, %2, %0, %7) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %52 = "torch.aten.permute"(%50, %51) : (!torch.vtensor<[?,?,4,16],f32>, !torch.list<int>) -> !torch.vtensor<[?,4,?,16],f32>
  return %52 : !torch.vtensor<[?,4,?,16],f32>
}
