// RUN: attn-opt %s -canonicalize | FileCheck %s
// RUN: attn-opt %s -convert-attn-tile-to-linalg | FileCheck %s --check-prefix HOST

// Sizes that are constants become part of the type, other sizes are the operands, and workspace
// without uses is not created.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:    %[[N:[^:]+]]: index, %[[D:[^:]+]]: index)
// CHECK-NEXT: %[[EIGHT:.+]] = arith.constant 8 : index
// CHECK-NEXT: %[[W:.+]] = attn_tile.workspace(%[[N]]) : memref<?x8xf32>
// CHECK-NEXT: %[[CAST:.+]] = memref.cast %[[W]]
// CHECK-NEXT: %[[DIM:.+]] = memref.dim %[[CAST]], %[[D]]
// CHECK-NEXT: return %[[N]], %[[EIGHT]], %[[DIM]]
func.func @sizes(%n: index, %d: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %unused = attn_tile.workspace(%n) : memref<?xf32>
  %0 = attn_tile.workspace(%n, %c8) : memref<?x?xf32>
  %1 = memref.dim %0, %c0 : memref<?x?xf32>
  %2 = memref.dim %0, %c1 : memref<?x?xf32>
  %3 = memref.dim %0, %d : memref<?x?xf32>
  return %1, %2, %3 : index, index, index
}

// A size that no memory can have stays as it is.
// CHECK-LABEL: func.func @negative(
// CHECK: attn_tile.workspace(%{{.+}}) : memref<?xf32>
func.func @negative() -> memref<?xf32> {
  %c = arith.constant -1 : index
  %0 = attn_tile.workspace(%c) : memref<?xf32>
  return %0 : memref<?xf32>
}

// On the host, workspace is memory that is freed at the end of its block.
// HOST-LABEL: func.func @sums(
// HOST: %[[W:.+]] = memref.alloc(%{{.+}}) : memref<2x?xf32>
// HOST: scf.forall
// HOST: memref.dealloc %[[W]]
// HOST-NEXT: return
func.func @sums(%rows: index) {
  %0 = attn_tile.workspace(%rows) : memref<2x?xf32>
  attn_tile.grid (%r) to (%rows) step [64] {
    %c0 = arith.constant 0 : index
    %zeros = arith.constant dense<0.0> : tensor<64xf32>
    attn_tile.store %zeros, %0[%c0, %r] : tensor<64xf32>, memref<2x?xf32>
  }
  return
}
