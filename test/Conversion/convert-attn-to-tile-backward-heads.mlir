// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Gradients of tiles with rows of several heads that share keys.

// A bound on the distance of key and row is clamped so that tokens can be added to it, and a
// thread's part of a key's position (less than 64 + 64) be subtracted from it.
// CHECK-DAG: #[[$DISTANCE:.+]] = affine_map<(d0) -> (-2147483518, d0)>
// CHECK-DAG: #[[$FIRST_HEAD:.+]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: #[[$LAST_HEAD:.+]] = affine_map<(d0) -> (d0 * 4 + 3)>
// CHECK-DAG: #[[$IN_BLOCK:.+]] = affine_map<(d0) -> (d0 * 16 - (d0 floordiv 4) * 64)>
// CHECK-DAG: #[[$HEADS:.+]] = affine_map<(d0) -> (d0 floordiv 4)>
// CHECK-DAG: #[[$BLOCK:.+]] = affine_map<(d0) -> (d0 floordiv 16)>
// CHECK-DAG: #[[$BLOCKS:.+]] = affine_map<()[s0, s1] -> (s1 + s0 ceildiv 16 + 1)>
// CHECK-DAG: #[[$FIRST_ROW:.+]] = affine_map<(d0) -> (d0 * 64)>
// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0) -> ((d0 ceildiv 16) * 64)>
// CHECK-DAG: #[[$BEFORE:.+]] = affine_map<(d0, d1) -> (d0 - d1)>
// CHECK-DAG: #[[$ALL_OR_0:.+]] = affine_map<(d0, d1, d2, d3) -> (0, d3, d2, d1, d0)>
// CHECK-DAG: #[[$BLOCK_OF_SEQUENCE:.+]] = affine_map<(d0, d1) -> (d1 + d0 floordiv 16)>

!q = memref<2x8x16x64xf16>
!k = memref<2x2x90x64xf16>
!l = memref<2x8x16xf32>

// A block of 64 rows has the 16 tokens of all four heads of a group, so that the vectors of lse
// and delta have one block for each group. The first grid has a head each, and scatters them.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[Q:[^:]+]]: memref<2x8x16x64xf16>, %[[K:[^:]+]]: memref<2x2x90x64xf16>, %[[L:[^:]+]]: memref<2x8x16xf32>,
// CHECK-SAME: %[[O:[^:]+]]: memref<2x8x16x64xf16>, %[[DO:[^:]+]]: memref<2x8x16x64xf16>, %[[DQ:[^:]+]]: memref<2x8x16x64xf16>
// CHECK: %[[BIAS:.+]] = attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK: %[[DELTA:.+]] = attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK: %[[ALL_BIAS:.+]] = memref.collapse_shape %[[BIAS]]
// CHECK: %[[ALL_DELTA:.+]] = memref.collapse_shape %[[DELTA]]
// CHECK: attn_tile.grid (%[[N:.+]], %[[H:.+]], %{{.+}}) to (%c2, %c8, %c16) step [1, 1, 64]
// CHECK:   affine.apply #[[$IN_BLOCK]](%[[H]])
// CHECK:   %[[GROUP:.+]] = affine.apply #[[$HEADS]](%[[H]])
// CHECK:   attn_tile.scatter %{{.+}}, %[[ALL_DELTA]][%[[N]], %[[GROUP]], %[[AT:.+]]] : tensor<64xf32>
// CHECK:   attn_tile.scatter %{{.+}}, %[[ALL_BIAS]][%[[N]], %[[GROUP]], %[[AT]]] : tensor<64xf32>

