// RUN: attn-opt %s -split-input-file -attn-to-gpu="chip=sm_90a access=tma" \
// RUN:   | FileCheck %s --implicit-check-not=attn_tile.load --implicit-check-not=attn_gpu.for_tiles
// RUN: attn-opt %s -split-input-file -attn-to-gpu="chip=sm_90a access=tma" -verify-roundtrip -o /dev/null

// The kernels that the pipeline makes from attention for Hopper.

// Two warpgroups of consumers and one that copies. The query has one slot, which
// all threads read to their registers; keys and values have two, which a thread of
// each warpgroup releases.
// CHECK-LABEL: func.func @single(
// CHECK-SAME: %[[Q:[^:]+]]: memref<{{[^>]+}}>, %[[K:[^:]+]]: memref<{{[^>]+}}>, %[[V:[^:]+]]: memref<{{[^>]+}}>, %[[O:[^:]+]]: memref
// CHECK: attn_gpu.launch @single_tma blocks %{{.+}} args(
// CHECK-DAG: %[[Q]]
// CHECK-DAG: %[[K]]
// CHECK-DAG: %[[V]]
// CHECK-DAG: %[[O]]
// 128 x 128 and 4 times 64 x 128 elements, 128 x 128 of the output, 10 barriers.
// CHECK: attn_gpu.kernel @single_tma(%[[Q:[^:]+]]: memref<{{[^>]+}}>, %[[K:[^:]+]]: memref<{{[^>]+}}>, %[[V:[^:]+]]: memref<{{[^>]+}}>, %[[O:[^:]+]]: memref
// CHECK-SAME: threads 384 shared 131152
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[T:.+]] = gpu.thread_id x
// CHECK-DAG: %[[QMAP:.+]] = attn_nv.encode_tensor_map %[[Q]] box [1, 1, 128, 64]
// CHECK-DAG: %[[KMAP:.+]] = attn_nv.encode_tensor_map %[[K]] box [1, 1, 64, 64]
// CHECK-DAG: %[[VMAP:.+]] = attn_nv.encode_tensor_map %[[V]] box [1, 1, 64, 64]
// CHECK-DAG: %[[QUERY:.+]] = attn_gpu.ring at 0 barriers 131072 each_warp : <1, tensor<128x128xf16, #attn_gpu.swizzled>>
// CHECK-DAG: %[[KEYS:.+]] = attn_gpu.ring at 32768 barriers 131088 : <2, tensor<64x128xf16, #attn_gpu.swizzled>>
// CHECK-DAG: %[[VALUES:.+]] = attn_gpu.ring at 65536 barriers 131120 : <2, tensor<64x128xf16, #attn_gpu.swizzled>>
// CHECK: %[[THREAD:.+]] = arith.index_cast %[[T]]
// CHECK: %[[IS_FIRST:.+]] = arith.cmpi eq, %[[THREAD]], %[[ZERO]]
// CHECK: scf.if %[[IS_FIRST]]
// CHECK-DAG: attn_gpu.init_ring %[[QUERY]] readers 8
// CHECK-DAG: attn_gpu.init_ring %[[KEYS]] readers 2
// CHECK-DAG: attn_gpu.init_ring %[[VALUES]] readers 2
// CHECK-NOT: init_scheduler
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK: %[[OMAP:.+]] = attn_nv.encode_tensor_map %[[O]] box [1, 1, 64, 64]
// CHECK-NEXT: attn_gpu.begin
// CHECK-NEXT: attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
// CHECK-NOT: attn_gpu.fill
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[QUERY]][%[[ZERO]]]
// CHECK: %[[REGISTERS:.+]] = attn_gpu.convert_layout %[[TILE]]
// CHECK-NEXT: attn_gpu.release %[[QUERY]][%[[ZERO]]] each_warp
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]][%[[ZERO]]]
// CHECK: attn_gpu.mma %[[REGISTERS]], %[[TILE]],
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK-NEXT: attn_gpu.release %[[KEYS]][%[[ZERO]]] :
// CHECK: scf.for
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]][%[[I:.+]]] :
// CHECK: %[[SCORES:.+]] = attn_gpu.mma %[[REGISTERS]], %[[TILE]],
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[VALUES]][%[[J:.+]]] :
// CHECK: %[[PRODUCT:.+]] = attn_gpu.mma %{{.+}}, %[[TILE]],
// CHECK-NOT: attn_gpu.release
// CHECK: attn_gpu.mma_wait 1, %[[SCORES]]
// CHECK-NEXT: attn_gpu.release %[[KEYS]][%[[I]]] :
// CHECK-NOT: attn_gpu.release
// CHECK: attn_gpu.mma_wait 0, %[[PRODUCT]]
// CHECK-NEXT: attn_gpu.release %[[VALUES]][%[[J]]] :
// CHECK: scf.yield
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[VALUES]][
// CHECK: attn_gpu.mma %{{.+}}, %[[TILE]],
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK-NEXT: attn_gpu.release %[[VALUES]][
// CHECK-NOT: attn_tile.store %
// CHECK: attn_gpu.store_async %{{.+}} to %[[OMAP]][{{.*}}] through 98304 : tensor<128x128xf16
// CHECK-NEXT: attn_gpu.finish_stores
// CHECK-NEXT: }, {
// CHECK-NOT: {{attn_gpu.(acquire|release|mma|store_async)|attn_tile.(dot|store)}}
// CHECK: attn_gpu.fill %[[QUERY]][%[[ZERO]]] from %[[QMAP]][
// CHECK: attn_gpu.fill %[[KEYS]][%[[ZERO]]] from %[[KMAP]][
// CHECK: scf.for {{.*}} iter_args(%[[I:.+]] = %{{.+}}, %[[J:.+]] = %[[ZERO]])
// CHECK: attn_gpu.fill %[[KEYS]][%[[I]]] from %[[KMAP]][
// CHECK: attn_gpu.fill %[[VALUES]][%[[J]]] from %[[VMAP]][
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.yield
// CHECK: attn_gpu.fill %[[VALUES]][
// CHECK-NEXT: }
// CHECK-NEXT: }
!t = memref<2x3x1024x128xf16>
func.func @single(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}

// -----

// The producer takes a tile's number from a counter and tells the consumers; the
// last block sets the counters back.
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[COUNTERS:.+]] = attn_nv.work_counters
// CHECK: attn_gpu.launch @dynamic_tma blocks %{{.+}} args({{.*}}%[[COUNTERS]]
// CHECK: attn_gpu.kernel @dynamic_tma({{.*}}%[[COUNTERS:[^ :]+]]: !llvm.ptr<1>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.+]] = gpu.grid_dim x
// CHECK: %[[QUERY:.+]] = attn_gpu.ring at 0
// CHECK: attn_gpu.init_scheduler at [[BROADCAST:[0-9]+]] readers 256
// CHECK: ^bb0
// CHECK-NOT: {{attn_gpu.publish_tile|atomicrmw}}
// CHECK: scf.while (%{{.+}} = %{{.+}}, %{{.+}} = %[[ZERO]],
// CHECK: scf.condition
// CHECK: ^bb0(%{{[^:]+}}: i32, %[[I:[^:]+]]: i32,
// CHECK-NOT: {{attn_gpu.publish_tile|atomicrmw}}
// CHECK: attn_gpu.acquire %[[QUERY]]
// CHECK: attn_gpu.release %[[QUERY]][%{{.+}}] each_warp
// CHECK: attn_gpu.store_async
// CHECK: %[[POPPED:.+]] = attn_gpu.next_tile %[[I]] at [[BROADCAST]]
// CHECK: scf.yield %[[POPPED]],
// CHECK: attn_gpu.finish_stores
// CHECK-NEXT: }, {
// CHECK: %[[FIRST:.+]] = arith.index_cast %[[BLOCK]] : index to i32
// CHECK: scf.while (%{{.+}} = %[[FIRST]], %{{.+}} = %[[ZERO]],
// CHECK: scf.condition
// CHECK: ^bb0(%{{[^:]+}}: i32, %[[I:[^:]+]]: i32,
// CHECK-NOT: atomicrmw
// CHECK: attn_gpu.fill %[[QUERY]]
// CHECK-NOT: attn_gpu.next_tile
// CHECK: %[[TAKEN:.+]] = llvm.atomicrmw add %[[COUNTERS]],
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[TAKEN]],
// CHECK-NEXT: attn_gpu.publish_tile %[[NEXT]], %[[I]] at [[BROADCAST]]
// CHECK: %[[FINISHED:.+]] = llvm.getelementptr %[[COUNTERS]][1]
// CHECK: llvm.atomicrmw add %[[FINISHED]]
// CHECK: scf.if
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[COUNTERS]]
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[FINISHED]]
!t = memref<2x3x1024x128xf16>
func.func @dynamic(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {mask = #attn.mask<top_left, causal>, schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = dynamic>}
  return
}

// -----

// A block's loop over tiles carries the numbers of the tiles in the rings. With four
// warpgroups, registers are too few for the query: products read its slot.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: attn_nv.work_counters
// CHECK: attn_gpu.kernel @loop_tma(
// CHECK: attn_gpu.ring {{.*}} : <4,
// CHECK: attn_gpu.init_ring %[[QUERY:.+]] readers 4
// CHECK-NEXT: attn_gpu.init_ring %{{.+}} readers 4
// CHECK-NEXT: attn_gpu.init_ring %{{.+}} readers 4
// CHECK-NOT: attn_gpu.{{init_scheduler|publish_tile|next_tile}}
// CHECK: attn_gpu.roles warpgroups [4, 1]
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (i32, i32, i32)
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[QUERY]]
// CHECK: attn_gpu.mma %[[TILE]],
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK: scf.for
// CHECK: attn_gpu.mma %[[TILE]],
// CHECK: scf.yield
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: attn_gpu.release %[[QUERY]][%{{.+}}] :
// CHECK: attn_gpu.store_async
// CHECK: scf.yield %{{.+}}, %{{.+}}, %{{.+}} : i32, i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: attn_gpu.finish_stores
// CHECK-NEXT: }, {
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[Q:.+]] = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (i32, i32, i32)
// CHECK: attn_gpu.fill %[[QUERY]][%[[Q]]]
!t = memref<2x3x1024x64xbf16>
func.func @loop(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 256, tile_kv = 64, warps = 16, mma = wgmma, copy = tma, stages = 4, overlap = true, roles = producer_consumer, scheduler = persistent>}
  return
}

