// GroupQueryAttention with a window, a soft cap and a bias, as onnx-mlir prints it.
func.func @main(%q: tensor<2x13x64xf32>, %k: tensor<2x13x32xf32>, %v: tensor<2x13x32xf32>, %total: tensor<i32>, %bias: tensor<1x4x13x13xf32>) -> tensor<2x13x64xf32> {
  %last = arith.constant dense<12> : tensor<2xi32>
  %none = "onnx.NoValue"() {value} : () -> none
  %0:3 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %bias) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", kv_num_heads = 2 : si64, num_heads = 4 : si64, local_window_size = 5 : si64, softcap = 3.000000e+00 : f32, scale = 5.000000e-01 : f32} : (tensor<2x13x64xf32>, tensor<2x13x32xf32>, tensor<2x13x32xf32>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, tensor<1x4x13x13xf32>) -> (tensor<2x13x64xf32>, tensor<2x2x13x16xf32>, tensor<2x2x13x16xf32>)
  return %0#0 : tensor<2x13x64xf32>
}
