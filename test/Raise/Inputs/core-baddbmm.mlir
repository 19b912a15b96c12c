// Written by `make-aten.py` with torch 2.15.0+cu132.
func.func @main(%a0: !torch.vtensor<[8,13,16],f32>, %a1: !torch.vtensor<[8,13,16],f32>, %a2: !torch.vtensor<[8,13,16],f32>, %a3: !torch.vtensor<[8,1,13],f32>) -> !torch.vtensor<[8,13,16],f32> {
  %0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %2 = "torch.aten.transpose.int"(%a1, %0, %1) : (!torch.vtensor<[8,13,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[8,16,13],f32>
  %3 = "torch.constant.float"() <{value = 5.00000000000000000e-01 : f64}> : () -> !torch.float
  %4 = "torch.constant.float"() <{value = 2.50000000000000000e-01 : f64}> : () -> !torch.float
  %5 = "torch.aten.baddbmm"(%a3, %a0, %2, %3, %4) : (!torch.vtensor<[8,1,13],f32>, !torch.vtensor<[8,13,16],f32>, !torch.vtensor<[8,16,13],f32>, !torch.float, !torch.float) -> !torch.vtensor<[8,13,13],f32>
  %6 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %7 = "torch.constant.none"() : () -> !torch.none
  %8 = "torch.aten.softmax.int"(%5, %6, %7) : (!torch.vtensor<[8,13,13],f32>, !torch.int, !torch.none) -> !torch.vtensor<[8,13,13],f32>
  %9 = "torch.aten.bmm"(%8, %a2) : (!torch.vtensor<[8,13,13],f32>, !torch.vtensor<[8,13,16],f32>) -> !torch.vtensor<[8,13,16],f32>
  return %9 : !torch.vtensor<[8,13,16],f32>
}
