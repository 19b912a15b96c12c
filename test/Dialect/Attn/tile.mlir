// RUN: attn-opt %s -attn-tile -canonicalize | FileCheck %s

// CHECK-DAG: #[[$GROUP:.+]] = affine_map<(d0) -> (d0 floordiv 3)>
// CHECK-DAG: #[[$ALL:.+]] = affine_map<(d0) -> (d0 floordiv 6)>
// CHECK-DAG: #[[$RAGGED:.+]] = affine_map<(d0) -> (-d0 + 100, 64)>
// CHECK-DAG: #[[$DYNAMIC:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 64)>
// CHECK-DAG: #[[$SUM:.+]] = affine_map<(d0)[s0] -> (d0 + s0)>

// One batch entry, one head and tile_q rows; keys and values stay whole.
// CHECK-LABEL: func.func @static(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x4x128x64xf16>, %[[K:[^:]+]]: memref<2x4x256x64xf16>,
// CHECK-SAME:    %[[V:[^:]+]]: memref<2x4x256x32xf16>, %[[O:[^:]+]]: memref<2x4x128x32xf16>)
func.func @static(%q: memref<2x4x128x64xf16>, %k: memref<2x4x256x64xf16>,
                  %v: memref<2x4x256x32xf16>, %o: memref<2x4x128x32xf16>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[LQ:.+]] = arith.constant 128 : index
  // CHECK-DAG: %[[LK:.+]] = arith.constant 256 : index
  // CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %[[I:.+]]) = (0, 0, 0) to (2, 4, 128) step (1, 1, 64)
  // CHECK-DAG: %[[QT:.+]] = memref.subview %[[Q]][%[[B]], %[[H]], %[[I]], 0] [1, 1, 64, 64] [1, 1, 1, 1]
  // CHECK-DAG: %[[KT:.+]] = memref.subview %[[K]][%[[B]], %[[H]], 0, 0] [1, 1, 256, 64] [1, 1, 1, 1]
  // CHECK-DAG: %[[VT:.+]] = memref.subview %[[V]][%[[B]], %[[H]], 0, 0] [1, 1, 256, 32] [1, 1, 1, 1]
  // CHECK-DAG: %[[OT:.+]] = memref.subview %[[O]][%[[B]], %[[H]], %[[I]], 0] [1, 1, 64, 32] [1, 1, 1, 1]
  // CHECK: attn.attention ins(%[[QT]], %[[KT]], %[[VT]] :
  // CHECK-SAME: origin(%[[B]], %[[H]], %[[I]], %[[C0]]) lengths(%[[LQ]], %[[LK]]) outs(%[[OT]] :
  // CHECK-SAME: {schedule = #attn.tiles<q = 64, kv = 32>}
  // CHECK-NOT: attn.attention
  attn.attention
      ins(%q, %k, %v : memref<2x4x128x64xf16>, memref<2x4x256x64xf16>, memref<2x4x256x32xf16>)
      outs(%o : memref<2x4x128x32xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// The last tile of 100 rows has 36; scale, mask and lse come along.
// CHECK-LABEL: func.func @ragged_with_lse(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x4x100x64xf16>, %[[O:[^:]+]]: memref<2x4x100x64xf16>, %[[L:[^:]+]]: memref<2x4x100xf32>)
func.func @ragged_with_lse(%q: memref<2x4x100x64xf16>, %o: memref<2x4x100x64xf16>, %l: memref<2x4x100xf32>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[LEN:.+]] = arith.constant 100 : index
  // CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %[[I:.+]]) = (0, 0, 0) to (2, 4, 100) step (1, 1, 64)
  // CHECK: %[[ROWS:.+]] = affine.min #[[$RAGGED]](%[[I]])
  // CHECK-DAG: %[[QT:.+]] = memref.subview %[[Q]][%[[B]], %[[H]], %[[I]], 0] [1, 1, %[[ROWS]], 64]
  // CHECK-DAG: %[[OT:.+]] = memref.subview %[[O]][%[[B]], %[[H]], %[[I]], 0] [1, 1, %[[ROWS]], 64]
  // CHECK-DAG: %[[LT:.+]] = memref.subview %[[L]][%[[B]], %[[H]], %[[I]]] [1, 1, %[[ROWS]]]
  // CHECK: attn.attention mask <top_left, left = 40> scale 5.000000e-01 ins(%[[QT]],
  // CHECK-SAME: origin(%[[B]], %[[H]], %[[I]], %[[C0]]) lengths(%[[LEN]], %[[LEN]]) outs(%[[OT]], %[[LT]] :
  // CHECK-SAME: memref<1x1x?x64xf16, strided<[25600, 6400, 64, 1], offset: ?>>, memref<1x1x?xf32, strided<[400, 100, 1], offset: ?>>)
  attn.attention mask <top_left, left = 40> scale 0.5
      ins(%q, %q, %q : memref<2x4x100x64xf16>, memref<2x4x100x64xf16>, memref<2x4x100x64xf16>)
      outs(%o, %l : memref<2x4x100x64xf16>, memref<2x4x100xf32>)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A query head's key head is its number over the size of the group.
// CHECK-LABEL: func.func @grouped_query(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x6x128x64xf16>, %[[K:[^:]+]]: memref<2x2x128x64xf16>)
func.func @grouped_query(%q: memref<2x6x128x64xf16>, %k: memref<2x2x128x64xf16>) {
  // CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %[[I:.+]]) = (0, 0, 0) to (2, 6, 128) step (1, 1, 64)
  // CHECK-DAG: %[[G:.+]] = affine.apply #[[$GROUP]](%[[H]])
  // CHECK-DAG: memref.subview %[[Q]][%[[B]], %[[H]], %[[I]], 0]
  // CHECK-DAG: memref.subview %[[K]][%[[B]], %[[G]], 0, 0]
  // CHECK: attn.attention {{.*}} origin(%[[B]], %[[H]], %[[I]],
  attn.attention
      ins(%q, %k, %k : memref<2x6x128x64xf16>, memref<2x2x128x64xf16>, memref<2x2x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @one_key_head(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x6x128x64xf16>, %[[K:[^:]+]]: memref<2x1x128x64xf16>)
func.func @one_key_head(%q: memref<2x6x128x64xf16>, %k: memref<2x1x128x64xf16>) {
  // CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %{{.+}}) =
  // CHECK: %[[G:.+]] = affine.apply #[[$ALL]](%[[H]])
  // CHECK: memref.subview %[[K]][%[[B]], %[[G]], 0, 0] [1, 1, 128, 64]
  attn.attention
      ins(%q, %k, %k : memref<2x6x128x64xf16>, memref<2x1x128x64xf16>, memref<2x1x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<?x?x?x64xf16>, %[[K:[^:]+]]: memref<?x?x?x64xf16>)
func.func @dynamic(%q: memref<?x?x?x64xf16>, %k: memref<?x?x?x64xf16>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.+]] = arith.constant 2 : index
  // CHECK-DAG: %[[NB:.+]] = memref.dim %[[Q]], %[[C0]]
  // CHECK-DAG: %[[NH:.+]] = memref.dim %[[Q]], %[[C1]]
  // CHECK-DAG: %[[NQ:.+]] = memref.dim %[[Q]], %[[C2]]
  // CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %[[I:.+]]) = (0, 0, 0) to (%[[NB]], %[[NH]], %[[NQ]]) step (1, 1, 64)
  // CHECK-DAG: %[[ROWS:.+]] = affine.min #[[$DYNAMIC]](%[[I]])[%[[NQ]]]
  // CHECK-DAG: %[[HQ:.+]] = memref.dim %[[Q]], %[[C1]]
  // CHECK-DAG: %[[HK:.+]] = memref.dim %[[K]], %[[C1]]
  // CHECK-DAG: %[[G:.+]] = arith.divui %[[HQ]], %[[HK]]
  // CHECK-DAG: %[[KH:.+]] = arith.divui %[[H]], %[[G]]
  // CHECK-DAG: %[[LK:.+]] = memref.dim %[[K]], %[[C2]]
  // CHECK: memref.subview %[[Q]][%[[B]], %[[H]], %[[I]], 0] [1, 1, %[[ROWS]], 64]
  // CHECK: memref.subview %[[K]][%[[B]], %[[KH]], 0, 0] [1, 1, %[[LK]], 64]
  // CHECK: attn.attention {{.*}} origin(%[[B]], %[[H]], %[[I]], %[[C0]]) lengths(%{{.+}}, %[[LK]])
  attn.attention
      ins(%q, %k, %k : memref<?x?x?x64xf16>, memref<?x?x?x64xf16>, memref<?x?x?x64xf16>)
      outs(%q : memref<?x?x?x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// An op that is itself a part of a larger problem adds to its origin and keeps
// the lengths.
// CHECK-LABEL: func.func @origin_and_lengths(
// CHECK-SAME:    %[[X:[^:]+]]: index, %[[LQ:[^:]+]]: index, %[[LK:[^:]+]]: index)
func.func @origin_and_lengths(%q: memref<2x4x128x64xf16>, %x: index, %lq: index, %lk: index) {
  // CHECK: scf.forall (%[[B:.+]], %[[H:.+]], %[[I:.+]]) =
  // CHECK-DAG: %[[XB:.+]] = affine.apply #[[$SUM]](%[[B]])[%[[X]]]
  // CHECK-DAG: %[[XH:.+]] = affine.apply #[[$SUM]](%[[H]])[%[[X]]]
  // CHECK-DAG: %[[XI:.+]] = affine.apply #[[$SUM]](%[[I]])[%[[X]]]
  // CHECK: attn.attention {{.*}} origin(%[[XB]], %[[XH]], %[[XI]], %[[X]]) lengths(%[[LQ]], %[[LK]])
  attn.attention
      ins(%q, %q, %q : memref<2x4x128x64xf16>, memref<2x4x128x64xf16>, memref<2x4x128x64xf16>)
      origin(%x, %x, %x, %x) lengths(%lq, %lk)
      outs(%q : memref<2x4x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @score_region(
// CHECK-SAME:    %[[C:[^:]+]]: f32)
func.func @score_region(%q: memref<2x4x128x64xf16>, %c: f32) {
  // CHECK: scf.forall
  // CHECK: attn.attention {{.*}} captures(%[[C]] : f32) origin({{.*}} score {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: f32, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %[[X:.+]]: f32):
  // CHECK-NEXT: %[[T:.+]] = arith.mulf %[[S]], %[[X]] : f32
  // CHECK-NEXT: attn.yield %[[T]] : f32
  attn.attention
      ins(%q, %q, %q : memref<2x4x128x64xf16>, memref<2x4x128x64xf16>, memref<2x4x128x64xf16>)
      captures(%c : f32)
      outs(%q : memref<2x4x128x64xf16>) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
      %t = arith.mulf %s, %x : f32
      attn.yield %t : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Each of two ops becomes its own grid, where it stood.
// CHECK-LABEL: func.func @two_ops_in_a_loop(
func.func @two_ops_in_a_loop(%q: memref<2x4x128x64xf16>, %o: memref<2x4x128x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK: scf.forall
  // CHECK: attn.attention
  // CHECK: scf.forall
  // CHECK: attn.attention
  // CHECK: return
  scf.for %i = %c0 to %n step %c1 {
    attn.attention
        ins(%q, %q, %q : memref<2x4x128x64xf16>, memref<2x4x128x64xf16>, memref<2x4x128x64xf16>)
        outs(%o : memref<2x4x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
    attn.attention
        ins(%o, %o, %o : memref<2x4x128x64xf16>, memref<2x4x128x64xf16>, memref<2x4x128x64xf16>)
        outs(%q : memref<2x4x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  }
  return
}
