// Attention whose arrays all have 8 bits, multiplied in 8 bits: the probabilities are
// rounded to e4m3, too. The values' rows do not lie along K of the second product: a
// warpgroup of the kernel transposes them.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.so
// RUN: %{run} %t.so attention8 dtype=f16 eight=f8E4M3FN heads=2 rows=70 keys=130 | FileCheck %s
// RUN: %{run} %t.so attention8 dtype=f16 eight=f8E4M3FN heads=1 rows=129 keys=1 | FileCheck %s
// RUN: %{run} %t.so attention8 dtype=f16 eight=f8E4M3FN heads=1 rows=3 keys=300 | FileCheck %s

// CHECK: pass

!eight = memref<?x?x64xf8E4M3FN, strided<[?, ?, 1], offset: ?>>
!result = memref<?x?x64xf16, strided<[?, ?, 1], offset: ?>>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!queries = tensor<128x64xf8E4M3FN>
!keys = tensor<128x64xf8E4M3FN>
!values = tensor<128x64xf8E4M3FN>
!scores = tensor<128x128xf32>
!rounded = tensor<128x128xf8E4M3FN>
!output = tensor<128x64xf32>
!rows = tensor<128xf32>
!result_tile = tensor<128x64xf16>
!words = tensor<128x128xi32>
!bits = tensor<128x128xi1>
!state = !attn_tile.softmax<128, factor = 0.125>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 128, warps = 8, mma = wgmma, copy = tma, overlap = true, ping_pong = true, softmax = lazy, roles = producer_consumer_converter>

func.func @attention8(%q: !eight, %k: !eight, %v: !eight, %o: !result, %lse: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %lowest = arith.constant dense<0xFF800000> : !scores
  %count = memref.dim %q, %c0 : !eight
  %num_rows = memref.dim %q, %c1 : !eight
  %num_keys = memref.dim %k, %c1 : !eight
  attn_tile.grid (%h, %i) to (%count, %num_rows) step [1, 128] schedule #schedule {
    %qi = attn_tile.load %q[%h, %i, %c0] : !eight -> !queries
    %end = affine.min affine_map<(i)[n] -> (i + 128, n)>(%i)[%num_rows]
    %full = affine.apply affine_map<()[n] -> (n floordiv 128 * 128)>()[%num_keys]
    %domain = attn_tile.domain rows %i to %end {
    ^bb0(%first: index, %last: index):
      attn_tile.domain_yield %c0 to %num_keys full %c0 to %full
    } : !attn_tile.domain<128>
    %none = attn_tile.softmax_init : !state
    %r:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output, %state = %none)
        -> (!output, !state) : !attn_tile.domain<128> {
      %kj = attn_tile.load %k[%h, %j, %c0] : !eight -> !keys
      %vj = attn_tile.load %v[%h, %j, %c0] : !eight -> !values
      %product = attn_tile.dot %qi, %kj, %zero transpose_rhs : !queries, !keys, !scores
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
      %p, %next, %rescaled = attn_tile.softmax_update %s, %state rescale(%acc)
          : (!scores, !state, !output) -> (!rounded, !state, !output)
      %sum = attn_tile.dot %p, %vj, %rescaled : !rounded, !values, !output
      attn_tile.yield %sum, %next : !output, !state
    }
    %inverse, %sums = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
    %factors = attn_tile.broadcast %inverse along 1 : !rows -> !output
    %normal = arith.mulf %r#0, %factors : !output
    %rounded = arith.truncf %normal : !output to !result_tile
    attn_tile.store %rounded, %o[%h, %i, %c0] : !result_tile, !result
    attn_tile.store %sums, %lse[%h, %i] : !rows, !row
  }
  return
}
