// Gradients of query, key and value of 8 bits. Where wgmma multiplies 8 bits, scores are
// products of the arrays themselves, whose scales multiply them in f32; all other products
// read copies in 16 bits.

// RUN: attn-opt %s -split-input-file --convert-attn-to-tile -canonicalize | FileCheck %s

!q = memref<1x4x256x80xf8E4M3FN>
!k = memref<1x2x512x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!dk = memref<1x2x512x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// Columns are padded to a multiple of 32, which an 8-bit MMA adds up. The product of both
// scales, the op's scale (1/4 here) and log2(e) is a number of each pair of heads, and multiplies
// before the mask, since it may be 0 or negative.
// CHECK-LABEL: func.func @stored(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x4x256x80xf8E4M3FN>, %[[K:[^:]+]]: memref<1x2x512x80xf8E4M3FN>,
// CHECK-SAME: %[[QS:[^:]+]]: memref<1x4xf32>, %[[KS:[^:]+]]: memref<1x2xf32>
// CHECK-DAG: %[[FACTOR:.+]] = arith.constant 0.360673{{.*}} : f32
// CHECK: %[[K8:.+]] = attn_tile.load %[[K]]{{.*}} -> tensor<128x96xf8E4M3FN>
// CHECK: scf.for
// CHECK: %[[OF_Q:.+]] = attn_tile.gather %[[QS]]
// CHECK: %[[OF_K:.+]] = attn_tile.gather %[[KS]]
// CHECK: %[[BOTH:.+]] = arith.mulf %[[OF_Q]], %[[OF_K]] : f32
// CHECK: %[[SCALE:.+]] = arith.mulf %[[BOTH]], %[[FACTOR]] : f32
// CHECK: %[[SPLAT:.+]] = tensor.splat %[[SCALE]]
// CHECK: attn_tile.for_blocks
// CHECK: %[[Q8:.+]] = attn_tile.load %[[Q]]{{.*}} -> tensor<64x96xf8E4M3FN>
// CHECK: %[[S:.+]] = attn_tile.dot %[[K8]], %[[Q8]],
// CHECK-SAME: tensor<128x96xf8E4M3FN>, tensor<64x96xf8E4M3FN>
// CHECK: arith.mulf %[[S]], %[[SPLAT]]
// CHECK: scf.if
// CHECK: attn_tile.dot {{.*}} tensor<128x80xbf16>, tensor<64x80xbf16>
// CHECK-NOT: f8E4M3FN
func.func @stored(%q: !q, %k: !k, %v: !k, %qs: memref<1x4xf32>, %ks: memref<1x2xf32>, %o: !o, %lse: !row, %do: !o,
                  %dq: !o, %dk: !dk, %dv: !dk) {
  attn.attention_backward mask <top_left, causal> scale 0.25
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !o, !row, !o)
      with(query_scale %qs : memref<1x4xf32>, key_scale %ks : memref<1x2xf32>)
      outs(%dq, %dk, %dv : !o, !dk, !dk) {schedule = #schedule}
  return
}

// -----

