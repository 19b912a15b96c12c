// RUN: attn-opt %s --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

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
  // CHECK: attn_tile.load %[[L]][%[[J]]] : memref<?xf32> -> tensor<32xf32>
  %2 = attn_tile.load %l[%j] : memref<?xf32> -> tensor<32xf32>
  return %0, %1, %2 : tensor<64x64xf16>, tensor<16xf16>, tensor<32xf32>
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
  return %0, %1, %2 : tensor<64x32xi32>, tensor<64x32xindex>, tensor<64xi32>
}
