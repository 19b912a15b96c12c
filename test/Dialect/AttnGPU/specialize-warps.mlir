// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-specialize-warps \
// RUN:   -canonicalize -cse | FileCheck %s
// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-specialize-warps \
// RUN:   -verify-roundtrip -o /dev/null

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// Each load gets a ring and a tensor map, and the kernel gets one more warpgroup. One of its
// threads copies. Its role contains only the part of the program that copies need, and so no
// carried tile. The output is stored through shared memory.
// CHECK-LABEL: attn_gpu.kernel @rings(
// CHECK-SAME: %[[Q:[^:]+]]: memref<4x1024x64xf16>, %[[K:[^:]+]]: memref<4x1024x64xf16>, %[[V:[^:]+]]: memref<4x1024x64xf16>, %[[O:[^:]+]]: memref<4x1024x64xf16>, %[[N:[^:]+]]: index, %[[B1:[^:]+]]: index)
// 6 slots of 8192 bytes, the output's tile, two barriers for each slot.
// CHECK-SAME: threads 256 shared 57440 {
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[B0:.+]] = gpu.block_id x
// CHECK-DAG: %[[T:.+]] = gpu.thread_id x
// CHECK-DAG: %[[QMAP:.+]] = attn_nv.encode_tensor_map %[[Q]] box [1, 64, 64]
// CHECK-DAG: %[[KMAP:.+]] = attn_nv.encode_tensor_map %[[K]] box [1, 64, 64]
// CHECK-DAG: %[[VMAP:.+]] = attn_nv.encode_tensor_map %[[V]] box [1, 64, 64]
// CHECK: %[[QUERY:.+]] = attn_gpu.ring at 0 barriers 57344 : <2, tensor<64x64xf16
// CHECK-NEXT: %[[KEYS:.+]] = attn_gpu.ring at 16384 barriers 57376 : <2, tensor<64x64xf16
// CHECK-NEXT: %[[VALUES:.+]] = attn_gpu.ring at 32768 barriers 57408 : <2, tensor<64x64xf16
// CHECK-NEXT: %[[THREAD:.+]] = arith.index_cast %[[T]]
// CHECK-NEXT: %[[IS_FIRST:.+]] = arith.cmpi eq, %[[THREAD]], %[[ZERO]]
// CHECK-NEXT: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: attn_gpu.init_ring %[[QUERY]] readers 1
// CHECK-NEXT: attn_gpu.init_ring %[[KEYS]] readers 1
// CHECK-NEXT: attn_gpu.init_ring %[[VALUES]] readers 1
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[OMAP:.+]] = attn_nv.encode_tensor_map %[[O]] box [1, 64, 64]
// CHECK-NEXT: attn_gpu.begin
// CHECK-NEXT: attn_gpu.roles warpgroups [1, 1] registers [240, 104] elected [false, true] {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[X:.+]], %{{.+}} = attn_gpu.acquire %[[QUERY]] :
// CHECK-NEXT: %[[DOMAIN:.+]] = attn_tile.domain rows %[[B1]] to %[[N]]
// CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of %[[DOMAIN]] iter_args(
// CHECK-NEXT: %[[Y:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]] :
// CHECK-NEXT: %[[Z:.+]], %{{.+}} = attn_gpu.acquire %[[VALUES]] :
// CHECK-NEXT: attn_tile.dot %[[X]], %[[Y]],
// CHECK: attn_tile.dot %{{.+}}, %[[Z]],
// CHECK: attn_tile.yield %{{.+}}
// CHECK: %[[OUT:.+]] = arith.truncf
// CHECK-DAG: %[[O0:.+]] = arith.index_cast %[[B0]] : index to i32
// CHECK-DAG: %[[O1:.+]] = arith.index_cast %[[B1]] : index to i32
// CHECK: attn_gpu.store_async %[[OUT]] to %[[OMAP]][%[[O0]], %[[O1]], %[[ZERO]]] through 49152 : tensor
// CHECK-NEXT: attn_gpu.finish_stores
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[H:.+]] = arith.index_cast %[[B0]] : index to i32
// CHECK-NEXT: %[[I:.+]] = arith.index_cast %[[B1]] : index to i32
// CHECK-NEXT: attn_gpu.fill %[[QUERY]] from %[[QMAP]][%[[H]], %[[I]], %[[ZERO]]]
// CHECK-NEXT: %[[DOMAIN:.+]] = attn_tile.domain rows %[[B1]] to %[[N]] {
// CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of %[[DOMAIN]] : !attn_tile.domain<64> {
// CHECK-NEXT: %[[J32:.+]] = arith.index_cast %[[J]] : index to i32
// CHECK-NEXT: attn_gpu.fill %[[KEYS]] from %[[KMAP]][%[[H]], %[[J32]], %[[ZERO]]]
// CHECK-NEXT: attn_gpu.fill %[[VALUES]] from %[[VMAP]][%[[H]], %[[J32]], %[[ZERO]]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @rings(%q: !array, %k: !array, %v: !array, %o: !array, %n: index, %b1: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %b0 = gpu.block_id x
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  %x = attn_tile.load %q[%b0, %b1, %c0] : !array -> !tile
  %domain = attn_tile.domain rows %b1 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %c0 to %last full %c0 to %first
  } : !attn_tile.domain<64>
  %sum = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %zero) -> (!scores) : !attn_tile.domain<64> {
    %y = attn_tile.load %k[%b0, %j, %c0] : !array -> !tile
    %z = attn_tile.load %v[%b0, %j, %c0] : !array -> !tile
    %s = attn_tile.dot %x, %y, %zero transpose_rhs : !tile, !tile, !scores
    %p = arith.truncf %s : !scores to !rounded
    %next = attn_tile.dot %p, %z, %acc : !rounded, !tile, !scores
    attn_tile.yield %next : !scores
  }
  %rounded = arith.truncf %sum : !scores to !rounded
  attn_tile.store %rounded, %o[%b0, %b1, %c0] : !rounded, !array
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// The producer's loop carries only those values that copies need, here a page's number, which is
// read from memory. It does not carry the tile, nor a count that copies do not need. Two loads of
// one array have a ring each.
// CHECK-LABEL: attn_gpu.kernel @carried(
// CHECK-SAME: %[[K:[^:]+]]: memref<4x1024x64xf16>, %[[PAGE:[^:]+]]: index, %[[PAGES:[^:]+]]: memref<?xi32>, %[[N:[^:]+]]: index)
// CHECK: %[[STREAM:.+]] = attn_gpu.ring at 0
// CHECK: %[[LAST:.+]] = attn_gpu.ring at 16384
// CHECK: attn_gpu.roles
// CHECK-NEXT: ^bb0
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.+}}, %{{.+}}, %{{.+}}) -> (tensor<64x64xf32, #attn_gpu.mma<warps = 4>>, index, index) {
// CHECK: attn_gpu.acquire %[[STREAM]]
// CHECK: "test.use"
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[R:.+]] = scf.for %[[J:.+]] = %{{.+}} to %[[N]] step %{{.+}} iter_args(%[[AT:[^ ]+]] = %[[PAGE]]) -> (index) {
// CHECK-DAG: %[[AT32:.+]] = arith.index_cast %[[AT]] : index to i32
// CHECK-DAG: %[[J32:.+]] = arith.index_cast %[[J]] : index to i32
// CHECK: attn_gpu.fill %[[STREAM]] from %{{.+}}[%[[AT32]], %[[J32]], %{{.+}}]
// CHECK-NEXT: %[[WORD:.+]] = memref.load %[[PAGES]][%[[AT]]]
// CHECK-NEXT: %[[NEXT:.+]] = arith.index_cast %[[WORD]]
// CHECK-NEXT: scf.yield %[[NEXT]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[R32:.+]] = arith.index_cast %[[R]]
// CHECK-NEXT: attn_gpu.fill %[[LAST]] from %{{.+}}[%[[R32]],
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @carried(%k: !array, %page0: index, %m: memref<?xi32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  %r:3 = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero, %page = %page0, %other = %c0) -> (!scores, index, index) {
    %y = attn_tile.load %k[%page, %j, %c0] : !array -> !tile
    %s = attn_tile.dot %y, %y, %acc transpose_rhs : !tile, !tile, !scores
    %word = memref.load %m[%page] : memref<?xi32>
    %next = arith.index_cast %word : i32 to index
    %more = arith.addi %other, %c1 : index
    scf.yield %s, %next, %more : !scores, index, index
  }
  %z = attn_tile.load %k[%r#1, %c0, %c0] : !array -> !tile
  %t = attn_tile.dot %z, %z, %r#0 transpose_rhs : !tile, !tile, !scores
  "test.use"(%t, %r#2) : (!scores, index) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// The producer also keeps only those results of a branch that copies need; a load in a branch
// becomes a copy in that branch. The producer's own loop tells whether a block is partial.
// CHECK-LABEL: attn_gpu.kernel @branches(
// CHECK-SAME: %{{[^:]+}}: memref<4x1024x64xf16>, %[[A:[^:]+]]: index, %[[B:[^:]+]]: index, %[[P:[^:]+]]: i1, %[[DOMAIN:[^:]+]]: !attn_tile.domain<64>)
// CHECK: %[[STREAM:.+]] = attn_gpu.ring at 0
// CHECK: %[[LAST:.+]] = attn_gpu.ring at 16384
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[R:.+]] = attn_tile.for_blocks (%[[J:.+]], %[[PARTIAL:.+]]) of %[[DOMAIN]] iter_args(%[[PAGE:.+]] = %[[A]]) -> (index) : !attn_tile.domain<64> {
// CHECK-NEXT: %[[AT:.+]] = scf.if %[[PARTIAL]] -> (index) {
// CHECK-NEXT: %[[DOUBLE:.+]] = arith.addi %[[PAGE]], %[[PAGE]]
// CHECK-NEXT: scf.yield %[[DOUBLE]] : index
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[B]] : index
// CHECK-NEXT: }
// CHECK-DAG: %[[AT32:.+]] = arith.index_cast %[[AT]] : index to i32
// CHECK-DAG: %[[J32:.+]] = arith.index_cast %[[J]] : index to i32
// CHECK: attn_gpu.fill %[[STREAM]] from %{{.+}}[%[[AT32]], %[[J32]], %{{.+}}]
// CHECK-NEXT: attn_tile.yield %[[AT]] : index
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %[[P]] {
// CHECK-NEXT: %[[R32:.+]] = arith.index_cast %[[R]]
// CHECK-NEXT: attn_gpu.fill %[[LAST]] from %{{.+}}[%[[R32]],
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @branches(%k: !array, %a: index, %b: index, %p: i1, %domain: !attn_tile.domain<64>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  %r:2 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%page = %a, %acc = %zero) -> (index, !scores) : !attn_tile.domain<64> {
    %tile_of, %at = scf.if %partial -> (!scores, index) {
      %e = math.exp2 %acc : !scores
      %double = arith.addi %page, %page : index
      scf.yield %e, %double : !scores, index
    } else {
      scf.yield %acc, %b : !scores, index
    }
    %y = attn_tile.load %k[%at, %j, %c0] : !array -> !tile
    %s = attn_tile.dot %y, %y, %tile_of transpose_rhs : !tile, !tile, !scores
    attn_tile.yield %at, %s : index, !scores
  }
  %u = scf.if %p -> (!scores) {
    %z = attn_tile.load %k[%r#0, %c0, %c0] : !array -> !tile
    %t = attn_tile.dot %z, %z, %r#1 transpose_rhs : !tile, !tile, !scores
    scf.yield %t : !scores
  } else {
    scf.yield %r#1 : !scores
  }
  "test.use"(%u) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// Both roles read lists of blocks, and take the same tiles. What a view begins with in
// its array is added to coordinates, and where its rows end before the array's, the
// copies are of a slice.
// CHECK: #[[$TO_END:.+]] = affine_map<(d0) -> (d0 + 512)>
// CHECK-LABEL: attn_gpu.kernel @list(
// CHECK-SAME: %{{[^:]+}}: memref<4x1024x64xf16>, %[[BLOCKS:[^:]+]]: memref<?x?xi32>, %[[COUNTS:[^:]+]]: memref<?xi32>, %[[TILES:[^:]+]]: index)
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK: %[[MAP:.+]] = attn_nv.encode_tensor_map %{{.+}} box [1, 1, 64, 64] sliced 1 :
// CHECK: %[[EMPTY:.+]] = attn_nv.encode_tensor_map %{{.+}} box [1, 1, 64, 64] sliced 1 empty :
// CHECK: %[[STREAM:.+]] = attn_gpu.ring
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_gpu.for_tiles %[[I:.+]] of %[[TILES]] {
// CHECK-NEXT: %[[COUNT32:.+]] = memref.load %[[COUNTS]][%[[I]]]
// CHECK-NEXT: %[[COUNT:.+]] = arith.index_cast %[[COUNT32]]
// CHECK-NEXT: %[[OWN:.+]] = memref.subview %[[BLOCKS]][%[[I]], 0] [1, %[[COUNT]]]
// CHECK-NEXT: %[[DOMAIN:.+]] = attn_tile.domain_list %[[OWN]], %[[OWN]] count %[[COUNT]]
// CHECK-NEXT: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of %[[DOMAIN]] : !attn_tile.domain<64> {
// CHECK-NEXT: %[[SUM:.+]] = affine.apply #[[$TO_END]](%[[I]])
// CHECK-NEXT: %[[END:.+]] = arith.index_cast %[[SUM]] : index to i32
// CHECK-NEXT: %[[FROM:.+]] = arith.addi %[[J]], %c512
// CHECK-NEXT: %[[AT:.+]] = arith.index_cast %[[FROM]] : index to i32
// CHECK-NEXT: %[[IS_EMPTY:.+]] = arith.cmpi sge, %[[AT]], %c1024_i32
// CHECK-NEXT: %[[OF_BOX:.+]] = arith.select %[[IS_EMPTY]], %[[EMPTY]], %[[MAP]]
// CHECK-NEXT: attn_gpu.fill %[[STREAM]] from %[[OF_BOX]][%[[END]], %[[ONE]], %[[AT]], %{{.+}}]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
attn_gpu.kernel @list(%k: !array, %blocks: memref<?x?xi32>, %counts: memref<?xi32>, %tiles: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  attn_gpu.for_tiles %i of %tiles {
    %count32 = memref.load %counts[%i] : memref<?xi32>
    %count = arith.index_cast %count32 : i32 to index
    %own = memref.subview %blocks[%i, 0] [1, %count] [1, 1] : memref<?x?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %domain = attn_tile.domain_list %own, %own count %count : memref<?xi32, strided<[1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>> -> !attn_tile.domain<64>
    %part = memref.subview %k[1, %i, 0] [1, 512, 64] [1, 1, 1] : !array to memref<1x512x64xf16, strided<[65536, 64, 1], offset: ?>>
    %sum = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %zero) -> (!scores) : !attn_tile.domain<64> {
      %y = attn_tile.load %part[%c0, %j, %c0] : memref<1x512x64xf16, strided<[65536, 64, 1], offset: ?>> -> !tile
      %s = attn_tile.dot %y, %y, %acc transpose_rhs : !tile, !tile, !scores
      attn_tile.yield %s : !scores
    }
    "test.use"(%sum) : (!scores) -> ()
  }
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// A domain may read memory, in each role.
// CHECK-LABEL: attn_gpu.kernel @lengths(
// CHECK: }, {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: attn_tile.domain
// CHECK-NEXT: ^bb0(%[[FIRST:.+]]: index,
// CHECK-NEXT: memref.load %{{.+}}[%[[FIRST]]]
// CHECK: attn_tile.for_blocks
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: attn_gpu.fill
attn_gpu.kernel @lengths(%k: !array, %lengths: memref<?xindex>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %b0 = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  %domain = attn_tile.domain rows %b0 to %c64 {
  ^bb0(%first: index, %last: index):
    %end = memref.load %lengths[%first] : memref<?xindex>
    attn_tile.domain_yield %c0 to %end full %c0 to %end
  } : !attn_tile.domain<64>
  %sum = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%acc = %zero) -> (!scores) : !attn_tile.domain<64> {
    %y = attn_tile.load %k[%c0, %j, %c0] : !array -> !tile
    %s = attn_tile.dot %y, %y, %acc transpose_rhs : !tile, !tile, !scores
    attn_tile.yield %s : !scores
  }
  "test.use"(%sum) : (!scores) -> ()
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// A ring that threads copy to registers is released by each of them, and soon: it has one
// slot where another that is loaded once has two. Tile numbers go
// through slots where a launch counts them. Tiles of f32 are stored from registers.
// CHECK-LABEL: attn_gpu.kernel @dynamic(
// CHECK-SAME: %[[LAUNCH:[^:]+]]: !llvm.ptr<1>)
// CHECK: %[[X:.+]] = attn_gpu.ring at 0 barriers [[#]] each_warp : <1,
// CHECK: %[[Y:.+]] = attn_gpu.ring at 8192 barriers [[#]] : <2,
// CHECK: attn_gpu.init_ring %[[X]] readers 4
// CHECK-NEXT: attn_gpu.init_ring %[[Y]] readers 1
// CHECK-NEXT: attn_gpu.init_scheduler at [[BROADCAST:[0-9]+]] readers 128
// CHECK: attn_gpu.roles
// CHECK: attn_gpu.for_tiles %{{.+}} of %{{.+}} counters %[[LAUNCH]] broadcast [[BROADCAST]] {
// CHECK: attn_tile.store
// CHECK-NOT: attn_gpu.finish_stores
// CHECK: }, {
// CHECK: attn_gpu.for_tiles %{{.+}} of %{{.+}} counters %[[LAUNCH]] broadcast [[BROADCAST]] {
// CHECK: attn_gpu.fill %[[X]]
// CHECK: attn_gpu.fill %[[Y]]
attn_gpu.kernel @dynamic(%k: !array, %o: memref<1024x64xf32>, %tiles: index, %counters: !llvm.ptr<1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer, scheduler = dynamic> threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  attn_gpu.for_tiles %i of %tiles counters %counters {
    %x = attn_tile.load %k[%c0, %i, %c0] : !array -> !tile
    %r = attn_gpu.convert_layout %x : !tile -> !rounded
    %y = attn_tile.load %k[%c1, %i, %c0] : !array -> !tile
    %s = attn_tile.dot %r, %y, %zero transpose_rhs : !rounded, !tile, !scores
    attn_tile.store %s, %o[%i, %c0] : !scores, memref<1024x64xf32>
  }
}

// -----

!array = memref<4x1024x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
!rounded = tensor<64x64xf16, #attn_gpu.mma<warps = 4>>

// A kernel without copies has no roles.
// CHECK-LABEL: attn_gpu.kernel @nothing(
// CHECK: gpu.block_id x
// CHECK: attn_tile.load
// CHECK-NOT: attn_gpu.roles
attn_gpu.kernel @nothing(%k: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %b0 = gpu.block_id x
  %c0 = arith.constant 0 : index
  attn_gpu.begin
  %x = attn_tile.load %k[%b0, %c0] : memref<?x64xf32> -> !scores
  "test.use"(%x) : (!scores) -> ()
}

// -----

!pool = memref<?x32x64xf16>
!tile = tensor<64x64xf16, #attn_gpu.swizzled>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 4>>

// Parts that may have no row: the row of each part selects one of two maps for it.
// CHECK-LABEL: attn_gpu.kernel @sliced_parts(
// CHECK-SAME: %[[POOL:[^:]+]]: memref<?x32x64xf16>, %{{[^:]+}}: index, %{{[^:]+}}: index, %[[M:[^:]+]]: index, %[[N:[^:]+]]: index)
// CHECK-DAG: %[[C32:.+]] = arith.constant 32 : i32
// CHECK: %[[MAP:.+]] = attn_nv.encode_tensor_map %[[POOL]] box [1, 1, 32, 64] sliced 1 :
// CHECK: %[[EMPTY:.+]] = attn_nv.encode_tensor_map %[[POOL]] box [1, 1, 32, 64] sliced 1 empty :
// CHECK: }, {
// CHECK: %[[BEFORE_M:.+]] = affine.apply #{{.+}}()[%[[M]]]
// CHECK: %[[ROW_M:.+]] = arith.index_cast %[[BEFORE_M]] : index to i32
// CHECK: %[[BEFORE_N:.+]] = affine.apply #{{.+}}()[%[[N]]]
// CHECK: %[[ROW_N:.+]] = arith.index_cast %[[BEFORE_N]] : index to i32
// CHECK: %[[IS_M:.+]] = arith.cmpi sge, %[[ROW_M]], %[[C32]]
// CHECK: %[[OF_M:.+]] = arith.select %[[IS_M]], %[[EMPTY]], %[[MAP]]
// CHECK: %[[IS_N:.+]] = arith.cmpi sge, %[[ROW_N]], %[[C32]]
// CHECK: %[[OF_N:.+]] = arith.select %[[IS_N]], %[[EMPTY]], %[[MAP]]
// CHECK: attn_gpu.fill %{{.+}} from %[[OF_M]], %[[OF_N]][%{{[^,]+}}, %{{[^,]+}}, %[[ROW_M]], %{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}, %[[ROW_N]], %{{[^,]+}}] parts 2 :
attn_gpu.kernel @sliced_parts(%pool: !pool, %a: index, %b: index, %m: index, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  attn_gpu.begin
  %pages = memref.dim %pool, %c0 : !pool
  %zero = arith.constant dense<0.0> : !scores
  %first = memref.subview %pool[0, 0, 0] [%pages, %m, 64] [1, 1, 1] : !pool to memref<?x?x64xf16, strided<[2048, 64, 1]>>
  %second = memref.subview %pool[0, 0, 0] [%pages, %n, 64] [1, 1, 1] : !pool to memref<?x?x64xf16, strided<[2048, 64, 1]>>
  %x = attn_tile.load %first[%a, %c0, %c0], %second[%b, %c0, %c0] : memref<?x?x64xf16, strided<[2048, 64, 1]>> -> !tile
  %s = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}

// Parts of a tile fill one slot, by a map whose boxes have their rows.
// CHECK-LABEL: attn_gpu.kernel @parts(
// CHECK-SAME: %[[POOL:[^:]+]]: memref<?x32x64xf16>, %[[A:[^:]+]]: index, %[[B:[^:]+]]: index)
// CHECK: %[[MAP:.+]] = attn_nv.encode_tensor_map %[[POOL]] box [1, 32, 64]
// CHECK: %[[RING:.+]] = attn_gpu.ring at 0 {{.*}} : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.acquire %[[RING]]
// CHECK-NOT: attn_gpu.acquire
// CHECK: }, {
// CHECK-DAG: %[[A32:.+]] = arith.index_cast %[[A]] : index to i32
// CHECK-DAG: %[[B32:.+]] = arith.index_cast %[[B]] : index to i32
// CHECK: attn_gpu.fill %[[RING]] from %[[MAP]][%[[A32]], %{{[^,]+}}, %{{[^,]+}}, %[[B32]], %{{[^,]+}}, %{{[^,]+}}] parts 2 :
// CHECK-NOT: attn_gpu.fill
attn_gpu.kernel @parts(%pool: !pool, %a: index, %b: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer> threads 128 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !scores
  attn_gpu.begin
  %x = attn_tile.load %pool[%a, %c0, %c0], %pool[%b, %c0, %c0] : !pool -> !tile
  %s = attn_tile.dot %x, %x, %zero transpose_rhs : !tile, !tile, !scores
  "test.use"(%s) : (!scores) -> ()
}
