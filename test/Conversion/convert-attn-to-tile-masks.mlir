// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s
// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s --check-prefix=FULL

// A mask is the program's domain, a function of a range of rows, and in a branch for
// partial blocks, a largest and a smallest column for each row. Rows [first, last)
// need the columns that any of them keeps, and a column is full if each of them keeps
// it: the first row's end is the least, and the last row's begin the largest.

// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0) -> (256, d0 + 64)>
// CHECK-DAG: #[[$TOP_LEFT_END:.+]] = affine_map<(d0) -> (320, d0)>
// CHECK-DAG: #[[$TOP_LEFT_FULL:.+]] = affine_map<(d0) -> (320, d0 + 1)>
// CHECK-DAG: #[[$TOP_LEFT:.+]] = affine_map<(d0, d1) -> (96, d0 - d1)>
// CHECK-DAG: #[[$BOTTOM_RIGHT_END:.+]] = affine_map<(d0) -> (320, d0 + 64)>
// CHECK-DAG: #[[$BOTTOM_RIGHT_FULL:.+]] = affine_map<(d0) -> (320, d0 + 65)>
// CHECK-DAG: #[[$BOTTOM_RIGHT:.+]] = affine_map<(d0, d1) -> (96, d0 - d1 + 64)>
// CHECK-DAG: #[[$LONG_QUERY_END:.+]] = affine_map<(d0) -> (64, d0 - 192)>
// CHECK-DAG: #[[$LONG_QUERY_FULL:.+]] = affine_map<(d0) -> (64, d0 - 191)>
// CHECK-DAG: #[[$LEFT_BEGIN:.+]] = affine_map<(d0) -> (0, d0 - 40)>
// CHECK-DAG: #[[$LEFT_FULL:.+]] = affine_map<(d0) -> (0, d0 - 41)>
// CHECK-DAG: #[[$LEFT:.+]] = affine_map<(d0, d1) -> (96, d0 - d1 - 40)>
// CHECK-DAG: #[[$RIGHT_END:.+]] = affine_map<(d0) -> (320, d0 + 40)>
// CHECK-DAG: #[[$RIGHT_FULL:.+]] = affine_map<(d0) -> (320, d0 + 41)>
// CHECK-DAG: #[[$WINDOW_BEGIN:.+]] = affine_map<(d0) -> (0, d0 + 24)>
// CHECK-DAG: #[[$WINDOW_FULL_BEGIN:.+]] = affine_map<(d0) -> (0, d0 + 23)>
// CHECK-DAG: #[[$WINDOW_END:.+]] = affine_map<(d0) -> (320, d0 + 71)>
// CHECK-DAG: #[[$WINDOW_FULL_END:.+]] = affine_map<(d0) -> (320, d0 + 72)>
// CHECK-DAG: #[[$WINDOW_UPPER:.+]] = affine_map<(d0, d1) -> (96, d0 - d1 + 71)>
// CHECK-DAG: #[[$WINDOW_LOWER:.+]] = affine_map<(d0, d1) -> (96, d0 - d1 + 24)>
// CHECK-DAG: #[[$DYNAMIC_END:.+]] = affine_map<(d0)[s0, s1] -> (s0, d0 + s1 - 256)>
// CHECK-DAG: #[[$DYNAMIC_FULL:.+]] = affine_map<(d0)[s0, s1] -> (s0, d0 + s1 - 255)>
// CHECK-DAG: #[[$DYNAMIC_KEYS:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 96)>
// CHECK-DAG: #[[$DYNAMIC:.+]] = affine_map<(d0, d1)[s0] -> (96, d0 - d1 + s0 - 256)>
// CHECK-DAG: #[[$RAGGED:.+]] = affine_map<(d0) -> (-d0 + 65, 96)>
// CHECK-DAG: #[[$CLAMP:.+]] = affine_map<(d0) -> (-96, d0)>

!query = memref<1x1x256x64xf16>
!key = memref<1x1x320x64xf16>

// The number of keys is a multiple of the block's, and each row keeps all: no block is partial.
// CHECK-LABEL: func.func @no_mask(
// FULL-LABEL: func.func @no_mask(
func.func @no_mask(%q: !query, %k: !key, %o: !query) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[LENGTH:.+]] = arith.constant 320 : index
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[LENGTH]] full %[[C0]] to %[[LENGTH]]
  // FULL-NOT: {{scf.if|attn_tile.coordinate|arith.cmpi|arith.select}}
  // FULL: %[[S:.+]] = attn_tile.dot {{.*}} transpose_rhs
  // FULL-NOT: {{scf.if|attn_tile.coordinate|arith.cmpi|arith.select}}
  // FULL: attn_tile.softmax_update %[[S]],
  // FULL-NOT: {{scf.if|attn_tile.coordinate|arith.cmpi|arith.select}}
  attn.attention ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i. Bounds are clamped, so that they fit i32 with any positions.
