// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s

// With 16 lanes to a row, the lanes of a half-warp have the 128 columns of a row, in two panels of
// 64 rows of 128 bytes. A thread has every second row. The swizzle of row 2 h is that of the
// thread's first row, 0 or 1, xor 16 * (2 h mod 8).
// CHECK-DAG: #[[BASE:.+]] = affine_map<()[s0] -> ((s0 floordiv 32) * 2048 + ((s0 mod 32) floordiv 16) * 128 + ((s0 mod 16) floordiv 8) * 8192)>
// CHECK-DAG: #[[BYTES:.+]] = affine_map<()[s0] -> (s0 * 16 - (s0 floordiv 16) * 256 - ((s0 mod 16) floordiv 8) * 128)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<()[s0] -> (((s0 mod 32) floordiv 16) * 16)>
// CHECK-LABEL: @long_rows
// CHECK: %[[B:.+]] = affine.apply #[[BASE]]()
// CHECK: %[[BW:.+]] = arith.index_cast %[[B]] : index to i32
// CHECK: %[[FIRST:.+]] = arith.addi %{{.+}}, %[[BW]] : i32
// CHECK: %[[C:.+]] = affine.apply #[[BYTES]]()
// CHECK: %[[CW:.+]] = arith.index_cast %[[C]] : index to i32
// CHECK: %[[R:.+]] = affine.apply #[[ROW]]()
// CHECK: %[[RW:.+]] = arith.index_cast %[[R]] : index to i32
// CHECK: %[[SWIZZLE:.+]] = arith.xori %[[CW]], %[[RW]] : i32
// CHECK: %[[A0:.+]] = arith.addi %[[FIRST]], %[[SWIZZLE]] : i32
// CHECK: %[[P0:.+]] = llvm.inttoptr %[[A0]]
// CHECK: llvm.store %{{.+}}, %[[P0]] {alignment = 16 : i64} : vector<8xf16>
// CHECK: %[[X2:.+]] = arith.xori %[[SWIZZLE]], %c32_i32 : i32
// CHECK: %[[S2:.+]] = arith.addi %[[FIRST]], %[[X2]] : i32
// CHECK: arith.addi %[[S2]], %c256_i32 : i32
// CHECK: %[[X4:.+]] = arith.xori %[[SWIZZLE]], %c64_i32 : i32
// CHECK: %[[S4:.+]] = arith.addi %[[FIRST]], %[[X4]] : i32
// CHECK: arith.addi %[[S4]], %c512_i32 : i32
// CHECK: %[[X6:.+]] = arith.xori %[[SWIZZLE]], %c96_i32 : i32
// CHECK: %[[S6:.+]] = arith.addi %[[FIRST]], %[[X6]] : i32
// CHECK: arith.addi %[[S6]], %c768_i32 : i32
// CHECK: arith.addi %[[A0]], %c1024_i32 : i32
!rows = tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>
attn_gpu.kernel @long_rows(%a: memref<?x128xf16>, %o: memref<?x128xf16>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> threads 128 {
  %c0 = arith.constant 0 : index
  %y = attn_tile.load %a[%c0, %c0] : memref<?x128xf16> -> !rows
  %0 = attn_gpu.local_store %y at 1024 : !rows -> tensor<64x128xf16, #attn_gpu.swizzled>
  %1 = attn_gpu.convert_layout %0 : tensor<64x128xf16, #attn_gpu.swizzled> -> !rows
  attn_tile.store %1, %o[%c0, %c0] : !rows, memref<?x128xf16>
}
