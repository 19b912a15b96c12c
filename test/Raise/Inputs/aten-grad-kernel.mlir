// The kernel for CPUs by which torch computes attention with gradients, as make_fx writes it; torch-mlir does not define the op of the gradients.
func.func @main(%q: !torch.vtensor<[2,3,13,16],f32>, %k: !torch.vtensor<[2,3,11,16],f32>, %v: !torch.vtensor<[2,3,11,8],f32>, %do: !torch.vtensor<[2,3,13,8],f32>, %m: !torch.vtensor<[1,1,13,11],i1>) -> (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>) {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %scale = "torch.constant.float"() <{value = 0.17 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %o:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %k, %v, %zero, %false, %m, %scale) : (!torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.float, !torch.bool, !torch.vtensor<[1,1,13,11],i1>, !torch.float) -> (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13],f32>)
  %saved = "torch.aten.detach"(%o#0) : (!torch.vtensor<[2,3,13,8],f32>) -> !torch.vtensor<[2,3,13,8],f32>
  %g:3 = "torch.operator"(%do, %q, %k, %v, %saved, %o#1, %zero, %false, %m, %scale) <{name = "torch.aten._scaled_dot_product_flash_attention_for_cpu_backward"}> : (!torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>, !torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13],f32>, !torch.float, !torch.bool, !torch.vtensor<[1,1,13,11],i1>, !torch.float) -> (!torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>)
  return %o#0, %g#0, %g#1, %g#2 : !torch.vtensor<[2,3,13,8],f32>, !torch.vtensor<[2,3,13,16],f32>, !torch.vtensor<[2,3,11,16],f32>, !torch.vtensor<[2,3,11,8],f32>
}