// CHECK-LABEL: func.func @top_left(
// FULL-LABEL: func.func @top_left(
func.func @top_left(%q: !query, %k: !key, %o: !query) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[MASKED:.+]] = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: %[[END:.+]] = affine.min #[[$ROWS]](%[[I]])
  // CHECK: attn_tile.domain rows %[[I]] to %[[END]] {
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$TOP_LEFT_END]](%[[LAST]])
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$TOP_LEFT_FULL]](%[[FIRST]])
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[HI]] full %[[C0]] to %[[FULL_HI]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: %[[S:.+]] = attn_tile.dot
  // CHECK: %[[CUT:.+]] = scf.if %[[PARTIAL]] -> (tensor<64x32xf32>) {
  // CHECK-DAG: %[[DISTANCE:.+]] = affine.min #[[$TOP_LEFT]](%[[I]], %[[J]])
  // CHECK-DAG: %[[CLAMPED:.+]] = affine.max #[[$CLAMP]](%[[DISTANCE]])
  // CHECK-DAG: %[[BOUND:.+]] = arith.index_cast %[[CLAMPED]] : index to i32
  // CHECK-DAG: %[[BOUNDS:.+]] = tensor.splat %[[BOUND]]
  // CHECK-DAG: %[[ROW:.+]] = attn_tile.coordinate along 0 : tensor<64xi32>
  // CHECK: %[[LARGEST:.+]] = arith.addi %[[ROW]], %[[BOUNDS]]
  // CHECK: %[[COLUMN:.+]] = attn_tile.coordinate along 1 : tensor<64x32xi32>
  // CHECK: %[[ENDS:.+]] = attn_tile.broadcast %[[LARGEST]] along 1
  // CHECK: %[[KEEP:.+]] = arith.cmpi sle, %[[COLUMN]], %[[ENDS]]
  // CHECK-NOT: arith.cmpi
  // CHECK: %[[SELECTED:.+]] = arith.select %[[KEEP]], %[[S]], %[[MASKED]]
  // CHECK: scf.yield %[[SELECTED]]
  // CHECK: } else {
  // CHECK-NEXT: scf.yield %[[S]]
  // CHECK-NEXT: }
  // CHECK: attn_tile.softmax_update %[[CUT]],
  // Ops before the branch run for each block.
  // FULL-NOT: {{attn_tile.coordinate|arith.cmpi|arith.select|tensor.splat}}
  // FULL: scf.if
  // FULL: } else {
  // FULL-NOT: {{attn_tile.coordinate|arith.cmpi|arith.select|tensor.splat}}
  // FULL: return
  attn.attention mask <top_left, causal> ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i + 320 - 256
// CHECK-LABEL: func.func @bottom_right(
func.func @bottom_right(%q: !query, %k: !key, %o: !query) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$BOTTOM_RIGHT_END]](%[[LAST]])
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$BOTTOM_RIGHT_FULL]](%[[FIRST]])
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[HI]] full %[[C0]] to %[[FULL_HI]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: scf.if %[[PARTIAL]]
  // CHECK: affine.min #[[$BOTTOM_RIGHT]](%[[I]], %[[J]])
  // CHECK: arith.cmpi sle,
  attn.attention mask <bottom_right, causal> ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i + 64 - 256: the first rows have nothing to attend to, their end is below 0.
// CHECK-LABEL: func.func @bottom_right_long_query(
func.func @bottom_right_long_query(%q: !query, %k: memref<1x1x64x64xf16>, %o: !query) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$LONG_QUERY_END]](%[[LAST]])
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$LONG_QUERY_FULL]](%[[FIRST]])
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[HI]] full %[[C0]] to %[[FULL_HI]]
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : !query, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%o : !query) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j >= i - 40
// CHECK-LABEL: func.func @left(
func.func @left(%q: !query, %k: !key, %o: !query) {
  // CHECK-DAG: %[[LENGTH:.+]] = arith.constant 320 : index
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[LO:.+]] = affine.max #[[$LEFT_BEGIN]](%[[FIRST]])
  // CHECK-DAG: %[[FULL_LO:.+]] = affine.max #[[$LEFT_FULL]](%[[LAST]])
  // CHECK: attn_tile.domain_yield %[[LO]] to %[[LENGTH]] full %[[FULL_LO]] to %[[LENGTH]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: scf.if %[[PARTIAL]]
  // CHECK: affine.min #[[$LEFT]](%[[I]], %[[J]])
  // CHECK: %[[KEEP:.+]] = arith.cmpi sge,
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention mask <top_left, left = 40> ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i + 40
// CHECK-LABEL: func.func @right(
func.func @right(%q: !query, %k: !key, %o: !query) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$RIGHT_END]](%[[LAST]])
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$RIGHT_FULL]](%[[FIRST]])
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[HI]] full %[[C0]] to %[[FULL_HI]]
  // CHECK: arith.cmpi sle,
  // CHECK-NOT: arith.cmpi
  // CHECK: return
  attn.attention mask <top_left, right = 40> ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// i + 64 - 40 <= j <= i + 64 + 7
