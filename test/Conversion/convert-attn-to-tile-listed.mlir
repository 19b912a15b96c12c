// RUN: attn-opt %s -convert-attn-to-tile -canonicalize -cse | FileCheck %s

// If pages have one key, the table of pages is a list of the rows that hold keys, from which copies
// take the rows of a tile. A key whose entry names no row of the pool is masked.

!q = memref<2x4x32x64xf16>
!pool = memref<9x2x1x64xf16>
!table = memref<2x80xi32>

// CHECK-LABEL: func.func @listed(
// CHECK-SAME: %[[Q:[^:]+]]: memref<2x4x32x64xf16>, %[[POOL:[^:]+]]: memref<9x2x1x64xf16>, %[[TABLE:[^:]+]]: memref<2x80xi32>
// CHECK: %[[ROWS:.+]] = memref.transpose %[[POOL]] (d0, d1, d2, d3) -> (d2, d1, d0, d3)
// CHECK: attn_tile.grid (%[[B:[^,]+]], 
// CHECK: %[[LIST:.+]] = memref.subview %[[TABLE]][%[[B]], 0] [1, 80] [1, 1]
// CHECK: attn_tile.for_blocks (%[[J:[^,]+]], %{{.+}})
// CHECK-NOT: attn_tile.gather
// CHECK: attn_tile.load %[[ROWS]][%c0, %[[HEAD:.+]], %c0, %c0] rows %[[LIST]][%[[J]]] : {{.*}} -> tensor<16x64xf16>
// CHECK: %[[ENTRIES:.+]] = attn_tile.load %[[LIST]][%[[J]]] beside : {{.*}} -> tensor<16xi32>
// CHECK: %[[IS_ROW:.+]] = arith.cmpi ult, %[[ENTRIES]], %{{.+}} : tensor<16xi32>
// CHECK: %[[ARE_ROWS:.+]] = attn_tile.broadcast %[[IS_ROW]] along 0
// CHECK: arith.select %[[ARE_ROWS]],
// CHECK-NOT: attn_tile.gather
// CHECK: return
func.func @listed(%q: !q, %k: !pool, %t: !table) {
  attn.attention ins(%q, %k, %k : !q, !pool, !pool) pages(%t : !table) outs(%q : !q)
      {schedule = #attn.tiles<q = 32, kv = 16>}
  return
}

// TMA takes no rows from a list, and a tile whose columns are keys has none: threads gather them.
// CHECK-LABEL: func.func @gathered(
// CHECK-NOT: ] rows %
// CHECK: attn_tile.gather %{{.+}} : (memref<9x2x1x64xf16>,
// CHECK-NOT: ] rows %
func.func @gathered(%q: !q, %k: !pool, %t: !table) {
  attn.attention ins(%q, %k, %k : !q, !pool, !pool) pages(%t : !table) outs(%q : !q)
      {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma>}
  return
}

// Values that are columns of the key are columns of the listed tile.
// CHECK-LABEL: func.func @within(
// CHECK: ] rows %
// CHECK: tensor.extract_slice %{{.+}}[0, 0] [16, 64]
// CHECK-NOT: ] rows %
// CHECK: return
func.func @within(%q: memref<2x4x1x96xf16>, %k: memref<9x1x1x96xf16>, %t: !table, %o: memref<2x4x1x64xf16>) {
  attn.attention ins(%q, %k : memref<2x4x1x96xf16>, memref<9x1x1x96xf16>) value_dims [0, 64]
      pages(%t : !table) outs(%o : memref<2x4x1x64xf16>) {schedule = #attn.tiles<q = 16, kv = 16>}
  return
}
