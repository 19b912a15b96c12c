// GroupQueryAttention without a cache, with lengths, as torch-mlir's importer of ONNX prints it.
func.func @main(%q: !torch.vtensor<[2,13,64],f16>, %k: !torch.vtensor<[2,13,32],f16>, %v: !torch.vtensor<[2,13,32],f16>, %last: !torch.vtensor<[2],si32>, %total: !torch.vtensor<[],si32>) -> (!torch.vtensor<[2,13,64],f16>, !torch.vtensor<[2,2,13,16],f16>, !torch.vtensor<[2,2,13,16],f16>) {
  %none = "torch.constant.none"() : () -> !torch.none
  %0:3 = "torch.operator"(%q, %k, %v, %none, %none, %last, %total) <{name = "onnx.GroupQueryAttention"}> {torch.onnx.do_rotary = 0 : si64, torch.onnx.kv_num_heads = 2 : si64, torch.onnx.num_heads = 4 : si64, torch.onnx.scale = 2.500000e-01 : f32} : (!torch.vtensor<[2,13,64],f16>, !torch.vtensor<[2,13,32],f16>, !torch.vtensor<[2,13,32],f16>, !torch.none, !torch.none, !torch.vtensor<[2],si32>, !torch.vtensor<[],si32>) -> (!torch.vtensor<[2,13,64],f16>, !torch.vtensor<[2,2,13,16],f16>, !torch.vtensor<[2,2,13,16],f16>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[2,13,64],f16>, !torch.vtensor<[2,2,13,16],f16>, !torch.vtensor<[2,2,13,16],f16>
}
