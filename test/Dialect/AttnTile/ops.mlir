// RUN: attn-opt %s --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// CHECK: #[[$EIGHTHS:.+]] = affine_map<(d0) -> (d0 floordiv 8)>

// CHECK-LABEL: func.func @load(
// CHECK-SAME:    %[[K:[^:]+]]: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>, %[[L:[^:]+]]: memref<?xf32>, %[[J:[^:]+]]: index)
func.func @load(%k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>, %l: memref<?xf32>, %j: index)
    -> (tensor<64x64xf16>, tensor<16xf16>, tensor<32xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[Z:.+]] = arith.constant 0 : index
  // CHECK: attn_tile.load %[[K]][%[[Z]], %[[Z]], %[[J]], %[[Z]]] : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<64x64xf16>
  %0 = attn_tile.load %k[%c0, %c0, %j, %c0]
      : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<64x64xf16>
  // CHECK: attn_tile.load %[[K]][%[[Z]], %[[Z]], %[[J]], %[[Z]]] : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<16xf16>
  %1 = attn_tile.load %k[%c0, %c0, %j, %c0]
      : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>> -> tensor<16xf16>
  // CHECK: attn_tile.load %[[L]][%[[J]]] ahead : memref<?xf32> -> tensor<32xf32>
  %2 = attn_tile.load %l[%j] ahead : memref<?xf32> -> tensor<32xf32>
  // CHECK: attn_tile.load %[[L]][%[[J]]] beside : memref<?xf32> -> tensor<32xf32>
  %beside = attn_tile.load %l[%j] beside : memref<?xf32> -> tensor<32xf32>
  // CHECK: attn_tile.load %[[L]][%[[J]]] ahead beside : memref<?xf32> -> tensor<32xf32>
  %both = attn_tile.load %l[%j] ahead beside : memref<?xf32> -> tensor<32xf32>
  return %0, %1, %2 : tensor<64x64xf16>, tensor<16xf16>, tensor<32xf32>
}

// A tile of two parts, which come from places of their own.
// CHECK-LABEL: func.func @load_listed(
// CHECK-SAME: %[[K:.*]]: memref<?x?x64xf16>, %[[L:.*]]: memref<?xi32, strided<[?], offset: ?>>, %[[I:.*]]: index, %[[J:.*]]: index)
func.func @load_listed(%k: memref<?x?x64xf16>, %l: memref<?xi32, strided<[?], offset: ?>>, %i: index, %j: index)
    -> (tensor<32x64xf16>, tensor<32x64xf16>) {
  // CHECK: attn_tile.load %[[K]][%[[I]], %[[J]], %[[J]]] rows %[[L]][%[[I]]] : memref<?x?x64xf16>, memref<?xi32, strided<[?], offset: ?>> -> tensor<32x64xf16>
  %0 = attn_tile.load %k[%i, %j, %j] rows %l[%i]
      : memref<?x?x64xf16>, memref<?xi32, strided<[?], offset: ?>> -> tensor<32x64xf16>
  // CHECK: attn_tile.load %[[K]][%[[I]], %[[J]], %[[J]]] rows %[[L]][%[[J]]] ahead : memref<?x?x64xf16>, memref<?xi32, strided<[?], offset: ?>> -> tensor<32x64xf16>
  %1 = attn_tile.load %k[%i, %j, %j] rows %l[%j] ahead
      : memref<?x?x64xf16>, memref<?xi32, strided<[?], offset: ?>> -> tensor<32x64xf16>
  return %0, %1 : tensor<32x64xf16>, tensor<32x64xf16>
}

