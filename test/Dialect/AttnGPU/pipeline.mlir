// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-pipeline -canonicalize -cse | FileCheck %s

!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!probabilities = tensor<128x64xf16>
!row = tensor<128xf32>

// The first iteration's probabilities before the loop, each iteration's last MMA
// in the next one, beside its scores, and the last one after the loop.
// CHECK-LABEL: attn_gpu.kernel @steps(
// CHECK-SAME: %[[K:[^:]+]]: memref<?x64xf16>, %[[V:[^:]+]]: memref<?x64xf16>,
// CHECK-SAME: %[[GIVEN:[^:]+]]: tensor<128x64xf32>, %[[ROW:[^:]+]]: tensor<128xf32>
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[C192:.+]] = arith.constant 192 : index
// CHECK-DAG: %[[C256:.+]] = arith.constant 256 : index
// CHECK: %[[Q:.+]] = attn_tile.load
// CHECK: %[[FIRST_KEYS:.+]] = attn_tile.load %[[K]][%[[C0]], %[[C0]]] : memref<?x64xf16> -> tensor<64x64xf16>
// CHECK-NOT: attn_tile.load
// CHECK: %[[ISSUED:.+]] = attn_gpu.mma %[[Q]], %[[FIRST_KEYS]],
// CHECK: attn_gpu.mma_wait 0, %[[ISSUED]]
// CHECK: %[[SUM:.+]] = arith.addf %[[ROW]],
// CHECK-NOT: attn_gpu.mma
// CHECK-NOT: scf.if
// CHECK: %[[R:.+]]:{{.+}} = scf.for %[[J:.+]] = %[[C64]] to %[[C256]] step %[[C64]]
// CHECK: %[[BEFORE:.+]] = arith.subi %[[J]], %[[C64]]
// CHECK: %[[KEYS:.+]] = attn_tile.load %[[K]][%[[J]],
// CHECK: %[[SCORES:.+]] = attn_gpu.mma %[[Q]], %[[KEYS]], %{{.+}} transpose_rhs
// CHECK: %[[VALUES:.+]] = attn_tile.load %[[V]][%[[BEFORE]],
// CHECK: %[[LATE:.+]] = attn_gpu.mma %{{.+}}, %[[VALUES]], %{{.+}} :
// CHECK-NEXT: attn_gpu.mma_wait 1, %[[SCORES]]
// CHECK: math.exp2
// CHECK: %[[ACC:.+]] = attn_gpu.mma_wait 0, %[[LATE]]
// CHECK: %[[SCALED:.+]] = arith.mulf %[[ACC]],
// CHECK: scf.yield
// CHECK: %[[LAST_VALUES:.+]] = attn_tile.load %[[V]][%[[C192]],
// CHECK: %[[ISSUED:.+]] = attn_gpu.mma %{{.+}}, %[[LAST_VALUES]],
// CHECK: %[[LAST:.+]] = attn_gpu.mma_wait 0, %[[ISSUED]]
// CHECK-NOT: attn_gpu.mma
// CHECK-NOT: attn_gpu.ping_pong
// CHECK: "test.use"(%[[LAST]],
attn_gpu.kernel @steps(%k: !array, %v: !array, %given: !scores, %row: !row)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %none = arith.constant dense<0.0> : !scores
  %q = attn_tile.load %k[%c0, %c0] : !array -> !query
  %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!scores, !row) {
    %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
    %values = attn_tile.load %v[%j, %c0] : !array -> !keys
    %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
    %e = math.exp2 %s : !scores
    %add = attn_tile.reduce add %e along 1 : !scores -> !row
    %next = arith.addf %sum, %add : !row
    %p = arith.truncf %e : !scores to !probabilities
    %f = attn_tile.broadcast %add along 1 : !row -> !scores
    %scaled = arith.mulf %acc, %f : !scores
    %o = attn_tile.dot %p, %values, %scaled : !probabilities, !keys, !scores
    scf.yield %o, %next : !scores, !row
  }
  "test.use"(%r#0, %r#1) : (!scores, !row) -> ()
}

// -----

!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16, #attn_gpu.swizzled>
!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!scores = tensor<128x64xf32>
!probabilities = tensor<128x64xf16>
!state = !attn_tile.softmax<128, factor = 0.125>

