// RUN: attn-opt %s -allow-unregistered-dialect -attn-gpu-expand-tiles -canonicalize | FileCheck %s \
// RUN:   --implicit-check-not=attn_gpu.for_tiles --implicit-check-not=attn_gpu.publish_tile

// Without roles, the first thread takes the next tile's number before the work on this tile, and
// publishes it when all threads have done this work; they read it before the next one is written.
// This thread also resets the counters.
// CHECK-LABEL: attn_gpu.kernel @dynamic(
// CHECK-SAME: %[[N:[^:]+]]: index, %{{.+}}: index, %[[COUNTERS:[^:]+]]: !llvm.ptr<1>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C4096:.+]] = arith.constant 4096 : index
// CHECK: %[[T:.+]] = gpu.thread_id x
// CHECK: %[[ALL:.+]] = gpu.dynamic_shared_memory
// CHECK: %[[PLACE:.+]] = memref.view %[[ALL]][%[[C4096]]][] : {{.*}} to memref<1xi32, #gpu.address_space<workgroup>>
// CHECK: scf.while
// CHECK: ^bb0(%[[TILE:.+]]: i32):
// CHECK: %[[ID:.+]] = arith.index_cast %[[T]]
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[ID]], %[[ZERO]]
// CHECK-NEXT: %[[NEXT:.+]] = scf.if %[[FIRST]]
// CHECK-NEXT: llvm.atomicrmw add %[[COUNTERS]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ZERO]]
// CHECK-NOT: atomicrmw
// CHECK: "test.tile"
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK-NEXT: memref.store %[[NEXT]], %[[PLACE]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[READ:.+]] = memref.load %[[PLACE]]
// CHECK-NEXT: %[[SAME:.+]] = nvvm.shfl.sync idx {{.*}}%[[READ]]
// CHECK-NEXT: scf.yield %[[SAME]]
// CHECK: scf.if
// CHECK: llvm.atomicrmw add
// CHECK: scf.if
// CHECK: llvm.store volatile %[[ZERO]], %[[COUNTERS]]
attn_gpu.kernel @dynamic(%n: index, %blocks: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
    "test.tile"(%i) : (index) -> ()
  }
}
