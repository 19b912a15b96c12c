// RUN: attn-opt %s -split-input-file -attn-bufferize | FileCheck %s

!bshd = memref<2x24x4x16xf32, strided<[?, ?, ?, 1], offset: ?>>
!bhsd = memref<2x4x24x16xf32>

// Inputs and the output in (B, S, H, D) are views; a copy of an array that is read after it was
// written stays.
// CHECK-LABEL: func.func @views(
// CHECK-NOT: memref.alloc
// CHECK: %[[Q:.+]] = memref.transpose %arg0 (d0, d1, d2, d3) -> (d0, d2, d1, d3)
// CHECK: %[[O:.+]] = memref.transpose %arg1 (d0, d1, d2, d3) -> (d0, d2, d1, d3)
// CHECK: attn.attention ins(%[[Q]], %[[Q]], %[[Q]] : {{.+}}) outs(%[[O]] :
// CHECK-NOT: linalg.transpose
func.func @views(%q: !bshd, %o: !bshd) {
  %a = memref.alloc() : !bhsd
  linalg.transpose ins(%q : !bshd) outs(%a : !bhsd) permutation = [0, 2, 1, 3]
  %b = memref.alloc() : !bhsd
  attn.attention ins(%a, %a, %a : !bhsd, !bhsd, !bhsd) outs(%b : !bhsd)
  linalg.transpose ins(%b : !bhsd) outs(%o : !bshd) permutation = [0, 2, 1, 3]
  memref.copy %o, %o : !bshd to !bshd
  return
}

// -----

!bshd = memref<2x24x4x16xf32, strided<[?, ?, ?, 1], offset: ?>>
!bhsd = memref<2x4x24x16xf32>

// CHECK-LABEL: func.func @written(
// CHECK: linalg.transpose ins(%arg0
// CHECK: linalg.transpose ins(%{{.+}}) outs(%arg0
func.func @written(%q: !bshd) {
  %a = memref.alloc() : !bhsd
  linalg.transpose ins(%q : !bshd) outs(%a : !bhsd) permutation = [0, 2, 1, 3]
  %b = memref.alloc() : !bhsd
  attn.attention ins(%a, %a, %a : !bhsd, !bhsd, !bhsd) outs(%b : !bhsd)
  linalg.transpose ins(%b : !bhsd) outs(%q : !bshd) permutation = [0, 2, 1, 3]
  return
}

// -----

!dense = memref<8x24x16xf32, strided<[?, ?, 1], offset: ?>>
!heads = memref<8x1x24x16xf32>

// A copy by way of a view; the innermost dimension must stay.
// CHECK-LABEL: func.func @reshaped(
// CHECK: memref.alloc
// CHECK: linalg.transpose ins(%arg0
// CHECK: %[[O:.+]] = memref.expand_shape %arg1
// CHECK: attn.attention {{.+}} outs(%[[O]] :
// CHECK-NOT: memref.copy
func.func @reshaped(%q: memref<8x1x16x24xf32>, %o: !dense) {
  %a = memref.alloc() : !heads
  linalg.transpose ins(%q : memref<8x1x16x24xf32>) outs(%a : !heads) permutation = [0, 1, 3, 2]
  %b = memref.alloc() : !heads
  attn.attention ins(%a, %a, %a : !heads, !heads, !heads) outs(%b : !heads)
  %c = memref.collapse_shape %b [[0, 1], [2], [3]] : !heads into memref<8x24x16xf32>
  memref.copy %c, %o : memref<8x24x16xf32> to !dense
  return
}
