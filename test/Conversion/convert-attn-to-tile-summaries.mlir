// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Reads of booleans at both positions: a grid that writes a summary of the array's cells comes
// before the one that lists blocks, which reads the summary instead of the array.

!array = memref<2x4x256x64xf16>

// CHECK-LABEL: func.func @per_call(
// CHECK-SAME: %{{[^:]+}}: memref<2x4x256x64xf16>, %{{[^:]+}}: memref<2x4x256x64xf16>, %[[M:[^:]+]]: memref<4x256x256xi1>
// CHECK: %[[SUMMARY:.+]] = attn_tile.workspace : memref<4x4x4x2xi32>
// CHECK: attn_tile.grid (%[[H:.+]], %[[R:.+]], %[[C:.+]]) to
// CHECK: scf.for
// CHECK: attn_tile.load %[[M]][%[[H]], %{{.+}}, %{{.+}}] : {{.+}} tensor<64x64xi1>
// CHECK: attn_tile.reduce or %{{.+}} along 1
// CHECK: attn_tile.reduce and %{{.+}} along 1
// CHECK: attn_tile.reduce add %{{.+}} along 0
// CHECK: attn_tile.scatter %{{.+}}, %[[SUMMARY]][%[[H]], %[[R]], %{{.+}}, %{{.+}}]
// CHECK: attn_tile.grid
// CHECK-NOT: %[[M]]
// CHECK: attn_tile.gather %[[SUMMARY]][%{{.+}}, %{{.+}}, %{{.+}}, %c0]
// CHECK: attn_tile.gather %[[SUMMARY]][%{{.+}}, %{{.+}}, %{{.+}}, %c1]
// CHECK: attn_tile.scatter
// CHECK: attn_tile.grid
// CHECK: attn_tile.grid
// CHECK: attn_tile.domain_list
// CHECK: scf.if
// CHECK: attn_tile.load %[[M]]
func.func @per_call(%q: !array, %o: !array, %m: memref<4x256x256xi1>) {
  attn.attention ins(%q, %q, %q : !array, !array, !array) captures(%m : memref<4x256x256xi1>)
      outs(%o : !array) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: memref<4x256x256xi1>):
      %0 = attn.read %t[%h, %i, %j] inbounds : memref<4x256x256xi1>
      attn.yield %0 : i1
    } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

// The caller's own: no grid over cells.

!array = memref<2x4x256x64xf16>

// CHECK-LABEL: func.func @given(
// CHECK-SAME: %[[S:[^:]+]]: memref<4x4x2xi32>
// CHECK-NOT: memref<4x4x2xi32>
// CHECK: attn_tile.grid
// CHECK: attn_tile.gather %[[S]][
// CHECK-COUNT-2: attn_tile.grid
// CHECK-NOT: attn_tile.grid
func.func @given(%q: !array, %o: !array, %m: memref<256x256xi1>, %s: memref<4x4x2xi32>) {
  attn.attention ins(%q, %q, %q : !array, !array, !array)
      captures(%m, %s : memref<256x256xi1>, memref<4x4x2xi32>)
      outs(%o : !array) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: memref<256x256xi1>, %u: memref<4x4x2xi32>):
      %0 = attn.read %t[%i, %j] inbounds bounds(%u : memref<4x4x2xi32>) : memref<256x256xi1>
      attn.yield %0 : i1
    } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

// A read at computed indices has no summary, so there is no list.

!array = memref<2x4x256x64xf16>

// CHECK-LABEL: func.func @computed(
// CHECK-NOT: attn_tile.workspace
// CHECK: attn_tile.domain rows
func.func @computed(%q: !array, %o: !array, %m: memref<256x256xi1>) {
  attn.attention ins(%q, %q, %q : !array, !array, !array) captures(%m : memref<256x256xi1>)
      outs(%o : !array) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: memref<256x256xi1>):
      %d = arith.subi %i, %j : index
      %0 = attn.read %t[%d, %j] : memref<256x256xi1>
      attn.yield %0 : i1
    } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}
