// Attention, causal, with a mask of rows and keys, as onnx-mlir prints it.
func.func @main(%x: tensor<2x13x32xf32>, %w: tensor<32x192xf32>, %b: tensor<192xf32>, %mask: tensor<2x13x13xi32>) -> tensor<2x13x64xf32> {
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, unidirectional = 1 : si64, mask_filter_value = -2.000000e+01 : f32} : (tensor<2x13x32xf32>, tensor<32x192xf32>, tensor<192xf32>, tensor<2x13x13xi32>) -> tensor<2x13x64xf32>
  return %0 : tensor<2x13x64xf32>
}
