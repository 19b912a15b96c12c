// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse -verify-diagnostics | FileCheck %s --implicit-check-not=" beside "

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

// Three grids: numbers of rows, in whole blocks; d_query, of a block of rows; d_key and
// d_value, of a block of keys, over the heads that share it.
// CHECK-LABEL: func.func @gradients(
// CHECK: %[[BIAS:.+]] = attn_tile.workspace : memref<1x4x2x64xf32>
// CHECK: %[[DELTA:.+]] = attn_tile.workspace : memref<1x4x2x64xf32>
// CHECK: %[[ALL_BIAS:.+]] = memref.collapse_shape %[[BIAS]]
// CHECK: %[[ALL_DELTA:.+]] = memref.collapse_shape %[[DELTA]]
// CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) to (%{{.+}}, %{{.+}}, %c128) step [1, 1, 64]
// CHECK: %[[SUM:.+]] = attn_tile.reduce add %{{.+}} along 1
// CHECK: attn_tile.store %[[SUM]], %[[ALL_DELTA]][%[[B]], %[[H]], %[[I]]]
// CHECK: attn_tile.store %{{.+}}, %[[ALL_BIAS]][%[[B]], %[[H]], %[[I]]]
// CHECK: attn_tile.grid
// CHECK: %[[DOMAIN:.+]] = attn_tile.domain rows
// CHECK: attn_tile.for_blocks ({{.+}}) of %[[DOMAIN]] iter_args(%{{.+}} = %{{.+}}) -> (tensor<64x64xf32>)
// CHECK-COUNT-3: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK: attn_tile.store %{{.+}}, %arg6
// CHECK: attn_tile.grid
// CHECK: scf.for {{.+}} -> (tensor<64x32xf32>, tensor<64x64xf32>)
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.load %[[BIAS]]
// CHECK: attn_tile.load %[[DELTA]]
// CHECK-DAG: attn_tile.store %{{.+}}, %arg7
// CHECK-DAG: attn_tile.store %{{.+}}, %arg8
// CHECK-NOT: add
func.func @gradients(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dq: !q, %dk: !k, %dv: !v) {
  attn.attention_backward mask <top_left, causal>
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dq, %dk, %dv : !q, !k, !v) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<2x1x128x64xf16>
!row = memref<2x1x128xf32>

