// RUN: attn-opt %s -split-input-file --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=LAYOUT
// RUN: sed 's/mma = wgmma, copy = tma/mma = mma_sync, copy = cp_async/; s/sm_90a/sm_80/' %s | attn-opt -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=SYNC

!half = memref<?x128xf16>
!bytes = memref<?x64xi8>

// Bytes come by shared memory. A lane has a word of a row's bytes, and the eight numbers in
// it, which go to where an MMA reads them.
// CHECK-LABEL: attn_gpu.kernel @scores(
// CHECK: attn_tile.unpack %{{.+}} : tensor<64x64xi8> -> tensor<64x128xf16>
// LAYOUT-LABEL: attn_gpu.kernel @scores(
// LAYOUT: %[[B:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64x64xi8, #attn_gpu.swizzled>
// LAYOUT: %[[OWN:.+]] = attn_gpu.convert_layout %[[B]] : {{.*}} -> tensor<64x64xi8, #attn_gpu.mma<warps = 4, columns = 4, lanes = 16>>
// LAYOUT: %[[WIDE:.+]] = attn_tile.unpack %[[OWN]] : {{.*}} -> tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>
// LAYOUT: %[[RIGHT:.+]] = attn_gpu.convert_layout %[[WIDE]] : {{.*}} -> tensor<64x128xf16, #attn_gpu.swizzled>
// LAYOUT: attn_tile.dot %{{.+}}, %[[RIGHT]], %{{.+}} transpose_rhs
// SYNC-LABEL: attn_gpu.kernel @scores(
// SYNC: %[[B:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64x64xi8, #attn_gpu.shared<padding = 16>>
// SYNC: %[[OWN:.+]] = attn_gpu.convert_layout %[[B]] : {{.*}} -> tensor<64x64xi8, #attn_gpu.mma<warps = 4, columns = 4, lanes = 16>>
// SYNC: %[[WIDE:.+]] = attn_tile.unpack %[[OWN]] : {{.*}} -> tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>
// SYNC: attn_gpu.convert_layout %[[WIDE]] : {{.*}} -> tensor<64x128xf16, #attn_gpu.shared<padding = 16>>
attn_gpu.kernel @scores(%a: !half, %b: !bytes, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : !half -> tensor<64x128xf16>
  %y = attn_tile.load %b[%c0, %c0] : !bytes -> tensor<64x64xi8>
  %z = attn_tile.unpack %y : tensor<64x64xi8> -> tensor<64x128xf16>
  %s = attn_tile.dot %x, %z, %none transpose_rhs
      : tensor<64x128xf16>, tensor<64x128xf16>, tensor<64x64xf32>
  attn_tile.store %s, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}

// If other ops read the numbers, four lanes share a row, as in the tiles beside them and in the
// indices of rows.
// LAYOUT-LABEL: attn_gpu.kernel @others(
// LAYOUT: %[[WIDE:.+]] = attn_tile.unpack %{{.+}} : tensor<64x64xi8, #attn_gpu.mma<warps = 4, columns = 4>> -> tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8>>
// LAYOUT: %[[PRODUCT:.+]] = arith.mulf %[[WIDE]], %{{.+}} : tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8>>
// LAYOUT: attn_tile.scatter %[[PRODUCT]]
attn_gpu.kernel @others(%a: !half, %b: !bytes, %o: !half)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %a[%c0, %c0] : !half -> tensor<64x128xf16>
  %y = attn_tile.load %b[%c0, %c0] : !bytes -> tensor<64x64xi8>
  %z = attn_tile.unpack %y : tensor<64x64xi8> -> tensor<64x128xf16>
  %s = arith.mulf %z, %x : tensor<64x128xf16>
  %rows = attn_tile.coordinate along 0 : tensor<64xindex>
  attn_tile.scatter %s, %o[%rows, %c0] : tensor<64x128xf16>, !half, tensor<64xindex>, index
}
