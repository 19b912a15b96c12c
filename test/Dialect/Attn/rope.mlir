// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -attn-assign-tiles -convert-attn-to-tile | FileCheck %s --check-prefix TILE
// RUN: attn-opt %s -attn-check-arrays | FileCheck %s --check-prefix SHAPES

// Query and key in two arrays each: scores are sums of two products, and nothing is copied.

!query = memref<2x16x1x512xbf16>
!queryRope = memref<2x16x1x64xbf16>
!key = memref<2x1x1000x512xbf16>
!keyRope = memref<2x1x1000x64xbf16>

// CHECK-LABEL: func.func @latent(
// CHECK: value_dims [0, 512] with(query_rope %{{.*}} : memref<2x16x1x64xbf16>, key_rope %{{.*}} : memref<2x1x1000x64xbf16>)
// TILE-LABEL: func.func @latent(
// TILE: attn_tile.for_blocks
// TILE: %[[KEY:.*]] = attn_tile.load {{.*}} -> tensor<64x512xbf16>
// TILE: %[[ROPE:.*]] = attn_tile.load {{.*}} -> tensor<64x64xbf16>
// TILE-NOT: attn_tile.load
// TILE: %[[PART:.*]] = attn_tile.dot %{{.*}}, %[[ROPE]], %{{.*}} transpose_rhs
// TILE: attn_tile.dot %{{.*}}, %[[KEY]], %[[PART]] transpose_rhs
// TILE: attn_tile.dot %{{.*}}, %[[KEY]]
func.func @latent(%q: !query, %k: !key, %qr: !queryRope, %kr: !keyRope, %o: !query) {
  attn.attention ins(%q, %k : !query, !key) value_dims [0, 512]
      with(query_rope %qr : !queryRope, key_rope %kr : !keyRope) outs(%o : !query)
  return
}

// One head that all share; the scale is that of all columns.

!q = memref<?x?x?x128xf16, strided<[?, ?, ?, 1]>>
!qr = memref<?x?x?x50xf16, strided<[?, ?, ?, 1]>>
!kr = memref<?x1x?x50xf16, strided<[?, ?, ?, 1]>>
// TILE-LABEL: func.func @shared(
// TILE: arith.constant dense<{{.*}}> : tensor<{{.*}}xf32>
// TILE: attn_tile.load {{.*}} -> tensor<{{.*}}x64xf16>
// SHAPES-LABEL: func.func @shared(
// SHAPES-DAG: attn.attention: expected equal head counts in query_rope and query
// SHAPES-DAG: attn.attention: expected equal lengths in key_rope and key
// SHAPES-NOT: head counts in key_rope
func.func @shared(%q: !q, %k: !q, %v: !q, %r: !qr, %s: !kr, %o: !q) {
  attn.attention ins(%q, %k, %v : !q, !q, !q)
      with(query_rope %r : !qr, key_rope %s : !kr) outs(%o : !q)
  return
}