// A tile of keys past the entry's length has no rows: its domain begins after the last block of
// rows. All tiles have the same end. Such a tile loads nothing.
// CHECK: #[[$BLOCKS:.+]] = affine_map<(d0) -> ((d0 ceildiv 64) * 64)>
// CHECK-LABEL: func.func @lengths(
// CHECK-SAME: %[[T:[^:]+]]: memref<2x1x128x64xf16>
// CHECK: attn_tile.grid
// CHECK: attn_tile.grid (%{{.+}}, %{{.+}}, %[[J:.+]]) to
// CHECK: %[[VIEW:.+]] = memref.subview %[[T]][0, 0, 0, 0] [2, 1, %[[KEYS:[^,]+]], 64]
// CHECK: attn_tile.load %[[VIEW]][%{{.+}}, %{{.+}}, %[[J]], %c0]
// CHECK: attn_tile.domain rows %[[J]] to
// CHECK: %[[END:.+]] = affine.apply #[[$BLOCKS]](%[[ROWS:.+]])
// CHECK: %[[IS_TILE:.+]] = arith.cmpi slt, %[[J]], %[[KEYS]] : index
// CHECK: %[[FIRST:.+]] = arith.select %[[IS_TILE]], %c0, %[[END]]
// CHECK: attn_tile.domain_yield %[[FIRST]] to %[[ROWS]] full
// CHECK: return
func.func @lengths(%t: !t, %row: !row, %lq: memref<2xi32>, %lk: memref<2xi32>, %dk: !t, %dv: !t) {
  attn.attention_backward wrt(key, value)
      ins(%t, %t, %t, %t, %row, %t : !t, !t, !t, !t, !row, !t)
      lengths(%lq, %lk : memref<2xi32>, memref<2xi32>)
      outs(%dk, %dv : !t, !t) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

// Products that only absent gradients need are not computed: d_value needs the scores and its own
// product.
// CHECK-LABEL: func.func @value(
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-2: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK: return
func.func @value(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dv: !v) {
  attn.attention_backward wrt(value)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dv : !v) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @no_derivative(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dv: !v) {
  // expected-note@below {{needed for the gradients of this op's score region}}
  attn.attention_backward wrt(value)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dv : !v)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %0 = arith.bitcast %s : f32 to i32
        // expected-error@above {{'arith.bitcast' op has no derivative with respect to its operands}}
        %1 = arith.bitcast %0 : i32 to f32
        attn.yield %1 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// The gradient of a captured number: the program of d_query sums it over keys, for each
// of its rows; three grids add those, in an order that is always the same.
// CHECK-LABEL: func.func @capture(
// CHECK-SAME: %[[D:[^:]+]]: memref<f16>) {
// CHECK: %[[PARTIAL:.+]] = attn_tile.workspace : memref<8x100xf32>
// CHECK: attn_tile.for_blocks {{.+}} -> (tensor<64xf32>, tensor<64x64xf32>)
// CHECK: %[[SUM:.+]] = attn_tile.reduce add %{{.+}} along 1 : tensor<64x64xf32> -> tensor<64xf32>
// CHECK: arith.addf %{{.+}}, %[[SUM]] : tensor<64xf32>
// CHECK: attn_tile.store %{{.+}}, %[[PARTIAL]][%{{.+}}, %{{.+}}] : tensor<64xf32>, memref<8x100xf32>
// CHECK: %[[STRETCHES:.+]] = attn_tile.workspace : memref<2x8xf32>
// CHECK: %[[ALL:.+]] = attn_tile.workspace : memref<1x2xf32>
// CHECK: attn_tile.grid (%[[R:.+]], %[[C:.+]]) to (%{{.+}}, %{{.+}}) step [64, 64]
// CHECK: attn_tile.load %[[PARTIAL]][%[[R]], %[[C]]]
// CHECK: attn_tile.store %{{.+}}, %[[STRETCHES]][%{{.+}}, %[[R]]]
// CHECK: %[[OUT:.+]] = memref.expand_shape %[[D]] [] output_shape [1] : memref<f16> into memref<1xf16>
// CHECK: attn_tile.store %{{.+}}, %[[OUT]][%{{.+}}] : tensor<64xf16>, memref<1xf16>
// CHECK-NOT: attn_tile.store {{.+}} add
func.func @capture(%q: !t, %lse: !row, %dq: !t, %x: f16, %dx: memref<f16>) {
  attn.attention_backward wrt(query, captures[0])
      ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%x : f16) outs(%dq, %dx : !t, memref<f16>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f16):
        %0 = arith.extf %c : f16 to f32
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<1x2x100x64xf16>
!row = memref<1x2x100xf32>

// The gradient of an array has the sizes that the array's type has.
// CHECK-LABEL: func.func @sizes_of_capture(
// CHECK: memref.cast %{{.+}} : memref<?x?xf32> to memref<2x1xf32
func.func @sizes_of_capture(%q: !t, %lse: !row, %x: memref<2x1xf32>, %dx: memref<?x?xf32>) {
  attn.attention_backward wrt(captures[0])
      ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%x : memref<2x1xf32>) outs(%dx : memref<?x?xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<2x1xf32>):
        %0 = attn.read %c[%h, %i] : memref<2x1xf32>
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<1x4x100x64xf16>
!row = memref<1x4x100xf32>
!c = memref<3x200xf32>

// All elements of the gradient of an array that the score region does not read are zeros.
// CHECK-LABEL: func.func @unread_capture(
// CHECK-SAME: %[[D:[^:]+]]: memref<3x200xf32>) {
// CHECK: %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : tensor<[[N:[0-9]+]]xf32>
// CHECK: attn_tile.grid (%[[I:.+]], %[[J:.+]]) to (%c3, %c200) step [1, [[N]]]
// CHECK-NEXT: attn_tile.store %[[ZEROS]], %[[D]][%[[I]], %[[J]]] : tensor<[[N]]xf32>, memref<3x200xf32>
func.func @unread_capture(%q: !t, %lse: !row, %dq: !t, %x: !c, %dx: !c) {
  attn.attention_backward wrt(query, captures[0])
      ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%x : !c) outs(%dq, %dx : !t, !c)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: !c):
        %0 = arith.addf %s, %s : f32
        attn.yield %0 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<1x4x100x64xf16>
!k = memref<1x4x90x64xf16>
!row = memref<1x4x100xf32>

