// MultiHeadAttention with the biases of projections and of scores, as torch-mlir's importer of ONNX prints it.
func.func @main(%q: !torch.vtensor<[2,13,64],f32>, %k: !torch.vtensor<[2,11,64],f32>, %v: !torch.vtensor<[2,11,36],f32>, %pb: !torch.vtensor<[164],f32>, %bias: !torch.vtensor<[1,4,13,11],f32>) -> !torch.vtensor<[2,13,36],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %0 = "torch.operator"(%q, %k, %v, %pb, %none, %bias) <{name = "onnx.MultiHeadAttention"}> {torch.onnx.num_heads = 4 : si64} : (!torch.vtensor<[2,13,64],f32>, !torch.vtensor<[2,11,64],f32>, !torch.vtensor<[2,11,36],f32>, !torch.vtensor<[164],f32>, !torch.none, !torch.vtensor<[1,4,13,11],f32>) -> !torch.vtensor<[2,13,36],f32>
  return %0 : !torch.vtensor<[2,13,36],f32>
}