// -----

// Each warpgroup has its own end under a diagonal, from 64 times its number; the
// producer has that of all rows. What a consumer leaves out it acquires and releases, so
// that all of them count the same tiles.
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0) -> (1024, d0 + 128)>
// CHECK-DAG: #[[$FIRST_BLOCK:.+]] = affine_map<(d0) -> (1, 1024, d0 + 128)>
// CHECK-DAG: #[[$SKIPPED:.+]] = affine_map<(d0, d1) -> ((d0 - 1) floordiv 64 - (d1 - 1) floordiv 64)>
// CHECK-DAG: #[[$OWN:.+]] = affine_map<(d0, d1) -> (((d0 - 1) floordiv 64) * 64 - ((d1 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$PART_END:.+]] = affine_map<(d0, d1) -> (1024, d0 + 128, d0 + d1 + 64)>
// CHECK-LABEL: func.func @parts(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK: %[[QUERY:.+]] = attn_gpu.ring at 0 {{.*}} : <1,
// CHECK: %[[KEYS:.+]] = attn_gpu.ring
// CHECK: %[[VALUES:.+]] = attn_gpu.ring
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0(%[[NUMBER:.+]]: index):
// CHECK: attn_gpu.ping_pong_arrive of 2 initial
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[QUERY]][%[[Q:.+]]] :
// CHECK: %[[REGISTERS:.+]] = attn_gpu.convert_layout %[[TILE]]
// CHECK: attn_gpu.release %[[QUERY]][%[[Q]]] each_warp
// CHECK-NOT: attn_gpu.release
// CHECK-DAG: %[[ALL:.+]] = affine.min #[[$END]](%[[I:.+]])
// CHECK-DAG: %[[PART:.+]] = arith.muli %[[NUMBER]], %[[C64]]
// CHECK-DAG: %[[PART_END:.+]] = affine.min #[[$PART_END]](%[[I]], %[[PART]])
// CHECK-DAG: %[[FIRST_BLOCK:.+]] = affine.min #[[$FIRST_BLOCK]](%[[I]])
// CHECK: %[[OWN_END:.+]] = affine.max #{{.+}}(%[[PART_END]], %[[FIRST_BLOCK]])
// CHECK-NEXT: %[[SKIPPED:.+]] = affine.apply #[[$SKIPPED]](%[[ALL]], %[[OWN_END]])
// CHECK-NEXT: %[[NEXT:.+]]:2 = scf.for %{{.+}} = %[[ZERO]] to %[[SKIPPED]] step %[[ONE]] iter_args(%[[K:[^ ]+]] = %{{[^ ]+}}, %[[V:[^ ]+]] = %{{[^ ]+}}) -> (i32, i32) {
// CHECK-NEXT: attn_gpu.ping_pong_wait of 2
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2{{$}}
// CHECK-DAG: attn_gpu.acquire %[[KEYS]][%[[K]]] :
// CHECK-DAG: %[[K1:.+]] = arith.addi %[[K]],
// CHECK-DAG: attn_gpu.acquire %[[VALUES]][%[[V]]] :
// CHECK-DAG: %[[V1:.+]] = arith.addi %[[V]],
// CHECK: attn_gpu.sync_warpgroup
// CHECK-DAG: attn_gpu.release %[[KEYS]][%[[K]]] :
// CHECK-DAG: attn_gpu.release %[[VALUES]][%[[V]]] :
// CHECK: scf.yield %[[K1]], %[[V1]]
// CHECK-NEXT: }
// CHECK: %[[OWN:.+]] = affine.apply #[[$OWN]](%[[ALL]], %[[OWN_END]])
// CHECK: %[[HAS_ROWS:.+]] = arith.cmpi slt, %[[OWN]], %[[ALL]]
// CHECK-NEXT: scf.if %[[HAS_ROWS]]
// CHECK: %[[TILE:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]][%[[NEXT]]#0] :
// CHECK-NOT: attn_gpu.release
// CHECK: attn_gpu.mma %[[REGISTERS]], %[[TILE]],
// CHECK: attn_gpu.mma_wait 0
// CHECK-NEXT: attn_gpu.release %[[KEYS]][%[[NEXT]]#0] :
// CHECK-NOT: attn_gpu.release
// CHECK: = scf.for
// CHECK: attn_gpu.ping_pong_wait of 2
// CHECK: attn_gpu.acquire %[[VALUES]][%[[V:[a-z0-9]+]]] :
// CHECK: %[[PRODUCT:.+]] = attn_gpu.mma
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2{{$}}
// CHECK: attn_gpu.mma_wait 1,
// CHECK-NEXT: attn_gpu.release %[[KEYS]]
// CHECK: attn_gpu.mma_wait 0, %[[PRODUCT]]
// CHECK-NEXT: attn_gpu.release %[[VALUES]][%[[V]]] :
// CHECK-NOT: attn_gpu.release
// CHECK: scf.yield
// CHECK: attn_gpu.mma %
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK-NEXT: attn_gpu.release %[[VALUES]]
// CHECK: } else {
// CHECK-NOT: attn_gpu.release
// CHECK-NEXT: scf.yield
// CHECK-NOT: attn_gpu.release
// CHECK: }, {
// CHECK-NOT: attn_gpu.ping_pong
// CHECK-NOT: affine.min #[[$PART_END]]
// CHECK: attn_gpu.fill %[[QUERY]]
// CHECK: %[[ALL:.+]] = affine.min #[[$END]](
// CHECK-NOT: affine.min
// CHECK: scf.if
// CHECK: attn_gpu.fill %[[KEYS]]
// CHECK: scf.for %{{.+}} = %[[C64]] to %[[ALL]] step %[[C64]] iter_args(%[[K:[^ ]+]] = %{{[^ ]+}}, %[[V:[^ ]+]] = %{{[^ ]+}}) ->
// CHECK: attn_gpu.fill %[[KEYS]][%[[K]]]
// CHECK: attn_gpu.fill %[[VALUES]][%[[V]]]
// CHECK-NEXT: %{{.+}} = arith.addi %[[V]],
// CHECK-NEXT: scf.yield
// CHECK: attn_gpu.fill %[[VALUES]]
// CHECK: attn_gpu.publish_tile
!t = memref<2x3x1024x128xf16>
func.func @parts(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {mask = #attn.mask<top_left, causal>, schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, ping_pong = true, softmax = lazy, roles = producer_consumer, scheduler = dynamic>}
  return
}

// -----

// A query that stays in shared memory has a second slot for the next tile's, where
// there is room beside all the others and the output's tile.
// CHECK-LABEL: func.func @second_query(
// CHECK-DAG: attn_gpu.ring at 0 barriers 163840 : <2, tensor<256x64xbf16, #attn_gpu.swizzled>>
// CHECK-DAG: attn_gpu.ring at 65536 {{.*}} : <4, tensor<64x64xbf16, #attn_gpu.swizzled>>
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: attn_gpu.store_async %{{.+}} through 131072 :
// CHECK: attn_gpu.finish_stores
!t = memref<2x3x1024x64xbf16>
func.func @second_query(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 256, tile_kv = 64, warps = 16, mma = wgmma, copy = tma, stages = 4, overlap = true, roles = producer_consumer, scheduler = persistent>}
  return
}

