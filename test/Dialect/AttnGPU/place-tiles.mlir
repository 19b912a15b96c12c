// RUN: attn-opt %s -split-input-file -attn-gpu-place-tiles -verify-diagnostics | FileCheck %s

!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!swizzled = tensor<64x64xf16, #attn_gpu.swizzled>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!columns = tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>

// Tiles are placed after the launch's shared memory, at addresses where their layouts may begin.
// Both tiles are needed until their dots. Sums of columns are placed where the first tile was,
// since it was read before. Sums of rows need no shared memory.
// CHECK-LABEL: attn_gpu.kernel @place(
// CHECK-SAME: threads 128 shared 18432 {
// CHECK: attn_gpu.local_store %{{.+}} at 128 : {{.*}} -> tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
// CHECK: attn_gpu.local_store %{{.+}} at 10240 behind_barrier : {{.*}} -> tensor<64x64xf16, #attn_gpu.swizzled>
// CHECK-NOT: convert_layout
// CHECK: attn_tile.dot
// CHECK: attn_gpu.reduce_columns add %{{.+}} at 128 :
// CHECK: attn_tile.reduce add {{.*}} along 1
attn_gpu.kernel @place(%p: !mma, %a: !acc, %o: memref<?xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 shared 100 {
  %c0 = arith.constant 0 : index
  %0 = attn_gpu.convert_layout %p : !mma -> !shared
  %1 = attn_gpu.convert_layout %p : !mma -> !swizzled
  %2 = attn_tile.dot %0, %0, %a transpose_lhs : !shared, !shared, !acc
  %3 = attn_tile.dot %1, %1, %2 transpose_lhs : !swizzled, !swizzled, !acc
  %4 = attn_tile.reduce add %3 along 0 : !acc -> !columns
  attn_tile.store %4, %o[%c0] : !columns, memref<?xf32>
  %5 = attn_tile.reduce add %3 along 1 : !acc -> tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
  attn_tile.store %5, %o[%c0] : tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>, memref<?xf32>
}

// -----

!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>

// A tile of shared memory that the next iteration would read is overwritten by then.
attn_gpu.kernel @carried(%p: !mma)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{expected a tile in shared memory that MMAs of the same iteration read, found another use}}
  %0 = attn_gpu.convert_layout %p : !mma -> !shared
  // expected-note@below {{used here}}
  %1 = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %0) -> !shared {
    scf.yield %t : !shared
  }
}

// -----

!mma = tensor<1024x128xf16, #attn_gpu.mma<warps = 4>>
!shared = tensor<1024x128xf16, #attn_gpu.shared<padding = 16>>

// expected-error@below {{expected tiles that need at most 232448 bytes of shared memory on sm_90a, found 278528}}
attn_gpu.kernel @too_much(%p: !mma)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %0 = attn_gpu.convert_layout %p : !mma -> !shared
}

// -----

!mma = tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
!swizzled = tensor<128x64xf16, #attn_gpu.swizzled>
!acc = tensor<128x64xf32, #attn_gpu.mma<warps = 8>>

// All warps of a tile wait for each other: none may leave out steps of a loop in which they exchange a tile.
attn_gpu.kernel @skipped(%p: !mma, %b: tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring at 0 barriers 16384 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.skip %c1 of %ring : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error@below {{expected warpgroups that go through a loop together, since they exchange a tile, found some that leave out blocks which only others' rows need; one warpgroup can compute this}}
    %0 = attn_gpu.convert_layout %p : !mma -> !swizzled
    %1 = attn_tile.dot %0, %0, %b transpose_lhs : !swizzled, !swizzled, tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
  }
}

// -----

!mma = tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
!swizzled = tensor<128x64xf16, #attn_gpu.swizzled>

// All warps execute an exchange before a loop, even if some skip steps of the loop.
// CHECK-LABEL: attn_gpu.kernel @exchanged_before(
// CHECK: attn_gpu.local_store
// CHECK: attn_gpu.skip
// CHECK: scf.for
// CHECK-NOT: attn_gpu.local_store
attn_gpu.kernel @exchanged_before(%p: !mma, %b: tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring at 0 barriers 16384 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
  %0 = attn_gpu.convert_layout %p : !mma -> !swizzled
  attn_gpu.skip %c1 of %ring : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  scf.for %i = %c0 to %c1 step %c1 {
    %1 = attn_tile.dot %0, %0, %b transpose_lhs : !swizzled, !swizzled, tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
  }
}

// -----

!mma = tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
!swizzled = tensor<128x64xf16, #attn_gpu.swizzled>
!acc = tensor<128x64xf32, #attn_gpu.mma<warps = 8>>

// No warpgroup may wait at another place for one that waits for it here.
attn_gpu.kernel @ping_pong(%p: !mma, %a: tensor<64x64xf16, #attn_gpu.swizzled>, %b: tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 384 {
  attn_gpu.ping_pong_wait of 2
  // expected-error@below {{expected warpgroups that go through a loop together, since they exchange a tile, found some with ping-pong; one warpgroup can compute this}}
  %0 = attn_gpu.convert_layout %p : !mma -> !swizzled
  %1 = attn_tile.dot %0, %0, %b transpose_lhs : !swizzled, !swizzled, tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
}

// -----

!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!swizzled = tensor<64x64xf16, #attn_gpu.swizzled>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// The same kind of tile before a loop, in it and after it, with MMAs that end late: two tiles do
// not share memory if an MMA still reads one when the other is written. The memory of a tile that
// a loop reads is not used for others in the loop.
// CHECK-LABEL: attn_gpu.kernel @lifetimes(
// CHECK-SAME: shared 24576 {
// CHECK: attn_gpu.local_store %{{.+}} at 0 :
// CHECK: attn_gpu.local_store %{{.+}} at 8192 behind_barrier :
// CHECK: scf.for
// CHECK: attn_gpu.local_store %{{.+}} at 8192 :
// CHECK: attn_gpu.mma
// CHECK: attn_gpu.local_store %{{.+}} at 16384 behind_barrier :
// CHECK: scf.yield
// CHECK: attn_gpu.local_store %{{.+}} at 0 :
attn_gpu.kernel @lifetimes(%p: !mma, %a: !acc, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = attn_gpu.convert_layout %p : !mma -> !swizzled
  %0 = attn_gpu.convert_layout %p : !mma -> !swizzled
  %m0_ = attn_gpu.mma %0, %0, %a transpose_lhs : !swizzled, !swizzled, !acc
  %w0 = attn_gpu.mma_wait 0, %m0_ : !acc
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %w0) -> !acc {
    %1 = attn_gpu.convert_layout %p : !mma -> !swizzled
    %m1_ = attn_gpu.mma %1, %k, %acc transpose_lhs : !swizzled, !swizzled, !acc
    %2 = attn_gpu.convert_layout %p : !mma -> !swizzled
    %w1 = attn_gpu.mma_wait 0, %m1_ : !acc
    %m2_ = attn_gpu.mma %2, %k, %w1 transpose_lhs : !swizzled, !swizzled, !acc
    %w2 = attn_gpu.mma_wait 0, %m2_ : !acc
    scf.yield %w2 : !acc
  }
  %3 = attn_gpu.convert_layout %p : !mma -> !swizzled
  %m3_ = attn_gpu.mma %3, %3, %r transpose_lhs : !swizzled, !swizzled, !acc
  %w3 = attn_gpu.mma_wait 0, %m3_ : !acc
}

