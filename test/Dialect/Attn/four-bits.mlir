// RUN: attn-opt %s -split-input-file | attn-opt -split-input-file | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-bufferize | FileCheck %s -check-prefix=BUFFER
// RUN: attn-opt %s -split-input-file -attn-bufferize -attn-assign-tiles -convert-attn-to-tile -canonicalize | FileCheck %s -check-prefix=TILE

!q = tensor<2x4x3x64xf16>
!k = tensor<2x2x90x64xi4>
!v = tensor<2x2x90x32xi4>
!o = tensor<2x4x3x32xf16>

// CHECK-LABEL: func.func @tensors(
// CHECK: attn.attention ins(%{{.+}} : tensor<2x4x3x64xf16>, tensor<2x2x90x64xi4>, tensor<2x2x90x32xi4>)
// BUFFER-LABEL: func.func @tensors(
// BUFFER: attn.attention ins(%{{.+}} : memref<2x4x3x64xf16{{.*}}>, memref<2x2x90x64xi4{{.*}}>, memref<2x2x90x32xi4{{.*}}>)
// TILE-LABEL: func.func @tensors(
func.func @tensors(%q: !q, %k: !k, %v: !v, %o: !o) -> !o {
  %0 = attn.attention ins(%q, %k, %v : !q, !k, !v) outs(%o : !o) -> !o
  return %0 : !o
}

// -----

!q = memref<2x4x3x64xbf16>
!k = memref<2x2x?x64xi4, strided<[?, 128, ?, 1]>>
!v = memref<2x2x?x64xi8>

// Programs load bytes, of which each has two columns. Beside few rows of a bf16 query, products are
// of f16: each row of the query is multiplied by a power of two, whose exponent is that of f16's
// largest numbers minus that of the row's largest element, and the scores by its inverse.
// TILE-LABEL: func.func @memrefs(
// TILE-SAME: %[[Q:[^:]+]]: memref<2x4x3x64xbf16>, %[[K:[^:]+]]: memref
// TILE: %[[BYTES:.+]] = attn_tile.bytes %[[K]] : memref<2x2x?x64xi4, strided<[?, 128, ?, 1]>> to memref<2x2x?x32xi8, strided<[?, 64, ?, 1]>>
// TILE: attn_tile.grid
// TILE: %[[LARGEST:.+]] = attn_tile.reduce maxnum %{{.+}} along 1 : tensor<16x64xf32> -> tensor<16xf32>
// TILE: %[[WORDS:.+]] = arith.bitcast %[[LARGEST]] : tensor<16xf32> to tensor<16xi32>
// TILE: %[[EXPONENT:.+]] = arith.shrui %[[WORDS]], %{{.+}} : tensor<16xi32>
// TILE: %[[OPPOSITE:.+]] = arith.subi %{{.+}}, %[[EXPONENT]] : tensor<16xi32>
// TILE: %[[FIELD:.+]] = arith.minsi %[[OPPOSITE]], %{{.+}} : tensor<16xi32>
// TILE: %[[REST:.+]] = arith.subi %{{.+}}, %[[FIELD]] : tensor<16xi32>
// TILE: %[[INVERSE_BITS:.+]] = arith.shli %[[REST]], %{{.+}} : tensor<16xi32>
// TILE: %[[INVERSE:.+]] = arith.bitcast %[[INVERSE_BITS]] : tensor<16xi32> to tensor<16xf32>
// TILE: arith.shli %[[FIELD]], %{{.+}} : tensor<16xi32>
// TILE: %[[QUERY:.+]] = arith.truncf %{{.+}} : tensor<16x64xf32> to tensor<16x64xf16>
// TILE: %[[FACTORS:.+]] = attn_tile.broadcast %[[INVERSE]] along 1
// TILE: %[[TILE:.+]] = attn_tile.load %[[BYTES]][{{.+}} -> tensor<[[N:[0-9]+]]x32xi8>
// TILE: %[[KEYS:.+]] = attn_tile.unpack %[[TILE]] : tensor<[[N]]x32xi8> -> tensor<[[N]]x64xf16>
// TILE: %[[VALUES:.+]] = arith.sitofp %{{.+}} : tensor<[[N]]x64xi8> to tensor<[[N]]x64xf16>
// TILE: attn_tile.dot %[[QUERY]], %[[KEYS]]
// TILE: arith.mulf %{{.+}}, %[[FACTORS]]
// TILE: attn_tile.softmax_update {{.+}} -> (tensor<16x[[N]]xf16>
// TILE: attn_tile.dot %{{.+}}, %[[VALUES]]
func.func @memrefs(%q: !q, %k: !k, %v: !v, %o: !q) {
  attn.attention ins(%q, %k, %v : !q, !k, !v) outs(%o : !q)
  return
}
