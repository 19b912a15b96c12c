// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Attention of 8 bits: a state is exact where the sums of probabilities times values are.

!array = memref<1x1x128x64xf8E4M3FN>
!output = memref<1x1x128x64xf16>

// CHECK-LABEL: func.func @exact(
// CHECK: attn_tile.softmax_init : <64, factor = {{[^,]*}}, exact = true>
// CHECK-NOT: beside
// CHECK: attn_tile.dot {{.*}} exact : tensor<64x32xf8E4M3FN>
func.func @exact(%q: !array, %k: !array, %v: !array, %o: !output) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) outs(%o : !output)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// CHECK-LABEL: func.func @fast(
// CHECK: attn_tile.softmax_init : <64, factor = {{[^,]*}}>
// CHECK-NOT: exact
func.func @fast(%q: !array, %k: !array, %v: !array, %o: !output) {
  attn.attention fast_accumulate ins(%q, %k, %v : !array, !array, !array) outs(%o : !output)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

// A scale of each value multiplies probabilities before they are rounded, so those of the softmax
// are f32. Scales of tokens are read beside the products.

!array = memref<1x1x128x64xf8E4M3FN>
!output = memref<1x1x128x64xf16>
!row = memref<1x1x128xf32>

// CHECK-LABEL: func.func @scales(
// CHECK-SAME: %[[SCALES:[^:]+]]: memref<1x1x128xf32>
// CHECK: attn_tile.softmax_init : <64, factor = {{[^,]*}}>
// CHECK: attn_tile.for_blocks
// CHECK-DAG: attn_tile.load %{{.+}} beside : memref<{{.+}}xf32{{.*}} -> tensor<32xf32>
// CHECK-DAG: attn_tile.softmax_update {{.*}} -> (tensor<64x32xf32>,
func.func @scales(%q: !array, %k: !array, %v: !array, %s: !row, %o: !output) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) with(value_scale %s : !row) outs(%o : !output)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// -----

// Keys and values that are extended are read beside the products, a query is not.

!query = memref<1x1x128x64xf16>
!array = memref<1x1x128x64xf8E4M3FN>

// CHECK-LABEL: func.func @extended(
// CHECK: attn_tile.load %{{.+}}] : memref<1x1x128x64xf16> -> tensor<64x64xf16>
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-2: attn_tile.load %{{.+}} beside : memref<1x1x128x64xf8E4M3FN> -> tensor<32x64xf8E4M3FN>
// CHECK-NOT: beside
func.func @extended(%q: !query, %k: !array, %v: !array, %o: !query) {
  attn.attention ins(%q, %k, %v : !query, !array, !array) outs(%o : !query)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
