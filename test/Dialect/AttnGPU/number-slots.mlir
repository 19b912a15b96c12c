// RUN: attn-opt %s -split-input-file -attn-gpu-number-slots -canonicalize -cse | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-gpu-number-slots -verify-roundtrip -o /dev/null

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

// Each role counts the tiles of each ring from 0. A release has the number of the tile that it
// releases. An op that has a number already keeps it and is not counted.
// CHECK-LABEL: attn_gpu.kernel @line(
// CHECK-SAME: %{{.+}}: !attn_nv.tensor_map, %[[I:[^:]+]]: i32)
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.+]] = arith.constant 2 : i32
// CHECK-DAG: %[[A:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[C0]]]
// CHECK-NEXT: attn_gpu.acquire %[[B]][%[[C0]]]
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[C1]]]
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[I]]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[C1]]]
// CHECK-NEXT: attn_gpu.release %[[B]][%[[C0]]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[C0]]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[I]]]
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.fill %[[A]][%[[C0]]] from
// CHECK-NEXT: attn_gpu.fill %[[A]][%[[C1]]] from
// CHECK-NEXT: attn_gpu.fill %[[B]][%[[C0]]] from
// CHECK-NEXT: attn_gpu.fill %[[B]][%[[I]]] from
// CHECK-NEXT: attn_gpu.fill %[[A]][%[[C2]]] from
// CHECK-NEXT: }
attn_gpu.kernel @line(%map: !attn_nv.tensor_map, %i: i32) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 256 {
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 : !ring
  attn_gpu.roles warpgroups [1, 1] registers [240, 40] elected [false, true] {
  ^bb0(%w: index):
    %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
    %t1, %n1 = attn_gpu.acquire %b : !ring -> !tile
    %t2, %n2 = attn_gpu.acquire %a : !ring -> !tile
    %t3, %n3 = attn_gpu.acquire %a[%i] : !ring -> !tile
    attn_gpu.release %a[%n2] : !ring
    attn_gpu.release %b[%n1] : !ring
    attn_gpu.release %a[%n0] : !ring
    attn_gpu.release %a[%i] : !ring
  }, {
  ^bb0(%w: index):
    attn_gpu.fill %a from %map[%i, %i, %i] : !ring
    attn_gpu.fill %a from %map[%i, %i, %i] : !ring
    attn_gpu.fill %b from %map[%i, %i, %i] : !ring
    attn_gpu.fill %b[%i] from %map[%i, %i, %i] : !ring
    attn_gpu.fill %a from %map[%i, %i, %i] : !ring
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

// A loop carries the counts of the rings that it uses, after its other carried values, and the next
// op continues from its results. A loop within it carries its own counts.
// CHECK-LABEL: attn_gpu.kernel @loops(
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[A:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK: attn_gpu.fill %[[A]][%[[C0]]]
// CHECK: %[[R:.+]]:3 = scf.for {{.*}} iter_args(%[[OWN:.+]] = %{{.+}}, %[[X:.+]] = %[[C1]], %[[Y:.+]] = %[[C0]]) -> (index, i32, i32) {
// CHECK-NEXT: attn_gpu.fill %[[A]][%[[X]]]
// CHECK-NEXT: %[[X1:.+]] = arith.addi %[[X]], %[[C1]]
// CHECK-NEXT: %[[INNER:.+]] = scf.for {{.*}} iter_args(%[[Z:.+]] = %[[Y]]) -> (i32) {
// CHECK-NEXT: attn_gpu.fill %[[B]][%[[Z]]]
// CHECK-NEXT: %[[Z1:.+]] = arith.addi %[[Z]], %[[C1]]
// CHECK-NEXT: scf.yield %[[Z1]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[OWN]],
// CHECK-NEXT: scf.yield %[[NEXT]], %[[X1]], %[[INNER]] : index, i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.fill %[[B]][%[[R]]#2]
// CHECK: attn_gpu.fill %[[A]][%[[R]]#1]
// CHECK: memref.store %[[R]]#0
// CHECK-NOT: iter_args
// CHECK: scf.for
// CHECK-NOT: iter_args
attn_gpu.kernel @loops(%map: !attn_nv.tensor_map, %i: i32, %n: index, %m: memref<?xindex>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 256 {
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 : !ring
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  attn_gpu.roles warpgroups [1] registers [40] elected [true] {
  ^bb0(%w: index):
    attn_gpu.fill %a from %map[%i, %i, %i] : !ring
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%own = %c0) -> (index) {
      attn_gpu.fill %a from %map[%i, %i, %i] : !ring
      scf.for %k = %c0 to %j step %c1 {
        attn_gpu.fill %b from %map[%i, %i, %i] : !ring
      }
      %next = arith.addi %own, %j : index
      scf.yield %next : index
    }
    attn_gpu.fill %b from %map[%i, %i, %i] : !ring
    attn_gpu.fill %a from %map[%i, %i, %i] : !ring
    memref.store %r, %m[%c0] : memref<?xindex>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %j, %m[%j] : memref<?xindex>
    }
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

// Both branches begin from the same counts. One that has no other gets one that leaves
// them as they are.
// CHECK-LABEL: attn_gpu.kernel @branches(
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.+]] = arith.constant 2 : i32
// CHECK-DAG: %[[A:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK: scf.for {{.*}} iter_args(%[[X:.+]] = %[[C0]], %[[Y:.+]] = %[[C0]]) -> (i32, i32) {
// CHECK-NEXT: %[[R:.+]]:2 = scf.if %{{.+}} -> (index, i32) {
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[X]]]
// CHECK-NEXT: %[[X1:.+]] = arith.addi %[[X]], %[[C1]]
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[X1]]]
// CHECK-NEXT: %[[X2:.+]] = arith.addi %[[X]], %[[C2]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[X]]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[X1]]]
// CHECK-NEXT: scf.yield %{{.+}}, %[[X2]] : index, i32
// CHECK-NEXT: } else {
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[X]]]
// CHECK-NEXT: %[[X1:.+]] = arith.addi %[[X]], %[[C1]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[X]]]
// CHECK-NEXT: %[[OWN:.+]] = arith.muli
// CHECK-NEXT: scf.yield %[[OWN]], %[[X1]] : index, i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[S:.+]]:2 = scf.if %{{.+}} -> (i32, i32) {
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[R]]#1]
// CHECK-NEXT: %[[A1:.+]] = arith.addi %[[R]]#1, %[[C1]]
// CHECK-NEXT: attn_gpu.acquire %[[B]][%[[Y]]]
// CHECK-NEXT: %[[B1:.+]] = arith.addi %[[Y]], %[[C1]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[R]]#1]
// CHECK-NEXT: attn_gpu.release %[[B]][%[[Y]]]
// CHECK-NEXT: scf.yield %[[A1]], %[[B1]] : i32, i32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[R]]#1, %[[Y]] : i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[S]]#0]
// CHECK-NEXT: %[[A1:.+]] = arith.addi %[[S]]#0, %[[C1]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[S]]#0]
// CHECK-NEXT: memref.store %[[R]]#0
// CHECK-NEXT: scf.yield %[[A1]], %[[S]]#1
attn_gpu.kernel @branches(%p: i1, %q: i1, %n: index, %m: memref<?xindex>) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 256 {
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 : !ring
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  attn_gpu.roles warpgroups [1] registers [240] elected [false] {
  ^bb0(%w: index):
    scf.for %j = %c0 to %n step %c1 {
      %r = scf.if %p -> (index) {
        %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
        %t1, %n1 = attn_gpu.acquire %a : !ring -> !tile
        attn_gpu.release %a[%n0] : !ring
        attn_gpu.release %a[%n1] : !ring
        scf.yield %n : index
      } else {
        %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
        attn_gpu.release %a[%n0] : !ring
        %own = arith.muli %j, %n : index
        scf.yield %own : index
      }
      scf.if %q {
        %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
        %t1, %n1 = attn_gpu.acquire %b : !ring -> !tile
        attn_gpu.release %a[%n0] : !ring
        attn_gpu.release %b[%n1] : !ring
      }
      %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
      attn_gpu.release %a[%n0] : !ring
      memref.store %r, %m[%j] : memref<?xindex>
    }
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// The loop over the tiles of a dynamic scheduler, with a loop in a branch in it.
// CHECK-LABEL: attn_gpu.kernel @tiles(
// CHECK-SAME: %[[TILE:[^:]+]]: i32
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[A:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK: %[[R:.+]]:3 = scf.while (%[[T:.+]] = %[[TILE]], %[[X:.+]] = %[[C0]], %[[Y:.+]] = %[[C0]]) : (i32, i32, i32) -> (i32, i32, i32) {
// CHECK: scf.condition(%{{.+}}) %[[T]], %[[X]], %[[Y]] : i32, i32, i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[U:.+]]: i32, %[[X:.+]]: i32, %[[Y:.+]]: i32):
// CHECK-NEXT: attn_gpu.fill %[[A]][%[[X]]]
// CHECK-NEXT: %[[X1:.+]] = arith.addi %[[X]], %[[C1]]
// CHECK-NEXT: %[[IF:.+]] = scf.if %{{.+}} -> (i32) {
// CHECK-NEXT: %[[FOR:.+]] = scf.for {{.*}} iter_args(%[[Z:.+]] = %[[Y]]) -> (i32) {
// CHECK-NEXT: attn_gpu.fill %[[B]][%[[Z]]]
// CHECK-NEXT: %[[Z1:.+]] = arith.addi %[[Z]], %[[C1]]
// CHECK-NEXT: scf.yield %[[Z1]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[FOR]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[U]],
// CHECK-NEXT: scf.yield %[[NEXT]], %[[X1]], %[[IF]] : i32, i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.fill %[[B]][%[[R]]#2]
// CHECK-NEXT: attn_gpu.fill %[[A]][%[[R]]#1]
attn_gpu.kernel @tiles(%tile: i32, %map: !attn_nv.tensor_map, %count: i32, %n: index, %p: i1) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 256 {
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 : !ring
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  attn_gpu.roles warpgroups [1] registers [40] elected [true] {
  ^bb0(%w: index):
    %r = scf.while (%t = %tile) : (i32) -> i32 {
      %is = arith.cmpi ult, %t, %count : i32
      scf.condition(%is) %t : i32
    } do {
    ^bb0(%t: i32):
      attn_gpu.fill %a from %map[%t, %t, %t] : !ring
      scf.if %p {
        scf.for %k = %c0 to %n step %c1 {
          attn_gpu.fill %b from %map[%t, %t, %t] : !ring
        }
      }
      %next = arith.addi %t, %count : i32
      scf.yield %next : i32
    }
    attn_gpu.fill %b from %map[%tile, %tile, %tile] : !ring
    attn_gpu.fill %a from %map[%r, %tile, %tile] : !ring
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

// A skip is a loop that takes each tile and gives it back: all threads where all have to
// release, after all warps of the warpgroup have seen it. With ping-pong each is a turn.
// CHECK-LABEL: attn_gpu.kernel @skips(
// CHECK-SAME: %[[N:[^:]+]]: index)
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[A:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK-NOT: attn_gpu.skip
// CHECK: %[[R:.+]]:2 = scf.for %{{.+}} = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[X:.+]] = %[[ZERO]], %[[Y:.+]] = %[[ZERO]]) -> (i32, i32) {
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[X]]]
// CHECK-NEXT: %[[X1:.+]] = arith.addi %[[X]], %[[ONE]]
// CHECK-NEXT: attn_gpu.acquire %[[B]][%[[Y]]]
// CHECK-NEXT: %[[Y1:.+]] = arith.addi %[[Y]], %[[ONE]]
// CHECK-NEXT: attn_gpu.sync_warpgroup
// CHECK-NEXT: attn_gpu.release %[[A]][%[[X]]] :
// CHECK-NEXT: attn_gpu.release %[[B]][%[[Y]]] each_warp ordered :
// CHECK-NEXT: scf.yield %[[X1]], %[[Y1]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[S:.+]] = scf.for %{{.+}} = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[Y:.+]] = %[[R]]#1) -> (i32) {
// CHECK-NEXT: attn_gpu.ping_pong_wait of 3
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 3{{$}}
// CHECK-NEXT: attn_gpu.acquire %[[B]][%[[Y]]]
// CHECK-NEXT: %[[Y1:.+]] = arith.addi %[[Y]], %[[ONE]]
// CHECK-NEXT: attn_gpu.sync_warpgroup
// CHECK-NEXT: attn_gpu.release %[[B]][%[[Y]]] each_warp ordered :
// CHECK-NEXT: scf.yield %[[Y1]]
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.acquire %[[A]][%[[R]]#0]
// CHECK-NEXT: attn_gpu.acquire %[[B]][%[[S]]]
// CHECK-NOT: attn_gpu.skip
attn_gpu.kernel @skips(%n: index) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 256 {
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 each_warp : !ring
  attn_gpu.roles warpgroups [1] registers [240] elected [false] {
  ^bb0(%w: index):
    attn_gpu.skip %n of %a, %b : !ring, !ring
    attn_gpu.skip %n of %b ping_pong of 3 : !ring
    %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
    %t1, %n1 = attn_gpu.acquire %b : !ring -> !tile
    attn_gpu.release %a[%n0] : !ring
    attn_gpu.release %b[%n1] each_warp : !ring
  }
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>

// Rings whose tiles a role comes to at the same places share a number, with branches that come
// to none between them; one that is ahead of them has its own.
// CHECK-LABEL: attn_gpu.kernel @shared(
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[A:.+]] = attn_gpu.ring at 0
// CHECK-DAG: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK-DAG: %[[C:.+]] = attn_gpu.ring at 32768
// CHECK: attn_gpu.acquire %[[A]][%[[C0]]]
// CHECK: %[[N:.+]]:2 = scf.for {{.*}} iter_args(%[[OWN:.+]] = %[[C0]], %[[AHEAD:.+]] = %[[C1]]) -> (i32, i32)
// CHECK-DAG: attn_gpu.acquire %[[B]][%[[OWN]]]
// CHECK-DAG: attn_gpu.acquire %[[C]][%[[OWN]]]
// CHECK-DAG: attn_gpu.acquire %[[A]][%[[AHEAD]]]
// CHECK-DAG: %[[NEXT:.+]] = arith.addi %[[OWN]], %[[C1]]
// CHECK-DAG: %[[AFTER:.+]] = arith.addi %[[AHEAD]], %[[C1]]
// CHECK: scf.yield %[[NEXT]], %[[AFTER]] : i32, i32
// CHECK-DAG: attn_gpu.acquire %[[C]][%[[N]]#0]
// CHECK-DAG: attn_gpu.acquire %[[B]][%[[N]]#0]
attn_gpu.kernel @shared(%count: index, %masked: i1) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = attn_gpu.ring at 0 barriers 49152 : !ring
  %b = attn_gpu.ring at 16384 barriers 49184 : !ring
  %c = attn_gpu.ring at 32768 barriers 49216 : !ring
  attn_gpu.roles warpgroups [1] registers [240] elected [false] {
  ^bb0(%w: index):
    %t0, %n0 = attn_gpu.acquire %a : !ring -> !tile
    scf.for %i = %c0 to %count step %c1 {
      %t1, %n1 = attn_gpu.acquire %b : !ring -> !tile
      scf.if %masked {
        attn_gpu.ping_pong_arrive of 2
      }
      %t2, %n2 = attn_gpu.acquire %c : !ring -> !tile
      %t3, %n3 = attn_gpu.acquire %a : !ring -> !tile
    }
    %t4, %n4 = attn_gpu.acquire %c : !ring -> !tile
    %t5, %n5 = attn_gpu.acquire %b : !ring -> !tile
  }
}
