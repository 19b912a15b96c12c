// RUN: attn-opt %s -split-input-file -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s

// Steps of 32 bytes in panels of 128 columns, which are 64 rows of 128 bytes apart here. A
// left operand in registers comes by ldmatrix, 16 rows of 32 bytes at once.
// CHECK-LABEL: attn_gpu.kernel @registers(
// CHECK-COUNT-8: nvvm.ldmatrix {{.*}} num = 4
// CHECK-NOT: nvvm.ldmatrix
// CHECK: %[[LEFT:.+]] = vector.bitcast %{{.+}} : vector<32xi32> to vector<128xf8E4M3FN>
// CHECK: attn_nv.wgmma f8E4M3FN %[[LEFT]], %{{.+}} rhs_steps [0, 2, 4, 6, 512, 514, 516, 518] : vector<128xf8E4M3FN> -> vector<32xf32>
!tile = tensor<64x256xf8E4M3FN, #attn_gpu.swizzled>
!left = tensor<64x256xf8E4M3FN, #attn_gpu.mma<warps = 4, columns = 4>>
!sum = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
module {
attn_gpu.kernel @registers(%t: !tile, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !sum
  %c0_i32 = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 barriers 32768 : <2, !tile>
  %tile, %n = attn_gpu.acquire %ring[%c0_i32] : <2, !tile> -> !tile
  %0 = attn_gpu.convert_layout %tile : !tile -> !left
  %1 = attn_gpu.mma %0, %tile, %none transpose_rhs : !left, !tile, !sum
  %2 = attn_gpu.mma_wait 0, %1 : !sum
  attn_tile.store %2, %o[%c0, %c0] : !sum, memref<?x64xf32>
}
}

// -----

// Both operands in shared memory, of 128 and 256 rows; a warpgroup's own 64 rows begin 8192
// bytes further.
// CHECK-LABEL: attn_gpu.kernel @shared(
// CHECK: arith.muli %{{.+}}, %c8192_i32
// CHECK: attn_nv.wgmma f8E5M2 %{{.+}}, %{{.+}} lhs_steps [0, 2, 4, 6] rhs_steps [0, 2, 4, 6] : i64 -> vector<128xf32>
!lhs = tensor<128x128xf8E5M2, #attn_gpu.swizzled>
!rhs = tensor<256x128xf8E5M2, #attn_gpu.swizzled>
!sum = tensor<128x256xf32, #attn_gpu.mma<warps = 8>>
module {
attn_gpu.kernel @shared(%o: memref<?x256xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 128, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 384 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !sum
  %c0_i32 = arith.constant 0 : i32
  %a = attn_gpu.ring at 0 barriers 196608 : <4, !lhs>
  %b = attn_gpu.ring at 65536 barriers 196672 : <4, !rhs>
  %x, %n = attn_gpu.acquire %a[%c0_i32] : <4, !lhs> -> !lhs
  %y, %m = attn_gpu.acquire %b[%c0_i32] : <4, !rhs> -> !rhs
  %0 = attn_gpu.mma %x, %y, %none transpose_rhs : !lhs, !rhs, !sum
  %1 = attn_gpu.mma_wait 0, %0 : !sum
  attn_tile.store %1, %o[%c0, %c0] : !sum, memref<?x256xf32>
}
}

// -----

// mma.sync of k32: a lane's four neighbours are a word. Its columns come by ldmatrix, two
// tiles of eight at once; where two neighbours are wanted, as bytes, by pairs.
// CHECK-LABEL: attn_gpu.kernel @sync(
// CHECK: llvm.load %{{.+}} {alignment = 2 : i64} : !llvm.ptr<3> -> vector<2xi8>
// CHECK: arith.bitcast %{{.+}} : vector<32xi8> to vector<32xf8E4M3FN>
// CHECK: vector.bitcast %{{.+}} : vector<8xi32> to vector<32xf8E4M3FN>
// CHECK: %[[B:.+]] = nvvm.ldmatrix {{.*}} num = 4
// CHECK: %[[B0:.+]] = llvm.extractvalue %[[B]][0]
// CHECK: %[[B1:.+]] = llvm.extractvalue %[[B]][1]
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"({{.*}}, %[[B0]], %[[B1]], {{.*}})
!shared = tensor<64x64xf8E4M3FN, #attn_gpu.shared<padding = 16>>
!own = tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4>>
!left = tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4, columns = 4>>
!sum = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
module {
attn_gpu.kernel @sync(%o: memref<?x64xf32>, %p: memref<?x64xf8E4M3FN>)
    target <chip = "sm_89"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !sum
  %c0_i32 = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 : <2, !shared>
  %x, %n = attn_gpu.acquire %ring[%c0_i32] : <2, !shared> -> !shared
  %0 = attn_gpu.convert_layout %x : !shared -> !own
  %1 = attn_gpu.convert_layout %x : !shared -> !left
  %2 = attn_tile.dot %1, %x, %none transpose_rhs : !left, !shared, !sum
  attn_tile.store %2, %o[%c0, %c0] : !sum, memref<?x64xf32>
  attn_tile.store %0, %p[%c0, %c0] : !own, memref<?x64xf8E4M3FN>
}
}

