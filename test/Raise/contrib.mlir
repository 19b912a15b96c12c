// Attention of the domain com.microsoft, as torch-mlir's importer (torch.operator) and onnx-mlir (onnx.Custom) write it.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics -split-input-file | FileCheck %s

// A prompt: rows read no keys after their own, and lengths only mask padding.
// CHECK-LABEL: func.func @prompt(
// CHECK: attn.attention mask <top_left, causal, left = 6> scale 2.500000e-01 ins({{.+}} : tensor<2x4x9x16xf16>, tensor<2x2x9x16xf16>, tensor<2x2x9x16xf16>)
// CHECK: math.tanh
// CHECK: mask {
// CHECK: attn.read {{.+}} : tensor<2xi32>
// CHECK-NOT: onnx
// CHECK: return
func.func @prompt(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:3 = "onnx.Custom"(%q, %k, %k, %none, %none, %last, %total) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, local_window_size = 7 : si64, softcap = 2.0 : f32, scale = 0.0 : f32, onnx_node_name = "gqa"} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>) -> (tensor<2x9x64xf16>, tensor<2x2x9x16xf16>, tensor<2x2x9x16xf16>)
  return %0#0 : tensor<2x9x64xf16>
}

// -----

// Dynamic sizes and a cache. The present keys have as many rows as total_sequence_length says, or as the cache.
// CHECK-LABEL: func.func @cache(
// CHECK: %[[TOTAL:.+]] = arith.index_cast %{{.+}} : i32 to index
// CHECK: %[[KEYS:.+]] = arith.maxsi %[[TOTAL]],
// CHECK: %[[KEY:.+]] = linalg.generic
// CHECK: scf.if
// CHECK: %[[VALUE:.+]] = linalg.generic
// CHECK: attn.attention scale 0.0883883{{[0-9]*}} ins(%{{.+}}, %[[KEY]], %[[VALUE]] : tensor<?x16x?x128xf16>, tensor<?x8x?x128xf16>, tensor<?x8x?x128xf16>)
// CHECK: mask {
// CHECK: arith.maxsi
// CHECK: "torch_c.from_builtin_tensor"(%[[KEY]])
// CHECK-NOT: torch.operator
// CHECK: return
func.func @cache(%q: !torch.vtensor<[?,?,2048],f16>, %k: !torch.vtensor<[?,?,1024],f16>, %v: !torch.vtensor<[?,?,1024],f16>, %pk: !torch.vtensor<[?,8,?,128],f16>, %pv: !torch.vtensor<[?,8,?,128],f16>, %last: !torch.vtensor<[?,1],si32>, %total: !torch.vtensor<[],si32>) -> (!torch.vtensor<[?,?,2048],f16>, !torch.vtensor<[?,8,?,128],f16>, !torch.vtensor<[?,8,?,128],f16>) {
  %none = "torch.constant.none"() : () -> !torch.none
  %0:3 = "torch.operator"(%q, %k, %v, %pk, %pv, %last, %total, %none, %none) <{name = "onnx.GroupQueryAttention"}> {torch.onnx.do_rotary = 0 : si64, torch.onnx.kv_num_heads = 8 : si64, torch.onnx.num_heads = 16 : si64, torch.onnx.rotary_interleaved = 0 : si64, torch.onnx.scale = 0.0883883461 : f32, torch.onnx.softcap = 0.000000e+00 : f32} : (!torch.vtensor<[?,?,2048],f16>, !torch.vtensor<[?,?,1024],f16>, !torch.vtensor<[?,?,1024],f16>, !torch.vtensor<[?,8,?,128],f16>, !torch.vtensor<[?,8,?,128],f16>, !torch.vtensor<[?,1],si32>, !torch.vtensor<[],si32>, !torch.none, !torch.none) -> (!torch.vtensor<[?,?,2048],f16>, !torch.vtensor<[?,8,?,128],f16>, !torch.vtensor<[?,8,?,128],f16>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[?,?,2048],f16>, !torch.vtensor<[?,8,?,128],f16>, !torch.vtensor<[?,8,?,128],f16>
}

// -----

// One row is the last one: no key comes after it.
// CHECK-LABEL: func.func @one_row(
// CHECK: attn.attention
// CHECK: mask {
// CHECK-NOT: arith.maxsi
// CHECK: arith.cmpi sle
// CHECK-NEXT: attn.yield
func.func @one_row(%q: tensor<3x1x128xf32>, %pk: tensor<3x2x8x16xf32>, %last: tensor<3xi32>, %total: tensor<i32>) -> tensor<3x1x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:3 = "onnx.Custom"(%q, %none, %none, %pk, %pk, %last, %total) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<3x1x128xf32>, none, none, tensor<3x2x8x16xf32>, tensor<3x2x8x16xf32>, tensor<3xi32>, tensor<i32>) -> (tensor<3x1x64xf32>, tensor<3x2x8x16xf32>, tensor<3x2x8x16xf32>)
  return %0#0 : tensor<3x1x64xf32>
}