// A program of d_query has such a tile, too. It gathers the vectors, and scatters d_query.
// CHECK: attn_tile.grid (%[[N:.+]], %[[G:.+]], %[[T:.+]]) to (%c2, %c2, %c16) step [1, 1, 16]
// CHECK:   %[[H0:.+]] = affine.apply #[[$FIRST_HEAD]](%[[G]])
// CHECK:   %[[H3:.+]] = affine.apply #[[$LAST_HEAD]](%[[G]])
// CHECK:   attn_tile.load %[[Q]][%[[N]], %[[H0]], %[[T]], %c0], {{.+}}, %[[Q]][%[[N]], %[[H3]], %[[T]], %c0] : {{.+}} -> tensor<64x64xf16>
// CHECK:   attn_tile.load %[[DO]][%[[N]], %[[H0]], %[[T]], %c0], {{.+}}, %[[DO]][%[[N]], %[[H3]], %[[T]], %c0] : {{.+}} -> tensor<64x64xf16>
// CHECK:   attn_tile.gather %[[ALL_BIAS]][%[[N]], %{{.+}}, %{{.+}}]
// CHECK:   attn_tile.gather %[[ALL_DELTA]][%[[N]], %{{.+}}, %{{.+}}]
// CHECK:   attn_tile.domain rows %c0 to %c64
// CHECK:   attn_tile.for_blocks
// CHECK:   attn_tile.gather %[[L]][%[[N]], %[[HEADS:.+]], %[[TOKENS:.+]]] :
// CHECK:   attn_tile.scatter %{{.+}}, %[[DQ]][%[[N]], %[[HEADS]], %[[TOKENS]], %c0] : tensor<64x64xf16>

// A program of d_key and d_value has no loop over heads: the four heads are one block of 16
// tokens. Its mask compares keys, along axis 0, with a bound for each column's token.
// CHECK: attn_tile.grid (%[[N:.+]], %[[G:.+]], %{{.+}}) to (%c2, %c2, %c90) step [1, 1, 64]
// CHECK-NOT: scf.for
// CHECK:   } : <16>
// CHECK:   %[[H0:.+]] = affine.apply #[[$FIRST_HEAD]](%[[G]])
// CHECK-NOT: scf.for
// CHECK:   attn_tile.for_blocks (%[[T:.+]], %[[PARTIAL:.+]]) of
// CHECK:     attn_tile.load %[[Q]][%[[N]], %[[H0]], %[[T]], %c0], {{.+}} -> tensor<64x64xf16>
// CHECK:     attn_tile.load %[[DO]][%[[N]], %[[H0]], %[[T]], %c0], {{.+}} -> tensor<64x64xf16>
// CHECK:     scf.if %[[PARTIAL]]
// CHECK:       %[[TOKEN:.+]] = arith.remui %{{.+}}, %{{.+}} : tensor<64xi32>
// CHECK:       affine.max #[[$DISTANCE]]
// CHECK:       arith.addi %[[TOKEN]], %{{.+}} : tensor<64xi32>
// CHECK:       %[[KEY:.+]] = attn_tile.coordinate along 0 : tensor<64x64xi32>
// CHECK:       %[[LAST:.+]] = attn_tile.broadcast %{{.+}} along 0 : tensor<64xi32> -> tensor<64x64xi32>
// CHECK:       arith.cmpi sle, %[[KEY]], %[[LAST]]
// CHECK:     %[[NUMBER:.+]] = affine.apply #[[$BLOCK]](%[[T]])
// CHECK:     attn_tile.load %[[BIAS]][%[[N]], %[[G]], %[[NUMBER]], %c0] ahead
// CHECK:     attn_tile.load %[[DELTA]][%[[N]], %[[G]], %[[NUMBER]], %c0] ahead
func.func @blocks(%q: !q, %k: !k, %l: !l, %o: !q, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward mask <bottom_right, causal>
      ins(%q, %k, %k, %o, %l, %do : !q, !k, !k, !q, !l, !q)
      outs(%dq, %dk, %dv : !q, !k, !k) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// Three heads leave rows that belong to none. They are loaded past the end of the arrays, so that
// they are zeros, as are their elements of the vectors. A score region may yield any number for
// them, so their scores are masked.
// CHECK-LABEL: func.func @rest(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x3x16x64xf16>
// CHECK: %[[BIAS:.+]] = attn_tile.workspace : memref<1x1x1x64xf32>
// CHECK: attn_tile.store %cst{{.*}}, %[[BIAS]]
// CHECK: %[[HEAD:.+]] = arith.divui %{{.+}}, %{{.+}} : tensor<64x64xi32>
// CHECK: %[[IS_ROW:.+]] = arith.cmpi ult, %[[HEAD]], %{{.+}} : tensor<64x64xi32>
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.load %[[Q]][{{.+}}], %[[Q]][{{.+}}], %[[Q]][%[[N:[^,]+]], %[[H2:[^,]+]], %{{[^,]+}}, %c0], %[[Q]][%[[N]], %[[H2]], %c16, %c0]
// CHECK: %[[SCORES:.+]] = math.tanh
// CHECK: arith.select %[[IS_ROW]], %[[SCORES]], %{{.+}} : tensor<64x64xi1>, tensor<64x64xf32>
func.func @rest(%q: memref<1x3x16x64xf16>, %k: memref<1x1x90x64xf16>, %l: memref<1x3x16xf32>,
                %o: memref<1x3x16x64xf16>, %dk: memref<1x1x90x64xf16>) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %o, %l, %o : memref<1x3x16x64xf16>, memref<1x1x90x64xf16>,
          memref<1x1x90x64xf16>, memref<1x3x16x64xf16>, memref<1x3x16xf32>, memref<1x3x16x64xf16>)
      outs(%dk : memref<1x1x90x64xf16>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %0 = math.tanh %s : f32
        attn.yield %0 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// With dropout, planes and rows are those of each row's own head and token, along axis 1.
// CHECK-LABEL: func.func @dropout(
// CHECK: attn_tile.random_keep %{{.+}}, %{{.+}} at[%{{.+}}, %{{.+}}, %{{.+}}] plus(%{{.+}}, %{{.+}} : tensor<64x64xi32>, tensor<64x64xi32>) threshold 6554 rows along 1 aligned
func.func @dropout(%q: !q, %k: !k, %l: !l, %o: !q, %n: i64, %dv: !k) {
  attn.attention_backward wrt(value) ins(%q, %k, %k, %o, %l, %o : !q, !k, !k, !q, !l, !q)
      dropout(0.1, %n, %n : i64, i64) outs(%dv : !k) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// Scales of query tokens, and of heads, are vectors in the order of blocks, too.
// CHECK-LABEL: func.func @scales_of_tokens(
// CHECK-COUNT-4: attn_tile.workspace : memref<2x2x1x64xf32>
func.func @scales_of_tokens(%q: memref<2x8x16x64xf8E4M3FN>, %k: memref<2x2x90x64xf8E4M3FN>,
                            %l: !l, %o: !q, %s: memref<2x8x16xf32>, %dk: !k) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %o, %l, %o : memref<2x8x16x64xf8E4M3FN>, memref<2x2x90x64xf8E4M3FN>,
          memref<2x2x90x64xf8E4M3FN>, !q, !l, !q)
      with(query_scale %s : memref<2x8x16xf32>)
      outs(%dk : !k) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// CHECK-LABEL: func.func @scales_of_heads(
// CHECK-COUNT-4: attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK-COUNT-4: attn_tile.scatter
func.func @scales_of_heads(%q: memref<2x8x16x64xf8E4M3FN>, %k: memref<2x2x90x64xf8E4M3FN>,
                           %l: !l, %o: !q, %s: memref<1x8xf32>, %dk: !k) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %o, %l, %o : memref<2x8x16x64xf8E4M3FN>, memref<2x2x90x64xf8E4M3FN>,
          memref<2x2x90x64xf8E4M3FN>, !q, !l, !q)
      with(query_scale %s : memref<1x8xf32>)
      outs(%dk : !k) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// A program of rows scatters the sums of its rows for the gradient of a capture.
