// Softmax in two passes over one domain: the first finds each row's maximum and sum, the
// second the output, whose accumulator nothing rescales. Causal.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so two_pass dtype=f16 heads=2 queries=130 keys=130 dim=64 | FileCheck %s
// RUN: %{run} %t.f16.so two_pass dtype=f16 heads=2 queries=100 keys=70 dim=64 | FileCheck %s
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so two_pass dtype=f32 heads=2 queries=130 keys=130 dim=64 | FileCheck %s
// RUN: %{run} %t.f32.so two_pass dtype=f32 heads=2 queries=70 keys=100 dim=64 | FileCheck %s

// CHECK: pass

!array = memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
!queries = tensor<64x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x64xf32>
!rows = tensor<64xf32>
!words = tensor<64x64xi32>
!row_words = tensor<64xi32>
!bits = tensor<64x64xi1>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @two_pass(%q: !array, %k: !array, %v: !array, %o: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %none = arith.constant dense<0.0> : !rows
  %one = arith.constant dense<1.0> : !rows
  %no_score = arith.constant dense<0xFF800000> : !scores
  %scale = arith.constant dense<0.125> : !scores
  // Finite: a block may have no score of a row.
  %lowest = arith.constant dense<-1.0e30> : !rows
  %num_heads = memref.dim %q, %c0 : !array
  %num_queries = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %i) to (%num_heads, %num_queries) step [1, 64] longest last
      schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
    %end = affine.min affine_map<(i)[n] -> (i + 64, n)>(%i)[%num_queries]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      %hi = affine.min affine_map<(l)[n] -> (l, n)>(%last)[%num_keys]
      %full = affine.min affine_map<(f)[n] -> (f + 1, n)>(%first)[%num_keys]
      attn_tile.domain_yield %c0 to %hi full %c0 to %full
    } : !attn_tile.domain<64>

    %found:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%max = %lowest, %sum = %none)
        -> (!rows, !rows) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      // Scores, scaled and masked.
      %product = attn_tile.dot %qi, %kj, %zero transpose_rhs : !queries, !keys, !scores
      %scaled = arith.mulf %product, %scale : !scores
      %s = scf.if %partial -> (!scores) {
        %distance = affine.apply affine_map<(i, j) -> (i - j)>(%i, %j)
        %rest = affine.apply affine_map<(j)[n] -> (n - j)>(%j)[%num_keys]
        %distance32 = arith.index_cast %distance : index to i32
        %rest32 = arith.index_cast %rest : index to i32
        %shift = tensor.splat %distance32 : !row_words
        %ends = tensor.splat %rest32 : !words
        %row = attn_tile.coordinate along 0 : !row_words
        %limit = arith.addi %row, %shift : !row_words
        %limits = attn_tile.broadcast %limit along 1 : !row_words -> !words
        %column = attn_tile.coordinate along 1 : !words
        %is_before = arith.cmpi sle, %column, %limits : !words
        %is_key = arith.cmpi slt, %column, %ends : !words
        %before = arith.select %is_before, %scaled, %no_score : !bits, !scores
        %masked = arith.select %is_key, %before, %no_score : !bits, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %scaled : !scores
      }

      %block_max = attn_tile.reduce maxnum %s along 1 : !scores -> !rows
      %new_max = arith.maxnumf %max, %block_max : !rows
      %max_rows = attn_tile.broadcast %new_max along 1 : !rows -> !scores
      %exponent = arith.subf %s, %max_rows : !scores
      %p = math.exp %exponent : !scores
      %block_sum = attn_tile.reduce add %p along 1 : !scores -> !rows
      %decrease = arith.subf %max, %new_max : !rows
      %alpha = math.exp %decrease : !rows
      %new_sum = math.fma %alpha, %sum, %block_sum : !rows
      attn_tile.yield %new_max, %new_sum : !rows, !rows
    }

    %inverse = arith.divf %one, %found#1 : !rows
    %output = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output)
        -> (!output) : !attn_tile.domain<64> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
      %vj = attn_tile.load %v[%h, %j, %c0] : !array -> !keys
      // As above.
      %product = attn_tile.dot %qi, %kj, %zero transpose_rhs : !queries, !keys, !scores
      %scaled = arith.mulf %product, %scale : !scores
      %s = scf.if %partial -> (!scores) {
        %distance = affine.apply affine_map<(i, j) -> (i - j)>(%i, %j)
        %rest = affine.apply affine_map<(j)[n] -> (n - j)>(%j)[%num_keys]
        %distance32 = arith.index_cast %distance : index to i32
        %rest32 = arith.index_cast %rest : index to i32
        %shift = tensor.splat %distance32 : !row_words
        %ends = tensor.splat %rest32 : !words
        %row = attn_tile.coordinate along 0 : !row_words
        %limit = arith.addi %row, %shift : !row_words
        %limits = attn_tile.broadcast %limit along 1 : !row_words -> !words
        %column = attn_tile.coordinate along 1 : !words
        %is_before = arith.cmpi sle, %column, %limits : !words
        %is_key = arith.cmpi slt, %column, %ends : !words
        %before = arith.select %is_before, %scaled, %no_score : !bits, !scores
        %masked = arith.select %is_key, %before, %no_score : !bits, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %scaled : !scores
      }

      %max_rows = attn_tile.broadcast %found#0 along 1 : !rows -> !scores
      %exponent = arith.subf %s, %max_rows : !scores
      %p = math.exp %exponent : !scores
      %inverse_rows = attn_tile.broadcast %inverse along 1 : !rows -> !scores
      %normal = arith.mulf %p, %inverse_rows : !scores
      %rounded = arith.truncf %normal : !scores to !rounded
      %next = attn_tile.dot %rounded, %vj, %acc : !rounded, !keys, !output
      attn_tile.yield %next : !output
    }
    %result = arith.truncf %output : !output to !queries
    attn_tile.store %result, %o[%h, %i, %c0] : !queries, !array
  }
  return
}