// CHECK-LABEL: func.func @load_parts(
// CHECK-SAME:    %[[A:[^:]+]]: memref<?x32x64xf16>, %[[B:[^:]+]]: memref<?x32x64xf16>, %[[I:[^:]+]]: index, %[[J:[^:]+]]: index)
func.func @load_parts(%a: memref<?x32x64xf16>, %b: memref<?x32x64xf16>, %i: index, %j: index)
    -> tensor<64x64xf16> {
  // CHECK: attn_tile.load %[[A]][%[[I]], %[[J]], %[[J]]], %[[B]][%[[J]], %[[I]], %[[J]]] : memref<?x32x64xf16> -> tensor<64x64xf16>
  %0 = attn_tile.load %a[%i, %j, %j], %b[%j, %i, %j] : memref<?x32x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// CHECK-LABEL: func.func @store(
// CHECK-SAME:    %[[M:[^:]+]]: memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>, %[[T:[^:]+]]: tensor<64xf32>,
// CHECK-SAME:    %[[O:[^:]+]]: memref<?x?xbf16>, %[[U:[^:]+]]: tensor<64x80xbf16>, %[[I:[^:]+]]: index)
func.func @store(%lse: memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>, %t: tensor<64xf32>,
                 %o: memref<?x?xbf16>, %u: tensor<64x80xbf16>, %i: index) {
  // CHECK: attn_tile.store %[[T]], %[[M]][%[[I]], %[[I]], %[[I]]] : tensor<64xf32>, memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>
  attn_tile.store %t, %lse[%i, %i, %i]
      : tensor<64xf32>, memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>
  // CHECK: attn_tile.store %[[U]], %[[O]][%[[I]], %[[I]]] : tensor<64x80xbf16>, memref<?x?xbf16>
  attn_tile.store %u, %o[%i, %i] : tensor<64x80xbf16>, memref<?x?xbf16>
  // CHECK: attn_tile.store %[[T]], %[[M]][%[[I]], %[[I]], %[[I]]] add apart : tensor<64xf32>, memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>
  attn_tile.store %t, %lse[%i, %i, %i] add apart
      : tensor<64xf32>, memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @dot(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<64x128xf16>, %[[B:[^:]+]]: tensor<32x128xf16>, %[[C:[^:]+]]: tensor<64x32xf32>
func.func @dot(%a: tensor<64x128xf16>, %b: tensor<32x128xf16>, %c: tensor<64x32xf32>,
               %d: tensor<128x32xf32>, %e: tensor<64x128xf32>,
               %f: tensor<128x64xbf16>, %g: tensor<32x128xbf16>, %h: tensor<128x32xbf16>) {
  // CHECK: attn_tile.dot %[[A]], %[[B]], %[[C]] transpose_rhs : tensor<64x128xf16>, tensor<32x128xf16>, tensor<64x32xf32>
  %0 = attn_tile.dot %a, %b, %c transpose_rhs
      : tensor<64x128xf16>, tensor<32x128xf16>, tensor<64x32xf32>
  // CHECK: attn_tile.dot %{{.+}}, %{{.+}}, %[[C]] : tensor<64x128xf32>, tensor<128x32xf32>, tensor<64x32xf32>
  %1 = attn_tile.dot %e, %d, %c
      : tensor<64x128xf32>, tensor<128x32xf32>, tensor<64x32xf32>
  // CHECK: attn_tile.dot %{{.+}}, %{{.+}}, %[[C]] transpose_lhs : tensor<128x64xbf16>, tensor<128x32xbf16>, tensor<64x32xf32>
  %2 = attn_tile.dot %f, %h, %c transpose_lhs
      : tensor<128x64xbf16>, tensor<128x32xbf16>, tensor<64x32xf32>
  // CHECK: attn_tile.dot %{{.+}}, %{{.+}}, %[[C]] transpose_lhs transpose_rhs : tensor<128x64xbf16>, tensor<32x128xbf16>, tensor<64x32xf32>
  %3 = attn_tile.dot %f, %g, %c transpose_lhs transpose_rhs
      : tensor<128x64xbf16>, tensor<32x128xbf16>, tensor<64x32xf32>
  return
}

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>)
func.func @reduce(%s: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  // CHECK: attn_tile.reduce maxnum %[[S]] along 1 : tensor<64x32xf32> -> tensor<64xf32>
  %0 = attn_tile.reduce maxnum %s along 1 : tensor<64x32xf32> -> tensor<64xf32>
  // CHECK: attn_tile.reduce add %[[S]] along 0 : tensor<64x32xf32> -> tensor<32xf32>
  %1 = attn_tile.reduce add %s along 0 : tensor<64x32xf32> -> tensor<32xf32>
  return %0, %1 : tensor<64xf32>, tensor<32xf32>
}

// CHECK-LABEL: func.func @reduce_conditions(
// CHECK-SAME:    %[[C:[^:]+]]: tensor<64x32xi1>)
func.func @reduce_conditions(%c: tensor<64x32xi1>) -> (tensor<64xi1>, tensor<32xi1>) {
  // CHECK: attn_tile.reduce or %[[C]] along 1 : tensor<64x32xi1> -> tensor<64xi1>
  %0 = attn_tile.reduce or %c along 1 : tensor<64x32xi1> -> tensor<64xi1>
  // CHECK: attn_tile.reduce and %[[C]] along 0 : tensor<64x32xi1> -> tensor<32xi1>
  %1 = attn_tile.reduce and %c along 0 : tensor<64x32xi1> -> tensor<32xi1>
  return %0, %1 : tensor<64xi1>, tensor<32xi1>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[M:[^:]+]]: tensor<64xf32>, %[[N:[^:]+]]: tensor<32xi1>)
func.func @broadcast(%m: tensor<64xf32>, %n: tensor<32xi1>) -> (tensor<64x32xf32>, tensor<64x32xi1>) {
  // CHECK: attn_tile.broadcast %[[M]] along 1 : tensor<64xf32> -> tensor<64x32xf32>
  %0 = attn_tile.broadcast %m along 1 : tensor<64xf32> -> tensor<64x32xf32>
  // CHECK: attn_tile.broadcast %[[N]] along 0 : tensor<32xi1> -> tensor<64x32xi1>
  %1 = attn_tile.broadcast %n along 0 : tensor<32xi1> -> tensor<64x32xi1>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xi1>
}

// CHECK-LABEL: func.func @coordinate(
func.func @coordinate() -> (tensor<64x32xi32>, tensor<64x32xindex>, tensor<64xi32>) {
  // CHECK: attn_tile.coordinate along 1 : tensor<64x32xi32>
  %0 = attn_tile.coordinate along 1 : tensor<64x32xi32>
  // CHECK: attn_tile.coordinate along 0 : tensor<64x32xindex>
  %1 = attn_tile.coordinate along 0 : tensor<64x32xindex>
  // CHECK: attn_tile.coordinate along 0 : tensor<64xi32>
  %2 = attn_tile.coordinate along 0 : tensor<64xi32>
  // CHECK: attn_tile.coordinate along 0 by #[[$EIGHTHS]] : tensor<64x32xindex>
  %3 = attn_tile.coordinate along 0 by affine_map<(r) -> (r floordiv 8)> : tensor<64x32xindex>
  return %0, %1, %2 : tensor<64x32xi32>, tensor<64x32xindex>, tensor<64xi32>
}

// CHECK-LABEL: func.func @grid(
// CHECK-SAME:    %[[O:[^:]+]]: memref<?x?xf32>, %[[T:[^:]+]]: tensor<64x32xf32>, %[[M:[^:]+]]: index, %[[N:[^:]+]]: index)
func.func @grid(%o: memref<?x?xf32>, %t: tensor<64x32xf32>, %m: index, %n: index) {
  // CHECK: attn_tile.grid (%[[I:.+]], %[[J:.+]]) to (%[[M]], %[[N]]) step [64, 32] {
  // CHECK-NEXT: attn_tile.store %[[T]], %[[O]][%[[I]], %[[J]]]
  // CHECK-NEXT: }{{$}}
  attn_tile.grid (%i, %j) to (%m, %n) step [64, 32] {
    attn_tile.store %t, %o[%i, %j] : tensor<64x32xf32>, memref<?x?xf32>
  }
  // Any attribute may be a schedule.
  // CHECK: attn_tile.grid (%{{.+}}) to (%[[M]]) step [64] schedule "any" {
  // CHECK-NEXT: } {test.other = 1 : i64}
  attn_tile.grid (%i) to (%m) step [64] schedule "any" {
    attn_tile.yield
  } {test.other = 1}
  // CHECK: attn_tile.grid (%{{.+}}) to (%[[M]]) step [128] schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> {
  attn_tile.grid (%i) to (%m) step [128] schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> {
  }
  return
}

// CHECK-LABEL: func.func @limit(
// CHECK-SAME:    %[[USED:[^:]+]]: memref<1xi32>, %[[M:[^:]+]]: index)
func.func @limit(%used: memref<1xi32>, %m: index) {
  // CHECK: attn_tile.grid (%{{.+}}) to (%[[M]]) step [64] position_bytes %[[M]] limit %[[USED]] : memref<1xi32> schedule "any" {
  attn_tile.grid (%i) to (%m) step [64] position_bytes %m limit %used : memref<1xi32> schedule "any" {
  }
  // CHECK: attn_tile.grid (%{{.+}}) to (%[[M]]) step [64] limit %[[USED]] : memref<1xi32> {
  attn_tile.grid (%i) to (%m) step [64] limit %used : memref<1xi32> {
  }
  return
}

// CHECK-LABEL: func.func @domain(
// CHECK-SAME:    %[[R:[^:]+]]: index, %[[E:[^:]+]]: index, %[[N:[^:]+]]: index)
func.func @domain(%r: index, %end: index, %n: index) -> !attn_tile.domain<128> {
  // CHECK: %[[D:.+]] = attn_tile.domain rows %[[R]] to %[[E]] {
  // CHECK-NEXT: ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
  // CHECK-NEXT: %[[HI:.+]] = arith.minui %[[LAST]], %[[N]]
  // CHECK-NEXT: attn_tile.domain_yield %[[R]] to %[[HI]] full %[[R]] to %[[FIRST]]
  // CHECK-NEXT: } {test.other} : <128>
  %0 = attn_tile.domain rows %r to %end {
  ^bb0(%first: index, %last: index):
    %hi = arith.minui %last, %n : index
    attn_tile.domain_yield %r to %hi full %r to %first
  } {test.other} : !attn_tile.domain<128>
  // CHECK: return %[[D]] : !attn_tile.domain<128>
  return %0 : !attn_tile.domain<128>
}

// CHECK-LABEL: func.func @domain_list(
// CHECK-SAME:    %[[B:[^:]+]]: memref<?xi32>, %[[P:[^:]+]]: memref<8xi32, strided<[2], offset: ?>>, %[[N:[^:]+]]: index)
func.func @domain_list(%blocks: memref<?xi32>, %partial: memref<8xi32, strided<[2], offset: ?>>, %n: index) -> !attn_tile.domain<1> {
  // CHECK: attn_tile.domain_list %[[B]], %[[P]] count %[[N]] : memref<?xi32>, memref<8xi32, strided<[2], offset: ?>> -> <1>
  %0 = attn_tile.domain_list %blocks, %partial count %n
      : memref<?xi32>, memref<8xi32, strided<[2], offset: ?>> -> !attn_tile.domain<1>
  return %0 : !attn_tile.domain<1>
}

// CHECK-LABEL: func.func @for_blocks(
// CHECK-SAME:    %[[D:[^:]+]]: !attn_tile.domain<64>, %[[X:[^:]+]]: memref<?x?xf32>, %[[T:[^:]+]]: tensor<16x64xf32>, %[[S:[^:]+]]: !attn_tile.softmax<16, factor = 1.000000e+00 : f64>)
func.func @for_blocks(%domain: !attn_tile.domain<64>, %x: memref<?x?xf32>, %t: tensor<16x64xf32>,
                      %s: !attn_tile.softmax<16, factor = 1.0>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  // CHECK: %[[R:.+]]:2 = attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of %[[D]]
  // CHECK-SAME: iter_args(%[[A:.+]] = %[[T]], %[[B:.+]] = %[[S]]) -> (tensor<16x64xf32>, !attn_tile.softmax<16, factor = 1.000000e+00 : f64>) : !attn_tile.domain<64> {
  // CHECK-NEXT: %[[BLOCK:.+]] = attn_tile.load %[[X]][%{{.+}}, %[[J]]]
  // CHECK-NEXT: %[[NEXT:.+]] = arith.select %[[PARTIAL]], %[[A]], %[[BLOCK]]
  // CHECK-NEXT: attn_tile.yield %[[NEXT]], %[[B]] : tensor<16x64xf32>, !attn_tile.softmax<16, factor = 1.000000e+00 : f64>
  // CHECK-NEXT: } {test.other}
  %0:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%a = %t, %b = %s)
      -> (tensor<16x64xf32>, !attn_tile.softmax<16, factor = 1.0>) : !attn_tile.domain<64> {
    %block = attn_tile.load %x[%c0, %j] : memref<?x?xf32> -> tensor<16x64xf32>
    %next = arith.select %partial, %a, %block : tensor<16x64xf32>
    attn_tile.yield %next, %b : tensor<16x64xf32>, !attn_tile.softmax<16, factor = 1.0>
  } {test.other}
  // Nothing carried.
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of %[[D]] : !attn_tile.domain<64> {
  // CHECK-NEXT: attn_tile.store %[[R]]#0, %[[X]][%[[J]], %[[J]]]
  // CHECK-NEXT: }{{$}}
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    attn_tile.store %0#0, %x[%j, %j] : tensor<16x64xf32>, memref<?x?xf32>
  }
  return %0#0 : tensor<16x64xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %[[A:[^:]+]]: tensor<64x128xf32>, %[[B:[^:]+]]: tensor<64x16xf32>)
func.func @softmax(%s: tensor<64x32xf32>, %a: tensor<64x128xf32>, %b: tensor<64x16xf32>) {
  // CHECK: %[[S0:.+]] = attn_tile.softmax_init : <64, factor = 1.250000e-01 : f64>
  %0 = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125>
  // CHECK: %[[P1:.+]], %[[S1:.+]] = attn_tile.softmax_update %[[S]], %[[S0]] : (tensor<64x32xf32>, [[STATE:!attn_tile.softmax<64, factor = 1.250000e-01 : f64>]]) -> (tensor<64x32xf32>, [[STATE]])
  %p1, %1 = attn_tile.softmax_update %s, %0
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>) -> (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>)
  // CHECK: %{{.+}}, %[[S2:.+]], %[[R:.+]]:2 = attn_tile.softmax_update %[[S]], %[[S1]] rescale(%[[A]], %[[B]])
  // CHECK-SAME: : (tensor<64x32xf32>, [[STATE]], tensor<64x128xf32>, tensor<64x16xf32>)
  // CHECK-SAME: -> (tensor<64x32xbf16>, [[STATE]], tensor<64x128xf32>, tensor<64x16xf32>)
  %p2, %2, %r:2 = attn_tile.softmax_update %s, %1 rescale(%a, %b)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>, tensor<64x16xf32>)
      -> (tensor<64x32xbf16>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>, tensor<64x16xf32>)
  // CHECK: attn_tile.softmax_finish %[[S2]] : <64, factor = 1.250000e-01 : f64> -> tensor<64xf32>, tensor<64xf32>
  %inverse, %lse = attn_tile.softmax_finish %2
      : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>, tensor<64xf32>
  // CHECK: attn_tile.softmax_finish %[[S2]] approximate : <64, factor = 1.250000e-01 : f64> -> tensor<64xf32>, tensor<64xf32>
  %inverse1, %lse1 = attn_tile.softmax_finish %2 approximate
      : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>, tensor<64xf32>
  return
}

