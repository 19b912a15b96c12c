// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Tiles with rows of several heads that share keys.

// A bound on the distance of key and row is clamped so that tokens can be added to it, and a
// thread's columns (less than 64 + 32) be subtracted from it, without wrapping in i32.
// CHECK-NOT: -2147483646
// CHECK: affine_map<(d0) -> (-2147483550, d0)>
// CHECK-NOT: -2147483646
// CHECK-DAG: #[[$MOST:.+]] = affine_map<(d0, d1, d2) -> (d1 + d2, d0 + d1)>
// CHECK-DAG: #[[$LEAST:.+]] = affine_map<(d0, d1, d2) -> (90, d0 + d2 + 1, d0 + d1 + 1)>

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
  // CHECK: attn_tile.workspace(%{{.+}}) : memref<7x?xi32>
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

// Dropout's bits are those of each row's own head and token: planes and rows are tiles.
// CHECK-LABEL: func.func @dropout(
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.random_keep %{{.+}}, %{{.+}} at[%{{.+}}, %{{.+}}, %{{.+}}] plus(%{{.+}}, %{{.+}} : tensor<64x32xi32>, tensor<64x32xi32>) threshold 6554 rows along 0 aligned
func.func @dropout(%q: !q, %k: !k, %a: memref<?xi32>, %b: memref<?xi32>, %n: i64) {
  attn.attention ins(%q, %k, %k : !q, !k, !k) dropout(0.1, %n, %n : i64, i64)
      packed(%a, %b : memref<?xi32>, memref<?xi32>)
      outs(%q : !q) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Dense attention of few rows: a tile of 64 rows has 32 tokens of two heads, so that there are
// two tiles for the 20 rows of the four heads of a group instead of four. Rows past the true
// length are found by their tokens.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[Q:[^:]+]]: memref<3x8x20x64xf16>
// CHECK: attn_tile.grid (%[[N:.+]], %[[G:.+]], %[[T:.+]]) to (%c3, %c4, %c20) step [1, 1, 32]
// CHECK: %[[H0:.+]] = affine.apply #{{.+}}(%[[G]])
// CHECK: attn_tile.load %[[Q]][%[[N]], %[[H0]], %[[AT:.+]], %c0], %[[Q]][%[[N]], %{{.+}}, %[[AT]], %c0]
// CHECK-SAME: -> tensor<64x64xf16>
// CHECK: attn_tile.for_blocks
// CHECK: %[[TOKENS:.+]] = arith.remui %{{.+}}, %{{.+}} : tensor<64xindex>
// CHECK: arith.cmpi slt, %[[TOKENS]], %{{.+}} : tensor<64xindex>
// CHECK: attn_tile.scatter %{{.+}}, %[[Q]][%[[N]], %{{.+}}, %{{.+}}, %c0]
func.func @dense(%q: memref<3x8x20x64xf16>, %k: memref<3x2x90x64xf16>, %l: memref<3xi32>) {
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<3x8x20x64xf16>, memref<3x2x90x64xf16>, memref<3x2x90x64xf16>)
      lengths(%l, %l : memref<3xi32>, memref<3xi32>)
      outs(%q : memref<3x8x20x64xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Rows of one head: with 40 rows there would be three tiles instead of four, which is more than
// half; a number of rows that is dynamic may be large; a region reads pairs.
!q40 = memref<1x8x40x64xf16>
!q20 = memref<1x8x20x64xf16>
!k90 = memref<1x2x90x64xf16>
// CHECK-LABEL: func.func @one_head(
// CHECK-NOT: attn_tile.scatter
// CHECK: return
func.func @one_head(%q: !q, %q40: !q40, %q20: !q20, %k: !k90, %m: memref<20x90xf16>) {
  attn.attention ins(%q40, %k, %k : !q40, !k90, !k90) outs(%q40 : !q40)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  attn.attention ins(%q, %k, %k : !q, !k90, !k90) outs(%q : !q)
      {schedule = #attn.tiles<q = 64, kv = 32>}
  attn.attention ins(%q20, %k, %k : !q20, !k90, !k90) captures(%m : memref<20x90xf16>)
      outs(%q20 : !q20)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %a: memref<20x90xf16>):
      %0 = attn.read %a[%i, %j] inbounds : memref<20x90xf16>
      %1 = arith.extf %0 : f16 to f32
      %2 = arith.addf %s, %1 : f32
      attn.yield %2 : f32
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Where each head has a mask of its own, a tile of two heads visits the keys that one of them
// sees, and the blocks before the smaller of their bounds are full.
// CHECK-LABEL: func.func @ranges_by_head(
// CHECK: attn_tile.grid (%{{.+}}, %[[TILE:.+]], %[[ROW:.+]]) to (%c1, %c4, %c20) step [1, 1, 32]
// CHECK: %[[END:.+]] = affine.min #{{.+}}(%[[ROW]])
// CHECK: attn_tile.domain rows
// CHECK: %[[H0:.+]] = affine.max #{{.+}}(%{{.+}})
// CHECK: %[[H1:.+]] = affine.max #{{.+}}(%{{.+}})
// CHECK: %[[MOST:.+]] = affine.max #[[$MOST]](%[[H0]], %[[END]], %[[H1]])
// CHECK: %[[HI:.+]] = affine.min #{{.+}}(%[[MOST]])
// CHECK: %[[FULL:.+]] = affine.min #[[$LEAST]](%[[ROW]], %[[H0]], %[[H1]])
// CHECK: attn_tile.domain_yield %c0 to %[[HI]] full %c0 to %[[FULL]]
// CHECK: attn_tile.scatter
func.func @ranges_by_head(%q20: !q20, %k: !k90) {
  attn.attention ins(%q20, %k, %k : !q20, !k90, !k90) outs(%q20 : !q20)
      mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index):
      %0 = arith.addi %i, %h : index
      %1 = arith.cmpi ule, %j, %0 : index
      attn.yield %1 : i1
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A list has the blocks in which one of the tile's two heads keeps pairs. A block is partial unless
// both keep all of its pairs.
// CHECK-LABEL: func.func @lists_by_head(
// CHECK: %[[BLOCKS:.+]] = attn_tile.workspace : memref<1x4x1x3xi32>
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %c4, %c1) step [1, 1, 1]
// CHECK: %[[MAY0:.+]] = arith.cmpf ogt
// CHECK: %[[MUST0:.+]] = arith.cmpf ogt
// CHECK: %[[MAY1:.+]] = arith.cmpf ogt
// CHECK: %[[MUST1:.+]] = arith.cmpf ogt
// CHECK: %[[MAY:.+]] = arith.ori %[[MAY0]], %[[MAY1]] : tensor<64xi1>
// CHECK: %[[MUST:.+]] = arith.andi %[[MUST0]], %[[MUST1]] : tensor<64xi1>
// CHECK: arith.andi %{{.+}}, %[[MAY]]
// CHECK: arith.andi %{{.+}}, %[[MUST]]
// CHECK: attn_tile.scatter %{{.+}}, %[[BLOCKS]]
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %c4, %c20) step [1, 1, 32]
// CHECK: attn_tile.domain_list
func.func @lists_by_head(%q20: !q20, %k: !k90) {
  attn.attention ins(%q20, %k, %k : !q20, !k90, !k90) outs(%q20 : !q20)
      mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index):
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %0 = arith.divui %j, %c32 : index
      %1 = arith.addi %0, %h : index
      %2 = arith.remui %1, %c2 : index
      %3 = arith.cmpi eq, %2, %c1 : index
      attn.yield %3 : i1
    } {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// Divided keys with a number of rows that is only known at run time: rows are numbered by it.
// If it is 1, the order token by token serves any array.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x8x?x64xf16>
// CHECK: arith.cmpi eq, %{{.+}}, %c1
// CHECK: memref.reinterpret_cast %{{.+}} to offset: [0], sizes: [1, 2, %[[ALL:.+]], 64]
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %c2, %{{.+}}, %[[ALL]]) step [1, 1, 1, 64]
// CHECK: attn_tile.random_keep {{.+}} plus
func.func @rows(%q: !q, %k: !k, %n: i64) {
  attn.attention ins(%q, %k, %k : !q, !k, !k) dropout(0.1, %n, %n : i64, i64)
      outs(%q : !q) {schedule = #attn.tiles<q = 64, kv = 32, split_kv = true>}
  return
}

// Only divisors that leave each head rows of its own are tried, however many heads a group has.
// CHECK-LABEL: func.func @many_heads(
// CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %{{.+}}) to (%c1, %c137438953472, %c8) step [1, 1, 8]
func.func @many_heads(%q: memref<1x1099511627776x8x16xf16>, %k: memref<1x1x32x16xf16>) {
  attn.attention ins(%q, %k, %k : memref<1x1099511627776x8x16xf16>, memref<1x1x32x16xf16>,
                     memref<1x1x32x16xf16>)
      outs(%q : memref<1x1099511627776x8x16xf16>) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}
