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
