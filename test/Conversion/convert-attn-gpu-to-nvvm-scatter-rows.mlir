// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --implicit-check-not=attn_tile.

// Lanes of a row exchange registers, so that each stores runs of 16 bytes of the rows whose
// indices are in bounds, where these begin at multiples of 16 bytes.

!rows = tensor<64xindex, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!tile = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
!ragged = tensor<64x16xf16, #attn_gpu.mma<warps = 4>>

// CHECK-LABEL: attn_gpu.kernel @rows(
// CHECK-COUNT-2: nvvm.shfl.sync
// CHECK: arith.cmpi ult, %{{.+}}, %c8
// CHECK: scf.if
// CHECK: scf.if
// CHECK-COUNT-2: llvm.store %{{.+}}, %{{.+}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK: else
// CHECK-COUNT-16: memref.store
// CHECK: scf.if
// CHECK-COUNT-2: llvm.store %{{.+}}, %{{.+}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
attn_gpu.kernel @rows(%q: memref<64x64xf16>, %o: memref<8x?x64xf16>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0, %c0] : memref<64x64xf16> -> !tile
  %at = attn_tile.coordinate along 0 : !rows
  attn_tile.scatter %x, %o[%at, %at, %c0] : !tile, memref<8x?x64xf16>, !rows, !rows, index
}

// Columns past the array's last one are not stored.
// CHECK-LABEL: attn_gpu.kernel @columns(
// CHECK-NOT: llvm.store
// CHECK: arith.cmpi slt
// CHECK: memref.store
attn_gpu.kernel @columns(%q: memref<64x16xf16>, %o: memref<8x?x9xf16>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %q[%c0, %c0] : memref<64x16xf16> -> !ragged
  %at = attn_tile.coordinate along 0 : !rows
  attn_tile.scatter %x, %o[%at, %at, %c0] : !ragged, memref<8x?x9xf16>, !rows, !rows, index
}
