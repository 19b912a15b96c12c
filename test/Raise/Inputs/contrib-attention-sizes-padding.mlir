// Attention with wider values, lengths, and no bias of the projections, in f16, as torch-mlir's importer of ONNX prints it.
func.func @main(%x: !torch.vtensor<[2,13,32],f16>, %w: !torch.vtensor<[32,160],f16>, %mask: !torch.vtensor<[2],si32>) -> !torch.vtensor<[2,13,96],f16> {
  %none = "torch.constant.none"() : () -> !torch.none
  %0 = "torch.operator"(%x, %w, %none, %mask) <{name = "onnx.com.microsoft.Attention"}> {torch.onnx.num_heads = 4 : si64, torch.onnx.qkv_hidden_sizes = [32 : si64, 32 : si64, 96 : si64]} : (!torch.vtensor<[2,13,32],f16>, !torch.vtensor<[32,160],f16>, !torch.none, !torch.vtensor<[2],si32>) -> !torch.vtensor<[2,13,96],f16>
  return %0 : !torch.vtensor<[2,13,96],f16>
}