// CHECK-LABEL: func.func @softmax_of_scaled_rows(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %[[F:[^:]+]]: tensor<64xf32>, %[[A:[^:]+]]: tensor<64x128xf32>, %[[STATE:[^:]+]]: !attn
func.func @softmax_of_scaled_rows(%s: tensor<64x32xf32>, %f: tensor<64xf32>, %a: tensor<64x128xf32>,
                                  %state: !attn_tile.softmax<64, factor = 0.125>) {
  // CHECK: attn_tile.softmax_update %[[S]], %[[STATE]] times(%[[F]]) : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.250000e-01 : f64>, tensor<64xf32>)
  %p1, %1 = attn_tile.softmax_update %s, %state times(%f)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64xf32>)
      -> (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>)
  // CHECK: attn_tile.softmax_update %[[S]], %{{.+}} times(%[[F]]) rescale(%[[A]]) : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.250000e-01 : f64>, tensor<64xf32>, tensor<64x128xf32>)
  %p2, %2, %r = attn_tile.softmax_update %s, %1 times(%f) rescale(%a)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64xf32>, tensor<64x128xf32>)
      -> (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
  return
}

// CHECK-LABEL: func.func @exact_softmax(
// CHECK: attn_tile.softmax_init : <64, factor = 1.250000e-01 : f64, exact = true>
// CHECK: attn_tile.softmax_update {{.*}} -> (tensor<64x32xf8E4M3FN>, !attn_tile.softmax<64, factor = 1.250000e-01 : f64, exact = true>)
// CHECK: attn_tile.softmax_init : <64, factor = 1.250000e-01 : f64>{{$}}
func.func @exact_softmax(%s: tensor<64x32xf32>) {
  %0 = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125, exact = true>
  %p, %1 = attn_tile.softmax_update %s, %0
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 0.125, exact = true>)
      -> (tensor<64x32xf8E4M3FN>, !attn_tile.softmax<64, factor = 0.125, exact = true>)
  %2 = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125, exact = false>
  return
}

