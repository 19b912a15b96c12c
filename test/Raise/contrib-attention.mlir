// Attention of the domain com.microsoft, which has the weights of the projections of query, key and value.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics -split-input-file | FileCheck %s

// The projection is a product in f32 before attention, whose parts are query, key and value.
// CHECK-LABEL: func.func @encoder(
// CHECK-SAME: %[[X:[^:]+]]: tensor<2x9x32xf16>, %[[W:[^:]+]]: tensor<32x192xf16>, %[[B:[^:]+]]: tensor<192xf16>, %[[MASK:[^:]+]]: tensor<2x9xi32>)
// CHECK: %[[PRODUCT:.+]] = linalg.generic {{.+}}"parallel", "parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] :
// CHECK: -> tensor<2x9x192xf32>
// CHECK: %[[SUM:.+]] = linalg.generic {{.+}} ins(%[[PRODUCT]], %[[B]] :
// CHECK: arith.truncf
// CHECK: tensor.extract_slice %[[SUM]][0, 0, 0] [2, 9, 64]
// CHECK: tensor.extract_slice %[[SUM]][0, 0, 64] [2, 9, 64]
// CHECK: tensor.extract_slice %[[SUM]][0, 0, 128] [2, 9, 64]
// CHECK: attn.attention scale 2.500000e-01 {{.+}} captures(%[[MASK]] : tensor<2x9xi32>)
// CHECK: score {
// CHECK: arith.constant -1.000000e+04 : f32
// CHECK-NOT: onnx
// CHECK: return
func.func @encoder(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2x9xi32>) -> tensor<2x9x64xf16> {
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2x9xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// A decoder with dynamic sizes: past keys and values are one array, and the present ones are another.
// CHECK-LABEL: func.func @decoder(
// CHECK-SAME: %[[PAST:[^:]+]]: tensor<2x?x4x?x16xf32>)
// CHECK: %[[PAST_KEY:.+]] = tensor.extract_slice %[[PAST]][0, 0, 0, 0, 0] [1,
// CHECK: %[[PAST_VALUE:.+]] = tensor.extract_slice %[[PAST]][1, 0, 0, 0, 0] [1,
// CHECK: %[[KEY:.+]] = tensor.concat dim(2) %[[PAST_KEY]],
// CHECK: %[[VALUE:.+]] = tensor.concat dim(2) %[[PAST_VALUE]],
// CHECK: %[[KEY_PART:.+]] = tensor.expand_shape %[[KEY]]
// CHECK: %[[VALUE_PART:.+]] = tensor.expand_shape %[[VALUE]]
// CHECK: %[[PRESENT:.+]] = tensor.concat dim(0) %[[KEY_PART]], %[[VALUE_PART]]
// CHECK: attn.attention mask <bottom_right, causal> {{.*}}ins(%{{.+}}, %[[KEY]], %[[VALUE]] :
// CHECK: score {
// CHECK-NOT: onnx
// CHECK: return %{{.+}}, %[[PRESENT]] :
func.func @decoder(%x: tensor<?x?x64xf32>, %w: tensor<64x192xf32>, %b: tensor<192xf32>, %mask: tensor<?x?xi32>, %past: tensor<2x?x4x?x16xf32>) -> (tensor<?x?x64xf32>, tensor<2x?x4x?x16xf32>) {
  %0:2 = "onnx.Custom"(%x, %w, %b, %mask, %past) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, unidirectional = 1 : si64} : (tensor<?x?x64xf32>, tensor<64x192xf32>, tensor<192xf32>, tensor<?x?xi32>, tensor<2x?x4x?x16xf32>) -> (tensor<?x?x64xf32>, tensor<2x?x4x?x16xf32>)
  return %0#0, %0#1 : tensor<?x?x64xf32>, tensor<2x?x4x?x16xf32>
}

// -----