// -----

// 64 KiB for the query alone: no second one, nor one tile of the output, which takes
// the query's place. The first keys need not wait until it has left.
// CHECK-LABEL: func.func @one_query(
// CHECK-DAG: %[[QUERY:.+]] = attn_gpu.ring at 0 barriers 196608 overlaid : <1, tensor<128x256xbf16, #attn_gpu.swizzled>>
// CHECK-DAG: %[[KEYS:.+]] = attn_gpu.ring at 65536 {{.*}} : <2, tensor<64x256xbf16, #attn_gpu.swizzled>>
// CHECK-NOT: attn_gpu.convert_layout
// CHECK-NOT: attn_gpu.release %[[QUERY]]
// CHECK: attn_gpu.store_async %{{.+}} through 0 wait :
// CHECK-NEXT: attn_gpu.release %[[QUERY]]
// CHECK: }, {
// CHECK: attn_gpu.fill %[[KEYS]][%{{.+}}] from
// CHECK: attn_gpu.prefetch %[[QUERY]] from %[[MAP:[a-z0-9_]+]][%{{.+}}] :
// CHECK: attn_gpu.fill %[[QUERY]][%{{.+}}] from %[[MAP]][
// CHECK: scf.for
// CHECK: attn_gpu.fill %[[KEYS]]
!t = memref<2x3x1024x256xbf16>
func.func @one_query(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer, scheduler = persistent>}
  return
}

