// The backward step of attention. A program has a block of keys and goes over the queries that see
// them; several programs add to the same rows of dQ. Query i sees key j if j <= i + diagonal: all
// queries see all keys if the diagonal is the index of the last key.

// REQUIRES: c-compiler
// DEFINE: %{compile} = %python %inputs/compile-program.py %cc
// DEFINE: %{run} = %python %inputs/run-program.py

// RUN: %{compile} %s %t.f16.so
// RUN: %{run} %t.f16.so backward dtype=f16 heads=2 queries=100 keys=100 dim=32 diagonal=0 | FileCheck %s
// RUN: %{run} %t.f16.so backward dtype=f16 heads=1 queries=70 keys=130 dim=32 diagonal=60 | FileCheck %s
// RUN: %{run} %t.f16.so backward dtype=f16 heads=2 queries=90 keys=75 dim=32 diagonal=75 | FileCheck %s

// In f32 there is nothing to round.
// RUN: sed 's/f16/f32/g; s/arith.truncf/tensor.cast/' %s > %t.f32.mlir
// RUN: %{compile} %t.f32.mlir %t.f32.so
// RUN: %{run} %t.f32.so backward dtype=f32 heads=2 queries=100 keys=100 dim=32 diagonal=0 | FileCheck %s
// RUN: %{run} %t.f32.so backward dtype=f32 heads=1 queries=70 keys=130 dim=32 diagonal=60 | FileCheck %s
// RUN: %{run} %t.f32.so backward dtype=f32 heads=2 queries=90 keys=75 dim=32 diagonal=75 | FileCheck %s

// CHECK: pass

!array = memref<?x?x32xf16, strided<[?, ?, 1], offset: ?>>
!sum = memref<?x?x32xf32, strided<[?, ?, 1], offset: ?>>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!keys = tensor<64x32xf16>
!queries = tensor<64x32xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!grad = tensor<64x32xf32>
!rounded_grad = tensor<64x32xf16>
!query_grad = tensor<64x32xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @backward(%q: !array, %k: !array, %v: !array, %do: !array, %lse: !row, %delta: !row,
                    %scale: f32, %diagonal: index, %dq: !sum, %dk: !array, %dv: !array) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_grad = arith.constant dense<0.0> : !grad
  %no_query_grad = arith.constant dense<0.0> : !query_grad
  %lowest = arith.constant dense<0xFF800000> : !scores
  %num_heads = memref.dim %q, %c0 : !array
  %num_queries = memref.dim %q, %c1 : !array
  %num_keys = memref.dim %k, %c1 : !array
  attn_tile.grid (%h, %j) to (%num_heads, %num_keys) step [1, 64] longest first
      schedule #schedule {
    %kj = attn_tile.load %k[%h, %j, %c0] : !array -> !keys
    %vj = attn_tile.load %v[%h, %j, %c0] : !array -> !keys
    %end = affine.min affine_map<(j)[n] -> (j + 64, n)>(%j)[%num_keys]

    // The queries that see the keys [first, last): key `first` is seen from
    // `first - diagonal` on, the last one as far up as all of them.
    %domain = attn_tile.domain rows %j to %end {
    ^bb0(%first: index, %last: index):
      %lo = affine.max affine_map<(f)[d] -> (f - d, 0)>(%first)[%diagonal]
      %full = affine.max affine_map<(l)[d] -> (l - 1 - d, 0)>(%last)[%diagonal]
      attn_tile.domain_yield %lo to %num_queries full %full to %num_queries
    } : !attn_tile.domain<64>

    %sums:2 = attn_tile.for_blocks (%i, %partial) of %domain iter_args(%dkj = %no_grad, %dvj = %no_grad)
        -> (!grad, !grad) : !attn_tile.domain<64> {
      %qi = attn_tile.load %q[%h, %i, %c0] : !array -> !queries
      %doi = attn_tile.load %do[%h, %i, %c0] : !array -> !queries
      %lsei = attn_tile.load %lse[%h, %i] : !row -> tensor<64xf32>
      %deltai = attn_tile.load %delta[%h, %i] : !row -> tensor<64xf32>

      // Rows are keys: S = K Q'
      %product = attn_tile.dot %kj, %qi, %no_scores transpose_rhs : !keys, !queries, !scores
      %factor = tensor.splat %scale : !scores
      %scaled = arith.mulf %product, %factor : !scores
      %s = scf.if %partial -> (!scores) {
        %distance = affine.apply affine_map<(i, j)[d] -> (i - j + d)>(%i, %j)[%diagonal]
        %distance32 = arith.index_cast %distance : index to i32
        %shift = tensor.splat %distance32 : tensor<64x64xi32>
        %key = attn_tile.coordinate along 0 : tensor<64x64xi32>
        %query = attn_tile.coordinate along 1 : tensor<64x64xi32>
        %limit = arith.addi %query, %shift : tensor<64x64xi32>
        %sees = arith.cmpi sle, %key, %limit : tensor<64x64xi32>
        %masked = arith.select %sees, %scaled, %lowest : tensor<64x64xi1>, !scores
        scf.yield %masked : !scores
      } else {
        scf.yield %scaled : !scores
      }

      // P = exp(S - lse)
      %lse_rows = attn_tile.broadcast %lsei along 0 : tensor<64xf32> -> !scores
      %exponent = arith.subf %s, %lse_rows : !scores
      %p = math.exp %exponent : !scores

      // dS = P (V dO' - delta)
      %dp = attn_tile.dot %vj, %doi, %no_scores transpose_rhs : !keys, !queries, !scores
      %delta_rows = attn_tile.broadcast %deltai along 0 : tensor<64xf32> -> !scores
      %difference = arith.subf %dp, %delta_rows : !scores
      %ds = arith.mulf %p, %difference : !scores

      %p_rounded = arith.truncf %p : !scores to !rounded
      %ds_rounded = arith.truncf %ds : !scores to !rounded
      %dv_next = attn_tile.dot %p_rounded, %doi, %dvj : !rounded, !queries, !grad
      %dk_next = attn_tile.dot %ds_rounded, %qi, %dkj : !rounded, !queries, !grad
      %dqi = attn_tile.dot %ds_rounded, %kj, %no_query_grad transpose_lhs : !rounded, !keys, !query_grad
      %dq_factor = tensor.splat %scale : !query_grad
      %dq_scaled = arith.mulf %dqi, %dq_factor : !query_grad
      attn_tile.store %dq_scaled, %dq[%h, %i, %c0] add apart : !query_grad, !sum
      attn_tile.yield %dk_next, %dv_next : !grad, !grad
    }
    %dk_factor = tensor.splat %scale : !grad
    %dk_scaled = arith.mulf %sums#0, %dk_factor : !grad
    %dk_rounded = arith.truncf %dk_scaled : !grad to !rounded_grad
    %dv_rounded = arith.truncf %sums#1 : !grad to !rounded_grad
    attn_tile.store %dk_rounded, %dk[%h, %j, %c0] : !rounded_grad, !array
    attn_tile.store %dv_rounded, %dv[%h, %j, %c0] : !rounded_grad, !array
  }
  return
}
