// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --implicit-check-not=attn_tile.

!ring = !attn_gpu.ring<2, tensor<64x128xf16, #attn_gpu.swizzled>>

// CHECK-LABEL: attn_gpu.kernel @rings(
// CHECK-SAME: %[[MAP:.+]]: !attn_nv.tensor_map)
attn_gpu.kernel @rings(%map: !attn_nv.tensor_map)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 shared 34000 {
  %t0 = gpu.thread_id x
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C2:.+]] = arith.constant 2 : i32
  // CHECK-DAG: %[[C3:.+]] = arith.constant 3 : i32
  // CHECK-DAG: %[[C64:.+]] = arith.constant 64 : i32
  // CHECK-DAG: %[[C127:.+]] = arith.constant 127 : i32
  // CHECK-DAG: %[[TILE:.+]] = arith.constant 16384 : i32
  // CHECK: %[[I:.+]] = arith.index_cast
  %i = arith.index_cast %t0 : index to i32
  %r = attn_gpu.ring at 1024 barriers 33792 : !ring

  // Each slot has a full barrier, which the copy completes, and an empty barrier for its readers.
  // CHECK: nvvm.mbarrier.init %{{.+}}, %[[C1]]
  // CHECK: nvvm.mbarrier.init %{{.+}}, %[[C3]]
  // CHECK: nvvm.mbarrier.init %{{.+}}, %[[C1]]
  // CHECK: nvvm.mbarrier.init %{{.+}}, %[[C3]]
  // CHECK-NOT: nvvm.mbarrier.init
  attn_gpu.init_ring %r readers 3 : !ring

  // The slot is free after an odd number of phases: in the first round at once.
  // A copy for each panel of 64 columns.
  // CHECK: %[[SLOT:.+]] = arith.remui %[[I]], %[[C2]]
  // CHECK: %[[ROUND:.+]] = arith.divui %[[I]], %[[C2]]
  // CHECK: %[[PARITY:.+]] = arith.andi %[[ROUND]], %[[C1]]
  // CHECK: %[[FREE_PARITY:.+]] = arith.xori %[[PARITY]], %[[C1]]
  // CHECK: nvvm.mbarrier.try_wait %[[FREE:[^,]+]], %[[FREE_PARITY]]
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[FILLED:[^,]+]], %[[TILE]]
  // CHECK: %[[POINTER:.+]] = builtin.unrealized_conversion_cast %[[MAP]] : !attn_nv.tensor_map to !llvm.ptr
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %[[POINTER]], %[[FILLED]], box[%[[I]], %[[I]], %[[I]]]
  // CHECK: %[[PANEL:.+]] = arith.addi %[[I]], %[[C64]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %[[POINTER]], %[[FILLED]], box[%[[PANEL]], %[[I]], %[[I]]]
  // CHECK-NOT: nvvm.cp.async
  attn_gpu.fill %r[%i] from %map[%i, %i, %i] : !ring

  // The same panels, without a wait.
  // CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[POINTER]], box[%[[I]], %[[I]], %[[I]]]
  // CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[POINTER]], box[%[[PANEL]], %[[I]], %[[I]]]
  // CHECK-NOT: nvvm.cp.async
  attn_gpu.prefetch %r from %map[%i, %i, %i] : !ring

  // One thread of the warpgroup, or each thread.
  // CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %[[C127]]
  // CHECK: %[[ONE:.+]] = arith.cmpi eq, %[[LANE]], %[[C0]]
  // CHECK: scf.if %[[ONE]] {
  // CHECK-NEXT: nvvm.mbarrier.arrive %[[FREE]]
  // CHECK-NEXT: }
  // CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK-NEXT: nvvm.mbarrier.arrive %[[FREE]]
  attn_gpu.release %r[%i] : !ring
  attn_gpu.release %r[%i] each_warp : !ring
}

// A release needs no fence where the fill waits for another ring, too.
// CHECK-LABEL: attn_gpu.kernel @follows(
// CHECK-NOT: nvvm.fence.proxy
// CHECK: nvvm.mbarrier.arrive
// CHECK-NOT: nvvm.fence.proxy
// CHECK-LABEL: attn_gpu.kernel @alone(
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK-NEXT: nvvm.mbarrier.arrive
!vectors = !attn_gpu.ring<2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
attn_gpu.kernel @follows(%i: i32) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %r = attn_gpu.ring at 0 barriers 512 each_warp follows : !vectors
  attn_gpu.release %r[%i] each_warp : !vectors
}
attn_gpu.kernel @alone(%i: i32) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %r = attn_gpu.ring at 0 barriers 512 each_warp : !vectors
  attn_gpu.release %r[%i] each_warp : !vectors
}

// Each part of a tile is copied by its own map, to the rows after the previous part in each panel.
// CHECK-LABEL: attn_gpu.kernel @parts(
// CHECK-SAME: %[[A:[^:]+]]: !attn_nv.tensor_map, %[[B:[^:]+]]: !attn_nv.tensor_map, %[[I:[^:]+]]: i32, %[[J:[^:]+]]: i32)
// CHECK: %[[OF_A:.+]] = builtin.unrealized_conversion_cast %[[A]] : !attn_nv.tensor_map to !llvm.ptr
// CHECK: %[[FIRST:.+]] = llvm.inttoptr %[[TILE:.+]] : i32 to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[FIRST]], %[[OF_A]], %{{.+}}, box[%[[I]], %[[I]]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %[[OF_A]], %{{.+}}, box[%{{.+}}, %[[I]]]
// CHECK: %[[OF_B:.+]] = builtin.unrealized_conversion_cast %[[B]] : !attn_nv.tensor_map to !llvm.ptr
// CHECK: %[[BEHIND:.+]] = arith.addi %[[TILE]], %c4096
// CHECK: %[[SECOND:.+]] = llvm.inttoptr %[[BEHIND]] : i32 to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[SECOND]], %[[OF_B]], %{{.+}}, box[%[[J]], %[[J]]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.+}}, %[[OF_B]], %{{.+}}, box[%{{.+}}, %[[J]]]
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[OF_A]], box[%[[I]], %[[I]]]
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[OF_A]], box[%{{.+}}, %[[I]]]
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[OF_B]], box[%[[J]], %[[J]]]
// CHECK: nvvm.cp.async.bulk.tensor.prefetch %[[OF_B]], box[%{{.+}}, %[[J]]]
attn_gpu.kernel @parts(%a: !attn_nv.tensor_map, %b: !attn_nv.tensor_map, %i: i32, %j: i32)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 shared 34000 {
  %r = attn_gpu.ring at 1024 barriers 33792 : !ring
  attn_gpu.fill %r[%i] from %a, %b[%i, %i, %j, %j] parts 2 : !ring
  attn_gpu.prefetch %r from %a, %b[%i, %i, %j, %j] parts 2 : !ring
}
