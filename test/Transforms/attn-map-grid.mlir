// RUN: attn-opt %s -split-input-file -allow-unregistered-dialect -attn-map-grid | FileCheck %s --implicit-check-not=scf.forall

// A block for each of 2 * 3 * 4 tiles, the last one first.
// CHECK-LABEL: func.func @single(
// CHECK-NOT: attn_nv.multiprocessors
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9_]+]], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) in (%[[SIZE:[a-z0-9_]+]] = {{.*}} module(@attn_kernels) function(@single_tma)
// CHECK-NOT: scf.for
// CHECK: %[[LAST:.+]] = arith.subi %[[SIZE]],
// CHECK-NEXT: arith.subi %[[LAST]], %[[BLOCK]]
// CHECK: "test.tile"(
// CHECK-NOT: scf.for
// CHECK: } {attn.schedule = #attn.schedule<
func.func @single() {
  scf.forall (%b, %h, %q) = (0, 0, 0) to (2, 3, 512) step (1, 1, 128) {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  } {attn.schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma>}
  return
}

// -----

// A block for each multiprocessor, if there are more tiles, with every so many-th
// tile, the last one first. Each block divides by multiplications.
// CHECK-LABEL: func.func @loop(
// CHECK-DAG: %[[TILES:.+]] = arith.constant 24 : index
// CHECK-DAG: %[[THREADS:.+]] = arith.constant 256 : index
// CHECK-DAG: %[[COUNT:.+]] = attn_nv.multiprocessors
// CHECK: %[[BLOCKS:.+]] = arith.minui %[[TILES]], %[[COUNT]]
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9_]+]], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) in (%[[SIZE:[a-z0-9_]+]] = %[[BLOCKS]], {{.*}} threads({{.*}}) in (%{{.+}} = %[[THREADS]],
// CHECK: scf.for %[[I:.+]] = %[[BLOCK]] to %[[TILES]] step %[[SIZE]] {
// CHECK: %[[LAST:.+]] = arith.subi %[[TILES]],
// CHECK-NEXT: arith.subi %[[LAST]], %[[I]]
// CHECK-NOT: arith.{{div|rem}}
// CHECK: "test.tile"(
// CHECK-NOT: "test.tile"(
// CHECK: gpu.terminator
// CHECK-NOT: gpu.launch
func.func @loop() {
  scf.forall (%b, %h, %q) = (0, 0, 0) to (2, 3, 512) step (1, 1, 128) {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  } {attn.schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, blocks = loop>}
  return
}

// -----

// The last rows of all heads come first, within sections of heads: the order is
// not simply reversed.
// CHECK-LABEL: func.func @queue(
// CHECK-SAME: %[[HEADS:.+]]: index)
// CHECK: %[[COUNT:.+]] = attn_nv.multiprocessors
// CHECK: arith.minui %{{.+}}, %[[COUNT]]
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9_]+]], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) in (%[[SIZE:[a-z0-9_]+]] =
// CHECK: scf.for %[[I:.+]] = %[[BLOCK]] to %{{.+}} step %[[SIZE]] {
// CHECK-NOT: arith.subi %{{.+}}, %[[I]]
// CHECK: arith.cmpi ult
// CHECK-NOT: arith.{{div|rem}}
// CHECK: "test.tile"(
// CHECK: gpu.terminator
func.func @queue(%heads: index) {
  scf.forall (%b, %h, %q) = (0, 0, 0) to (2, %heads, 512) step (1, 1, 128) {
    "test.tile"(%b, %h, %q) : (index, index, index) -> ()
  } {attn.schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, blocks = queue>}
  return
}

// -----

// A kernel's name tells launches of a function apart.
// CHECK-LABEL: func.func @several(
// CHECK: function(@several_tma)
// CHECK: function(@several_tma_1)
// CHECK: function(@several_async16)
func.func @several() {
  scf.forall (%q) = (0) to (512) step (128) {
    "test.tile"(%q) : (index) -> ()
  } {attn.schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma>}
  scf.forall (%q) = (0) to (512) step (128) {
    "test.tile"(%q) : (index) -> ()
  } {attn.schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma>}
  scf.forall (%q) = (0) to (512) step (64) {
    "test.tile"(%q) : (index) -> ()
  } {attn.schedule = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, access = async16>}
  return
}
