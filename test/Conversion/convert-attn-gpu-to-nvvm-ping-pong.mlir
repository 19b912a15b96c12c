// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize | FileCheck %s --implicit-check-not=attn_tile.

// A warpgroup waits at its own barrier with the one before it, which arrives there
// when it passes its turn; after the last comes the first. Before all turns the last
// one alone arrives.
// CHECK-LABEL: attn_gpu.kernel @turns(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[FIRST:.+]] = arith.constant 8 : i32
// CHECK-DAG: %[[BOTH:.+]] = arith.constant 256 : i32
// CHECK: %[[OWN:.+]] = nvvm.shfl.sync
// CHECK: %[[LAST:.+]] = arith.cmpi eq, %[[OWN]], %[[ONE]]
// CHECK: %[[AFTER:.+]] = arith.addi %[[OWN]], %[[ONE]]
// CHECK: %[[NEXT:.+]] = arith.select %[[LAST]], %[[ZERO]], %[[AFTER]]
// CHECK: %[[ID:.+]] = arith.addi %[[NEXT]], %[[FIRST]]
// CHECK: scf.if %[[LAST]] {
// CHECK-NEXT: nvvm.barrier.arrive id = %[[ID]] number_of_threads = %[[BOTH]]
// CHECK-NEXT: }
// CHECK: %[[OWN:.+]] = nvvm.shfl.sync
// CHECK: %[[ID:.+]] = arith.addi %[[OWN]], %[[FIRST]]
// CHECK-NEXT: nvvm.barrier id = %[[ID]] number_of_threads = %[[BOTH]]
// CHECK-NOT: scf.if
// CHECK: %[[NEXT:.+]] = arith.select
// CHECK: %[[ID:.+]] = arith.addi %[[NEXT]], %[[FIRST]]
// CHECK-NEXT: nvvm.barrier.arrive id = %[[ID]] number_of_threads = %[[BOTH]]
attn_gpu.kernel @turns()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 12, mma = mma_sync, copy = element> threads 384 {
  attn_gpu.ping_pong_arrive of 2 initial
  attn_gpu.ping_pong_wait of 2
  attn_gpu.ping_pong_arrive of 2
}
