// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-pipeline -verify-diagnostics

!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// A sum of products, each of which waits for the one before.
attn_gpu.kernel @alone(%a: !tile, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : !scores
  // expected-remark@below {{no overlap with the next iteration: no MMA of the loop can run beside what another needs}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!scores) {
    %o = attn_tile.dot %a, %a, %sum : !tile, !tile, !scores
    scf.yield %o : !scores
  }
  "test.use"(%r) : (!scores) -> ()
}

// -----

!tile = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!shared = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// The next iteration would write what an MMA of this one still reads.
attn_gpu.kernel @exchanged(%a: !shared, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, overlap = true> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : !scores
  // expected-remark@below {{no overlap with the next iteration: an MMA reads a tile of shared memory that each iteration writes}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!scores) {
    %s = attn_tile.dot %a, %a, %none : !shared, !shared, !scores
    %p = arith.truncf %s : !scores to !tile
    %put = attn_gpu.convert_layout %p : !tile -> !shared
    %o = attn_tile.dot %put, %a, %sum transpose_lhs : !shared, !shared, !scores
    scf.yield %o : !scores
  }
  "test.use"(%r) : (!scores) -> ()
}

// -----

!tile = tensor<64x128xf16, #attn_gpu.mma<warps = 4>>
!whole = tensor<64x128xf16, #attn_gpu.swizzled>
!shared = tensor<64x64xf16, #attn_gpu.swizzled>
!wide = tensor<64x128xf32, #attn_gpu.mma<warps = 4>>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// The same, where the MMA reads only columns of the tile.
attn_gpu.kernel @exchanged_columns(%a: !whole, %b: !shared, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 128, warps = 4, mma = wgmma, copy = cp_async, overlap = true> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0.0> : !wide
  %none = arith.constant dense<0.0> : !scores
  // expected-remark@below {{no overlap with the next iteration: an MMA reads a tile of shared memory that each iteration writes}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!scores) {
    %s = attn_tile.dot %b, %a, %zeros : !shared, !whole, !wide
    %p = arith.truncf %s : !wide to !tile
    %put = attn_gpu.convert_layout %p : !tile -> !whole
    %columns = attn_gpu.columns %put from 64 : !whole -> !shared
    %o = attn_tile.dot %columns, %b, %sum transpose_lhs : !shared, !shared, !scores
    scf.yield %o : !scores
  }
  "test.use"(%r) : (!scores) -> ()
}

// -----

!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// expected-remark@below {{no overlap: MMAs of mma_sync are synchronous}}
attn_gpu.kernel @synchronous(%a: !tile, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, overlap = true> threads 128 {
  %none = arith.constant dense<0.0> : !scores
  %r = attn_tile.dot %a, %a, %none : !tile, !tile, !scores
  "test.use"(%r) : (!scores) -> ()
}

// -----

!tile = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// Nobody waits for another, but MMAs overlap.
// expected-remark@below {{no ping_pong: without roles, warpgroups wait for each other in each iteration}}
attn_gpu.kernel @no_ping_pong(%a: !tile)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, overlap = true, ping_pong = true> threads 128 {
  %none = arith.constant dense<0.0> : !scores
  %r = attn_tile.dot %a, %a, %none : !tile, !tile, !scores
  "test.use"(%r) : (!scores) -> ()
}

// -----

!tile = tensor<64x256xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!left = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!right = tensor<64x256xf16, #attn_gpu.swizzled>
!sum = tensor<64x256xf32, #attn_gpu.mma<warps = 4>>

// 128 registers of a thread for each sum alone.
attn_gpu.kernel @registers(%a: !tile, %b: !right, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : !scores
  %zero = arith.constant dense<0.0> : !sum
  // expected-remark@below {{no overlap with the next iteration: registers do not hold what MMAs of both would accumulate}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (!sum, !sum) {
    %s = attn_tile.dot %a, %a, %none transpose_rhs : !tile, !tile, !scores
    %p = arith.truncf %s : !scores to !left
    %0 = attn_tile.dot %p, %b, %x : !left, !right, !sum
    %1 = attn_tile.dot %p, %b, %y : !left, !right, !sum
    scf.yield %0, %1 : !sum, !sum
  }
  "test.use"(%r#0, %r#1) : (!sum, !sum) -> ()
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
!keys = tensor<64x64xf16, #attn_gpu.swizzled>
!query = tensor<64x64xf16>
!scores = tensor<64x64xf32>

// The producer copies in the order of the consumers' waits only what all consumers wait for, and in
// loops that carry nothing.
attn_gpu.kernel @copies(%q: !query, %n: index, %map: !attn_nv.tensor_map, %zero: i32)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : !scores
  %k = attn_gpu.ring at 0 barriers 65536 : !ring
  %v = attn_gpu.ring at 16384 barriers 65568 : !ring
  %other = attn_gpu.ring at 32768 barriers 65600 : !ring
  attn_gpu.roles warpgroups [1, 1] registers [232, 40] elected [false, true] {
  ^bb0(%w: index):
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %none) -> (!scores) {
      %keys, %kn = attn_gpu.acquire %k : !ring -> !keys
      %values, %vn = attn_gpu.acquire %v : !ring -> !keys
      %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
      %p = arith.truncf %s : !scores to !query
      %o = attn_tile.dot %p, %values, %acc : !query, !keys, !scores
      scf.yield %o : !scores
    }
    "test.use"(%r) : (!scores) -> ()
  }, {
  ^bb0(%w: index):
    // expected-remark@below {{copies in the order of the program: it also fills rings of other roles than the consumers}}
    scf.for %j = %c0 to %n step %c1 {
      %j32 = arith.index_cast %j : index to i32
      attn_gpu.fill %k from %map[%j32, %zero, %zero] : !ring
      attn_gpu.fill %v from %map[%j32, %zero, %zero] : !ring
      attn_gpu.fill %other from %map[%j32, %zero, %zero] : !ring
    }
    // expected-remark@below {{copies in the order of the program: the loop carries values}}
    %next = scf.for %j = %c0 to %n step %c1 iter_args(%at = %zero) -> (i32) {
      attn_gpu.fill %k from %map[%at, %zero, %zero] : !ring
      attn_gpu.fill %v from %map[%at, %zero, %zero] : !ring
      %sum = arith.addi %at, %at : i32
      scf.yield %sum : i32
    }
  }
}
