// RUN: attn-opt %s -split-input-file -attn-to-tile="chip=sm_90a access=tma" -attn-assign-layouts -attn-pipeline-loads \
// RUN:   -attn-overlap-products -attn-specialize-warps -canonicalize -cse | FileCheck %s \
// RUN:   --implicit-check-not=attn_tile.load --implicit-check-not=attn_tile.part_offset
// RUN: attn-opt %s -split-input-file -attn-to-tile="chip=sm_90a access=tma" -attn-assign-layouts -attn-pipeline-loads \
// RUN:   -attn-overlap-products -attn-specialize-warps -verify-roundtrip -o /dev/null

// Two warpgroups of consumers and one that copies. The query has one slot, which
// all threads read to their registers; keys and values have two, which a thread of
// each warpgroup releases.
// CHECK-LABEL: func.func @single(
// CHECK-SAME: %[[Q:[^:]+]]: memref<{{[^>]+}}>, %[[K:[^:]+]]: memref<{{[^>]+}}>, %[[V:[^:]+]]: memref<{{[^>]+}}>, %[[O:[^:]+]]: memref
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[TWO:.+]] = arith.constant 2 : i32
// CHECK-DAG: %[[C256:.+]] = arith.constant 256 : i32
// CHECK-DAG: %[[THREADS:.+]] = arith.constant 384 : index
// 128 x 128 and 4 times 64 x 128 elements, 128 x 128 of the output, 10 barriers.
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 131152 : i32
// CHECK-DAG: %[[QMAP:.+]] = attn_nv.encode_tensor_map %[[Q]] box [1, 1, 128, 64]
// CHECK-DAG: %[[KMAP:.+]] = attn_nv.encode_tensor_map %[[K]] box [1, 1, 64, 64]
// CHECK-DAG: %[[VMAP:.+]] = attn_nv.encode_tensor_map %[[V]] box [1, 1, 64, 64]
// CHECK-DAG: %[[OMAP:.+]] = attn_nv.encode_tensor_map %[[O]] box [1, 1, 64, 64]
// CHECK-NOT: attn_nv.
// CHECK: gpu.launch {{.*}} threads(%[[T:[a-z0-9]+]], {{.*}}) in (%{{[a-z0-9]+}} = %[[THREADS]], {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK-DAG: %[[QUERY:.+]] = attn_tile.ring at 0 barriers 131072 : <1, tensor<128x128xf16, #attn_tile.swizzled>>
// CHECK-DAG: %[[KEYS:.+]] = attn_tile.ring at 32768 barriers 131088 : <2, tensor<64x128xf16, #attn_tile.swizzled>>
// CHECK-DAG: %[[VALUES:.+]] = attn_tile.ring at 65536 barriers 131120 : <2, tensor<64x128xf16, #attn_tile.swizzled>>
// CHECK: %[[GROUP:.+]] = nvvm.shfl.sync idx
// CHECK: scf.if
// CHECK-DAG: attn_tile.init_ring %[[QUERY]] readers 256
// CHECK-DAG: attn_tile.init_ring %[[KEYS]] readers 2
// CHECK-DAG: attn_tile.init_ring %[[VALUES]] readers 2
// CHECK-NOT: init_queue
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[PRODUCER:.+]] = arith.cmpi eq, %[[GROUP]], %[[TWO]]
// CHECK-NEXT: scf.if %[[PRODUCER]] {
// CHECK-NEXT: nvvm.setmaxregister decrease
// CHECK-NEXT: %[[ONE_THREAD:.+]] = arith.cmpi eq, %{{.+}}, %[[C256]]
// CHECK-NEXT: scf.if %[[ONE_THREAD]] {
// CHECK-NOT: attn_tile.{{acquire|release|dot|store}}
// CHECK: attn_tile.fill %[[QUERY]][%[[ZERO]]] from %[[QMAP]][
// CHECK: attn_tile.fill %[[KEYS]][%[[ZERO]]] from %[[KMAP]][
// CHECK: scf.for {{.*}} iter_args(%[[I:.+]] = %{{.+}}, %[[J:.+]] = %[[ZERO]])
// CHECK: attn_tile.fill %[[KEYS]][%[[I]]] from %[[KMAP]][
// CHECK: attn_tile.fill %[[VALUES]][%[[J]]] from %[[VMAP]][
// CHECK-NOT: attn_tile.fill
// CHECK: scf.yield
// CHECK: attn_tile.fill %[[VALUES]][
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: nvvm.setmaxregister increase
// CHECK-NOT: attn_tile.fill
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[QUERY]][%[[ZERO]]]
// CHECK: %[[REGISTERS:.+]] = attn_tile.convert_layout %[[TILE]]
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[KEYS]][%[[ZERO]]]
// CHECK: attn_tile.dot %[[REGISTERS]], %[[TILE]],
// The product has read the tile and the registers.
// CHECK-DAG: attn_tile.release %[[KEYS]][%[[ZERO]]] :
// CHECK-DAG: attn_tile.release %[[QUERY]][%[[ZERO]]] each_thread
// CHECK: scf.for
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[KEYS]][%[[I:.+]]] :
// CHECK: %[[SCORES:.+]] = attn_tile.dot_start %[[REGISTERS]], %[[TILE]],
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[VALUES]][%[[J:.+]]] :
// CHECK: %[[PRODUCT:.+]] = attn_tile.dot_start %{{.+}}, %[[TILE]],
// CHECK-NOT: attn_tile.release
// CHECK: attn_tile.dot_wait 1, %[[SCORES]]
// CHECK-NEXT: attn_tile.release %[[KEYS]][%[[I]]] :
// CHECK-NOT: attn_tile.release
// CHECK: attn_tile.dot_wait 0, %[[PRODUCT]]
// CHECK-NEXT: attn_tile.release %[[VALUES]][%[[J]]] :
// CHECK: scf.yield
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[VALUES]][
// CHECK: attn_tile.dot %{{.+}}, %[[TILE]],
// CHECK-NEXT: attn_tile.release %[[VALUES]][
// CHECK-NOT: attn_tile.store %
// CHECK: attn_tile.store_async %{{.+}} to %[[OMAP]][{{.*}}] through 98304 : tensor<128x128xf16
// CHECK-NEXT: attn_tile.finish_stores
!t = memref<2x3x1024x128xf16>
func.func @single(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma>}
  return
}

