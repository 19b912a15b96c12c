// Attention with a mask by positions of rows and keys and a cache, as onnx-mlir prints it.
func.func @main(%x: tensor<2x3x32xf32>, %w: tensor<32x192xf32>, %b: tensor<192xf32>, %mask: tensor<2x1x16x16xi32>, %past: tensor<2x2x4x8x16xf32>) -> (tensor<2x3x64xf32>, tensor<2x2x4x11x16xf32>) {
  %0:2 = "onnx.Custom"(%x, %w, %b, %mask, %past) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x3x32xf32>, tensor<32x192xf32>, tensor<192xf32>, tensor<2x1x16x16xi32>, tensor<2x2x4x8x16xf32>) -> (tensor<2x3x64xf32>, tensor<2x2x4x11x16xf32>)
  return %0#0, %0#1 : tensor<2x3x64xf32>, tensor<2x2x4x11x16xf32>
}