// -----

!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// In the first loop, both tiles have the same place. There is a barrier between the last read of
// this place, in the iteration before, and the store of the first tile, but none between the read
// of the first tile and the store of the second. The second loop has no barrier.
// CHECK-LABEL: attn_gpu.kernel @barriers(
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: attn_gpu.local_store %{{.+}} at 0 behind_barrier :
// CHECK: attn_gpu.local_store %{{.+}} at 0 :
// CHECK: scf.for
// CHECK: attn_gpu.local_store %{{.+}} at 0 :
// CHECK: attn_gpu.local_store %{{.+}} at 9216 behind_barrier :
attn_gpu.kernel @barriers(%p: !mma, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %a) -> !acc {
    gpu.barrier
    %0 = attn_gpu.convert_layout %p : !mma -> !shared
    %1 = attn_tile.dot %0, %0, %acc transpose_lhs : !shared, !shared, !acc
    %2 = arith.truncf %1 : !acc to !mma
    %3 = attn_gpu.convert_layout %2 : !mma -> !shared
    %4 = attn_tile.dot %3, %3, %1 transpose_lhs : !shared, !shared, !acc
    scf.yield %4 : !acc
  }
  // The second tile is at another address, and the barrier of the first store comes after the last
  // reads there.
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %r) -> !acc {
    %0 = attn_gpu.convert_layout %p : !mma -> !shared
    %1 = arith.truncf %acc : !acc to !mma
    %2 = attn_gpu.convert_layout %1 : !mma -> !shared
    %3 = attn_tile.dot %0, %2, %acc transpose_lhs : !shared, !shared, !acc
    scf.yield %3 : !acc
  }
  attn_tile.store %s, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

!probs = tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>
!swizzled = tensor<64x64xf16, #attn_gpu.swizzled>
!acc = tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
!values = tensor<64x128xf16, #attn_gpu.swizzled>
!bits = tensor<64xi1, #attn_gpu.slice<axis = 1, parent = <warps = 8, copies = 2>>>

// With roles, a vote of warps after the reads of the tile before is a barrier.
// CHECK-LABEL: attn_gpu.kernel @behind_vote(
// CHECK: attn_gpu.vote_warps
// CHECK: attn_gpu.local_store %{{.+}} behind_barrier
// CHECK-LABEL: attn_gpu.kernel @without_vote(
// CHECK: attn_gpu.local_store %{{.+}} at {{[0-9]+}} :
attn_gpu.kernel @behind_vote(%p: !probs, %v: !values, %a: !acc, %c: !bits, %o: memref<i1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, softmax = lazy, roles = producer_consumer> threads 384 {
  %any = attn_gpu.vote_warps %c : !bits
  memref.store %any, %o[] : memref<i1>
  %0 = attn_gpu.convert_layout %p : !probs -> !swizzled
  %1 = attn_gpu.mma %0, %v, %a : !swizzled, !values, !acc
  %2 = attn_gpu.mma_wait 0, %1 : !acc
}
attn_gpu.kernel @without_vote(%p: !probs, %v: !values, %a: !acc)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, softmax = lazy, roles = producer_consumer> threads 384 {
  %0 = attn_gpu.convert_layout %p : !probs -> !swizzled
  %1 = attn_gpu.mma %0, %v, %a : !swizzled, !values, !acc
  %2 = attn_gpu.mma_wait 0, %1 : !acc
}
