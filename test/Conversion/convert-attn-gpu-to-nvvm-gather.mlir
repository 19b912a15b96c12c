// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --implicit-check-not=attn_tile.

// A thread reads the elements of its registers, with indices clamped to the array. If the indices
// are scalars, one read serves all registers of a tile.

!index = tensor<64x16xindex, #attn_gpu.mma<warps = 4>>
!tile = tensor<64x16xf32, #attn_gpu.mma<warps = 4>>
!rows = tensor<64xindex, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
!ids = tensor<64xi32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>

// CHECK-LABEL: attn_gpu.kernel @gather(
// CHECK-SAME: %[[H:[^:]+]]: index, %[[T:[^:]+]]: memref<4x9xf32>, %[[D:[^:]+]]: memref<?xi32>,
// Eight registers, and eight places of them.
// CHECK-COUNT-8: vector.extract
// CHECK-COUNT-8: memref.load %[[T]][
// CHECK-NOT: memref.load %[[T]][
// An array that may be empty is not touched if it is.
// CHECK: %[[HAS:.+]] = arith.cmpi ne, %{{.+}}, %{{.+}} : index
// CHECK: scf.if %[[HAS]] -> (vector<2xi32>) {
// CHECK-COUNT-2: memref.load %[[D]][
// CHECK: } else {
// CHECK: scf.yield %{{.+}} : vector<2xi32>
// A scalar, and a tile of one.
// CHECK-COUNT-2: memref.load %[[T]][
// CHECK-NOT: memref.load %[[T]][
attn_gpu.kernel @gather(%h: index, %t: memref<4x9xf32>, %d: memref<?xi32>, %out: memref<64x16xf32>,
                  %ids: memref<64xi32>, %one: memref<1xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %column = attn_tile.coordinate along 1 : !index
  %0 = attn_tile.gather %t[%h, %column] : (memref<4x9xf32>, index, !index) -> !tile
  attn_tile.store %0, %out[%c0, %c0] : !tile, memref<64x16xf32>
  %row = attn_tile.coordinate along 0 : !rows
  %1 = attn_tile.gather %d[%row] : (memref<?xi32>, !rows) -> !ids
  attn_tile.store %1, %ids[%c0] : !ids, memref<64xi32>
  %2 = attn_tile.gather %t[%h, %c2] : (memref<4x9xf32>, index, index) -> f32
  memref.store %2, %one[%c0] : memref<1xf32>
  %3 = attn_tile.gather %t[%c2, %h] : (memref<4x9xf32>, index, index) -> !tile
  attn_tile.store %3, %out[%c0, %c0] : !tile, memref<64x16xf32>
}
