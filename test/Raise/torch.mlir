// What is not attention in the torch dialect stays, with a remark. What is around attention stays, too.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -verify-diagnostics | FileCheck %s
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -attn-torch-borders 2>/dev/null | FileCheck %s --check-prefix=BORDERS

// The projections and the signature stay, and the ops of attention go.
// CHECK-LABEL: func.func @around(
// CHECK-SAME: !torch.vtensor<[2,7,8],f32>
// CHECK: %[[P:.+]] = "torch.aten.linear"
// CHECK: %[[Q:.+]] = "torch_c.to_builtin_tensor"(%[[P]])
// CHECK-NOT: torch.aten.bmm
// CHECK-NOT: torch.aten._softmax
// CHECK: %[[O:.+]] = attn.attention scale 1.000000e+00
// CHECK: "torch_c.from_builtin_tensor"
// CHECK-NOT: attn_raise
// CHECK: "torch.aten.linear"
// BORDERS-LABEL: func.func @around(
// BORDERS-SAME: !torch.vtensor<[2,7,8],f32>
func.func @around(%x: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,9,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %q = "torch.aten.linear"(%x, %w, %none) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none) -> !torch.vtensor<[2,7,8],f32>
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[2,9,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,8,9],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,9],f32>) -> !torch.vtensor<[2,7,9],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[2,7,9],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,7,9],f32>
  %o = "torch.aten.bmm"(%p, %k) : (!torch.vtensor<[2,7,9],f32>, !torch.vtensor<[2,9,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  %y = "torch.aten.linear"(%o, %w, %none) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none) -> !torch.vtensor<[2,7,8],f32>
  return %y : !torch.vtensor<[2,7,8],f32>
}

// A function that is attention alone gets builtin tensors by attn-torch-borders.
// CHECK-LABEL: func.func @alone(
// CHECK-SAME: !torch.vtensor<[2,7,8],f32>
// CHECK: attn.attention mask <top_left, causal> scale 1.250000e-01
// BORDERS-LABEL: func.func @alone(
// BORDERS-SAME: tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
// BORDERS-NOT: torch
// BORDERS: return %{{.+}} : tensor<2x7x8xf32>
func.func @alone(%q: !torch.vtensor<[2,7,8],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %scale = "torch.constant.float"() <{value = 1.250000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %q, %q, %none, %zero, %true, %scale) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,7,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.float) -> !torch.vtensor<[2,7,8],f32>
  return %0 : !torch.vtensor<[2,7,8],f32>
}

// CHECK-LABEL: func.func @dropout(
// CHECK-NOT: attn.attention
func.func @dropout(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: it has a dropout, or one that is not constant}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %tenth, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @dropout_not_constant(
// CHECK-NOT: attn.attention
func.func @dropout_not_constant(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %p: !torch.float) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: it has a dropout, or one that is not constant}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %p, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @scale_not_constant(
// CHECK-NOT: attn.attention
func.func @scale_not_constant(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %s: !torch.float) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: its is_causal, scale or enable_gqa is not constant}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %s, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.float, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @causal_not_constant(
// CHECK-NOT: attn.attention
func.func @causal_not_constant(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %c: !torch.bool) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: its is_causal, scale or enable_gqa is not constant}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %c, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @mask_and_causal(
// CHECK-NOT: attn.attention
func.func @mask_and_causal(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %m: !torch.vtensor<[7,9],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: it has a mask and is_causal, of which torch allows one}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %m, %zero, %true, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[7,9],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @heads(
// CHECK-NOT: attn.attention
func.func @heads(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,2,9,8],f32>, %v: !torch.vtensor<[2,2,9,8],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected query, key and value of the same batches, heads (except with enable_gqa), keys and columns}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,2,9,8],f32>, !torch.vtensor<[2,2,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @batches(
// CHECK-NOT: attn.attention
func.func @batches(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[1,4,9,8],f32>, %v: !torch.vtensor<[1,4,9,8],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected query, key and value of the same batches, heads (except with enable_gqa), keys and columns}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[1,4,9,8],f32>, !torch.vtensor<[1,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @keys(
// CHECK-NOT: attn.attention
func.func @keys(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,8,8],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected query, key and value of the same batches, heads (except with enable_gqa), keys and columns}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,8,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NOT: attn.attention
func.func @columns(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,16],f32>, %v: !torch.vtensor<[2,4,9,8],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected query, key and value of the same batches, heads (except with enable_gqa), keys and columns}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,16],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @groups(
// CHECK-NOT: attn.attention
func.func @groups(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,3,9,8],f32>, %v: !torch.vtensor<[2,3,9,8],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected static heads, of which those of the query are a multiple, and static head dims}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %true) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,3,9,8],f32>, !torch.vtensor<[2,3,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @groups_of_three(
// CHECK-NOT: attn.attention
func.func @groups_of_three(%q: !torch.vtensor<[4,7,8],f32>, %k: !torch.vtensor<[4,9,8],f32>, %v: !torch.vtensor<[4,9,8],f32>) -> !torch.vtensor<[4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected query, key and value of rank 4 with enable_gqa}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %true) : (!torch.vtensor<[4,7,8],f32>, !torch.vtensor<[4,9,8],f32>, !torch.vtensor<[4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[4,7,8],f32>
  return %0 : !torch.vtensor<[4,7,8],f32>
}

// CHECK-LABEL: func.func @ranks(
// CHECK-NOT: attn.attention
func.func @ranks(%q: !torch.vtensor<[2,2,4,7,8],f32>, %k: !torch.vtensor<[2,2,4,9,8],f32>, %v: !torch.vtensor<[2,2,4,9,8],f32>) -> !torch.vtensor<[2,2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected query, key and value of one rank of 2 to 4}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,2,4,7,8],f32>, !torch.vtensor<[2,2,4,9,8],f32>, !torch.vtensor<[2,2,4,9,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,2,4,7,8],f32>
}

