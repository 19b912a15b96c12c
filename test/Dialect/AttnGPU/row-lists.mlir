// Tiles whose rows a list in memory names, copied ahead of their use by the threads of a CTA
// or of a producer.
// RUN: attn-opt %s -split-input-file -attn-gpu-pipeline-loads \
// RUN:   -attn-gpu-specialize-warps -verify-roundtrip | FileCheck %s

!array = memref<?x64xf16>
!list = memref<?xi32, strided<[?], offset: ?>>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// The position in the list is that of the step for which is copied.
// CHECK-LABEL: attn_gpu.kernel @ahead(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[K:[^:]+]]: memref<?x64xf16>, %[[L:[^:]+]]: memref<?xi32
// CHECK: attn_gpu.fill %[[RING:.+]][%c0_i32] of %[[K]][%c0, %c0] rows %[[L]][%c0] aligned :
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[NEXT:.+]] = arith.addi %[[J]],
// CHECK: %[[IS:.+]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK-NEXT: attn_gpu.fill %[[RING]][%{{.+}}] of %[[K]][%c0, %c0] rows %[[L]][%[[NEXT]]] aligned : <2, {{.*}}>, memref<?x64xf16>, memref<?xi32, strided<[?], offset: ?>>
// CHECK-NOT: attn_gpu.fill
attn_gpu.kernel @ahead(%n: index, %k: !array, %l: !list, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%c0, %c0] rows %l[%j] : !array, !list -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// The ops that compute the position are cloned before the copy.
// CHECK-LABEL: attn_gpu.kernel @computed(
// CHECK-SAME: %{{.+}}: index, %[[K:[^:]+]]: memref<?x64xf16>, %[[L:[^:]+]]: memref<?xi32
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[NEXT:.+]] = arith.addi %[[J]],
// CHECK: scf.if
// CHECK-NEXT: %[[AT:.+]] = arith.muli %[[NEXT]], %[[NEXT]]
// CHECK-NEXT: attn_gpu.fill %{{.+}} of %[[K]][%c0, %c0] rows %[[L]][%[[AT]]] :
attn_gpu.kernel @computed(%n: index, %k: !array, %l: !list, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %at = arith.muli %j, %j : index
    %t = attn_tile.load %k[%c0, %c0] rows %l[%at] : !array, !list -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// A list that the kernel writes is read when its rows are wanted, one that is a slice of the
// step's as well: nothing is copied ahead.
// CHECK-LABEL: attn_gpu.kernel @written(
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: gpu.barrier
// CHECK: attn_gpu.fill %{{.+}}[%c0_i32] of %{{.+}} rows %{{.+}}[%[[J]]] aligned :
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: memref.subview
// CHECK: attn_gpu.fill %{{.+}}[%c0_i32{{.*}}] of %{{.+}} rows %{{.+}}[%c0] aligned :
// CHECK: memref.store
attn_gpu.kernel @written(%n: index, %k: !array, %l: !list, %m: !list, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%c0, %c0] rows %l[%j] : !array, !list -> !shared
    %first = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    %slice = memref.subview %m[%j] [64] [1] : !list to memref<64xi32, strided<[?], offset: ?>>
    %u = attn_tile.load %k[%c0, %c0] rows %slice[%c0] : !array, memref<64xi32, strided<[?], offset: ?>> -> !shared
    %next = attn_tile.dot %q, %u, %first transpose_rhs : !mma, !shared, !acc
    memref.store %one, %l[%j] : !list
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// A producer has the slice and the position.
// CHECK-LABEL: attn_gpu.kernel @producer(
// CHECK-SAME: %{{.+}}: index, %[[K:[^:]+]]: memref<?x64xf16>, %[[L:[^:]+]]: memref<?xi32
// CHECK: attn_gpu.roles
// CHECK: attn_gpu.acquire
// CHECK: }, {
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[SLICE:.+]] = memref.subview %[[L]]
// CHECK: attn_gpu.fill %{{.+}} of %[[K]][%c0, %c0] rows %[[SLICE]][%[[J]]] aligned by 128 after 128 :
attn_gpu.kernel @producer(%n: index, %k: !array, %l: !list, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %slice = memref.subview %l[%j] [64] [1] : !list to memref<64xi32, strided<[?], offset: ?>>
    %t = attn_tile.load %k[%c0, %c0] rows %slice[%j] : !array, memref<64xi32, strided<[?], offset: ?>> -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}
