// MultiHeadAttention with packed keys and values, as torch-mlir's importer of ONNX prints it.
func.func @main(%q: !torch.vtensor<[2,13,64],f32>, %k: !torch.vtensor<[2,11,4,2,16],f32>) -> !torch.vtensor<[2,13,64],f32> {
  %0 = "torch.operator"(%q, %k) <{name = "onnx.MultiHeadAttention"}> {torch.onnx.num_heads = 4 : si64} : (!torch.vtensor<[2,13,64],f32>, !torch.vtensor<[2,11,4,2,16],f32>) -> !torch.vtensor<[2,13,64],f32>
  return %0 : !torch.vtensor<[2,13,64],f32>
}
