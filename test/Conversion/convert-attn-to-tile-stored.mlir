// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// Heads of more than 256 columns and programs of 128 rows: P and dS pass through memory, 512 MiB of a
// section for both, here of 8 heads of 4096 rows and keys.

!q = memref<1x20x4096x512xbf16>
!row = memref<1x20x4096xf32>

// CHECK-LABEL: func.func @heads(
// CHECK: %[[P:.+]] = attn_tile.workspace : memref<8x32x4096x128xbf16>
// CHECK: %[[DS:.+]] = attn_tile.workspace : memref<8x32x4096x128xbf16>
// CHECK-NOT: xi32>
// CHECK: scf.for %[[FIRST:.+]] = %c0 to %c20 step %c8
// CHECK-NOT: scf.for
// CHECK-NOT: limit
// CHECK: attn_tile.grid ({{.+}}) to (%[[HEADS:[^,]+]], %c1, %c4096, %c4096) step [1, 1, 128, 128]
// CHECK: attn_tile.for_blocks {{.+}} -> (tensor<128x128xf32>, tensor<128x128xf32>) : !attn_tile.domain<64>
// CHECK-COUNT-2: attn_tile.dot
// CHECK: attn_tile.store %{{.+}}, %[[P]]
// CHECK: attn_tile.store %{{.+}}, %[[DS]]
// CHECK: attn_tile.grid ({{.+}}) to (%[[HEADS]], %c4096, %c512) step [1, 128, 256]
// CHECK: attn_tile.load %[[P]]
// CHECK: attn_tile.dot {{.+}} transpose_lhs
// CHECK: attn_tile.store %{{.+}}, %arg8
// CHECK: attn_tile.grid ({{.+}}) to (%[[HEADS]], %c4096, %c512) step [1, 128, 256]
// CHECK: attn_tile.load %[[DS]]
// CHECK: attn_tile.store %{{.+}}, %arg7
// CHECK: attn_tile.grid ({{.+}}) to (%[[HEADS]], %c1, %c4096, %c512) step [1, 1, 128, 256]
// CHECK: attn_tile.load %[[DS]]
// CHECK: attn_tile.store %{{.+}}, %arg6
func.func @heads(%q: !q, %k: !q, %v: !q, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !q, !q, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !q, !q) {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// P and dS of one key head exceed 512 MiB: a section has 4096 of its keys, for four query heads, and sections add d_query in memory.

!q = memref<1x4x8192x320xf16>
!k = memref<1x1x16384x320xf16>
!row = memref<1x4x8192xf32>

// CHECK-LABEL: func.func @keys(
// CHECK: attn_tile.workspace : memref<4x32x8192x128xf16>
// CHECK: attn_tile.workspace : memref<4x32x8192x128xf16>
// CHECK: attn_tile.workspace : memref<1x4x8192x384xf32>
// CHECK: scf.for %[[FIRST:.+]] = %c0 to %c16384 step %c4096
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %c4, %c8192, %[[KEYS:[^,]+]]) step [1, 1, 128, 128]
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %[[KEYS]], %c320) step [1, 128, 192]
// CHECK: scf.for %{{.+}} = %c0 to %c4 step %c1
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %[[KEYS]], %c320) step [1, 128, 192]
// CHECK: attn_tile.grid ({{.+}}) to (%c1, %c4, %c8192, %c320) step [1, 1, 128, 192]
// CHECK: attn_tile.store %{{.+}} add : tensor<128x192xf32>, memref<1x?x8192x384xf32>
// CHECK: attn_tile.grid
// CHECK: attn_tile.load %{{.+}} : memref<1x?x8192x384xf32>
// CHECK: attn_tile.store %{{.+}}, %arg6
func.func @keys(%q: !q, %k: !k, %v: !k, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !k, !k) {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// Packed sequences: P and dS have all rows of the array, a section has the same keys of each sequence, and
// grids go over lists of a section's tiles, of which memory says how many are used. Lists are made once
// for all heads.

!q = memref<1x6x4096x512xbf16>
!k = memref<1x2x40000x512xbf16>
!row = memref<1x6x4096xf32>
!ends = memref<5xi32>

// CHECK-LABEL: func.func @packed(
// CHECK: %[[P:.+]] = attn_tile.workspace : memref<3x85x4096x128xbf16>
// CHECK: %[[DS:.+]] = attn_tile.workspace : memref<3x85x4096x128xbf16>
// CHECK: %[[SUMS:.+]] = attn_tile.workspace : memref<1x6x4096x512xf32>
// CHECK: %[[ROWS:.+]] = attn_tile.workspace : memref<7x38xi32>
// CHECK: %[[NUM_ROWS:.+]] = attn_tile.workspace : memref<1xi32>
// CHECK: %[[KEYS:.+]] = attn_tile.workspace : memref<7x318xi32>
// CHECK: %[[NUM_KEYS:.+]] = attn_tile.workspace : memref<1xi32>
// CHECK: %[[PAIRS:.+]] = attn_tile.workspace : memref<8x3230xi32>
// CHECK: %[[NUM_PAIRS:.+]] = attn_tile.workspace : memref<1xi32>
// CHECK: %[[COUNTS:.+]] = attn_tile.workspace : memref<38xi32>
// CHECK-NOT: attn_tile.workspace
// CHECK: scf.for %[[FIRST:.+]] = %c0 to %c40000 step %c10880
// CHECK: attn_tile.grid (%{{.+}}) to (%c6) step [1]
// CHECK: attn_tile.grid (%{{.+}}) to (%c6) step [1]
// CHECK: attn_tile.grid (%{{.+}}) to (%c4864) step [128]
// CHECK-NOT: attn_tile.store
// CHECK: attn_tile.scatter %{{.+}}, %[[COUNTS]]
// CHECK: attn_tile.grid (%{{.+}}) to (%c4864) step [128]
// CHECK-COUNT-8: attn_tile.scatter %{{.+}}, %[[PAIRS]]
// CHECK: attn_tile.scatter %{{.+}}, %[[NUM_PAIRS]]
// CHECK: scf.for %{{.+}} = %c0 to %c2 step %c1
// CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %{{.+}}) to (%{{.+}}, %c3, %c413440) step [1, 1, 128] {{.*}}limit %[[NUM_PAIRS]] : memref<1xi32>
// CHECK: memref.load %[[PAIRS]][%c7,
// CHECK: %[[OF_SEQUENCE:.+]] = memref.subview %[[P]][0, 0, %{{.+}}, 0] [3, 85, %{{.+}}, 128]
// CHECK: attn_tile.store %{{.+}}, %[[OF_SEQUENCE]]
// CHECK: memref.subview %[[DS]]
// CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %{{.+}}) to (%{{.+}}, %c512, %c40704) step [1, 256, 128] {{.*}}limit %[[NUM_KEYS]] : memref<1xi32>
// CHECK: memref.subview %[[P]]
// CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %{{.+}}) to (%{{.+}}, %c512, %c40704) step [1, 256, 128] {{.*}}limit %[[NUM_KEYS]] : memref<1xi32>
// CHECK: memref.subview %[[DS]]
// CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) to (%{{.+}}, %c3, %c512, %c4864) step [1, 1, 256, 128] {{.*}}limit %[[NUM_ROWS]] : memref<1xi32>
// CHECK: memref.subview %[[DS]]
// CHECK: attn_tile.store %{{.+}} add
// CHECK: attn_tile.grid
// CHECK: memref.subview %{{.*}}[0, 0, %{{.+}}, 0]
func.func @packed(%q: !q, %k: !k, %rows: !ends, %keys: !ends, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward
      ins(%q, %k, %k, %o, %lse, %do : !q, !k, !k, !q, !row, !q) packed(%rows, %keys : !ends, !ends)
      outs(%dq, %dk, %dv : !q, !k, !k) {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// A mask that reads arrays: lists of blocks of keys and of rows have maps, by which grids list the pairs of tiles
// that the products read. A section of keys has a part of a tile's list. Rows without pairs in it add nothing.

!q = memref<1x4x8192x320xf16>
!k = memref<1x1x16384x320xf16>
!row = memref<1x4x8192xf32>
!documents = memref<16384xi32>

// CHECK-LABEL: func.func @lists(
// CHECK: %[[KEYS:.+]] = attn_tile.workspace : memref<1x1x64x256xi32>
// CHECK: attn_tile.workspace : memref<1x1x64x256xi32>
// CHECK: %[[MAP:.+]] = attn_tile.workspace : memref<1x1x64x256xi32>
// CHECK: %[[NUM_KEYS:.+]] = attn_tile.workspace : memref<1x1x64xi32>
// CHECK: attn_tile.scatter %{{.+}}, %[[MAP]]
// CHECK: %[[ROWS:.+]] = attn_tile.workspace : memref<1x1x128x128xi32>
// CHECK: attn_tile.workspace : memref<1x1x128x128xi32>
// CHECK: %[[MAP_OF_ROWS:.+]] = attn_tile.workspace : memref<1x1x128x128xi32>
// CHECK: attn_tile.scatter %{{.+}}, %[[MAP_OF_ROWS]]
// CHECK: %[[PAIRS:.+]] = attn_tile.workspace : memref<5x8192xi32>
// CHECK: %[[NUM_PAIRS:.+]] = attn_tile.workspace : memref<1xi32>
// CHECK: %[[COUNTS:.+]] = attn_tile.workspace : memref<256xi32>
// CHECK: %[[KINDS:.+]] = attn_tile.workspace : memref<256x32xi32>
// CHECK: scf.for %{{.+}} = %c0 to %c16384 step %c4096
// CHECK: attn_tile.grid {{.+}} to (%c1, %c4, %c8192) step [1, 1, 128]
// CHECK-COUNT-2: attn_tile.gather %[[MAP]][
// CHECK-COUNT-2: attn_tile.gather %[[MAP_OF_ROWS]][
// CHECK: attn_tile.store %{{.+}}, %{{.+}} : tensor<64xi32>
// CHECK: attn_tile.scatter %{{.+}}, %[[COUNTS]]
// CHECK: attn_tile.grid {{.+}} to (%c1, %c4, %c8192) step [1, 1, 128]
// CHECK: attn_tile.load %[[COUNTS]]
// CHECK-COUNT-5: attn_tile.scatter %{{.+}}, %[[PAIRS]]
// CHECK: attn_tile.scatter %{{.+}}, %[[NUM_PAIRS]]
// CHECK: attn_tile.grid (%{{.+}}) to (%c1048576) step [128] limit %[[NUM_PAIRS]] : memref<1xi32>
// CHECK-NOT: memref.load %[[MAP]]
// CHECK-COUNT-5: memref.load %[[PAIRS]][
// CHECK-NOT: memref.subview
// CHECK: attn_tile.store
// CHECK-NOT: memref.subview
// CHECK: attn_tile.grid {{.+}} step [1, 128, 192]
// CHECK-NOT: attn_tile.domain rows
// CHECK: memref.subview %[[ROWS]][0, 0, %{{.+}}, 0]
// CHECK: attn_tile.grid {{.+}} step [1, 128, 192]
// CHECK-NOT: attn_tile.domain rows
// CHECK: attn_tile.grid {{.+}} step [1, 1, 128, 192]
// CHECK: %[[COUNT:.+]] = arith.index_cast %{{.+}} : i32 to index
// CHECK: %[[END:.+]] = memref.load %[[MAP]][
// CHECK: arith.shrui %[[END]], %c2_i32
// CHECK: %[[FIRST:.+]] = memref.load %[[MAP]][
// CHECK: arith.shrui %[[FIRST]], %c2_i32
// CHECK: memref.subview %[[KEYS]][0, 0, %{{.+}}, %{{.+}}] [1, 1, 1, %[[LEFT:.+]]] [1, 1, 1, 1]
// CHECK: attn_tile.domain_list %{{.+}}, %{{.+}} count %[[LEFT]]
// CHECK-NOT: attn_tile.domain rows
// CHECK: %[[COUNT_OF_ROWS:.+]] = memref.load %[[COUNTS]][
// CHECK: %[[IS_NONE:.+]] = arith.cmpi eq, %[[COUNT_OF_ROWS]], %c0_i32
// CHECK: %[[NUM_ROWS:.+]] = arith.select %[[IS_NONE]], %c0, %c8192
// CHECK: memref.subview %{{.+}}[0, 0, 0, 0] [1, 4, %[[NUM_ROWS]], 384]
// CHECK: attn_tile.store %{{.+}} add
func.func @lists(%q: !q, %k: !k, %v: !k, %o: !q, %lse: !row, %do: !q, %documents: !documents, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !q, !row, !q)
      captures(%documents : !documents)
      outs(%dq, %dk, %dv : !q, !k, !k)
      mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %numbers: !documents):
    %0 = attn.read %numbers[%i] inbounds : !documents
    %1 = attn.read %numbers[%j] inbounds : !documents
    %2 = arith.cmpi eq, %0, %1 : i32
    attn.yield %2 : i1
  } {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// A window: memory has the pairs of tiles that it keeps, and the list an entry for each of these, without arrays of
// blocks. A tile of rows sees 1, 2, ... 8 and then 9 tiles of keys: 252 of 32 x 32 for each of 4 heads.

!q = memref<1x4x4096x512xbf16>
!row = memref<1x4x4096xf32>

// CHECK-LABEL: func.func @window(
// CHECK: %[[P:.+]] = attn_tile.workspace : memref<1008x1x128x128xbf16>
// CHECK: %[[DS:.+]] = attn_tile.workspace : memref<1008x1x128x128xbf16>
// CHECK-NOT: xf32>
// CHECK: %[[PAIRS:.+]] = attn_tile.workspace : memref<5x1008xi32>
// CHECK: %[[NUM_PAIRS:.+]] = attn_tile.workspace : memref<1xi32>
// CHECK: attn_tile.workspace : memref<128xi32>
// CHECK-NOT: attn_tile.workspace
// CHECK: attn_tile.grid {{.+}} to (%c4, %c1, %c4096) step [1, 1, 128]
// CHECK-NOT: attn_tile.gather
// CHECK-NOT: scf.for
// CHECK: attn_tile.grid {{.+}} to (%c4, %c1, %c4096) step [1, 1, 128]
// CHECK-COUNT-4: attn_tile.scatter %{{.+}}, %[[PAIRS]]
// CHECK: attn_tile.scatter %{{.+}}, %[[NUM_PAIRS]]
// CHECK: attn_tile.grid (%{{.+}}) to (%c129024) step [128] limit %[[NUM_PAIRS]] : memref<1xi32>
// CHECK: attn_tile.store %{{.+}}, %[[P]]
// CHECK: attn_tile.store %{{.+}}, %[[DS]]
// CHECK-NOT: limit
// CHECK: attn_tile.load %[[P]]
// CHECK: attn_tile.load %[[DS]]
// CHECK: attn_tile.load %[[DS]]
func.func @window(%q: !q, %k: !q, %v: !q, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !q, !q, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !q, !q) {mask = #attn.mask<top_left, left = 1000, right = 0>, schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// A mask region whose ranges are known: a loop asks for one tile of keys after another. The grid of P and dS does not
// ask again.

!q = memref<1x4x4096x512xbf16>
!row = memref<1x4x4096xf32>

// CHECK-LABEL: func.func @ranges(
// CHECK: %[[NUM_PAIRS:.+]] = attn_tile.workspace : memref<1xi32>
// CHECK: attn_tile.grid {{.+}} step [1, 1, 128]
// CHECK: scf.for %{{.+}} = %c0 to %{{.+}} step %c1 iter_args(%{{.+}} = %{{.+}}) -> (tensor<64xi32>)
// CHECK: attn_tile.grid {{.+}} step [1, 1, 128]
// CHECK-NOT: scf.for
// CHECK: attn_tile.scatter %{{.+}}, %[[NUM_PAIRS]]
// CHECK: attn_tile.grid (%{{.+}}) to (%c524288) step [128] limit %[[NUM_PAIRS]] : memref<1xi32>
// CHECK-NOT: memref.subview
// CHECK: attn_tile.grid
func.func @ranges(%q: !q, %k: !q, %v: !q, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !q, !q, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !q, !q)
      mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %0 = arith.subi %i, %j : index
    %c300 = arith.constant 300 : index
    %1 = arith.cmpi sle, %0, %c300 : index
    attn.yield %1 : i1
  } {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// A diagonal: half of the pairs, and those on it, of 3 heads that fit 512 MiB.

!q = memref<1x20x8192x512xbf16>
!row = memref<1x20x8192xf32>

// CHECK-LABEL: func.func @causal(
// CHECK: attn_tile.workspace : memref<6240x1x128x128xbf16>
// CHECK: attn_tile.workspace : memref<6240x1x128x128xbf16>
// CHECK-NOT: xf32>
// CHECK: scf.for %{{.+}} = %c0 to %c20 step %c3
// CHECK-NOT: scf.for
func.func @causal(%q: !q, %k: !q, %v: !q, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !q, !q, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !q, !q) {mask = #attn.mask<top_left, causal>, schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// A long sequence under a window of 8192 keys, of which 512 MiB do not hold the pairs: a section has 63 tiles of keys,
// beside at most 63 + 65 tiles of rows, rather than 16 tiles beside each of 512.

!q = memref<1x16x65536x512xbf16>
!row = memref<1x16x65536xf32>

// CHECK-LABEL: func.func @long(
// CHECK: attn_tile.workspace : memref<8064x1x128x128xbf16>
// CHECK: attn_tile.workspace : memref<8064x1x128x128xbf16>
// CHECK: scf.for %{{.+}} = %c0 to %c16 step %c1
// CHECK: scf.for %{{.+}} = %c0 to %c65536 step %c8064
func.func @long(%q: !q, %k: !q, %v: !q, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !q, !q, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !q, !q) {mask = #attn.mask<top_left, left = 8191, right = 0>, schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// Lengths decide where a diagonal is that is aligned at the bottom right: memory has 10 tiles of keys, as many as a
// window of 1001 keys touches, of each of 32 tiles of rows.

!q = memref<2x2x4096x320xbf16>
!row = memref<2x2x4096xf32>
!lengths = memref<2xi32>

// CHECK-LABEL: func.func @lengths(
// CHECK: attn_tile.workspace : memref<1280x1x128x128xbf16>
func.func @lengths(%q: !q, %k: !q, %v: !q, %rows: !lengths, %keys: !lengths, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !q, !q, !q, !row, !q) lengths(%rows, %keys : !lengths, !lengths)
      outs(%dq, %dk, %dv : !q, !q, !q) {mask = #attn.mask<bottom_right, left = 1000, right = 0>, schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// Packed sequences under a window: rows of the array x 3 tiles of keys, and one section of all keys.

!q = memref<1x6x4096x512xbf16>
!k = memref<1x2x40000x512xbf16>
!row = memref<1x6x4096xf32>
!ends = memref<5xi32>

// CHECK-LABEL: func.func @packed_window(
// CHECK: %[[P:.+]] = attn_tile.workspace : memref<6x3x4096x128xbf16>
// CHECK: %[[DS:.+]] = attn_tile.workspace : memref<6x3x4096x128xbf16>
// CHECK-NOT: xf32>
// CHECK: attn_tile.workspace : memref<8x114xi32>
// CHECK: memref.subview %[[P]][0, 0, %{{.+}}, 0] [6, 3, %{{.+}}, 128]
func.func @packed_window(%q: !q, %k: !k, %rows: !ends, %keys: !ends, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward
      ins(%q, %k, %k, %o, %lse, %do : !q, !k, !k, !q, !row, !q) packed(%rows, %keys : !ends, !ends)
      outs(%dq, %dk, %dv : !q, !k, !k) {mask = #attn.mask<bottom_right, left = 128, right = 0>, schedule = #attn.tiles<q = 128, kv = 64>}
  return
}

// -----

// Eight heads of 16 tokens are a tile: query and d_output are copied in the order of tokens, P and dS have
// one tile of rows beside each tile of keys, blocks have eight tokens, and d_query is scattered.

!q = memref<2x16x16x512xbf16>
!k = memref<2x2x300x512xbf16>
!row = memref<2x16x16xf32>

// CHECK-DAG: #[[$FIRST_ROW:.+]] = affine_map<(d0) -> (d0 * 8)>
// CHECK-LABEL: func.func @tiles_of_heads(

// CHECK-COUNT-2: attn_tile.workspace : memref<2x2x2x64xf32>
// CHECK: attn_tile.scatter %{{.+}}, %[[QUERIES:.+]][%{{.+}}, %{{.+}}, %{{.+}}, %c0] : tensor<128x256xbf16>, memref<2x2x128x512xbf16
// CHECK: attn_tile.scatter %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %c0] : tensor<128x256xbf16>, memref<2x2x128x512xbf16
// CHECK: attn_tile.workspace : memref<4x3x128x128xbf16>
// CHECK: attn_tile.workspace : memref<4x3x128x128xbf16>
// CHECK-COUNT-2: attn_tile.grid {{.+}} to (%c4, %c1, %c16) step [1, 1, 16]
// CHECK: attn_tile.grid (%{{.+}}) to (%c1536) step [128] limit
// CHECK: %[[ROW:.+]] = affine.apply #[[$FIRST_ROW]]
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.load %[[QUERIES]][%{{.+}}, %{{.+}}, %[[ROW]], %{{.+}}] : {{.+}} -> tensor<128x64xbf16>
// CHECK: scf.if
// CHECK: arith.divui %{{.+}}, %{{.+}} : tensor<128xi32>
// CHECK: attn_tile.store
// CHECK: attn_tile.grid {{.+}} to (%c4, %c300, %c512) step [1, 128, 256]
// CHECK-NOT: scf.for
// CHECK: attn_tile.for_blocks {{.+}} !attn_tile.domain<8>
// CHECK: attn_tile.load {{.+}} -> tensor<64x128xbf16>
// CHECK: attn_tile.load {{.+}} -> tensor<64x256xbf16>
// CHECK: attn_tile.grid {{.+}} to (%c4, %c300, %c512) step [1, 128, 256]
// CHECK: attn_tile.grid {{.+}} to (%c4, %c1, %c16, %c512) step [1, 1, 16, 256]
// CHECK: attn_tile.domain rows %c0 to %c128
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.scatter %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}] : tensor<128x256xbf16>, memref<2x16x16x512xbf16>
func.func @tiles_of_heads(%q: !q, %k: !k, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward mask <bottom_right, causal>
      ins(%q, %k, %k, %o, %lse, %do : !q, !k, !k, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !k, !k) {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}
