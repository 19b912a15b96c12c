// MultiHeadAttention with lengths of keys, which are heads before rows, as onnx-mlir prints it.
func.func @main(%q: tensor<2x5x64xf16>, %k: tensor<2x4x13x16xf16>, %v: tensor<2x4x13x16xf16>, %mask: tensor<2xi32>) -> tensor<2x5x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %k, %v, %none, %mask) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x5x64xf16>, tensor<2x4x13x16xf16>, tensor<2x4x13x16xf16>, none, tensor<2xi32>) -> tensor<2x5x64xf16>
  return %0 : tensor<2x5x64xf16>
}
