// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-place-releases \
// RUN:   | FileCheck %s
// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-place-releases -verify-roundtrip -o /dev/null

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// The fill of the query moves after the next copy, also over other ops between the two.
// CHECK-LABEL: attn_gpu.kernel @line(
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0
// CHECK: %[[K:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addi
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: attn_gpu.fill %[[Q]] from
// CHECK: scf.for
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: }
// CHECK-NOT: attn_gpu.{{fill|prefetch}}
attn_gpu.kernel @line(%map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map, %i: i32, %n: index, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %query = attn_gpu.ring at 0 barriers 65536 overlaid : !ring
  %keys = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    %at = arith.addi %i, %i : i32
    attn_gpu.fill %keys from %other[%at, %i, %i] : !ring
    scf.for %j = %c0 to %n step %c1 {
      attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
    }
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// It moves after the first iteration of a loop, if there is one. With the persistent scheduler it
// is prefetched.
// CHECK-LABEL: attn_gpu.kernel @loop(
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0
// CHECK: %[[K:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[IS:.+]] = arith.cmpi slt, %[[C0:.+]], %[[N:.+]] : index
// CHECK-NEXT: %[[SUM:.+]] = scf.if %[[IS]] -> (i32) {
// CHECK-NEXT: attn_gpu.fill %[[K]] from %{{.+}}[%[[I:[^,]+]],
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[I]],
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[I]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[FROM:.+]] = arith.addi %[[C0]],
// CHECK-NEXT: attn_gpu.prefetch %[[Q]] from %[[MAP:.+]][%[[I]], %[[I]], %[[I]]]
// CHECK-NEXT: attn_gpu.fill %[[Q]] from %[[MAP]][%[[I]], %[[I]], %[[I]]]
// CHECK-NEXT: scf.for %{{.+}} = %[[FROM]] to %[[N]] step %{{.+}} iter_args(%[[AT:.+]] = %[[SUM]]) -> (i32) {
// CHECK-NEXT: attn_gpu.fill %[[K]] from %{{.+}}[%[[AT]],
// CHECK: scf.yield
// CHECK-NOT: attn_gpu.{{fill|prefetch}}
attn_gpu.kernel @loop(%map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map, %i: i32, %n: index, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent> threads 384 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %query = attn_gpu.ring at 0 barriers 65536 overlaid : !ring
  %keys = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%at = %i) -> (i32) {
      attn_gpu.fill %keys from %other[%at, %i, %i] : !ring
      %next = arith.addi %at, %i : i32
      scf.yield %next : i32
    }
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// With a prefetch, the fill of the query also moves after the next copy, and so does the prefetch.
// CHECK-LABEL: attn_gpu.kernel @line_prefetch(
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0
// CHECK: %[[K:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: attn_gpu.prefetch %[[Q]] from %[[MAP:.+]][%[[I:.+]], %[[I]], %[[I]]]
// CHECK-NEXT: attn_gpu.fill %[[Q]] from %[[MAP]][%[[I]], %[[I]], %[[I]]]
// CHECK-NEXT: }
attn_gpu.kernel @line_prefetch(%map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map, %i: i32, %n: index, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent> threads 384 {
  %query = attn_gpu.ring at 0 barriers 65536 overlaid : !ring
  %keys = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// A fill before a branch moves into both blocks: after the first copy of one, and to the beginning
// of the other, which has none.
// CHECK-LABEL: attn_gpu.kernel @branch(
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0
// CHECK: %[[K:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: scf.if
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: attn_gpu.fill %[[Q]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: attn_gpu.fill %[[Q]]
// CHECK-NEXT: "test.else"
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @branch(%map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map, %i: i32, %n: index, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %query = attn_gpu.ring at 0 barriers 65536 overlaid : !ring
  %keys = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    scf.if %p {
      attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
      scf.for %j = %c0 to %n step %c1 {
        attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
      }
    } else {
      "test.else"() : () -> ()
    }
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// Nothing moves if the first copy of a branch is in a loop, or if the branch has no else block.
// CHECK-LABEL: attn_gpu.kernel @stays(
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0
// CHECK: %[[K:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.fill %[[Q]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.for
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NOT: attn_gpu.fill %[[Q]]
// CHECK: attn_gpu.fill %[[Q]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.fill %[[Q]]
// An iteration of loops copies more than there are slots for.
// CHECK-NEXT: attn_gpu.fill %[[Q]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: attn_gpu.fill %[[K]]
attn_gpu.kernel @stays(%map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map, %i: i32, %n: index, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %query = attn_gpu.ring at 0 barriers 65536 overlaid : !ring
  %keys = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    scf.if %p {
      scf.for %j = %c0 to %n step %c1 {
        attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
      }
      attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
    } else {
    }
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    scf.if %p {
      attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
    }
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    scf.for %h = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
      }
    }
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// A ring that has its place for itself need not wait.
// CHECK-LABEL: attn_gpu.kernel @own_place(
// CHECK: %[[Q:.+]] = attn_gpu.ring at 0
// CHECK: %[[K:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.fill %[[Q]]
// CHECK-NEXT: attn_gpu.fill %[[K]]
// CHECK-NEXT: }
attn_gpu.kernel @own_place(%map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map, %i: i32, %n: index, %p: i1)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent> threads 384 {
  %query = attn_gpu.ring at 0 barriers 65536 : !ring
  %keys = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %query from %map[%i, %i, %i] : !ring
    attn_gpu.fill %keys from %other[%i, %i, %i] : !ring
  }
}
