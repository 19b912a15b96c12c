// O = sigmoid(scale Q K' + bias) V: attention without a softmax, where nothing is carried
// but the accumulator, and with a tile of biases for each block, the
// same for all heads.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so sigmoid dtype=f16 heads=2 queries=100 keys=75 dim=16 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so sigmoid dtype=f32 heads=2 queries=70 keys=150 dim=16 | FileCheck %s

// CHECK: pass

!array = memref<?x?x16xf16, strided<[?, ?, 1], offset: ?>>
!biases = memref<?x?xf32, strided<[?, 1], offset: ?>>
!queries = tensor<64x16xf16>
!keys = tensor<64x16xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!sum = tensor<64x16xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @sigmoid(%q: !array, %k: !array, %v: !array, %bias: !biases, %o: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_sum = arith.constant dense<0.0> : !sum
  %scale = arith.constant dense<0.25> : !scores
  %one = arith.constant dense<1.0> : !scores
  %num_heads = memref.dim %q, %c0 : !array
  %num_queries = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%num_heads, %num_queries) step [1, 64] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %end = affine.min affine_map<(i)[n] -> (i + 64, n)>(%i)[%num_queries]
    // No block is partial: beyond the last key, values are zeros.
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %num_keys full %c0 to %num_keys
    } : !attn_tile.domain<64>
    %output = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_sum)
        -> (!sum) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %vj = attn_tile.load %v[%h, %j, %c0] : !array -> !keys
      %b = attn_tile.load %bias[%i, %j] : !biases -> !scores
      %product = attn_tile.dot %qi, %kj, %no_scores transpose_rhs : !queries, !keys, !scores
      %s = math.fma %product, %scale, %b : !scores
      %negative = arith.negf %s : !scores
      %power = math.exp %negative : !scores
      %denominator = arith.addf %power, %one : !scores
      %p = arith.divf %one, %denominator : !scores
      %rounded = arith.truncf %p : !scores to !rounded
      %next = attn_tile.dot %rounded, %vj, %acc : !rounded, !keys, !sum
      attn_tile.yield %next : !sum
    }
    %result = arith.truncf %output : !sum to !queries
    attn_tile.store %result, %o[%h, %i, %c0] : !queries, !array
  }
  return
}
