// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse -split-input-file | FileCheck %s

// Values of 8 bits are extended to the registers of MMAs, which have elements of two rows each. Bytes
// of two rows are brought together before they are extended, and no tile is written to shared memory.
// CHECK-LABEL: @values
// CHECK-DAG: %[[FIRST:.+]] = arith.constant 20800 : i32
// CHECK-DAG: %[[LAST:.+]] = arith.constant 29538 : i32
// CHECK-COUNT-4: llvm.load {{.+}} -> vector<1xi32>
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.+}}, %{{.+}}, %[[FIRST]])
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.+}}, %{{.+}}, %[[LAST]])
// CHECK-NOT: llvm.store
// CHECK: %[[WIDE:.+]] = arith.extf %{{.+}} : vector<16xf8E4M3FN> to vector<16xf16>
// CHECK-NEXT: vector.shuffle %[[WIDE]], %[[WIDE]] [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15]
// CHECK-NOT: ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
!bytes = tensor<16x32xf8E4M3FN, #attn_gpu.right<parent = #attn_gpu.mma<warps = 1, columns = 8>>>
!right = tensor<16x32xf16, #attn_gpu.right<parent = #attn_gpu.mma<warps = 1, columns = 8>>>
!left = tensor<16x16xf16, #attn_gpu.mma<warps = 1>>
!result = tensor<16x32xf32, #attn_gpu.mma<warps = 1, columns = 8>>
!shared = tensor<16x32xf8E4M3FN, #attn_gpu.shared<padding = 16>>
attn_gpu.kernel @values(%p: memref<?x16xf16>, %o: memref<?x32xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 16, tile_kv = 16, warps = 1, mma = mma_sync, copy = element> threads 32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !result
  %left = attn_tile.load %p[%c0, %c0] : memref<?x16xf16> -> !left
  %c0_i32 = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 : <2, !shared>
  %shared, %n = attn_gpu.acquire %ring[%c0_i32] : <2, !shared> -> !shared
  %bytes = attn_gpu.convert_layout %shared : !shared -> !bytes
  %right = arith.extf %bytes : !bytes to !right
  %dot = attn_tile.dot %left, %right, %zero : !left, !right, !result
  attn_tile.store %dot, %o[%c0, %c0] : !result, memref<?x32xf32>
}