// CHECK-LABEL: func.func @sink(
// CHECK: attn_tile.softmax_finish %{{.+}} sink(%{{.+}} : tensor<64xf32>) approximate : <64, factor = 1.250000e-01 : f64> -> tensor<64xf32>, tensor<64xf32>
func.func @sink(%state: !attn_tile.softmax<64, factor = 0.125>, %sink: tensor<64xf32>) {
  %inverse, %lse = attn_tile.softmax_finish %state sink(%sink : tensor<64xf32>) approximate
      : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>, tensor<64xf32>
  return
}

// CHECK-LABEL: func.func @random(
// CHECK: attn_tile.random_keep %{{.+}}, %{{.+}} at[%{{.+}}, %{{.+}}, %{{.+}}] threshold 6554 rows along 0 aligned : tensor<64x32xi1>
// CHECK: attn_tile.random_keep %{{.+}}, %{{.+}} at[%{{.+}}, %{{.+}}, %{{.+}}] threshold 65536 rows along 1 : tensor<64x32xi1>
// CHECK: attn_tile.random_keep %{{.+}}, %{{.+}} at[%{{.+}}, %{{.+}}, %{{.+}}] plus(%{{.+}}, %{{.+}} : tensor<64x32xi32>, tensor<64x32xi32>) threshold 1 rows along 0 : tensor<64x32xi1>
func.func @random(%seed: i64, %offset: i64, %plane: index, %i: index, %j: index,
                  %planes: tensor<64x32xi32>, %rows: tensor<64x32xi32>) {
  %0 = attn_tile.random_keep %seed, %offset at [%plane, %i, %j] threshold 6554 rows along 0 aligned : tensor<64x32xi1>
  %1 = attn_tile.random_keep %seed, %offset at [%plane, %i, %j] threshold 65536 rows along 1 : tensor<64x32xi1>
  %2 = attn_tile.random_keep %seed, %offset at [%plane, %i, %j] plus (%planes, %rows : tensor<64x32xi32>, tensor<64x32xi32>) threshold 1 rows along 0 : tensor<64x32xi1>
  return
}

