// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-expand-tiles -canonicalize -cse \
// RUN:   | FileCheck %s --implicit-check-not=attn_gpu.for_tiles

// With n CTAs, CTA i takes the tiles i, i + n, i + 2n and so on.
// CHECK-LABEL: attn_gpu.kernel @persistent(
// CHECK-SAME: %[[N:[^:]+]]: index
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.+]] = gpu.grid_dim x
// CHECK: attn_gpu.begin
// CHECK-NEXT: scf.for %[[I:.+]] = %[[BLOCK]] to %[[N]] step %[[BLOCKS]] {
// CHECK-NEXT: "test.tile"(%[[I]])
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @persistent(%n: index, %blocks: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.for_tiles %i of %n {
    "test.tile"(%i) : (index) -> ()
  }
}

// -----

// Each role of a persistent CTA takes the same tiles.
// CHECK-LABEL: attn_gpu.kernel @persistent_roles(
// CHECK-SAME: %[[N:[^:]+]]: index
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.+]] = gpu.grid_dim x
// CHECK: scf.for %{{.+}} = %[[BLOCK]] to %[[N]] step %[[BLOCKS]] {
// CHECK-NEXT: "test.consumer"
// CHECK: }, {
// CHECK: scf.for %{{.+}} = %[[BLOCK]] to %[[N]] step %[[BLOCKS]] {
// CHECK-NEXT: "test.producer"
// CHECK-NOT: attn_gpu.{{publish_tile|next_tile}}
attn_gpu.kernel @persistent_roles(%n: index, %blocks: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.roles warpgroups [1, 1] registers [240, 40] elected [false, true] {
  ^bb0(%w: index):
    attn_gpu.for_tiles %i of %n {
      "test.consumer"(%i) : (index) -> ()
    }
  }, {
  ^bb0(%w: index):
    attn_gpu.for_tiles %i of %n {
      "test.producer"(%i) : (index) -> ()
    }
  }
}

// -----

// The last role takes the next tile's number after its work on a tile, so it holds one at a time,
// and publishes the number for the others. It has one thread, which therefore reads no number
// from shared memory. The last CTA to finish resets the counters.
// CHECK-LABEL: attn_gpu.kernel @dynamic(
// CHECK-SAME: %[[N:[^:]+]]: index, %{{.+}}: index, %[[COUNTERS:[^:]+]]: !llvm.ptr<1>)
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.+]] = gpu.grid_dim x
// CHECK: attn_gpu.begin
// CHECK-NEXT: attn_gpu.roles
// CHECK-NEXT: ^bb0
// CHECK-NOT: attn_nv.work_counters
// CHECK-NOT: atomicrmw
// CHECK-NOT: attn_gpu.publish_tile
// CHECK: scf.while (%{{.+}} = %{{.+}}, %{{.+}} = %[[ZERO]]) : (i32, i32) -> (i32, i32) {
// CHECK: ^bb0(%[[TILE:.+]]: i32, %[[TURN:.+]]: i32):
// CHECK-NEXT: %[[I:.+]] = arith.index_cast %[[TILE]] : i32 to index
// CHECK-NEXT: "test.consumer"(%[[I]])
// CHECK-NEXT: %[[NEXT:.+]] = attn_gpu.next_tile %[[TURN]] at 4096
// CHECK-NEXT: %[[TURN1:.+]] = arith.addi %[[TURN]], %[[ONE]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[TURN1]]
// CHECK-NEXT: }
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[ALL:.+]] = arith.index_cast %[[BLOCKS]] : index to i32
// CHECK-NEXT: %[[COUNT:.+]] = arith.index_cast %[[N]] : index to i32
// CHECK-NEXT: %[[FIRST:.+]] = arith.index_cast %[[BLOCK]] : index to i32
// CHECK-NEXT: scf.while (%[[TILE:.+]] = %[[FIRST]], %[[TURN:.+]] = %[[ZERO]]) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT: %[[IS:.+]] = arith.cmpi ult, %[[TILE]], %[[COUNT]] : i32
// CHECK-NEXT: scf.condition(%[[IS]]) %[[TILE]], %[[TURN]]
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[TILE:.+]]: i32, %[[TURN:.+]]: i32):
// CHECK-NEXT: %[[I:.+]] = arith.index_cast %[[TILE]] : i32 to index
// CHECK-NEXT: "test.producer"(%[[I]])
// CHECK-NEXT: %[[TAKEN:.+]] = llvm.atomicrmw add %[[COUNTERS]], %[[ONE]] syncscope("device") monotonic
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[TAKEN]], %[[ALL]]
// CHECK-NEXT: attn_gpu.publish_tile %[[NEXT]], %[[TURN]] at 4096
// CHECK-NEXT: %[[TURN1:.+]] = arith.addi %[[TURN]], %[[ONE]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[TURN1]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[FINISHED:.+]] = llvm.getelementptr %[[COUNTERS]][1]
// CHECK-NEXT: %[[BEFORE:.+]] = llvm.atomicrmw add %[[FINISHED]], %[[ONE]] syncscope("device") acq_rel
// CHECK-NEXT: %[[LAST:.+]] = arith.subi %[[ALL]], %[[ONE]]
// CHECK-NEXT: %[[IS_LAST:.+]] = arith.cmpi eq, %[[BEFORE]], %[[LAST]]
// CHECK-NEXT: scf.if %[[IS_LAST]] {
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[COUNTERS]]
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[FINISHED]] {{.*}} !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @dynamic(%n: index, %blocks: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.roles warpgroups [1, 1] registers [240, 40] elected [false, true] {
  ^bb0(%w: index):
    attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
      "test.consumer"(%i) : (index) -> ()
    }
  }, {
  ^bb0(%w: index):
    attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
      "test.producer"(%i) : (index) -> ()
    }
  }
}

