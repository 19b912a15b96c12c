// Causal attention whose softmax has a role of its own. It multiplies Q K', has the state, and
// puts probabilities and the factors of rescaling into rings. The consumers have the output: they
// rescale it and add P V.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so softmax_role dtype=f16 heads=2 rows=200 keys=330 | FileCheck %s
// RUN: %{run} %t.f16.so softmax_role dtype=f16 heads=1 rows=1 keys=65 | FileCheck %s
// RUN: %{run} %t.f16.so softmax_role dtype=f16 heads=1 rows=130 keys=1 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so softmax_role dtype=f32 heads=1 rows=133 keys=100 | FileCheck %s

// CHECK: pass

!array = memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!queries = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!rounded = tensor<128x64xf16>
!output = tensor<128x64xf32>
!rows = tensor<128xf32>
!result = tensor<128x64xf16>
!words = tensor<128x64xi32>
!bits = tensor<128x64xi1>
!state = !attn_tile.softmax<128, factor = 0.125>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = [consumer(registers = 88), multiplier(name = "scores", warps = 8, registers = 96), producer(registers = 24)]>

func.func @softmax_role(%q: !array, %k: !array, %v: !array, %o: !array, %lse: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %lowest = arith.constant dense<0xFF800000> : !scores
  %count = memref.dim %q, %c0 : !array
  %num_rows = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%count, %num_rows) step [1, 128] longest last schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %end = affine.min affine_map<(i)[n] -> (i + 128, n)>(%i)[%num_rows]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      %hi = arith.minsi %last, %num_keys : index
      %after = affine.apply affine_map<(i) -> (i + 1)>(%first)
      %all = arith.minsi %after, %num_keys : index
      attn_tile.domain_yield %c0 to %hi full %c0 to %all
    } : !attn_tile.domain<64>
    %none = attn_tile.softmax_init : !state
    %r:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output, %state = %none)
        -> (!output, !state) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %vj = attn_tile.load %v[%h, %j, %c0] : !array -> !keys
      %product = attn_tile.dot %qi, %kj, %zero transpose_rhs apart = "scores" : !queries, !keys, !scores
      %s = scf.if %partial -> (!scores) {
        // Element (r, c) of the tile is seen if j + c is at most i + r, and a key.
        %ahead = affine.apply affine_map<(i, j) -> (i - j)>(%i, %j)
        %rest = affine.apply affine_map<(j)[n] -> (n - j)>(%j)[%num_keys]
        %ahead32 = arith.index_cast %ahead : index to i32
        %rest32 = arith.index_cast %rest : index to i32
        %aheads = tensor.splat %ahead32 : !words
        %rests = tensor.splat %rest32 : !words
        %row = attn_tile.coordinate along 0 : !words
        %column = attn_tile.coordinate along 1 : !words
        %limit = arith.addi %row, %aheads : !words
        %sees = arith.cmpi sle, %column, %limit : !words
        %exists = arith.cmpi slt, %column, %rests : !words
        %kept = arith.andi %sees, %exists : !bits
        %masked = arith.select %kept, %product, %lowest : !bits, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %product : !scores
      }
      %p, %next = attn_tile.softmax_update %s, %state : (!scores, !state) -> (!rounded, !state)
      %alpha = attn_tile.softmax_factor %state to %next : !state -> !rows
      %rescaled = attn_tile.rescale %acc by %alpha : !rows, !output
      %sum = attn_tile.dot %p, %vj, %rescaled : !rounded, !keys, !output
      attn_tile.yield %sum, %next : !output, !state
    }
    %inverse, %sums = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
    %factors = attn_tile.broadcast %inverse along 1 : !rows -> !output
    %normal = arith.mulf %r#0, %factors : !output
    %rounded = arith.truncf %normal : !output to !result
    attn_tile.store %rounded, %o[%h, %i, %c0] : !result, !array
    attn_tile.store %sums, %lse[%h, %i] : !rows, !row
  }
  return
}
