// RUN: attn-opt %s -split-input-file -attn-tile -attn-online-softmax -canonicalize -cse | FileCheck %s

// With access = tma, warpgroups of 64 rows share the loads of a block. Blocks of
// keys come last first: a loop's counter goes up, and positions go down from the
// last block before the end of all rows' keys.

// Under a diagonal a warpgroup's rows may end before the last one's. Blocks past
// its own end it loads and discards; its steps begin where they end.
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0) -> (1024, d0 + 128)>
// CHECK-DAG: #[[$PART_ROWS:.+]] = affine_map<()[s0] -> (128, s0 + 64)>
// CHECK-DAG: #[[$PART_END:.+]] = affine_map<(d0)[s0] -> (1024, d0 + s0)>
// CHECK-DAG: #[[$FIRST_BLOCK:.+]] = affine_map<(d0) -> (1, 1024, d0 + 128)>
// CHECK-DAG: #[[$SKIPPED:.+]] = affine_map<(d0, d1) -> (((d0 - 1) floordiv 64) * 64 - ((d1 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$POSITION:.+]] = affine_map<(d0, d1) -> (-d0 + ((d1 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$DIAGONAL:.+]] = affine_map<(d0, d1, d2) -> (d0 + d1 - ((d2 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$BOUND:.+]] = affine_map<(d0, d1, d2) -> (192, d0 + d1 - ((d2 - 1) floordiv 64) * 64)>
// CHECK-LABEL: func.func @diagonal(
// CHECK-SAME: %{{[^:]+}}: memref<{{[^>]+}}>, %[[KEY:[^:]+]]: memref<{{[^>]+}}>, %[[VALUE:[^:]+]]: memref<{{[^>]+}}>,
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[LAST_COLUMN:.+]] = arith.constant 63 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK: scf.forall (%{{.+}}, %{{.+}}, %[[I:.+]]) = (0, 0, 0) to
// CHECK-DAG: %[[K:.+]] = memref.subview %[[KEY]][
// CHECK-DAG: %[[V:.+]] = memref.subview %[[VALUE]][
// CHECK-DAG: %[[PART:.+]] = attn_gpu.part_offset
// CHECK-DAG: %[[END:.+]] = affine.min #[[$END]](%[[I]])
// CHECK-DAG: %[[ROWS:.+]] = affine.min #[[$PART_ROWS]]()[%[[PART]]]
// CHECK-DAG: %[[PART_END:.+]] = affine.min #[[$PART_END]](%[[I]])[%[[ROWS]]]
// The first block is nobody's to skip.
// CHECK-DAG: %[[FIRST_BLOCK:.+]] = affine.min #[[$FIRST_BLOCK]](%[[I]])
// CHECK: %[[OWN_END:.+]] = affine.max #{{.+}}(%[[PART_END]], %[[FIRST_BLOCK]])
// CHECK: %[[OWN:.+]] = affine.apply #[[$SKIPPED]](%[[END]], %[[OWN_END]])
// CHECK-NEXT: scf.for %[[N:[a-z0-9]+]] = %[[C0]] to %[[OWN]] step %[[C64]] {
// CHECK-NEXT: %[[J:.+]] = affine.apply #[[$POSITION]](%[[N]], %[[END]])
// CHECK-NEXT: %[[KEYS:.+]] = attn_tile.load %[[K]][%[[C0]], %[[C0]], %[[J]], %[[C0]]]
// CHECK-NEXT: attn_gpu.discard %[[KEYS]] : tensor<64x128xf16>
// CHECK-NEXT: %[[VALUES:.+]] = attn_tile.load %[[V]][%[[C0]], %[[C0]], %[[J]], %[[C0]]]
// CHECK-NEXT: attn_gpu.discard %[[VALUES]] : tensor<64x128xf16>
// CHECK-NEXT: }
// CHECK-NEXT: = scf.for %[[N:[a-z0-9]+]] = %[[OWN]] to %[[END]] step %[[C64]] iter_args(
// CHECK-NEXT: %[[J:.+]] = affine.apply #[[$POSITION]](%[[N]], %[[END]])
// CHECK-NEXT: attn_tile.load %[[K]][%[[C0]], %[[C0]], %[[J]], %[[C0]]]
// CHECK-NEXT: attn_tile.load %[[V]][%[[C0]], %[[C0]], %[[J]], %[[C0]]]
// CHECK-NEXT: %[[S:.+]] = attn_tile.dot
// The branch is of the warpgroup's own first row; the comparisons in it are of the
// tile's rows.
// CHECK-NEXT: %[[OF_TILE:.+]] = affine.apply #[[$DIAGONAL]](%[[I]], %[[N]], %[[END]])
// CHECK-NEXT: %[[OF_PART:.+]] = arith.addi %[[OF_TILE]], %[[PART]]
// CHECK-NEXT: %[[IS_CROSSED:.+]] = arith.cmpi slt, %[[OF_PART]], %[[LAST_COLUMN]]
// CHECK-NEXT: scf.if %[[IS_CROSSED]]
// CHECK-NEXT: affine.min #[[$BOUND]](%[[I]], %[[N]], %[[END]])
// CHECK-NOT: %[[PART]]{{[^0-9]}}
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK-NOT: attn_gpu.discard
!t = memref<2x3x1024x128xf16>
func.func @diagonal(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, causal> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// Without a mask each row sees all keys: 1000 of them begin their last block at 960.
// CHECK-DAG: #[[$POSITION:.+]] = affine_map<(d0) -> (-d0 + 960)>
// CHECK-LABEL: func.func @no_mask(
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[LENGTH:.+]] = arith.constant 1000 : index
// CHECK-NOT: attn_gpu.part_offset
// CHECK: scf.for %[[N:[a-z0-9]+]] = %[[C0]] to %[[LENGTH]] step %[[C64]] iter_args(
// CHECK-NEXT: %[[J:.+]] = affine.apply #[[$POSITION]](%[[N]])
// CHECK-NEXT: attn_tile.load %{{.+}}[%[[C0]], %[[C0]], %[[J]], %[[C0]]]
// CHECK-NEXT: attn_tile.load %{{.+}}[%[[C0]], %[[C0]], %[[J]], %[[C0]]]
// CHECK-NOT: attn_tile.{{part_offset|discard}}
!t = memref<2x3x1000x128xf16>
func.func @no_mask(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// A window's left side ends no row's keys early. Its first blocks are the last
// steps; a branch compares its own last row.
// CHECK-DAG: #[[$START:.+]] = affine_map<(d0) -> (0, d0 - 100)>
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0) -> ((d0 floordiv 64) * 64)>
// CHECK-DAG: #[[$POSITION:.+]] = affine_map<(d0, d1) -> (-d0 + (d1 floordiv 64) * 64 + 960)>
// CHECK-LABEL: func.func @left_window(
// CHECK-DAG: %[[LAST_ROW:.+]] = arith.constant -63 : index
// CHECK-DAG: %[[LENGTH:.+]] = arith.constant 1024 : index
// CHECK: scf.forall (%{{.+}}, %{{.+}}, %[[I:.+]]) = (0, 0, 0) to
// CHECK: %[[PART:.+]] = attn_gpu.part_offset
// CHECK: %[[START:.+]] = affine.max #[[$START]](%[[I]])
// CHECK: %[[FIRST:.+]] = affine.apply #[[$FIRST]](%[[START]])
// CHECK-NEXT: = scf.for %[[N:[a-z0-9]+]] = %[[FIRST]] to %[[LENGTH]] step %{{.+}} iter_args(
// CHECK-NEXT: %[[J:.+]] = affine.apply #[[$POSITION]](%[[N]], %[[START]])
// CHECK-NEXT: attn_tile.load %{{.+}}[%{{.+}}, %{{.+}}, %[[J]], %{{.+}}]
// CHECK: %[[OF_PART:.+]] = arith.addi %{{.+}}, %[[PART]]
// CHECK-NEXT: %[[IS_CROSSED:.+]] = arith.cmpi sgt, %[[OF_PART]], %[[LAST_ROW]]
// CHECK-NEXT: scf.if %[[IS_CROSSED]]
// CHECK-NOT: attn_gpu.discard
!t = memref<2x3x1024x128xf16>
func.func @left_window(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, left = 100> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// Both sides: the first block is the window's, counters begin at it.
// CHECK-DAG: #[[$START:.+]] = affine_map<(d0) -> (0, d0 - 100)>
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0) -> ((d0 floordiv 64) * 64)>
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0) -> (1024, d0 + 148)>
// CHECK-DAG: #[[$PART_END:.+]] = affine_map<(d0)[s0] -> (1024, d0 + s0 + 20)>
// CHECK-DAG: #[[$FIRST_BLOCK:.+]] = affine_map<(d0, d1) -> ((d0 floordiv 64) * 64 + 1, 1024, d1 + 148)>
// CHECK-LABEL: func.func @window(
// CHECK: scf.forall (%{{.+}}, %{{.+}}, %[[I:.+]]) = (0, 0, 0) to
// CHECK: %[[PART:.+]] = attn_gpu.part_offset
// CHECK: %[[START:.+]] = affine.max #[[$START]](%[[I]])
// CHECK: %[[FIRST:.+]] = affine.apply #[[$FIRST]](%[[START]])
// CHECK: %[[END:.+]] = affine.min #[[$END]](%[[I]])
// CHECK: affine.min #[[$PART_END]](%[[I]])[
// CHECK: affine.min #[[$FIRST_BLOCK]](%[[START]], %[[I]])
// CHECK: scf.for %{{[a-z0-9]+}} = %[[FIRST]] to %[[OWN:[a-z0-9]+]] step
// CHECK-COUNT-2: attn_gpu.discard
// CHECK-NEXT: }
// CHECK-NEXT: = scf.for %{{[a-z0-9]+}} = %[[OWN]] to %[[END]] step
// CHECK-NOT: attn_gpu.discard
!t = memref<2x3x1024x128xf16>
func.func @window(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, left = 100, right = 20> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// The ends of 128 rows are hardly ever a block of 128 keys apart.
// CHECK-LABEL: func.func @wide_blocks(
// CHECK: %[[PART:.+]] = attn_gpu.part_offset
// CHECK-NOT: attn_gpu.discard
// CHECK: scf.for %{{[a-z0-9]+}} = %c0 to %{{.+}} step %c128 iter_args(
// CHECK: arith.addi %{{.+}}, %[[PART]] : index
// CHECK-NOT: attn_gpu.discard
!t = memref<2x3x1024x128xf16>
func.func @wide_blocks(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, causal> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 128, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// Those of 192 are.
// CHECK-LABEL: func.func @three_parts(
// CHECK: attn_gpu.part_offset
// CHECK-COUNT-2: attn_gpu.discard %{{.+}} : tensor<128x64xf16>
// CHECK-NOT: attn_gpu.discard
!t = memref<2x3x1024x64xf16>
func.func @three_parts(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, causal> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 192, tile_kv = 128, warps = 12, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// One warpgroup has all rows.
// CHECK-LABEL: func.func @one_part(
// CHECK-NOT: attn_tile.{{part_offset|discard}}
!t = memref<2x3x1024x64xf16>
func.func @one_part(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, causal> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// Other classes of access, and the host, have the first keys first.
// CHECK-DAG: #[[$DIAGONAL:.+]] = affine_map<(d0, d1) -> (d0 - d1)>
// CHECK-LABEL: func.func @other_access(
// CHECK: scf.forall (%{{.+}}, %{{.+}}, %[[I:.+]]) = (0, 0, 0) to
// CHECK-NOT: attn_tile.{{part_offset|discard}}
// CHECK: scf.for %[[J:[a-z0-9]+]] = %c0 to
// CHECK-NEXT: attn_tile.load %{{.+}}[%c0, %c0, %[[J]], %c0]
// CHECK: %[[OF_TILE:.+]] = affine.apply #[[$DIAGONAL]](%[[I]], %[[J]])
// CHECK-NEXT: arith.cmpi slt, %[[OF_TILE]],
// CHECK-NOT: attn_tile.{{part_offset|discard}}
// CHECK-LABEL: func.func @host(
// CHECK-NOT: attn_tile.{{part_offset|discard}}
// CHECK: scf.for %[[J:[a-z0-9]+]] = %c0 to
// CHECK-NEXT: attn_tile.load %{{.+}}[%c0, %c0, %[[J]], %c0]
// CHECK-NOT: attn_tile.{{part_offset|discard}}
!t = memref<2x3x1024x128xf16>
func.func @other_access(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, causal> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async>}
  return
}
func.func @host(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention mask <top_left, causal> ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
      {schedule = #attn.tiles<q = 128, kv = 64>}
  return
}