// CHECK-LABEL: func.func @captured(
// CHECK: attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK: %[[TERMS:.+]] = attn_tile.workspace : memref<16x16xf32>
// CHECK: attn_tile.grid (%[[N:.+]], %{{.+}}, %{{.+}}) to (%c2, %c2, %c16) step [1, 1, 16]
// CHECK:   %[[SUMS:.+]] = attn_tile.for_blocks
// CHECK:   %[[OF_HEADS:.+]] = memref.expand_shape %[[TERMS]] {{\[}}[0, 1], [2]] {{.+}} into memref<2x8x16xf32>
// CHECK:   attn_tile.scatter %[[SUMS]], %[[OF_HEADS]][%[[N]], %{{.+}}, %{{.+}}] : tensor<64xf32>
func.func @captured(%q: !q, %k: !k, %l: !l, %o: !q, %a: f32, %da: memref<f32>) {
  attn.attention_backward wrt(captures[0])
      ins(%q, %k, %k, %o, %l, %o : !q, !k, !k, !q, !l, !q)
      captures(%a : f32) outs(%da : memref<f32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
        %0 = arith.mulf %s, %x : f32
        attn.yield %0 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// So does one that sums the terms of a table's elements. The elements that its tile may read are
// those of all of its heads: here, of element 3 h to 3 h + 9 for the heads from h on.
// CHECK-LABEL: func.func @table(
// CHECK: %[[TERMS:.+]] = attn_tile.workspace : memref<2x8x30x16xf32>
// CHECK: attn_tile.for_blocks
// CHECK:   scf.for %[[ELEMENT:.+]] =
// CHECK:     attn_tile.scatter %{{.+}}, %[[TERMS]][%{{.+}}, %{{.+}}, %[[ELEMENT]], %{{.+}}] add : tensor<64xf32>
func.func @table(%q: !q, %k: !k, %l: !l, %o: !q, %a: memref<30xf32>, %da: memref<30xf32>) {
  attn.attention_backward wrt(captures[0])
      ins(%q, %k, %k, %o, %l, %o : !q, !k, !k, !q, !l, !q)
      captures(%a : memref<30xf32>) outs(%da : memref<30xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: memref<30xf32>):
        %c3 = arith.constant 3 : index
        %0 = arith.muli %h, %c3 : index
        %1 = attn.read %x[%0] : memref<30xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// With packed sequences, the vectors have whole blocks of each sequence. The first grid scatters to
// the part of its sequence, and programs of keys read the blocks of theirs.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x8x48x64xf16>
// CHECK-SAME: %[[DQ:[^:]+]]: memref<1x8x48x64xf16>, %[[DK:[^:]+]]: memref<1x2x?x64xf16>
// CHECK: %[[BIAS:.+]] = attn_tile.workspace : memref<1x2x9x64xf32>
// CHECK: %[[DELTA:.+]] = attn_tile.workspace : memref<1x2x9x64xf32>
// CHECK: %[[ALL_DELTA:.+]] = memref.collapse_shape %[[DELTA]]
// CHECK: attn_tile.grid ({{.+}}) to (%c8, %{{.+}}) step [1, 64]
// CHECK:   %[[FIRST:.+]] = affine.apply #[[$FIRST_ROW]](%[[UNIT:.+]])
// CHECK:   %[[COUNT:.+]] = affine.apply #[[$ROWS]](%{{.+}})
// CHECK:   %[[PART:.+]] = memref.subview %[[ALL_DELTA]][0, 0, %[[FIRST]]] [1, 2, %[[COUNT]]] [1, 1, 1]
// CHECK:   attn_tile.scatter %{{.+}}, %[[PART]][%c0, %{{.+}}, %{{.+}}] : tensor<64xf32>

// Programs of rows are of two groups, and of 16 tokens.
// CHECK: attn_tile.grid ({{.+}}) to (%c2, %{{.+}}) step [1, 16]
// CHECK:   %[[OWN:.+]] = memref.subview %[[Q]][0, 0, %{{.+}}, 0] [1, 8, %[[LENGTH:.+]], 64] [1, 1, 1, 1]
// CHECK:   attn_tile.load %[[OWN]][{{.+}}], %[[OWN]][{{.+}}], %[[OWN]][{{.+}}], %[[OWN]][{{.+}}] : {{.+}} -> tensor<64x64xf16>
// CHECK:   %[[PART:.+]] = memref.subview %[[DQ]][0, 0, %{{.+}}, 0] [1, 8, %[[LENGTH]], 64] [1, 1, 1, 1]
// CHECK:   attn_tile.scatter %{{.+}}, %[[PART]][%c0, %{{.+}}, %{{.+}}, %c0] : tensor<64x64xf16>

// CHECK: attn_tile.grid ({{.+}}) to (%c2, %{{.+}}) step [1, 64]
// CHECK:   attn_tile.for_blocks (%[[ROW:.+]], %{{.+}}) of
// CHECK:     %[[NUMBER:.+]] = affine.apply #[[$BLOCK_OF_SEQUENCE]](%[[ROW]], %{{.+}})
// CHECK:     attn_tile.load %[[BIAS]][%c0, %{{.+}}, %[[NUMBER]], %c0] ahead
func.func @packed(%q: memref<1x8x48x64xf16>, %k: memref<1x2x?x64xf16>, %c: memref<5xi32>,
                  %l: memref<1x8x48xf32>, %o: memref<1x8x48x64xf16>, %dq: memref<1x8x48x64xf16>,
                  %dk: memref<1x2x?x64xf16>) {
  attn.attention_backward wrt(query, key)
      ins(%q, %k, %k, %o, %l, %o : memref<1x8x48x64xf16>, memref<1x2x?x64xf16>,
          memref<1x2x?x64xf16>, memref<1x8x48x64xf16>, memref<1x8x48xf32>, memref<1x8x48x64xf16>)
      packed(%c, %c : memref<5xi32>, memref<5xi32>)
      outs(%dq, %dk : memref<1x8x48x64xf16>, memref<1x2x?x64xf16>)
      {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// If types do not say the lengths, the op does.
// CHECK-LABEL: func.func @few_rows(
// CHECK: affine.apply #[[$BLOCKS]]
// CHECK: attn_tile.workspace(%{{.+}}) : memref<1x2x?x64xf32>
// CHECK: attn_tile.scatter
func.func @few_rows(%q: memref<1x8x?x64xf16>, %k: memref<1x2x?x64xf16>, %c: memref<?xi32>,
                    %l: memref<1x8x?xf32>, %o: memref<1x8x?x64xf16>, %dk: memref<1x2x?x64xf16>) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %o, %l, %o : memref<1x8x?x64xf16>, memref<1x2x?x64xf16>,
          memref<1x2x?x64xf16>, memref<1x8x?x64xf16>, memref<1x8x?xf32>, memref<1x8x?x64xf16>)
      packed(%c, %c : memref<?xi32>, memref<?xi32>)
      outs(%dk : memref<1x2x?x64xf16>) {few_rows, schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// CHECK-LABEL: func.func @few_dense_rows(
// CHECK: attn_tile.workspace(%{{.+}}) : memref<1x2x?x64xf32>
// CHECK: attn_tile.scatter
func.func @few_dense_rows(%q: memref<1x8x?x64xf16>, %k: memref<1x2x?x64xf16>, %l: memref<1x8x?xf32>,
                          %o: memref<1x8x?x64xf16>, %dk: memref<1x2x?x64xf16>) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %o, %l, %o : memref<1x8x?x64xf16>, memref<1x2x?x64xf16>,
          memref<1x2x?x64xf16>, memref<1x8x?x64xf16>, memref<1x8x?xf32>, memref<1x8x?x64xf16>)
      outs(%dk : memref<1x2x?x64xf16>) {few_rows, schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// Sequences of unknown lengths, and long ones, have rows of one head.
// CHECK-LABEL: func.func @any_rows(
// CHECK: attn_tile.workspace(%{{.+}}) : memref<1x8x?x64xf32>
// CHECK-NOT: attn_tile.scatter
func.func @any_rows(%q: memref<1x8x?x64xf16>, %k: memref<1x2x?x64xf16>, %c: memref<?xi32>,
                    %l: memref<1x8x?xf32>, %o: memref<1x8x?x64xf16>, %dk: memref<1x2x?x64xf16>) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %o, %l, %o : memref<1x8x?x64xf16>, memref<1x2x?x64xf16>,
          memref<1x2x?x64xf16>, memref<1x8x?x64xf16>, memref<1x8x?xf32>, memref<1x8x?x64xf16>)
      packed(%c, %c : memref<?xi32>, memref<?xi32>)
      outs(%dk : memref<1x2x?x64xf16>) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// CHECK-LABEL: func.func @long_sequences(
// CHECK: attn_tile.workspace : memref<1x8x{{.+}}x64xf32>
// CHECK-NOT: attn_tile.scatter
func.func @long_sequences(%q: memref<1x8x160x64xf16>, %k: memref<1x2x?x64xf16>, %c: memref<5xi32>,
                          %l: memref<1x8x160xf32>, %dk: memref<1x2x?x64xf16>) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %q, %l, %q : memref<1x8x160x64xf16>, memref<1x2x?x64xf16>,
          memref<1x2x?x64xf16>, memref<1x8x160x64xf16>, memref<1x8x160xf32>, memref<1x8x160x64xf16>)
      packed(%c, %c : memref<5xi32>, memref<5xi32>)
      outs(%dk : memref<1x2x?x64xf16>) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// Where a mask differs among heads, a tile of keys visits the rows that see it in any of the four
// heads of a block.
// CHECK-LABEL: func.func @by_head(
// CHECK: attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK: attn_tile.grid ({{.+}}) to (%c2, %c2, %c90)
// CHECK: attn_tile.domain rows
// CHECK-COUNT-4: affine.apply #[[$BEFORE]]
// CHECK: %[[LO:.+]] = affine.min #[[$ALL:.+]](%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}})
// CHECK: %[[HI:.+]] = affine.max #[[$ALL]](%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}})
// CHECK: %[[FIRST:.+]] = affine.max #{{.+}}(%[[LO]])
// CHECK: %[[LAST:.+]] = affine.min #{{.+}}(%[[HI]])
// CHECK: affine.max #[[$ALL_OR_0]](
// CHECK: attn_tile.domain_yield %[[FIRST]] to %[[LAST]] full
// CHECK: attn_tile.for_blocks {{.+}} : !attn_tile.domain<16>
func.func @by_head(%q: !q, %k: !k, %l: !l, %o: !q, %dk: !k) {
  attn.attention_backward wrt(key) ins(%q, %k, %k, %o, %l, %o : !q, !k, !k, !q, !l, !q)
      outs(%dk : !k)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.cmpi ule, %h, %j : index
        attn.yield %0 : i1
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// CHECK-LABEL: func.func @more_rows(
// CHECK: attn_tile.workspace : memref<1x4x1x64xf32>
// CHECK-NOT: attn_tile.scatter
func.func @more_rows(%q: memref<1x4x40x64xf16>, %k: memref<1x2x90x64xf16>,
                     %l: memref<1x4x40xf32>, %dk: memref<1x2x90x64xf16>) {
  attn.attention_backward wrt(key)
      ins(%q, %k, %k, %q, %l, %q : memref<1x4x40x64xf16>, memref<1x2x90x64xf16>,
          memref<1x2x90x64xf16>, memref<1x4x40x64xf16>, memref<1x4x40xf32>, memref<1x4x40x64xf16>)
      outs(%dk : memref<1x2x90x64xf16>) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// A region may read an array at row and key: each element of the block has its own head and token
// there. The gradient of the array has a grid of its own, whose programs have rows of one head, and
// find their vectors of lse and delta in the blocks of several.
// CHECK-LABEL: func.func @pairs(
// CHECK-SAME: %[[A:[^:]+]]: memref<8x16x90xf32>, %[[DA:[^:]+]]: memref<8x16x90xf32>
// CHECK: %[[BIAS:.+]] = attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK: %[[DELTA:.+]] = attn_tile.workspace : memref<2x2x1x64xf32>
// CHECK: %[[ALL_BIAS:.+]] = memref.collapse_shape %[[BIAS]]
// CHECK: %[[ALL_DELTA:.+]] = memref.collapse_shape %[[DELTA]]
// CHECK: attn_tile.grid (%{{.+}}, %[[H:.+]], %[[ROW:.+]]) to (%c1, %c8, %c16) step [1, 1, 64]
// CHECK:   scf.for %[[N:.+]] = %c0 to %c2
// CHECK-DAG: affine.apply #[[$IN_BLOCK]](%[[H]])
// CHECK-DAG: %[[GROUP:.+]] = affine.apply #[[$HEADS]](%[[H]])
// CHECK:     attn_tile.gather %[[ALL_BIAS]][%[[N]], %[[GROUP]], %{{.+}}] : {{.+}} -> tensor<64xf32>
// CHECK:     attn_tile.for_blocks (%[[KEY:.+]], %{{.+}}) of
// CHECK:       attn_tile.load %[[A]][%[[H]], %[[ROW]], %[[KEY]]]
// CHECK:       attn_tile.store %{{.+}}, %[[DA]][%[[H]], %[[ROW]], %[[KEY]]] add : tensor<64x64xf32>
// CHECK: attn_tile.grid (%{{.+}}, %[[G:.+]], %{{.+}}) to (%c2, %c2, %c90) step [1, 1, 64]
// CHECK-NOT: scf.for
// CHECK:   attn_tile.for_blocks
// CHECK:     attn_tile.gather %[[A]][%{{.+}}, %{{.+}}, %{{.+}}] : {{.+}} -> tensor<64x64xf32>
func.func @pairs(%q: !q, %k: !k, %l: !l, %o: !q, %a: memref<8x16x90xf32>, %da: memref<8x16x90xf32>, %dk: !k) {
  attn.attention_backward wrt(key, captures[0])
      ins(%q, %k, %k, %o, %l, %o : !q, !k, !k, !q, !l, !q)
      captures(%a : memref<8x16x90xf32>) outs(%dk, %da : !k, memref<8x16x90xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: memref<8x16x90xf32>):
        %0 = attn.read %x[%h, %i, %j] inbounds : memref<8x16x90xf32>
        %1 = arith.addf %s, %0 : f32
        attn.yield %1 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}
