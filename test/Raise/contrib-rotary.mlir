// GroupQueryAttention of the domain com.microsoft that rotates query and key by the positions of their rows (do_rotary).
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics -split-input-file | FileCheck %s

// One row with a cache, as exported language models have it. Its position is that of the last key, and the present keys are rotated.
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<2x1x64xf16>, %[[K:[^:]+]]: tensor<2x1x32xf16>, %[[V:[^:]+]]: tensor<2x1x32xf16>,
// CHECK-SAME: %[[COS:[^:]+]]: tensor<32x8xf16>, %[[SIN:[^:]+]]: tensor<32x8xf16>
// CHECK: %[[ROTATED:.+]] = linalg.generic {{.+}} ins(%[[Q]] : tensor<2x1x64xf16>)
// CHECK: %[[LAST:.+]] = tensor.extract %{{.+}} : tensor<2xi32>
// CHECK: arith.index_cast %[[LAST]]
// CHECK: %[[FIRST:.+]] = arith.cmpi slt, %{{.+}}, %c8
// CHECK: tensor.extract %[[Q]]
// CHECK: tensor.extract %[[COS]]
// CHECK: tensor.extract %[[SIN]]
// CHECK: arith.negf
// CHECK: arith.select %[[FIRST]]
// CHECK: arith.truncf
// CHECK: %[[KEY:.+]] = linalg.generic {{.+}} ins(%[[K]] : tensor<2x1x32xf16>)
// CHECK: tensor.extract %[[COS]]
// CHECK: %[[PRESENT:.+]] = linalg.generic
// CHECK: scf.if
// CHECK: tensor.extract %[[KEY]]
// CHECK: %[[VALUE:.+]] = linalg.generic
// CHECK: tensor.extract %[[V]]
// CHECK: %[[HEADS:.+]] = tensor.expand_shape %[[ROTATED]]
// CHECK: attn.attention scale 2.500000e-01 ins(%{{.+}}, %[[PRESENT]], %[[VALUE]] :
// CHECK-NOT: onnx
// CHECK: return %{{.+}}, %[[PRESENT]], %[[VALUE]] :
func.func @decode(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// A prompt without a cache, packed: the position is the row's number. Neighboring columns are pairs, and columns after the pairs stay.
// CHECK-LABEL: func.func @packed_prompt(
// CHECK: %[[PACKED:.+]] = "torch_c.to_builtin_tensor"(%arg0)
// CHECK: %[[Q:.+]] = tensor.extract_slice %[[PACKED]][0, 0, 0]
// CHECK: %[[K:.+]] = tensor.extract_slice %[[PACKED]][0, 0, 64]
// CHECK: %[[V:.+]] = tensor.extract_slice %[[PACKED]][0, 0, 96]
// CHECK: linalg.generic {{.+}} ins(%[[Q]] : tensor<?x?x64xf32>)
// CHECK-NOT: tensor.extract %{{.+}}xi32>
// CHECK: %[[OF_HEAD:.+]] = arith.remsi %{{.+}}, %c16
// CHECK: arith.remsi %[[OF_HEAD]], %c2
// CHECK: arith.divsi %[[OF_HEAD]], %c2
// CHECK: %[[ROTATED:.+]] = arith.cmpi slt, %[[OF_HEAD]], %c10
// CHECK: %[[RESULT:.+]] = arith.select %[[ROTATED]], %{{.+}}, %in
// CHECK-NEXT: linalg.yield %[[RESULT]]
// CHECK: linalg.generic {{.+}} ins(%[[K]] : tensor<?x?x32xf32>)
// CHECK-NOT: ins(%[[V]] : tensor<?x?x32xf32>) outs(%{{.+}} : tensor<?x?x32xf32>)
// CHECK: attn.attention mask <top_left, causal>
// CHECK-NOT: torch.operator
// CHECK: return
func.func @packed_prompt(%q: !torch.vtensor<[?,?,128],f32>, %last: !torch.vtensor<[?],si32>, %total: !torch.vtensor<[],si32>, %c: !torch.vtensor<[?,5],f32>, %s: !torch.vtensor<[?,5],f32>) -> !torch.vtensor<[?,?,64],f32> {
  %none = "torch.constant.none"() : () -> !torch.none
  %0:3 = "torch.operator"(%q, %none, %none, %none, %none, %last, %total, %c, %s) <{name = "onnx.GroupQueryAttention"}> {torch.onnx.do_rotary = 1 : si64, torch.onnx.rotary_interleaved = 1 : si64, torch.onnx.kv_num_heads = 2 : si64, torch.onnx.num_heads = 4 : si64} : (!torch.vtensor<[?,?,128],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.vtensor<[?],si32>, !torch.vtensor<[],si32>, !torch.vtensor<[?,5],f32>, !torch.vtensor<[?,5],f32>) -> (!torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,2,?,16],f32>, !torch.vtensor<[?,2,?,16],f32>)
  return %0#0 : !torch.vtensor<[?,?,64],f32>
}

