// Calls of cuDNN that attn.attention cannot express, or that are not as JAX writes them, stay.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @dropout(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @dropout(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: it has a dropout}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmaxDropout", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @dropout_rate(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @dropout_rate(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: it has a dropout}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 0.1}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @eight_bits(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @eight_bits(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: calls of cuDNN with 8-bit arrays are not read}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmaxF8", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @other(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @other(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected a call of __cudnn$fmhaSoftmax or __cudnn$fmhaScaleBiasSoftmax, or their gradients, found __cudnn$fmhaScaleMaskSoftmax}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaScaleMaskSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @alibi(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @alibi(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_type of NO_MASK, CAUSAL, PADDING or PADDING_CAUSAL, found 'ALIBI'}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22ALIBI\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @no_mask_type(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @no_mask_type(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_type of NO_MASK, CAUSAL, PADDING or PADDING_CAUSAL, found ''}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: null, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @window(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @window(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: it has a sliding window without a causal mask}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22sliding_window_length\22: 3}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @half_window(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @half_window(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected numbers in backend_config for fmha_scale, dropout_rate, sliding_window_length and max_seg_per_batch}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22sliding_window_length\22: 2.5}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @scale(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @scale(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected numbers in backend_config for fmha_scale, dropout_rate, sliding_window_length and max_seg_per_batch}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: \22large\22, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @packed(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @packed(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: it has packed sequences}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22max_seg_per_batch\22: 2}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @paged(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @paged(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: it has pages}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22is_paged_attention\22: true}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @unknown(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @unknown(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: its configuration has the field soft_cap, which is not known}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22soft_cap\22: 5.0}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @no_json(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @no_json(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected JSON in backend_config}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @no_config(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @no_config(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected cudnn_fmha_backend_config in backend_config}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "[1]", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @order(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @order(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: its products have other dimensions than those of the layouts BTNH and BNTH}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @lengths(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @lengths(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected 5 operands, found 3}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22PADDING\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @length_type(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @length_type(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>, %e0: tensor<2xi64>, %e1: tensor<2xi64>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected arrays of f16, bf16 or f32 with static sizes that fit each other}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v, %e0, %e1) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22PADDING\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @bias(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @bias(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>, %e0: tensor<2x4x7x1xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected arrays of f16, bf16 or f32 with static sizes that fit each other}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v, %e0) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaScaleBiasSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x1xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @heads(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @heads(%q: tensor<2x6x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x6x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected arrays of f16, bf16 or f32 with static sizes that fit each other}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x6x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x6x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x6x7x8xf16>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @dynamic(%q: tensor<?x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<?x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected arrays of f16, bf16 or f32 with static sizes that fit each other}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<?x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<?x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<?x4x7x8xf16>
}

// CHECK-LABEL: func.func @result(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @result(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x7x4x8xf16> {
  // expected-remark@below {{attention was not raised: expected arrays of f16, bf16 or f32 with static sizes that fit each other}}
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = false}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x7x4x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x7x4x8xf16>
}

// CHECK-LABEL: func.func @effect(
// CHECK-NOT: attn.attention
// CHECK: "stablehlo.custom_call"
func.func @effect(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  %0:2 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax", has_side_effect = true}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0 : tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @other_scale(
// CHECK: attn.attention
// CHECK-NOT: attn.attention_backward
// CHECK: "stablehlo.custom_call"
func.func @other_scale(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>, %d: tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) {
  %0:3 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<0xui8>)
  // expected-remark@below {{attention was not raised: expected gradients beside the call that computed their output and lse from the same arrays with the same configuration}}
  %1:4 = "stablehlo.custom_call"(%q, %k, %v, %0#1, %d, %0#0) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.25, \22mask_type\22: \22NO_MASK\22, \22bmm1_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm1_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmaxBackward"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0, %1#0 : tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @other_mask(
// CHECK: attn.attention
// CHECK-NOT: attn.attention_backward
// CHECK: "stablehlo.custom_call"
func.func @other_mask(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>, %d: tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) {
  %0:3 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<0xui8>)
  // expected-remark@below {{attention was not raised: expected gradients beside the call that computed their output and lse from the same arrays with the same configuration}}
  %1:4 = "stablehlo.custom_call"(%q, %k, %v, %0#1, %d, %0#0) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22CAUSAL\22, \22bmm1_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm1_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmaxBackward"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0, %1#0 : tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>
}

// CHECK-LABEL: func.func @other_key(
// CHECK: attn.attention
// CHECK-NOT: attn.attention_backward
// CHECK: "stablehlo.custom_call"
func.func @other_key(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>, %d: tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) {
  %0:3 = "stablehlo.custom_call"(%q, %k, %v) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmax"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<0xui8>)
  // expected-remark@below {{attention was not raised: expected gradients beside the call that computed their output and lse from the same arrays with the same configuration}}
  %1:4 = "stablehlo.custom_call"(%q, %v, %v, %0#1, %d, %0#0) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm1_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmaxBackward"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %0#0, %1#0 : tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>
}

// Gradients whose forward pass is in another function.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: attn.attention
func.func @alone(%q: tensor<2x4x7x8xf16>, %k: tensor<2x4x7x8xf16>, %v: tensor<2x4x7x8xf16>, %l: tensor<2x4x7xf32>, %d: tensor<2x4x7x8xf16>, %o: tensor<2x4x7x8xf16>) -> tensor<2x4x7x8xf16> {
  // expected-remark@below {{attention was not raised: expected gradients beside the call that computed their output and lse from the same arrays with the same configuration}}
  %1:4 = "stablehlo.custom_call"(%q, %k, %v, %l, %d, %o) <{backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 0.5, \22mask_type\22: \22NO_MASK\22, \22bmm1_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm1_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm1_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\222\22], \22rhs_contracting_dimensions\22: [\222\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_contracting_dimensions\22: [\223\22], \22rhs_contracting_dimensions\22: [\223\22], \22lhs_batch_dimensions\22: [\220\22, \221\22], \22rhs_batch_dimensions\22: [\220\22, \221\22]}}}", call_target_name = "__cudnn$fmhaSoftmaxBackward"}> : (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7xf32>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>) -> (tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<2x4x7x8xf16>, tensor<0xui8>)
  return %1#0 : tensor<2x4x7x8xf16>
}