// A state keeps its factor exactly.
// CHECK-LABEL: func.func private @factors(!attn_tile.softmax<1, factor = 0.33333333333333331 : f64>, !attn_tile.softmax<128, factor = 9.9999999999999995E-21 : f64>)
func.func private @factors(!attn_tile.softmax<1, factor = 0.33333333333333331>, !attn_tile.softmax<128, factor = 1.0E-20>)

// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %[[T:[^:]+]]: memref<8x?xf32>, %[[R:[^:]+]]: memref<i1>, %[[H:[^:]+]]: index, %[[AT:[^:]+]]: tensor<64x32xindex>, %[[ROWS:[^:]+]]: tensor<64xindex>)
func.func @gather(%t: memref<8x?xf32>, %r: memref<i1>, %h: index, %at: tensor<64x32xindex>,
                  %rows: tensor<64xindex>) {
  // CHECK: attn_tile.gather %[[T]][%[[H]], %[[AT]]] : (memref<8x?xf32>, index, tensor<64x32xindex>) -> tensor<64x32xf32>
  %0 = attn_tile.gather %t[%h, %at] : (memref<8x?xf32>, index, tensor<64x32xindex>) -> tensor<64x32xf32>
  // CHECK: attn_tile.gather %[[T]][%[[ROWS]], %[[ROWS]]] : (memref<8x?xf32>, tensor<64xindex>, tensor<64xindex>) -> tensor<64xf32>
  %1 = attn_tile.gather %t[%rows, %rows] : (memref<8x?xf32>, tensor<64xindex>, tensor<64xindex>) -> tensor<64xf32>
  // CHECK: attn_tile.gather %[[T]][%[[H]], %[[H]]] : (memref<8x?xf32>, index, index) -> f32
  %2 = attn_tile.gather %t[%h, %h] : (memref<8x?xf32>, index, index) -> f32
  // CHECK: attn_tile.gather %[[T]][%[[ROWS]], %[[ROWS]]] beside : (memref<8x?xf32>, tensor<64xindex>, tensor<64xindex>) -> tensor<64xf32>
  %beside = attn_tile.gather %t[%rows, %rows] beside : (memref<8x?xf32>, tensor<64xindex>, tensor<64xindex>) -> tensor<64xf32>
  // CHECK: attn_tile.gather %[[R]][] : (memref<i1>) -> tensor<16xi1>
  %3 = attn_tile.gather %r[] : (memref<i1>) -> tensor<16xi1>
  return
}

// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[T:.+]]: memref<8x?xf32>, %[[H:.+]]: index, %[[AT:.+]]: tensor<64xindex>, %[[X:.+]]: tensor<64xf32>
func.func @scatter(%t: memref<8x?xf32>, %h: index, %at: tensor<64xindex>, %x: tensor<64xf32>) {
  // CHECK: attn_tile.scatter %[[X]], %[[T]][%[[H]], %[[AT]]] : tensor<64xf32>, memref<8x?xf32>, index, tensor<64xindex>
  attn_tile.scatter %x, %t[%h, %at] : tensor<64xf32>, memref<8x?xf32>, index, tensor<64xindex>
  // CHECK: attn_tile.scatter %[[X]], %[[T]][%[[H]], %[[AT]]] add : tensor<64xf32>, memref<8x?xf32>, index, tensor<64xindex>
  attn_tile.scatter %x, %t[%h, %at] add : tensor<64xf32>, memref<8x?xf32>, index, tensor<64xindex>
  return
}

// Each row has its own indices, and begins at the last index.
// CHECK-LABEL: func.func @scatter_rows(
// CHECK-SAME: %[[O:[^:]+]]: memref<8x?x64xf16>, %[[H:[^:]+]]: tensor<32xindex>, %[[AT:[^:]+]]: tensor<32xindex>, %[[C:[^:]+]]: index, %[[X:[^:]+]]: tensor<32x64xf16>)
func.func @scatter_rows(%o: memref<8x?x64xf16>, %h: tensor<32xindex>, %at: tensor<32xindex>, %c: index, %x: tensor<32x64xf16>) {
  // CHECK: attn_tile.scatter %[[X]], %[[O]][%[[H]], %[[AT]], %[[C]]] : tensor<32x64xf16>, memref<8x?x64xf16>, tensor<32xindex>, tensor<32xindex>, index
  attn_tile.scatter %x, %o[%h, %at, %c] : tensor<32x64xf16>, memref<8x?x64xf16>, tensor<32xindex>, tensor<32xindex>, index
  return
}

