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

// -----

// A lazy softmax multiplies by the scales of the query and of heads. Scales of keys, and all scales
// before a score region, multiply scores.

!array = memref<1x1x128x64xf8E4M3FN>
!output = memref<1x1x128x64xf16>
!row = memref<1x1x128xf32>
!head = memref<1x1xf32>
#lazy = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, softmax = lazy, roles = producer_consumer_converter>

// CHECK-LABEL: func.func @folded(
// CHECK-SAME: %[[SQ:[^:]+]]: memref<1x1x128xf32>, %[[SK:[^:]+]]: memref<1x1xf32>
// CHECK-DAG: %[[OFROWS:.+]] = attn_tile.load %{{.+}} : memref<{{.+}}> -> tensor<64xf32>
// CHECK-DAG: %[[OFHEAD:.+]] = attn_tile.gather %[[SK]]
// CHECK-DAG: %[[SPLAT:.+]] = tensor.splat %[[OFHEAD]] : tensor<64xf32>
// CHECK: %[[FACTORS:.+]] = arith.mulf %[[OFROWS]], %[[SPLAT]]
// CHECK: attn_tile.for_blocks
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK-NOT: arith.mulf
// CHECK: attn_tile.softmax_update %[[S]], %{{.+}} times(%[[FACTORS]])
func.func @folded(%q: !array, %k: !array, %v: !array, %sq: !row, %sk: !head, %o: !output) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) with(query_scale %sq : !row, key_scale %sk : !head) outs(%o : !output)
      {schedule = #lazy}
  return
}

// CHECK-LABEL: func.func @scales_of_keys(
// CHECK: attn_tile.for_blocks
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK: %[[SCALED:.+]] = arith.mulf %[[S]],
// CHECK-NOT: arith.mulf
// CHECK: attn_tile.softmax_update %[[SCALED]], %{{[^ ]+}} times(
func.func @scales_of_keys(%q: !array, %k: !array, %v: !array, %sq: !head, %sk: !row, %o: !output) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) with(query_scale %sq : !head, key_scale %sk : !row) outs(%o : !output)
      {schedule = #lazy}
  return
}

// CHECK-LABEL: func.func @before_region(
// CHECK: attn_tile.for_blocks
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK: arith.mulf %[[S]],
// CHECK: math.tanh
// CHECK: attn_tile.softmax_update
// CHECK-NOT: times(
// CHECK: attn_tile.yield
func.func @before_region(%q: !array, %k: !array, %v: !array, %sq: !head, %o: !output) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) with(query_scale %sq : !head) outs(%o : !output)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %t = math.tanh %s : f32
        attn.yield %t : f32
      } {schedule = #lazy}
  return
}

// A strict softmax needs each score multiplied, so nothing is left to it.
// CHECK-LABEL: func.func @strict(
// CHECK: attn_tile.for_blocks
// CHECK: %[[S:.+]] = attn_tile.dot
// CHECK: %[[SCALED:.+]] = arith.mulf %[[S]],
// CHECK: attn_tile.softmax_update %[[SCALED]], %{{[^ ]+}} rescale(
func.func @strict(%q: !array, %k: !array, %v: !array, %sq: !head, %o: !output) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) with(query_scale %sq : !head) outs(%o : !output)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
