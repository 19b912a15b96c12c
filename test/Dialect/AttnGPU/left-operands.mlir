// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts | FileCheck %s

// Which left operands stay in registers: those for which the accumulators, and the tiles that the
// loop reads `beside` its products, leave room.

!array = memref<?x128xf16>
!tile = tensor<64x128xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x128xf32>

// CHECK-LABEL: attn_gpu.kernel @unmarked(
// CHECK: %[[Q:.+]] = attn_tile.load %{{.+}} -> tensor<64x128xf16, #attn_gpu.shared<padding = 16>>
// CHECK: %[[LEFT:.+]] = attn_gpu.convert_layout %[[Q]] : {{.*}} -> tensor<64x128xf16, #attn_gpu.mma<warps = 4>>
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.dot %[[LEFT]],
attn_gpu.kernel @unmarked(%q: !array, %k: !array, %bias: memref<?x?xf32>, %o: memref<?x128xf32>, %n: index)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %left = attn_tile.load %q[%c0, %c0] : !array -> !tile
  %domain = attn_tile.domain rows %c0 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %n full %c0 to %n
  } : !attn_tile.domain<64>
  %r = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output) -> (!output) : !attn_tile.domain<64> {
    %right = attn_tile.load %k[%j, %c0] : !array -> !tile
    %s = attn_tile.dot %left, %right, %no_scores transpose_rhs : !tile, !tile, !scores
    %x = attn_tile.load %bias[%c0, %j] : memref<?x?xf32> -> !scores
    %y = arith.addf %s, %x : !scores
    %p = arith.truncf %y : !scores to !rounded
    %sum = attn_tile.dot %p, %right, %acc : !rounded, !tile, !output
    attn_tile.yield %sum : !output
  }
  attn_tile.store %r, %o[%c0, %c0] : !output, memref<?x128xf32>
}

// -----

!array = memref<?x128xf16>
!tile = tensor<64x128xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!output = tensor<64x128xf32>

// CHECK-LABEL: attn_gpu.kernel @beside(
// CHECK: %[[Q:.+]] = attn_tile.load %{{.+}} -> tensor<64x128xf16, #attn_gpu.shared<padding = 16>>
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.dot %[[Q]],
attn_gpu.kernel @beside(%q: !array, %k: !array, %bias: memref<?x?xf32>, %o: memref<?x128xf32>, %n: index)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_output = arith.constant dense<0.0> : !output
  %left = attn_tile.load %q[%c0, %c0] : !array -> !tile
  %domain = attn_tile.domain rows %c0 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %n full %c0 to %n
  } : !attn_tile.domain<64>
  %r = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %no_output) -> (!output) : !attn_tile.domain<64> {
    %right = attn_tile.load %k[%j, %c0] : !array -> !tile
    %s = attn_tile.dot %left, %right, %no_scores transpose_rhs : !tile, !tile, !scores
    %x = attn_tile.load %bias[%c0, %j] beside : memref<?x?xf32> -> !scores
    %y = arith.addf %s, %x : !scores
    %p = arith.truncf %y : !scores to !rounded
    %sum = attn_tile.dot %p, %right, %acc : !rounded, !tile, !output
    attn_tile.yield %sum : !output
  }
  attn_tile.store %r, %o[%c0, %c0] : !output, memref<?x128xf32>
}

// -----

!array = memref<?x64xf32>
!tile = tensor<64x64xf32>

// Two sums of products of f32 leave room for their left operand; the product that is added to
// another one is part of its sum.
// CHECK-LABEL: attn_gpu.kernel @two_sums(
// CHECK: %[[Q:.+]] = attn_tile.load %{{.+}} -> tensor<64x64xf32, #attn_gpu.shared<padding = 16>>
// CHECK: %[[LEFT:.+]] = attn_gpu.convert_layout %[[Q]]
// CHECK: attn_tile.dot %[[LEFT]],
attn_gpu.kernel @two_sums(%q: !array, %k: !array, %o: !array, %n: index)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile
  %left = attn_tile.load %q[%c0, %c0] : !array -> !tile
  %domain = attn_tile.domain rows %c0 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %n full %c0 to %n
  } : !attn_tile.domain<64>
  %r = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %zero) -> (!tile) : !attn_tile.domain<64> {
    %right = attn_tile.load %k[%j, %c0] : !array -> !tile
    %part = attn_tile.dot %left, %right, %zero transpose_rhs : !tile, !tile, !tile
    %s = attn_tile.dot %left, %right, %part transpose_rhs : !tile, !tile, !tile
    %p = math.exp %s : !tile
    %sum = attn_tile.dot %p, %right, %acc : !tile, !tile, !tile
    attn_tile.yield %sum : !tile
  }
  attn_tile.store %r, %o[%c0, %c0] : !tile, !array
}

// -----

!array = memref<?x64xf32>
!tile = tensor<64x64xf32>

// CHECK-LABEL: attn_gpu.kernel @four_sums(
// CHECK: %[[Q:.+]] = attn_tile.load %{{.+}} -> tensor<64x64xf32, #attn_gpu.shared<padding = 16>>
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: attn_tile.dot %[[Q]],
attn_gpu.kernel @four_sums(%q: !array, %k: !array, %o: !array, %n: index)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile
  %left = attn_tile.load %q[%c0, %c0] : !array -> !tile
  %domain = attn_tile.domain rows %c0 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %n full %c0 to %n
  } : !attn_tile.domain<64>
  %r:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%a = %zero, %b = %zero) -> (!tile, !tile) : !attn_tile.domain<64> {
    %right = attn_tile.load %k[%j, %c0] : !array -> !tile
    %s = attn_tile.dot %left, %right, %zero transpose_rhs : !tile, !tile, !tile
    %t = attn_tile.dot %left, %right, %zero : !tile, !tile, !tile
    %p = math.exp %s : !tile
    %first = attn_tile.dot %p, %right, %a : !tile, !tile, !tile
    %d = arith.mulf %p, %t : !tile
    %second = attn_tile.dot %d, %right, %b : !tile, !tile, !tile
    attn_tile.yield %first, %second : !tile, !tile
  }
  %both = arith.addf %r#0, %r#1 : !tile
  attn_tile.store %both, %o[%c0, %c0] : !tile, !array
}
