// torch.aten.scaled_dot_product_attention, causal, with groups of query heads, as torch-mlir prints it.
func.func @main(%q: !torch.vtensor<[2,4,13,16],f16>, %k: !torch.vtensor<[2,2,13,16],f16>, %v: !torch.vtensor<[2,2,13,9],f16>) -> !torch.vtensor<[2,4,13,9],f16> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %true, %none, %true) : (!torch.vtensor<[2,4,13,16],f16>, !torch.vtensor<[2,2,13,16],f16>, !torch.vtensor<[2,2,13,9],f16>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,13,9],f16>
  return %0 : !torch.vtensor<[2,4,13,9],f16>
}
