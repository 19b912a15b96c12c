// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[2,4,13,16],f32>, %a1: !torch.vtensor<[2,4,11,16],f32>, %a2: !torch.vtensor<[2,4,11,9],f32>) -> !torch.vtensor<[2,4,13,9],f32> {
  %0 = "torch.constant.float"() <{value = 5.00000000000000000e-01 : f64}> : () -> !torch.float
  %1 = "torch.aten.mul.Scalar"(%a0, %0) : (!torch.vtensor<[2,4,13,16],f32>, !torch.float) -> !torch.vtensor<[2,4,13,16],f32>
  %2 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %3 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %4 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %5 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %6 = "torch.prim.ListConstruct"(%2, %3, %4, %5) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %7 = "torch.aten.permute"(%a1, %6) : (!torch.vtensor<[2,4,11,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,11],f32>
  %8 = "torch.aten.mul.Scalar"(%7, %0) : (!torch.vtensor<[2,4,16,11],f32>, !torch.float) -> !torch.vtensor<[2,4,16,11],f32>
  %9 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %10 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %11 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
  %12 = "torch.prim.ListConstruct"(%5, %9, %10, %11) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %13 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %14 = "torch.aten.expand"(%1, %12, %13) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,16],f32>
  %15 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %16 = "torch.prim.ListConstruct"(%15, %10, %11) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %17 = "torch.aten.view"(%14, %16) : (!torch.vtensor<[2,4,13,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,16],f32>
  %18 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %19 = "torch.prim.ListConstruct"(%5, %9, %11, %18) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %20 = "torch.aten.expand"(%8, %19, %13) : (!torch.vtensor<[2,4,16,11],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,16,11],f32>
  %21 = "torch.prim.ListConstruct"(%15, %11, %18) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %22 = "torch.aten.view"(%20, %21) : (!torch.vtensor<[2,4,16,11],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,11],f32>
  %23 = "torch.aten.bmm"(%17, %22) : (!torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,11],f32>) -> !torch.vtensor<[8,13,11],f32>
  %24 = "torch.prim.ListConstruct"(%5, %9, %10, %18) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %25 = "torch.aten.view"(%23, %24) : (!torch.vtensor<[8,13,11],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,11],f32>
  %26 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %27 = "torch.aten._softmax"(%25, %26, %13) : (!torch.vtensor<[2,4,13,11],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,11],f32>
  %28 = "torch.constant.float"() <{value = 0xFFF0000000000000 : f64}> : () -> !torch.float
  %29 = "torch.aten.eq.Scalar"(%25, %28) : (!torch.vtensor<[2,4,13,11],f32>, !torch.float) -> !torch.vtensor<[2,4,13,11],i1>
  %30 = "torch.aten.logical_not"(%29) : (!torch.vtensor<[2,4,13,11],i1>) -> !torch.vtensor<[2,4,13,11],i1>
  %31 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %32 = "torch.aten.any.dim"(%30, %26, %31) : (!torch.vtensor<[2,4,13,11],i1>, !torch.int, !torch.bool) -> !torch.vtensor<[2,4,13,1],i1>
  %33 = "torch.aten.logical_not"(%32) : (!torch.vtensor<[2,4,13,1],i1>) -> !torch.vtensor<[2,4,13,1],i1>
  %34 = "torch.constant.none"() : () -> !torch.none
  %35 = "torch.aten.full_like"(%27, %2, %34, %34, %34, %13, %3) : (!torch.vtensor<[2,4,13,11],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.int) -> !torch.vtensor<[2,4,13,11],f32>
  %36 = "torch.aten.where.self"(%33, %35, %27) : (!torch.vtensor<[2,4,13,1],i1>, !torch.vtensor<[2,4,13,11],f32>, !torch.vtensor<[2,4,13,11],f32>) -> !torch.vtensor<[2,4,13,11],f32>
  %37 = "torch.prim.ListConstruct"(%5, %9, %10, %18) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %38 = "torch.aten.expand"(%36, %37, %13) : (!torch.vtensor<[2,4,13,11],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,13,11],f32>
  %39 = "torch.prim.ListConstruct"(%15, %10, %18) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %40 = "torch.aten.view"(%38, %39) : (!torch.vtensor<[2,4,13,11],f32>, !torch.list<int>) -> !torch.vtensor<[8,13,11],f32>
  %41 = "torch.constant.int"() <{value = 9 : i64}> : () -> !torch.int
  %42 = "torch.prim.ListConstruct"(%5, %9, %18, %41) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %43 = "torch.aten.expand"(%a2, %42, %13) : (!torch.vtensor<[2,4,11,9],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[2,4,11,9],f32>
  %44 = "torch.prim.ListConstruct"(%15, %18, %41) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %45 = "torch.aten.view"(%43, %44) : (!torch.vtensor<[2,4,11,9],f32>, !torch.list<int>) -> !torch.vtensor<[8,11,9],f32>
  %46 = "torch.aten.bmm"(%40, %45) : (!torch.vtensor<[8,13,11],f32>, !torch.vtensor<[8,11,9],f32>) -> !torch.vtensor<[8,13,9],f32>
  %47 = "torch.prim.ListConstruct"(%5, %9, %10, %41) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %48 = "torch.aten.view"(%46, %47) : (!torch.vtensor<[8,13,9],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,13,9],f32>
  return %48 : !torch.vtensor<[2,4,13,9],f32>
}