// -----

// The producer takes a tile's number from a counter and tells the consumers; the
// last block sets the counters back.
// CHECK-LABEL: func.func @queue(
// CHECK: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK: %[[NUMBER:.+]] = attn_nv.launch_number
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]+]], {{.*}}) in (%[[BLOCKS:[a-z0-9]+]] =
// CHECK: %[[QUERY:.+]] = attn_tile.ring at 0
// CHECK: attn_tile.init_queue at [[QUEUE:[0-9]+]] readers 256
// CHECK: nvvm.setmaxregister decrease
// CHECK: %[[COUNTERS:.+]] = attn_nv.work_counters %[[NUMBER]] : !llvm.ptr<1>
// CHECK: %[[FIRST:.+]] = arith.index_cast %[[BLOCK]] : index to i32
// CHECK: scf.while (%{{.+}} = %[[FIRST]], %{{.+}} = %[[ZERO]],
// CHECK: scf.condition
// CHECK: ^bb0(%{{[^:]+}}: i32, %[[I:[^:]+]]: i32,
// CHECK-NEXT: %[[TAKEN:.+]] = llvm.atomicrmw add %[[COUNTERS]],
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[TAKEN]],
// CHECK: attn_tile.fill %[[QUERY]]
// CHECK: attn_tile.push_tile %[[NEXT]], %[[I]] at [[QUEUE]]
// CHECK: %[[FINISHED:.+]] = llvm.getelementptr %[[COUNTERS]][1]
// CHECK: llvm.atomicrmw add %[[FINISHED]]
// CHECK: scf.if
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[COUNTERS]]
// CHECK-NEXT: llvm.store volatile %[[ZERO]], %[[FINISHED]]
// CHECK: } else {
// CHECK-NEXT: nvvm.setmaxregister increase
// CHECK-NOT: attn_tile.push_tile
// CHECK: scf.while (%{{.+}} = %{{.+}}, %{{.+}} = %[[ZERO]],
// CHECK: scf.condition
// CHECK: ^bb0(%{{[^:]+}}: i32, %[[I:[^:]+]]: i32,
// CHECK-NOT: atomicrmw
// CHECK: attn_tile.acquire %[[QUERY]]
// CHECK: attn_tile.release %[[QUERY]][%{{.+}}] each_thread
// CHECK: attn_tile.store_async
// CHECK: %[[POPPED:.+]] = attn_tile.pop_tile %[[I]] at [[QUEUE]]
// CHECK: scf.yield %[[POPPED]],
// CHECK: attn_tile.finish_stores
!t = memref<2x3x1024x128xf16>
func.func @queue(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {mask = #attn.mask<top_left, causal>, schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, blocks = queue>}
  return
}

// -----

// A block's loop over tiles carries the numbers of the tiles in the rings. With four
// warpgroups, registers are too few for the query: products read its slot.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: attn_nv.launch_number
// CHECK: gpu.launch
// CHECK: attn_tile.ring {{.*}} : <4,
// CHECK: attn_tile.init_ring %[[QUERY:.+]] readers 4
// CHECK-NEXT: attn_tile.init_ring %{{.+}} readers 4
// CHECK-NEXT: attn_tile.init_ring %{{.+}} readers 4
// CHECK-NOT: attn_tile.{{init_queue|push_tile|pop_tile}}
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[Q:.+]] = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (i32, i32, i32)
// CHECK: attn_tile.fill %{{.+}}[%[[Q]]]
// CHECK: } else {
// CHECK-NOT: attn_tile.convert_layout
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[QUERY]]
// CHECK: attn_tile.dot %[[TILE]],
// CHECK: scf.for
// CHECK: attn_tile.dot_start %[[TILE]],
// CHECK: scf.yield
// CHECK-NOT: attn_tile.convert_layout
// CHECK: attn_tile.release %[[QUERY]][%{{.+}}] :
// CHECK: attn_tile.store_async
// CHECK: scf.yield %{{.+}}, %{{.+}}, %{{.+}} : i32, i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: attn_tile.finish_stores
!t = memref<2x3x1024x64xbf16>
func.func @loop(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 256, tile_kv = 64, warps = 16, access = tma, stages = 4, blocks = loop>}
  return
}