// -----

// A right operand that is not stored along K: ldmatrix transposes pairs of bytes of 32 rows,
// and two permutes make the operand of even columns, two that of odd ones. An exact sum of
// products begins with zeros and is added in f32.
// CHECK-LABEL: attn_gpu.kernel @runs(
// CHECK-DAG: %[[EVEN:.+]] = arith.constant 25632 : i32
// CHECK-DAG: %[[ODD:.+]] = arith.constant 30001 : i32
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[B:.+]] = nvvm.ldmatrix {{.*}}<col>, num = 4
// CHECK: %[[B0:.+]] = llvm.extractvalue %[[B]][0]
// CHECK: %[[B1:.+]] = llvm.extractvalue %[[B]][1]
// CHECK: %[[B2:.+]] = llvm.extractvalue %[[B]][2]
// CHECK: %[[B3:.+]] = llvm.extractvalue %[[B]][3]
// CHECK: %[[LOW:.+]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[B0]], %[[B1]], %[[EVEN]])
// CHECK: %[[HIGH:.+]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[B2]], %[[B3]], %[[EVEN]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"({{.*}}, %[[LOW]], %[[HIGH]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[B0]], %[[B1]], %[[ODD]])
!right = tensor<64x64xf8E4M3FN, #attn_gpu.shared<padding = 16>>
!rounded = tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4>>
!runs = tensor<64x64xf32, #attn_gpu.mma<warps = 4, columns = 4>>
module {
attn_gpu.kernel @runs(%o: memref<?x64xf32>)
    target <chip = "sm_89"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c0_i32 = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 : <2, !right>
  %x, %n = attn_gpu.acquire %ring[%c0_i32] : <2, !right> -> !right
  %acc = arith.constant dense<1.0> : !runs
  %p = attn_gpu.convert_layout %x : !right -> !rounded
  %0 = attn_tile.dot %p, %x, %acc exact : !rounded, !right, !runs
  attn_tile.store %0, %o[%c0, %c0] : !runs, memref<?x64xf32>
}
}

// -----

!tile = tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4>>
!ring = !attn_gpu.ring<2, tensor<64x64xf8E4M3FN, #attn_gpu.swizzled>>

// A tile of 8 bits is put into a slot by stores of pairs, since stmatrix stores elements of 16.
// CHECK-LABEL: attn_gpu.kernel @put(
// CHECK: nvvm.mbarrier.try_wait
// CHECK-NOT: nvvm.stmatrix
// CHECK-COUNT-16: llvm.store %{{.+}} : vector<2xi8>, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.mbarrier.arrive
attn_gpu.kernel @put(%p: memref<64x64xf8E4M3FN>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %i = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 barriers 8192 : !ring
  %t = attn_tile.load %p[%c0, %c0] : memref<64x64xf8E4M3FN> -> !tile
  attn_gpu.put %t to %ring[%i] : !tile, !ring
}

// -----

!tile = tensor<64x64xf8E4M3FN, #attn_gpu.mma<warps = 4, columns = 8, lanes = 8>>
!bytes = tensor<64x64xi8, #attn_gpu.mma<warps = 4, columns = 8, lanes = 8>>
!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>

// Elements of 8 bits are extended to those of the ring's tiles after the wait for the slot.
// CHECK-LABEL: attn_gpu.kernel @put_extended(
// CHECK-NOT: arith.extf
// CHECK: nvvm.mbarrier.try_wait
// CHECK: arith.extf %{{.+}} : vector<32xf8E4M3FN> to vector<32xf16>
// CHECK-COUNT-4: llvm.store %{{.+}} : vector<8xf16>, !llvm.ptr<3>
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.mbarrier.try_wait
// CHECK: arith.sitofp %{{.+}} : vector<32xi8> to vector<32xf16>
// CHECK-COUNT-4: llvm.store %{{.+}} : vector<8xf16>, !llvm.ptr<3>
attn_gpu.kernel @put_extended(%p: memref<64x64xf8E4M3FN>, %q: memref<64x64xi8>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %i = arith.constant 0 : i32
  %next = arith.constant 1 : i32
  %ring = attn_gpu.ring at 0 barriers 16384 : !ring
  %t = attn_tile.load %p[%c0, %c0] : memref<64x64xf8E4M3FN> -> !tile
  attn_gpu.put %t to %ring[%i] : !tile, !ring
  %u = attn_tile.load %q[%c0, %c0] : memref<64x64xi8> -> !bytes
  attn_gpu.put %u to %ring[%next] : !bytes, !ring
}
