// RUN: attn-opt %s -split-input-file -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --implicit-check-not=attn_tile. --implicit-check-not="attn_gpu.{{[a-z_]+}} %"

!mma = tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
!shared = tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
!acc = tensor<32x32xf32, #attn_gpu.mma<warps = 4, warps_n = 2>>

// After a barrier, by which all warps have read the previous contents, the warps write; then they
// wait until all have written. A transposed left operand is read by ldmatrix.trans, as the right
// one that is stored K x N. Two warps share the rows: each has one of two pairs of columns.
// CHECK-LABEL: attn_gpu.kernel @padded(
// CHECK: gpu.barrier
// CHECK-COUNT-8: llvm.store %{{.+}} : vector<2xf16>, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK-NOT: nvvm.fence.proxy
// CHECK: gpu.barrier
// CHECK-COUNT-2: nvvm.ldmatrix %{{.+}} {eltType = {{.*}}, layout = #nvvm.mma_layout<col>, num = 4
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT: layout = #nvvm.mma_layout<row>, num
attn_gpu.kernel @padded(%p: memref<64x32xf16>, %o: memref<32x32xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %t = attn_tile.load %p[%c0, %c0] : memref<64x32xf16> -> !mma
  %0 = attn_gpu.local_store %t at 256 : !mma -> !shared
  %1 = attn_tile.dot %0, %0, %none transpose_lhs : !shared, !shared, !acc
  attn_tile.store %1, %o[%c0, %c0] : !acc, memref<32x32xf32>
}

// -----

!mma = tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
!swizzled = tensor<128x64xf16, #attn_gpu.swizzled>
!acc = tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>

// With a producer, only the warpgroups that compute wait, at a barrier that only they use. There
// is a fence before wgmma. Both warpgroups have the rows of the transposed operand's only panel,
// whose steps are groups of 16 rows, and 32 columns of the right one: 64 bytes into its panel.
// CHECK-LABEL: attn_gpu.kernel @swizzled(
// CHECK-DAG: %[[ID:.+]] = arith.constant 12 : i32
// CHECK-DAG: %[[ALL:.+]] = arith.constant 256 : i32
// CHECK: nvvm.barrier id = %[[ID]] number_of_threads = %[[ALL]]
// CHECK-COUNT-16: llvm.store %{{.+}} : vector<2xf16>, !llvm.ptr<3>
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK-NEXT: nvvm.barrier id = %[[ID]] number_of_threads = %[[ALL]]
// CHECK: %[[PART:.+]] = arith.muli %{{.+}}, %c64_i32
// CHECK: arith.addi %{{.+}}, %[[PART]]
// CHECK: attn_nv.wgmma f16 %{{.+}}, %{{.+}} lhs_steps [0, 128, 256, 384, 512, 640, 768, 896] rhs_steps [0, 128, 256, 384, 512, 640, 768, 896] transpose_lhs transpose_rhs : i64 -> vector<16xf32>
// CHECK: attn_nv.wgmma_wait 0
attn_gpu.kernel @swizzled(%p: memref<128x64xf16>, %o: memref<64x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 12, mma = mma_sync, copy = element> threads 384 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %t = attn_tile.load %p[%c0, %c0] : memref<128x64xf16> -> !mma
  %0 = attn_gpu.local_store %t at 1024 : !mma -> !swizzled
  %m = attn_gpu.mma %0, %0, %none transpose_lhs : !swizzled, !swizzled, !acc
  %1 = attn_gpu.mma_wait 0, %m : !acc
  attn_tile.store %1, %o[%c0, %c0] : !acc, memref<64x64xf32>
}

// -----

!tile = tensor<64x16xf32, #attn_gpu.mma<warps = 4>>
!columns = tensor<16xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>

// Two rows of a thread, eight lanes, then four warps through shared memory: each thread has
// four of the columns. One lane of each warp's eight writes, one thread of all stores; with
// `add`, as a reduction in memory.
// CHECK-LABEL: attn_gpu.kernel @columns(
// CHECK-DAG: %[[FOUR:.+]] = arith.constant 4 : i32
// CHECK-DAG: %[[EIGHT:.+]] = arith.constant 8 : i32
// CHECK-DAG: %[[SIXTEEN:.+]] = arith.constant 16 : i32
// CHECK: nvvm.shfl.sync bfly %{{.+}}, %{{.+}}, %[[FOUR]], %
// CHECK: nvvm.shfl.sync bfly %{{.+}}, %{{.+}}, %[[EIGHT]], %
// CHECK: nvvm.shfl.sync bfly %{{.+}}, %{{.+}}, %[[SIXTEEN]], %
// CHECK-COUNT-9: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-4: llvm.store %{{.+}} : f32, !llvm.ptr<3>
// CHECK: }
// CHECK: gpu.barrier
// CHECK-COUNT-16: llvm.load %{{.+}} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load
// CHECK: memref.store %[[A:.+]], %{{.+}}[%{{.+}}, %[[N:.+]]] : memref<64x16xf32>
// CHECK-COUNT-2: memref.store
// CHECK: memref.store %[[D:.+]], %{{.+}}[
// CHECK: memref.store %[[A]], %{{.+}}[%{{.+}}, %[[N]]] : memref<64x16xf32>
// CHECK-COUNT-2: memref.store
// CHECK: memref.store %[[D]], %{{.+}}[
// CHECK-COUNT-4: red.relaxed.gpu.global.add.f32 [$0+0], $1;", "l,f"
// CHECK-NOT: red.relaxed
attn_gpu.kernel @columns(%p: memref<64x16xf32>, %o: memref<?xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %t = attn_tile.load %p[%c0, %c0] : memref<64x16xf32> -> !tile
  %0 = attn_gpu.reduce_columns add %t at 0 : !tile -> !columns
  %1 = attn_tile.broadcast %0 along 0 : !columns -> !tile
  attn_tile.store %1, %p[%c0, %c0] : !tile, memref<64x16xf32>
  attn_tile.store %0, %o[%c0] add : !columns, memref<?xf32>
}

