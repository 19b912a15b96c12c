// torch.aten.scaled_dot_product_attention of matrices in one batch dimension, with a mask of bools and a scale.
func.func @main(%q: !torch.vtensor<[3,13,16],f32>, %k: !torch.vtensor<[3,11,16],f32>, %v: !torch.vtensor<[3,11,16],f32>, %m: !torch.vtensor<[1,13,11],i1>) -> !torch.vtensor<[3,13,16],f32> {
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %scale = "torch.constant.float"() <{value = 0.17 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %m, %zero, %false, %scale, %false) : (!torch.vtensor<[3,13,16],f32>, !torch.vtensor<[3,11,16],f32>, !torch.vtensor<[3,11,16],f32>, !torch.vtensor<[1,13,11],i1>, !torch.float, !torch.bool, !torch.float, !torch.bool) -> !torch.vtensor<[3,13,16],f32>
  return %0 : !torch.vtensor<[3,13,16],f32>
}
