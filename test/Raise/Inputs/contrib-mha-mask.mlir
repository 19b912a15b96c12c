// MultiHeadAttention, causal, with a mask of keys, as torch-mlir's importer of ONNX prints it.
func.func @main(%q: !torch.vtensor<[2,13,64],f32>, %k: !torch.vtensor<[2,13,64],f32>, %v: !torch.vtensor<[2,13,64],f32>, %mask: !torch.vtensor<[2,13],si32>) -> !torch.vtensor<[2,13,64],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %0 = "torch.operator"(%q, %k, %v, %none, %mask) <{name = "onnx.MultiHeadAttention"}> {torch.onnx.num_heads = 4 : si64, torch.onnx.unidirectional = 1 : si64, torch.onnx.scale = 5.000000e-01 : f32, torch.onnx.mask_filter_value = -2.000000e+01 : f32} : (!torch.vtensor<[2,13,64],f32>, !torch.vtensor<[2,13,64],f32>, !torch.vtensor<[2,13,64],f32>, !torch.none, !torch.vtensor<[2,13],si32>) -> !torch.vtensor<[2,13,64],f32>
  return %0 : !torch.vtensor<[2,13,64],f32>
}
