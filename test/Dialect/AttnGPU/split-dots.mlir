// RUN: attn-opt %s -attn-gpu-set-target=chip=sm_90a -attn-gpu-split-dots | FileCheck %s

!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// wgmma is issued and awaited.
// CHECK-LABEL: func.func @wgmma(
// CHECK: %[[M:.+]] = attn_gpu.mma %{{.+}}, %{{.+}}, %{{.+}} transpose_lhs :
// CHECK-NEXT: %[[W:.+]] = attn_gpu.mma_wait 0, %[[M]]
// CHECK-NEXT: attn_gpu.mma %{{.+}}, %{{.+}}, %[[W]] transpose_rhs :
// CHECK-NOT: attn_tile.dot
func.func @wgmma(%a: !tile, %c: !scores) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
      threads(%t0, %t1, %t2) in (%m0 = %c128, %m1 = %c1, %m2 = %c1) {
    %0 = attn_tile.dot %a, %a, %c transpose_lhs : !tile, !tile, !scores
    %1 = attn_tile.dot %a, %a, %0 transpose_rhs : !tile, !tile, !scores
    gpu.terminator
  } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>}
  return
}

// mma.sync is not, wherever its tiles come from.
// CHECK-LABEL: func.func @mma_sync(
// CHECK: attn_tile.dot
// CHECK-NOT: attn_gpu.mma
func.func @mma_sync(%a: !tile, %c: !scores) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
      threads(%t0, %t1, %t2) in (%m0 = %c128, %m1 = %c1, %m2 = %c1) {
    %0 = attn_tile.dot %a, %a, %c : !tile, !tile, !scores
    gpu.terminator
  } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma>}
  return
}
