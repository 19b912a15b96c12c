// MultiHeadAttention with a cache, causal, and a mask of rows and keys, as onnx-mlir prints it.
func.func @main(%q: tensor<2x5x64xf32>, %k: tensor<2x5x64xf32>, %v: tensor<2x5x64xf32>, %mask: tensor<2x5x13xi32>, %pk: tensor<2x4x8x16xf32>, %pv: tensor<2x4x8x16xf32>) -> (tensor<2x5x64xf32>, tensor<2x4x13x16xf32>, tensor<2x4x13x16xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:3 = "onnx.Custom"(%q, %k, %v, %none, %mask, %none, %pk, %pv) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, unidirectional = 1 : si64} : (tensor<2x5x64xf32>, tensor<2x5x64xf32>, tensor<2x5x64xf32>, none, tensor<2x5x13xi32>, none, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x5x64xf32>, tensor<2x4x13x16xf32>, tensor<2x4x13x16xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x5x64xf32>, tensor<2x4x13x16xf32>, tensor<2x4x13x16xf32>
}