// Key and value may have other numbers of columns. Ends of the keys come before their starts.
// CHECK-LABEL: func.func @ranges(
// CHECK-SAME: %[[MASK:[^:]+]]: tensor<4xi32>)
// CHECK: tensor.extract_slice %{{.+}}[0, 0, 0] [2, 9, 32]
// CHECK: tensor.extract_slice %{{.+}}[0, 0, 32] [2, 9, 32]
// CHECK: tensor.extract_slice %{{.+}}[0, 0, 64] [2, 9, 128]
// CHECK: attn.attention {{.+}} captures(%[[MASK]] : tensor<4xi32>)
// CHECK: mask {
// CHECK: ^bb0(%[[BATCH:.+]]: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %[[ARRAY:.+]]: tensor<4xi32>):
// CHECK-DAG: %[[END:.+]] = attn.read %[[ARRAY]][%[[BATCH]]]
// CHECK-DAG: arith.cmpi slt, %{{.+}}, %[[END]]
// CHECK-DAG: %[[SHIFTED:.+]] = arith.addi %[[BATCH]], %c2
// CHECK-DAG: %[[START:.+]] = attn.read %[[ARRAY]][%[[SHIFTED]]]
// CHECK-DAG: arith.cmpi sge, %{{.+}}, %[[START]]
// CHECK: attn.yield
func.func @ranges(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<4xi32>) -> tensor<2x9x128xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%x, %w, %none, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, qkv_hidden_sizes = [32 : si64, 32 : si64, 128 : si64]} : (tensor<2x9x32xf16>, tensor<32x192xf16>, none, tensor<4xi32>) -> tensor<2x9x128xf16>
  return %0 : tensor<2x9x128xf16>
}

// -----

// If sizes are dynamic, that of the mask says whether it has starts.
// CHECK-LABEL: func.func @open_ranges(
// CHECK-SAME: %[[MASK:[^:]+]]: tensor<?xi32>)
// CHECK: %[[BATCHES:.+]] = tensor.dim %arg0, %c0
// CHECK: %[[TWICE:.+]] = arith.addi %[[BATCHES]], %[[BATCHES]]
// CHECK: %[[SIZE:.+]] = tensor.dim %[[MASK]], %c0
// CHECK: arith.cmpi eq, %[[SIZE]], %[[TWICE]]
// CHECK: attn.attention {{.+}} captures({{.*}}%[[MASK]]
// CHECK: mask {
// CHECK: arith.cmpi slt
// CHECK: arith.select
// CHECK: arith.cmpi sge
func.func @open_ranges(%x: tensor<?x?x64xf32>, %w: tensor<64x192xf32>, %mask: tensor<?xi32>) -> tensor<?x?x64xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%x, %w, %none, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<?x?x64xf32>, tensor<64x192xf32>, none, tensor<?xi32>) -> tensor<?x?x64xf32>
  return %0 : tensor<?x?x64xf32>
}

// -----

// The mask of positions begins at the rows after the past keys.
// CHECK-LABEL: func.func @positions(
// CHECK-SAME: %[[MASK:[^:]+]]: tensor<2x1x32x32xi32>,
// CHECK: attn.attention {{.+}} captures(%[[MASK]] : tensor<2x1x32x32xi32>)
// CHECK: score {
// CHECK: ^bb0(%{{.+}}: f32, %[[BATCH:.+]]: index, %{{.+}}: index, %[[ROW:.+]]: index, %[[KEY:.+]]: index, %[[ARRAY:.+]]: tensor<2x1x32x32xi32>):
// CHECK: %[[AT:.+]] = arith.addi %[[ROW]], %c7
// CHECK: attn.read %[[ARRAY]][%[[BATCH]], %c0{{[^,]*}}, %[[AT]], %[[KEY]]]
func.func @positions(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2x1x32x32xi32>, %past: tensor<2x2x4x7x16xf16>) -> (tensor<2x9x64xf16>, tensor<2x2x4x16x16xf16>) {
  %0:2 = "onnx.Custom"(%x, %w, %b, %mask, %past) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2x1x32x32xi32>, tensor<2x2x4x7x16xf16>) -> (tensor<2x9x64xf16>, tensor<2x2x4x16x16xf16>)
  return %0#0, %0#1 : tensor<2x9x64xf16>, tensor<2x2x4x16x16xf16>
}

