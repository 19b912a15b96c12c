// RUN: attn-opt %s | attn-opt --verify-roundtrip | FileCheck %s

// Products and copies that run beside other work.

!ring = !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
!other = !attn_gpu.ring<2, tensor<64x64xbf16, #attn_gpu.swizzled>>
!tile = tensor<128x64xf16, #attn_gpu.swizzled>
!padded = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
!row = !attn_gpu.ring<2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<64x64xf16>, %[[K:[^:]+]]: tensor<32x64xf16>, %[[V:[^:]+]]: tensor<64x32xf16>, %[[ZERO:[^:]+]]: tensor<64x32xf32>
func.func @product(%q: tensor<64x64xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>, %zero: tensor<64x32xf32>) {
  // CHECK: %[[A:.+]] = attn_gpu.mma %[[Q]], %[[K]], %[[ZERO]] transpose_rhs : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32>
  %0 = attn_gpu.mma %q, %k, %zero transpose_rhs
      : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32>
  // CHECK: %[[B:.+]] = attn_gpu.mma %[[Q]], %[[V]], %[[ZERO]] : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
  %1 = attn_gpu.mma %q, %v, %zero
      : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>
  // CHECK: attn_gpu.mma_wait 1, %[[A]] : tensor<64x32xf32>
  %2 = attn_gpu.mma_wait 1, %0 : tensor<64x32xf32>
  // CHECK: attn_gpu.mma_wait 0, %[[B]] : tensor<64x32xf32>
  %3 = attn_gpu.mma_wait 0, %1 : tensor<64x32xf32>
  return
}

// CHECK-LABEL: func.func @ring(
// CHECK-SAME: %[[I:[^:]+]]: i32, %[[MAP:[^:]+]]: !attn_nv.tensor_map, %[[OTHER:[^:]+]]: !attn_nv.tensor_map
func.func @ring(%i: i32, %map: !attn_nv.tensor_map, %other: !attn_nv.tensor_map) -> !tile {
  // CHECK: %[[RING:.+]] = attn_gpu.ring at 0 barriers 32768 : <2, tensor<128x64xf16, #attn_gpu.swizzled>>
  %0 = attn_gpu.ring at 0 barriers 32768 : !ring
  // CHECK: attn_gpu.ring at 32768 barriers 65536 each_warp : <
  %each = attn_gpu.ring at 32768 barriers 65536 each_warp : !ring
  // CHECK: attn_gpu.ring at 32768 barriers 65536 overlaid : <
  %overlaid = attn_gpu.ring at 32768 barriers 65536 overlaid : !ring
  // CHECK: attn_gpu.ring at 32768 barriers 65536 each_warp overlaid : <
  %both = attn_gpu.ring at 32768 barriers 65536 each_warp overlaid : !ring
  // CHECK: attn_gpu.ring at 32768 barriers 65536 each_warp unfenced follows : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
  %vectors = attn_gpu.ring at 32768 barriers 65536 each_warp unfenced follows
      : !attn_gpu.ring<2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
  // CHECK: attn_gpu.init_ring %[[RING]] readers 2 : <2, tensor<128x64xf16, #attn_gpu.swizzled>>
  attn_gpu.init_ring %0 readers 2 : !ring
  // CHECK: attn_gpu.init_ring %[[RING]] readers 2 writers 128 : <
  attn_gpu.init_ring %0 readers 2 writers 128 : !ring
  // CHECK: attn_gpu.fill %[[RING]][%[[I]]] from %[[MAP]][%[[I]], %[[I]], %[[I]], %[[I]]] : <
  attn_gpu.fill %0[%i] from %map[%i, %i, %i, %i] : !ring
  // CHECK: attn_gpu.prefetch %[[RING]] from %[[MAP]][%[[I]], %[[I]], %[[I]], %[[I]]] : <
  attn_gpu.prefetch %0 from %map[%i, %i, %i, %i] : !ring
  // CHECK: attn_gpu.fill %[[RING]] from %[[MAP]][%[[I]], %[[I]], %[[I]]] : <
  attn_gpu.fill %0 from %map[%i, %i, %i] : !ring
  // CHECK: attn_gpu.fill %[[RING]][%[[I]]] from %[[MAP]][%[[I]], %[[I]], %[[I]], %[[I]]] parts 2 : <
  attn_gpu.fill %0[%i] from %map[%i, %i, %i, %i] parts 2 : !ring
  // CHECK: attn_gpu.prefetch %[[RING]] from %[[MAP]][%[[I]], %[[I]], %[[I]], %[[I]]] parts 2 : <
  attn_gpu.prefetch %0 from %map[%i, %i, %i, %i] parts 2 : !ring
  // CHECK: attn_gpu.fill %[[RING]][%[[I]]] from %[[MAP]], %[[OTHER]][%[[I]], %[[I]], %[[I]], %[[I]]] parts 2 : <
  attn_gpu.fill %0[%i] from %map, %other[%i, %i, %i, %i] parts 2 : !ring
  // CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[RING]][%[[I]]] : <2, tensor<128x64xf16, #attn_gpu.swizzled>> -> tensor<128x64xf16, #attn_gpu.swizzled>
  %1, %n1 = attn_gpu.acquire %0[%i] : !ring -> !tile
  // CHECK: %{{.+}}, %[[NUMBER:.+]] = attn_gpu.acquire %[[RING]] : <2, tensor<128x64xf16, #attn_gpu.swizzled>> -> tensor<128x64xf16, #attn_gpu.swizzled>
  %2, %n2 = attn_gpu.acquire %0 : !ring -> !tile
  // CHECK: attn_gpu.release %[[RING]][%[[NUMBER]]] : <
  attn_gpu.release %0[%n2] : !ring
  // CHECK: attn_gpu.release %[[RING]][%[[I]]] : <
  attn_gpu.release %0[%i] : !ring
  // CHECK: attn_gpu.release %[[RING]][%[[I]]] each_warp : <
  attn_gpu.release %0[%i] each_warp : !ring
  return %1 : !tile
}

