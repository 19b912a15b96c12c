// RUN: attn-opt %s -split-input-file -attn-gpu-pipeline-loads | FileCheck %s

// The loop reads the vector of its next iteration first, or its own once more in the last one, and
// carries it. The first iteration's is read before the loop, if there is one.
// CHECK-LABEL: attn_gpu.kernel @scales(
// CHECK-SAME: %[[SCALES:[^:]+]]: memref<?xf32>, %{{[^:]+}}: memref<1024x64xf32>, %[[N:[^:]+]]: index)
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
// CHECK: %[[SOME:.+]] = arith.cmpi slt, %[[C0]], %[[N]]
// CHECK: %[[FIRST:.+]] = scf.if %[[SOME]]
// CHECK: arith.muli %[[C0]],
// CHECK: attn_tile.load %[[SCALES]]
// CHECK: else
// CHECK-NOT: attn_tile.load
// CHECK: arith.constant dense<0.000000e+00> : tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>
// CHECK: scf.for %[[I:.+]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[OWN:.+]] = %[[FIRST]])
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[I]], %[[C1]]
// CHECK-NEXT: %[[IS_STEP:.+]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK-NEXT: %[[READ:.+]] = arith.select %[[IS_STEP]], %[[NEXT]], %[[I]]
// CHECK-NEXT: %[[PLACE:.+]] = arith.muli %[[READ]],
// CHECK-NEXT: %[[AHEAD:.+]] = attn_tile.load %[[SCALES]][%[[PLACE]]]
// CHECK-NOT: attn_tile.load
// CHECK: attn_gpu.convert_layout %[[OWN]]
// CHECK: scf.yield %[[AHEAD]]
!spread = tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>
!columns = tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @scales(%scales: memref<?xf32>, %o: memref<1024x64xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.barrier
    %j = arith.muli %i, %c64 : index
    %own = attn_tile.load %scales[%j] beside : memref<?xf32> -> !spread
    %slice = attn_gpu.convert_layout %own : !spread -> !columns
    %tile = attn_tile.broadcast %slice along 0 : !columns -> !scores
    attn_tile.store %tile, %o[%j, %c0] : !scores, memref<1024x64xf32>
  }
}

// -----

// A vector that depends on memory which the kernel writes is read where it is needed.
// CHECK-LABEL: attn_gpu.kernel @written(
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: gpu.barrier
// CHECK: attn_tile.load
!spread = tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>
!columns = tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @written(%scales: memref<1024x64xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.barrier
    %own = attn_tile.load %scales[%i, %c0] beside : memref<1024x64xf32> -> !spread
    %slice = attn_gpu.convert_layout %own : !spread -> !columns
    %tile = attn_tile.broadcast %slice along 0 : !columns -> !scores
    attn_tile.store %tile, %scales[%i, %c0] : !scores, memref<1024x64xf32>
  }
}

// -----

// A gather is read ahead with the indices that it computes from the loop's counter.
// CHECK-LABEL: attn_gpu.kernel @scales_of_blocks(
// CHECK-SAME: %[[SCALES:[^:]+]]: memref<?xf32>
// CHECK: scf.if
// CHECK: arith.divui
// CHECK: attn_tile.gather %[[SCALES]]
// CHECK: scf.for %[[I:.+]] = {{.*}} iter_args(%[[OWN:.+]] = %{{.+}})
// CHECK: %[[READ:.+]] = arith.select
// CHECK-NEXT: %[[PLACE:.+]] = arith.muli %[[READ]],
// CHECK-NEXT: %[[SPLAT:.+]] = tensor.splat %[[PLACE]]
// CHECK-NEXT: %[[TOKEN:.+]] = arith.addi %{{.+}}, %[[SPLAT]]
// CHECK-NEXT: %[[BLOCK:.+]] = arith.divui %[[TOKEN]],
// CHECK-NEXT: %[[AHEAD:.+]] = attn_tile.gather %[[SCALES]][%[[BLOCK]]]
// CHECK-NOT: attn_tile.gather
// CHECK: attn_gpu.convert_layout %[[OWN]]
// CHECK: scf.yield %[[AHEAD]]
!spread = tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>
!indices = tensor<64xindex, #attn_gpu.spread<parent = <warps = 4>>>
!columns = tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
attn_gpu.kernel @scales_of_blocks(%scales: memref<?xf32>, %o: memref<1024x64xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %by = arith.constant dense<16> : !indices
  %number = attn_tile.coordinate along 0 : !indices
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c64 : index
    %first = tensor.splat %j : !indices
    %token = arith.addi %number, %first : !indices
    %block = arith.divui %token, %by : !indices
    %own = attn_tile.gather %scales[%block] beside : (memref<?xf32>, !indices) -> !spread
    %slice = attn_gpu.convert_layout %own : !spread -> !columns
    %tile = attn_tile.broadcast %slice along 0 : !columns -> !scores
    attn_tile.store %tile, %o[%j, %c0] : !scores, memref<1024x64xf32>
  }
}
