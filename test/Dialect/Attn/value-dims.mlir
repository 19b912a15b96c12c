// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -attn-assign-tiles -convert-attn-to-tile | FileCheck %s --check-prefix TILE

// The value is columns of the key, and a program loads each block of keys once.

!query = memref<2x16x1x576xbf16>
!key = memref<2x1x1000x576xbf16>
!output = memref<2x16x1x512xbf16>

// CHECK-LABEL: func.func @within(
// CHECK: attn.attention ins(%{{.*}}, %{{.*}} : memref<2x16x1x576xbf16>, memref<2x1x1000x576xbf16>)
// CHECK-SAME: value_dims [0, 512] outs(
// TILE-LABEL: func.func @within(
// TILE: attn_tile.for_blocks
// TILE: %[[KEY:.*]] = attn_tile.load {{.*}} -> tensor<64x576xbf16>
// TILE-NOT: attn_tile.load
// TILE: %[[VALUE:.*]] = tensor.extract_slice %[[KEY]][0, 0] [64, 512] [1, 1]
// TILE: attn_tile.dot %{{.*}}, %[[VALUE]]
func.func @within(%q: !query, %k: !key, %o: !output) {
  attn.attention ins(%q, %k : !query, !key) value_dims [0, 512] outs(%o : !output)
  return
}

// Columns that are no whole panels of a tile are an array of their own.

// TILE-LABEL: func.func @between(
// TILE: attn_tile.load {{.*}} -> tensor<64x576xbf16>
// TILE: attn_tile.load {{.*}} -> tensor<64x512xbf16>
// TILE-NOT: tensor.extract_slice
func.func @between(%q: !query, %k: !key, %o: !output) {
  attn.attention ins(%q, %k : !query, !key) value_dims [8, 520] outs(%o : !output)
  return
}
