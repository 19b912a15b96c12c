// Kernels of torch that attn.attention cannot express, or that are not as torch defines them, stay.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -verify-diagnostics | FileCheck %s

!q = !torch.vtensor<[2,4,7,8],f32>
!l = !torch.vtensor<[2,4,7],f32>
!open = !torch.vtensor<[?,4,7,8],f32>
!t3 = !torch.vtensor<[3,7,7],f32>

// CHECK-LABEL: func.func @dropout(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @dropout(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: it has a dropout, or one that is not constant}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %q, %q, %half, %false, %none, %none) : (!q, !q, !q, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @open_scale(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @open_scale(%q: !q, %s: !torch.float) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: its is_causal or scale is not constant}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %q, %q, %zero, %false, %none, %s) : (!q, !q, !q, !torch.float, !torch.bool, !torch.none, !torch.float) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @few_operands(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @few_operands(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected 7 operands, found 1}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q) : (!q) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @many_operands(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @many_operands(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected 7 operands, found 8}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %q, %q, %zero, %false, %none, %none, %none) : (!q, !q, !q, !torch.float, !torch.bool, !torch.none, !torch.none, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @few_results(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @few_results(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected 2 or more results, found 1}}
  %0 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %q, %q, %zero, %false, %none, %none) : (!q, !q, !q, !torch.float, !torch.bool, !torch.none, !torch.none) -> !q
  return %0 : !q
}

// CHECK-LABEL: func.func @no_tensors(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @no_tensors(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected tensors of f16, bf16 or f32 with 4 static sizes that fit each other}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%none, %q, %q, %zero, %false, %none, %none) : (!torch.none, !q, !q, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @dynamic(%q: !open) -> !open {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected tensors of f16, bf16 or f32 with 4 static sizes that fit each other}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %q, %q, %zero, %false, %none, %none) : (!open, !open, !open, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!open, !l)
  return %0#0 : !open
}

// CHECK-LABEL: func.func @mask(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @mask(%q: !q, %m: !t3) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected a mask of rows and keys, perhaps of batches and heads}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %q, %q, %zero, %false, %m, %none) : (!q, !q, !q, !torch.float, !torch.bool, !t3, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @alone(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @alone(%q: !q, %l: !l) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected gradients beside the call that computed their output and lse from the same arrays with the same configuration}}
  %0:3 = "torch.operator"(%q, %q, %q, %q, %q, %l, %zero, %false, %none, %none) <{name = "torch.aten._scaled_dot_product_flash_attention_for_cpu_backward"}> : (!q, !q, !q, !q, !q, !l, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !q, !q)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @few_gradients(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @few_gradients(%q: !q, %l: !l) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected 3 or more results, found 2}}
  %0:2 = "torch.operator"(%q, %q, %q, %q, %q, %l, %zero, %false, %none, %none) <{name = "torch.aten._scaled_dot_product_flash_attention_for_cpu_backward"}> : (!q, !q, !q, !q, !q, !l, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !q)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @few_operands_of_gradients(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @few_operands_of_gradients(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %half = "torch.constant.float"() <{value = 0.5 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: expected 15 operands, found 2}}
  %0:3 = "torch.aten._scaled_dot_product_flash_attention_backward"(%q, %q) : (!q, !q) -> (!q, !q, !q)
  return %0#0 : !q
}

// FlashAttention's causal mask lets the last row read the last key, as for torch.nn.attention.bias.causal_lower_right.
// CHECK-LABEL: func.func @causal_flash(
// CHECK: attn.attention mask <bottom_right, causal>
func.func @causal_flash(%q: !q, %k: !torch.vtensor<[2,4,9,8],f32>) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  %0:2 = "torch.aten._scaled_dot_product_flash_attention"(%q, %k, %k, %zero, %true, %none, %none) : (!q, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @causal_kernel_for_cpu(
// CHECK: attn.attention mask <top_left, causal>
func.func @causal_kernel_for_cpu(%q: !q, %k: !torch.vtensor<[2,4,9,8],f32>) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  %0:2 = "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%q, %k, %k, %zero, %true, %none, %none) : (!q, !torch.vtensor<[2,4,9,8],f32>, !torch.vtensor<[2,4,9,8],f32>, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// CHECK-LABEL: func.func @causal_flash_of_few_keys(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @causal_flash_of_few_keys(%q: !q, %k: !torch.vtensor<[2,4,5,8],f32>) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %true = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: its first rows read no key, of which the kernel's lse is inf}}
  %0:2 = "torch.aten._scaled_dot_product_flash_attention"(%q, %k, %k, %zero, %true, %none, %none) : (!q, !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,8],f32>, !torch.float, !torch.bool, !torch.none, !torch.none) -> (!q, !l)
  return %0#0 : !q
}

// Kernels that are not read.
// CHECK-LABEL: func.func @other_kernel(
// CHECK-NOT: attn.attention
// CHECK: _scaled_dot_product_
func.func @other_kernel(%q: !q) -> !q {
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %false = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
  %none = "torch.constant.none"() : () -> !torch.none
  // expected-remark@below {{attention was not raised: this kind of attention, or of its operands, is not read}}
  %0:2 = "torch.operator"(%q, %q, %q, %none, %false, %zero, %false, %false, %none) <{name = "torch.aten._scaled_dot_product_cudnn_attention"}> : (!q, !q, !q, !torch.none, !torch.bool, !torch.float, !torch.bool, !torch.bool, !torch.none) -> (!q, !l)
  return %0#0 : !q
}
