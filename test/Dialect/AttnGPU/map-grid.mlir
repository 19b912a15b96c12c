// RUN: attn-opt %s -split-input-file -allow-unregistered-dialect -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-map-grid | FileCheck %s --implicit-check-not=attn_tile.grid

// A block for each of 2 * 3 * 4 tiles, the last one first.
// CHECK-LABEL: func.func @single(
// CHECK-NOT: attn_nv.sm_count
// CHECK: attn_gpu.launch @single_tma blocks %{{.+}}
// CHECK: attn_gpu.kernel @single_tma() target <chip = "sm_90a"> schedule <tile_q = 128, {{.*}}> threads 256 {
// CHECK-DAG: %[[SIZE:.+]] = gpu.grid_dim x
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-NOT: scf.for
// CHECK: attn_gpu.begin
// CHECK: %[[LAST:.+]] = arith.subi %[[SIZE]],
// CHECK-NEXT: arith.subi %[[LAST]], %[[BLOCK]]
// CHECK: "test.tile"(
// CHECK-NOT: scf.for
func.func @single() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %c3, %c512) step [1, 1, 128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}

// -----

// A block for each multiprocessor, if there are more tiles, with every so many-th
// tile, the last one first. Each block divides by multiplications.
// CHECK-LABEL: func.func @loop(
// CHECK-DAG: %[[TILES:.+]] = arith.constant 24 : index
// CHECK-DAG: %[[COUNT:.+]] = attn_nv.sm_count
// CHECK: %[[BLOCKS:.+]] = arith.minui %[[TILES]], %[[COUNT]]
// CHECK-NOT: attn_nv.work_counters
// CHECK: attn_gpu.launch @loop_tma blocks %[[BLOCKS]]
// CHECK-NOT: attn_gpu.launch
// CHECK: attn_gpu.kernel @loop_tma(
// CHECK-SAME: threads 256 {
// CHECK: %[[TILES:.+]] = arith.constant 24 : index
// CHECK: attn_gpu.for_tiles %[[I:.+]] of %[[TILES]] {
// CHECK: %[[LAST:.+]] = arith.subi %[[TILES]],
// CHECK-NEXT: arith.subi %[[LAST]], %[[I]]
// CHECK-NOT: arith.{{div|rem}}
// CHECK: "test.tile"(
// CHECK-NOT: "test.tile"(
func.func @loop() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %c3, %c512) step [1, 1, 128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}

// -----

// The last rows of all heads come first, within sections of heads: the order is
// not simply reversed.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[HEADS:.+]]: index)
// CHECK: %[[COUNT:.+]] = attn_nv.sm_count
// CHECK: %[[BLOCKS:.+]] = arith.minui %{{.+}}, %[[COUNT]]
// CHECK: %[[COUNTERS:.+]] = attn_nv.work_counters
// CHECK: attn_gpu.launch @dynamic_tma blocks %[[BLOCKS]] args({{.*}}%[[COUNTERS]]
// CHECK: attn_gpu.kernel @dynamic_tma({{.*}}%[[COUNTERS:[^ :]+]]: !llvm.ptr<1>
// CHECK: attn_gpu.for_tiles %[[I:.+]] of %{{[^ ]+}} counters %[[COUNTERS]] {
// CHECK-NOT: arith.subi %{{.+}}, %[[I]]
// CHECK: arith.cmpi ult
// CHECK-NOT: arith.{{div|rem}}
// CHECK: "test.tile"(
func.func @dynamic(%heads: index) {
  %c2 = arith.constant 2 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %heads, %c512) step [1, 1, 128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}

// -----

