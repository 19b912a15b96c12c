// Attention of GPT-2, causal, with one array for the cache and a mask of all keys, as torch-mlir's importer of ONNX prints it.
func.func @main(%x: !torch.vtensor<[2,5,64],f32>, %w: !torch.vtensor<[64,192],f32>, %b: !torch.vtensor<[192],f32>, %mask: !torch.vtensor<[2,13],si32>, %past: !torch.vtensor<[2,2,4,8,16],f32>) -> (!torch.vtensor<[2,5,64],f32>, !torch.vtensor<[2,2,4,13,16],f32>) {
  %0:2 = "torch.operator"(%x, %w, %b, %mask, %past) <{name = "onnx.Attention"}> {torch.onnx.num_heads = 4 : si64, torch.onnx.unidirectional = 1 : si64, torch.onnx.mask_filter_value = -2.000000e+01 : f32} : (!torch.vtensor<[2,5,64],f32>, !torch.vtensor<[64,192],f32>, !torch.vtensor<[192],f32>, !torch.vtensor<[2,13],si32>, !torch.vtensor<[2,2,4,8,16],f32>) -> (!torch.vtensor<[2,5,64],f32>, !torch.vtensor<[2,2,4,13,16],f32>)
  return %0#0, %0#1 : !torch.vtensor<[2,5,64],f32>, !torch.vtensor<[2,2,4,13,16],f32>
}
