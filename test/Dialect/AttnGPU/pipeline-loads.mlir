// RUN: attn-opt %s -split-input-file -allow-unregistered-dialect -attn-gpu-pipeline-loads \
// RUN:   | FileCheck %s --implicit-check-not=memref.subview --implicit-check-not=memref.view

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// Three slots: copies run two steps ahead. Each step has its own group of copies, which is empty if
// there is no such step, and a wait leaves one group unfinished. The loop carries the number of its
// step. Steps use the slots in turn, and a copy goes to the slot that the previous step has read.
// The ring has no barriers, and nothing prepares or releases its slots: all threads copy and read
// together.
// CHECK-LABEL: attn_gpu.kernel @three(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[A:[^:]+]]: memref<?x64xf16>
// CHECK-SAME: shared 27648 {
// CHECK: %[[RING:.+]] = attn_gpu.ring at 0 each_warp : <3, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
// CHECK-NOT: attn_gpu.{{init_ring|release}}
// CHECK: %[[HAS:.+]] = arith.cmpi slt, %{{.+}}, %[[N]]
// CHECK-NEXT: scf.if %[[HAS]] {
// CHECK-NEXT: attn_gpu.fill %[[RING]][%c0_i32] of %[[A]][{{.*}}] aligned :
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: %[[SECOND:.+]] = arith.addi
// CHECK: %[[HAS:.+]] = arith.cmpi slt, %[[SECOND]], %[[N]]
// CHECK-NEXT: scf.if %[[HAS]] {
// CHECK-NEXT: attn_gpu.fill %[[RING]][%c1_i32] of %[[A]][%[[SECOND]],
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NOT: attn_gpu.{{fill|init_ring|release}}
// CHECK: scf.for %[[J:[a-z0-9]+]] = {{.*}} iter_args({{.*}}, %[[STEP:[a-z0-9]+]] = %c0_i32{{[_0-9]*}})
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[AHEAD:.+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[TARGET:.+]] = arith.addi %[[STEP]], %[[AHEAD]]
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[J]],
// CHECK-NEXT: %[[IS:.+]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK-NEXT: attn_gpu.fill %[[RING]][%[[TARGET]]] of %[[A]][%[[NEXT]],
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: attn_gpu.acquire %[[RING]][%[[STEP]]]
// CHECK: attn_tile.dot
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[FOLLOWING:.+]] = arith.addi %[[STEP]], %[[ONE]]
// CHECK-NEXT: scf.yield %{{.+}}, %[[FOLLOWING]]
// CHECK-NOT: {{gpu.barrier|attn_gpu.release}}
attn_gpu.kernel @three(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 3> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// CHECK-LABEL: attn_gpu.kernel @eight(
// CHECK: attn_gpu.ring at 0 each_warp : <8, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
// CHECK-COUNT-7: attn_gpu.fill
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 6
// CHECK-NEXT: gpu.barrier
attn_gpu.kernel @eight(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 8> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.swizzled>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// wgmma reads through another proxy, for which each thread's copies are fenced before all
// wait for each other. Tiles lie in panels, without padding.
// CHECK-LABEL: attn_gpu.kernel @swizzled(
// CHECK-SAME: shared 16384 {
// CHECK: %[[RING:.+]] = attn_gpu.ring at 0 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.fill %[[RING]][%{{.+}}] of {{.*}} aligned :
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: gpu.barrier
attn_gpu.kernel @swizzled(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// If a load's position is any expression of the step, that expression is evaluated for the later
// step. Before the copies for the CTA's next work tile, a barrier waits until all warps have left
// the last one; the number of the next work tile lies after the slots in shared memory.
// CHECK-LABEL: attn_gpu.kernel @tiles(
// CHECK-SAME: shared 27776 {
// CHECK: attn_gpu.for_tiles {{.*}} broadcast 27648 {
// CHECK-NEXT: gpu.barrier
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]],
// CHECK: scf.if
// CHECK-NEXT: %[[BEFORE:.+]] = arith.subi %[[NEXT]],
// CHECK-NEXT: attn_gpu.fill %{{.+}}[%{{.+}}] of %{{.+}}[%[[BEFORE]],
attn_gpu.kernel @tiles(%a: !array, %n: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, scheduler = dynamic> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !acc
  attn_gpu.begin
  attn_gpu.for_tiles %t of %n counters %counters {
    %q = attn_tile.load %a[%t, %c0] : !array -> !shared
    %r = scf.for %i = %c64 to %n step %c64 iter_args(%acc = %zero) -> !acc {
      %before = arith.subi %i, %c64 : index
      %k = attn_tile.load %a[%before, %c0] : !array -> !shared
      %o = attn_tile.dot %q, %k, %acc transpose_rhs : !shared, !shared, !acc
      scf.yield %o : !acc
    }
    %rounded = arith.truncf %r : !acc to !mma
    attn_tile.store %rounded, %a[%t, %c0] : !mma, !array
  }
}

// -----

!pool = memref<?x32x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// Parts of a tile go to rows of one slot.
// CHECK-LABEL: attn_gpu.kernel @parts(
// CHECK-SAME: %[[POOL:[^:]+]]: memref<?x32x64xf16>, %[[A:[^:]+]]: index, %[[B:[^:]+]]: index
// CHECK: %[[ZERO:.+]] = arith.constant 0 : index
// CHECK: %[[RING:.+]] = attn_gpu.ring at 0 each_warp : <1, tensor<64x64xf16,
// CHECK: attn_gpu.fill %[[RING]][%{{.+}}] of %[[POOL]], %[[POOL]][%[[A]], %[[ZERO]], %[[ZERO]], %[[B]], %[[ZERO]], %[[ZERO]]] parts 2 aligned
// CHECK-NEXT: nvvm.cp.async.commit.group
attn_gpu.kernel @parts(%pool: !pool, %a: index, %b: index, %q: !mma, %acc: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  attn_gpu.begin
  %t = attn_tile.load %pool[%a, %c0, %c0], %pool[%b, %c0, %c0] : !pool -> !shared
  %s = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
  attn_tile.store %s, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// A tile that only the steps of a loop read is waited for together with the tiles of the first
// step. After the loop, which may have no steps, no copy is still running.
// CHECK-LABEL: attn_gpu.kernel @read_in_steps(
// CHECK: attn_gpu.fill
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.cp.async.wait.group
// CHECK: attn_gpu.fill
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-2: attn_tile.dot
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NOT: nvvm.cp.async.wait.group
// A tile that another op also reads is waited for at once.
// CHECK-LABEL: attn_gpu.kernel @read_before(
// CHECK: attn_gpu.fill
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: attn_tile.dot
// CHECK: scf.for
attn_gpu.kernel @read_in_steps(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  %q = attn_tile.load %k[%c0, %c0] : !array -> !shared
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %s = attn_tile.dot %q, %t, %acc transpose_rhs : !shared, !shared, !acc
    %next = attn_tile.dot %q, %t, %s : !shared, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}
attn_gpu.kernel @read_before(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  %q = attn_tile.load %k[%c0, %c0] : !array -> !shared
  %first = attn_tile.dot %q, %q, %a : !shared, !shared, !acc
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %first) -> !acc {
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc : !shared, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

// A vector of the workspace is a row of its own, aligned whatever the arrays are.
// CHECK-LABEL: attn_gpu.kernel @vector(
// CHECK-SAME: %[[ALL:[^ :]+]]: memref<?x64xf32>) target
// CHECK: %[[V:.+]] = attn_gpu.ring at 0 each_warp : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
// CHECK: %[[K:.+]] = attn_gpu.ring at 512 each_warp : <2, tensor<64x64xf16,
// CHECK: attn_gpu.fill %[[V]][%{{.+}}] of %[[ALL]]{{.*}} aligned : <2, tensor<64xf32, {{.*}}, memref<?x64xf32>
// CHECK-NEXT: attn_gpu.fill %[[K]][%{{.+}}] of %{{[a-z0-9]+}}[{{[^]]*}}] :
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: attn_gpu.fill %[[V]][%{{.+}}] of %[[ALL]]{{.*}} aligned
// CHECK-NEXT: attn_gpu.fill %[[K]][%{{.+}}] of %{{[a-z0-9]+}}[{{[^]]*}}] : {{.*}}, memref<?x64xf16>
// CHECK: nvvm.cp.async.commit.group
// CHECK: attn_gpu.acquire %[[V]][%{{.+}}] : {{.*}} -> tensor<64xf32, #attn_gpu.shared<padding = 0>>
!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!columns = tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
attn_gpu.kernel @vector(%n: index, %blocks: index, %k: !array, %a: !acc, %o: memref<?x64xf32>, %biases: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.array %biases sizes(%blocks) workspace : memref<?x64xf32>
  attn_gpu.begin
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %block = arith.divui %j, %c64 : index
    %v = attn_tile.load %biases[%block, %c0] : memref<?x64xf32> -> tensor<64xf32, #attn_gpu.shared<padding = 0>>
    %own = attn_gpu.convert_layout %v : tensor<64xf32, #attn_gpu.shared<padding = 0>> -> !columns
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %of = attn_tile.broadcast %own along 0 : !columns -> !acc
    %from = arith.addf %acc, %of : !acc
    %next = attn_tile.dot %q, %t, %from transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

// A program that ends with the loop which reads a tile: the copy of a program without
// steps is waited for all the same. The body of for_tiles has no terminator.
!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
// CHECK-LABEL: attn_gpu.kernel @last_loop(
// CHECK: attn_gpu.for_tiles
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group
// CHECK: "test.use"
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: }
attn_gpu.kernel @last_loop(%n: index, %tiles: index, %q: !array, %k: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 3, scheduler = persistent> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  attn_gpu.for_tiles %i of %tiles {
    %qi = attn_tile.load %q[%i, %c0] : !array -> !shared
    scf.for %j = %c0 to %n step %c64 {
      %kj = attn_tile.load %k[%j, %c0] : !array -> !shared
      "test.use"(%qi, %kj) : (!shared, !shared) -> ()
    }
  }
}

// -----

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// A loop over a list of blocks: the block of a later step is read for its copy, where there
// is such a step. The list has no entry for others.
// CHECK-LABEL: attn_gpu.kernel @list(
// CHECK-SAME: %[[N:[^:]+]]: index, %[[A:[^:]+]]: memref<?x64xf16>, %[[LIST:[^:]+]]: memref<?xi32>
// CHECK: %[[RING:.+]] = attn_gpu.ring at 0 each_warp : <3,
// CHECK: scf.if
// CHECK-NEXT: memref.load %[[LIST]][
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: %[[ROW:.+]] = arith.muli
// CHECK-NEXT: attn_gpu.fill %[[RING]][%{{.+}}] of %[[A]][%[[ROW]],
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.if
// CHECK-NEXT: memref.load %[[LIST]][
// CHECK: attn_gpu.fill %[[RING]][%{{.+}}] of
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.+]] = arith.addi %[[J]],
// CHECK-NEXT: %[[IS:.+]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK-NEXT: %[[BLOCK:.+]] = memref.load %[[LIST]][%[[NEXT]]]
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[BLOCK]]
// CHECK-NEXT: %[[ROW:.+]] = arith.muli %[[INDEX]],
// CHECK-NEXT: attn_gpu.fill %[[RING]][%{{.+}}] of %[[A]][%[[ROW]],
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
attn_gpu.kernel @list(%n: index, %k: !array, %list: memref<?xi32>, %q: !mma, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 3> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  attn_gpu.begin
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %a) -> !acc {
    %block = memref.load %list[%j] : memref<?xi32>
    %number = arith.index_cast %block : i32 to index
    %row = arith.muli %number, %c64 : index
    %t = attn_tile.load %k[%row, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// A kernel that writes the list, here through a view, may change what a later step reads.
// Therefore a step's copy begins in that step, and the ring has one slot.
// CHECK-LABEL: attn_gpu.kernel @written_list(
// CHECK: %[[RING:.+]] = attn_gpu.ring at 0 each_warp : <1,
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK-NEXT: memref.load %{{.+}}[%[[J]]]
// CHECK: %[[ROW:.+]] = arith.muli
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[FIRST:.+]] = arith.constant 0 : i32
// CHECK-NEXT: attn_gpu.fill %[[RING]][%{{.+}}] of %{{.+}}[%[[ROW]],
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: attn_gpu.acquire %[[RING]][%[[FIRST]]]
// CHECK-NOT: attn_gpu.fill
attn_gpu.kernel @written_list(%n: index, %k: !array, %list: memref<?xi32>, %q: !mma, %a: !acc, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 3> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  attn_gpu.begin
  %same = memref.cast %list : memref<?xi32> to memref<?xi32, strided<[?], offset: ?>>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %a) -> !acc {
    %block = memref.load %list[%j] : memref<?xi32>
    %number = arith.index_cast %block : i32 to index
    %row = arith.muli %number, %c64 : index
    %t = attn_tile.load %k[%row, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  memref.store %zero, %same[%c0] : memref<?xi32, strided<[?], offset: ?>>
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}