// A softmax state is one value: its first step is the one before the loop. Where
// there may be no iteration nothing runs before or after the loop. One warpgroup
// at a time issues MMAs in the loop, the last one being let go when its role begins;
// blocks that a warpgroup skips are turns, but for those of a loop that nothing overlaps
// in. The producer copies in the order of the consumers' waits, from the same guard.
// CHECK-LABEL: attn_gpu.kernel @ping_pong(
// CHECK: %[[K:.+]] = attn_gpu.ring at 0
// CHECK: %[[V:.+]] = attn_gpu.ring at 16384
// CHECK: %[[X:.+]] = attn_gpu.ring at 32768
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2 initial
// CHECK: attn_gpu.skip %{{.+}} of %[[K]], %[[V]] ping_pong of 2 :
// CHECK: %[[INIT:.+]] = attn_tile.softmax_init
// CHECK: %[[HAS:.+]] = arith.cmpi
// CHECK: scf.if %[[HAS]]
// CHECK-NOT: attn_gpu.ping_pong
// CHECK: attn_gpu.acquire %[[K]]
// CHECK: attn_gpu.mma
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK: attn_tile.softmax_update %{{.+}}, %[[INIT]]
// CHECK: scf.for
// CHECK-NOT: attn_gpu.mma
// CHECK: attn_gpu.acquire %[[K]]
// CHECK-NEXT: attn_gpu.ping_pong_wait of 2
// CHECK-NEXT: attn_gpu.mma
// CHECK-NEXT: attn_gpu.acquire %[[V]]
// CHECK-NEXT: attn_gpu.mma
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2{{$}}
// CHECK-NEXT: attn_gpu.mma_wait 1
// CHECK: scf.if
// CHECK: attn_gpu.mma_wait 0
// CHECK-NEXT: attn_tile.softmax_update
// CHECK-NOT: attn_tile.softmax_init
// CHECK: scf.yield
// CHECK-NOT: attn_gpu.ping_pong
// CHECK: attn_gpu.acquire %[[V]]
// CHECK-NEXT: attn_gpu.mma
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK: } else {
// CHECK-NEXT: scf.yield %{{.+}}, %[[INIT]]
// CHECK: attn_gpu.skip %{{.+}} of %[[X]] : !attn_gpu.ring
// CHECK: attn_gpu.mma %
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK-NEXT: scf.yield
// CHECK-NOT: attn_gpu.ping_pong
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NOT: attn_gpu.ping_pong
// CHECK: scf.if %{{.+}} {
// CHECK-NOT: attn_gpu.fill %[[V]]
// CHECK: attn_gpu.fill %[[K]]
// CHECK: scf.for %[[J:.+]] =
// CHECK: %[[BEFORE:.+]] = arith.subi %[[J]], %{{.+}} : index
// CHECK: %[[J32:.+]] = arith.index_cast %[[J]]
// CHECK-NEXT: attn_gpu.fill %[[K]] from %{{.+}}[%[[J32]],
// CHECK: %[[BEFORE32:.+]] = arith.index_cast %[[BEFORE]]
// CHECK-NEXT: attn_gpu.fill %[[V]] from %{{.+}}[%[[BEFORE32]],
// CHECK-NEXT: }
// CHECK-NOT: attn_gpu.fill %[[K]]
// CHECK: attn_gpu.fill %[[V]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: attn_gpu.fill %[[X]]
// CHECK-NEXT: }
attn_gpu.kernel @ping_pong(%array: !array, %from: index, %n: index, %partial: i1, %map: !attn_nv.tensor_map, %zero: i32, %skipped: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, ping_pong = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant dense<0.0> : !scores
  %kring = attn_gpu.ring at 0 barriers 65536 : !ring
  %vring = attn_gpu.ring at 16384 barriers 65568 : !ring
  %xring = attn_gpu.ring at 32768 barriers 65600 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %q = attn_tile.load %array[%c0, %c0] : !array -> !query
    attn_gpu.skip %skipped of %kring, %vring : !ring, !ring
    %init = attn_tile.softmax_init : !state
    %r:2 = scf.for %j = %from to %n step %c64 iter_args(%acc = %none, %state = %init) -> (!scores, !state) {
      %keys, %kn = attn_gpu.acquire %kring : !ring -> !keys
      %values, %vn = attn_gpu.acquire %vring : !ring -> !keys
      %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
      %masked = scf.if %partial -> (!scores) {
        %m = math.absf %s : !scores
        scf.yield %m : !scores
      } else {
        scf.yield %s : !scores
      }
      %p, %next, %scaled = attn_tile.softmax_update %masked, %state rescale(%acc) : (!scores, !state, !scores) -> (!probabilities, !state, !scores)
      %o = attn_tile.dot %p, %values, %scaled : !probabilities, !keys, !scores
      scf.yield %o, %next : !scores, !state
    }
    attn_gpu.skip %skipped of %xring : !ring
    %sum = scf.for %j = %from to %n step %c64 iter_args(%acc = %r#0) -> (!scores) {
      %keys, %kn = attn_gpu.acquire %xring : !ring -> !keys
      %s = attn_tile.dot %q, %keys, %acc transpose_rhs : !query, !keys, !scores
      scf.yield %s : !scores
    }
    "test.use"(%sum, %r#1) : (!scores, !state) -> ()
  }, {
  ^bb0(%w: index):
    scf.for %j = %from to %n step %c64 {
      %j32 = arith.index_cast %j : index to i32
      attn_gpu.fill %kring from %map[%j32, %zero, %zero] : !ring
      attn_gpu.fill %vring from %map[%j32, %zero, %zero] : !ring
    }
    scf.for %j = %from to %n step %c64 {
      %j32 = arith.index_cast %j : index to i32
      attn_gpu.fill %xring from %map[%j32, %zero, %zero] : !ring
    }
  }
}

// -----

!query = tensor<128x64xf16>
!keys = tensor<64x64xf16, #attn_gpu.swizzled>
!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!scores = tensor<128x64xf32>
!probabilities = tensor<128x64xf16>

// Copies of a loop that carries something stay in their order: each ring has its own.
// CHECK-LABEL: attn_gpu.kernel @carried_copies(
// CHECK: %[[K:.+]] = attn_gpu.ring at 0
// CHECK: %[[V:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter_args(
// CHECK: attn_gpu.fill %[[K]]
// CHECK-NEXT: attn_gpu.fill %[[V]]
// CHECK: scf.yield
// CHECK-NOT: attn_gpu.fill
attn_gpu.kernel @carried_copies(%q: !query, %n: index, %map: !attn_nv.tensor_map, %zero: i32)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant dense<0.0> : !scores
  %kring = attn_gpu.ring at 0 barriers 65536 : !ring
  %vring = attn_gpu.ring at 16384 barriers 65568 : !ring
  attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %none) -> (!scores) {
      %keys, %kn = attn_gpu.acquire %kring : !ring -> !keys
      %values, %vn = attn_gpu.acquire %vring : !ring -> !keys
      %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
      %p = arith.truncf %s : !scores to !probabilities
      %o = attn_tile.dot %p, %values, %acc : !probabilities, !keys, !scores
      scf.yield %o : !scores
    }
    "test.use"(%r) : (!scores) -> ()
  }, {
  ^bb0(%w: index):
    %page = scf.for %j = %c0 to %n step %c64 iter_args(%at = %zero) -> (i32) {
      attn_gpu.fill %kring from %map[%at, %zero, %zero] : !ring
      attn_gpu.fill %vring from %map[%at, %zero, %zero] : !ring
      %next = arith.addi %at, %zero : i32
      scf.yield %next : i32
    }
  }
}