// A section has as many heads as fit 32 MiB, counting the data that all rows of a head read, or add
// to, block by block: `position_bytes` for each position. It has at least enough heads to give each
// running CTA a program, but then at most one head for each 768 of the rows that these CTAs have,
// and at least one head. The last section also has the heads that are left.
// CHECK-LABEL: func.func @sections(
// CHECK-SAME: %[[HEADS_OF_BATCH:[a-z0-9]+]]: index, %[[BYTES:[a-z0-9]+]]: index, %[[LENGTH:[a-z0-9]+]]: index)
// CHECK: %[[ROWS:.+]] = arith.ceildivsi %[[LENGTH]],
// CHECK: %[[BLOCKS:.+]] = arith.minui
// CHECK: %[[HEADS:.+]] = arith.muli %[[HEADS_OF_BATCH]], %{{.+}} : index
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[ALL:.+]] = arith.muli %[[ROWS]], %{{.+}} : index
// CHECK-NEXT: %[[OF_HEAD:.+]] = arith.muli %[[ALL]], %[[BYTES]] : index
// CHECK-NEXT: %[[PADDED:.+]] = arith.maxui %[[OF_HEAD]], %[[ONE]] : index
// CHECK-NEXT: %[[PER_HEAD:.+]] = arith.constant 768 : index
// CHECK-NEXT: %[[ROWS_AT_A_TIME:.+]] = arith.muli %[[BLOCKS]], %{{.+}} : index
// CHECK-NEXT: %[[CACHED:.+]] = arith.constant 33554432 : index
// CHECK-NEXT: %[[BY_CACHE:.+]] = arith.divui %[[CACHED]], %[[PADDED]] : index
// CHECK-NEXT: %[[ANY_ROWS:.+]] = arith.maxui %[[ROWS]], %[[ONE]] : index
// CHECK-NEXT: %[[AT_A_TIME:.+]] = arith.divui %[[BLOCKS]], %[[ANY_ROWS]] : index
// CHECK-NEXT: %[[LARGER:.+]] = arith.maxui %[[BY_CACHE]], %[[AT_A_TIME]] : index
// CHECK-NEXT: %[[BY_BLOCKS:.+]] = arith.divui %[[ROWS_AT_A_TIME]], %[[PER_HEAD]] : index
// CHECK-NEXT: %[[SMALLER:.+]] = arith.minui %[[LARGER]], %[[BY_BLOCKS]] : index
// CHECK-NEXT: %[[LEAST:.+]] = arith.maxui %[[SMALLER]], %[[ONE]] : index
// CHECK-NEXT: %[[FITTING:.+]] = arith.divui %[[HEADS]], %[[LEAST]] : index
// CHECK-NEXT: %[[SECTIONS:.+]] = arith.maxui %[[FITTING]], %[[ONE]] : index
// CHECK-NEXT: %[[EQUAL:.+]] = arith.divui %[[HEADS]], %[[SECTIONS]] : index
// CHECK-NEXT: %[[SIZE:.+]] = arith.maxui %[[EQUAL]], %[[ONE]] : index
// CHECK-NEXT: %[[WHOLE:.+]] = arith.subi %[[SECTIONS]], %[[ONE]] : index
// CHECK: %[[BEFORE:.+]] = arith.muli %[[WHOLE]], %[[SIZE]]
// CHECK: %[[REST:.+]] = arith.subi %[[HEADS]], %[[BEFORE]]
// CHECK: %[[LAST:.+]] = arith.maxui %[[REST]], %[[ONE]] : index
// CHECK: %[[TILES:.+]] = arith.muli %[[SIZE]], %[[ROWS]]
// CHECK: attn_gpu.launch @sections_tma blocks %[[BLOCKS]] args(
// CHECK-DAG: %[[WHOLE]]
// CHECK-DAG: %[[SIZE]]
// CHECK-DAG: %[[LAST]]
// CHECK: attn_gpu.kernel @sections_tma(
// CHECK: %[[SECTION:.+]] = arith.minui %{{.+}}, %[[WHOLE:[a-z0-9]+]] : index
// CHECK: %[[IS_WHOLE:.+]] = arith.cmpi ult, %[[SECTION]], %[[WHOLE]]
// CHECK: arith.select %[[IS_WHOLE]], %{{.+}}, %{{.+}} : index
func.func @sections(%heads: index, %bytes: index, %length: index) {
  %c2 = arith.constant 2 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %heads, %length) step [1, 1, 128] position_bytes %bytes
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}

// 131072 rows of 256 bytes are 32 MiB: one head.
// CHECK-LABEL: func.func @long_sections(
// CHECK: %[[AT_A_TIME:.+]] = arith.divui %{{.+}}, %c1024{{.*}} : index
// CHECK-NEXT: %[[LARGER:.+]] = arith.maxui %[[AT_A_TIME]], %c1_{{[0-9]+}} : index
// CHECK-NEXT: %[[BY_BLOCKS:.+]] = arith.divui
// CHECK-NEXT: arith.minui %[[LARGER]], %[[BY_BLOCKS]] : index
// CHECK: attn_gpu.kernel
// CHECK: attn_gpu.for_tiles
func.func @long_sections() {
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %c256 = arith.constant 256 : index
  %c131072 = arith.constant 131072 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %c12, %c131072) step [1, 1, 128] position_bytes %c256
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}

