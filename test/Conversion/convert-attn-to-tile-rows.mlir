// RUN: attn-opt %s -split-input-file -attn-assign-tiles -convert-attn-to-tile -canonicalize -cse | FileCheck %s

!o = memref<2x4x100x80xf16>
!l = memref<2x4x100xf32>

// A state whose lse is -inf is left out by a select, whatever its output is; one grid, and
// each array is read once.
// CHECK-LABEL: func.func @merge(
// CHECK-SAME: %[[O0:[a-z0-9]+]]: memref<2x4x100x80xf16>, %[[L0:[a-z0-9]+]]: memref<2x4x100xf32>, %[[O1:[a-z0-9]+]]: memref<2x4x100x80xf16>, %[[L1:[a-z0-9]+]]: memref<2x4x100xf32>, %[[SINK:[a-z0-9]+]]: memref<4xbf16>, %[[O:[a-z0-9]+]]: memref<2x4x100x80xf16>, %[[L:[a-z0-9]+]]: memref<2x4x100xf32>
// CHECK-DAG: %[[NONE:.+]] = arith.constant dense<0xFF800000> : tensor<64x96xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<64x96xf32>
// CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[R:.+]]) to (%c2, %c4, %c100) step [1, 1, 64] schedule #attn.tiles<q = 64, kv = 64> {
// CHECK: attn_tile.gather %[[SINK]][%[[H]]] : (memref<4xbf16>, index) -> bf16
// CHECK: %[[LSE0:.+]] = attn_tile.load %[[L0]][%[[B]], %[[H]], %[[R]]] : {{.*}} -> tensor<64xf32>
// CHECK: %[[LSE1:.+]] = attn_tile.load %[[L1]]
// CHECK: %[[MOST:.+]] = arith.maximumf %[[LSE0]], %[[LSE1]]
// CHECK: %[[NONE_OF:.+]] = arith.cmpf oeq, %[[MOST]], %{{.+}} : tensor<64xf32>
// CHECK: %[[OWN:.+]] = arith.select %[[NONE_OF]], %{{.+}}, %{{.+}} : tensor<64xi1>, tensor<64xf32>
// CHECK: arith.maximumf %[[MOST]], %[[OWN]]
// CHECK-COUNT-3: math.exp
// CHECK: math.log
// CHECK: attn_tile.load %[[O0]][%[[B]], %[[H]], %[[R]], %c0] : {{.*}} -> tensor<64x96xf16>
// CHECK: %[[WIDE:.+]] = attn_tile.broadcast %[[LSE0]] along 1 : tensor<64xf32> -> tensor<64x96xf32>
// CHECK: %[[EMPTY:.+]] = arith.cmpf oeq, %[[WIDE]], %[[NONE]]
// CHECK: arith.select %[[EMPTY]], %[[ZERO]],
// CHECK: attn_tile.load %[[O1]]
// CHECK: attn_tile.broadcast %[[LSE1]] along 1
// CHECK-NOT: attn_tile.load
// CHECK: attn_tile.store %{{.+}}, %[[L]][%[[B]], %[[H]], %[[R]]]
// CHECK: %[[ROUNDED:.+]] = arith.truncf {{.*}} to tensor<64x96xf16>
// CHECK-NEXT: attn_tile.store %[[ROUNDED]], %[[O]][%[[B]], %[[H]], %[[R]], %c0]
// CHECK-NOT: attn.merge
func.func @merge(%o0: !o, %l0: !l, %o1: !o, %l1: !l, %sink: memref<4xbf16>, %o: !o, %l: !l) {
  attn.merge ins(%o0, %l0, %o1, %l1 : !o, !l, !o, !l) sink(%sink : memref<4xbf16>) outs(%o, %l : !o, !l)
  return
}

// -----

