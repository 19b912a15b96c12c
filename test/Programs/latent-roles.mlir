// Attention of latent heads by four roles: one copies, one has scores and the softmax, and two
// have halves of the output's columns. Keys are 512 columns, which are also the values, and 64
// further ones. Groups of 256 columns are loads of their own: each has barriers of its own, so
// that the first MMA begins when the first group has arrived. Probabilities and factors of
// rescaling pass through rings, probabilities in the slots of the 64 further columns.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so latent_roles dtype=f16 batch=1 rows=70 keys=130 | FileCheck %s
// RUN: %{run} %t.f16.so latent_roles dtype=f16 batch=2 rows=1 keys=65 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so latent_roles dtype=f32 batch=1 rows=33 keys=100 | FileCheck %s

// CHECK: pass

!array = memref<?x?x512xf16, strided<[?, ?, 1], offset: ?>>
!rope = memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
!rqueries = tensor<64x64xf16>
!rkeys = tensor<64x64xf16>
!result = memref<?x?x512xf16, strided<[?, ?, 1], offset: ?>>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!queries = tensor<64x256xf16>
!keys = tensor<64x256xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x256xf32>
!rows = tensor<64xf32>
!result_tile = tensor<64x256xf16>
!words = tensor<64x64xi32>
!bits = tensor<64x64xi1>
!state = !attn_tile.softmax<64, factor = 0.041666666666666664>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = [consumer(registers = 160), multiplier(name = "scores", registers = 168), producer(registers = 24)]>

func.func @latent_roles(%q: !array, %k: !array, %q2: !rope, %k2: !rope, %o: !result, %lse: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %lowest = arith.constant dense<0xFF800000> : !scores
  %count = memref.dim %q, %c0 : !array
  %num_rows = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%count, %num_rows) step [1, 64] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %qi1 = attn_tile.load %q[%h, %i, %c256] : !array -> !queries
    %qi2 = attn_tile.load %q2[%h, %i, %c0] : !rope -> !rqueries
    %end = affine.min affine_map<(i)[n] -> (i + 64, n)>(%i)[%num_rows]
    %full = affine.apply affine_map<()[n] -> (n floordiv 64 * 64)>()[%num_keys]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %num_keys full %c0 to %full
    } : !attn_tile.domain<64>
    %none = attn_tile.softmax_init : !state
    %r:3 = attn_tile.for_blocks (%j, %partial) of %domain
        iter_args(%acc = %no_output, %acc1 = %no_output, %state = %none)
        -> (!output, !output, !state) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %kj1 = attn_tile.load %k[%h, %j, %c256] : !array -> !keys
      %kj2 = attn_tile.load %k2[%h, %j, %c0] : !rope -> !rkeys
      %product0 = attn_tile.dot %qi, %kj, %zero transpose_rhs apart = "scores" : !queries, !keys, !scores
      %product1 = attn_tile.dot %qi1, %kj1, %product0 transpose_rhs apart = "scores" : !queries, !keys, !scores
      %product = attn_tile.dot %qi2, %kj2, %product1 transpose_rhs apart = "scores" : !rqueries, !rkeys, !scores
      %s = scf.if %partial -> (!scores) {
        %rest = affine.apply affine_map<(j)[n] -> (n - j)>(%j)[%num_keys]
        %rest32 = arith.index_cast %rest : index to i32
        %limits = tensor.splat %rest32 : !words
        %column = attn_tile.coordinate along 1 : !words
        %sees = arith.cmpi slt, %column, %limits : !words
        %masked = arith.select %sees, %product, %lowest : !bits, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %product : !scores
      }
      %p, %next = attn_tile.softmax_update %s, %state : (!scores, !state) -> (!rounded, !state)
      // The further columns of keys are not read again, and give probabilities their memory.
      %passed = attn_tile.reuse %p over %kj2 : !rounded, !rkeys
      %alpha = attn_tile.softmax_factor %state to %next : !state -> !rows
      %rescaled = attn_tile.rescale %acc by %alpha : !rows, !output
      %rescaled1 = attn_tile.rescale %acc1 by %alpha : !rows, !output
      %sum = attn_tile.dot %passed, %kj, %rescaled : !rounded, !keys, !output
      %sum1 = attn_tile.dot %passed, %kj1, %rescaled1 : !rounded, !keys, !output
      attn_tile.yield %sum, %sum1, %next : !output, !output, !state
    }
    %inverse, %sums = attn_tile.softmax_finish %r#2 : !state -> !rows, !rows
    %factors = attn_tile.broadcast %inverse along 1 : !rows -> !output
    %normal = arith.mulf %r#0, %factors : !output
    %normal1 = arith.mulf %r#1, %factors : !output
    %rounded = arith.truncf %normal : !output to !result_tile
    %rounded1 = arith.truncf %normal1 : !output to !result_tile
    attn_tile.store %rounded, %o[%h, %i, %c0] : !result_tile, !result
    attn_tile.store %rounded1, %o[%h, %i, %c256] : !result_tile, !result
    attn_tile.store %sums, %lse[%h, %i] : !rows, !row
  }
  return
}