// A scale of each token is part of the copies alone.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// CHECK-LABEL: func.func @tokens(
// CHECK: attn_tile.for_blocks
// CHECK-NOT: f8E4M3FN
func.func @tokens(%q: !q, %qs: !row, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      with(query_scale %qs : !row)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// Without a reducer that adds d_query, programs never read arrays of 8 bits, only their copies.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @mma_sync(
// CHECK: attn_tile.for_blocks
// CHECK-NOT: f8E4M3FN
func.func @mma_sync(%q: !q, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// With narrow_products, the first grid rounds the rows of d_output, each with a scale, and
// computes delta from what was rounded. The rounded rows are multiplied by the stored values, of
// which there is no copy, and the scales of rows, times that of the values, multiply the product.

!q = memref<1x4x256x80xf8E4M3FN>
!k = memref<1x2x512x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!dk = memref<1x2x512x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// CHECK-LABEL: func.func @rounded(
// CHECK-SAME: %[[V:arg2]]: memref<1x2x512x80xf8E4M3FN>, %[[VS:[^:]+]]: memref<1x2xf32>
// CHECK-SAME: %[[O:[^:]+]]: memref<1x4x256x80xbf16>, %{{[^:]+}}: memref<1x4x256xf32>, %[[DO:[^:]+]]: memref<1x4x256x80xbf16>
// CHECK-DAG: %[[LARGEST:.+]] = arith.constant dense<4.480000e+02>
// CHECK-DAG: %[[LEAST:.+]] = arith.constant dense<1.17549435E-38>
// CHECK-NOT: attn_tile.load %[[V]]
// CHECK: %[[T0:.+]] = attn_tile.load %[[DO]]
// CHECK: %[[T1:.+]] = arith.extf %[[T0]]
// CHECK: %[[ABS:.+]] = math.absf %[[T1]]
// CHECK: %[[MOST:.+]] = attn_tile.reduce maxnum %[[ABS]]
// CHECK: %[[QUOTIENT:.+]] = arith.divf %[[MOST]], %[[LARGEST]]
// CHECK: %[[SCALES:.+]] = arith.maximumf %[[QUOTIENT]], %[[LEAST]]
// CHECK: %[[OF_V:.+]] = attn_tile.gather %[[VS]]
// CHECK: %[[SPLAT:.+]] = tensor.splat %[[OF_V]]
// CHECK: %[[BOTH:.+]] = arith.mulf %[[SCALES]], %[[SPLAT]]
// CHECK: attn_tile.store %[[BOTH]]
// CHECK: %[[FACTORS:.+]] = arith.divf %{{.+}}, %[[SCALES]]
// CHECK: %[[OF_ROWS:.+]] = attn_tile.broadcast %[[FACTORS]]
// CHECK: %[[MULTIPLE:.+]] = arith.mulf %{{.+}}, %[[OF_ROWS]]
// CHECK: %[[NUMBERS:.+]] = arith.truncf %[[MULTIPLE]] : {{.+}} to tensor<{{.+}}xf8E4M3FN>
// CHECK: %[[EXTENDED:.+]] = arith.extf %[[NUMBERS]]
// CHECK: attn_tile.store %[[NUMBERS]]
// CHECK: %[[S0:.+]] = attn_tile.broadcast %[[SCALES]]
// CHECK: %[[ROUNDED:.+]] = arith.mulf %[[EXTENDED]], %[[S0]]
// CHECK: arith.mulf %{{.+}}, %[[ROUNDED]]
// CHECK: attn_tile.reduce add
// CHECK: %[[V8:.+]] = attn_tile.load %[[V]]{{.*}} -> tensor<128x96xf8E4M3FN>
// CHECK: %[[DO16:.+]] = attn_tile.load %[[DO]]{{.*}} -> tensor<64x80xbf16>
// CHECK: %[[DO8:.+]] = attn_tile.load {{.*}} -> tensor<64x96xf8E4M3FN>
// CHECK: attn_tile.dot {{.*}} tensor<128x96xf8E4M3FN>, tensor<64x96xf8E4M3FN>
// CHECK: attn_tile.dot %{{.+}}, %[[DO16]],
// CHECK: %[[DP:.+]] = attn_tile.dot %[[V8]], %[[DO8]],
// CHECK: %[[S1:.+]] = attn_tile.load {{.*}} -> tensor<64xf32>
// CHECK: %[[S2:.+]] = attn_tile.broadcast %[[S1]]
// CHECK: %[[SCALED:.+]] = arith.mulf %[[DP]], %[[S2]]
// CHECK: arith.subf %[[SCALED]],
func.func @rounded(%q: !q, %k: !k, %v: !k, %vs: memref<1x2xf32>, %o: !o, %lse: !row, %do: !o,
                   %dq: !o, %dk: !dk, %dv: !dk) {
  attn.attention_backward narrow_products
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !o, !row, !o)
      with(value_scale %vs : memref<1x2xf32>)
      outs(%dq, %dk, %dv : !o, !dk, !dk) {schedule = #schedule}
  return
}

// -----

// Where 8-bit MMAs do not compute scores, the rounded numbers are in memory in the type of other
// products, and d_value has a grid of its own.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @rounded_to_16_bits(
// CHECK: %[[NUMBERS:.+]] = arith.truncf {{.+}} to tensor<{{.+}}xf8E4M3FN>
// CHECK: %[[EXTENDED:.+]] = arith.extf %[[NUMBERS]]
// CHECK: %[[STORED:.+]] = arith.truncf %[[EXTENDED]] : {{.+}} to tensor<{{.+}}xbf16>
// CHECK: attn_tile.store %[[STORED]]
// CHECK-NOT: f8E4M3FN
// CHECK: attn_tile.grid
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.dot
// CHECK: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK: attn_tile.grid
// CHECK: attn_tile.for_blocks
func.func @rounded_to_16_bits(%q: !q, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward narrow_products
      ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}
