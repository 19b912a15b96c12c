// Rows at which TMA copies tiles are below 2^31 where a region's arithmetic takes them, too;
// other positions, and those of other copies, are as large as they are.

// RUN: attn-opt %s -split-input-file -attn-gpu-bound-positions -canonicalize | FileCheck %s

#tma = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>

// CHECK-LABEL: func.func @copied(
// CHECK: %[[MOST:.+]] = arith.constant 2147418112 : index
// CHECK: attn_tile.grid (%[[ROW:.+]], %[[OTHER:.+]]) to
// CHECK: attn_tile.load %{{.+}}[%[[ROW]], %{{.+}}]
// CHECK: attn_tile.load %{{.+}}[%[[ROW]], %{{.+}}]
// CHECK: %[[BOUNDED:.+]] = arith.minui %[[ROW]], %[[MOST]]
// CHECK: tensor.splat %[[BOUNDED]] : tensor<64x64xindex>
// CHECK: tensor.splat %[[OTHER]] : tensor<64x64xindex>
func.func @copied(%q: memref<?x64xf16>, %k: memref<?x64xf16>, %n: index, %o: memref<?x64xf32>, %p: memref<?x64xi64>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  attn_tile.grid (%row, %other) to (%n, %n) step [64, 64] schedule #tma {
    %lhs = attn_tile.load %q[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %rhs = attn_tile.load %k[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %dot = attn_tile.dot %lhs, %rhs, %zeros transpose_rhs : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    attn_tile.store %dot, %o[%row, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    %rows = tensor.splat %row : tensor<64x64xindex>
    %rows_i64 = arith.index_cast %rows : tensor<64x64xindex> to tensor<64x64xi64>
    attn_tile.store %rows_i64, %p[%row, %c0] : tensor<64x64xi64>, memref<?x64xi64>
    %others = tensor.splat %other : tensor<64x64xindex>
    %others_i64 = arith.index_cast %others : tensor<64x64xindex> to tensor<64x64xi64>
    attn_tile.store %others_i64, %p[%other, %c0] : tensor<64x64xi64>, memref<?x64xi64>
  }
  return
}

// -----

// No MMA reads the tile: it is not copied.
// CHECK-LABEL: func.func @loaded(
// CHECK-NOT: arith.minui
func.func @loaded(%q: memref<?x64xf16>, %n: index, %o: memref<?x64xf16>, %p: memref<?x64xi64>) {
  %c0 = arith.constant 0 : index
  attn_tile.grid (%row) to (%n) step [64]
      schedule #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> {
    %tile = attn_tile.load %q[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    attn_tile.store %tile, %o[%row, %c0] : tensor<64x64xf16>, memref<?x64xf16>
    %rows = tensor.splat %row : tensor<64x64xindex>
    %rows_i64 = arith.index_cast %rows : tensor<64x64xindex> to tensor<64x64xi64>
    attn_tile.store %rows_i64, %p[%row, %c0] : tensor<64x64xi64>, memref<?x64xi64>
  }
  return
}

// -----

// Copies of 16 bytes have addresses of 64 bits.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: arith.minui
func.func @narrow(%q: memref<?x64xf16>, %k: memref<?x64xf16>, %n: index, %o: memref<?x64xf32>, %p: memref<?x64xi64>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  attn_tile.grid (%row) to (%n) step [64]
      schedule #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> {
    %lhs = attn_tile.load %q[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %rhs = attn_tile.load %k[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %dot = attn_tile.dot %lhs, %rhs, %zeros transpose_rhs : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    attn_tile.store %dot, %o[%row, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    %rows = tensor.splat %row : tensor<64x64xindex>
    %rows_i64 = arith.index_cast %rows : tensor<64x64xindex> to tensor<64x64xi64>
    attn_tile.store %rows_i64, %p[%row, %c0] : tensor<64x64xi64>, memref<?x64xi64>
  }
  return
}

// -----

// Only where TMA copies: the other grid may be the one that runs for larger arrays.
// CHECK-LABEL: func.func @of_two_grids(
// CHECK: tensor.splat %{{.+}} : tensor<64x64xindex>
// CHECK-NOT: arith.minui
func.func @of_two_grids(%q: memref<?x64xf16>, %row: index, %n: index, %o: memref<?x64xf32>, %p: memref<?x64xi64>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  attn_tile.grid (%i) to (%n) step [64]
      schedule #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> {
    %rows = tensor.splat %row : tensor<64x64xindex>
    %words = arith.index_cast %rows : tensor<64x64xindex> to tensor<64x64xi64>
    attn_tile.store %words, %p[%i, %c0] : tensor<64x64xi64>, memref<?x64xi64>
  }
  attn_tile.grid (%i) to (%n) step [64]
      schedule #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma> {
    %tile = attn_tile.load %q[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %dot = attn_tile.dot %tile, %tile, %zeros transpose_rhs : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    attn_tile.store %dot, %o[%i, %c0] : tensor<64x64xf32>, memref<?x64xf32>
  }
  return
}
