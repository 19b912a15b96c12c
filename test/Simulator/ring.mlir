// C = A B of 128x256 and 256x64 by two warpgroups, whose tiles a third copies to rings of
// two slots; then the same with a fault each, which is found at its op.

// DEFINE: %{run} = attnc run --target simulate --lowered %t.mlir random:1 random:2 random:3
// DEFINE: %{fault} = %python %inputs/fails.py

// RUN: cp %s %t.mlir
// RUN: %{run} | FileCheck %s
// RUN: %{run} --seed 2 | FileCheck %s
// RUN: %{run} --seed 3 | FileCheck %s
// RUN: %{run} --seed 4 | FileCheck %s
// CHECK: target     simulator, sm_90a, seed

// A release before the MMA that reads the tile has ended.
// RUN: sed -e '/LATE RELEASE/d' -e 's|// EARLY RELEASE||' %s > %t.mlir
// RUN: %{fault} "of CTA 0 releases tile 0 before an MMA that reads it has ended" %{run}

// A wait that leaves the MMA unfinished.
// RUN: sed 's/mma_wait 0/mma_wait 1/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.mma_wait' op waits until 1 MMAs are unfinished, of which its own may be one" %{run}

// A phase too far, of the reader and of the copy. The phase before a barrier's first counts
// as complete: with nothing there, a reader does not even wait.
// RUN: sed 's/acquire %rhs\[%i\]/acquire %rhs[%wrong]/' %s > %t.mlir
// RUN: %{fault} "tile 2" %{run}
// RUN: sed -e 's/acquire %rhs\[%i\]/acquire %rhs[%wrong]/' -e '/FIRST FILL/d' %s > %t.mlir
// RUN: %{fault} "of CTA 0 acquires tile 2, found slot 0, which is empty" %{run}
// RUN: sed 's/fill %rhs\[%i\]/fill %rhs[%wrong]/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op deadlock" %{run}

// Too few arrivals, since one is left out or one more is expected; too many.
// RUN: sed '/LATE RELEASE/d' %s > %t.mlir
// RUN: %{fault} "waits until slot 0 is free for tile 2: its barrier lacks 2 of 2 arrivals" %{run}
// RUN: sed 's/%rhs readers 2/%rhs readers 3/' %s > %t.mlir
// RUN: %{fault} "waits until slot 0 is free for tile 2: its barrier lacks 1 of 3 arrivals" %{run}
// RUN: sed 's/%rhs readers 2/%rhs readers 1/' %s > %t.mlir
// RUN: %{fault} "releases tile 0, found slot 0, which was released" %{run}
// RUN: sed 's|// SECOND RELEASE||' %s > %t.mlir
// RUN: %{fault} "releases tile 0 for the second time" %{run}

// Arrivals of warps where those of warpgroups are counted, and the reverse.
// RUN: sed 's/release %lhs\[%i\]/& each_warp/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.release' op expected no 'each_warp', as the ring has none" %{run}
// RUN: sed 's/ring at 0 barriers 65536/& each_warp/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.release' op expected 'each_warp', which the ring has" %{run}

// A second copy to a slot, and one less.
// RUN: sed 's|// SECOND FILL||' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op copies tile 0 to a slot that is not free" %{run}
// RUN: sed '/FIRST FILL/d' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op deadlock: warp 8 of CTA 0 waits until slot 0 is free for tile 2" %{run}
// RUN: %{run} 2> %t.err || FileCheck %s --check-prefix NONE --input-file %t.err
// NONE: note: warp 0 of CTA 0 and 7 more, each waits for tile 0 in slot 0: its barrier lacks 1 of 1 arrivals

// A tile that is read after its release.
// RUN: sed 's|// LATE READ||' %s > %t.mlir
// RUN: %{fault} "reads tile 0 of a ring after its release" %{run}

// Barriers that are not initialised, or that are used before that.
// RUN: sed '/init_ring %rhs/d' %s > %t.mlir
// RUN: %{fault} "expected a barrier that was prepared at byte" %{run}
// RUN: sed '/gpu.barrier/d' %s > %t.mlir
// RUN: %{fault} "expected a barrier that was prepared at byte" %{run}

// Boxes that are not the tile's.
// RUN: sed 's/box \[128, 64\]/box [64, 64]/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op expected a map of boxes [128, 64], found boxes [64, 64]" %{run}

