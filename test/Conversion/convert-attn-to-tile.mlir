// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s --implicit-check-not='attn.attention{{ [a-z]+}}'
// RUN: attn-opt %s -convert-attn-to-tile | attn-opt --verify-roundtrip -o /dev/null

// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0) -> (128, d0 + 64)>
// CHECK-DAG: #[[$GROUP:.+]] = affine_map<(d0) -> (d0 floordiv 3)>
// CHECK-DAG: #[[$ALL:.+]] = affine_map<(d0) -> (d0 floordiv 6)>

// A program for one batch entry, one head and tile_q rows: one pass over the blocks
// of tile_kv keys, with one product for the scores, one step of the softmax, and one
// product for the output.
// CHECK-LABEL: func.func @program(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x4x128x64xf16>, %[[K:[^:]+]]: memref<2x4x256x64xf16>, %[[V:[^:]+]]: memref<2x4x256x32xf16>,
// CHECK-SAME:    %[[O:[^:]+]]: memref<2x4x128x32xf16>, %[[L:[^:]+]]: memref<2x4x128xf32>)
func.func @program(%q: memref<2x4x128x64xf16>, %k: memref<2x4x256x64xf16>, %v: memref<2x4x256x32xf16>,
                   %o: memref<2x4x128x32xf16>, %l: memref<2x4x128xf32>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[B_END:.+]] = arith.constant 2 : index
  // CHECK-DAG: %[[H_END:.+]] = arith.constant 4 : index
  // CHECK-DAG: %[[I_END:.+]] = arith.constant 128 : index
  // CHECK-DAG: %[[KEYS_END:.+]] = arith.constant 256 : index
  // CHECK-DAG: %[[S0:.+]] = arith.constant dense<0.000000e+00> : tensor<64x48xf32>
  // CHECK-DAG: %[[ACC0:.+]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
  // CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) to (%[[B_END]], %[[H_END]], %[[I_END]]) step [1, 1, 64]
  // CHECK-SAME: schedule #attn.tiles<q = 64, kv = 48> {
  // CHECK: %[[QUERY:.+]] = attn_tile.load %[[Q]][%[[B]], %[[H]], %[[I]], %[[C0]]] {{.*}} -> tensor<64x64xf16>
  // CHECK: %[[END:.+]] = affine.min #[[$ROWS]](%[[I]])
  // CHECK: %[[DOMAIN:.+]] = attn_tile.domain rows %[[I]] to %[[END]] {
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[KEYS_END]] full %[[C0]] to %[[KEYS_END]]
  // CHECK: } : <48>
  // CHECK: %[[INIT:.+]] = attn_tile.softmax_init : <64, factor = 1.250000e-01 : f64>
  // CHECK: %[[R:.+]]:2 = attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of %[[DOMAIN]]
  // CHECK-SAME: iter_args(%[[ACC:.+]] = %[[ACC0]], %[[STATE:.+]] = %[[INIT]])
  // CHECK-DAG: %[[KEY:.+]] = attn_tile.load %[[K]][%[[B]], %[[H]], %[[J]], %[[C0]]] {{.*}} -> tensor<48x64xf16>
  // CHECK-DAG: %[[VALUE:.+]] = attn_tile.load %[[V]][%[[B]], %[[H]], %[[J]], %[[C0]]] {{.*}} -> tensor<48x32xf16>
  // CHECK: %[[S:.+]] = attn_tile.dot %[[QUERY]], %[[KEY]], %[[S0]] transpose_rhs
  // CHECK: %[[P:.+]], %[[NEXT:.+]], %[[SCALED:.+]] = attn_tile.softmax_update %{{.+}}, %[[STATE]] rescale(%[[ACC]])
  // CHECK-SAME: -> (tensor<64x48xf16>, !attn_tile.softmax<64, factor = 1.250000e-01 : f64>, tensor<64x32xf32>)
  // CHECK: %[[NEWACC:.+]] = attn_tile.dot %[[P]], %[[VALUE]], %[[SCALED]] : tensor
  // CHECK: attn_tile.yield %[[NEWACC]], %[[NEXT]]
  // CHECK: %[[INVERSE:.+]], %[[LSE:.+]] = attn_tile.softmax_finish %[[R]]#1
  // CHECK: %[[ROWS:.+]] = attn_tile.broadcast %[[INVERSE]] along 1
  // CHECK: %[[OUTPUT:.+]] = arith.mulf %[[R]]#0, %[[ROWS]]
  // CHECK: %[[OUTPUT16:.+]] = arith.truncf %[[OUTPUT]]
  // CHECK-DAG: attn_tile.store %[[OUTPUT16]], %[[O]][%[[B]], %[[H]], %[[I]], %[[C0]]]
  // CHECK-DAG: attn_tile.store %[[LSE]], %[[L]][%[[B]], %[[H]], %[[I]]]
  // CHECK-NOT: attn_tile.{{dot|store|grid|for_blocks|softmax_update}}
  // CHECK: return
  attn.attention
      ins(%q, %k, %v : memref<2x4x128x64xf16>, memref<2x4x256x64xf16>, memref<2x4x256x32xf16>)
      outs(%o, %l : memref<2x4x128x32xf16>, memref<2x4x128xf32>)
      {schedule = #attn.tiles<q = 64, kv = 48>}
  return
}

