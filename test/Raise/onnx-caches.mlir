// ONNX's attention with caches and lengths, and its further results.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// A causal mask ends at the last key, and the present keys are the operands.
// CHECK-LABEL: func.func @past(
// CHECK: %[[KEY:.+]] = tensor.concat dim(2) %{{.+}}, %{{.+}} : (tensor<2x2x7x16xf16>, tensor<2x2x5x16xf16>) -> tensor<2x2x12x16xf16>
// CHECK: %[[VALUE:.+]] = tensor.concat dim(2)
// CHECK: attn.attention mask <bottom_right, causal> scale 2.500000e-01 ins(%{{.+}}, %[[KEY]], %[[VALUE]] : tensor<2x4x5x16xf16>, tensor<2x2x12x16xf16>, tensor<2x2x12x8xf16>)
// CHECK-NOT: onnx
// CHECK: return %{{.+}}, %[[KEY]], %[[VALUE]]
func.func @past(%q: tensor<2x4x5x16xf16>, %k: tensor<2x2x5x16xf16>, %v: tensor<2x2x5x8xf16>, %pk: tensor<2x2x7x16xf16>, %pv: tensor<2x2x7x8xf16>) -> (tensor<2x4x5x8xf16>, tensor<2x2x12x16xf16>, tensor<2x2x12x8xf16>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:4 = "onnx.Attention"(%q, %k, %v, %none, %pk, %pv) {is_causal = 1 : si64} : (tensor<2x4x5x16xf16>, tensor<2x2x5x16xf16>, tensor<2x2x5x8xf16>, none, tensor<2x2x7x16xf16>, tensor<2x2x7x8xf16>) -> (tensor<2x4x5x8xf16>, tensor<2x2x12x16xf16>, tensor<2x2x12x8xf16>, none)
  return %0#0, %0#1, %0#2 : tensor<2x4x5x8xf16>, tensor<2x2x12x16xf16>, tensor<2x2x12x8xf16>
}

// -----

// Dynamic sizes, three dimensions, and types of torch-mlir. There may be more new keys than rows.
// CHECK-LABEL: func.func @open(
// CHECK: %[[KEY:.+]] = tensor.concat dim(2) %{{.+}}, %{{.+}} : (tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>) -> tensor<?x2x?x16xf32>
// CHECK: %[[PAST:.+]] = tensor.dim %{{.+}}, %c2{{[_0-9]*}} : tensor<?x2x?x16xf32>
// CHECK: attn.attention scale 2.500000e-01 ins(%{{.+}}, %[[KEY]], %{{.+}} : tensor<?x4x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>) captures(%[[PAST]] : index)
// CHECK: "torch_c.from_builtin_tensor"(%[[KEY]])
// CHECK-NOT: torch.operator
func.func @open(%q: !torch.vtensor<[?,?,64],f32>, %k: !torch.vtensor<[?,?,32],f32>, %pk: !torch.vtensor<[?,2,?,16],f32>) -> (!torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,2,?,16],f32>) {
  %none = "torch.constant.none"() : () -> !torch.none
  %0:3 = "torch.operator"(%q, %k, %k, %none, %pk, %pk) <{name = "onnx.Attention"}> {torch.onnx.is_causal = 1 : si64, torch.onnx.q_num_heads = 4 : si64, torch.onnx.kv_num_heads = 2 : si64} : (!torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,?,32],f32>, !torch.vtensor<[?,?,32],f32>, !torch.none, !torch.vtensor<[?,2,?,16],f32>, !torch.vtensor<[?,2,?,16],f32>) -> (!torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,2,?,16],f32>, !torch.vtensor<[?,2,?,16],f32>)
  return %0#0, %0#1 : !torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,2,?,16],f32>
}

// -----

