// C = A B, where B has 8 bits and A 16: B is extended, as the keys of a cache of 8 bits are.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.e4m3.so
// RUN: %{run} %t.e4m3.so widened dtype=f16 eight=f8E4M3FN m=100 n=70 k=150 | FileCheck %s
// RUN: sed 's/f8E4M3FN/f8E5M2/g' %s > %t.e5m2.mlir
// RUN: %{compile} %t.e5m2.mlir %t.e5m2.so
// RUN: %{run} %t.e5m2.so widened dtype=f16 eight=f8E5M2 m=75 n=130 k=77 | FileCheck %s

// CHECK: pass

!eight = memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>
!array = memref<?x?xf16, strided<[?, 1], offset: ?>>
!lhs = tensor<64x64xf16>
!narrow = tensor<64x64xf8E4M3FN>
!rhs = tensor<64x64xf16>
!sum = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @widened(%a: !array, %b: !eight, %c: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !sum
  %m = memref.dim %a, %c0 : !array
  %k = memref.dim %a, %c1 : !array
  %n = memref.dim %b, %c1 : !eight
  attn_tile.grid (%i, %j) to (%m, %n) step [64, 64] schedule #schedule {
    %end = affine.min affine_map<(i)[m] -> (i + 64, m)>(%i)[%m]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %k full %c0 to %k
    } : !attn_tile.domain<64>
    %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<64> {
      %at = attn_tile.load %a[%i, %l] : !array -> !lhs
      %stored = attn_tile.load %b[%l, %j] : !eight -> !narrow
      %bt = arith.extf %stored : !narrow to !rhs
      %next = attn_tile.dot %at, %bt, %acc : !lhs, !rhs, !sum
      attn_tile.yield %next : !sum
    }
    %result = arith.truncf %x : !sum to !rounded
    attn_tile.store %result, %c[%i, %j] : !rounded, !array
  }
  return
}