// CHECK-LABEL: func.func @mask_rows(
// CHECK-NOT: attn.attention
func.func @mask_rows(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %m: !torch.vtensor<[6,9],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected a mask of rows and keys, perhaps of batches and heads}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %m, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[6,9],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @mask_keys(
// CHECK-NOT: attn.attention
func.func @mask_keys(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %m: !torch.vtensor<[7,1],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected a mask of rows and keys, perhaps of batches and heads}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %m, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[7,1],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @mask_batches(
// CHECK-NOT: attn.attention
func.func @mask_batches(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %m: !torch.vtensor<[3,1,7,9],f32>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected a mask of rows and keys, perhaps of batches and heads}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %m, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[3,1,7,9],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @mask_elements(
// CHECK-NOT: attn.attention
func.func @mask_elements(%q: !torch.vtensor<[2,4,7,8],f32>, %k: !torch.vtensor<[2,4,9,8],f32>, %v: !torch.vtensor<[2,4,9,8],f32>, %m: !torch.vtensor<[7,9],si64>) -> !torch.vtensor<[2,4,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected a mask of rows and keys, perhaps of batches and heads}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %m, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[7,9],si64>, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f32>
  return %0 : !torch.vtensor<[2,4,7,8],f32>
}

// CHECK-LABEL: func.func @wide(
// CHECK-NOT: attn.attention
func.func @wide(%q: !torch.vtensor<[2,4,7,8],f64>, %k: !torch.vtensor<[2,4,9,8],f64>, %v: !torch.vtensor<[2,4,9,8],f64>) -> !torch.vtensor<[2,4,7,8],f64> {
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.000000e+00 : f64}> : () -> !torch.float
  %tenth = "torch.constant.float"() <{value = 1.000000e-01 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  // expected-remark@below {{attention was not raised: expected tensors of query, key and value of f16, bf16 or f32, then a mask, dropout_p, is_causal, scale and enable_gqa}}
  %0 = "torch.aten.scaled_dot_product_attention"(%q, %k, %v, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,7,8],f64>, !torch.vtensor<[2,4,9,8],f64>, !torch.vtensor<[2,4,9,8],f64>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor<[2,4,7,8],f64>
  return %0 : !torch.vtensor<[2,4,7,8],f64>
}

// The softmax is over rows.
// CHECK-LABEL: func.func @over_rows(
// CHECK-NOT: attn.attention
// CHECK: "torch.aten._softmax"
func.func @over_rows(%q: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,7,8],f32>, %g: !torch.vtensor<[2,7,7],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %half = "torch.constant.float"() <{value = 5.000000e-01 : f64}> : () -> !torch.float
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[2,7,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,8,7],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,7],f32>) -> !torch.vtensor<[2,7,7],f32>
  %p = "torch.aten._softmax"(%s, %c1, %false) : (!torch.vtensor<[2,7,7],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,7,7],f32>
  %r = "torch.aten.contiguous"(%p, %c1) : (!torch.vtensor<[2,7,7],f32>, !torch.int) -> !torch.vtensor<[2,7,7],f32>
  // expected-remark@below {{attention was not raised: exponentials are multiplied with values, but what divides them is not their sum over the same keys}}
  %o = "torch.aten.bmm"(%r, %k) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  return %o : !torch.vtensor<[2,7,8],f32>
}

// Probabilities are multiplied with a gate.
// CHECK-LABEL: func.func @gate(
// CHECK-NOT: attn.attention
// CHECK: "torch.aten._softmax"
func.func @gate(%q: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,7,8],f32>, %g: !torch.vtensor<[2,7,7],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %half = "torch.constant.float"() <{value = 5.000000e-01 : f64}> : () -> !torch.float
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[2,7,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,8,7],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,7],f32>) -> !torch.vtensor<[2,7,7],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[2,7,7],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,7,7],f32>
  %r = "torch.aten.mul.Tensor"(%p, %g) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,7],f32>) -> !torch.vtensor<[2,7,7],f32>
  // expected-remark@below {{attention was not raised: probabilities are multiplied with more than values, as by a gate or dropout}}
  %o = "torch.aten.bmm"(%r, %k) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  return %o : !torch.vtensor<[2,7,8],f32>
}

