// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -convert-attn-gpu-to-nvvm -canonicalize -cse \
// RUN:   | FileCheck %s --implicit-check-not=attn_gpu.

// The last role's warpgroup takes a branch. It gives registers to the others, and one thread of its
// first warp runs the program. A role's argument counts from its first warpgroup on.
// CHECK-LABEL: attn_gpu.kernel @two(
// CHECK-DAG: %[[TWO:.+]] = arith.constant 2 : i32
// CHECK-DAG: %[[LANES:.+]] = arith.constant 32 : i32
// CHECK: %[[WARPGROUP:.+]] = nvvm.shfl.sync idx
// CHECK: %[[IS_LAST:.+]] = arith.cmpi eq, %[[WARPGROUP]], %[[TWO]] : i32
// CHECK-NEXT: scf.if %[[IS_LAST]] {
// CHECK-NEXT: nvvm.setmaxregister decrease 40
// CHECK-NEXT: %[[THREAD:.+]] = arith.andi
// CHECK-NEXT: %[[IS_FIRST:.+]] = arith.cmpi ult, %[[THREAD]], %[[LANES]] : i32
// CHECK-NEXT: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: %[[ELECTED:.+]] = nvvm.elect.sync -> i1
// CHECK-NEXT: scf.if %[[ELECTED]] {
// CHECK-NEXT: %[[NUMBER:.+]] = arith.subi %[[WARPGROUP]], %[[TWO]] : i32
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[NUMBER]] : i32 to index
// CHECK-NEXT: "test.producer"(%[[INDEX]])
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: nvvm.setmaxregister increase 232
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[WARPGROUP]] : i32 to index
// CHECK-NEXT: "test.consumer"(%[[INDEX]])
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @two()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 12, mma = mma_sync, copy = element> threads 384 {
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    "test.consumer"(%w) : (index) -> ()
  }, {
  ^bb0(%w: index):
    "test.producer"(%w) : (index) -> ()
  }
}

// -----

// With three roles, the last one's branch comes first, and the others are in its `else`. In any
// role, one thread may be elected. With 5 warpgroups, a thread begins with 96 registers, so a role
// with 96 does not need `increase`.
// CHECK-LABEL: attn_gpu.kernel @three(
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[THREE:.+]] = arith.constant 3 : i32
// CHECK-DAG: %[[LANES:.+]] = arith.constant 32 : i32
// CHECK: %[[WARPGROUP:.+]] = nvvm.shfl.sync idx
// CHECK: %[[IS_LAST:.+]] = arith.cmpi uge, %[[WARPGROUP]], %[[THREE]] : i32
// CHECK-NEXT: scf.if %[[IS_LAST]] {
// CHECK-NEXT: nvvm.setmaxregister increase 104
// CHECK-NEXT: %[[NUMBER:.+]] = arith.subi %[[WARPGROUP]], %[[THREE]] : i32
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[NUMBER]] : i32 to index
// CHECK-NEXT: "test.last"(%[[INDEX]])
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[IS_NEXT:.+]] = arith.cmpi uge, %[[WARPGROUP]], %[[ONE]] : i32
// CHECK-NEXT: scf.if %[[IS_NEXT]] {
// CHECK-NEXT: nvvm.setmaxregister decrease 96
// CHECK-NEXT: %[[THREAD:.+]] = arith.andi
// CHECK-NEXT: %[[IS_FIRST:.+]] = arith.cmpi ult, %[[THREAD]], %[[LANES]] : i32
// CHECK-NEXT: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: %[[ELECTED:.+]] = nvvm.elect.sync -> i1
// CHECK-NEXT: scf.if %[[ELECTED]] {
// CHECK-NEXT: %[[NUMBER:.+]] = arith.subi %[[WARPGROUP]], %[[ONE]] : i32
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[NUMBER]] : i32 to index
// CHECK-NEXT: "test.next"(%[[INDEX]])
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: nvvm.setmaxregister decrease 80
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[WARPGROUP]] : i32 to index
// CHECK-NEXT: "test.first"(%[[INDEX]])
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @three()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 20, mma = mma_sync, copy = element> threads 640 {
  attn_gpu.roles warpgroups [1, 2, 2] registers [80, 96, 104] elected [false, true, false] {
  ^bb0(%w: index):
    "test.first"(%w) : (index) -> ()
  }, {
  ^bb0(%w: index):
    "test.next"(%w) : (index) -> ()
  }, {
  ^bb0(%w: index):
    "test.last"(%w) : (index) -> ()
  }
}

// -----

// If there is one role, it has all warpgroups, and no branch. The threads of a warpgroup wait for
// each other at a barrier that only they use.
// CHECK-LABEL: attn_gpu.kernel @one(
// CHECK-DAG: %[[C128:.+]] = arith.constant 128 : i32
// CHECK: %[[WARPGROUP:.+]] = nvvm.shfl.sync idx
// CHECK-NOT: scf.if
// CHECK: nvvm.setmaxregister decrease 200
// CHECK: "test.role"
// CHECK-NOT: scf.if
// CHECK: %[[ID:.+]] = arith.addi %{{.+}}, %{{.+}} : i32
// CHECK-NEXT: nvvm.barrier id = %[[ID]] number_of_threads = %[[C128]]
// CHECK-NEXT: }
attn_gpu.kernel @one()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  attn_gpu.roles warpgroups [2] registers [200] elected [false] {
  ^bb0(%w: index):
    "test.role"(%w) : (index) -> ()
    attn_gpu.sync_warpgroup
  }
}

// -----

// LLVM does not unroll loops of a producer with few registers, if it knows how often they run. The
// attribute is that of the branch to which such a loop is lowered.
// CHECK: #[[$ONCE:.+]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[$LOOP:.+]] = #llvm.loop_annotation<unroll = #[[$ONCE]]>
// CHECK-LABEL: attn_gpu.kernel @few_registers(
// CHECK: "test.fill"
// CHECK-NEXT: } {loop_annotation = #[[$LOOP]]}
// CHECK: "test.fill"
// CHECK-NEXT: }
// CHECK-NOT: loop_annotation
// CHECK: "test.read"
// CHECK-NEXT: }
// CHECK-NOT: loop_annotation
attn_gpu.kernel @few_registers(%n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 384 {
  attn_gpu.roles warpgroups [2, 1] registers [232, 32] elected [false, true] {
  ^bb0(%w: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      "test.read"(%i) : (index) -> ()
    }
  }, {
  ^bb0(%w: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      "test.fill"(%i) : (index) -> ()
    }
    scf.for %i = %c0 to %n step %c1 {
      "test.fill"(%i) : (index) -> ()
    }
  }
}

// -----

// CHECK-LABEL: attn_gpu.kernel @enough_registers(
// CHECK-NOT: loop_annotation
// CHECK: "test.fill"
// CHECK-NOT: loop_annotation
attn_gpu.kernel @enough_registers()
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 384 {
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    "test.read"() : () -> ()
  }, {
  ^bb0(%w: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      "test.fill"(%i) : (index) -> ()
    }
  }
}
