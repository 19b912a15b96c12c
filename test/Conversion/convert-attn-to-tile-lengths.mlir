// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Lengths, an origin, and sizes of 0.

// CHECK-DAG: #[[$ROWS_LEFT:.+]] = affine_map<()[s0] -> (64, s0)>
// CHECK-DAG: #[[$TILE_ROWS:.+]] = affine_map<(d0)[s0] -> (64, s0, d0 + 64)>
// CHECK-DAG: #[[$IN_TILE:.+]] = affine_map<(d0)[s0] -> (-d0 + s0)>
// CHECK-DAG: #[[$AT_LEAST_0:.+]] = affine_map<()[s0] -> (0, s0)>
// CHECK-DAG: #[[$FROM_ORIGIN:.+]] = affine_map<()[s0, s1] -> (128, s0 - s1)>
// CHECK-DAG: #[[$FROM_ORIGIN_AND_TILE:.+]] = affine_map<(d0)[s0, s1] -> (128, s0 - s1, d0 + 64)>
// CHECK-DAG: #[[$PLACED_END:.+]] = affine_map<(d0, d1)[s0, s1] -> (d1 + s0 - s1, d0)>
// CHECK-DAG: #[[$PLACED_FULL:.+]] = affine_map<(d0, d1)[s0, s1] -> (d1 + s0 - s1 + 1, d0)>
// CHECK-DAG: #[[$PLACED:.+]] = affine_map<(d0, d1)[s0, s1] -> (96, d0 - d1 + s0 - s1)>

