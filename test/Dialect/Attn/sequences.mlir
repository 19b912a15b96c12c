// RUN: attn-opt %s --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s

!q = memref<?x?x?x64xf16, strided<[?, ?, ?, 1]>>

// A length may be a number or an array of them.
// CHECK-LABEL: func.func @lengths(
// CHECK-SAME: %[[A:[^:]+]]: memref<?xi32>, %[[N:[^:]+]]: index)
func.func @lengths(%q: !q, %a: memref<?xi32>, %n: index) {
  // CHECK: lengths(%[[N]], %[[A]] : index, memref<?xi32>) outs
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%n, %a : index, memref<?xi32>)
      outs(%q : !q)
  // CHECK: lengths(%[[N]], %[[N]]) outs
  attn.attention ins(%q, %q, %q : !q, !q, !q) lengths(%n, %n) outs(%q : !q)
  return
}

// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[A:[^:]+]]: memref<?xi32>, %[[B:[^:]+]]: memref<?xi32>,
func.func @packed(%q: !q, %a: memref<?xi32>, %b: memref<?xi32>, %l: memref<?x?x?xf32>) {
  // CHECK: attn.attention
  // CHECK-SAME: packed(%[[A]], %[[B]] : memref<?xi32>, memref<?xi32>) outs
  attn.attention ins(%q, %q, %q : !q, !q, !q) packed(%a, %b : memref<?xi32>, memref<?xi32>)
      outs(%q : !q)
  // CHECK: attn.attention_backward
  // CHECK-SAME: packed(%[[A]], %[[B]] : memref<?xi32>, memref<?xi32>) outs
  attn.attention_backward
      ins(%q, %q, %q, %q, %l, %q : !q, !q, !q, !q, memref<?x?x?xf32>, !q)
      packed(%a, %b : memref<?xi32>, memref<?xi32>) outs(%q, %q, %q : !q, !q, !q)
  return
}

// CHECK-LABEL: func.func @pages(
// CHECK-SAME: %[[K:[^:]+]]: memref<100x2x16x64xf16>, %[[T:[^:]+]]: memref<3x8xi32>)
func.func @pages(%q: memref<3x4x1x64xf16>, %k: memref<100x2x16x64xf16>, %t: memref<3x8xi32>) {
  // CHECK: pages(%[[T]] : memref<3x8xi32>) outs
  attn.attention
      ins(%q, %k, %k : memref<3x4x1x64xf16>, memref<100x2x16x64xf16>, memref<100x2x16x64xf16>)
      pages(%t : memref<3x8xi32>) outs(%q : memref<3x4x1x64xf16>)
  return
}
