// GroupQueryAttention of several rows in a packed array, with a cache, a window and sinks, as onnx-mlir prints it.
func.func @main(%q: tensor<1x4x128xf32>, %pk: tensor<1x2x12x16xf32>, %pv: tensor<1x2x12x16xf32>, %last: tensor<1xi32>, %total: tensor<1xi32>, %sink: tensor<4xf32>) -> (tensor<1x4x64xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:3 = "onnx.Custom"(%q, %none, %none, %pk, %pv, %last, %total, %none, %none, %none, %none, %sink) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", kv_num_heads = 2 : si64, num_heads = 4 : si64, local_window_size = 3 : si64, smooth_softmax = 1 : si64} : (tensor<1x4x128xf32>, none, none, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<1xi32>, tensor<1xi32>, none, none, none, none, tensor<4xf32>) -> (tensor<1x4x64xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>)
  return %0#0, %0#1, %0#2 : tensor<1x4x64xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>
}
