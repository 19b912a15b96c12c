// Attention of BERT, with a mask of keys, as torch-mlir's importer of ONNX prints it.
func.func @main(%x: !torch.vtensor<[2,13,48],f32>, %w: !torch.vtensor<[48,192],f32>, %b: !torch.vtensor<[192],f32>, %mask: !torch.vtensor<[2,13],si32>) -> !torch.vtensor<[2,13,64],f32> {
  %0 = "torch.operator"(%x, %w, %b, %mask) <{name = "onnx.Attention"}> {torch.onnx.num_heads = 4 : si64} : (!torch.vtensor<[2,13,48],f32>, !torch.vtensor<[48,192],f32>, !torch.vtensor<[192],f32>, !torch.vtensor<[2,13],si32>) -> !torch.vtensor<[2,13,64],f32>
  return %0 : !torch.vtensor<[2,13,64],f32>
}