// -----

// A kernel's name tells launches of a function apart.
// CHECK-LABEL: func.func @several(
// CHECK: attn_gpu.launch @several_tma blocks
// CHECK: attn_gpu.launch @several_tma_1 blocks
// CHECK: attn_gpu.launch @several_async16 blocks
// CHECK: attn_gpu.kernel @several_tma()
// CHECK: attn_gpu.kernel @several_tma_1()
// CHECK: attn_gpu.kernel @several_async16()
func.func @several() {
  %c512 = arith.constant 512 : index
  attn_tile.grid (%q) to (%c512) step [128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> {
    "test.tile"(%q) : (index) -> ()
  }
  attn_tile.grid (%q) to (%c512) step [128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> {
    "test.tile"(%q) : (index) -> ()
  }
  attn_tile.grid (%q) to (%c512) step [64]
      schedule #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> {
    "test.tile"(%q) : (index) -> ()
  }
  return
}

// -----

// Grids for other targets stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: attn_gpu.launch
// CHECK: attn_tile.grid {{.*}} schedule #attn.tiles<q = 64, kv = 64> {
// CHECK: attn_tile.grid {{.*}} schedule "other" {
// CHECK-NOT: attn_gpu.launch
func.func @others(%n: index) {
  attn_tile.grid (%q) to (%n) step [64] schedule #attn.tiles<q = 64, kv = 64> {
    "test.tile"(%q) : (index) -> ()
  }
  attn_tile.grid (%q) to (%n) step [64] schedule "other" {
    "test.tile"(%q) : (index) -> ()
  }
  return
}

// -----

// The points that a block's number stands for, of 32 bits, and the reasons, which the kernel is
// inspected for.
// CHECK-LABEL: func.func @points(
// CHECK-SAME: %[[N:[^:]+]]: index)
// CHECK-DAG: %[[STEP:.+]] = arith.constant 96 : index
// CHECK-DAG: %[[ROWS:.+]] = arith.ceildivsi %[[N]], %[[STEP]]
// CHECK: attn_gpu.launch @points_narrow blocks %{{.+}} args(%[[ROWS]])
// CHECK: attn_gpu.kernel @points_narrow(%[[ROWS:[^:]+]]: index) {{.*}} reasons ["because"] {
// CHECK-DAG: %[[NUMBER:.+]] = arith.index_castui %{{.+}} : index to i32
// CHECK-DAG: %[[COUNT:.+]] = arith.index_castui %[[ROWS]] : index to i32
// CHECK-DAG: %[[TILE:.+]] = arith.remui %[[NUMBER]], %[[COUNT]] : i32
// CHECK-DAG: %[[QUOTIENT:.+]] = arith.divui %[[NUMBER]], %[[COUNT]] : i32
// CHECK-DAG: %[[HEAD:.+]] = arith.index_castui %[[QUOTIENT]]
// CHECK-DAG: %[[BLOCK:.+]] = arith.index_castui %[[TILE]]
// CHECK-DAG: %[[ROW:.+]] = arith.muli %[[BLOCK]], %{{.+}}
// CHECK: "test.tile"(%[[HEAD]], %[[ROW]])
func.func @points(%n: index) {
  attn_tile.grid (%h, %q) to (%n, %n) step [1, 96]
      schedule #attn_gpu.schedule<tile_q = 96, tile_kv = 64, warps = 2, mma = mma_sync, copy = element> {
    "test.tile"(%h, %q) : (index, index) -> ()
  } {attn.reasons = ["because"]}
  return
}

// -----

// A division by a constant is LLVM's to lower.
// CHECK-LABEL: func.func @constant_points(
// CHECK: attn_gpu.kernel @constant_points_narrow(
// CHECK-NOT: arith.index_castui
// CHECK: arith.remui %{{.+}}, %{{.+}} : index
func.func @constant_points() {
  %heads = arith.constant 6 : index
  %n = arith.constant 1000 : index
  attn_tile.grid (%h, %q) to (%heads, %n) step [1, 96]
      schedule #attn_gpu.schedule<tile_q = 96, tile_kv = 64, warps = 2, mma = mma_sync, copy = element> {
    "test.tile"(%h, %q) : (index, index) -> ()
  }
  return
}