// Rings whose tiles threads copy: without barriers, all threads copy; with barriers, those of a
// role do. A tile is copied from one view, or in parts from one view each.
// CHECK-LABEL: func.func @by_threads(
// CHECK-SAME: %[[I:[^:]+]]: i32, %[[J:[^:]+]]: index, %[[K:[^:]+]]: memref<1x1x?x64xf16, {{.*}}>, %[[POOL:[^:]+]]: memref<?x32x64xf16>, %[[BIASES:[^:]+]]: memref<?x64xf32>, %[[LIST:[^:]+]]: memref<?xi32>
func.func @by_threads(%i: i32, %j: index, %k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                      %pool: memref<?x32x64xf16>, %biases: memref<?x64xf32>, %list: memref<?xi32>) {
  // CHECK: %[[PADDED:.+]] = attn_gpu.ring at 0 : <2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
  %0 = attn_gpu.ring at 0 : !padded
  // CHECK: %[[SWIZZLED:.+]] = attn_gpu.ring at 18432 each_warp : <2, tensor<128x64xf16, #attn_gpu.swizzled>>
  %1 = attn_gpu.ring at 18432 each_warp : !ring
  // CHECK: attn_gpu.ring at 18432 barriers 65536 unfenced : <
  %2 = attn_gpu.ring at 18432 barriers 65536 unfenced : !ring
  // CHECK: attn_gpu.ring at 18432 barriers 65536 each_warp overlaid unfenced : <
  %3 = attn_gpu.ring at 18432 barriers 65536 each_warp overlaid unfenced : !ring
  // CHECK: %[[ROWS:.+]] = attn_gpu.ring at 51200 : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
  %4 = attn_gpu.ring at 51200 : !row
  // CHECK: attn_gpu.fill %[[PADDED]] of %[[K]][%[[J]], %[[J]], %[[J]], %[[J]]] aligned : <2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>, memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
  attn_gpu.fill %0 of %k[%j, %j, %j, %j] aligned : !padded, memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
  // CHECK: attn_gpu.fill %[[PADDED]][%[[I]]] of %[[K]][%[[J]], %[[J]], %[[J]], %[[J]]] : <
  attn_gpu.fill %0[%i] of %k[%j, %j, %j, %j] : !padded, memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
  // CHECK: attn_gpu.fill %[[PADDED]] of %[[POOL]], %[[POOL]][%[[J]], %[[J]], %[[J]], %[[J]], %[[J]], %[[J]]] parts 2 aligned : {{.*}}, memref<?x32x64xf16>, memref<?x32x64xf16>
  attn_gpu.fill %0 of %pool, %pool[%j, %j, %j, %j, %j, %j] parts 2 aligned : !padded, memref<?x32x64xf16>, memref<?x32x64xf16>
  // CHECK: attn_gpu.fill %[[SWIZZLED]][%[[I]]] of %[[POOL]][%[[J]], %[[J]], %[[J]]] aligned : <
  attn_gpu.fill %1[%i] of %pool[%j, %j, %j] aligned : !ring, memref<?x32x64xf16>
  // CHECK: attn_gpu.fill %[[SWIZZLED]][%[[I]]] of %[[POOL]][%[[J]], %[[J]], %[[J]]] aligned by 128 after 256 : <
  attn_gpu.fill %1[%i] of %pool[%j, %j, %j] aligned by 128 after 256 : !ring, memref<?x32x64xf16>
  // CHECK: attn_gpu.fill %[[SWIZZLED]] of %[[POOL]][%[[J]], %[[J]], %[[J]]] by 128 after 0 : <
  attn_gpu.fill %1 of %pool[%j, %j, %j] by 128 after 0 : !ring, memref<?x32x64xf16>
  // CHECK: attn_gpu.fill %[[ROWS]] of %[[BIASES]][%[[J]], %[[J]]] aligned : <
  attn_gpu.fill %4 of %biases[%j, %j] aligned : !row, memref<?x64xf32>
  // CHECK: attn_gpu.fill %[[SWIZZLED]][%[[I]]] of %[[POOL]][%[[J]], %[[J]], %[[J]]] rows %[[LIST]][%[[J]]] aligned by 128 after 256 : {{.*}}, memref<?x32x64xf16>, memref<?xi32>
  attn_gpu.fill %1[%i] of %pool[%j, %j, %j] rows %list[%j] aligned by 128 after 256 : !ring, memref<?x32x64xf16>, memref<?xi32>
  return
}

