// C = gelu(A B) for some pairs, of sizes that are no multiples of the tiles'. The domain is
// that of the contraction, which no row restricts.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so gemm dtype=f16 count=2 m=100 n=70 k=150 | FileCheck %s
// RUN: %{run} %t.f16.so gemm dtype=f16 count=2 m=130 n=128 k=3 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so gemm dtype=f32 count=2 m=75 n=130 k=77 | FileCheck %s

// CHECK: pass

!array = memref<?x?x?xf16, strided<[?, ?, 1], offset: ?>>
!lhs = tensor<64x64xf16>
!rhs = tensor<64x64xf16>
!rounded = tensor<64x64xf16>
!sum = tensor<64x64xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @gemm(%a: !array, %b: !array, %c: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : !sum
  %half = arith.constant dense<0.5> : !sum
  %one = arith.constant dense<1.0> : !sum
  %cubic = arith.constant dense<0.044715> : !sum
  %root = arith.constant dense<0.79788456> : !sum
  %count = memref.dim %a, %c0 : !array
  %m = memref.dim %a, %c1 : !array
  %k = memref.dim %a, %c2 : !array
  %n = memref.dim %b, %c2 : !array
  attn_tile.grid (%h, %i, %j) to (%count, %m, %n) step [1, 64, 64] schedule #schedule {
    %end = affine.min affine_map<(i)[m] -> (i + 64, m)>(%i)[%m]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %k full %c0 to %k
    } : !attn_tile.domain<64>
    %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<64> {
      %at = attn_tile.load %a[%h, %i, %l] : !array -> !lhs
      %bt = attn_tile.load %b[%h, %l, %j] : !array -> !rhs
      %next = attn_tile.dot %at, %bt, %acc : !lhs, !rhs, !sum
      attn_tile.yield %next : !sum
    }

    // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
    %square = arith.mulf %x, %x : !sum
    %inner = math.fma %square, %cubic, %one : !sum
    %product = arith.mulf %inner, %x : !sum
    %scaled = arith.mulf %product, %root : !sum
    %tanh = math.tanh %scaled : !sum
    %factor = arith.addf %tanh, %one : !sum
    %halved = arith.mulf %x, %half : !sum
    %y = arith.mulf %halved, %factor : !sum
    %result = arith.truncf %y : !sum to !rounded
    attn_tile.store %result, %c[%h, %i, %j] : !rounded, !array
  }
  return
}