// -----

// Grids of other ranks than attention's: the last dimension is that of rows.
// CHECK-LABEL: func.func @line(
// CHECK: attn_gpu.kernel @line_tma(
// CHECK: attn_gpu.for_tiles
// CHECK: "test.tile"(
func.func @line(%n: index) {
  attn_tile.grid (%q) to (%n) step [128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%q) : (index) -> ()
  }
  return
}

// -----

// If the first programs take longest, for example those of keys that all later rows see, a section
// begins with them.
// CHECK-LABEL: func.func @keys_see_later_rows(
// CHECK: attn_gpu.for_tiles
// CHECK: %[[WHOLE:.+]] = arith.cmpi ult
// CHECK: %[[ROW:.+]] = arith.index_cast %{{.+}} : i64 to index
// CHECK: %[[HEAD:.+]] = arith.addi
// CHECK-NOT: arith.subi
// CHECK: arith.addi %{{.+}}, %[[ROW]]
// CHECK: "test.tile"(
func.func @keys_see_later_rows() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %k) to (%c2, %c3, %c512) step [1, 1, 128] longest first
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%b, %h, %k) : (index, index, index) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @rows_see_earlier_keys(
// CHECK: attn_gpu.for_tiles
// CHECK: %[[WHOLE:.+]] = arith.cmpi ult
// CHECK: %[[ROW:.+]] = arith.index_cast %{{.+}} : i64 to index
// CHECK: %[[REVERSED:.+]] = arith.subi %{{.+}}, %[[ROW]]
// CHECK: arith.addi %{{.+}}, %[[REVERSED]]
// CHECK: "test.tile"(
func.func @rows_see_earlier_keys() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %k) to (%c2, %c3, %c512) step [1, 1, 128] longest last
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%b, %h, %k) : (index, index, index) -> ()
  }
  return
}

// -----

// Batch entries read the same tiles of a row, as of a bias: they are neighbors, and what lies
// between is the head. Tiles are still dealt out one by one.
// CHECK-LABEL: func.func @shared(
// CHECK-NOT: attn_nv.work_counters
// CHECK: attn_gpu.for_tiles %{{.+}} of %{{[^ ]+}} {
// CHECK-NOT: 6148914691236517206
// CHECK: "test.tile"(

// Those of each batch entry: heads are neighbors.
// CHECK-LABEL: func.func @own(
// CHECK: 6148914691236517206
// CHECK: "test.tile"(
func.func @shared() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %c3, %c512) step [1, 1, 128] shared [0]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}
func.func @own() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %q) to (%c2, %c3, %c512) step [1, 1, 128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent> {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  }
  return
}

// -----

// CTAs begin in the order of their numbers: those with the longest programs come first here,
// too. Where all are of one length, neighbors read the same keys.
// CHECK-LABEL: func.func @ctas_of_different_length(
// CHECK: attn_nv.sm_count
// CHECK: attn_gpu.kernel @ctas_of_different_length_async16(
// CHECK-NOT: attn_gpu.for_tiles
// CHECK: arith.cmpi ult
// CHECK: %[[ROW:.+]] = arith.index_cast %{{.+}} : i64 to index
// CHECK: arith.addi
// CHECK-NOT: arith.subi
// CHECK: arith.addi %{{.+}}, %[[ROW]]
// CHECK: "test.tile"(
// CHECK-LABEL: func.func @ctas_of_one_length(
// CHECK-NOT: attn_nv.sm_count
// CHECK: attn_gpu.kernel @ctas_of_one_length_async16(
// CHECK: %[[BLOCK:.+]] = gpu.block_id x
// CHECK: arith.subi %{{.+}}, %[[BLOCK]]
// CHECK: "test.tile"(
func.func @ctas_of_different_length() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %k) to (%c2, %c3, %c512) step [1, 1, 128] longest first
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async> {
    "test.tile"(%b, %h, %k) : (index, index, index) -> ()
  }
  return
}
func.func @ctas_of_one_length() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c512 = arith.constant 512 : index
  attn_tile.grid (%b, %h, %k) to (%c2, %c3, %c512) step [1, 1, 128]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async> {
    "test.tile"(%b, %h, %k) : (index, index, index) -> ()
  }
  return
}