// A schedule for a GPU changes nothing but the schedule. Reasons come along.
// CHECK-LABEL: func.func @for_gpu(
func.func @for_gpu(%q: memref<2x4x128x64xf16>, %o: memref<2x4x128x64xf16>) {
  // CHECK: attn_tile.grid {{.*}} step [1, 1, 128] position_bytes %{{.+}} schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma{{.*}}> {
  // CHECK-NOT: {{(attn_gpu|gpu|nvvm)[.]}}
  // CHECK: } {attn.reasons = ["because"]}
  attn.attention
      ins(%q, %q, %q : memref<2x4x128x64xf16>, memref<2x4x128x64xf16>, memref<2x4x128x64xf16>)
      outs(%o : memref<2x4x128x64xf16>)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer, scheduler = dynamic>,
       attn.reasons = ["because"]}
  return
}

// Nothing is rounded in f32, nor is a quotient approximate. An unwanted lse is not
// stored.
// CHECK-LABEL: func.func @f32(
func.func @f32(%q: memref<1x1x64x64xf32>) {
  // CHECK: attn_tile.softmax_update {{.*}} -> (tensor<64x32xf32>,
  // CHECK-NOT: arith.truncf
  // CHECK: attn_tile.softmax_finish %{{[^ ]+}} :
  // CHECK-NOT: arith.truncf
  // CHECK: attn_tile.store {{.*}} : tensor<64x64xf32>,
  // CHECK-NOT: attn_tile.store
  // CHECK: return
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>, memref<1x1x64x64xf32>)
      outs(%q : memref<1x1x64x64xf32>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// An f32 output of bf16 inputs rounds the probabilities alone.
// CHECK-LABEL: func.func @f32_output(
func.func @f32_output(%q: memref<1x1x64x64xbf16>, %o: memref<1x1x64x64xf32>) {
  // CHECK: attn_tile.softmax_update {{.*}} -> (tensor<64x32xbf16>,
  // CHECK: attn_tile.softmax_finish %{{[^ ]+}} approximate
  // CHECK-NOT: arith.truncf
  // CHECK: attn_tile.store %{{.+}} : tensor<64x64xf32>, memref<1x1x64x64xf32>
  attn.attention
      ins(%q, %q, %q : memref<1x1x64x64xbf16>, memref<1x1x64x64xbf16>, memref<1x1x64x64xbf16>)
      outs(%o : memref<1x1x64x64xf32>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Head dims are padded to multiples of 16; loads fill with zeros and stores
// drop the rest.
// CHECK-LABEL: func.func @padded_head_dims(
func.func @padded_head_dims(%q: memref<1x1x64x65xf16>, %v: memref<1x1x64x1xf16>) {
  // CHECK: attn_tile.load %{{.+}} : memref<1x1x64x65xf16> -> tensor<64x80xf16>
  // CHECK: attn_tile.for_blocks
  // CHECK-DAG: attn_tile.load %{{.+}} : memref<1x1x64x65xf16> -> tensor<32x80xf16>
  // CHECK-DAG: attn_tile.load %{{.+}} : memref<1x1x64x1xf16> -> tensor<32x16xf16>
  // CHECK: attn_tile.store %{{.+}} : tensor<64x16xf16>, memref<1x1x64x1xf16>
  attn.attention
      ins(%q, %q, %v : memref<1x1x64x65xf16>, memref<1x1x64x65xf16>, memref<1x1x64x1xf16>)
      outs(%v : memref<1x1x64x1xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A scale is the state's factor, and no arithmetic on scores. One that is not
// positive does not keep the order of scores: it comes before the step.
// CHECK-LABEL: func.func @scale(
func.func @scale(%q: memref<1x1x64x64xf16>) {
  // CHECK: attn_tile.softmax_init : <64, factor = 3.000000e+00 : f64>
  // CHECK: %[[QK:.+]] = attn_tile.dot
  // CHECK: attn_tile.softmax_update %[[QK]],
  attn.attention scale 3.0
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @negative_scale(
func.func @negative_scale(%q: memref<1x1x64x64xf16>) {
  // CHECK-DAG: %[[SCALE:.+]] = arith.constant dense<-3.000000e+00> : tensor<64x32xf32>
  // CHECK: attn_tile.softmax_init : <64, factor = 1.000000e+00 : f64>
  // CHECK: %[[QK:.+]] = attn_tile.dot
  // CHECK: %[[S:.+]] = arith.mulf %[[QK]], %[[SCALE]]
  // CHECK: attn_tile.softmax_update %[[S]],
  attn.attention scale -3.0
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @zero_scale(
func.func @zero_scale(%q: memref<1x1x64x64xf16>) {
  // CHECK: attn_tile.softmax_init : <64, factor = 1.000000e+00 : f64>
  // CHECK: %[[QK:.+]] = attn_tile.dot
  // CHECK: arith.mulf %[[QK]],
  attn.attention scale 0.0
      ins(%q, %q, %q : memref<1x1x64x64xf16>, memref<1x1x64x64xf16>, memref<1x1x64x64xf16>)
      outs(%q : memref<1x1x64x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A query head's key head is its number over the size of the group.
// CHECK-LABEL: func.func @grouped_query(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x6x128x64xf16>, %[[K:[^:]+]]: memref<2x2x128x64xf16>)
func.func @grouped_query(%q: memref<2x6x128x64xf16>, %k: memref<2x2x128x64xf16>) {
  // CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) to
  // CHECK-DAG: %[[G:.+]] = affine.apply #[[$GROUP]](%[[H]])
  // CHECK-DAG: attn_tile.load %[[Q]][%[[B]], %[[H]], %[[I]], %{{.+}}]
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of
  // CHECK: attn_tile.load %[[K]][%[[B]], %[[G]], %[[J]], %{{.+}}]
  // CHECK: attn_tile.store %{{.+}}, %[[Q]][%[[B]], %[[H]], %[[I]], %{{.+}}]
  attn.attention
      ins(%q, %k, %k : memref<2x6x128x64xf16>, memref<2x2x128x64xf16>, memref<2x2x128x64xf16>)
      outs(%q : memref<2x6x128x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @one_key_head(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<2x6x128x64xf16>, %[[K:[^:]+]]: memref<2x1x128x64xf16>)
func.func @one_key_head(%q: memref<2x6x128x64xf16>, %k: memref<2x1x128x64xf16>) {
  // CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %{{.+}}) to
  // CHECK: %[[G:.+]] = affine.apply #[[$ALL]](%[[H]])
  // CHECK: attn_tile.load %[[K]][%[[B]], %[[G]], %{{.+}}, %{{.+}}]
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
  // CHECK-DAG: %[[NK:.+]] = memref.dim %[[K]], %[[C2]]
  // The group's size is the same for all programs.
  // CHECK: %[[HK:.+]] = memref.dim %[[K]], %[[C1]]
  // CHECK: %[[SOME:.+]] = arith.maxui %[[HK]], %[[C1]]
  // CHECK: %[[G:.+]] = arith.divui %[[NH]], %[[SOME]]
  // CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) to (%[[NB]], %[[NH]], %[[NQ]]) step [1, 1, 64]
  // CHECK: %[[H32:.+]] = arith.index_castui %[[H]] : index to i32
  // CHECK: %[[G32:.+]] = arith.index_castui %[[G]] : index to i32
  // CHECK: %[[KH32:.+]] = arith.divui %[[H32]], %[[G32]] : i32
  // CHECK: %[[KH:.+]] = arith.index_castui %[[KH32]] : i32 to index
  // CHECK: attn_tile.load %[[Q]][%[[B]], %[[H]], %[[I]], %[[C0]]]
  // CHECK: attn_tile.domain_yield %[[C0]] to %[[NK]] full %[[C0]] to %[[NK]]
  // CHECK: attn_tile.load %[[K]][%[[B]], %[[KH]], %{{.+}}, %[[C0]]]
  attn.attention
      ins(%q, %k, %k : memref<?x?x?x64xf16>, memref<?x?x?x64xf16>, memref<?x?x?x64xf16>)
      outs(%q : memref<?x?x?x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Each of two ops becomes its own grid, where it stood.
// CHECK-LABEL: func.func @two_ops_in_a_loop(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<{{[^>]+}}>, %[[O:[^:]+]]: memref<
func.func @two_ops_in_a_loop(%q: memref<2x4x128x64xf16>, %o: memref<2x4x128x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK: attn_tile.grid
  // CHECK: attn_tile.store %{{.+}}, %[[O]][
  // CHECK: attn_tile.grid
  // CHECK: attn_tile.store %{{.+}}, %[[Q]][
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
