// RUN: attn-opt %s -split-input-file -allow-unregistered-dialect -attn-gpu-set-target=chip=sm_90a -attn-gpu-pipeline-loads | FileCheck %s

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// Three slots: copies are two steps ahead, each step's in a group of its own, which is
// empty where there is no such step. A wait leaves one group unfinished. A slot follows
// the one before it, and what is copied goes to that which the last step has read.
// CHECK-LABEL: attn_gpu.kernel @three(
// CHECK-SAME: %[[N:[^:]+]]: index
// CHECK: memref.view {{.*}} to memref<3x64x72xf16, #gpu.address_space<workgroup>>
// CHECK: %[[HAS:.+]] = arith.cmpi slt, %{{.+}}, %[[N]]
// CHECK-NEXT: scf.if %[[HAS]] {
// CHECK: attn_gpu.copy_async
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: %[[SECOND:.+]] = arith.addi
// CHECK: arith.cmpi slt, %[[SECOND]], %[[N]]
// CHECK: attn_gpu.copy_async %{{.+}}[%[[SECOND]],
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NOT: attn_gpu.copy_async
// CHECK: scf.for %[[J:.+]] = {{.*}} iter_args({{.*}}, %[[SLOT:.+]] = %c0{{[_0-9]*}})
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.+]] = arith.addi %[[J]],
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[SLOT]], %{{.+}} : index
// CHECK: %[[BEFORE:.+]] = arith.subi %[[SLOT]],
// CHECK: %[[TARGET:.+]] = arith.select %[[FIRST]], %{{.+}}, %[[BEFORE]] : index
// CHECK: arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK: memref.subview %{{.+}}[%[[TARGET]], 0, 0]
// CHECK: attn_gpu.copy_async %{{.+}}[%[[NEXT]],
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: memref.subview %{{.+}}[%[[SLOT]], 0, 0]
// CHECK: attn_tile.dot
// CHECK: %[[MORE:.+]] = arith.addi %[[SLOT]],
// CHECK: %[[END:.+]] = arith.cmpi eq, %[[MORE]],
// CHECK: %[[FOLLOWING:.+]] = arith.select %[[END]], %{{.+}}, %[[MORE]] : index
// CHECK: scf.yield %{{.+}}, %[[FOLLOWING]]
attn_gpu.kernel @three(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 3> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %q = attn_tile.load %k[%c0, %c0] : !array -> !mma
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %a) -> !acc {
    %t = attn_tile.load %k[%j, %c0] : !array -> !shared
    %next = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
    scf.yield %next : !acc
  }
  attn_tile.store %r, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// CHECK-LABEL: attn_gpu.kernel @eight(
// CHECK: memref<8x64x72xf16, #gpu.address_space<workgroup>>
// CHECK-COUNT-7: attn_gpu.copy_async
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 6
// CHECK-NEXT: gpu.barrier
attn_gpu.kernel @eight(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 8> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
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
// CHECK: memref<2x64x64xf16, #gpu.address_space<workgroup>>
// CHECK: attn_gpu.copy_async {{.*}} aligned swizzled
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: gpu.barrier
attn_gpu.kernel @swizzled(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, stages = 2> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
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

// A place that is any expression of the step is that of another step with this one in it.
// Before the copies of another tile of the CTA's all warps have left the last one's; the
// number of the next is behind its tiles.
// CHECK-LABEL: attn_gpu.kernel @tiles(
// CHECK-SAME: shared 27776 {
// CHECK: attn_gpu.for_tiles {{.*}} broadcast 27648 {
// CHECK-NEXT: gpu.barrier
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]],
// CHECK: scf.if
// CHECK: %[[BEFORE:.+]] = arith.subi %[[NEXT]],
// CHECK: attn_gpu.copy_async %{{.+}}[%[[BEFORE]],
attn_gpu.kernel @tiles(%a: !array, %n: index, %counters: !llvm.ptr<1>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, scheduler = dynamic> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !acc
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
// CHECK: %[[SLOT:.+]] = memref.subview {{.*}} to memref<64x64xf16,
// CHECK: %[[FIRST:.+]] = memref.subview %[[SLOT]][0, 0] [32, 64]
// CHECK: attn_gpu.copy_async %[[POOL]][%[[A]], {{.*}} to %[[FIRST]]
// CHECK: %[[SECOND:.+]] = memref.subview %{{.+}}[32, 0] [32, 64]
// CHECK: attn_gpu.copy_async %[[POOL]][%[[B]], {{.*}} to %[[SECOND]]
// CHECK-NEXT: nvvm.cp.async.commit.group
attn_gpu.kernel @parts(%pool: !pool, %a: index, %b: index, %q: !mma, %acc: !acc, %o: memref<?x64xf32>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %t = attn_tile.load %pool[%a, %c0, %c0], %pool[%b, %c0, %c0] : !pool -> !shared
  %s = attn_tile.dot %q, %t, %acc transpose_rhs : !mma, !shared, !acc
  attn_tile.store %s, %o[%c0, %c0] : !acc, memref<?x64xf32>
}

// -----

!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// What a loop's steps alone read is awaited with the tiles of its first step. Behind the loop,
// which may have no step, nothing is still on its way.
// CHECK-LABEL: attn_gpu.kernel @read_in_steps(
// CHECK: attn_gpu.copy_async
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.cp.async.wait.group
// CHECK: attn_gpu.copy_async
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-2: attn_tile.dot
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NOT: nvvm.cp.async.wait.group
// What another op reads besides is awaited at once.
// CHECK-LABEL: attn_gpu.kernel @read_before(
// CHECK: attn_gpu.copy_async
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: attn_tile.dot
// CHECK: scf.for
attn_gpu.kernel @read_in_steps(%n: index, %k: !array, %a: !acc, %o: memref<?x64xf32>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
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
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
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
// CHECK-SAME: %[[ALL:[^ :]+]]: memref<?x64xf32>) schedule
// CHECK: memref.view {{.*}} to memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK: attn_gpu.copy_async %[[ALL]]{{.*}} aligned : memref<?x64xf32> to memref<1x64xf32,
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: attn_gpu.copy_async %[[ALL]]{{.*}} aligned
// CHECK: attn_gpu.copy_async %{{.+}} : memref<?x64xf16> to
// CHECK: nvvm.cp.async.commit.group
// CHECK: attn_tile.load %{{.+}}[%{{.+}}, %{{.+}}] : memref<1x64xf32, {{.*}}#gpu.address_space<workgroup>> -> tensor<64xf32, #attn_gpu.shared<padding = 0>>
!array = memref<?x64xf16>
!shared = tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
!mma = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!columns = tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
attn_gpu.kernel @vector(%n: index, %blocks: index, %k: !array, %a: !acc, %o: memref<?x64xf32>, %biases: memref<?x64xf32>)
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.array %biases sizes(%blocks) workspace : memref<?x64xf32>
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
    schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 3, scheduler = persistent> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  attn_gpu.for_tiles %i of %tiles {
    %qi = attn_tile.load %q[%i, %c0] : !array -> !shared
    scf.for %j = %c0 to %n step %c64 {
      %kj = attn_tile.load %k[%j, %c0] : !array -> !shared
      "test.use"(%qi, %kj) : (!shared, !shared) -> ()
    }
  }
}
