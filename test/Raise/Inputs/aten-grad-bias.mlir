// The kernel of torch that takes a bias, which is the same for all batch entries, and gives its gradient.
func.func @main(%q: !torch.vtensor<[2,3,13,16],f32>, %k: !torch.vtensor<[2,3,11,16],f32>, %v: !torch.vtensor<[2,3,11,8],f32>, %do: !torch.vtensor<[2,3,13,8],f32>, %b: !torch.vtensor<[1,3,13,11],f32>) -> (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.vtensor<[1,3,13,11],f32>) {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %none = "torch.constant.none"() : () -> !torch.none
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %all = "torch.prim.ListConstruct"(%true, %true, %true, %true) : (!torch.bool, !torch.bool, !torch.bool, !torch.bool) -> !torch.list<bool>
  %o:4 = "torch.operator"(%q, %k, %v, %b, %true, %zero, %true, %none) <{name = "torch.aten._scaled_dot_product_efficient_attention"}> : (!torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.vtensor<[1,3,13,11],f32>, !torch.bool, !torch.float, !torch.bool, !torch.none) -> (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>)
  %g:4 = "torch.operator"(%do, %q, %k, %v, %b, %o#0, %o#1, %o#2, %o#3, %zero, %all, %true, %none) <{name = "torch.aten._scaled_dot_product_efficient_attention_backward"}> : (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.vtensor<[1,3,13,11],f32>, !torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.float, !torch.list<bool>, !torch.bool, !torch.none) -> (!torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.vtensor<[1,3,13,11],f32>)
  return %o#0, %g#0, %g#1, %g#2, %g#3 : !torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.vtensor<[1,3,13,11],f32>
}