// -----

// Each warpgroup has its own end under a diagonal, from 64 times its number, and the
// producer that of the last one: a constant. What a consumer leaves out it acquires and
// releases, so that all of them count the same tiles.
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0) -> (1024, d0 + 128)>
// CHECK-DAG: #[[$FIRST_BLOCK:.+]] = affine_map<(d0) -> (1, 1024, d0 + 128)>
// CHECK-DAG: #[[$OWN:.+]] = affine_map<(d0, d1) -> (((d0 - 1) floordiv 64) * 64 - ((d1 - 1) floordiv 64) * 64)>
// CHECK-DAG: #[[$PART_ROWS:.+]] = affine_map<()[s0] -> (128, s0 + 64)>
// CHECK-DAG: #[[$PART_END:.+]] = affine_map<(d0)[s0] -> (1024, d0 + s0)>
// CHECK-LABEL: func.func @parts(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK: %[[QUERY:.+]] = attn_tile.ring at 0 {{.*}} : <1,
// CHECK: %[[KEYS:.+]] = attn_tile.ring
// CHECK: %[[VALUES:.+]] = attn_tile.ring
// CHECK: %[[GROUP:.+]] = nvvm.shfl.sync idx
// CHECK: nvvm.setmaxregister decrease
// CHECK: attn_tile.fill %[[QUERY]]
// CHECK-NOT: affine.min #[[$PART_ROWS]]
// CHECK: %[[ALL:.+]] = affine.min #[[$END]](%[[I:.+]])
// CHECK: %[[FIRST_BLOCK:.+]] = affine.min #[[$FIRST_BLOCK]](%[[I]])
// CHECK: %[[LAST_END:.+]] = affine.max #{{.+}}(%[[ALL]], %[[FIRST_BLOCK]])
// CHECK: %[[OWN:.+]] = affine.apply #[[$OWN]](%[[ALL]], %[[LAST_END]])
// CHECK: scf.for %{{.+}} = %[[ZERO]] to %[[OWN]] step %[[C64]] iter_args(%[[K:[^ ]+]] = %{{[^ ]+}}, %[[V:[^ ]+]] = %{{[^ ]+}}) ->
// CHECK: attn_tile.fill %[[KEYS]][%[[K]]]
// CHECK: attn_tile.fill %[[VALUES]][%[[V]]]
// CHECK-NEXT: %{{.+}} = arith.addi %[[V]],
// CHECK-NEXT: scf.yield
// CHECK: attn_tile.push_tile
// CHECK: nvvm.setmaxregister increase
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[QUERY]][%[[Q:.+]]] :
// CHECK: %[[REGISTERS:.+]] = attn_tile.convert_layout %[[TILE]]
// CHECK-NOT: attn_tile.release
// CHECK: %[[NUMBER:.+]] = arith.index_cast %[[GROUP]] : i32 to index
// CHECK-NEXT: %[[PART:.+]] = arith.muli %[[NUMBER]], %[[C64]]
// CHECK-NEXT: %[[ALL:.+]] = affine.min #[[$END]](%[[I:.+]])
// CHECK-NEXT: %[[ROWS:.+]] = affine.min #[[$PART_ROWS]]()[%[[PART]]]
// CHECK-NEXT: %[[PART_END:.+]] = affine.min #[[$PART_END]](%[[I]])[%[[ROWS]]]
// CHECK-NEXT: %[[FIRST_BLOCK:.+]] = affine.min #[[$FIRST_BLOCK]](%[[I]])
// CHECK-NEXT: %[[OWN_END:.+]] = affine.max #{{.+}}(%[[PART_END]], %[[FIRST_BLOCK]])
// CHECK-NEXT: %[[OWN:.+]] = affine.apply #[[$OWN]](%[[ALL]], %[[OWN_END]])
// CHECK-NEXT: %[[NEXT:.+]]:2 = scf.for %{{.+}} = %[[ZERO]] to %[[OWN]] step %[[C64]] iter_args(%[[K:[^ ]+]] = %{{[^ ]+}}, %[[V:[^ ]+]] = %{{[^ ]+}}) -> (i32, i32) {
// CHECK-NEXT: attn_tile.take_turn of 2
// CHECK-NEXT: attn_tile.pass_turn of 2
// CHECK-NEXT: attn_tile.acquire %[[KEYS]][%[[K]]] :
// CHECK-NEXT: %[[K1:.+]] = arith.addi %[[K]],
// CHECK-NEXT: attn_tile.discard
// CHECK-NEXT: attn_tile.release %[[KEYS]][%[[K]]] :
// CHECK-NEXT: attn_tile.acquire %[[VALUES]][%[[V]]] :
// CHECK-NEXT: %[[V1:.+]] = arith.addi %[[V]],
// CHECK-NEXT: attn_tile.discard
// CHECK-NEXT: attn_tile.release %[[VALUES]][%[[V]]] :
// CHECK-NEXT: scf.yield %[[K1]], %[[V1]]
// CHECK-NEXT: }
// CHECK: %[[HAS_ROWS:.+]] = arith.cmpi slt, %[[OWN]], %[[ALL]]
// CHECK-NEXT: scf.if %[[HAS_ROWS]]
// The query's copy has ended after its first product, in the branch. The other branch
// releases its slot, too.
// CHECK: %[[TILE:.+]] = attn_tile.acquire %[[KEYS]][%[[NEXT]]#0] :
// CHECK-NOT: attn_tile.release
// CHECK: attn_tile.dot %[[REGISTERS]], %[[TILE]],
// CHECK-DAG: attn_tile.release %[[KEYS]][%[[NEXT]]#0] :
// CHECK-DAG: attn_tile.release %[[QUERY]][%[[Q]]] each_thread
// CHECK-NOT: attn_tile.release
// CHECK: = scf.for
// CHECK: attn_tile.acquire %[[VALUES]][%[[V:[a-z0-9]+]]] :
// CHECK: %[[PRODUCT:.+]] = attn_tile.dot_start
// CHECK: attn_tile.dot_wait 1,
// CHECK-NEXT: attn_tile.release %[[KEYS]]
// CHECK: attn_tile.dot_wait 0, %[[PRODUCT]]
// CHECK-NEXT: attn_tile.release %[[VALUES]][%[[V]]] :
// CHECK-NOT: attn_tile.release
// CHECK: scf.yield
// CHECK: attn_tile.dot
// CHECK-NEXT: attn_tile.release %[[VALUES]]
// CHECK: } else {
// CHECK-NEXT: attn_tile.release %[[QUERY]][%[[Q]]] each_thread
// CHECK-NEXT: scf.yield
// CHECK-NOT: attn_tile.release
!t = memref<2x3x1024x128xf16>
func.func @parts(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {mask = #attn.mask<top_left, causal>, schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, lazy_max = true, ping_pong = true, blocks = queue>}
  return
}

// -----

// A query that stays in shared memory has a second slot for the next tile's, where
// there is room beside all the others and the output's tile.
// CHECK-LABEL: func.func @second_query(
// CHECK-DAG: attn_tile.ring at 0 barriers 163840 : <2, tensor<256x64xbf16, #attn_tile.swizzled>>
// CHECK-DAG: attn_tile.ring at 65536 {{.*}} : <4, tensor<64x64xbf16, #attn_tile.swizzled>>
// CHECK-NOT: attn_tile.convert_layout
// CHECK: attn_tile.store_async %{{.+}} through 131072 :
// CHECK: attn_tile.finish_stores
!t = memref<2x3x1024x64xbf16>
func.func @second_query(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 256, tile_kv = 64, warps = 16, access = tma, stages = 4, blocks = loop>}
  return
}

