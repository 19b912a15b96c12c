// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --implicit-check-not=attn_gpu.fill
// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --check-prefix=ENTRIES

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!wide = !attn_gpu.ring<1, tensor<4x1024xf32, #attn_gpu.shared<padding = 16>>>
!latents = !attn_gpu.ring<1, tensor<64x576xbf16, #attn_gpu.swizzled>>
!list = memref<?xi32, strided<[?], offset: ?>>
module {
  // A row of 64 elements is 8 chunks: each of 128 threads copies one of every 16th row. It
  // reads the entries of its four rows before it waits for the slot, by loads with a
  // predicate. A copy whose row is not there reads nothing, from the address of row 0.
  // CHECK-LABEL: attn_gpu.kernel @chunks(
  // CHECK-SAME: %[[K:[^:]+]]: memref<?x64xf16>, %[[L:[^:]+]]: memref<?xi32, {{.*}}>, %[[J:[^:]+]]: index)
  // CHECK: %[[POSITION:.+]] = arith.addi %[[J]], %{{.+}}
  // CHECK: %[[COUNT:.+]] = memref.dim %[[L]]
  // CHECK: %[[LISTED:.+]] = arith.cmpi ult, %[[POSITION]], %[[COUNT]]
  // CHECK: %[[FLAG:.+]] = arith.extui %[[LISTED]] : i1 to i32
  // CHECK: %[[ENTRY:.+]] = llvm.inline_asm has_side_effects {{.*}}@p ld.global.b32 $0, [$1];{{.*}} %{{.+}}, %[[FLAG]] :
  // CHECK: %[[DISTANCE:.+]] = arith.index_cast %[[ENTRY]] : i32 to index
  // CHECK: %[[ROWS:.+]] = memref.dim %[[K]]
  // CHECK: %[[ROW:.+]] = arith.cmpi ult, %[[DISTANCE]], %[[ROWS]]
  // CHECK: %[[IS:.+]] = arith.andi %[[LISTED]], %[[ROW]]
  // CHECK-COUNT-3: @p ld.global.b32
  // CHECK-NOT: @p ld.global.b32
  // CHECK: nvvm.mbarrier.try_wait
  // CHECK: arith.select %[[IS]], %[[DISTANCE]], %c0
  // CHECK: arith.select %[[IS]], %c16, %c0
  // CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}
  // CHECK-NOT: nvvm.cp.async.shared
  // CHECK: nvvm.cp.async.mbarrier.arrive
  // ENTRIES-LABEL: attn_gpu.kernel @chunks(
  // ENTRIES-COUNT-4: ld.global.b32
  // ENTRIES-NOT: ld.global.b32
  attn_gpu.kernel @chunks(%k: memref<?x64xf16>, %l: !list, %j: index)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async> threads 128 shared 16416 {
    %c0 = arith.constant 0 : index
    %first = arith.constant 0 : i32
    %ring = attn_gpu.ring at 0 barriers 16384 unfenced : !ring
    attn_gpu.fill %ring[%first] of %k[%c0, %c0] rows %l[%j] aligned : !ring, memref<?x64xf16>, !list
  }

  // A row of 1024 floats is 256 chunks, of which each lane of a warp copies every 32nd. They share
  // an entry.
  // ENTRIES-LABEL: attn_gpu.kernel @shared_rows(
  // ENTRIES-COUNT-1: ld.global.b32
  // ENTRIES-NOT: ld.global.b32
  // ENTRIES-COUNT-8: nvvm.cp.async.shared.global
  // ENTRIES-NOT: nvvm.cp.async.shared.global
  attn_gpu.kernel @shared_rows(%k: memref<?x1024xf32>, %l: !list, %j: index)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 shared 16448 {
    %c0 = arith.constant 0 : index
    %first = arith.constant 0 : i32
    %ring = attn_gpu.ring at 0 : !wide
    attn_gpu.fill %ring[%first] of %k[%c0, %c0] rows %l[%j] aligned : !wide, memref<?x1024xf32>, !list
  }

  // A row of 576 elements is 72 chunks: eight threads share a row, and each of them copies nine
  // chunks, which are 128 bytes apart in memory and a panel in shared memory.
  // ENTRIES-LABEL: attn_gpu.kernel @latents(
  // ENTRIES-COUNT-4: ld.global.b32
  // ENTRIES-NOT: ld.global.b32
  // ENTRIES: llvm.getelementptr %[[ROW:.+]][128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // ENTRIES: llvm.getelementptr %[[ROW]][1024] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  attn_gpu.kernel @latents(%k: memref<?x576xbf16>, %l: !list, %j: index)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async> threads 128 shared 73744 {
    %c0 = arith.constant 0 : index
    %first = arith.constant 0 : i32
    %ring = attn_gpu.ring at 0 barriers 73728 unfenced : !latents
    attn_gpu.fill %ring[%first] of %k[%c0, %c0] rows %l[%j] aligned : !latents, memref<?x576xbf16>, !list
  }

  // Element by element, each element's row has its entry.
  // CHECK-LABEL: attn_gpu.kernel @elements(
  // CHECK: scf.for
  // CHECK: llvm.inline_asm {{.*}}@p ld.global.b32
  // CHECK: %[[INSIDE:.+]] = arith.andi
  // CHECK: scf.if
  // CHECK: memref.load %{{.+}}[%{{.+}}, %{{.+}}] : memref<?x64xf16>
  // CHECK: llvm.store
  attn_gpu.kernel @elements(%k: memref<?x64xf16>, %l: !list, %j: index)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = element> threads 128 shared 16384 {
    %c0 = arith.constant 0 : index
    %first = arith.constant 0 : i32
    %ring = attn_gpu.ring at 0 : !ring
    attn_gpu.fill %ring[%first] of %k[%j, %c0] rows %l[%j] : !ring, memref<?x64xf16>, !list
  }
}
