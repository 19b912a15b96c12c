// Attention with ends and starts of the keys, a bias and present keys without past ones, as onnx-mlir prints it.
func.func @main(%x: tensor<3x13x32xf32>, %w: tensor<32x192xf32>, %b: tensor<192xf32>, %mask: tensor<6xi32>, %bias: tensor<1x4x13x13xf32>) -> (tensor<3x13x64xf32>, tensor<2x3x4x13x16xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:2 = "onnx.Custom"(%x, %w, %b, %mask, %none, %bias) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, scale = 5.000000e-01 : f32} : (tensor<3x13x32xf32>, tensor<32x192xf32>, tensor<192xf32>, tensor<6xi32>, none, tensor<1x4x13x13xf32>) -> (tensor<3x13x64xf32>, tensor<2x3x4x13x16xf32>)
  return %0#0, %0#1 : tensor<3x13x64xf32>, tensor<2x3x4x13x16xf32>
}
