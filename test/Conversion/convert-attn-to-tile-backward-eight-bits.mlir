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

// So are arrays of 8 bits in general where programs do not add d_query with a reducer.

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
