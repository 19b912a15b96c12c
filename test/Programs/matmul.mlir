// C = A B of matrices: arrays of rank 2, which also have tensor maps.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so matmul dtype=f16 m=100 n=70 k=150 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so matmul dtype=f32 m=75 n=130 k=77 | FileCheck %s
// CHECK: pass

// RUN: sed 's/schedule<.*>/schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer>/' %s > %t.wgmma.mlir
// RUN: attnc compile --target sm_90a --emit ptx %t.wgmma.mlir -o %t.ptx
// RUN: FileCheck %s --check-prefix=WGMMA --input-file %t.ptx
// A row of dynamic length may end within 16 bytes, which a TMA store would write whole.
// WGMMA-NOT: cp.async.bulk.tensor.{{[^2]}}d
// WGMMA-DAG: cp.async.bulk.tensor.2d.shared::cluster
// WGMMA-DAG: wgmma.mma_async.sync.aligned
// WGMMA-NOT: cp.async.bulk.tensor.{{([^2]d|2d.global)}}

!array = memref<?x?xf16, strided<[?, 1], offset: ?>>
!lhs = tensor<64x64xf16>
!rhs = tensor<64x64xf16>
!rounded = tensor<64x64xf16>
!sum = tensor<64x64xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @matmul(%a: !array, %b: !array, %c: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !sum
  %m = memref.dim %a, %c0 : !array
  %k = memref.dim %a, %c1 : !array
  %n = memref.dim %b, %c1 : !array
  attn_tile.grid (%i, %j) to (%m, %n) step [64, 64] schedule #schedule {
    %end = affine.min affine_map<(i)[m] -> (i + 64, m)>(%i)[%m]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %k full %c0 to %k
    } : !attn_tile.domain<64>
    %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<64> {
      %at = attn_tile.load %a[%i, %l] : !array -> !lhs
      %bt = attn_tile.load %b[%l, %j] : !array -> !rhs
      %next = attn_tile.dot %at, %bt, %acc : !lhs, !rhs, !sum
      attn_tile.yield %next : !sum
    }
    %result = arith.truncf %x : !sum to !rounded
    attn_tile.store %result, %c[%i, %j] : !rounded, !array
  }
  return
}