// Slices: the whole array, and 64 rows, of which the second box contains none. TMA would read
// before the beginning of the array, or, with a map for such boxes, at its beginning.
// DEFINE: %{slices} = sed -e 's/%map_b = \(.*\) box \[64, 64\]/%map_b = \1 box [1, 64, 64] sliced 0/' -e 's|// SLICES||'
// RUN: %{slices} -e 's/from %map_b\[%column,/from %map_b[%i256, %column,/' %s > %t.mlir
// RUN: %{run} | FileCheck %s
// RUN: %{slices} -e 's/from %map_b\[%column,/from %map_b[%i64, %in_slice,/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op expected a box with an element, found one at [64, 256, 0] of [257, 256, 64] of a map that begins in front of its array" %{run}
// RUN: %{slices} -e 's/from %map_b\[%column,/from %of_box[%i64, %in_slice,/' -e 's|// EMPTY||' %s > %t.mlir
// RUN: %{run} | FileCheck %s
// RUN: sed -i 's/select %is_empty, %map_e, %map_b/select %is_empty, %map_b, %map_e/' %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op expected a box without an element, found one at [64, 192, 0] of [1, 256, 64] of a map for boxes that have none" %{run}
// So does a box past the last column.
// RUN: %{slices} -e 's/from %map_b\[%column, %i0\]/from %map_b[%i256, %column, %i64]/' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op expected a box with an element, found one at [256, 0, 64] of [257, 256, 64] of a map that begins in front of its array" %{run}

// An array that was not written.
// RUN: sed -e 's/args(%a, %b, %c)/args(%a, %own, %c)/' -e 's|// OWN||' %s > %t.mlir
// RUN: %{fault} "reads memory of the function at [0, 0] of a view of sizes [256, 64], which nobody has written" %{run}

// Stores without a wait for their end.
// RUN: sed '/finish_stores/d' %s > %t.mlir
// RUN: %{fault} "ends without a wait for its copy out of shared memory" %{run}

// An MMA that only one of four warps issues, and for which none waits.
// RUN: sed 's|// FEW WARPS||' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.mma' op expected all 4 warps of a warpgroup to issue an MMA, found 1 of them" %{run}
// An MMA whose rows are not 64 for each warpgroup.
// RUN: sed -e 's|// FEW ROWS||' -e '/FEW WARPS scf.if/d' -e 's|// FEW WARPS||' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.mma' op expected a result of 64 rows for each warpgroup" %{run}

// Turns of two: a wait without an arrival.
// RUN: sed 's|// NO TURN||' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op deadlock" %{run}
// RUN: %{run} 2> %t.err || FileCheck %s --check-prefix TURN --input-file %t.err
// TURN: ring.mlir{{.*}}:[[@LINE+44]]:{{[0-9]+}}: note: warp {{[0-7]}} of CTA 0 and 3 more, each waits at barrier {{8|9}}, where 128 of 256 threads are

// Only some warps meet, at a barrier for which warps expect different numbers of threads.
// RUN: sed 's|// ONE PART||' %s > %t.mlir
// RUN: %{fault} "'attn_gpu.fill' op deadlock" %{run}
// RUN: %{run} 2> %t.err || FileCheck %s --check-prefix PART --input-file %t.err
// PART: note: warp 4 of CTA 0 and 3 more, each waits at barrier 0, where 128 of 384 threads are

