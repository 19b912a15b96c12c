// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// A mask that compares reads at the row and at the key: a grid before the op's own lists, for each
// tile of rows and for all heads together, the blocks of keys in which pairs may be kept according
// to interval arithmetic. Another grid orders the tiles by the lengths of their lists. The op's
// program takes the tile at its place in this order and goes over its list.

!array = memref<2x4x256x64xf16>
!ids = memref<2x256xi32>

// CHECK-LABEL: func.func @documents(
// CHECK-SAME: %[[IDS:[^:]+]]: memref<2x256xi32>
// CHECK-DAG: %[[BLOCKS:.+]] = attn_tile.workspace : memref<2x1x4x8xi32>
// CHECK-DAG: %[[PARTIAL:.+]] = attn_tile.workspace : memref<2x1x4x8xi32>
// CHECK-DAG: %[[COUNTS:.+]] = attn_tile.workspace : memref<2x1x4xi32>
// CHECK-DAG: %[[ORDER:.+]] = attn_tile.workspace : memref<2x1x4xi32>
// CHECK: attn_tile.grid (%[[B:.+]], %{{.+}}, %[[TILE:.+]]) to
// CHECK: attn_tile.gather %[[IDS]][%[[B]], %{{.+}}]
// CHECK: attn_tile.reduce maxnum
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.gather %[[IDS]][%[[B]], %{{.+}}]
// CHECK: attn_tile.reduce maxnum
// CHECK: attn_tile.scatter %{{.+}}, %[[BLOCKS]][%[[B]], %{{.+}}, %[[TILE]], %{{.+}}]
// CHECK: attn_tile.scatter %{{.+}}, %[[PARTIAL]]
// CHECK: attn_tile.scatter %{{.+}}, %[[COUNTS]][%[[B]], %{{.+}}, %{{.+}}]
// CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[TILE:.+]]) to
// CHECK: memref.load %[[COUNTS]][%[[B]], %[[H]], %[[TILE]]]
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.load %[[COUNTS]][%[[B]], %[[H]], %{{.+}}]
// CHECK: attn_tile.scatter %{{.+}}, %[[ORDER]][%[[B]], %[[H]], %{{.+}}]
// CHECK: attn_tile.grid (%[[B:.+]], %{{.+}}, %{{.+}}) to
// CHECK-NOT: attn_tile.domain rows
// CHECK: %[[NUMBER:.+]] = memref.load %[[ORDER]][%[[B]], %c0, %{{.+}}]
// CHECK: %[[OWN:.+]] = arith.index_cast %[[NUMBER]]
// CHECK: %[[ROW:.+]] = affine.apply #{{.+}}(%[[OWN]])
// CHECK: attn_tile.load %{{.+}}[%[[B]], %{{.+}}, %[[ROW]], %c0]
// CHECK: memref.load %[[COUNTS]][%[[B]], %c0, %[[OWN]]]
// CHECK: %[[LIST:.+]] = attn_tile.domain_list
// CHECK: attn_tile.for_blocks (%{{.+}}, %[[IS_PARTIAL:.+]]) of %[[LIST]]
// The key's numbers are read where the block is partial.
// CHECK: scf.if %[[IS_PARTIAL]]
// CHECK: attn_tile.load %[[IDS]][%{{.+}}, %{{.+}}] beside : memref<2x256xi32> -> tensor<32xi32>
func.func @documents(%q: !array, %ids: !ids, %o: !array) {
  attn.attention ins(%q, %q, %q : !array, !array, !array) captures(%ids : !ids)
      outs(%o : !array) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: !ids):
      %0 = attn.read %t[%b, %i] inbounds : !ids
      %1 = attn.read %t[%b, %j] inbounds : !ids
      %2 = arith.cmpi eq, %0, %1 : i32
      attn.yield %2 : i1
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

// Masks that ranges of positions express need no lists.

!array = memref<2x4x256x64xf16>

// CHECK-LABEL: func.func @lengths(
// CHECK-NOT: attn_tile.workspace
// CHECK-NOT: attn_tile.domain_list
// CHECK: attn_tile.domain rows
func.func @lengths(%q: !array, %lengths: memref<2xi32>, %o: !array) {
  attn.attention ins(%q, %q, %q : !array, !array, !array) captures(%lengths : memref<2xi32>)
      outs(%o : !array) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: memref<2xi32>):
      %0 = attn.read %t[%b] : memref<2xi32>
      %1 = arith.index_cast %0 : i32 to index
      %2 = arith.cmpi slt, %j, %1 : index
      attn.yield %2 : i1
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

// An element for each pair: a tile where reads stay within bounds, else each by itself.

!array = memref<2x4x256x64xf16>
!bias = memref<4x256x256xf16>

// CHECK-LABEL: func.func @bias(
// CHECK-SAME: %[[BIAS:[^:]+]]: memref<4x256x256xf16>
// CHECK: attn_tile.for_blocks (%[[J:[a-z0-9]+]], %{{.+}})
// CHECK: attn_tile.load %[[BIAS]][%{{.+}}, %{{.+}}, %[[J]]] ahead beside : memref<4x256x256xf16> -> tensor<64x32xf16>
// CHECK-NOT: attn_tile.gather
func.func @bias(%q: !array, %bias: !bias, %o: !array) {
  attn.attention ins(%q, %q, %q : !array, !array, !array) captures(%bias : !bias)
      outs(%o : !array) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: !bias):
      %0 = attn.read %t[%h, %i, %j] inbounds : !bias
      %1 = arith.extf %0 : f16 to f32
      %2 = arith.addf %s, %1 : f32
      attn.yield %2 : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @clamped(
// CHECK-NOT: attn_tile.load %{{.+}} -> tensor<64x32xf16>
// CHECK: attn_tile.gather
func.func @clamped(%q: !array, %bias: !bias, %o: !array) {
  attn.attention ins(%q, %q, %q : !array, !array, !array) captures(%bias : !bias)
      outs(%o : !array) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: !bias):
      %0 = attn.read %t[%h, %i, %j] : !bias
      %1 = arith.extf %0 : f16 to f32
      %2 = arith.addf %s, %1 : f32
      attn.yield %2 : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
