// RUN: attn-opt %s -attn-tile -attn-online-softmax -canonicalize -cse | FileCheck %s

// Blocks of 32 keys that the mask empties for all of a tile's 64 rows are
// outside of the loop; the mask arithmetic is there only where a mask is.

// CHECK-DAG: #[[$TOP_LEFT_END:.+]] = affine_map<(d0) -> (320, d0 + 64)>
// CHECK-DAG: #[[$BOTTOM_RIGHT_END:.+]] = affine_map<(d0) -> (320, d0 + 128)>
// CHECK-DAG: #[[$LONG_QUERY_END:.+]] = affine_map<(d0) -> (64, d0 - 128)>
// CHECK-DAG: #[[$LEFT_BEGIN:.+]] = affine_map<(d0) -> (0, d0 - 40)>
// CHECK-DAG: #[[$RIGHT_END:.+]] = affine_map<(d0) -> (320, d0 + 104)>
// CHECK-DAG: #[[$WINDOW_BEGIN:.+]] = affine_map<(d0) -> (0, d0 + 24)>
// CHECK-DAG: #[[$WINDOW_END:.+]] = affine_map<(d0) -> (320, d0 + 135)>
// CHECK-DAG: #[[$BLOCK:.+]] = affine_map<(d0) -> ((d0 floordiv 32) * 32)>
// CHECK-DAG: #[[$DYNAMIC_END:.+]] = affine_map<(d0)[s0] -> (s0, d0 + s0 - 192)>

// CHECK-LABEL: func.func @no_mask(
func.func @no_mask(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[STEP:.+]] = arith.constant 32 : index
  // CHECK-DAG: %[[LENGTH:.+]] = arith.constant 320 : index
  // CHECK-NOT: attn_tile.coordinate
  // CHECK-NOT: arith.cmpi
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[LENGTH]] step %[[STEP]]
  // CHECK-NOT: attn_tile.coordinate
  // CHECK-NOT: arith.cmpi
  // CHECK: return
  attn.attention
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i
// CHECK-LABEL: func.func @top_left(
func.func @top_left(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK: %[[END:.+]] = affine.min #[[$TOP_LEFT_END]](%[[I]])
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[END]] step
  // CHECK: %[[KEEP:.+]] = arith.cmpi sle,
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention mask <top_left, causal>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i + 320 - 256
// CHECK-LABEL: func.func @bottom_right(
func.func @bottom_right(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK: %[[END:.+]] = affine.min #[[$BOTTOM_RIGHT_END]](%[[I]])
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[END]] step
  // CHECK: arith.cmpi sle,
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i + 64 - 256: the first rows have nothing to attend to, their loop ends
// before it begins.
// CHECK-LABEL: func.func @bottom_right_long_query(
func.func @bottom_right_long_query(%q: memref<1x1x256x64xf16>, %k: memref<1x1x64x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK: %[[END:.+]] = affine.min #[[$LONG_QUERY_END]](%[[I]])
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[END]] step
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j >= i - 40
// CHECK-LABEL: func.func @left(
func.func @left(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: %[[LENGTH:.+]] = arith.constant 320 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK: %[[FIRST:.+]] = affine.max #[[$LEFT_BEGIN]](%[[I]])
  // CHECK: %[[BEGIN:.+]] = affine.apply #[[$BLOCK]](%[[FIRST]])
  // CHECK: scf.for %{{.+}} = %[[BEGIN]] to %[[LENGTH]] step
  // CHECK: %[[KEEP:.+]] = arith.cmpi sge,
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention mask <top_left, left = 40>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// j <= i + 40
// CHECK-LABEL: func.func @right(
func.func @right(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK: %[[END:.+]] = affine.min #[[$RIGHT_END]](%[[I]])
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[END]] step
  // CHECK: arith.cmpi sle,
  attn.attention mask <top_left, right = 40>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// i + 64 - 40 <= j <= i + 64 + 7
// CHECK-LABEL: func.func @window(
func.func @window(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK-DAG: %[[END:.+]] = affine.min #[[$WINDOW_END]](%[[I]])
  // CHECK-DAG: %[[FIRST:.+]] = affine.max #[[$WINDOW_BEGIN]](%[[I]])
  // CHECK-DAG: %[[BEGIN:.+]] = affine.apply #[[$BLOCK]](%[[FIRST]])
  // CHECK: scf.for %{{.+}} = %[[BEGIN]] to %[[END]] step
  // CHECK-DAG: %[[RIGHT:.+]] = arith.cmpi sle,
  // CHECK-DAG: %[[LEFT:.+]] = arith.cmpi sge,
  // CHECK: %[[KEEP:.+]] = arith.andi %{{.+}}, %{{.+}}
  // CHECK: arith.select %[[KEEP]],
  attn.attention mask <bottom_right, left = 40, right = 7>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @causal_window(
func.func @causal_window(%q: memref<1x1x256x64xf16>, %k: memref<1x1x320x64xf16>, %o: memref<1x1x256x64xf16>) {
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK-DAG: %[[END:.+]] = affine.min #[[$TOP_LEFT_END]](%[[I]])
  // CHECK-DAG: %[[FIRST:.+]] = affine.max #[[$LEFT_BEGIN]](%[[I]])
  // CHECK-DAG: %[[BEGIN:.+]] = affine.apply #[[$BLOCK]](%[[FIRST]])
  // CHECK: scf.for %{{.+}} = %[[BEGIN]] to %[[END]] step
  attn.attention mask <top_left, causal, left = 40>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x320x64xf16>, memref<1x1x320x64xf16>)
      outs(%o : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @dynamic_bottom_right(
// CHECK-SAME:    %[[K:[^:]+]]: memref<1x1x?x64xf16>)
func.func @dynamic_bottom_right(%q: memref<1x1x256x64xf16>, %k: memref<1x1x?x64xf16>) {
  // CHECK: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: scf.forall (%[[I:.+]]) = (0) to (256) step (64)
  // CHECK: %[[LENGTH:.+]] = memref.dim %[[K]]
  // CHECK: %[[END:.+]] = affine.min #[[$DYNAMIC_END]](%[[I]])[%[[LENGTH]]]
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[END]] step
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x?x64xf16>, memref<1x1x?x64xf16>)
      outs(%q : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A last block that is not full masks the missing keys.
// CHECK-LABEL: func.func @ragged_keys(
func.func @ragged_keys(%q: memref<1x1x256x64xf16>, %k: memref<1x1x65x64xf16>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[LENGTH:.+]] = arith.constant 65 : index
  // CHECK: %[[COLUMN:.+]] = attn_tile.coordinate along 1
  // CHECK: scf.for %{{.+}} = %[[C0]] to %[[LENGTH]] step
  // CHECK: %[[KEEP:.+]] = arith.cmpi sle, %[[COLUMN]],
  // CHECK-NOT: arith.cmpi
  // CHECK: arith.select %[[KEEP]],
  attn.attention
      ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x65x64xf16>, memref<1x1x65x64xf16>)
      outs(%q : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
