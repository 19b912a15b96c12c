// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-place-releases | FileCheck %s
// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-place-releases -attn-gpu-place-releases | FileCheck %s

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32>

// Each tile is released after the wait for the last MMA that reads it; other ops have read a tile
// when they have run. A tile that has a release already keeps it.
// CHECK-LABEL: attn_gpu.kernel @readers(
// CHECK: %[[A:.+]] = attn_gpu.ring at 0
// CHECK: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK: %[[X:.+]], %[[NX:.+]] = attn_gpu.acquire %[[A]]
// CHECK-NEXT: %[[Y:.+]], %[[NY:.+]] = attn_gpu.acquire %[[B]]
// CHECK-NEXT: %[[FIRST:.+]] = attn_gpu.mma %[[X]], %[[Y]],
// CHECK-NEXT: %[[SECOND:.+]] = attn_gpu.mma %[[X]], %[[X]],
// CHECK-NEXT: attn_gpu.mma_wait 1, %[[FIRST]]
// CHECK-NEXT: attn_gpu.release %[[B]][%[[NY]]] :
// CHECK-NEXT: attn_gpu.mma_wait 0, %[[SECOND]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NX]]] :
// CHECK-NEXT: %[[Z:.+]], %[[NZ:.+]] = attn_gpu.acquire %[[A]]
// CHECK-NEXT: attn_tile.dot %[[Z]], %[[Z]],
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NZ]]] :
// CHECK-NEXT: "test.other"
// CHECK-NEXT: %{{.+}}, %[[NW:.+]] = attn_gpu.acquire %[[A]]
// CHECK-NEXT: attn_gpu.sync_warpgroup
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NW]]] :
// CHECK-NEXT: %{{.+}}, %[[NV:.+]] = attn_gpu.acquire %[[A]]
// CHECK-NEXT: "test.other"
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NV]]] :
// CHECK-NOT: attn_gpu.release
attn_gpu.kernel @readers(%zero: !scores) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 : !ring
  %x, %nx = attn_gpu.acquire %a : !ring -> !tile
  %y, %ny = attn_gpu.acquire %b : !ring -> !tile
  %0 = attn_gpu.mma %x, %y, %zero : !tile, !tile, !scores
  %1 = attn_gpu.mma %x, %x, %zero : !tile, !tile, !scores
  %2 = attn_gpu.mma_wait 1, %0 : !scores
  %3 = attn_gpu.mma_wait 0, %1 : !scores
  %z, %nz = attn_gpu.acquire %a : !ring -> !tile
  %4 = attn_tile.dot %z, %z, %zero : !tile, !tile, !scores
  "test.other"() : () -> ()
  %unread, %nw = attn_gpu.acquire %a : !ring -> !tile
  %released, %nv = attn_gpu.acquire %a : !ring -> !tile
  "test.other"() : () -> ()
  attn_gpu.release %a[%nv] : !ring
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32>

// A tile that a loop reads in each iteration is released after the loop. A tile that an iteration
// acquires is released in the iteration, before an MMA that is still running.
// CHECK-LABEL: attn_gpu.kernel @loop(
// CHECK: %[[A:.+]] = attn_gpu.ring at 0
// CHECK: %[[B:.+]] = attn_gpu.ring at 16384
// CHECK: %[[X:.+]], %[[NX:.+]] = attn_gpu.acquire %[[A]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[Y:.+]], %[[NY:.+]] = attn_gpu.acquire %[[B]]
// CHECK-NEXT: %[[FIRST:.+]] = attn_gpu.mma %[[X]], %[[Y]],
// CHECK-NEXT: %[[SECOND:.+]] = attn_gpu.mma
// CHECK-NEXT: attn_gpu.mma_wait 1, %[[FIRST]]
// CHECK-NEXT: attn_gpu.release %[[B]][%[[NY]]] :
// CHECK-NEXT: attn_gpu.mma_wait 0, %[[SECOND]]
// CHECK-NOT: attn_gpu.release
// A loop without iterations has no MMA to keep the warps together.
// CHECK: }
// CHECK-NEXT: attn_gpu.sync_warpgroup
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NX]]] :
// CHECK-NOT: attn_gpu.release
attn_gpu.kernel @loop(%zero: !scores, %p: tensor<64x64xf16>, %n: index) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = attn_gpu.ring at 0 barriers 32768 : !ring
  %b = attn_gpu.ring at 16384 barriers 32800 : !ring
  %x, %nx = attn_gpu.acquire %a : !ring -> !tile
  scf.for %i = %c0 to %n step %c1 {
    %y, %ny = attn_gpu.acquire %b : !ring -> !tile
    %0 = attn_gpu.mma %x, %y, %zero : !tile, !tile, !scores
    %1 = attn_gpu.mma %p, %x, %zero : tensor<64x64xf16>, !tile, !scores
    %2 = attn_gpu.mma_wait 1, %0 : !scores
    %3 = attn_gpu.mma_wait 0, %1 : !scores
  }
  "test.other"() : () -> ()
}