// Rows that see no key by the diagonal are not read where keys have gradients: the first
// 10 under a causal mask from the bottom right. They need no clearing.
// The numbers of rows are computed again, for blocks from there on.
// CHECK-LABEL: func.func @first_rows(
// CHECK-COUNT-2: attn_tile.grid
// CHECK-DAG: %[[Q:.+]] = memref.subview %arg0[0, 0, 10, 0] [1, 4, 90, 64] [1, 1, 1, 1]
// CHECK-DAG: %[[DO:.+]] = memref.subview %arg3[0, 0, 10, 0] [1, 4, 90, 64] [1, 1, 1, 1]
// CHECK-COUNT-2: attn_tile.grid
// CHECK: attn_tile.load %[[Q]]
// CHECK: %[[T:.+]] = attn_tile.load %[[DO]]
// CHECK: attn_tile.dot %{{.+}}, %[[T]], %{{.+}} transpose_rhs
func.func @first_rows(%q: !t, %k: !k, %lse: !row, %do: !t, %dq: !t, %dk: !k, %dv: !k) {
  attn.attention_backward mask <bottom_right, causal>
      ins(%q, %k, %k, %q, %lse, %do : !t, !k, !k, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !k, !k) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<1x4x100x64xf16>
!k = memref<1x4x50x64xf16>
!row = memref<1x4x100xf32>

// The last 40 rows, which see no key by a window, are not read either.
// CHECK-LABEL: func.func @last_rows(
// CHECK: memref.subview %arg0[0, 0, 0, 0] [1, 4, 60, 64] [1, 1, 1, 1]
// CHECK-NOT: memref.subview %{{.+}}[0, 0, {{[1-9]}}
// CHECK: return
func.func @last_rows(%q: !t, %k: !k, %lse: !row, %do: !t, %dk: !k) {
  attn.attention_backward mask <top_left, left = 10> wrt(key)
      ins(%q, %k, %k, %q, %lse, %do : !t, !k, !k, !t, !row, !t)
      outs(%dk : !k) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<1x4x64x64xf16>
!row = memref<1x4x64xf32>

// A region that cannot yield -inf of finite scores leaves no row empty, and costs nothing.
// CHECK-LABEL: func.func @soft_cap(
// CHECK-COUNT-2: attn_tile.workspace : memref<1x4x1x64xf32>
// CHECK-NOT: attn_tile.workspace
// CHECK: attn_tile.grid
// CHECK: attn_tile.grid
// CHECK: attn_tile.grid
// CHECK: %[[T:.+]] = attn_tile.load %arg2
// CHECK: attn_tile.dot %{{.+}}, %[[T]], %{{.+}} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
func.func @soft_cap(%q: !t, %lse: !row, %do: !t, %dq: !t, %dv: !t) {
  attn.attention_backward wrt(query, value)
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dv : !t, !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %cap = arith.constant 30.0 : f32
        %0 = arith.divf %s, %cap : f32
        %1 = math.tanh %0 : f32
        %2 = arith.mulf %1, %cap : f32
        attn.yield %2 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!t = memref<1x4x64x64xf16>
!row = memref<1x4x64xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>

// If programs may add to the same memory, the programs of keys have all five MMAs. The memory to
// which they add d_query is cleared before and rounded after. If they add from registers, that
// memory has blocks of eight rows, in the order of an MMA's lanes.
// CHECK-DAG: #[[BLOCK:.+]] = affine_map<(d0) -> (d0 floordiv 8)>
// CHECK-DAG: #[[COLUMN:.+]] = affine_map<(d0) -> ((d0 floordiv 8) * 8 + (d0 mod 2) * 4 + (d0 mod 8) floordiv 2)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0) -> (d0 mod 8)>
// CHECK-LABEL: func.func @adds(
// CHECK: %[[SUMS:.+]] = attn_tile.workspace : memref<1x4x64x64xf32>
// CHECK: attn_tile.grid
// CHECK: attn_tile.store %{{.+}}, %[[SUMS]]
// CHECK: %[[FLAT:.+]] = memref.collapse_shape %[[SUMS]]
// CHECK: %[[BLOCKS:.+]] = memref.expand_shape %[[FLAT]] {{.+}} into memref<1x4x8x64x8xf32>
// CHECK: attn_tile.grid
// CHECK: attn_tile.grid
// CHECK-DAG: %[[OFBLOCK:.+]] = attn_tile.coordinate along 0 by #[[BLOCK]] : tensor<32x64xindex>
// CHECK-DAG: %[[C:.+]] = attn_tile.coordinate along 1 by #[[COLUMN]]
// CHECK-DAG: %[[R:.+]] = attn_tile.coordinate along 0 by #[[ROW]]
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-4: attn_tile.dot
// CHECK: %[[PART:.+]] = attn_tile.dot %{{.+}}, %{{.+}}, %{{.+}} transpose_lhs
// CHECK-NOT: attn_tile.dot
// CHECK: %[[B:.+]] = arith.addi %[[OFBLOCK]],
// CHECK-NEXT: attn_tile.scatter %[[PART]], %[[BLOCKS]][%{{.+}}, %{{.+}}, %[[B]], %[[C]], %[[R]]] add in_bounds
// CHECK-NOT: attn_tile.dot
// CHECK: attn_tile.grid
// CHECK: attn_tile.gather %[[BLOCKS]]
// CHECK: attn_tile.store %{{.+}}, %arg3
// CHECK-NOT: attn_tile.grid
func.func @adds(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t) {schedule = #schedule}
  return
}

// -----

!t = memref<1x4x64x64xf16>
!row = memref<1x4x64xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @deterministic(
// CHECK-NOT: ] add
func.func @deterministic(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward deterministic
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t) {schedule = #schedule}
  return
}

// -----

!q = memref<2x8x300x64xf16>
!k = memref<2x2x500x64xf16>
!row = memref<2x8x300xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// A group of four heads is divided among programs if there would be fewer of them than
// processors, so that there are about two for each: 16, of 2 x 2 heads of keys and 4 tiles of them. Each takes one, two
// or all four heads, and they add to sums without heads if it is all of them.
// CHECK-LABEL: func.func @divided(
// CHECK: %[[PROCESSORS:.+]] = attn_tile.processors
// CHECK: %[[WANTED:.+]] = arith.muli %[[PROCESSORS]], %c2
// CHECK: %[[PARTS:.+]] = arith.divui %[[WANTED]], %c16
// CHECK: %[[OF_PART:.+]] = arith.select %{{.+}}, %c4, %{{.+}} : index
// CHECK: %[[COUNT:.+]] = arith.ceildivui %c4,
// CHECK: %[[PARTS_OF_GROUP:.+]] = arith.maxui %[[COUNT]], %c1
// CHECK: %[[IS_DIVIDED:.+]] = arith.cmpi ugt, %[[PARTS_OF_GROUP]], %c1
// CHECK: %[[HEADS:.+]] = arith.select %[[IS_DIVIDED]], %c2, %c0
// CHECK: %[[KEY_SUMS:.+]] = attn_tile.workspace(%[[HEADS]]) : memref<2x?x500x64xf32>
// CHECK: %[[VALUE_SUMS:.+]] = attn_tile.workspace(%[[HEADS]]) : memref<2x?x500x64xf32>
// CHECK: %[[ALL:.+]] = arith.muli %[[PARTS_OF_GROUP]], %c2
// CHECK: attn_tile.grid (%{{.+}}, %[[H:.+]], %{{.+}}) to (%c2, %[[ALL]], %c500)
// CHECK-DAG: %[[H32:.+]] = arith.index_castui %[[H]] : index to i32
// CHECK-DAG: %[[PARTS32:.+]] = arith.index_castui %[[PARTS_OF_GROUP]] : index to i32
// CHECK: %[[QUOTIENT:.+]] = arith.divui %[[H32]], %[[PARTS32]] : i32
// CHECK: %[[KV:.+]] = arith.index_castui %[[QUOTIENT]] : i32 to index
// CHECK: attn_tile.load %arg1[%{{.+}}, %[[KV]],
// CHECK: %[[FIRST:.+]] = arith.muli %[[H]],
// CHECK: scf.for %[[I:.+]] = %c0 to %{{.+}} step %c1
// CHECK: %[[HEAD:.+]] = arith.addi %[[FIRST]], %[[I]]
// CHECK: attn_tile.load %arg0[%{{.+}}, %[[HEAD]],
// CHECK: scf.if %{{.+}} {
// CHECK: attn_tile.store %{{.+}}, %[[KEY_SUMS]][{{.+}}] add
// CHECK: attn_tile.store %{{.+}}, %[[VALUE_SUMS]][{{.+}}] add
// CHECK: } else {
// CHECK: attn_tile.store %{{.+}}, %arg7
// CHECK: attn_tile.store %{{.+}}, %arg8
// CHECK: attn_tile.grid
// CHECK: attn_tile.store %{{.+}}, %arg6
// CHECK: attn_tile.grid (%{{.+}}) to (%c2, %[[HEADS]], %c500)
// CHECK: attn_tile.load %[[KEY_SUMS]]
// CHECK: attn_tile.store %{{.+}}, %arg7
// CHECK: attn_tile.grid (%{{.+}}) to (%c2, %[[HEADS]], %c500)
// CHECK: attn_tile.load %[[VALUE_SUMS]]
// CHECK: attn_tile.store %{{.+}}, %arg8

// The work is not divided if the order of sums must always be the same.
// CHECK-LABEL: func.func @undivided(
// CHECK-NOT: attn_tile.processors
func.func @divided(%q: !q, %k: !k, %v: !k, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !k, !k) {schedule = #schedule}
  return
}
func.func @undivided(%q: !q, %k: !k, %v: !k, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  attn.attention_backward deterministic
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !q, !row, !q)
      outs(%dq, %dk, %dv : !q, !k, !k) {schedule = #schedule}
  return
}
