// GroupQueryAttention of the domain com.microsoft that normalizes query and key.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @norms(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<2x9x64xf16>, %[[K:[^:]+]]: tensor<2x9x32xf16>, %[[V:[^:]+]]: tensor<2x9x32xf16>, {{.+}} %[[OF_Q:[^:]+]]: tensor<16xf16>, %[[OF_K:[^:]+]]: tensor<16xf16>)
// CHECK: %[[HEADS:.+]] = tensor.expand_shape %[[Q]]
// CHECK: %[[SUMS:.+]] = linalg.generic {{.+}}"reduction"]} ins(%[[HEADS]] : tensor<2x9x4x16xf16>)
// CHECK: -> tensor<2x9x4xf32>
// CHECK: linalg.generic {{.+}} ins(%[[HEADS]], %[[SUMS]], %[[OF_Q]] :
// CHECK: arith.divf %{{.+}}, %[[COLUMNS:.+]] : f32
// CHECK: arith.addf %{{.+}}, %[[EPSILON:.+]] : f32
// CHECK: math.rsqrt
// CHECK: arith.truncf
// CHECK: %[[HEADS_K:.+]] = tensor.expand_shape %[[K]]
// CHECK: linalg.generic {{.+}} ins(%[[HEADS_K]], %{{.+}}, %[[OF_K]] :
// CHECK: attn.attention mask <top_left, causal> scale 2.500000e-01
// CHECK-NOT: onnx
// CHECK: return
func.func @norms(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<16xf16>, %wk: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<16xf16>, tensor<16xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// What is not as the operator defines it stays.
// CHECK-LABEL: func.func @no_key(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_key(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected q_norm_weight and k_norm_weight of 16 columns, found tensor<16xf16> and none}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %none) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<16xf16>, none) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @no_query(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_query(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wk: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected q_norm_weight and k_norm_weight of 16 columns, found none and tensor<16xf16>}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %none, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, none, tensor<16xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @of_heads(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @of_heads(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<64xf16>, %wk: tensor<32xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected q_norm_weight and k_norm_weight of 16 columns, found tensor<64xf16> and tensor<32xf16>}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<64xf16>, tensor<32xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @open(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @open(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<?xf16>, %wk: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected q_norm_weight and k_norm_weight of 16 columns, found tensor<?xf16> and tensor<16xf16>}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<?xf16>, tensor<16xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @of_integers(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @of_integers(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<16xi16>, %wk: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected q_norm_weight and k_norm_weight of 16 columns, found tensor<16xi16> and tensor<16xf16>}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<16xi16>, tensor<16xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @epsilon(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @epsilon(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<16xf16>, %wk: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a finite qk_norm_epsilon above 0}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, qk_norm_epsilon = 0.0 : f32} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<16xf16>, tensor<16xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @infinite(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @infinite(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %v: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %wq: tensor<16xf16>, %wk: tensor<16xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a finite qk_norm_epsilon above 0}}
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total, %none, %none, %none, %none, %none, %none, %none, %wq, %wk) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, qk_norm_epsilon = 0x7F800000 : f32} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<16xf16>, tensor<16xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}