// CHECK-LABEL: func.func @scheduler(
// CHECK-SAME: %[[I:[^:]+]]: i32
func.func @scheduler(%i: i32) -> i32 {
  // CHECK: attn_gpu.init_scheduler at 4096 readers 256
  attn_gpu.init_scheduler at 4096 readers 256
  // CHECK: attn_gpu.publish_tile %[[I]], %[[I]] at 4096
  attn_gpu.publish_tile %i, %i at 4096
  // CHECK: attn_gpu.next_tile %[[I]] at 4096
  %0 = attn_gpu.next_tile %i at 4096
  return %0 : i32
}

// CHECK-LABEL: func.func @stores(
// CHECK-SAME: %[[T:[^:]+]]: tensor<128x64xf16, #attn_gpu.mma<warps = 8>>, %[[I:[^:]+]]: i32, %[[MAP:[^:]+]]: !attn_nv.tensor_map
func.func @stores(%t: tensor<128x64xf16, #attn_gpu.mma<warps = 8>>, %i: i32, %map: !attn_nv.tensor_map) {
  // CHECK: attn_gpu.store_async %[[T]] to %[[MAP]][%[[I]], %[[I]], %[[I]]] through 1024 : tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
  attn_gpu.store_async %t to %map[%i, %i, %i] through 1024 : tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
  // CHECK: attn_gpu.store_async %[[T]] to %[[MAP]][%[[I]], %[[I]], %[[I]]] through 0 wait :
  attn_gpu.store_async %t to %map[%i, %i, %i] through 0 wait : tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
  // CHECK: attn_gpu.finish_stores{{$}}
  attn_gpu.finish_stores
  return
}

// CHECK-LABEL: func.func @ping_pong(
func.func @ping_pong() {
  // CHECK: attn_gpu.ping_pong_arrive of 3 initial
  attn_gpu.ping_pong_arrive of 3 initial
  // CHECK: attn_gpu.ping_pong_wait of 3
  attn_gpu.ping_pong_wait of 3
  // CHECK: attn_gpu.ping_pong_arrive of 3{{$}}
  attn_gpu.ping_pong_arrive of 3
  return
}

// CHECK-LABEL: func.func @skips(
// CHECK-SAME: %[[N:[^:]+]]: index)
func.func @skips(%n: index) {
  %0 = attn_gpu.ring at 0 barriers 65536 : !ring
  %1 = attn_gpu.ring at 32768 barriers 65568 : !other
  // CHECK: attn_gpu.skip %[[N]] of %[[A:[^,]+]], %[[B:[^ ]+]] : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>, !attn_gpu.ring<2, tensor<64x64xbf16, #attn_gpu.swizzled>>{{$}}
  attn_gpu.skip %n of %0, %1 : !ring, !other
  // CHECK: attn_gpu.skip %[[N]] of %[[B]] ping_pong of 3 : !attn_gpu.ring<2, tensor<64x64xbf16, #attn_gpu.swizzled>>
  attn_gpu.skip %n of %1 ping_pong of 3 : !other
  // CHECK: attn_gpu.sync_warpgroup{{$}}
  attn_gpu.sync_warpgroup
  return
}

// CHECK-LABEL: func.func @put(
// CHECK-SAME: %[[RING:[^:]+]]: !attn_gpu.ring<2, {{.+}}>, %[[ROWS:[^:]+]]: !attn_gpu.ring<2, {{.+}}>, %[[T:[^:]+]]: tensor<64x64xbf16, #attn_gpu.mma<warps = 4>>, %[[V:[^:]+]]: tensor<64xf32, {{.+}}>)
func.func @put(%ring: !other, %rows: !row, %t: tensor<64x64xbf16, #attn_gpu.mma<warps = 4>>,
               %v: tensor<64xf32, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 4>>>) {
  // CHECK: attn_gpu.put %[[T]] to %[[RING]] meets : tensor<64x64xbf16, #attn_gpu.mma<warps = 4>>, <2, tensor<64x64xbf16, #attn_gpu.swizzled>>
  attn_gpu.put %t to %ring meets : tensor<64x64xbf16, #attn_gpu.mma<warps = 4>>, !other
  // CHECK: attn_gpu.put %[[V]] to %[[ROWS]] : tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>, <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
  attn_gpu.put %v to %rows : tensor<64xf32, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 4>>>, !row
  // CHECK: attn_gpu.columns %[[T]] from 32 : tensor<64x64xbf16, #attn_gpu.mma<warps = 4>> -> tensor<64x32xbf16, #attn_gpu.mma<warps = 4>>
  %0 = attn_gpu.columns %t from 32 : tensor<64x64xbf16, #attn_gpu.mma<warps = 4>> -> tensor<64x32xbf16, #attn_gpu.mma<warps = 4>>
  return
}