// -----

// Sizes of a bias that may be 1 are read from memory.
// CHECK-LABEL: func.func @dynamic_bias(
// CHECK: attn.attention mask <top_left, causal> scale 5.000000e-01
// CHECK: score {
// CHECK: attn.read %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}] : tensor<?x1x?x?xf32>
func.func @dynamic_bias(%q: tensor<?x?x8xf32>, %b: tensor<?x1x?x?xf32>) -> tensor<?x?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %q, %q, %none, %none, %b) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 2 : si64, unidirectional = 1 : si64} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>, none, none, tensor<?x1x?x?xf32>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// -----

// The keys of cross attention are a cache that is a result again.
// CHECK-LABEL: func.func @cross(
// CHECK-SAME: %[[Q:.+]]: tensor<2x5x8xf32>, %[[K:.+]]: tensor<2x2x7x4xf32>)
// CHECK: attn.attention scale 5.000000e-01 ins(%{{.+}}, %[[K]], %[[K]] :
// CHECK: return %{{.+}}, %[[K]] :
func.func @cross(%q: tensor<2x5x8xf32>, %k: tensor<2x2x7x4xf32>) -> (tensor<2x5x8xf32>, tensor<2x2x7x4xf32>) {
  %0:3 = "onnx.Custom"(%q, %k, %k) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 2 : si64} : (tensor<2x5x8xf32>, tensor<2x2x7x4xf32>, tensor<2x2x7x4xf32>) -> (tensor<2x5x8xf32>, tensor<2x2x7x4xf32>, tensor<2x2x7x4xf32>)
  return %0#0, %0#1 : tensor<2x5x8xf32>, tensor<2x2x7x4xf32>
}

