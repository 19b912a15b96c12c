// MultiHeadAttention of a packed array, as onnx-mlir prints it.
func.func @main(%q: tensor<2x13x4x3x16xf16>) -> tensor<2x13x64xf16> {
  %0 = "onnx.Custom"(%q) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x13x4x3x16xf16>) -> tensor<2x13x64xf16>
  return %0 : tensor<2x13x64xf16>
}