// -----

// All threads of the last role copy. Its first thread, which follows two warpgroups, takes the
// tile's number, and all threads of the role read the number as the other roles do.
// CHECK-LABEL: attn_gpu.kernel @dynamic_threads(
// CHECK-SAME: %[[N:[^:]+]]: index, %{{.+}}: index, %[[COUNTERS:[^:]+]]: !llvm.ptr<1>)
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.+]] = gpu.grid_dim x
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0
// CHECK-NOT: atomicrmw
// CHECK-NOT: attn_gpu.publish_tile
// CHECK: scf.while (%{{.+}} = %{{.+}}, %{{.+}} = %[[ZERO]]) : (i32, i32) -> (i32, i32) {
// CHECK: ^bb0(%[[TILE:.+]]: i32, %[[TURN:.+]]: i32):
// CHECK-NEXT: %[[I:.+]] = arith.index_cast %[[TILE]] : i32 to index
// CHECK-NEXT: "test.consumer"(%[[I]])
// CHECK-NEXT: %[[NEXT:.+]] = attn_gpu.next_tile %[[TURN]] at 4096
// CHECK-NEXT: %[[TURN1:.+]] = arith.addi %[[TURN]], %[[ONE]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[TURN1]]
// CHECK-NEXT: }
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[ALL:.+]] = arith.index_cast %[[BLOCKS]] : index to i32
// CHECK-NEXT: %[[COUNT:.+]] = arith.index_cast %[[N]] : index to i32
// CHECK-NEXT: %[[FIRST:.+]] = arith.index_cast %[[BLOCK]] : index to i32
// CHECK-NEXT: scf.while (%[[TILE:.+]] = %[[FIRST]], %[[TURN:.+]] = %[[ZERO]]) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT: %[[IS:.+]] = arith.cmpi ult, %[[TILE]], %[[COUNT]] : i32
// CHECK-NEXT: scf.condition(%[[IS]]) %[[TILE]], %[[TURN]]
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[TILE:.+]]: i32, %[[TURN:.+]]: i32):
// CHECK-NEXT: %[[I:.+]] = arith.index_cast %[[TILE]] : i32 to index
// CHECK-NEXT: "test.producer"(%[[I]])
// CHECK-NEXT: %[[THREAD:.+]] = arith.index_cast %{{.+}} : index to i32
// CHECK-NEXT: %[[ASKS:.+]] = arith.cmpi eq, %[[THREAD]], %c256_i32 : i32
// CHECK-NEXT: scf.if %[[ASKS]] {
// CHECK-NEXT: %[[TAKEN:.+]] = llvm.atomicrmw add %[[COUNTERS]], %[[ONE]] syncscope("device") monotonic
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[TAKEN]], %[[ALL]]
// CHECK-NEXT: attn_gpu.publish_tile %[[NEXT]], %[[TURN]] at 4096
// CHECK-NEXT: }
// CHECK-NEXT: %[[READ:.+]] = attn_gpu.next_tile %[[TURN]] at 4096
// CHECK-NEXT: %[[TURN1:.+]] = arith.addi %[[TURN]], %[[ONE]]
// CHECK-NEXT: scf.yield %[[READ]], %[[TURN1]]
// CHECK-NEXT: }
// CHECK: %[[LEAVES:.+]] = arith.cmpi eq, %{{.+}}, %c256_i32 : i32
// CHECK-NEXT: scf.if %[[LEAVES]] {
// CHECK-NEXT: %[[FINISHED:.+]] = llvm.getelementptr %[[COUNTERS]][1]
// CHECK-NEXT: %[[BEFORE:.+]] = llvm.atomicrmw add %[[FINISHED]], %[[ONE]] syncscope("device") acq_rel
// CHECK-NEXT: %[[LAST:.+]] = arith.subi %[[ALL]], %[[ONE]]
// CHECK-NEXT: %[[IS_LAST:.+]] = arith.cmpi eq, %[[BEFORE]], %[[LAST]]
// CHECK-NEXT: scf.if %[[IS_LAST]] {
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[COUNTERS]]
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[FINISHED]] {{.*}} !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @dynamic_threads(%n: index, %blocks: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 384 {
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, false] {
  ^bb0(%w: index):
    attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
      "test.consumer"(%i) : (index) -> ()
    }
  }, {
  ^bb0(%w: index):
    attn_gpu.for_tiles %i of %n counters %counters broadcast 4096 {
      "test.producer"(%i) : (index) -> ()
    }
  }
}

// -----

// Without roles there is no role that takes tile numbers: the loop is that of a persistent
// scheduler.
// CHECK-LABEL: attn_gpu.kernel @no_roles(
// CHECK-SAME: %[[N:[^:]+]]: index
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.+]] = gpu.grid_dim x
// CHECK: attn_gpu.begin
// CHECK-NEXT: scf.for %{{.+}} = %[[BLOCK]] to %[[N]] step %[[BLOCKS]] {
// CHECK-NEXT: "test.tile"
// CHECK-NOT: attn_nv.work_counters
attn_gpu.kernel @no_roles(%n: index, %blocks: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.for_tiles %i of %n counters %counters {
    "test.tile"(%i) : (index) -> ()
  }
}