// What is not read stays as it is.
// CHECK-LABEL: func.func @quantized(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @quantized(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: its cache is quantized}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, k_quant_type = "PER_TENSOR"} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @sliding(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @sliding(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: its cache has the keys of a window only}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, sliding_window_cache = 1 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @empty_window(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @empty_window(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a local_window_size of 1 or more, and causal}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, local_window_size = 0 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @full_window(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @full_window(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a local_window_size of 1 or more, and causal}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, causal = 0 : si64, local_window_size = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @unknown(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: its attribute some_mode is not known}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, some_mode = 1 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @heads(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @heads(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected num_heads to be a multiple of kv_num_heads, found 4 and 3}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 3 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @no_heads(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @no_heads(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected num_heads to be a multiple of kv_num_heads, found 4 and 0}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 0 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @columns(%q: tensor<2x9x64xf32>, %k: tensor<2x9x34xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected as many columns of a head of the key as of the query}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x9x34xf32>, tensor<2x9x34xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @rows(%q: tensor<2x9x64xf32>, %k: tensor<2x8x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected as many batch entries and rows of key and value as of the query}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x8x32xf32>, tensor<2x8x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @open_columns(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @open_columns(%q: tensor<2x9x64xf32>, %k: tensor<2x9x?xf32>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a last dimension of static size for 2 heads}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x9x?xf32>, tensor<2x9x?xf32>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @types(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @types(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf16>, %last: tensor<2xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected query, key and value of one element type}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @lengths(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @lengths(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<3xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected seqlens_k of i32, one for each batch entry}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<3xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @long_lengths(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @long_lengths(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi64>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected seqlens_k of i32, one for each batch entry}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi64>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @result(
// CHECK-NEXT: "onnx.NoValue"
// CHECK-NEXT: "onnx.Custom"
// CHECK-NEXT: return
func.func @result(%q: tensor<2x9x64xf32>, %k: tensor<2x9x32xf32>, %last: tensor<2xi32>) -> tensor<2x9x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a result of batch entries, rows and a static size for the columns of all heads}}
  %0 = "onnx.Custom"(%q, %k, %k, %none, %none, %last) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x9x64xf32>, tensor<2x9x32xf32>, tensor<2x9x32xf32>, none, none, tensor<2xi32>) -> tensor<2x9x32xf32>
  return %0 : tensor<2x9x32xf32>
}

// -----

// CHECK-LABEL: func.func @buffer(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @buffer(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a6: tensor<2x4x5x16xf32>, %a7: tensor<2x4x5x16xf32>, %a8: tensor<1xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: past and present keys are in one buffer, or are of beams}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %none, %none, %none, %a6, %a7, %a8) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, none, none, none, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>, tensor<1xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @one_past(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @one_past(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a6: tensor<2x4x5x16xf32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected past_key and past_value of batch entries, static heads, rows and columns, in the element type of the key}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %none, %none, %none, %a6) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, none, none, none, tensor<2x4x5x16xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @wrong_bias(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @wrong_bias(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a3: tensor<64xf32>) -> tensor<2x9x64xf32> {
  // expected-remark@below {{attention was not raised: expected a bias with a number for each column of query, key and value}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %a3) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<64xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @starts(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @starts(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a4: tensor<7xi32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a key_padding_mask of n lengths, or of 3 n + 2 numbers, for n = 2 batch entries, found 7}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %none, %a4) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, none, tensor<7xi32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// Lengths come before the offsets of packed sequences, also if sizes are dynamic.
// CHECK-LABEL: func.func @lengths_of_packed(
// CHECK-SAME: %[[MASK:[^:]+]]: tensor<?xi32>)
// CHECK: attn.attention {{.+}} captures(%[[MASK]] : tensor<?xi32>)
// CHECK: mask {
// CHECK: attn.read
// CHECK: arith.cmpi slt
// CHECK-NEXT: attn.yield
func.func @lengths_of_packed(%q: tensor<?x?x64xf32>, %mask: tensor<?xi32>) -> tensor<?x?x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %q, %q, %none, %mask) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<?x?x64xf32>, tensor<?x?x64xf32>, tensor<?x?x64xf32>, none, tensor<?xi32>) -> tensor<?x?x64xf32>
  return %0 : tensor<?x?x64xf32>
}

// -----