// -----

!ring = !attn_gpu.ring<1, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!registers = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!scores = tensor<64x64xf32>

// A tile that is copied to registers is released after the copy, whatever reads the registers.
// CHECK-LABEL: attn_gpu.kernel @copied(
// CHECK: %[[A:.+]] = attn_gpu.ring at 0
// CHECK: %[[X:.+]], %[[NX:.+]] = attn_gpu.acquire %[[A]]
// CHECK-NEXT: %[[R:.+]] = attn_gpu.convert_layout %[[X]]
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NX]]] each_warp :
// CHECK-NEXT: "test.other"
// CHECK-NOT: attn_gpu.release

// CHECK-LABEL: attn_gpu.kernel @in_loop(
// CHECK: %[[X:.+]], %[[NX:.+]] = attn_gpu.acquire %[[A:.+]] :
// CHECK-NOT: attn_gpu.release
// CHECK: scf.for
// CHECK-NOT: attn_gpu.release
// CHECK: }
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NX]]] each_warp :
// CHECK-NEXT: "test.other"
attn_gpu.kernel @copied(%zero: !scores, %k: !tile) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %a = attn_gpu.ring at 0 barriers 32768 each_warp : !ring
  %x, %nx = attn_gpu.acquire %a : !ring -> !tile
  %r = attn_gpu.convert_layout %x : !tile -> !registers
  "test.other"() : () -> ()
  %0 = attn_gpu.mma %r, %k, %zero : !registers, !tile, !scores
  %1 = attn_gpu.mma_wait 0, %0 : !scores
  %2 = attn_gpu.mma %r, %k, %zero : !registers, !tile, !scores
  %3 = attn_gpu.mma_wait 0, %2 : !scores
}
attn_gpu.kernel @in_loop(%zero: !scores, %k: !tile, %n: index) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = attn_gpu.ring at 0 barriers 32768 each_warp : !ring
  %x, %nx = attn_gpu.acquire %a : !ring -> !tile
  scf.for %i = %c0 to %n step %c1 {
    %r = attn_gpu.convert_layout %x : !tile -> !registers
    %0 = attn_gpu.mma %r, %k, %zero : !registers, !tile, !scores
    %1 = attn_gpu.mma_wait 0, %0 : !scores
  }
  "test.other"() : () -> ()
}
// -----

!ring = !attn_gpu.ring<1, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!registers = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!scores = tensor<64x64xf32>

// A tile whose place an output takes is released when that was stored, at the end of the
// program. One that is copied and read in place as well is read by both.
// CHECK-LABEL: attn_gpu.kernel @overlaid(
// CHECK: attn_gpu.for_tiles
// CHECK-NEXT: %[[X:.+]], %[[NX:.+]] = attn_gpu.acquire %[[A:.+]] :
// CHECK-NOT: attn_gpu.release
// CHECK: attn_gpu.mma_wait
// CHECK-NEXT: attn_gpu.store_async
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NX]]] :
// CHECK-NEXT: }