#mma = #attn_gpu.mma<warps = 8>
!lhs = tensor<128x64xf16, #attn_gpu.swizzled>
!rhs = tensor<64x64xf16, #attn_gpu.swizzled>
!sum = tensor<128x64xf32, #mma>
!output = tensor<128x64xf16, #mma>
module {
  attn_gpu.kernel @kernel(%a: memref<128x256xf16>, %b: memref<256x64xf16>, %c: memref<128x64xf16>)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 12, mma = mma_sync, copy = element> threads 384 shared 65600 {
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %i0 = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : !sum
    // EMPTY %map_e = attn_nv.encode_tensor_map %b box [1, 64, 64] sliced 0 empty : memref<256x64xf16>
    %map_a = attn_nv.encode_tensor_map %a box [128, 64] : memref<128x256xf16>
    %map_b = attn_nv.encode_tensor_map %b box [64, 64] : memref<256x64xf16>
    %map_c = attn_nv.encode_tensor_map %c box [64, 64] : memref<128x64xf16>
    %lhs = attn_gpu.ring at 0 barriers 65536 : <2, !lhs>
    %rhs = attn_gpu.ring at 32768 barriers 65568 : <2, !rhs>
    %is_first = arith.cmpi eq, %tx, %c0 : index
    scf.if %is_first {
      attn_gpu.init_ring %lhs readers 2 : <2, !lhs>
      attn_gpu.init_ring %rhs readers 2 : <2, !rhs>
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
    ^bb0(%warpgroup: index):
      %is_second = arith.cmpi eq, %warpgroup, %c1 : index
      // ONE PART scf.if %is_second { gpu.barrier }
      %product = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (!sum) {
        %i = arith.index_cast %k : index to i32
        %wrong = arith.addi %i, %i2 : i32
        // NO TURN attn_gpu.ping_pong_wait of 2
        %lhs_tile, %lhs_number = attn_gpu.acquire %lhs[%i] : <2, !lhs> -> !lhs
        %rhs_tile, %rhs_number = attn_gpu.acquire %rhs[%i] : <2, !rhs> -> !rhs
        %begun = attn_gpu.mma %lhs_tile, %rhs_tile, %acc : !lhs, !rhs, !sum
        // EARLY RELEASE attn_gpu.release %rhs[%i] : <2, !rhs>
        %next = attn_gpu.mma_wait 0, %begun : !sum
        attn_gpu.release %lhs[%i] : <2, !lhs>
        attn_gpu.release %rhs[%i] : <2, !rhs> // LATE RELEASE
        // SECOND RELEASE attn_gpu.release %rhs[%i] : <2, !rhs>
        // LATE READ %late = attn_gpu.convert_layout %lhs_tile : !lhs -> !output
        scf.yield %next : !sum
      }
      %output = arith.truncf %product : !sum to !output
      attn_gpu.store_async %output to %map_c[%i0, %i0] through 49152 : !output
      attn_gpu.finish_stores
      // FEW WARPS %c32 = arith.constant 32 : index
      // FEW WARPS %is_few = arith.cmpi ult, %tx, %c32 : index
      // FEW WARPS %zeros = arith.constant dense<0.0> : tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>
      // FEW WARPS %own = attn_gpu.local_store %zeros at 49152 : tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>> -> !rhs
      // FEW WARPS scf.if %is_few { %few = attn_gpu.mma %output, %own, %zero : !output, !rhs, !sum }
      // FEW ROWS %none = arith.constant dense<0.0> : tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 4>>
      // FEW ROWS %few = attn_gpu.mma %own, %own, %none : !rhs, !rhs, tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 4>>
    }, {
    ^bb0(%warpgroup: index):
      scf.for %k = %c0 to %c4 step %c1 {
        %i = arith.index_cast %k : index to i32
        %wrong = arith.addi %i, %i2 : i32
        %position = arith.muli %k, %c64 : index
        %column = arith.index_cast %position : index to i32
        // SLICES %i64 = arith.constant 64 : i32
        // SLICES %i256 = arith.constant 256 : i32
        // SLICES %others = arith.subi %i256, %i64 : i32
        // SLICES %in_slice = arith.addi %others, %column : i32
        // EMPTY %is_empty = arith.cmpi sge, %in_slice, %i256 : i32
        // EMPTY %of_box = arith.select %is_empty, %map_e, %map_b : !attn_nv.tensor_map
        attn_gpu.fill %lhs[%i] from %map_a[%i0, %column] : <2, !lhs>
        attn_gpu.fill %rhs[%i] from %map_b[%column, %i0] : <2, !rhs> // FIRST FILL
        // SECOND FILL attn_gpu.fill %rhs[%i] from %map_b[%column, %i0] : <2, !rhs>
      }
    }
  }
  func.func @main(%a: memref<128x256xf16>, %b: memref<256x64xf16>, %c: memref<128x64xf16>) {
    %c1 = arith.constant 1 : index
    // OWN %own = memref.alloc() : memref<256x64xf16>
    attn_gpu.launch @kernel blocks %c1 args(%a, %b, %c)
        : memref<128x256xf16>, memref<256x64xf16>, memref<128x64xf16>
    return
  }
}