// CHECK-LABEL: func.func @mask_of_new_keys(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @mask_of_new_keys(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a4: tensor<2x9xi32>, %a6: tensor<2x4x5x16xf32>, %a7: tensor<2x4x5x16xf32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a key_padding_mask of lengths, or of batch entries, perhaps rows, and all keys, found tensor<2x9xi32>}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %none, %a4, %none, %a6, %a7) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, none, tensor<2x9xi32>, none, tensor<2x4x5x16xf32>, tensor<2x4x5x16xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @mask_of_bools(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @mask_of_bools(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a4: tensor<2x9xi1>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a key_padding_mask of i32}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %none, %a4) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, none, tensor<2x9xi1>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @score_bias(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @score_bias(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>, %a5: tensor<2x2x9x9xf32>) -> tensor<2x9x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected an attention_bias of batch entries or 1, static heads or 1, rows and keys}}
  %0 = "onnx.Custom"(%a0, %a1, %a2, %none, %none, %a5) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>, none, none, tensor<2x2x9x9xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @infinite_scale(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @infinite_scale(%a0: tensor<2x9x64xf32>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>) -> tensor<2x9x64xf32> {
  // expected-remark@below {{attention was not raised: expected a finite scale and soft cap}}
  %0 = "onnx.Custom"(%a0, %a1, %a2) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, scale = 0x7F800000 : f32} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @packed_parts(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @packed_parts(%a0: tensor<2x9x4x2x16xf32>) -> tensor<2x9x64xf32> {
  // expected-remark@below {{attention was not raised: expected packed arrays of batch entries, rows, static heads, parts and columns}}
  %0 = "onnx.Custom"(%a0) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x4x2x16xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @no_query(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @no_query(%a0: tensor<2x9x64xf64>, %a1: tensor<2x9x64xf32>, %a2: tensor<2x9x64xf32>) -> tensor<2x9x64xf32> {
  // expected-remark@below {{attention was not raised: expected query, key and value of f16, bf16 or f32 with 3 dimensions}}
  %0 = "onnx.Custom"(%a0, %a1, %a2) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf64>, tensor<2x9x64xf32>, tensor<2x9x64xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @projections(
// CHECK: attn.attention
// CHECK-NOT: onnx
// CHECK: return
func.func @projections(%a0: tensor<2x9x64xf32>, %a1: tensor<64x192xf32>) -> tensor<2x9x64xf32> {
  %0 = "onnx.Custom"(%a0, %a1) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<64x192xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @paged(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @paged(%a0: tensor<2x9x64xf32>, %a1: tensor<64x192xf32>) -> tensor<2x9x64xf32> {
  // expected-remark@below {{attention was not raised: expected Attention, GroupQueryAttention or MultiHeadAttention of com.microsoft, found PagedAttention}}
  %0 = "onnx.Custom"(%a0, %a1) <{function_name = "PagedAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<64x192xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// CHECK-LABEL: func.func @imported_projections(
// CHECK: attn.attention
// CHECK-NOT: torch.operator
// CHECK: return
func.func @imported_projections(%a0: !torch.vtensor<[2,9,64],f32>, %a1: !torch.vtensor<[64,192],f32>) -> !torch.vtensor<[2,9,64],f32> {
  %0 = "torch.operator"(%a0, %a1) <{name = "onnx.Attention"}> {torch.onnx.num_heads = 4 : si64} : (!torch.vtensor<[2,9,64],f32>, !torch.vtensor<[64,192],f32>) -> !torch.vtensor<[2,9,64],f32>
  return %0 : !torch.vtensor<[2,9,64],f32>
}

// -----

// CHECK-LABEL: func.func @with_domain(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @with_domain(%a0: !torch.vtensor<[2,9,64],f32>, %a1: !torch.vtensor<[2,9,64],f32>, %a2: !torch.vtensor<[2,9,64],f32>) -> !torch.vtensor<[2,9,64],f32> {
  // expected-remark@below {{attention was not raised: its attribute rope is not known}}
  %0 = "torch.operator"(%a0, %a1, %a2) <{name = "onnx.com.microsoft.MultiHeadAttention"}> {torch.onnx.num_heads = 4 : si64, torch.onnx.rope = 1 : si64} : (!torch.vtensor<[2,9,64],f32>, !torch.vtensor<[2,9,64],f32>, !torch.vtensor<[2,9,64],f32>) -> !torch.vtensor<[2,9,64],f32>
  return %0 : !torch.vtensor<[2,9,64],f32>
}

// -----

// An operator of that name in another domain is not read.
// CHECK-LABEL: func.func @other_domain(
// CHECK: "onnx.Custom"
func.func @other_domain(%q: tensor<2x9x64xf32>) -> tensor<2x9x64xf32> {
  %0 = "onnx.Custom"(%q, %q, %q) <{function_name = "MultiHeadAttention"}> {domain_name = "some", num_heads = 4 : si64} : (tensor<2x9x64xf32>, tensor<2x9x64xf32>, tensor<2x9x64xf32>) -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}

// -----

// Ops that no operator's definition allows.
// CHECK-LABEL: func.func @malformed(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @malformed(%i: i32) {
  // expected-remark@below {{expected packed arrays of batch entries, rows, static heads, parts and columns}}
  %0 = "onnx.Custom"() <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : () -> tensor<2xf32>
  // expected-remark@below {{expected num_heads to be a multiple of kv_num_heads, found 0 and 0}}
  %1 = "torch.operator"(%i) <{name = "onnx.GroupQueryAttention"}> : (i32) -> i32
  // expected-remark@below {{expected query, key and value of f16, bf16 or f32 with 3 dimensions}}
  %2 = "torch.operator"(%i, %i, %i) <{name = "onnx.GroupQueryAttention"}> {torch.onnx.num_heads = 4 : si64, torch.onnx.kv_num_heads = 2 : si64} : (i32, i32, i32) -> i32
  "onnx.Custom"() <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft"} : () -> ()
  "use"(%0, %1, %2) : (tensor<2xf32>, i32, i32) -> ()
  return
}

// -----

// Attributes of another kind than the operator's are not read.
// CHECK-LABEL: func.func @kinds(
// CHECK-NOT: attn.attention
func.func @kinds(%q: tensor<2x9x64xf16>, %k: tensor<2x9x32xf16>, %last: tensor<2xi32>, %total: tensor<i32>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{its attribute softcap is of another kind}}
  %0:3 = "onnx.Custom"(%q, %k, %k, %none, %none, %last, %total) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, softcap = 5 : si64} : (tensor<2x9x64xf16>, tensor<2x9x32xf16>, tensor<2x9x32xf16>, none, none, tensor<2xi32>, tensor<i32>) -> (tensor<2x9x64xf16>, tensor<2x2x9x16xf16>, tensor<2x2x9x16xf16>)
  return %0#0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @weak_lengths(
// CHECK-NOT: attn.attention
func.func @weak_lengths(%q: tensor<1x4x32xf32>, %lengths: tensor<1xi32>) -> tensor<1x4x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{its mask_filter_value leaves weights to keys after a length}}
  %0 = "onnx.Custom"(%q, %q, %q, %none, %lengths) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 2 : si64, mask_filter_value = -1.0 : f32} : (tensor<1x4x32xf32>, tensor<1x4x32xf32>, tensor<1x4x32xf32>, none, tensor<1xi32>) -> tensor<1x4x32xf32>
  return %0 : tensor<1x4x32xf32>
}

// -----

// A result of builtin type whose size the op does not know.
// CHECK-LABEL: func.func @unknown_size(
// CHECK: attn.attention
// CHECK: %[[KEY:.+]] = tensor.cast %{{.+}} : tensor<1x2x8x16xf32> to tensor<1x2x?x16xf32>
// CHECK: return %{{.+}}, %[[KEY]]
func.func @unknown_size(%q: tensor<1x4x32xf32>, %past: tensor<1x2x4x16xf32>) -> (tensor<1x4x32xf32>, tensor<1x2x?x16xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:3 = "onnx.Custom"(%q, %q, %q, %none, %none, %none, %past, %past) <{function_name = "MultiHeadAttention"}> {domain_name = "com.microsoft", num_heads = 2 : si64} : (tensor<1x4x32xf32>, tensor<1x4x32xf32>, tensor<1x4x32xf32>, none, none, none, tensor<1x2x4x16xf32>, tensor<1x2x4x16xf32>) -> (tensor<1x4x32xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>)
  return %0#0, %0#1 : tensor<1x4x32xf32>, tensor<1x2x?x16xf32>
}