// -----

!tile = tensor<64x16xf32, #attn_gpu.mma<warps = 4>>

// Chips of PTX 8.1 and compute capability 9.0 add two neighbours at once, if the first is
// at a multiple of 8 bytes; where a row may end within the tile, one.
// CHECK-LABEL: attn_gpu.kernel @pairs(
// CHECK: llvm.ptrtoint
// CHECK: scf.if
// CHECK-COUNT-2: red.relaxed.gpu.global.add.v2.f32 [$0+{{0|32}}], {$1, $2};", "l,f,f"
// CHECK: } else {
// CHECK-COUNT-4: red.relaxed.gpu.global.add.f32 [$0+{{0|4|32|36}}], $1;", "l,f"
// CHECK: llvm.ptrtoint
// CHECK-COUNT-2: red.relaxed.gpu.global.add.v2.f32
// CHECK-COUNT-4: red.relaxed.gpu.global.add.f32
// CHECK-NOT: add.v2
module {
  attn_gpu.kernel @pairs(%t: memref<64x16xf32>, %o: memref<?x16xf32>, %odd: memref<?x?xf32>)
      target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
    %c0 = arith.constant 0 : index
    %0 = attn_tile.load %t[%c0, %c0] : memref<64x16xf32> -> !tile
    attn_tile.store %0, %o[%c0, %c0] add : !tile, memref<?x16xf32>
    attn_tile.store %0, %odd[%c0, %c0] add : !tile, memref<?x?xf32>
  }
}

// -----