// -----

// Positions that are given replace those of the keys.
// CHECK-LABEL: func.func @positions(
// CHECK-SAME: %[[AT:[^:]+]]: tensor<2x1xi64>)
// CHECK: linalg.generic {{.+}} ins(%{{.+}}, %[[AT]] : tensor<2x1x64xf16>, tensor<2x1xi64>)
// CHECK: ^bb0(%{{.+}}: f16, %[[POSITION:.+]]: i64, %{{.+}}: f16):
// CHECK: arith.index_cast %[[POSITION]] : i64 to index
// CHECK: linalg.generic {{.+}} ins(%{{.+}}, %[[AT]] : tensor<2x1x32xf16>, tensor<2x1xi64>)
// CHECK: attn.attention
func.func @positions(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>, %at: tensor<2x1xi64>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s, %at) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>, tensor<2x1xi64>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// Caches of an operator that does not rotate are not read.
// CHECK-LABEL: func.func @off(
// CHECK-NOT: arith.negf
// CHECK: attn.attention
func.func @off(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 0 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// What is not as the operator defines it stays.
// CHECK-LABEL: func.func @no_caches(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_caches(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found none and none}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %none, %none) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, none, none) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @no_sines(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_sines(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x8xf16> and none}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %none) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, none) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @wide_cache(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @wide_cache(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x9xf16>, %s: tensor<32x9xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x9xf16> and tensor<32x9xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x9xf16>, tensor<32x9xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @no_pairs(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_pairs(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x0xf16>, %s: tensor<32x0xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x0xf16> and tensor<32x0xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x0xf16>, tensor<32x0xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @no_rows(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @no_rows(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<0x8xf16>, %s: tensor<0x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<0x8xf16> and tensor<0x8xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<0x8xf16>, tensor<0x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @open_cache(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @open_cache(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x?xf16>, %s: tensor<32x?xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x?xf16> and tensor<32x?xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x?xf16>, tensor<32x?xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @flat_cache(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @flat_cache(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<256xf16>, %s: tensor<256xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<256xf16> and tensor<256xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<256xf16>, tensor<256xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @unequal_caches(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @unequal_caches(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x7xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x8xf16> and tensor<32x7xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x7xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @unequal_rows(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @unequal_rows(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<31x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x8xf16> and tensor<31x8xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<31x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @caches_of_integers(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @caches_of_integers(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xi32>, %s: tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected a cos_cache and a sin_cache of positions and 1 to 8 columns, of one size, for do_rotary, found tensor<32x8xi32> and tensor<32x8xf16>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xi32>, tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @short_positions(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @short_positions(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>, %at: tensor<2x1xi32>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected position_ids of i64, of batch entries and rows, found tensor<2x1xi32>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s, %at) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>, tensor<2x1xi32>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @one_position(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @one_position(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>, %at: tensor<1xi64>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected position_ids of i64, of batch entries and rows, found tensor<1xi64>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s, %at) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>, tensor<1xi64>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @more_positions(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @more_positions(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>, %at: tensor<2x2xi64>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected position_ids of i64, of batch entries and rows, found tensor<2x2xi64>}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s, %at) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>, tensor<2x2xi64>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @twice(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @twice(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected do_rotary to be 0 or 1, found 2}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 2 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// CHECK-LABEL: func.func @other_pairs(
// CHECK-NOT: linalg
// CHECK-NOT: attn.attention
// CHECK: "onnx.Custom"
func.func @other_pairs(%q: tensor<2x1x64xf16>, %k: tensor<2x1x32xf16>, %v: tensor<2x1x32xf16>, %pk: tensor<2x2x31x16xf16>, %pv: tensor<2x2x31x16xf16>, %last: tensor<2xi32>, %total: tensor<i32>, %c: tensor<32x8xf16>, %s: tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>) {
  // expected-remark@below {{attention was not raised: expected rotary_interleaved to be 0 or 1, found -1}}
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total, %c, %s) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft", num_heads = 4 : si64, kv_num_heads = 2 : si64, do_rotary = 1 : si64, rotary_interleaved = -1 : si64} : (tensor<2x1x64xf16>, tensor<2x1x32xf16>, tensor<2x1x32xf16>, tensor<2x2x31x16xf16>, tensor<2x2x31x16xf16>, tensor<2xi32>, tensor<i32>, tensor<32x8xf16>, tensor<32x8xf16>) -> (tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x1x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>
}