// CHECK-LABEL: attn_gpu.kernel @copied_and_read(
// CHECK: %[[X:.+]], %[[NX:.+]] = attn_gpu.acquire %[[A:.+]] :
// CHECK-NOT: attn_gpu.release
// CHECK: attn_gpu.mma_wait
// CHECK: attn_gpu.mma_wait
// CHECK-NEXT: attn_gpu.release %[[A]][%[[NX]]] each_warp :
// CHECK-NEXT: "test.other"
// CHECK-NEXT: }
attn_gpu.kernel @overlaid(%zero: !scores, %o: !registers, %map: !attn_nv.tensor_map, %i: i32, %n: index) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %a = attn_gpu.ring at 0 barriers 32768 overlaid : !ring
  attn_gpu.for_tiles %t of %n {
    %x, %nx = attn_gpu.acquire %a : !ring -> !tile
    %0 = attn_gpu.mma %x, %x, %zero : !tile, !tile, !scores
    %1 = attn_gpu.mma_wait 0, %0 : !scores
    attn_gpu.store_async %o to %map[%i, %i, %i] through 0 wait : !registers
  }
}
attn_gpu.kernel @copied_and_read(%zero: !scores) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %a = attn_gpu.ring at 0 barriers 32768 each_warp : !ring
  %x, %nx = attn_gpu.acquire %a : !ring -> !tile
  %r = attn_gpu.convert_layout %x : !tile -> !registers
  %0 = attn_gpu.mma %r, %x, %zero : !registers, !tile, !scores
  %1 = attn_gpu.mma_wait 0, %0 : !scores
  %2 = attn_gpu.mma %x, %x, %zero : !tile, !tile, !scores
  %3 = attn_gpu.mma_wait 0, %2 : !scores
  "test.other"() : () -> ()
}

// -----

!ring = !attn_gpu.ring<3, tensor<64x64xf16, #attn_gpu.swizzled>>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32>

// A tile that a loop carries to its next iteration is released there, by its number, which the loop
// also carries; the last one is released after the loop.
// CHECK-LABEL: attn_gpu.kernel @carried(
// CHECK: %[[RING:.+]] = attn_gpu.ring
// CHECK-NEXT: %[[FIRST:.+]], %[[N0:.+]] = attn_gpu.acquire %[[RING]]
// CHECK-NOT: attn_gpu.release
// CHECK: %[[LOOP:.+]]:3 = scf.for {{.+}} iter_args(%[[BEFORE:.+]] = %[[FIRST]], %[[SUM:.+]] = %{{.+}}, %[[N:.+]] = %[[N0]])
// CHECK-NEXT: %[[OWN:.+]], %[[NEXT:.+]] = attn_gpu.acquire %[[RING]]
// CHECK-NEXT: %[[MMA:.+]] = attn_gpu.mma %[[OWN]], %[[BEFORE]],
// CHECK-NEXT: attn_gpu.mma_wait 0, %[[MMA]]
// CHECK-NEXT: attn_gpu.release %[[RING]][%[[N]]]
// CHECK-NEXT: scf.yield %[[OWN]], %{{.+}}, %[[NEXT]]
// CHECK: %[[LAST:.+]] = attn_gpu.mma %[[LOOP]]#0, %[[LOOP]]#0,
// CHECK-NEXT: attn_gpu.mma_wait 0, %[[LAST]]
// CHECK-NEXT: attn_gpu.release %[[RING]][%[[LOOP]]#2]
// CHECK-NOT: attn_gpu.release
attn_gpu.kernel @carried(%zero: !scores, %n: index) target <chip = "sm_90a">
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring at 0 barriers 32768 : !ring
  %first, %n0 = attn_gpu.acquire %ring : !ring -> !tile
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first, %sum = %zero) -> (!tile, !scores) {
    %own, %next = attn_gpu.acquire %ring : !ring -> !tile
    %0 = attn_gpu.mma %own, %before, %sum : !tile, !tile, !scores
    %1 = attn_gpu.mma_wait 0, %0 : !scores
    scf.yield %own, %1 : !tile, !scores
  }
  %2 = attn_gpu.mma %r#0, %r#0, %r#1 : !tile, !tile, !scores
  %3 = attn_gpu.mma_wait 0, %2 : !scores
  "test.use"(%3) : (!scores) -> ()
}