// The last row has the last key of its batch entry.
// CHECK-LABEL: func.func @lengths(
// CHECK: attn.attention scale
// CHECK: mask {
// CHECK: attn.read %{{.+}} : tensor<2xi64>
// CHECK-NOT: onnx
// CHECK: return
func.func @lengths(%q: tensor<2x4x5x16xf32>, %k: tensor<2x2x24x16xf32>, %n: tensor<2xi64>) -> tensor<2x4x5x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Attention"(%q, %k, %k, %none, %none, %none, %n) {is_causal = 1 : si64} : (tensor<2x4x5x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>, none, none, none, tensor<2xi64>) -> tensor<2x4x5x16xf32>
  return %0 : tensor<2x4x5x16xf32>
}

// -----

// The products of query and key, after the soft cap.
// CHECK-LABEL: func.func @products(
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: math.tanh
// CHECK: attn.attention
// CHECK-NOT: onnx
// CHECK: return
func.func @products(%q: tensor<2x4x5x16xf32>, %k: tensor<2x2x24x16xf32>) -> (tensor<2x4x5x16xf32>, tensor<2x4x5x24xf32>) {
  %0:4 = "onnx.Attention"(%q, %k, %k) {softcap = 2.0 : f32, qk_matmul_output_mode = 1 : si64} : (tensor<2x4x5x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x16xf32>) -> (tensor<2x4x5x16xf32>, none, none, tensor<2x4x5x24xf32>)
  return %0#0, %0#3 : tensor<2x4x5x16xf32>, tensor<2x4x5x24xf32>
}

// -----

func.func @probabilities(%q: tensor<2x4x5x16xf32>) -> (tensor<2x4x5x16xf32>, tensor<2x4x5x5xf32>) {
  // expected-remark@below {{attention was not raised: its qk_matmul_output, which is used, has masks or is the probabilities (qk_matmul_output_mode 3)}}
  %0:4 = "onnx.Attention"(%q, %q, %q) {qk_matmul_output_mode = 3 : si64} : (tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>) -> (tensor<2x4x5x16xf32>, none, none, tensor<2x4x5x5xf32>)
  return %0#0, %0#3 : tensor<2x4x5x16xf32>, tensor<2x4x5x5xf32>
}

// -----

func.func @past_and_lengths(%q: tensor<2x4x5x16xf32>, %n: tensor<2xi64>) -> tensor<2x4x5x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected either a past_key or a nonpad_kv_seqlen}}
  %0 = "onnx.Attention"(%q, %q, %q, %none, %q, %q, %n) : (tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, none, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<2xi64>) -> tensor<2x4x5x16xf32>
  return %0 : tensor<2x4x5x16xf32>
}

// -----

func.func @past_of_other_heads(%q: tensor<2x4x5x16xf32>, %p: tensor<2x2x5x16xf32>) -> tensor<2x4x5x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected past_key and past_value of batch entries, static heads, rows and columns, in the element type of the key}}
  %0 = "onnx.Attention"(%q, %q, %q, %none, %p, %p) : (tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, none, tensor<2x2x5x16xf32>, tensor<2x2x5x16xf32>) -> tensor<2x4x5x16xf32>
  return %0 : tensor<2x4x5x16xf32>
}

// -----

func.func @lengths_of_other_entries(%q: tensor<2x4x5x16xf32>, %n: tensor<3xi64>) -> tensor<2x4x5x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a nonpad_kv_seqlen of integers, one for each batch entry, found tensor<3xi64>}}
  %0 = "onnx.Attention"(%q, %q, %q, %none, %none, %none, %n) : (tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, none, none, none, tensor<3xi64>) -> tensor<2x4x5x16xf32>
  return %0 : tensor<2x4x5x16xf32>
}

// -----

func.func @new_attribute(%q: tensor<2x4x5x16xf32>) -> tensor<2x4x5x16xf32> {
  // expected-remark@below {{attention was not raised: its attribute more_windows is not known}}
  %0 = "onnx.Attention"(%q, %q, %q) {more_windows = 1 : si64} : (tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>) -> tensor<2x4x5x16xf32>
  return %0 : tensor<2x4x5x16xf32>
}