// -----

// RotaryEmbedding of com.microsoft stays, and the attention beside it is raised.
// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[AT:[^:]+]]: !torch.vtensor<[2,9],si64>
// CHECK: %[[ROTATED_Q:.+]] = "torch.operator"(%arg0, %[[AT]], {{.+}} <{name = "onnx.RotaryEmbedding"}>
// CHECK: %[[ROTATED_K:.+]] = "torch.operator"(%arg1, %[[AT]], {{.+}} <{name = "onnx.RotaryEmbedding"}>
// CHECK: %[[Q:.+]] = "torch_c.to_builtin_tensor"(%[[ROTATED_Q]])
// CHECK: %[[K:.+]] = "torch_c.to_builtin_tensor"(%[[ROTATED_K]])
// CHECK: attn.attention
// CHECK-NOT: MultiHeadAttention
// CHECK: return
func.func @embedding(%q: !torch.vtensor<[2,9,64],f32>, %k: !torch.vtensor<[2,9,64],f32>, %v: !torch.vtensor<[2,9,64],f32>, %at: !torch.vtensor<[2,9],si64>, %c: !torch.vtensor<[32,8],f32>, %s: !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[2,9,64],f32> {
  %0 = "torch.operator"(%q, %at, %c, %s) <{name = "onnx.RotaryEmbedding"}> {torch.onnx.interleaved = 0 : si64} : (!torch.vtensor<[2,9,64],f32>, !torch.vtensor<[2,9],si64>, !torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[2,9,64],f32>
  %1 = "torch.operator"(%k, %at, %c, %s) <{name = "onnx.RotaryEmbedding"}> {torch.onnx.interleaved = 0 : si64} : (!torch.vtensor<[2,9,64],f32>, !torch.vtensor<[2,9],si64>, !torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[2,9,64],f32>
  %2 = "torch.operator"(%0, %1, %v) <{name = "onnx.MultiHeadAttention"}> {torch.onnx.num_heads = 4 : si64, torch.onnx.unidirectional = 1 : si64} : (!torch.vtensor<[2,9,64],f32>, !torch.vtensor<[2,9,64],f32>, !torch.vtensor<[2,9,64],f32>) -> !torch.vtensor<[2,9,64],f32>
  return %2 : !torch.vtensor<[2,9,64],f32>
}
