// O = sigmoid(scale Q K' ) V, where V has 8 bits: a kernel of four roles. One copies, one
// extends tiles of V from a ring to another one, one multiplies Q K' and puts the
// probabilities into a ring, and two warpgroups wait for these at its barriers: they have
// the same rows, and half of the output's columns each.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.so
// RUN: %{run} %t.so four_roles dtype=f16 eight=f8E4M3FN heads=2 rows=70 keys=130 | FileCheck %s
// RUN: %{run} %t.so four_roles dtype=f16 eight=f8E4M3FN heads=1 rows=1 keys=65 | FileCheck %s
// RUN: %{run} %t.so four_roles dtype=f16 eight=f8E4M3FN heads=1 rows=64 keys=1 | FileCheck %s

// CHECK: pass

!array = memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
!eight = memref<?x?x128xf8E4M3FN, strided<[?, ?, 1], offset: ?>>
!result = memref<?x?x128xf16, strided<[?, ?, 1], offset: ?>>
!queries = tensor<64x64xf16>
!keys = tensor<64x64xf16>
!narrow = tensor<64x128xf8E4M3FN>
!values = tensor<64x128xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x128xf32>
!result_tile = tensor<64x128xf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = "producer_consumer|converter|multiplier">

func.func @four_roles(%q: !array, %k: !array, %v: !eight, %o: !result) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %scale = arith.constant dense<-0.125> : !scores
  %one = arith.constant dense<1.0> : !scores
  %count = memref.dim %q, %c0 : !array
  %num_rows = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%count, %num_rows) step [1, 64] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %end = affine.min affine_map<(i)[n] -> (i + 64, n)>(%i)[%num_rows]
    // No block is partial: values past the last key are zeros.
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %num_keys full %c0 to %num_keys
    } : !attn_tile.domain<64>
    %output = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output)
        -> (!output) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %stored = attn_tile.load %v[%h, %j, %c0] : !eight -> !narrow
      %vj = arith.extf %stored : !narrow to !values
      %product = attn_tile.dot %qi, %kj, %no_scores transpose_rhs apart : !queries, !keys, !scores
      %negative = arith.mulf %product, %scale : !scores
      %power = math.exp %negative : !scores
      %denominator = arith.addf %power, %one : !scores
      %p = arith.divf %one, %denominator : !scores
      %rounded = arith.truncf %p : !scores to !rounded
      %next = attn_tile.dot %rounded, %vj, %acc : !rounded, !values, !output
      attn_tile.yield %next : !output
    }
    %result = arith.truncf %output : !output to !result_tile
    attn_tile.store %result, %o[%h, %i, %c0] : !result_tile, !result
  }
  return
}