// The scale of a state multiplies its weight, and that of the output divides the inverse of the sum: one
// number for each row. A size of 1 is one scale for all entries or heads.
!o = memref<2x4x100x64xf8E4M3FN>
!l = memref<2x4x100xf32>
// CHECK-LABEL: func.func @eight_bits(
// CHECK-SAME: %[[O0:[a-z0-9]+]]: memref<2x4x100x64xf8E4M3FN>, %[[L0:[a-z0-9]+]]: memref<2x4x100xf32>, %[[O1:[a-z0-9]+]]: memref<2x4x100x64xf8E4M3FN>, %[[L1:[a-z0-9]+]]: memref<2x4x100xf32>, %[[S0:[a-z0-9]+]]: memref<f32>, %[[S1:[a-z0-9]+]]: memref<1x4xf32>, %[[OS:[a-z0-9]+]]: memref<2x1xf32>
// CHECK-DAG: %[[NONE:.+]] = arith.constant dense<0xFF800000> : tensor<64x64xf32>
// CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[R:.+]]) to
// CHECK-COUNT-2: math.exp
// CHECK: %[[T0:.+]] = attn_tile.load %[[O0]][%[[B]], %[[H]], %[[R]], %c0] : {{.*}} -> tensor<64x64xf8E4M3FN>
// CHECK: arith.extf %[[T0]] : tensor<64x64xf8E4M3FN> to tensor<64x64xf32>
// CHECK: %[[A:.+]] = attn_tile.gather %[[S0]][] : (memref<f32>) -> f32
// CHECK: %[[AS:.+]] = tensor.splat %[[A]] : tensor<64xf32>
// CHECK: arith.mulf %{{.+}}, %[[AS]] : tensor<64xf32>
// CHECK: arith.cmpf oeq, %{{.+}}, %[[NONE]]
// CHECK: attn_tile.gather %[[S1]][%c0, %[[H]]]
// CHECK: %[[OUT:.+]] = attn_tile.gather %[[OS]][%[[B]], %c0]
// CHECK: %[[OUTS:.+]] = tensor.splat %[[OUT]] : tensor<64xf32>
// CHECK: arith.divf %{{.+}}, %[[OUTS]] : tensor<64xf32>
// CHECK-NOT: attn_tile.gather
// CHECK: %[[ROUNDED:.+]] = arith.truncf {{.*}} to tensor<64x64xf8E4M3FN>
// CHECK-NEXT: attn_tile.store %[[ROUNDED]]
func.func @eight_bits(%o0: !o, %l0: !l, %o1: !o, %l1: !l, %s0: memref<f32>, %s1: memref<1x4xf32>, %os: memref<2x1xf32>, %o: !o) {
  attn.merge ins(%o0, %l0, %o1, %l1 : !o, !l, !o, !l) scales(%s0, %s1 : memref<f32>, memref<1x4xf32>)
      with(output_scale %os : memref<2x1xf32>) outs(%o : !o)
  return
}

// -----

// Nothing to do.
// CHECK-LABEL: func.func @no_rows(
// CHECK-NOT: attn
// CHECK: return
func.func @no_rows(%o: memref<2x4x0x80xf16>, %l: memref<2x4x0xf32>) {
  attn.merge ins(%o, %l : memref<2x4x0x80xf16>, memref<2x4x0xf32>) outs(%o : memref<2x4x0x80xf16>)
  return
}

// -----

// The heads of a token are rows, so its tiles are loaded and stored whole. Lengths change in a grid
// after the one that reads them.
!k = memref<2x8x3x64xf16>
!c = memref<2x8x90x64xf16>
// CHECK-LABEL: func.func @append(
// CHECK-SAME: %[[K:[a-z0-9]+]]: memref<2x8x3x64xf16>, %[[KC:[a-z0-9]+]]: memref<2x8x90x64xf16>, %[[VC:[a-z0-9]+]]: memref<2x8x90x64xf16>, %[[LEN:[a-z0-9]+]]: memref<2xi32>
// CHECK: attn_tile.grid (%[[B:.+]], %[[T:.+]], %[[H:.+]]) to (%c2, %c3, %c8) step [1, 1, 16]
// CHECK: %[[HELD:.+]] = attn_tile.gather %[[LEN]][%[[B]]]
// CHECK: %[[INDEX:.+]] = arith.index_cast %[[HELD]]
// CHECK: %[[BEGIN:.+]] = arith.maxsi %[[INDEX]], %c0
// CHECK: %[[P:.+]] = arith.addi %[[BEGIN]], %[[T]]
// CHECK: %[[IN:.+]] = arith.cmpi slt, %[[P]], %c90
// CHECK: scf.if %[[IN]] {
// CHECK: %[[FROM:.+]] = memref.subview %[[K]][%[[B]], 0, %[[T]], 0] [1, 8, 1, 64]
// CHECK: %[[TO:.+]] = memref.subview %[[KC]][%[[B]], 0, %[[P]], 0] [1, 8, 1, 64]
// CHECK: %[[TILE:.+]] = attn_tile.load %[[FROM]][%[[H]], %c0]
// CHECK: attn_tile.store %[[TILE]], %[[TO]][%[[H]], %c0]
// CHECK: memref.subview %[[VC]]
// CHECK: attn_tile.store
// CHECK-NOT: attn_tile.store
// CHECK: attn_tile.grid (%[[FIRST:.+]]) to (%c2) step [16]
// CHECK: attn_tile.load %[[LEN]][%[[FIRST]]]
// CHECK: attn_tile.store %{{.+}}, %[[LEN]][%[[FIRST]]]
// CHECK-NOT: scatter
func.func @append(%k: !k, %kc: !c, %vc: !c, %len: memref<2xi32>) {
  attn.append ins(%k, %k : !k, !k) outs(%kc, %vc : !c, !c) lengths(%len : memref<2xi32>)
  return
}

