// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s
// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse -mlir-print-op-generic | attn-opt | FileCheck %s

// Packed sequences, pages, and keys that are divided among programs.

!q = memref<1x4x?x64xf16>

// One grid lists the tiles of all sequences, with a program for each sequence and for the parts of
// the arrays before the first and past the last one; a program of the other grid reads slices of
// its sequence instead of the arrays.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x4x?x64xf16>, %[[A:[^:]+]]: memref<?xi32>, %[[B:[^:]+]]: memref<?xi32>)
func.func @packed(%q: !q, %a: memref<?xi32>, %b: memref<?xi32>) {
  // CHECK: %[[TILES:.+]] = attn_tile.workspace(%{{.+}}) : memref<7x?xi32>
  // CHECK: attn_tile.grid (%{{.+}}) to (%{{.+}}) step [1]
  // CHECK: scf.for
  // CHECK: memref.load %[[A]]
  // CHECK: arith.minsi
  // CHECK: arith.maxsi
  // CHECK: memref.load %[[B]]
  // CHECK: attn_tile.store
  // CHECK: attn_tile.grid (%[[H:.+]], %[[AT:.+]]) to (%c4, %{{.+}}) step [1, 64]
  // CHECK: memref.load %[[TILES]]
  // CHECK-DAG: %[[KEYS:.+]] = memref.subview %[[Q]][0, 0, %{{.+}}, 0] [1, 4, %{{.+}}, 64]
  // CHECK: attn_tile.load %{{.+}}[%c0, %[[H]], %{{.+}}, %c0]
  // CHECK: attn_tile.for_blocks
  // CHECK: attn_tile.store %{{.+}}, %{{.+}}[%c0, %[[H]],
  attn.attention ins(%q, %q, %q : !q, !q, !q) packed(%a, %b : memref<?xi32>, memref<?xi32>)
      outs(%q : !q) {schedule = #attn.tiles<q = 64, kv = 32>}
  return
}

// A page that is not there has no rows, and the first one's are not read for it.
// CHECK-LABEL: func.func @pages(
// CHECK-SAME: %[[K:[^:]+]]: memref<9x2x64x64xf16>, %[[T:[^:]+]]: memref<2x8xi32>)
func.func @pages(%q: memref<2x4x32x64xf16>, %k: memref<9x2x64x64xf16>, %t: memref<2x8xi32>) {
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of
  // CHECK: %[[NUMBER:.+]] = memref.load %[[T]]
  // CHECK: %[[PAGE:.+]] = arith.index_cast %[[NUMBER]] : i32 to index
  // CHECK: %[[MISSING:.+]] = arith.cmpi uge, %[[PAGE]], %c9
  // CHECK: %[[SAFE:.+]] = arith.select %[[MISSING]], %c0, %[[PAGE]]
  // CHECK: %[[COUNT:.+]] = arith.select %[[MISSING]], %c0,
  // CHECK: %[[ROW:.+]] = arith.remui %[[J]], %c64
  // CHECK: %[[ROWS:.+]] = memref.subview %[[K]][0, 0, 0, 0] [9, 2, %[[COUNT]], 64]
  // CHECK: attn_tile.load %[[ROWS]][%[[SAFE]], %{{.+}}, %[[ROW]], %c0]
  // CHECK: %[[RARE:.+]] = attn_tile.rare %[[MISSING]]
  // CHECK: arith.select %[[RARE]], %{{.+}}, %{{.+}} : tensor<32x32xf32>
  attn.attention
      ins(%q, %k, %k : memref<2x4x32x64xf16>, memref<9x2x64x64xf16>, memref<9x2x64x64xf16>)
      pages(%t : memref<2x8xi32>) outs(%q : memref<2x4x32x64xf16>)
      {schedule = #attn.tiles<q = 32, kv = 32>}
  return
}

// A tile of two pages has two parts; if the second page has no keys, that part is loaded from the
// last page with keys. If a page is missing, only its keys are masked.
// CHECK-LABEL: func.func @several_pages(
// CHECK-SAME: %[[K:[^:]+]]: memref<9x2x16x64xf16>, %[[T:[^:]+]]: memref<2x8xi32>)
func.func @several_pages(%q: memref<2x4x32x64xf16>, %k: memref<9x2x16x64xf16>, %t: memref<2x8xi32>) {
  // CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of
  // CHECK: %[[FIRST:.+]] = arith.divui %[[J]], %c16
  // CHECK: memref.load %[[T]][%{{.+}}, %[[FIRST]]]
  // CHECK: %[[MISSING:.+]] = arith.cmpi uge
  // CHECK: %[[SAFE:.+]] = arith.select %[[MISSING]], %c0,
  // CHECK: %[[COUNT:.+]] = arith.select %[[MISSING]], %c0,
  // CHECK: %[[NEXT:.+]] = arith.addi %[[FIRST]], %c1
  // CHECK: %[[SECOND:.+]] = arith.minsi %[[NEXT]], %c7
  // CHECK: memref.load %[[T]][%{{.+}}, %[[SECOND]]]
  // CHECK: %[[OTHER_MISSING:.+]] = arith.cmpi uge
  // CHECK: %[[OTHER_SAFE:.+]] = arith.select %[[OTHER_MISSING]], %c0,
  // CHECK: %[[OTHER_COUNT:.+]] = arith.select %[[OTHER_MISSING]], %c0,
  // CHECK: %[[ROWS:.+]] = memref.subview %[[K]][0, 0, 0, 0] [9, 2, %[[COUNT]], 64]
  // CHECK: %[[OTHER:.+]] = memref.subview %[[K]][0, 0, 0, 0] [9, 2, %[[OTHER_COUNT]], 64]
  // CHECK: attn_tile.load %[[ROWS]][%[[SAFE]], %{{.+}}, %c0, %c0], %[[OTHER]][%[[OTHER_SAFE]], %{{.+}}, %c0, %c0]
  // CHECK-SAME: -> tensor<32x64xf16>
  // CHECK: %[[ANY:.+]] = arith.cmpi ne, %{{.+}}, %c0
  // CHECK-NEXT: %[[RARE:.+]] = attn_tile.rare %[[ANY]]
  // CHECK: scf.if %[[RARE]]
  // CHECK: arith.shrui
  // CHECK: arith.select %{{.+}} : tensor<32x32xi1>, tensor<32x32xf32>
  attn.attention
      ins(%q, %k, %k : memref<2x4x32x64xf16>, memref<9x2x16x64xf16>, memref<9x2x16x64xf16>)
      pages(%t : memref<2x8xi32>) outs(%q : memref<2x4x32x64xf16>)
      {schedule = #attn.tiles<q = 32, kv = 32>}
  return
}

// Keys of pages that are smaller than the pattern of shared memory are gathered.
// CHECK-LABEL: func.func @small_pages(
// CHECK-SAME: %[[K:[^:]+]]: memref<9x2x4x64xf16>, %[[T:[^:]+]]: memref<2x8xi32>)
func.func @small_pages(%q: memref<2x4x32x64xf16>, %k: memref<9x2x4x64xf16>, %t: memref<2x8xi32>) {
  // CHECK: attn_tile.for_blocks
  // CHECK-NOT: attn_tile.load %[[K]]
  // CHECK: attn_tile.gather %[[T]]
  // CHECK: attn_tile.gather %[[K]]
  attn.attention
      ins(%q, %k, %k : memref<2x4x32x64xf16>, memref<9x2x4x64xf16>, memref<9x2x4x64xf16>)
      pages(%t : memref<2x8xi32>) outs(%q : memref<2x4x32x64xf16>)
      {schedule = #attn.tiles<q = 32, kv = 32>}
  return
}

// Programs for batch entries, key heads and parts of the keys; the query heads of a key
// head are rows of one tile. Where there is one part, it is the output.
// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[Q:[^:]+]]: memref<2x8x1x64xf16>, %[[K:[^:]+]]: memref<2x2x?x64xf16>)
func.func @split(%q: memref<2x8x1x64xf16>, %k: memref<2x2x?x64xf16>) {
  // CHECK: %[[ROWS:.+]] = memref.transpose %[[Q]] (d0, d1, d2, d3) -> (d0, d2, d1, d3)
  // CHECK: attn_tile.processors
  // CHECK: %[[PARTS:.+]] = attn_tile.workspace(%[[N:.+]]) : memref<2x2x4x?x64xf32>
  // CHECK: %[[WHOLE:.+]] = arith.cmpi eq, %[[N]], %c1
  // CHECK: attn_tile.grid (%{{.+}}, %[[KH:.+]], %{{.+}}, %{{.+}}) to (%c2, %c2, %[[N]], %c4) step [1, 1, 1, 16]
  // CHECK: memref.subview %[[ROWS]][0, 0, %{{.+}}, 0] [2, 1, 4, 64]
  // CHECK: attn_tile.for_blocks
  // CHECK: scf.if %[[WHOLE]]
  // CHECK: } else {
  // CHECK: attn_tile.store
  // CHECK: scf.if
  // CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) to (%c2, %c8, %c1, %c64) step [1, 1, 1, 16]
  // CHECK: %[[OF_PARTS:.+]] = memref.transpose %[[PARTS]] (d0, d1, d2, d3, d4) -> (d0, d1, d2, d4, d3)
  // CHECK: attn_tile.load %[[OF_PARTS]]{{.*}} -> tensor<16x16xf32>
  // CHECK: attn_tile.reduce maxnum %{{.+}} along 1
  attn.attention
      ins(%q, %k, %k : memref<2x8x1x64xf16>, memref<2x2x?x64xf16>, memref<2x2x?x64xf16>)
      outs(%q : memref<2x8x1x64xf16>) {schedule = #attn.tiles<q = 16, kv = 32, split_kv = true>}
  return
}

// Rows of several heads are a view of the query if query and output store them one after another in
// the same order, head by head or token by token; otherwise they are a copy. Parts need no memory
// if the output is written directly.
// CHECK-LABEL: func.func @split_rows(
// CHECK-SAME: %[[Q:[^:]+]]: memref<?x8x2x64xf16, strided<[?, ?, ?, 1]>>, %{{.+}}: memref<?x2x?x64xf16>,
// CHECK-SAME: %[[O:[^:]+]]: memref<?x8x2x64xf16, strided<[?, ?, ?, 1]>>)
func.func @split_rows(%q: memref<?x8x2x64xf16, strided<[?, ?, ?, 1]>>, %k: memref<?x2x?x64xf16>,
                      %o: memref<?x8x2x64xf16, strided<[?, ?, ?, 1]>>) {
  // CHECK: %{{.+}}, %{{.+}}, %{{.+}}:4, %[[STRIDES:.+]]:4 = memref.extract_strided_metadata %[[O]]
  // CHECK: %[[OF_ROWS:.+]] = affine.apply #{{.+}}()[%[[STRIDES]]#2]
  // CHECK: %[[BY_HEAD:.+]] = arith.cmpi eq, %[[STRIDES]]#1, %[[OF_ROWS]]
  // CHECK: %[[OF_HEADS:.+]] = arith.muli %[[STRIDES]]#1, %c4
  // CHECK: %[[IS_BY_TOKEN:.+]] = arith.cmpi eq, %[[STRIDES]]#2, %[[OF_HEADS]]
  // CHECK: %[[BY_TOKEN:.+]] = arith.select %[[BY_HEAD]], %false, %[[IS_BY_TOKEN]]
  // CHECK: %[[IN_PLACE:.+]] = arith.ori %[[BY_HEAD]], %[[IS_BY_TOKEN]]
  // CHECK: %[[HEAD_STEP:.+]] = arith.select %[[BY_TOKEN]], %c1, %c2
  // CHECK: %[[TOKEN_STEP:.+]] = arith.select %[[BY_TOKEN]], %c4, %c1
  // CHECK: %[[OUTPUT:.+]] = memref.reinterpret_cast {{.+}}, 2, 8, 64]
  // CHECK: %[[QUERY:.+]] = memref.reinterpret_cast {{.+}}, 2, 8, 64]
  // CHECK: %[[IS_VIEW:.+]] = arith.select %[[BY_TOKEN]]
  // CHECK: %[[COPY:.+]] = attn_tile.workspace(%{{.+}}) : memref<?x2x8x64xf16>
  // CHECK: %[[ROWS:.+]] = scf.if %[[IS_VIEW]]
  // CHECK: scf.yield %[[QUERY]]
  // CHECK: attn_tile.grid
  // CHECK: %[[FIRST:.+]] = arith.muli %{{.+}}, %[[HEAD_STEP]]
  // CHECK: memref.subview %[[COPY]][0, 0, %[[FIRST]], 0] [%{{.+}}, 2, 2, 64] [1, 1, %[[TOKEN_STEP]], 1]
  // CHECK: %[[WHOLE:.+]] = arith.andi %{{.+}}, %[[IN_PLACE]]
  // CHECK: %[[ENTRIES:.+]] = arith.select %[[WHOLE]], %c1, %{{.+}}
  // CHECK: attn_tile.workspace(%[[ENTRIES]], %{{.+}}) : memref<?x2x8x?xf32>
  // CHECK: attn_tile.load %[[ROWS]]
  // CHECK: scf.if %[[WHOLE]]
  // CHECK: attn_tile.store %{{.+}}, %[[OUTPUT]]
  attn.attention
      ins(%q, %k, %k : memref<?x8x2x64xf16, strided<[?, ?, ?, 1]>>, memref<?x2x?x64xf16>, memref<?x2x?x64xf16>)
      outs(%o : memref<?x8x2x64xf16, strided<[?, ?, ?, 1]>>) {schedule = #attn.tiles<q = 16, kv = 32, split_kv = true>}
  return
}
