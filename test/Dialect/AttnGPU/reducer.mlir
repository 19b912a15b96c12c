// RUN: attn-opt %s -split-input-file -attn-to-gpu=chip=sm_90a | FileCheck %s

// d_query is a warpgroup's of its own: consumers put what its MMA reads in a ring, and do
// not add to memory.

!t = memref<1x2x256x128xbf16>
!row = memref<1x2x256xf32>

// CHECK-LABEL: func.func @gradients(
// CHECK-DAG: %[[SUMS:.+]] = attn_nv.encode_tensor_map %{{.+}} box [1, 1, 64, 32] : memref<1x2x256x128xf32>
// CHECK-DAG: attn_nv.encode_tensor_map %{{.+}} box [1, 1, 1, 64] linear : memref<1x2x4x64xf32>
// CHECK-DAG: attn_gpu.init_ring %[[DS:.+]] readers 1 writers 8 : <2, tensor<128x64xbf16, #attn_gpu.swizzled>>
// Keys are read by consumers and the reducer.
// CHECK-DAG: attn_gpu.init_ring %[[K:.+]] readers 3 : <1, tensor<128x128xbf16, #attn_gpu.swizzled>>
// CHECK-DAG: attn_gpu.init_scheduler at {{.+}} readers 384

// CHECK: attn_gpu.roles warpgroups [2, 1, 1] registers [208, 64, 32] elected [false, false, true]
// CHECK: scf.for
// CHECK: attn_gpu.mma %
// CHECK: arith.truncf
// CHECK-COUNT-2: attn_gpu.mma %
// CHECK: arith.truncf
// CHECK: attn_gpu.mma %
// CHECK: attn_gpu.put %{{.+}} to %[[DS]]
// CHECK-NOT: transpose_lhs
// CHECK: scf.yield

// A panel of 64 columns after the other.
// CHECK: }, {
// CHECK: attn_gpu.acquire %[[K]]
// CHECK: %[[SECOND:.+]] = attn_gpu.columns %{{.+}} from 64
// CHECK: scf.for
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[DS]]
// CHECK: attn_gpu.mma %[[TILE]], %{{.+}} transpose_lhs {{.+}}tensor<64x64xf32, #attn_gpu.mma<warps = 4, first_warp = 8>>
// CHECK: attn_gpu.store_async %{{.+}} to %[[SUMS]]{{.+}} add pending 1
// CHECK: attn_gpu.mma %[[TILE]], %[[SECOND]], %{{.+}} transpose_lhs
// CHECK: attn_gpu.release %[[DS]]
// CHECK: attn_gpu.store_async %{{.+}} to %[[SUMS]]{{.+}} add pending 1
// CHECK: scf.yield
// CHECK: attn_gpu.release %[[K]]
// CHECK: attn_gpu.finish_stores
func.func @gradients(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward mask <top_left, causal>
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t)
  return
}

// -----

// A product of the reducer reads columns of a tile of the consumers': the whole tile comes through a ring.

!array = memref<?x64xbf16, strided<[?, 1]>>
!sum = memref<?x64xf32, strided<[?, 1]>>
!rows = tensor<128x64xbf16>
!scores = tensor<128x128xf32>
!half = tensor<128x64xbf16>
!grad = tensor<128x64xf32>
!part = tensor<64x64xf32>
// CHECK-LABEL: func.func @columns(
// CHECK-DAG: attn_gpu.init_ring %[[P:.+]] readers 1 writers 8 : <{{.+}}, tensor<128x128xbf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.roles
// CHECK: attn_gpu.put %{{.+}} to %[[P]]
// CHECK-NOT: attn_gpu.columns
// CHECK: }, {
// CHECK: %[[WHOLE:.+]], %{{.+}} = attn_gpu.acquire %[[P]]
// CHECK: %[[HALF:.+]] = attn_gpu.columns %[[WHOLE]] from 64
// CHECK: attn_gpu.mma %[[HALF]], %{{.+}} transpose_lhs
// CHECK: attn_gpu.release %[[P]]
func.func @columns(%q: !array, %k: !array, %dq: !sum, %dk: !array, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %none = arith.constant dense<0.0> : !scores
  %no_grad = arith.constant dense<0.0> : !grad
  %no_part = arith.constant dense<0.0> : !part
  attn_tile.grid (%j) to (%n) step [128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 128, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer> {
    %kj = attn_tile.load %k[%j, %c0] : !array -> !rows
    %sum = scf.for %i = %c0 to %n step %c128 iter_args(%dkj = %no_grad) -> (!grad) {
      %qi = attn_tile.load %q[%i, %c0] : !array -> !rows
      %s = attn_tile.dot %kj, %qi, %none transpose_rhs : !rows, !rows, !scores
      %p = arith.truncf %s : !scores to tensor<128x128xbf16>
      %next = attn_tile.dot %p, %qi, %dkj : tensor<128x128xbf16>, !rows, !grad
      %half = tensor.extract_slice %p[0, 64] [128, 64] [1, 1] : tensor<128x128xbf16> to !half
      %dqi = attn_tile.dot %half, %kj, %no_part transpose_lhs : !half, !rows, !part
      %row = arith.addi %i, %c64 : index
      attn_tile.store %dqi, %dq[%row, %c0] add apart : !part, !sum
      scf.yield %next : !grad
    }
    %rounded = arith.truncf %sum : !grad to !rows
    attn_tile.store %rounded, %dk[%j, %c0] : !rows, !array
  }
  return
}