// -----

// 64 KiB for the query alone: no second one, nor one tile of the output, which takes
// the query's place. The first keys need not wait until it has left.
// CHECK-LABEL: func.func @one_query(
// CHECK-DAG: %[[QUERY:.+]] = attn_tile.ring at 0 barriers 196608 : <1, tensor<128x256xbf16, #attn_tile.swizzled>>
// CHECK-DAG: %[[KEYS:.+]] = attn_tile.ring at 65536 {{.*}} : <2, tensor<64x256xbf16, #attn_tile.swizzled>>
// CHECK-NOT: attn_tile.convert_layout
// CHECK: attn_tile.fill %[[KEYS]][%{{.+}}] from
// CHECK: attn_tile.prefetch %[[QUERY]] from %[[MAP:[a-z0-9_]+]][%{{.+}}] :
// CHECK: attn_tile.fill %[[QUERY]][%{{.+}}] from %[[MAP]][
// CHECK: scf.for
// CHECK: attn_tile.fill %[[KEYS]]
// CHECK: attn_tile.store_async %{{.+}} through 0
// CHECK: attn_tile.release %[[QUERY]]
!t = memref<2x3x1024x256xbf16>
func.func @one_query(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, blocks = loop>}
  return
}

// -----

// In a queue as well: there the first step may be one that other warpgroups need, or
// none. The query comes behind it.
// CHECK-LABEL: func.func @one_query_in_queue(
// CHECK-DAG: %[[QUERY:.+]] = attn_tile.ring at 0 {{.*}} : <1, tensor<128x256xbf16, #attn_tile.swizzled>>
// CHECK-DAG: %[[KEYS:.+]] = attn_tile.ring at 65536 {{.*}} : <2, tensor<64x256xbf16, #attn_tile.swizzled>>
// CHECK-DAG: %[[VALUES:.+]] = attn_tile.ring at 131072 {{.*}} : <2, tensor<64x256xbf16, #attn_tile.swizzled>>
// CHECK-NOT: attn_tile.prefetch
// CHECK: %[[COUNTS:.+]]:2 = scf.if
// CHECK: attn_tile.fill %[[KEYS]][%[[K:.+]]] from
// CHECK: attn_tile.fill %[[VALUES]][%[[V:.+]]] from
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[K]], %[[V]]
// CHECK: attn_tile.fill %[[QUERY]]
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[COUNTS]]#0, %{{.+}} = %[[COUNTS]]#1)
// CHECK: attn_tile.fill %[[KEYS]]
// CHECK: attn_tile.fill %[[VALUES]]
!t = memref<2x3x1024x256xbf16>
func.func @one_query_in_queue(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {mask = #attn.mask<top_left, causal>, schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, lazy_max = true, blocks = queue>}
  return
}
