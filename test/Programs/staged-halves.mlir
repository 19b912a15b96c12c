// C = A B, where C has 256 columns. Rings leave shared memory for half of a tile of C: it is
// stored as two halves of its columns, the second one through the memory of the first one.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so staged_halves dtype=f16 m=200 n=256 k=150 | FileCheck %s
// RUN: %{run} %t.f16.so staged_halves dtype=f16 m=1 n=256 k=65 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so staged_halves dtype=f32 m=133 n=256 k=70 | FileCheck %s

// CHECK: pass

!left = memref<?x?xf16, strided<[?, 1], offset: ?>>
!right = memref<?x256xf16, strided<[?, 1], offset: ?>>
!lhs = tensor<128x64xf16>
!rhs = tensor<64x256xf16>
!sum = tensor<128x256xf32>
!whole = tensor<128x256xf16>
!half = tensor<128x128xf16>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 4, roles = producer_consumer>

func.func @staged_halves(%a: !left, %b: !right, %c: !right) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !sum
  %m = memref.dim %a, %c0 : !left
  %k = memref.dim %a, %c1 : !left
  attn_tile.grid (%i) to (%m) step [128] schedule #schedule {
    %end = affine.min affine_map<(i)[m] -> (i + 128, m)>(%i)[%m]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %k full %c0 to %k
    } : !attn_tile.domain<64>
    %x = attn_tile.for_blocks (%l, %partial) of %domain iter_args(%acc = %zero) -> (!sum) : !attn_tile.domain<64> {
      %at = attn_tile.load %a[%i, %l] : !left -> !lhs
      %bt = attn_tile.load %b[%l, %c0] : !right -> !rhs
      %next = attn_tile.dot %at, %bt, %acc : !lhs, !rhs, !sum
      attn_tile.yield %next : !sum
    }
    %rounded = arith.truncf %x : !sum to !whole
    %first = tensor.extract_slice %rounded[0, 0] [128, 128] [1, 1] : !whole to !half
    %second = tensor.extract_slice %rounded[0, 128] [128, 128] [1, 1] : !whole to !half
    attn_tile.store %first, %c[%i, %c0] : !half, !right
    attn_tile.store %second, %c[%i, %c128] : !half, !right
  }
  return
}
