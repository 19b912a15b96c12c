// RUN: attn-opt %s -allow-unregistered-dialect -attn-gpu-expand-tiles -canonicalize | FileCheck %s \
// RUN:   --implicit-check-not=attn_gpu.for_tiles --implicit-check-not=attn_gpu.publish_tile

// Without roles the first thread asks for the next tile, before the work on this one, and
// tells the others when all have done theirs; they read it before the next is written. That
// thread leaves the counters as they were.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[N:[^:]+]]: index, %{{.+}}: index, %[[COUNTERS:[^:]+]]: !llvm.ptr<1>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C4096:.+]] = arith.constant 4096 : index
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9_]+]], %{{.+}} threads(%[[T:[a-z0-9_]+]], %{{.+}} {
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
func.func @dynamic(%n: index, %blocks: index, %counters: !llvm.ptr<1>) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %blocks, %n1 = %c1, %n2 = %c1)
      threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
    attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
      "test.tile"(%i) : (index) -> ()
    }
    gpu.terminator
  }
  return
}
