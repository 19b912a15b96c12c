// Attention to blocks of keys that memory names, a list for each block of queries, in any
// order and for all heads. A partial block is causal and ends with the keys. Rows of an
// empty list are 0.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so block_list dtype=f16 heads=2 queries=140 keys=150 dim=32 block=32 rows=64 | FileCheck %s
// RUN: %{run} %t.f16.so block_list dtype=f16 heads=2 queries=150 keys=100 dim=32 block=32 rows=64 seed=1 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so block_list dtype=f32 heads=2 queries=140 keys=150 dim=32 block=32 rows=64 | FileCheck %s
// RUN: %{run} %t.f32.so block_list dtype=f32 heads=2 queries=150 keys=100 dim=32 block=32 rows=64 seed=1 | FileCheck %s

// CHECK: pass

!array = memref<?x?x32xf16, strided<[?, ?, 1], offset: ?>>
!lists = memref<?x?xi32, strided<[?, 1], offset: ?>>
!list = memref<?xi32, strided<[1], offset: ?>>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!queries = tensor<64x32xf16>
!keys = tensor<32x32xf16>
!scores = tensor<64x32xf32>
!rounded = tensor<64x32xf16>
!output = tensor<64x32xf32>
!rows = tensor<64xf32>
!words = tensor<64x32xi32>
!row_words = tensor<64xi32>
!bits = tensor<64x32xi1>
!state = !attn_tile.softmax<64, factor = 0.17677669529663687>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>

func.func @block_list(%q: !array, %k: !array, %v: !array, %blocks: !lists, %kinds: !lists, %counts: !list,
                      %o: !array, %lse: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %lowest = arith.constant dense<0xFF800000> : !scores
  %num_heads = memref.dim %q, %c0 : !array
  %num_queries = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%num_heads, %num_queries) step [1, 64] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %number = affine.apply affine_map<(i) -> (i floordiv 64)>(%i)
    %count32 = memref.load %counts[%number] : !list
    %count = arith.index_cast %count32 : i32 to index
    %own_blocks = memref.subview %blocks[%number, 0] [1, %count] [1, 1] : !lists to !list
    %own_kinds = memref.subview %kinds[%number, 0] [1, %count] [1, 1] : !lists to !list
    %domain = attn_tile.domain_list %own_blocks, %own_kinds count %count : !list, !list -> !attn_tile.domain<32>
    %none = attn_tile.softmax_init : !state
    %r:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output, %state = %none)
        -> (!output, !state) : !attn_tile.domain<32> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %vj = attn_tile.load %v[%h, %j, %c0] : !array -> !keys
      %product = attn_tile.dot %qi, %kj, %zero transpose_rhs : !queries, !keys, !scores
      %s = scf.if %partial -> (!scores) {
        // Columns up to the row's own, and none from the number of keys on.
        %rest = affine.apply affine_map<(j)[n] -> (n - j - 1)>(%j)[%num_keys]
        %distance = affine.apply affine_map<(i, j) -> (i - j)>(%i, %j)
        %rest32 = arith.index_cast %rest : index to i32
        %distance32 = arith.index_cast %distance : index to i32
        %end = tensor.splat %rest32 : !row_words
        %shift = tensor.splat %distance32 : !row_words
        %row = attn_tile.coordinate along 0 : !row_words
        %own = arith.addi %row, %shift : !row_words
        %limit = arith.minsi %own, %end : !row_words
        %limits = attn_tile.broadcast %limit along 1 : !row_words -> !words
        %column = attn_tile.coordinate along 1 : !words
        %sees = arith.cmpi sle, %column, %limits : !words
        %masked = arith.select %sees, %product, %lowest : !bits, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %product : !scores
      }
      %p, %next, %rescaled = attn_tile.softmax_update %s, %state rescale(%acc)
          : (!scores, !state, !output) -> (!rounded, !state, !output)
      %sum = attn_tile.dot %p, %vj, %rescaled : !rounded, !keys, !output
      attn_tile.yield %sum, %next : !output, !state
    }
    %inverse, %lsei = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
    %inverse_rows = attn_tile.broadcast %inverse along 1 : !rows -> !output
    %output = arith.mulf %r#0, %inverse_rows : !output
    %result = arith.truncf %output : !output to !queries
    attn_tile.store %result, %o[%h, %i, %c0] : !queries, !array
    attn_tile.store %lsei, %lse[%h, %i] : !rows, !row
  }
  return
}