// -----

// With a dynamic scheduler as well: there the keys may have no block, and the query comes alone.
// CHECK-LABEL: func.func @one_query_dynamic(
// CHECK-DAG: %[[QUERY:.+]] = attn_gpu.ring at 0 {{.*}} overlaid : <1, tensor<128x256xbf16, #attn_gpu.swizzled>>
// CHECK-DAG: %[[KEYS:.+]] = attn_gpu.ring at 65536 {{.*}} : <2, tensor<64x256xbf16, #attn_gpu.swizzled>>
// CHECK-DAG: %[[VALUES:.+]] = attn_gpu.ring at 131072 {{.*}} : <2, tensor<64x256xbf16, #attn_gpu.swizzled>>
// CHECK-NOT: attn_gpu.prefetch
// CHECK: }, {
// CHECK-NOT: attn_gpu.{{fill|prefetch}}
// CHECK: %[[COUNTS:.+]]:3 = scf.if
// CHECK: attn_gpu.fill %[[KEYS]][%[[K:.+]]] from
// CHECK-NOT: attn_gpu.prefetch
// CHECK: attn_gpu.fill %[[QUERY]][%[[Q:.+]]] from
// CHECK: scf.for
// CHECK: attn_gpu.fill %[[KEYS]]
// CHECK: attn_gpu.fill %[[VALUES]]
// CHECK: attn_gpu.fill %[[VALUES]]
// CHECK: } else {
// CHECK-NEXT: attn_gpu.fill %[[QUERY]][%[[Q]]] from
// CHECK-NOT: attn_gpu.fill
// CHECK: scf.yield
!t = memref<2x3x1024x256xbf16>
func.func @one_query_dynamic(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {mask = #attn.mask<top_left, causal>, schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer, scheduler = dynamic>}
  return
}
