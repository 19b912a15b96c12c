// O = (sigmoid(Q K'/8) - 1/2 sigmoid(R L'/8)) V: two roles multiply, with warps and
// registers of their own. Each puts its sigmoids into a ring of its own, and the consumers
// wait for both. The second has two warpgroups, which have half of a tile's keys each.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.so
// RUN: %{run} %t.so two_multipliers dtype=f16 heads=2 rows=70 keys=130 | FileCheck %s
// RUN: %{run} %t.so two_multipliers dtype=f16 heads=1 rows=1 keys=65 | FileCheck %s
// RUN: %{run} %t.so two_multipliers dtype=f16 heads=1 rows=64 keys=1 | FileCheck %s

// CHECK: pass

!array = memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
!queries = tensor<64x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x64xf32>
!result = tensor<64x64xf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [consumer(registers = 120), multiplier(name = "plus", registers = 104), multiplier(name = "minus", warps = 8, registers = 88), producer(registers = 24)]>

func.func @two_multipliers(%q: !array, %k: !array, %r: !array, %l: !array, %v: !array,
                           %o: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %scale = arith.constant dense<-0.125> : !scores
  %one = arith.constant dense<1.0> : !scores
  %minus_half = arith.constant dense<-0.5> : !scores
  %count = memref.dim %q, %c0 : !array
  %num_rows = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%count, %num_rows) step [1, 64] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %ri = attn_tile.load %r[%h, %i, %c0] : !array -> !queries
    %end = affine.min affine_map<(i)[n] -> (i + 64, n)>(%i)[%num_rows]
    // No block is partial: values past the last key are zeros.
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %num_keys full %c0 to %num_keys
    } : !attn_tile.domain<64>
    %output = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output)
        -> (!output) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %lj = attn_tile.load %l[%h, %j, %c0] : !array -> !keys
      %vj = attn_tile.load %v[%h, %j, %c0] : !array -> !keys
      %product = attn_tile.dot %qi, %kj, %no_scores transpose_rhs apart = "plus" : !queries, !keys, !scores
      %negative = arith.mulf %product, %scale : !scores
      %power = math.exp %negative : !scores
      %denominator = arith.addf %power, %one : !scores
      %p = arith.divf %one, %denominator : !scores
      %rounded = arith.truncf %p : !scores to !rounded
      %other_product = attn_tile.dot %ri, %lj, %no_scores transpose_rhs apart = "minus" : !queries, !keys, !scores
      %other_negative = arith.mulf %other_product, %scale : !scores
      %other_power = math.exp %other_negative : !scores
      %other_denominator = arith.addf %other_power, %one : !scores
      %m = arith.divf %minus_half, %other_denominator : !scores
      %other_rounded = arith.truncf %m : !scores to !rounded
      %sum = attn_tile.dot %rounded, %vj, %acc : !rounded, !keys, !output
      %next = attn_tile.dot %other_rounded, %vj, %sum : !rounded, !keys, !output
      attn_tile.yield %next : !output
    }
    %result = arith.truncf %output : !output to !result
    attn_tile.store %result, %o[%h, %i, %c0] : !result, !array
  }
  return
}
