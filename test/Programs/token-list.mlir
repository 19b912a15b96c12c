// Attention to tokens that memory names, a list for each block of queries: a copy takes each
// row of a tile of keys or values from the list. A token below 0 is masked; one past the last
// key is a key of zeros whose value is 0. Rows of an empty list are 0.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so token_list dtype=f16 heads=2 queries=200 keys=150 dim=128 tokens=140 rows=64 | FileCheck %s
// RUN: %{run} %t.f16.so token_list dtype=f16 heads=2 queries=130 keys=40 dim=128 tokens=70 rows=64 seed=1 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so token_list dtype=f32 heads=2 queries=200 keys=150 dim=128 tokens=140 rows=64 | FileCheck %s
// RUN: %{run} %t.f32.so token_list dtype=f32 heads=2 queries=130 keys=40 dim=128 tokens=70 rows=64 seed=1 | FileCheck %s

// CHECK: pass

!array = memref<?x?x128xf16, strided<[?, ?, 1], offset: ?>>
!lists = memref<?x?xi32, strided<[?, 1], offset: ?>>
!list = memref<?xi32, strided<[1], offset: ?>>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!queries = tensor<64x128xf16>
!keys = tensor<64x128xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x128xf32>
!result = tensor<64x128xf16>
!rows = tensor<64xf32>
!words = tensor<64x64xi32>
!column_words = tensor<64xi32>
!column_bits = tensor<64xi1>
!bits = tensor<64x64xi1>
!state = !attn_tile.softmax<64, factor = 0.08838834764831845>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @token_list(%q: !array, %k: !array, %v: !array, %tokens: !lists, %counts: !list, %o: !array,
                      %lse: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %lowest = arith.constant dense<0xFF800000> : !scores
  %first_token = arith.constant dense<0> : !column_words
  %num_heads = memref.dim %q, %c0 : !array
  %num_queries = memref.dim %q, %c1 : !array
  attn_tile.grid (%h, %i) to (%num_heads, %num_queries) step [1, 64] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %number = affine.apply affine_map<(i) -> (i floordiv 64)>(%i)
    %count32 = memref.load %counts[%number] : !list
    %count = arith.index_cast %count32 : i32 to index
    %own_tokens = memref.subview %tokens[%number, 0] [1, %count] [1, 1] : !lists to !list
    // Columns are positions in the list, the same for all rows.
    %domain = attn_tile.domain rows %c0 to %c1 {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %count full %c0 to %count
    } : !attn_tile.domain<64>
    %none = attn_tile.softmax_init : !state
    %r:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output, %state = %none)
        -> (!output, !state) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %c0, %c0] rows %own_tokens[%j] : !array, !list -> !keys
      %vj = attn_tile.load %v[%h, %c0, %c0] rows %own_tokens[%j] : !array, !list -> !keys
      %product = attn_tile.dot %qi, %kj, %zero transpose_rhs : !queries, !keys, !scores
      %token = attn_tile.load %own_tokens[%j] : !list -> !column_words
      %is_token = arith.cmpi sge, %token, %first_token : !column_words
      %are_tokens = attn_tile.broadcast %is_token along 0 : !column_bits -> !bits
      %of_tokens = arith.select %are_tokens, %product, %lowest : !bits, !scores
      %s = scf.if %partial -> (!scores) {
        %rest = affine.apply affine_map<(j)[n] -> (n - j)>(%j)[%count]
        %rest32 = arith.index_cast %rest : index to i32
        %ends = tensor.splat %rest32 : !words
        %column = attn_tile.coordinate along 1 : !words
        %is_listed = arith.cmpi slt, %column, %ends : !words
        %masked = arith.select %is_listed, %of_tokens, %lowest : !bits, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %of_tokens : !scores
      }
      %p, %next, %rescaled = attn_tile.softmax_update %s, %state rescale(%acc)
          : (!scores, !state, !output) -> (!rounded, !state, !output)
      %sum = attn_tile.dot %p, %vj, %rescaled : !rounded, !keys, !output
      attn_tile.yield %sum, %next : !output, !state
    }
    %inverse, %lsei = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
    %inverse_rows = attn_tile.broadcast %inverse along 1 : !rows -> !output
    %output = arith.mulf %r#0, %inverse_rows : !output
    %result = arith.truncf %output : !output to !result
    attn_tile.store %result, %o[%h, %i, %c0] : !result, !array
    attn_tile.store %lsei, %lse[%h, %i] : !rows, !row
  }
  return
}
