// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[8,13,16],f32>, %a1: !torch.vtensor<[8,11,16],f32>, %a2: !torch.vtensor<[8,11,16],f32>) -> !torch.vtensor<[8,13,16],f32> {
  %0 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 13 : i64}> : () -> !torch.int
  %2 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
  %3 = "torch.prim.ListConstruct"(%0, %1, %2) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %4 = "torch.constant.none"() : () -> !torch.none
  %5 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
  %6 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %7 = "torch.aten.empty.memory_format"(%3, %4, %4, %5, %6, %4) : (!torch.list<int>, !torch.none, !torch.none, !torch.Device, !torch.bool, !torch.none) -> !torch.vtensor<[8,13,11],f32>
  %8 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %9 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %10 = "torch.aten.transpose.int"(%a1, %8, %9) : (!torch.vtensor<[8,11,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[8,16,11],f32>
  %11 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %12 = "torch.constant.float"() <{value = 2.50000000000000000e-01 : f64}> : () -> !torch.float
  %13 = "torch.aten.baddbmm"(%7, %a0, %10, %11, %12) : (!torch.vtensor<[8,13,11],f32>, !torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,11],f32>, !torch.int, !torch.float) -> !torch.vtensor<[8,13,11],f32>
  %14 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %15 = "torch.aten.softmax.int"(%13, %14, %4) : (!torch.vtensor<[8,13,11],f32>, !torch.int, !torch.none) -> !torch.vtensor<[8,13,11],f32>
  %16 = "torch.aten.bmm"(%15, %a2) : (!torch.vtensor<[8,13,11],f32>, !torch.vtensor<[8,11,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  return %16 : !torch.vtensor<[8,13,16],f32>
}
