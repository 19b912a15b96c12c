// C = (A B) scaled by row and by column, where A and B have 8 bits and B is given by its
// columns: MMAs of 8 bits read both along K.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.e4m3.so
// RUN: %{run} %t.e4m3.so gemm8 dtype=f16 eight=f8E4M3FN m=100 n=70 k=150 | FileCheck %s
// RUN: %{run} %t.e4m3.so gemm8 dtype=f16 eight=f8E4M3FN m=128 n=129 k=7 | FileCheck %s
// RUN: sed 's/f8E4M3FN/f8E5M2/g' %s > %t.e5m2.mlir
// RUN: %{compile} %t.e5m2.mlir %t.e5m2.so
// RUN: %{run} %t.e5m2.so gemm8 dtype=f16 eight=f8E5M2 m=75 n=130 k=77 | FileCheck %s

// CHECK: pass

!eight = memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>
!array = memref<?x?xf16, strided<[?, 1], offset: ?>>
!scales = memref<?xf32, strided<[1], offset: ?>>
!lhs = tensor<64x128xf8E4M3FN>
!rhs = tensor<64x128xf8E4M3FN>
!of_rows = tensor<64xf32>
!of_columns = tensor<64xf32>
!sum = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @gemm8(%a: !eight, %b: !eight, %row_scales: !scales, %column_scales: !scales,
                 %c: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !sum
  %m = memref.dim %a, %c0 : !eight
  %k = memref.dim %a, %c1 : !eight
  %n = memref.dim %b, %c0 : !eight
  attn_tile.grid (%i, %j) to (%m, %n) step [64, 64] schedule #schedule {
    %end = affine.min affine_map<(i)[m] -> (i + 64, m)>(%i)[%m]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %k full %c0 to %k
    } : !attn_tile.domain<128>
    %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<128> {
      %at = attn_tile.load %a[%i, %l] : !eight -> !lhs
      %bt = attn_tile.load %b[%j, %l] : !eight -> !rhs
      %next = attn_tile.dot %at, %bt, %acc transpose_rhs : !lhs, !rhs, !sum
      attn_tile.yield %next : !sum
    }
    %rs = attn_tile.load %row_scales[%i] : !scales -> !of_rows
    %cs = attn_tile.load %column_scales[%j] : !scales -> !of_columns
    %of_rows = attn_tile.broadcast %rs along 1 : !of_rows -> !sum
    %of_columns = attn_tile.broadcast %cs along 0 : !of_columns -> !sum
    %y = arith.mulf %x, %of_rows : !sum
    %z = arith.mulf %y, %of_columns : !sum
    %result = arith.truncf %z : !sum to !rounded
    attn_tile.store %result, %c[%i, %j] : !rounded, !array
  }
  return
}