// Units of a swizzled tile: unit u of row r at u xor (r mod 8), in panels of 128 bytes a
// row. From one of a thread's to its next are sixteen rows: the place stays.
// CHECK-DAG: #[[$UNIT:.+]] = affine_map<()[s0] -> (s0 * 16 - (s0 floordiv 8) * 128)>
// CHECK-LABEL: attn_gpu.kernel @copies(
// CHECK: %[[U:.+]] = affine.apply #[[$UNIT]]()[
// CHECK: %[[R:.+]] = affine.apply
// CHECK: %[[PLACE:.+]] = arith.xori %[[U]], %[[R]] : index
// CHECK: %[[TO:.+]] = arith.addi %{{.+}}, %[[PLACE]] : index
// CHECK: %[[BYTES:.+]] = arith.index_cast %[[TO]]
// CHECK: %[[FIRST:.+]] = llvm.getelementptr %{{.+}}[%[[BYTES]]] : (!llvm.ptr<3>, i64)
// CHECK: nvvm.cp.async.shared.global %[[FIRST]],
// CHECK: %[[SECOND:.+]] = llvm.getelementptr %[[FIRST]][2048] : (!llvm.ptr<3>)
// CHECK: nvvm.cp.async.shared.global %[[SECOND]],
attn_gpu.kernel @copies(%k: memref<?x64xf16>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 shared 4096 {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 : <1, tensor<32x64xf16, #attn_gpu.swizzled>>
  attn_gpu.fill %ring[%first] of %k[%c0, %c0] aligned : <1, tensor<32x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
}

// -----

// Parts of a tile with two panels: the rows of the second part begin after 32 rows of 128 bytes in
// each panel, and the rows of a part follow each other.
// CHECK-DAG: #[[$PANEL:.+]] = affine_map<()[s0] -> ((s0 floordiv 16) * 128 + ((s0 mod 16) floordiv 8) * 8192)>
// CHECK-LABEL: attn_gpu.kernel @parts_of_panels(
// CHECK-SAME: %[[K:[^:]+]]: memref<?x32x128xf16>, %[[A:[^:]+]]: index, %[[B:[^:]+]]: index
// CHECK: %[[RING:.+]] = llvm.inttoptr %{{.+}} : i32 to !llvm.ptr<3>
// CHECK: %[[PAGE:.+]] = arith.muli %[[A]], %c8192 : index
// CHECK: affine.apply #[[$PANEL]]()[
// CHECK: %[[IN:.+]] = arith.index_cast
// CHECK-NEXT: %[[TO:.+]] = llvm.getelementptr %[[RING]][%[[IN]]] : (!llvm.ptr<3>, i64)
// CHECK: nvvm.cp.async.shared.global %[[TO]],
// CHECK: %[[NEXT:.+]] = llvm.getelementptr %[[TO]][1024] : (!llvm.ptr<3>)
// CHECK: nvvm.cp.async.shared.global %[[NEXT]],
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK: arith.muli %[[B]], %c8192 : index
// CHECK: %[[SECOND:.+]] = llvm.getelementptr %[[RING]][4096] : (!llvm.ptr<3>)
// CHECK: %[[TO:.+]] = llvm.getelementptr %[[SECOND]][%[[IN]]] : (!llvm.ptr<3>, i64)
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async
attn_gpu.kernel @parts_of_panels(%k: memref<?x32x128xf16>, %a: index, %b: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 shared 16384 {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 : <1, tensor<64x128xf16, #attn_gpu.swizzled>>
  attn_gpu.fill %ring[%first] of %k, %k[%a, %c0, %c0, %b, %c0, %c0] parts 2 aligned
      : <1, tensor<64x128xf16, #attn_gpu.swizzled>>, memref<?x32x128xf16>, memref<?x32x128xf16>
}

// -----

// The threads of a role copy all of a tile, by their numbers among themselves: 64 rows of 8
// units are four of each of 128 threads. Each waits until the slot is free, and arrives when
// its copies have ended.
// CHECK-DAG: #[[$ROW:.+]] = affine_map<()[s0] -> (s0 floordiv 8)>
// CHECK-LABEL: attn_gpu.kernel @of_a_role(
// CHECK: nvvm.mbarrier.try_wait
// CHECK: %[[X:.+]] = gpu.thread_id x
// CHECK-NEXT: %[[THREAD:.+]] = arith.subi %[[X]], %c256 : index
// CHECK: affine.apply #[[$ROW]]()[%[[THREAD]]]
// CHECK: nvvm.cp.async.shared.global %[[FIRST:.+]], %{{.+}}, 16
// CHECK: %[[SECOND:.+]] = llvm.getelementptr %[[FIRST]][2048]
// CHECK: nvvm.cp.async.shared.global %[[SECOND]],
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.mbarrier.arrive %{{.+}} {noinc = true}
// CHECK-NOT: nvvm.cp.async
attn_gpu.kernel @of_a_role(%k: memref<?x64xf16>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async, roles = producer_consumer> threads 384 shared 8256 {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 barriers 8192 : <1, tensor<64x64xf16, #attn_gpu.swizzled>>
  attn_gpu.fill %ring[%first] of %k[%c0, %c0] aligned by 128 after 256
      : <1, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
}

// -----

!left = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!keys = tensor<32x64xf16, #attn_gpu.swizzled>
!values = tensor<64x32xf16, #attn_gpu.swizzled>
!acc = tensor<64x32xf32, #attn_gpu.mma<warps = 4>>

// A dot is one of mma.sync wherever its operands lie: ldmatrix reads the units of a swizzled
// tile from where they are, for the columns 16 to 31 from `xor 32` on.
// CHECK-LABEL: attn_gpu.kernel @swizzled_dot(
// CHECK-NOT: attn_nv.wgmma
// CHECK: arith.xori
// CHECK-COUNT-2: nvvm.ldmatrix %{{.+}} {eltType = {{.*}}, layout = #nvvm.mma_layout<row>, num = 4
// CHECK: nvvm.mma.sync
// CHECK: arith.xori %{{.+}}, %c32_i32
// CHECK: nvvm.ldmatrix %{{.+}} {eltType = {{.*}}, layout = #nvvm.mma_layout<col>, num = 4
// CHECK: nvvm.mma.sync
// CHECK-NOT: attn_nv.wgmma
attn_gpu.kernel @swizzled_dot(%p: memref<64x64xf16>, %o: memref<64x32xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !acc
  %q = attn_tile.load %p[%c0, %c0] : memref<64x64xf16> -> !left
  %kring = attn_gpu.ring at 0 barriers 16384 : <1, !keys>
  %vring = attn_gpu.ring at 8192 barriers 16400 : <1, !values>
  %zero = arith.constant 0 : i32
  %k, %kn = attn_gpu.acquire %kring[%zero] : <1, !keys> -> !keys
  %v, %vn = attn_gpu.acquire %vring[%zero] : <1, !values> -> !values
  %0 = attn_tile.dot %q, %k, %none transpose_rhs : !left, !keys, !acc
  %1 = attn_tile.dot %q, %v, %0 : !left, !values, !acc
  attn_tile.store %1, %o[%c0, %c0] : !acc, memref<64x32xf32>
}