// -----

// One number for all keys of a batch entry changes no weight.
// CHECK-LABEL: func.func @one(
// CHECK: attn.attention scale 2.500000e-01 ins(
// CHECK-NOT: {{score|mask}} {
// CHECK: return
func.func @one(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<1x1xi32>) -> tensor<2x9x64xf16> {
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<1x1xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// What is not as the operator defines it stays.
// CHECK-LABEL: func.func @rotated(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @rotated(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: it rotates query and key by angles of its own (do_rotary), which are to be a RotaryEmbedding before a MultiHeadAttention}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, do_rotary = 1 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @shared(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @shared(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: past and present keys are in one buffer (past_present_share_buffer)}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, past_present_share_buffer = 1 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @sizes(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @sizes(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected qkv_hidden_sizes of three multiples of num_heads, 4, of which the first two are equal, with the sum 192, the columns of the weights}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, qkv_hidden_sizes = [64 : si64, 64 : si64]} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @sum_of_sizes(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @sum_of_sizes(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected qkv_hidden_sizes of three multiples of num_heads, 4, of which the first two are equal, with the sum 192, the columns of the weights}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, qkv_hidden_sizes = array<i64: 64, 64, 60>} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @negative_sizes(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @negative_sizes(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected qkv_hidden_sizes of three multiples of num_heads, 4, of which the first two are equal, with the sum 192, the columns of the weights}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, qkv_hidden_sizes = [-64 : si64, -64 : si64, 320 : si64]} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @kinds_of_sizes(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @kinds_of_sizes(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: its attribute qkv_hidden_sizes is of another kind}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, qkv_hidden_sizes = [64.0 : f32]} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @weights(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @weights(%x: tensor<2x9x32xf16>, %w: tensor<31x192xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected an input of batch entries, rows and columns, and weights of these columns and a static number of columns, both of f16, bf16 or f32, found tensor<2x9x32xf16> and tensor<31x192xf16>}}
  %0 = "onnx.Custom"(%x, %w) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<31x192xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @no_weights(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_weights(%x: tensor<2x9x32xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected an input of batch entries, rows and columns, and weights of these columns and a static number of columns, both of f16, bf16 or f32, found tensor<2x9x32xf16> and none}}
  %0 = "onnx.Custom"(%x) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @types(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @types(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf32>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected an input of batch entries, rows and columns, and weights of these columns and a static number of columns, both of f16, bf16 or f32, found tensor<2x9x32xf16> and tensor<32x192xf32>}}
  %0 = "onnx.Custom"(%x, %w) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @bias(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @bias(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<64xf16>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected a bias of 192 elements in the type of the input, found tensor<64xf16>}}
  %0 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<64xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @past(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @past(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %past: tensor<2x2x4x7x8xf16>) -> tensor<2x9x64xf16> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a past of key and value, batch entries, 4 heads, rows and 16 columns, which query, key and value have, in the type of the input, found tensor<2x2x4x7x8xf16>}}
  %0 = "onnx.Custom"(%x, %w, %b, %none, %past) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, none, tensor<2x2x4x7x8xf16>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @lengths(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @lengths(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<5xi32>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_index of n or 2 n lengths, or of 3 n + 2 numbers, for n = 2 batch entries, found 5}}
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<5xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @mask(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @mask(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2x8xi32>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_index of lengths, or of batch entries, perhaps rows, and all keys, found tensor<2x8xi32>}}
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2x8xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @bools(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @bools(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2x9xi1>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_index of i32}}
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2x9xi1>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @few_positions(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @few_positions(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2x1x8x8xi32>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_index of 4 dimensions with batch entries, 1, and twice a number of at least all keys, and no unidirectional beside it, found tensor<2x1x8x8xi32>}}
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2x1x8x8xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @causal_positions(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @causal_positions(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2x1x9x9xi32>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: expected a mask_index of 4 dimensions with batch entries, 1, and twice a number of at least all keys, and no unidirectional beside it, found tensor<2x1x9x9xi32>}}
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, unidirectional = 1 : si64} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2x1x9x9xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// CHECK-LABEL: func.func @present(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @present(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>) -> (tensor<2x9x128xf16>, tensor<2x2x4x9x8xf16>) {
  // expected-remark@below {{attention was not raised: expected a present of key and value, batch entries, heads, all keys and columns, of which a head's key has as many as its value}}
  %0:2 = "onnx.Custom"(%x, %w, %b) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, qkv_hidden_sizes = [32 : si64, 32 : si64, 128 : si64]} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>) -> (tensor<2x9x128xf16>, tensor<2x2x4x9x8xf16>)
  return %0#0, %0#1 : tensor<2x9x128xf16>, tensor<2x2x4x9x8xf16>
}