// CHECK-LABEL: func.func @eight_bits(
func.func @eight_bits(%a: memref<?x128xf8E4M3FN>, %b: memref<?x128xf8E5M2>, %i: index,
                      %c: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  // CHECK: attn_tile.load %{{.+}} : memref<?x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %0 = attn_tile.load %a[%i, %i] : memref<?x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %1 = attn_tile.load %a[%i, %i] : memref<?x128xf8E4M3FN> -> tensor<32x128xf8E4M3FN>
  // CHECK: attn_tile.dot %{{.+}} transpose_rhs : tensor<64x128xf8E4M3FN>, tensor<32x128xf8E4M3FN>, tensor<64x32xf32>
  %2 = attn_tile.dot %0, %1, %c transpose_rhs
      : tensor<64x128xf8E4M3FN>, tensor<32x128xf8E4M3FN>, tensor<64x32xf32>
  %3 = attn_tile.load %b[%i, %i] : memref<?x128xf8E5M2> -> tensor<64x128xf8E5M2>
  %4 = attn_tile.load %b[%i, %i] : memref<?x128xf8E5M2> -> tensor<128x32xf8E5M2>
  // CHECK: attn_tile.dot %{{.+}} : tensor<64x128xf8E5M2>, tensor<128x32xf8E5M2>, tensor<64x32xf32>
  %5 = attn_tile.dot %3, %4, %c
      : tensor<64x128xf8E5M2>, tensor<128x32xf8E5M2>, tensor<64x32xf32>
  // CHECK: attn_tile.store %{{.+}} : tensor<64x128xf8E5M2>, memref<?x128xf8E5M2>
  attn_tile.store %3, %b[%i, %i] : tensor<64x128xf8E5M2>, memref<?x128xf8E5M2>
  return %2, %5 : tensor<64x32xf32>, tensor<64x32xf32>
}