// Rows at or past len_q come out as 0 and -inf, whatever they held. They need no keys.
// CHECK-LABEL: func.func @query_length(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x1x64x64xf16>, %[[L:[^:]+]]: memref<1x1x64xf32>, %[[LQ:[^:]+]]: index)
func.func @query_length(%q: memref<1x1x64x64xf16>, %l: memref<1x1x64xf32>, %lq: index) {
  // CHECK-DAG: %[[NINF:.+]] = arith.constant dense<0xFF800000> : tensor<64xf32>
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  // CHECK: %[[ROWS:.+]] = affine.min #[[$ROWS_LEFT]]()[%[[LQ]]]
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: %[[END:.+]] = affine.min #[[$TILE_ROWS]](%[[I]])[%[[LQ]]]
  // CHECK: attn_tile.domain rows %[[I]] to %[[END]]
  // CHECK: %[[INVERSE:.+]], %[[LSE:.+]] = attn_tile.softmax_finish
  // CHECK: %[[SCALED:.+]] = arith.mulf
  // A row without keys is 0, whatever the values are.
  // CHECK: %[[EMPTY:.+]] = arith.cmpf oeq, %[[INVERSE]],
  // CHECK: %[[EMPTYROWS:.+]] = attn_tile.broadcast %[[EMPTY]] along 1
  // CHECK: %[[OUTPUT:.+]] = arith.select %[[EMPTYROWS]], %[[ZERO]], %[[SCALED]]
  // CHECK: %[[BOUND:.+]] = affine.apply #[[$IN_TILE]](%[[I]])[%[[ROWS]]]
  // CHECK: %[[ROW:.+]] = attn_tile.coordinate along 0
  // CHECK: %[[LIMIT:.+]] = tensor.splat %[[BOUND]]
  // CHECK: %[[VALID:.+]] = arith.cmpi slt, %[[ROW]], %[[LIMIT]]
  // CHECK-DAG: %[[VALIDROWS:.+]] = attn_tile.broadcast %[[VALID]] along 1
  // CHECK-DAG: %[[REAL:.+]] = arith.select %[[VALIDROWS]], %[[OUTPUT]], %[[ZERO]]
  // CHECK-DAG: %[[REALLSE:.+]] = arith.select %[[VALID]], %[[LSE]], %[[NINF]]
  // CHECK-DAG: %[[REAL16:.+]] = arith.truncf %[[REAL]]
  // CHECK-DAG: attn_tile.store %[[REAL16]], %[[Q]]
  // CHECK-DAG: attn_tile.store %[[REALLSE]], %[[L]]
  %len = arith.constant 64 : index
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      lengths(%lq, %len)
      outs(%q, %l : memref<1x1x64x64xf16>, memref<1x1x64xf32>)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Lengths that are those of the arrays, or more, mask nothing.
// CHECK-LABEL: func.func @own_lengths(
func.func @own_lengths(%q: memref<1x1x64x64xf16>) {
  // CHECK-NOT: memref.subview
  // CHECK-NOT: {{scf.if|attn_tile.coordinate}}
  // CHECK: return
  %own = arith.constant 64 : index
  %more = arith.constant 100 : index
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      lengths(%own, %more)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Keys and values at or past len_kv are cut off from the views that are loaded
// from: their memory is not touched.
// CHECK-LABEL: func.func @key_length(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x1x64x64xf16>, %[[K:[^:]+]]: memref<1x1x64x64xf16>, %[[LK:[^:]+]]: index)
func.func @key_length(%q: memref<1x1x64x64xf16>, %k: memref<1x1x64x64xf16>, %lk: index) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: %[[INSIDE:.+]] = affine.min #[[$ROWS_LEFT]]()[%[[LK]]]
  // CHECK: %[[LENGTH:.+]] = affine.max #[[$AT_LEAST_0]]()[%[[INSIDE]]]
  // CHECK: %[[VIEW:.+]] = memref.subview %[[K]][0, 0, 0, 0] [1, 1, %[[LENGTH]], 64]
  // CHECK-NOT: attn_tile.load %[[K]]
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[LENGTH]] full %[[C0]] to %[[LENGTH]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: attn_tile.load %[[VIEW]][%{{.+}}, %{{.+}}, %[[J]], %{{.+}}]
  // CHECK-NOT: attn_tile.load %[[K]]
  // CHECK: scf.if %[[PARTIAL]]
  // CHECK: return
  %len = arith.constant 64 : index
  attn.attention
      ins(%q, %k, %k : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      lengths(%len, %lk)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// An op that is itself a part of a larger problem has the lengths minus its origin, and its mask
// has the diagonal of the larger problem.
// CHECK-LABEL: func.func @origin(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x4x128x64xf16>, %[[X:[^:]+]]: index, %[[Y:[^:]+]]: index, %[[LQ:[^:]+]]: index, %[[LK:[^:]+]]: index)
func.func @origin(%q: memref<2x4x128x64xf16>, %x: index, %y: index, %lq: index, %lk: index) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[INSIDE:.+]] = affine.min #[[$FROM_ORIGIN]]()[%[[LK]], %[[Y]]]
  // CHECK-DAG: %[[LENGTH:.+]] = affine.max #[[$AT_LEAST_0]]()[%[[INSIDE]]]
  // CHECK-DAG: %[[ROWS:.+]] = affine.min #[[$FROM_ORIGIN]]()[%[[LQ]], %[[X]]]
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[I:.+]]) to
  // CHECK: %[[VIEW:.+]] = memref.subview %[[Q]][0, 0, 0, 0] [2, 4, %[[LENGTH]], 64]
  // Positions in the arrays are the op's own. Tiles past the last row load the first tile and have
  // no keys.
  // CHECK: %[[IS_TILE:.+]] = arith.cmpi slt, %[[I]], %[[ROWS]]
  // CHECK: %[[PLACE:.+]] = arith.select %[[IS_TILE]], %[[I]], %[[C0]]
  // CHECK: attn_tile.load %[[Q]][%{{.+}}, %{{.+}}, %[[PLACE]], %{{.+}}]
  // CHECK: %[[KEYS:.+]] = arith.select %[[IS_TILE]], %[[LENGTH]], %[[C0]]
  // CHECK: %[[END:.+]] = affine.min #[[$FROM_ORIGIN_AND_TILE]](%[[I]])[%[[LQ]], %[[X]]]
  // CHECK: attn_tile.domain rows %[[I]] to %[[END]]
  // CHECK: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-DAG: %[[HI:.+]] = affine.min #[[$PLACED_END]](%[[KEYS]], %[[LAST]])[%[[X]], %[[Y]]]
  // CHECK-DAG: %[[FULL_HI:.+]] = affine.min #[[$PLACED_FULL]](%[[KEYS]], %[[FIRST]])[%[[X]], %[[Y]]]
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[HI]] full %[[C0]] to %[[FULL_HI]]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of
  // CHECK: attn_tile.load %[[VIEW]][%{{.+}}, %{{.+}}, %[[J]], %{{.+}}]
  // CHECK: affine.min #[[$PLACED]](%[[I]], %[[J]])[%[[X]], %[[Y]]]
  // CHECK: affine.apply #[[$IN_TILE]](%[[I]])[%[[ROWS]]]
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<2x4x128x64xf16>, memref<2x4x128x64xf16>, memref<2x4x128x64xf16>)
      origin(%x, %x, %x, %y) lengths(%lq, %lk)
      outs(%q : memref<2x4x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Without keys every row is fully masked: output 0, lse -inf, and nothing is read.
// CHECK-LABEL: func.func @no_keys(
// CHECK-SAME:    %[[O:[^:]+]]: memref<1x2x5x64xf16>, %{{[^:]+}}: memref<1x2x0x64xf16>, %[[L:[^:]+]]: memref<1x2x5xf32>)
func.func @no_keys(%q: memref<1x2x5x64xf16>, %k: memref<1x2x0x64xf16>, %l: memref<1x2x5xf32>) {
  // CHECK-DAG: %[[NINF:.+]] = arith.constant dense<0xFF800000> : tensor<16xf32>
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<16x64xf16>
  // CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) to {{.*}} step [1, 1, 16]
  // CHECK-NOT: {{attn_tile.(load|domain|for_blocks|softmax_init)}}
  // CHECK-DAG: attn_tile.store %[[ZERO]], %[[O]][%[[B]], %[[H]], %[[I]], %{{.+}}]
  // CHECK-DAG: attn_tile.store %[[NINF]], %[[L]][%[[B]], %[[H]], %[[I]]]
  // CHECK-NOT: {{attn_tile.(load|domain|for_blocks|softmax_init)}}
  // CHECK: return
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x2x5x64xf16>, memref<1x2x0x64xf16>, memref<1x2x0x64xf16>)
      outs(%q, %l : memref<1x2x5x64xf16>, memref<1x2x5xf32>)
      {schedule = #attn.tiles<q = 16, kv = 32>}
  return
}

// Nothing is to be written.
// CHECK-LABEL: func.func @no_rows(
func.func @no_rows(%q: memref<1x2x0x64xf16>, %k: memref<1x2x5x64xf16>) {
  // CHECK-NEXT: return
  attn.attention
      ins(%q, %k, %k : memref<1x2x0x64xf16>, memref<1x2x5x64xf16>, memref<1x2x5x64xf16>)
      outs(%q : memref<1x2x0x64xf16>) {schedule = #attn.tiles<q = 16, kv = 32>}
  return
}

// CHECK-LABEL: func.func @no_heads(
func.func @no_heads(%q: memref<1x0x8x64xf16>, %k: memref<1x0x5x64xf16>) {
  // CHECK-NEXT: return
  attn.attention
      ins(%q, %k, %k : memref<1x0x8x64xf16>, memref<1x0x5x64xf16>, memref<1x0x5x64xf16>)
      outs(%q : memref<1x0x8x64xf16>) {schedule = #attn.tiles<q = 16, kv = 32>}
  return
}