// -----

// Pages that are not in the pool, columns that are not in the table, and tokens past the count are
// found before they are used in addresses. Pairs are halves of 48 columns; the other columns stay
// as they are. The query is rotated for each token.
!k = memref<?x?x?x80xf16>
// CHECK-LABEL: func.func @pages(
// CHECK-SAME: %[[K:[a-z0-9]+]]: memref<?x?x?x80xf16>, %[[Q:[a-z0-9]+]]: memref<?x?x?x80xf16>, %[[N:[a-z0-9]+]]: memref<?xi32>, %[[TABLE:[a-z0-9]+]]: memref<?x?xi32>, %[[COS:[a-z0-9]+]]: memref<?x24xf32>, %[[POOL:[a-z0-9]+]]: memref<?x?x?x80xf16>
// CHECK-DAG: %[[HALF:.+]] = arith.constant dense<24> : tensor<96xindex>
// CHECK-DAG: %[[WIDTH:.+]] = arith.constant dense<48> : tensor<16x96xindex>
// CHECK: attn_tile.grid (%[[B:.+]], %[[T:.+]], %{{.+}}) to
// CHECK: %[[COUNT:.+]] = attn_tile.gather %[[N]][%[[B]]]
// CHECK: %[[COUNTS:.+]] = arith.cmpi slt, %[[T]],
// CHECK: %[[COLUMN:.+]] = arith.divui
// CHECK: %[[NAMED:.+]] = attn_tile.gather %[[TABLE]][%[[B]], %[[COLUMN]]]
// CHECK: %[[PAGE:.+]] = arith.index_cast %[[NAMED]]
// CHECK: %[[COLUMNS:.+]] = memref.dim %[[TABLE]], %c1
// CHECK: arith.cmpi slt, %[[COLUMN]], %[[COLUMNS]]
// CHECK: arith.cmpi sge, %[[PAGE]], %c0
// CHECK: %[[PAGES:.+]] = memref.dim %[[POOL]], %c0
// CHECK: %[[IN:.+]] = arith.cmpi slt, %[[PAGE]], %[[PAGES]]
// CHECK: %[[KEPT:.+]] = arith.andi %{{.+}}, %[[IN]]
// CHECK: arith.cmpi slt, %{{.+}}, %[[HALF]]
// CHECK: attn_tile.gather %[[COS]]
// CHECK: %[[TURNED:.+]] = arith.cmpi slt, %{{.+}}, %[[WIDTH]]
// CHECK: %[[ROW:.+]] = arith.select %[[TURNED]],
// CHECK: attn_tile.store %[[ROW]]
// CHECK: %[[BOTH:.+]] = arith.andi %[[KEPT]],
// CHECK: scf.if %[[BOTH]] {
// CHECK: memref.subview %[[POOL]][%[[PAGE]], 0,
func.func @pages(%k: !k, %q: !k, %n: memref<?xi32>, %t: memref<?x?xi32>, %c: memref<?x24xf32>, %pool: !k,
                 %qo: !k, %len: memref<?xi32>) {
  attn.append ins(%k, %k : !k, !k) query(%q : !k) counts(%n : memref<?xi32>) pages(%t : memref<?x?xi32>)
      rotary(%c, %c : memref<?x24xf32>, memref<?x24xf32>) outs(%pool, %pool, %qo : !k, !k, !k)
      lengths(%len : memref<?xi32>)
  return
}

// -----

// No tokens, and no cache: only lengths, which are clamped to the room.
// CHECK-LABEL: func.func @no_tokens(
// CHECK-NOT: gather
// CHECK: attn_tile.grid (%{{.+}}) to (%c2)
// CHECK-NOT: attn_tile.grid
func.func @no_tokens(%k: memref<2x8x0x64xf16>, %kc: memref<2x8x90x64xf16>, %len: memref<2xi32>) {
  attn.append ins(%k, %k : memref<2x8x0x64xf16>, memref<2x8x0x64xf16>)
      outs(%kc, %kc : memref<2x8x90x64xf16>, memref<2x8x90x64xf16>) lengths(%len : memref<2xi32>)
  return
}