// Probabilities are multiplied with a number.
// CHECK-LABEL: func.func @factor(
// CHECK-NOT: attn.attention
// CHECK: "torch.aten._softmax"
func.func @factor(%q: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,7,8],f32>, %g: !torch.vtensor<[2,7,7],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %half = "torch.constant.float"() <{value = 5.000000e-01 : f64}> : () -> !torch.float
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[2,7,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,8,7],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,7],f32>) -> !torch.vtensor<[2,7,7],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[2,7,7],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,7,7],f32>
  %r = "torch.aten.mul.Scalar"(%p, %half) : (!torch.vtensor<[2,7,7],f32>, !torch.float) -> !torch.vtensor<[2,7,7],f32>
  // expected-remark@below {{attention was not raised: probabilities are multiplied with a constant}}
  %o = "torch.aten.bmm"(%r, %k) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  return %o : !torch.vtensor<[2,7,8],f32>
}

// Probabilities are dropped.
// CHECK-LABEL: func.func @train(
// CHECK-NOT: attn.attention
// CHECK: "torch.aten._softmax"
func.func @train(%q: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,7,8],f32>, %g: !torch.vtensor<[2,7,7],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %half = "torch.constant.float"() <{value = 5.000000e-01 : f64}> : () -> !torch.float
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[2,7,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,8,7],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,7],f32>) -> !torch.vtensor<[2,7,7],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[2,7,7],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,7,7],f32>
  %r = "torch.aten.dropout"(%p, %half, %true) : (!torch.vtensor<[2,7,7],f32>, !torch.float, !torch.bool) -> !torch.vtensor<[2,7,7],f32>
  // expected-remark@below {{attention was not raised: exponentials of a product are multiplied here, but their sum that divides them was not found, or not what is between}}
  %o = "torch.aten.bmm"(%r, %k) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  return %o : !torch.vtensor<[2,7,8],f32>
}

// An array times 2 is added to probabilities.
// CHECK-LABEL: func.func @alpha(
// CHECK-NOT: attn.attention
// CHECK: "torch.aten._softmax"
func.func @alpha(%q: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,7,8],f32>, %g: !torch.vtensor<[2,7,7],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %half = "torch.constant.float"() <{value = 5.000000e-01 : f64}> : () -> !torch.float
  %c1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %kt = "torch.aten.transpose.int"(%k, %c1, %c2) : (!torch.vtensor<[2,7,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,8,7],f32>
  %s = "torch.aten.bmm"(%q, %kt) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,7],f32>) -> !torch.vtensor<[2,7,7],f32>
  %p = "torch.aten._softmax"(%s, %c2, %false) : (!torch.vtensor<[2,7,7],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[2,7,7],f32>
  %r = "torch.aten.add.Tensor"(%p, %g, %c2) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,7],f32>, !torch.int) -> !torch.vtensor<[2,7,7],f32>
  // expected-remark@below {{attention was not raised: exponentials of a product are multiplied here, but their sum that divides them was not found, or not what is between}}
  %o = "torch.aten.bmm"(%r, %k) : (!torch.vtensor<[2,7,7],f32>, !torch.vtensor<[2,7,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  return %o : !torch.vtensor<[2,7,8],f32>
}

// The softmax of torch's decomposition of attention, whose rows of nothing but -inf are 0.
// CHECK-LABEL: func.func @safe(
// CHECK-NOT: torch.aten._safe_softmax
// CHECK: attn.attention scale 1.000000e+00
func.func @safe(%q: !torch.vtensor<[2,7,8],f32>, %k: !torch.vtensor<[2,8,9],f32>, %v: !torch.vtensor<[2,9,8],f32>) -> !torch.vtensor<[2,7,8],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %c2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %s = "torch.aten.bmm"(%q, %k) : (!torch.vtensor<[2,7,8],f32>, !torch.vtensor<[2,8,9],f32>) -> !torch.vtensor<[2,7,9],f32>
  %p = "torch.aten._safe_softmax"(%s, %c2, %none) : (!torch.vtensor<[2,7,9],f32>, !torch.int, !torch.none) -> !torch.vtensor<[2,7,9],f32>
  %o = "torch.aten.bmm"(%p, %v) : (!torch.vtensor<[2,7,9],f32>, !torch.vtensor<[2,9,8],f32>) -> !torch.vtensor<[2,7,8],f32>
  return %o : !torch.vtensor<[2,7,8],f32>
}