// -----

!array = memref<?x64xf16>
!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// Any number of MMAs: what a backward pass sums up over a block of keys. Two are
// awaited at once, two run late.
// CHECK-LABEL: attn_gpu.kernel @four(
// CHECK: scf.for
// CHECK: %[[S:.+]] = attn_gpu.mma
// CHECK: %[[DP:.+]] = attn_gpu.mma
// CHECK: %[[DV:.+]] = attn_gpu.mma
// CHECK: %[[DK:.+]] = attn_gpu.mma
// CHECK-NOT: attn_gpu.mma {{%.+}},
// CHECK: attn_gpu.mma_wait 3, %[[S]]
// CHECK: attn_gpu.mma_wait 2, %[[DP]]
// CHECK: attn_gpu.mma_wait 1, %[[DV]]
// CHECK: attn_gpu.mma_wait 0, %[[DK]]
// CHECK: scf.yield
// CHECK: attn_gpu.mma
// CHECK: attn_gpu.mma
// CHECK: attn_gpu.mma_wait 1
// CHECK: attn_gpu.mma_wait 0
attn_gpu.kernel @four(%q: !array, %do: !array, %k: !tile, %v: !tile, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant dense<0.0> : !scores
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%dk = %none, %dv = %none) -> (!scores, !scores) {
    %qi = attn_tile.load %q[%i, %c0] : !array -> !tile
    %doi = attn_tile.load %do[%i, %c0] : !array -> !tile
    %s = attn_tile.dot %k, %qi, %none transpose_rhs : !tile, !tile, !scores
    %dp = attn_tile.dot %v, %doi, %none transpose_rhs : !tile, !tile, !scores
    %p = math.exp2 %s : !scores
    %ds = arith.mulf %p, %dp : !scores
    %pb = arith.truncf %p : !scores to !tile
    %dsb = arith.truncf %ds : !scores to !tile
    %dv1 = attn_tile.dot %pb, %doi, %dv : !tile, !tile, !scores
    %dk1 = attn_tile.dot %dsb, %qi, %dk : !tile, !tile, !scores
    scf.yield %dk1, %dv1 : !scores, !scores
  }
  "test.use"(%r#0, %r#1) : (!scores, !scores) -> ()
}

// -----

!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// Without overlap, MMAs of a loop are awaited where they begin.
// CHECK-LABEL: attn_gpu.kernel @in_order(
// CHECK: scf.for
// CHECK: %[[S:.+]] = attn_gpu.mma %
// CHECK-NEXT: attn_gpu.mma_wait 0, %[[S]]
// CHECK: %[[O:.+]] = attn_gpu.mma %
// CHECK-NEXT: %[[DONE:.+]] = attn_gpu.mma_wait 0, %[[O]]
// CHECK-NEXT: scf.yield %[[DONE]]
attn_gpu.kernel @in_order(%a: !tile, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : !scores
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!scores) {
    %s = attn_tile.dot %a, %a, %none : !tile, !tile, !scores
    %p = arith.truncf %s : !scores to !tile
    %o = attn_tile.dot %p, %a, %sum : !tile, !tile, !scores
    scf.yield %o : !scores
  }
  "test.use"(%r) : (!scores) -> ()
}
