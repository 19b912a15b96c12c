// Products and softmax with a dynamic batch, and an added mask.
func.func @main(%q: !torch.vtensor<[?,4,13,16],f32>, %k: !torch.vtensor<[?,4,11,16],f32>, %v: !torch.vtensor<[?,4,11,16],f32>, %m: !torch.vtensor<[1,1,13,11],f32>) -> !torch.vtensor<[?,4,13,16],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %one = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %d2 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
  %d3 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
  %four = "torch.constant.float"() <{value = 4.000000e+00 : f64}> : () -> !torch.float
  %0 = "torch.aten.transpose.int"(%k, %d2, %d3) : (!torch.vtensor<[?,4,11,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[?,4,16,11],f32>
  %1 = "torch.aten.matmul"(%q, %0) : (!torch.vtensor<[?,4,13,16],f32>, !torch.vtensor<[?,4,16,11],f32>) -> !torch.vtensor<[?,4,13,11],f32>
  %2 = "torch.aten.div.Scalar"(%1, %four) : (!torch.vtensor<[?,4,13,11],f32>, !torch.float) -> !torch.vtensor<[?,4,13,11],f32>
  %3 = "torch.aten.add.Tensor"(%2, %m, %one) : (!torch.vtensor<[?,4,13,11],f32>, !torch.vtensor<[1,1,13,11],f32>, !torch.int) -> !torch.vtensor<[?,4,13,11],f32>
  %4 = "torch.aten.softmax.int"(%3, %d3, %none) : (!torch.vtensor<[?,4,13,11],f32>, !torch.int, !torch.none) -> !torch.vtensor<[?,4,13,11],f32>
  %5 = "torch.aten.matmul"(%4, %v) : (!torch.vtensor<[?,4,13,11],f32>, !torch.vtensor<[?,4,11,16],f32>) -> !torch.vtensor<[?,4,13,16],f32>
  return %5 : !torch.vtensor<[?,4,13,16],f32>
}