// CHECK-LABEL: func.func @workspace(
// CHECK-SAME:    %[[N:[^:]+]]: index)
func.func @workspace(%n: index) -> (memref<4x8xf32>, memref<?x8x?xi32>) {
  // CHECK: attn_tile.workspace : memref<4x8xf32>
  %0 = attn_tile.workspace : memref<4x8xf32>
  // CHECK: attn_tile.workspace(%[[N]], %[[N]]) : memref<?x8x?xi32>
  %1 = attn_tile.workspace(%n, %n) : memref<?x8x?xi32>
  return %0, %1 : memref<4x8xf32>, memref<?x8x?xi32>
}

// CHECK-LABEL: func.func @factor(
// CHECK-SAME:    %[[OLD:[^:]+]]: !attn_tile.softmax<64, factor = 1.250000e-01 : f64>, %[[NEW:[^:]+]]: !attn_tile.softmax<64, factor = 1.250000e-01 : f64>, %[[ACC:[^:]+]]: tensor<64x32xf32>)
func.func @factor(%old: !attn_tile.softmax<64, factor = 0.125>, %new: !attn_tile.softmax<64, factor = 0.125>,
                  %acc: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // CHECK: %[[FACTOR:.+]] = attn_tile.softmax_factor %[[OLD]] to %[[NEW]] : <64, factor = 1.250000e-01 : f64> -> tensor<64xf32>
  %0 = attn_tile.softmax_factor %old to %new : !attn_tile.softmax<64, factor = 0.125> -> tensor<64xf32>
  // CHECK: attn_tile.rescale %[[ACC]] by %[[FACTOR]] : tensor<64xf32>, tensor<64x32xf32>
  %1 = attn_tile.rescale %acc by %0 : tensor<64xf32>, tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @reuse(
// CHECK-SAME:    %[[P:[^:]+]]: tensor<64x64xf16>, %[[K:[^:]+]]: tensor<64x128xi8>)
func.func @reuse(%p: tensor<64x64xf16>, %k: tensor<64x128xi8>) -> tensor<64x64xf16> {
  // CHECK: attn_tile.reuse %[[P]] over %[[K]] : tensor<64x64xf16>, tensor<64x128xi8>
  %0 = attn_tile.reuse %p over %k : tensor<64x64xf16>, tensor<64x128xi8>
  return %0 : tensor<64x64xf16>
}
