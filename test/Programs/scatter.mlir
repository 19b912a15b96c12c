// Rows of 16-bit numbers that are added to memory: to blocks of eight rows of an array
// whose last dimension they are, and each three to one row. Rows beyond what the arrays
// have are dropped.

// RUN: attnc compile --target sm_80 --emit ptx %s | FileCheck %s
// Elements in blocks have one address and constant distances; rows of the third array do not.
// CHECK: red.relaxed.gpu.global.add.f32 [%[[A:rd[0-9]+]]+0]
// CHECK: red.relaxed.gpu.global.add.f32 [%[[A]]+32]
// CHECK: red.relaxed.gpu.global.add.f32 [%[[A]]+2048]

!array = memref<?x64xf16>
!blocks = memref<?x64x8xf32>
!thirds = memref<?x64xf32>
!tile = tensor<64x64xf16>
!wide = tensor<64x64xf32>
!index = tensor<64x64xindex>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

func.func @scatter(%a: !array, %blocks: !blocks, %thirds: !thirds) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %zeros = arith.constant dense<0.0> : !wide
  %m = memref.dim %a, %c0 : !array
  %numBlocks = memref.dim %blocks, %c0 : !blocks
  %numThirds = memref.dim %thirds, %c0 : !thirds
  %ofBlocks = attn_tile.workspace(%numBlocks) : !blocks
  %ofThirds = attn_tile.workspace(%numThirds) : !thirds
  attn_tile.grid (%i) to (%numThirds) step [64] schedule #schedule {
    attn_tile.store %zeros, %ofThirds[%i, %c0] : !wide, !thirds
  }
  attn_tile.grid (%b, %i) to (%numBlocks, %c1) step [1, 64] schedule #schedule {
    attn_tile.store %zero, %ofBlocks[%b, %i, %c0] : tensor<64x8xf32>, !blocks
  }
  attn_tile.grid (%i) to (%m) step [64] schedule #schedule {
    %tile = attn_tile.load %a[%i, %c0] : !array -> !tile
    %x = arith.extf %tile : !tile to !wide
    %eighth = arith.divui %i, %c8 : index
    %first = tensor.splat %eighth : !index
    %of_tile = attn_tile.coordinate along 0 by affine_map<(r) -> (r floordiv 8)> : !index
    %block = arith.addi %of_tile, %first : !index
    %in_block = attn_tile.coordinate along 0 by affine_map<(r) -> (r mod 8)> : !index
    %column = attn_tile.coordinate along 1 : !index
    attn_tile.scatter %x, %ofBlocks[%block, %column, %in_block] add
        : !wide, !blocks, !index, !index, !index
    %third = attn_tile.coordinate along 0 by affine_map<(r) -> (r floordiv 3)> : !index
    attn_tile.scatter %x, %ofThirds[%third, %column] add : !wide, !thirds, !index, !index
  }
  attn_tile.grid (%i) to (%numThirds) step [64] schedule #schedule {
    %tile = attn_tile.load %ofThirds[%i, %c0] : !thirds -> !wide
    attn_tile.store %tile, %thirds[%i, %c0] : !wide, !thirds
  }
  attn_tile.grid (%b, %i) to (%numBlocks, %c1) step [1, 64] schedule #schedule {
    %tile = attn_tile.load %ofBlocks[%b, %i, %c0] : !blocks -> tensor<64x8xf32>
    attn_tile.store %tile, %blocks[%b, %i, %c0] : tensor<64x8xf32>, !blocks
  }
  return
}
