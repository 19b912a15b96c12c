// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts | FileCheck %s
// RUN: sed 's/overlap = true, //' %s | attn-opt -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=STEP
// RUN: sed 's/mma = wgmma, copy = tma, overlap = true/mma = mma_sync, copy = cp_async/; s/sm_90a/sm_89/' %s | \
// RUN:   attn-opt -split-input-file -attn-gpu-assign-layouts | FileCheck %s --check-prefix=SYNC

!eight = memref<?x128xf8E4M3FN>
!tile = tensor<64x128xf8E4M3FN>
!sum = tensor<64x64xf32>

// The loop carries a total and the number of blocks in the partial sum as well. After two blocks of
// 128 products the partial sum is added to the total, and the MMA begins with zeros. Without
// overlap, each block's sum is added.
// CHECK-LABEL: attn_gpu.kernel @exact(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
// CHECK: %[[SUMS:.+]]:3 = attn_tile.for_blocks {{.*}} iter_args(%[[PART:.+]] = %{{.+}}, %[[SUM:.+]] = %{{.+}}, %[[COUNT:.+]] = %{{.+}}) -> ({{.*}}, i32)
// CHECK: %[[BLOCKS:.+]] = arith.constant 2 : i32
// CHECK: %[[FULL:.+]] = arith.cmpi sge, %[[COUNT]], %[[BLOCKS]]
// CHECK: %[[TOTAL:.+]] = scf.if %[[FULL]]
// CHECK-NEXT: arith.addf %[[SUM]], %[[PART]]
// CHECK: %[[START:.+]] = attn_gpu.start_sum %[[PART]] if %{{.+}} : tensor<64x64xf32
// CHECK: %[[NEXT:.+]] = attn_tile.dot %{{.+}}, %{{.+}}, %[[START]] transpose_rhs exact
// CHECK: attn_tile.yield %[[NEXT]], %[[TOTAL]], %{{.+}} :
// CHECK: %[[ALL:.+]] = arith.addf %[[SUMS]]#1, %[[SUMS]]#0
// CHECK: attn_tile.store %[[ALL]],
// STEP-LABEL: attn_gpu.kernel @exact(
// STEP: %[[END:.+]] = attn_tile.for_blocks {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}) ->
// STEP: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32
// STEP: %[[BLOCK:.+]] = attn_tile.dot %{{.+}}, %{{.+}}, %[[ZERO]] transpose_rhs exact
// STEP: %[[NEXT:.+]] = arith.addf %[[SUM]], %[[BLOCK]]
// STEP: attn_tile.yield %[[NEXT]]
// STEP: attn_tile.store %[[END]],
// SYNC-LABEL: attn_gpu.kernel @exact(
// SYNC: attn_tile.for_blocks {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}) ->
// SYNC: %[[NEXT:.+]] = attn_tile.dot %{{.+}}, %{{.+}}, %[[SUM]] transpose_rhs exact
// SYNC: attn_tile.yield %[[NEXT]]
attn_gpu.kernel @exact(%a: !eight, %c: memref<?x64xf32>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : !sum
  %domain = attn_tile.domain rows %c0 to %c64 {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %c512 full %c0 to %c512
  } : !attn_tile.domain<128>
  %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<128> {
    %at = attn_tile.load %a[%c0, %l] : !eight -> !tile
    %next = attn_tile.dot %at, %at, %acc transpose_rhs exact : !tile, !tile, !sum
    attn_tile.yield %next : !sum
  }
  attn_tile.store %x, %c[%c0, %c0] : !sum, memref<?x64xf32>
}

// -----

!eight = memref<?x128xf8E4M3FN>
!tile = tensor<64x128xf8E4M3FN>
!sum = tensor<64x64xf32>

// A sum that need not be exact has one accumulator.
// CHECK-LABEL: attn_gpu.kernel @fast(
// CHECK: attn_tile.for_blocks {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}) ->
// CHECK-NOT: arith.addf
// CHECK: %[[NEXT:.+]] = attn_tile.dot %{{.+}}, %{{.+}}, %[[SUM]] transpose_rhs :
// CHECK-NEXT: attn_tile.yield %[[NEXT]]
attn_gpu.kernel @fast(%a: !eight, %c: memref<?x64xf32>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : !sum
  %domain = attn_tile.domain rows %c0 to %c64 {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %c512 full %c0 to %c512
  } : !attn_tile.domain<128>
  %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<128> {
    %at = attn_tile.load %a[%c0, %l] : !eight -> !tile
    %next = attn_tile.dot %at, %at, %acc transpose_rhs : !tile, !tile, !sum
    attn_tile.yield %next : !sum
  }
  attn_tile.store %x, %c[%c0, %c0] : !sum, memref<?x64xf32>
}

// -----

!eight = memref<?x128xf8E4M3FN>
!tile = tensor<64x128xf8E4M3FN>
!sum = tensor<64x64xf32>

// attn_tile.rescale multiplies the partial sum and the total.
// CHECK-LABEL: attn_gpu.kernel @rescaled(
// CHECK: attn_tile.for_blocks {{.*}} iter_args(%[[PART:.+]] = %{{.+}}, %[[SUM:.+]] = %{{.+}}, %{{.+}} = %{{.+}}) ->
// CHECK-DAG: %[[PARTS:.+]] = attn_tile.rescale %[[PART]] by %[[FACTOR:.+]] :
// CHECK-DAG: %[[SUMS:.+]] = attn_tile.rescale %[[SUM]] by %[[FACTOR]] :
// CHECK: %[[TOTAL:.+]] = scf.if
// CHECK-NEXT: arith.addf %[[SUMS]], %[[PARTS]]
// CHECK: %[[START:.+]] = attn_gpu.start_sum %[[PARTS]] if
// CHECK: %[[NEXT:.+]] = attn_tile.dot %{{.+}}, %{{.+}}, %[[START]] transpose_rhs exact
// CHECK: attn_tile.yield %[[NEXT]], %[[TOTAL]], %{{.+}} :
// STEP-LABEL: attn_gpu.kernel @rescaled(
// STEP: %[[SUM:.+]] = attn_tile.rescale
// STEP: %[[BLOCK:.+]] = attn_tile.dot {{.*}} exact
// STEP: %[[NEXT:.+]] = arith.addf %[[SUM]], %[[BLOCK]]
// STEP: attn_tile.yield %[[NEXT]]
// SYNC-LABEL: attn_gpu.kernel @rescaled(
// SYNC: %[[SUM:.+]] = attn_tile.rescale
// SYNC-NEXT: attn_tile.dot %{{.+}}, %{{.+}}, %[[SUM]] transpose_rhs exact
attn_gpu.kernel @rescaled(%a: !eight, %f: memref<?xf32>, %c: memref<?x64xf32>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : !sum
  %domain = attn_tile.domain rows %c0 to %c64 {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %c512 full %c0 to %c512
  } : !attn_tile.domain<128>
  %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<128> {
    %at = attn_tile.load %a[%c0, %l] : !eight -> !tile
    %factor = attn_tile.load %f[%l] : memref<?xf32> -> tensor<64xf32>
    %scaled = attn_tile.rescale %acc by %factor : tensor<64xf32>, !sum
    %next = attn_tile.dot %at, %at, %scaled transpose_rhs exact : !tile, !tile, !sum
    attn_tile.yield %next : !sum
  }
  attn_tile.store %x, %c[%c0, %c0] : !sum, memref<?x64xf32>
}
