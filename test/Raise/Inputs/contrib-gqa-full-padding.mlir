// GroupQueryAttention that is not causal, with a sink of 0, as onnx-mlir prints it.
func.func @main(%q: tensor<2x13x64xf32>, %k: tensor<2x13x64xf32>, %v: tensor<2x13x64xf32>, %last: tensor<2xi32>, %total: tensor<i32>) -> tensor<2x13x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", kv_num_heads = 4 : si64, num_heads = 4 : si64, causal = 0 : si64, smooth_softmax = 1 : si64} : (tensor<2x13x64xf32>, tensor<2x13x64xf32>, tensor<2x13x64xf32>, none, none, tensor<2xi32>, tensor<i32>) -> tensor<2x13x64xf32>
  return %0 : tensor<2x13x64xf32>
}