// -----

// CHECK-LABEL: func.func @weak(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @weak(%x: tensor<2x9x32xf16>, %w: tensor<32x192xf16>, %b: tensor<192xf16>, %mask: tensor<2xi32>) -> tensor<2x9x64xf16> {
  // expected-remark@below {{attention was not raised: its mask_filter_value leaves weights to keys after a length}}
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, mask_filter_value = -5.000000e-01 : f32} : (tensor<2x9x32xf16>, tensor<32x192xf16>, tensor<192xf16>, tensor<2xi32>) -> tensor<2x9x64xf16>
  return %0 : tensor<2x9x64xf16>
}

// -----

// A part of an array without elements, such as a cache with no rows yet, is an empty array.
// CHECK-LABEL: func.func @empty_past(
// CHECK-NOT: tensor.extract_slice %arg3
// CHECK: %[[PAST_KEY:.+]] = tensor.empty() : tensor<2x4x0x16xf32>
// CHECK: tensor.concat dim(2) %[[PAST_KEY]], %{{.+}} -> tensor<2x4x9x16xf32>
// CHECK: attn.attention mask <top_left, causal>
// CHECK-NOT: onnx
// CHECK: return
func.func @empty_past(%x: tensor<2x9x32xf32>, %w: tensor<32x192xf32>, %b: tensor<192xf32>, %past: tensor<2x2x4x0x16xf32>) -> (tensor<2x9x64xf32>, tensor<2x2x4x9x16xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0:2 = "onnx.Custom"(%x, %w, %b, %none, %past) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, unidirectional = 1 : si64} : (tensor<2x9x32xf32>, tensor<32x192xf32>, tensor<192xf32>, none, tensor<2x2x4x0x16xf32>) -> (tensor<2x9x64xf32>, tensor<2x2x4x9x16xf32>)
  return %0#0, %0#1 : tensor<2x9x64xf32>, tensor<2x2x4x9x16xf32>
}

// -----

// CHECK-LABEL: func.func @no_entries(
// CHECK: attn.attention {{.+}} captures(%{{.+}} : tensor<0xi32>, tensor<0xi32>)
// CHECK-NOT: onnx
// CHECK: return
func.func @no_entries(%x: tensor<0x9x32xf32>, %w: tensor<32x192xf32>, %b: tensor<192xf32>, %mask: tensor<0xi32>) -> tensor<0x9x64xf32> {
  %0 = "onnx.Custom"(%x, %w, %b, %mask) <{function_name = "Attention"}> {domain_name = "com.microsoft", num_heads = 4 : si64} : (tensor<0x9x32xf32>, tensor<32x192xf32>, tensor<192xf32>, tensor<0xi32>) -> tensor<0x9x64xf32>
  return %0 : tensor<0x9x64xf32>
}
