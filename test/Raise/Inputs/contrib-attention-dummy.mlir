// Attention with a mask of one number for each batch entry, which changes nothing, as onnx-mlir prints it.
func.func @main(%x: tensor<2x13x32xf32>, %w: tensor<32x192xf32>, %b: tensor<192xf32>, %mask: tensor<2x1xi32>) -> tensor<2x13x64xf32> {
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x13x32xf32>, tensor<32x192xf32>, tensor<192xf32>, tensor<2x1xi32>) -> tensor<2x13x64xf32>
  return %0 : tensor<2x13x64xf32>
}