// -----

// The limit is read when the kernel runs: it bounds the loop over tiles, whose last rows come first.
// CHECK-LABEL: func.func @limited(
// CHECK: attn_gpu.launch @limited_tma blocks
// CHECK: attn_gpu.kernel @limited_tma(
// CHECK: %[[USED:.+]] = memref.load %{{.+}} : memref<1xi32>
// CHECK-NEXT: %[[INDEX:.+]] = arith.index_cast %[[USED]] : i32 to index
// CHECK-NEXT: %[[ROWS:.+]] = arith.minui %[[INDEX]], %[[MOST:[a-z0-9_]+]] : index
// CHECK-NEXT: %[[COUNT:.+]] = arith.muli %[[ROWS]], %[[HEADS:[a-z0-9_]+]] : index
// CHECK-NEXT: attn_gpu.for_tiles %[[I:.+]] of %[[COUNT]]
// CHECK: %[[OF_HEADS:.+]] = arith.muli %[[ROW:.+]], %[[HEADS]] : index
// CHECK-NEXT: %[[HEAD:.+]] = arith.subi %[[I]], %[[OF_HEADS]] : index
// CHECK: %[[LAST:.+]] = arith.subi %[[ROWS]], %{{.+}} : index
// CHECK-NEXT: %[[FROM_LAST:.+]] = arith.subi %[[LAST]], %[[ROW]] : index
// CHECK-NEXT: %[[FIRST:.+]] = arith.muli %[[HEAD]], %[[MOST]] : index
// CHECK-NEXT: arith.addi %[[FIRST]], %[[FROM_LAST]] : index
// CHECK: "test.tile"(
func.func @limited(%used: memref<1xi32>, %heads: index, %length: index) {
  attn_tile.grid (%h, %q) to (%heads, %length) step [1, 128] limit %used : memref<1xi32>
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic> {
    "test.tile"(%h, %q) : (index, index) -> ()
  }
  return
}

// -----

// A CTA for each program has no loop to bound: programs past the limit do nothing.
// CHECK-LABEL: func.func @unlimited(
// CHECK: attn_gpu.kernel @unlimited_tma(
// CHECK-NOT: memref.load
// CHECK: "test.tile"(
func.func @unlimited(%used: memref<1xi32>, %heads: index, %length: index) {
  attn_tile.grid (%h, %q) to (%heads, %length) step [1, 128] limit %used : memref<1xi32>
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> {
    "test.tile"(%h, %q) : (index, index) -> ()
  }
  return
}

// -----

// A kernel says which arrays are workspace. Memory that the caller's function allocates itself is
// none, though it is as dense, since its function may use it in another way.
// CHECK-LABEL: func.func @memory(
// CHECK-DAG: %[[OWN:.+]] = memref.alloc(%[[N:.+]]) : memref<?x64xf32>
// CHECK-DAG: %[[OTHER:.+]] = memref.alloc(%[[N]]) : memref<?x64xf32>
// CHECK: attn_gpu.launch @memory_tma blocks %{{.+}} args(%[[OWN]], %[[N]], %[[OTHER]])
// CHECK: attn_gpu.kernel @memory_tma(%[[A:.+]]: memref<?x64xf32>, %[[SIZE:.+]]: index, %[[B:.+]]: memref<?x64xf32>)
// CHECK-DAG: attn_gpu.array %[[A]] sizes(%[[SIZE]]) workspace : memref<?x64xf32>
// CHECK-DAG: attn_gpu.array %[[B]] sizes(%[[SIZE]]) : memref<?x64xf32>
// CHECK-NOT: attn_tile.workspace
func.func @memory(%n: index) {
  %c128 = arith.constant 128 : index
  %own = attn_tile.workspace(%n) : memref<?x64xf32>
  %other = memref.alloc(%n) : memref<?x64xf32>
  attn_tile.grid (%i) to (%c128) step [64]
      schedule #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma> {
    "test.tile"(%own, %other) : (memref<?x64xf32>, memref<?x64xf32>) -> ()
  }
  memref.dealloc %other : memref<?x64xf32>
  return
}
