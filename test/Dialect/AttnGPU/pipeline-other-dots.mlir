// RUN: attn-opt %s -attn-gpu-pipeline | FileCheck %s

!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// wgmma is issued and awaited; a sum of two products is awaited once.
// CHECK-LABEL: attn_gpu.kernel @wgmma(
// CHECK: %[[M:.+]] = attn_gpu.mma %{{.+}}, %{{.+}}, %{{.+}} transpose_lhs :
// CHECK-NEXT: %[[N:.+]] = attn_gpu.mma %{{.+}}, %{{.+}}, %[[M]] transpose_rhs :
// CHECK-NEXT: attn_gpu.mma_wait 0, %[[N]]
// CHECK-NOT: attn_tile.dot
attn_gpu.kernel @wgmma(%a: !tile, %c: !scores)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %0 = attn_tile.dot %a, %a, %c transpose_lhs : !tile, !tile, !scores
  %1 = attn_tile.dot %a, %a, %0 transpose_rhs : !tile, !tile, !scores
}

// mma.sync is not, wherever its tiles come from.
// CHECK-LABEL: attn_gpu.kernel @mma_sync(
// CHECK: attn_tile.dot
// CHECK-NOT: attn_gpu.mma
attn_gpu.kernel @mma_sync(%a: !tile, %c: !scores)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma> threads 128 {
  %0 = attn_tile.dot %a, %a, %c : !tile, !tile, !scores
}