// CHECK-LABEL: func.func @window(
func.func @window(%q: !query, %k: !key, %o: !query) {
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[LO:.+]] = affine.max #[[$WINDOW_BEGIN]](%[[FIRST]])
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$WINDOW_END]](%[[LAST]])
  // CHECK-DAG: %[[FULL_LO:.+]] = affine.max #[[$WINDOW_FULL_BEGIN]](%[[LAST]])
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$WINDOW_FULL_END]](%[[FIRST]])
  // CHECK: attn_tile.domain_yield %[[LO]] to %[[HI]] full %[[FULL_LO]] to %[[FULL_HI]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: scf.if %[[PARTIAL]]
  // CHECK-DAG: affine.min #[[$WINDOW_UPPER]](%[[I]], %[[J]])
  // CHECK-DAG: affine.min #[[$WINDOW_LOWER]](%[[I]], %[[J]])
  // CHECK-DAG: %[[RIGHT:.+]] = arith.cmpi sle,
  // CHECK-DAG: %[[LEFT:.+]] = arith.cmpi sge,
  // CHECK: %[[KEEP:.+]] = arith.andi %{{.+}}, %{{.+}}
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention mask <bottom_right, left = 40, right = 7> ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @causal_window(
func.func @causal_window(%q: !query, %k: !key, %o: !query) {
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[LO:.+]] = affine.max #[[$LEFT_BEGIN]](%[[FIRST]])
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$TOP_LEFT_END]](%[[LAST]])
  // CHECK-DAG: %[[FULL_LO:.+]] = affine.max #[[$LEFT_FULL]](%[[LAST]])
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$TOP_LEFT_FULL]](%[[FIRST]])
  // CHECK: attn_tile.domain_yield %[[LO]] to %[[HI]] full %[[FULL_LO]] to %[[FULL_HI]]
  attn.attention mask <top_left, causal, left = 40> ins(%q, %k, %k : !query, !key, !key) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// The end of keys and that of a row are one comparison.
// CHECK-LABEL: func.func @dynamic_bottom_right(
// CHECK-SAME:    %[[K:[^:]+]]: memref<1x1x?x64xf16>)
func.func @dynamic_bottom_right(%q: !query, %k: memref<1x1x?x64xf16>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[LENGTH:.+]] = memref.dim %[[K]]
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$DYNAMIC_END]](%[[LAST]])[%[[LENGTH]], %[[LENGTH]]]
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$DYNAMIC_FULL]](%[[FIRST]])[%[[LENGTH]], %[[LENGTH]]]
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[HI]] full %[[C0]] to %[[FULL_HI]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: scf.if %[[PARTIAL]]
  // CHECK-DAG: affine.min #[[$DYNAMIC_KEYS]](%[[J]])[%[[LENGTH]]]
  // CHECK-DAG: affine.min #[[$DYNAMIC]](%[[I]], %[[J]])[%[[LENGTH]]]
  // CHECK: arith.minsi
  // CHECK: %[[KEEP:.+]] = arith.cmpi sle,
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : !query, memref<1x1x?x64xf16>, memref<1x1x?x64xf16>)
      outs(%q : !query) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A last block that is not full masks the missing keys. The largest column that a row
// keeps is the last key.
// CHECK-LABEL: func.func @ragged_keys(
func.func @ragged_keys(%q: !query, %k: memref<1x1x65x64xf16>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
  // CHECK-DAG: %[[LENGTH:.+]] = arith.constant 65 : index
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[LENGTH]] full %[[C0]] to %[[LENGTH]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: scf.if %[[PARTIAL]]
  // CHECK: %[[LEFT:.+]] = affine.min #[[$RAGGED]](%[[J]])
  // CHECK: %[[CLAMPED:.+]] = affine.max #[[$CLAMP]](%[[LEFT]])
  // CHECK: %[[END:.+]] = arith.index_cast %[[CLAMPED]]
  // CHECK: arith.subi %[[END]], %[[C1]] : i32
  // CHECK: %[[COLUMN:.+]] = attn_tile.coordinate along 1
  // CHECK: %[[KEEP:.+]] = arith.cmpi sle, %[[COLUMN]],
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention
      ins(%q, %k, %k : !query, memref<1x1x65x64xf16>, memref<1x1x65x64xf16>)
      outs(%q : !query) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
