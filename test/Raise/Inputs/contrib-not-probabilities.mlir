// MultiHeadAttention whose fourth result, the probabilities, is used, as onnx-mlir prints it.
func.func @main(%q: tensor<2x13x64xf32>, %k: tensor<2x11x64xf32>, %v: tensor<2x11x64xf32>) -> (tensor<2x13x64xf32>, tensor<2x4x11x16xf32>, tensor<2x4x11x16xf32>, tensor<2x4x13x11xf32>) {
  %0:4 = "onnx.Custom"(%q, %k, %v) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x13x64xf32>, tensor<2x11x64xf32>, tensor<2x11x64xf32>) -> (tensor<2x13x64xf32>, tensor<2x4x11x16xf32>, tensor<2x4x11x16xf32>, tensor<2x4x13x11xf32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<2x13x64xf32>, tensor<2x4x11x16xf32>, tensor<2x4x11x16xf32>, tensor<2x4x13x11xf32>
}
