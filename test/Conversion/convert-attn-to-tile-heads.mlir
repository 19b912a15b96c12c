// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Tiles of packed sequences with rows of several heads that share keys.

!q = memref<1x8x?x64xf16>
!k = memref<1x2x?x64xf16>

// A tile of 64 rows has 16 tokens of the four heads of a group, head by head. The list of
// tiles counts tokens, a part of the query's tile is 16 rows of one head, and each row of
// the output goes to its own head and token.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x8x?x64xf16>, %[[K:[^:]+]]: memref<1x2x?x64xf16>,
// CHECK-SAME: %[[S:[^:]+]]: memref<8xf32>, %[[L:[^:]+]]: memref<1x8x?xf32>)
func.func @heads(%q: !q, %k: !k, %a: memref<?xi32>, %b: memref<?xi32>, %s: memref<8xf32>,
                 %l: memref<1x8x?xf32>) {
  // CHECK: memref.alloc(%{{.+}}) : memref<7x?xi32>
  // CHECK: attn_tile.grid (%[[G:.+]], %{{.+}}) to (%c2, %{{.+}}) step [1, 16]
  // CHECK: %[[H0:.+]] = affine.apply #{{.+}}(%[[G]])
  // CHECK: %[[ROWS:.+]] = memref.subview %[[Q]][0, 0, %{{.+}}, 0] [1, 8, %{{.+}}, 64]
  // CHECK: attn_tile.load %[[ROWS]][%c0, %[[H0]], %[[AT:.+]], %c0], %[[ROWS]][%c0, %[[H1:.+]], %[[AT]], %c0], %[[ROWS]][%c0, %[[H2:.+]], %[[AT]], %c0], %[[ROWS]][%c0, %[[H3:.+]], %[[AT]], %c0]
  // CHECK-SAME: -> tensor<64x64xf16>
  // CHECK: attn_tile.gather %[[S]][%{{.+}}] : (memref<8xf32>, tensor<64xindex>) -> tensor<64xf32>
  // CHECK: attn_tile.domain rows %c0 to %c64
  // CHECK: attn_tile.for_blocks
  // CHECK: scf.if
  // CHECK: %[[TOKENS:.+]] = arith.remui %{{.+}}, %{{.+}} : tensor<64xi32>
  // CHECK: arith.addi %[[TOKENS]]
  // CHECK: attn_tile.scatter %{{.+}}, %{{.+}}[%c0, %[[HEADS:.+]], %[[TO:.+]], %c0] : tensor<64x64xf16>, memref<1x8x?x64xf16, strided<{{.+}}>>, index, tensor<64xindex>, tensor<64xindex>, index
  // CHECK: attn_tile.scatter %{{.+}}, %{{.+}}[%c0, %[[HEADS]], %[[TO]]] : tensor<64xf32>
  attn.attention mask <bottom_right, causal> ins(%q, %k, %k : !q, !k, !k)
      sink(%s : memref<8xf32>) packed(%a, %b : memref<?xi32>, memref<?xi32>)
      outs(%q, %l : !q, memref<1x8x?xf32>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
