// RUN: attn-opt %s -split-input-file -allow-unregistered-dialect -attn-gpu-pipeline-loads \
// RUN:   | FileCheck %s --implicit-check-not=memref.subview --implicit-check-not=memref.view
// RUN: attn-opt %s -split-input-file -allow-unregistered-dialect -attn-gpu-pipeline-loads \
// RUN:   -attn-gpu-place-releases -attn-gpu-expand-tiles -attn-gpu-number-slots -canonicalize -cse | FileCheck %s --check-prefix=NUMBERS

!array = memref<?x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!left = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// TMA without a producer: the first thread fills rings, whose tiles all threads of mma.sync
// release. A step's copy, whose place is any expression of the step, is two steps ahead of
// it. Rings go on from tile to tile.
// CHECK-LABEL: attn_gpu.kernel @rings(
// CHECK-SAME: %[[A:[^:]+]]: memref<?x64xf16>, %[[N:[^:]+]]: index
// CHECK-SAME: shared 33024 {
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0 barriers 32768 each_warp : <1,
// CHECK: %[[K:.+]] = attn_gpu.ring at 8192 barriers 32784 each_warp : <3,
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %{{.+}}, %{{.+}} : i32
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: attn_gpu.init_ring %[[Q]] readers 4
// CHECK-NEXT: attn_gpu.init_ring %[[K]] readers 4
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK: attn_gpu.for_tiles {{.*}} broadcast 32896
// CHECK: scf.if %[[FIRST]] {
// CHECK: attn_gpu.fill %[[Q]]
// CHECK: nvvm.bar.warp.sync
// CHECK: attn_gpu.acquire %[[Q]]
// CHECK: arith.cmpi slt
// CHECK: arith.andi
// CHECK: attn_gpu.fill %[[K]]
// CHECK: arith.andi
// CHECK: attn_gpu.fill %[[K]]
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]],
// CHECK: %[[IS:.+]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK: arith.andi %[[IS]], %[[FIRST]]
// CHECK: arith.subi %[[NEXT]],
// CHECK: attn_gpu.fill %[[K]]
// CHECK: attn_gpu.acquire %[[K]]
// CHECK-NOT: gpu.barrier

// Fills of a ring are counted separately from acquires, and counts continue from work tile to work
// tile.
// NUMBERS-LABEL: attn_gpu.kernel @rings(
// NUMBERS: scf.while (%{{[^,]+}} = %{{[^,]+}}, %{{[^,]+}} = %c0_i32, %{{[^,]+}} = %c0_i32, %{{[^,]+}} = %c0_i32, %{{[^,]+}} = %c0_i32)
// NUMBERS: %[[QN:.+]] = scf.if
// NUMBERS: attn_gpu.acquire %[[Q:.+]][%{{.+}}]
// NUMBERS: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[FILLED:.+]] = %{{.+}}, %[[READ:.+]] = %{{.+}})
// NUMBERS: attn_gpu.fill %[[K:.+]][%[[FILLED]]]
// NUMBERS: attn_gpu.acquire %[[K]][%[[READ]]]
// NUMBERS: attn_tile.dot
// NUMBERS-NEXT: attn_gpu.release %[[K]][%[[READ]]] each_warp
// NUMBERS: attn_gpu.release %[[Q]]
attn_gpu.kernel @rings(%a: !array, %n: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma, stages = 3, scheduler = dynamic> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !acc
  attn_gpu.for_tiles %t of %n counters %counters {
    %q = attn_tile.load %a[%t, %c0] : !array -> !tile
    %r = scf.for %i = %c64 to %n step %c64 iter_args(%acc = %zero) -> !acc {
      %before = arith.subi %i, %c64 : index
      %k = attn_tile.load %a[%before, %c0] : !array -> !tile
      %o = attn_tile.dot %q, %k, %acc transpose_rhs : !tile, !tile, !acc
      scf.yield %o : !acc
    }
    %rounded = arith.truncf %r : !acc to !left
    attn_tile.store %rounded, %a[%t, %c0] : !left, !array
  }
}
