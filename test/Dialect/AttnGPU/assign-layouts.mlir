// RUN: attn-opt %s -split-input-file -attn-gpu-assign-layouts | FileCheck %s

!array = memref<?x32xf16>
!row = memref<?xf32>
!keys = tensor<64x32xf16>
!scores = tensor<64x64xf32>
!rounded = tensor<64x64xf16>
!grad = tensor<64x32xf32>

// A vector that is broadcast along 0 has a layout along columns, and so have values computed from
// it; a vector that is used for rows and for columns is loaded twice. One copy of the keys in
// shared memory is the left operand of one product and the right one of another. A computed tile is
// a left operand without a conversion; as a transposed left operand it passes through shared
// memory.
// CHECK-LABEL: attn_gpu.kernel @operands(
// CHECK: %[[KEYS:.+]] = attn_tile.load {{.*}} -> tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
// CHECK: %[[LEFT:.+]] = attn_gpu.convert_layout %[[KEYS]] : {{.*}} -> tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
// CHECK-NOT: attn_tile.load %arg0
// CHECK-DAG: %[[COLUMNS:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
// CHECK-DAG: %[[ROWS:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
// CHECK: %[[S:.+]] = attn_tile.dot %[[LEFT]], %[[KEYS]], {{.*}} transpose_rhs
// CHECK: %[[SUM:.+]]:{{.*}} = scf.for {{.*}} -> (tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
// CHECK: attn_tile.broadcast %[[SUM]]#0 along 0 : tensor<64xf32, #attn_gpu.slice<axis = 0, {{.*}} -> tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
// CHECK: attn_tile.broadcast %[[ROWS]] along 1
// CHECK: %[[P:.+]] = arith.truncf
// CHECK: %[[SHARED:.+]] = attn_gpu.convert_layout %[[P]] : {{.*}} -> tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: attn_tile.dot %[[P]], %[[KEYS]], %{{.+}} : tensor<64x64xf16, #attn_gpu.mma
// CHECK: attn_tile.dot %[[SHARED]], %[[KEYS]], %{{.+}} transpose_lhs
// CHECK: attn_tile.dot %[[P]], %[[SHARED]], %{{.+}} : tensor<64x64xf16, #attn_gpu.mma
attn_gpu.kernel @operands(%k: !array, %v: !row, %o: memref<?x32xf32>, %oo: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %no_grad = arith.constant dense<0.0> : !grad
  %keys = attn_tile.load %k[%c0, %c0] : !array -> !keys
  %one = attn_tile.load %v[%c0] : !row -> tensor<64xf32>
  %s = attn_tile.dot %keys, %keys, %no_scores transpose_rhs : !keys, !keys, !scores
  %sum:2 = scf.for %j = %c0 to %c128 step %c64 iter_args(%acc = %one, %i = %c0) -> (tensor<64xf32>, index) {
    %next = arith.addf %acc, %one : tensor<64xf32>
    scf.yield %next, %j : tensor<64xf32>, index
  }
  %columns = attn_tile.broadcast %sum#0 along 0 : tensor<64xf32> -> !scores
  %rows = attn_tile.broadcast %one along 1 : tensor<64xf32> -> !scores
  %x = arith.addf %s, %columns : !scores
  %y = arith.addf %x, %rows : !scores
  %p = arith.truncf %y : !scores to !rounded
  %0 = attn_tile.dot %p, %keys, %no_grad : !rounded, !keys, !grad
  %1 = attn_tile.dot %p, %keys, %0 transpose_lhs : !rounded, !keys, !grad
  %2 = attn_tile.dot %p, %p, %no_scores : !rounded, !rounded, !scores
  attn_tile.store %1, %o[%c0, %c0] : !grad, memref<?x32xf32>
  attn_tile.store %2, %oo[%c0, %c0] : !scores, memref<?x64xf32>
}

// -----

// 64 rows are too few for eight warps: two share each row, with their part of the columns.
// Their left operand is in shared memory. If such a tile is also stored, it is loaded a second
// time, to registers.
// CHECK-LABEL: attn_gpu.kernel @shared_rows(
// CHECK-DAG: attn_tile.load {{.*}} -> tensor<128x64xf16, #attn_gpu.swizzled>
// CHECK-DAG: %[[WIDE:.+]] = attn_tile.load {{.*}} -> tensor<64x128xf16, #attn_gpu.swizzled>
// CHECK-DAG: %[[OWN:.+]] = attn_tile.load {{.*}} -> tensor<64x128xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>
// CHECK: attn_tile.store %[[OWN]]
// CHECK: attn_tile.dot %[[WIDE]],
// CHECK-SAME: tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
// CHECK: attn_tile.reduce add {{.*}} along 0 : {{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 8, warps_n = 2>>>
attn_gpu.kernel @shared_rows(%a: memref<?x128xf16>, %b: memref<?x64xf16>, %o: memref<?xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x128xf16> -> tensor<64x128xf16>
  %y = attn_tile.load %b[%c0, %c0] : memref<?x64xf16> -> tensor<128x64xf16>
  attn_tile.store %x, %a[%c0, %c0] : tensor<64x128xf16>, memref<?x128xf16>
  %s = attn_tile.dot %x, %y, %none : tensor<64x128xf16>, tensor<128x64xf16>, tensor<64x64xf32>
  %sum = attn_tile.reduce add %s along 0 : tensor<64x64xf32> -> tensor<64xf32>
  attn_tile.store %sum, %o[%c0] : tensor<64xf32>, memref<?xf32>
}

// -----

// Without an MMA a lane has neighbours, as many as 16 bytes hold of the widest type in memory
// and all tiles allow.
// CHECK-LABEL: attn_gpu.kernel @rowwise(
// CHECK: attn_tile.load {{.*}} -> tensor<64x64xf16, #attn_gpu.mma<warps = 4, columns = 8>>
// CHECK: attn_tile.reduce add %{{.+}} along 1 : tensor<64x64xf32, #attn_gpu.mma<warps = 4, columns = 8>> -> tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
// CHECK-LABEL: attn_gpu.kernel @rowwise_f32(
// CHECK: attn_tile.load {{.*}} -> tensor<64x64xf32, #attn_gpu.mma<warps = 4, columns = 4>>
// CHECK-LABEL: attn_gpu.kernel @narrow(
// CHECK: attn_tile.load {{.*}} -> tensor<64x16xf16, #attn_gpu.mma<warps = 4, columns = 4>>
// CHECK-LABEL: attn_gpu.kernel @narrower(
// CHECK: attn_tile.load {{.*}} -> tensor<64x8xf16, #attn_gpu.mma<warps = 4>>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>
attn_gpu.kernel @rowwise(%a: memref<?x64xf16>, %o: memref<?xf32>)
    target <chip = "sm_90a"> schedule #schedule threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
  %y = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
  %s = attn_tile.reduce add %y along 1 : tensor<64x64xf32> -> tensor<64xf32>
  attn_tile.store %s, %o[%c0] : tensor<64xf32>, memref<?xf32>
}

attn_gpu.kernel @rowwise_f32(%a: memref<?x64xf32>, %o: memref<?x64xf16>)
    target <chip = "sm_90a"> schedule #schedule threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %a[%c0, %c0] : memref<?x64xf32> -> tensor<64x64xf32>
  %y = arith.truncf %x : tensor<64x64xf32> to tensor<64x64xf16>
  attn_tile.store %y, %o[%c0, %c0] : tensor<64x64xf16>, memref<?x64xf16>
}

attn_gpu.kernel @narrow(%a: memref<?x16xf16>)
    target <chip = "sm_90a"> schedule #schedule threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %a[%c0, %c0] : memref<?x16xf16> -> tensor<64x16xf16>
  attn_tile.store %x, %a[%c0, %c0] : tensor<64x16xf16>, memref<?x16xf16>
}

attn_gpu.kernel @narrower(%b: memref<?x8xf16>)
    target <chip = "sm_90a"> schedule #schedule threads 128 {
  %c0 = arith.constant 0 : index
  %x = attn_tile.load %b[%c0, %c0] : memref<?x8xf16> -> tensor<64x8xf16>
  attn_tile.store %x, %b[%c0, %c0] : tensor<64x8xf16>, memref<?x8xf16>
}

// -----

!array = memref<?x32xf16>
!keys = tensor<64x32xf16>
!scores = tensor<64x64xf32>

// A left operand's copy in registers is made before the innermost loop of its MMA: ptxas
// 13.0 overwrites what loops further out keep.
// CHECK-LABEL: attn_gpu.kernel @nested(
// CHECK: %[[KEYS:.+]] = attn_tile.load
// CHECK-NOT: attn_gpu.convert_layout
// CHECK: scf.for
// CHECK: attn_tile.load
// CHECK: %[[LEFT:.+]] = attn_gpu.convert_layout %[[KEYS]]
// CHECK-NEXT: scf.for
// CHECK: attn_tile.dot %[[LEFT]],
// CHECK-NOT: attn_gpu.convert_layout
attn_gpu.kernel @nested(%k: !array, %q: !array, %o: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %no_scores = arith.constant dense<0.0> : !scores
  %keys = attn_tile.load %k[%c0, %c0] : !array -> !keys
  %sum = scf.for %head = %c0 to %c128 step %c64 iter_args(%outer = %no_scores) -> (!scores) {
    %queries = attn_tile.load %q[%head, %c0] : !array -> !keys
    %inner = scf.for %i = %c0 to %c128 step %c64 iter_args(%acc = %outer) -> (!scores) {
      %s = attn_tile.dot %keys, %queries, %acc transpose_rhs : !keys, !keys, !scores
      scf.yield %s : !scores
    }
    scf.yield %inner : !scores
  }
  attn_tile.store %sum, %o[%c0, %c0] : !scores, memref<?x64xf32>
}

// -----

// Warps share groups of 32 rows where each then has a multiple of 16 columns: of 64 columns
// four have 16 each, of 48 two have 24 of 16 rows. A vector of rows that both tiles need, and
// that is computed of coordinates alone, is computed for each.
// CHECK-LABEL: attn_gpu.kernel @groups_of_rows(
// CHECK: attn_tile.dot {{.*}} transpose_rhs
// CHECK-SAME: tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 4>>
// CHECK: attn_tile.dot
// CHECK-SAME: tensor<64x48xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
// CHECK-DAG: %[[OF_TWO:.+]] = attn_tile.coordinate along 0 : tensor<64xi32, #attn_gpu.slice<axis = 1, parent = <warps = 8, copies = 2>>>
// CHECK-DAG: %[[OF_FOUR:.+]] = attn_tile.coordinate along 0 : tensor<64xi32, #attn_gpu.slice<axis = 1, parent = <warps = 8, copies = 4>>>
// CHECK-DAG: arith.cmpi slt, %[[OF_TWO]],
// CHECK-DAG: arith.cmpi slt, %[[OF_FOUR]],
// CHECK-DAG: attn_tile.broadcast {{.*}} -> tensor<64x64xi1, #attn_gpu.mma<warps = 8, warps_n = 4>>
// CHECK-DAG: attn_tile.broadcast {{.*}} -> tensor<64x48xi1, #attn_gpu.mma<warps = 8, warps_n = 2>>
attn_gpu.kernel @groups_of_rows(%a: memref<?x48xf16>, %o: memref<?x64xf32>, %oo: memref<?x48xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async, warp_rows = 32> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %narrow = arith.constant dense<0.0> : tensor<64x48xf32>
  %ten = arith.constant dense<10> : tensor<64xi32>
  %x = attn_tile.load %a[%c0, %c0] : memref<?x48xf16> -> tensor<64x48xf16>
  %s = attn_tile.dot %x, %x, %none transpose_rhs : tensor<64x48xf16>, tensor<64x48xf16>, tensor<64x64xf32>
  %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %t = attn_tile.dot %p, %x, %narrow : tensor<64x64xf16>, tensor<64x48xf16>, tensor<64x48xf32>
  %row = attn_tile.coordinate along 0 : tensor<64xi32>
  %real = arith.cmpi slt, %row, %ten : tensor<64xi32>
  %0 = attn_tile.broadcast %real along 1 : tensor<64xi1> -> tensor<64x64xi1>
  %1 = attn_tile.broadcast %real along 1 : tensor<64xi1> -> tensor<64x48xi1>
  %2 = arith.select %0, %s, %none : tensor<64x64xi1>, tensor<64x64xf32>
  %3 = arith.select %1, %t, %narrow : tensor<64x48xi1>, tensor<64x48xf32>
  attn_tile.store %2, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
  attn_tile.store %3, %oo[%c0, %c0] : tensor<64x48xf32>, memref<?x48xf32>
}

// -----

// A row of the workspace that is wanted ahead is copied to shared memory; other vectors
// are not, nor is one that each head loads.
// CHECK-LABEL: attn_gpu.kernel @vectors(
// CHECK-SAME: %[[ARRAY:[^:]+]]: memref<?x64xf32>, {{.*}} %[[OWN:[^ :]+]]: memref<?x64xf32>) target
// CHECK: attn_tile.load %[[OWN]]{{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 0,
// CHECK: attn_tile.for_blocks
// CHECK: %[[VECTOR:.+]] = attn_tile.load %[[OWN]]{{.*}} -> tensor<64xf32, #attn_gpu.shared<padding = 0>>
// CHECK: attn_gpu.convert_layout %[[VECTOR]] : {{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 0,
// CHECK: attn_tile.load %[[ARRAY]]{{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 0,
attn_gpu.kernel @vectors(%array: memref<?x64xf32>, %n: index, %o: memref<?x64xf32>, %own: memref<?x64xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> threads 128 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  attn_gpu.array %own sizes(%n) workspace : memref<?x64xf32>
  %domain = attn_tile.domain rows %c0 to %n {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %first to %last full %first to %last
  } : !attn_tile.domain<64>
  scf.for %h = %c0 to %c128 step %c64 {
    %head = attn_tile.load %own[%h, %c0] : memref<?x64xf32> -> tensor<64xf32>
    %zero = attn_tile.broadcast %head along 0 : tensor<64xf32> -> tensor<64x64xf32>
    attn_tile.store %zero, %o[%h, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
      %block = arith.divui %j, %c64 : index
      %v = attn_tile.load %own[%block, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
      %w = attn_tile.load %array[%block, %c0] ahead : memref<?x64xf32> -> tensor<64xf32>
      %sum = arith.addf %v, %w : tensor<64xf32>
      %tile = attn_tile.broadcast %sum along 0 : tensor<64xf32> -> tensor<64x64xf32>
      attn_tile.store %tile, %o[%j, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    }
  }
}

// -----

// Two warpgroups share 64 rows. Each has all scores, whose rows the softmax reduces, and half of
// the output's columns: probabilities are an operand without a conversion. The values are columns
// of the keys, in their memory.
// CHECK-LABEL: attn_gpu.kernel @shared_softmax
// CHECK: %[[K:.+]] = attn_tile.load %arg1{{.*}} -> tensor<64x192xf16, #attn_gpu.swizzled>
// CHECK: %[[V:.+]] = attn_gpu.columns %[[K]] from 0 : {{.*}} -> tensor<64x128xf16, #attn_gpu.swizzled>
// CHECK: attn_tile.dot {{.*}} transpose_rhs : {{.*}}, tensor<64x64xf32, #attn_gpu.mma<warps = 8, copies = 2>>
// CHECK: attn_tile.softmax_update {{.*}} -> (tensor<64x64xf16, #attn_gpu.mma<warps = 8, copies = 2>>, {{.*}}, tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>)
// CHECK-NOT: convert_layout
// CHECK: attn_tile.dot %{{.*}}, %[[V]], {{.*}} : tensor<64x64xf16, #attn_gpu.mma<warps = 8, copies = 2>>, tensor<64x128xf16, #attn_gpu.swizzled>, tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
attn_gpu.kernel @shared_softmax(%q: memref<?x192xf16>, %k: memref<?x192xf16>, %o: memref<?x128xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %qt = attn_tile.load %q[%c0, %c0] : memref<?x192xf16> -> tensor<64x192xf16>
  %kt = attn_tile.load %k[%c0, %c0] : memref<?x192xf16> -> tensor<64x192xf16>
  %vt = tensor.extract_slice %kt[0, 0] [64, 128] [1, 1] : tensor<64x192xf16> to tensor<64x128xf16>
  %state = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125>
  %s = attn_tile.dot %qt, %kt, %none transpose_rhs : tensor<64x192xf16>, tensor<64x192xf16>, tensor<64x64xf32>
  %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%zero)
      : (tensor<64x64xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
      -> (tensor<64x64xf16>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
  %x = attn_tile.dot %p, %vt, %scaled : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>
  attn_tile.store %x, %o[%c0, %c0] : tensor<64x128xf32>, memref<?x128xf32>
}

// -----

// A lazy softmax combines rows seldom: each warpgroup has half of the scores' columns, of at
// least 32, and probabilities pass through shared memory.
// CHECK-LABEL: attn_gpu.kernel @divided_scores
// CHECK: attn_tile.dot {{.*}} transpose_rhs : {{.*}}, tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
// CHECK: %[[P:.+]], %{{.+}}, %{{.+}} = attn_tile.softmax_update {{.*}} -> (tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>, {{.*}}, tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>)
// CHECK: %[[SHARED:.+]] = attn_gpu.convert_layout %[[P]] : {{.*}} -> tensor<64x64xf16, #attn_gpu.swizzled>
// CHECK: attn_tile.dot %[[SHARED]], %{{.*}}, {{.*}} : tensor<64x64xf16, #attn_gpu.swizzled>, tensor<64x128xf16, #attn_gpu.swizzled>, tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
attn_gpu.kernel @divided_scores(%q: memref<?x192xf16>, %k: memref<?x192xf16>, %o: memref<?x128xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %qt = attn_tile.load %q[%c0, %c0] : memref<?x192xf16> -> tensor<64x192xf16>
  %kt = attn_tile.load %k[%c0, %c0] : memref<?x192xf16> -> tensor<64x192xf16>
  %vt = tensor.extract_slice %kt[0, 0] [64, 128] [1, 1] : tensor<64x192xf16> to tensor<64x128xf16>
  %state = attn_tile.softmax_init : !attn_tile.softmax<64, factor = 0.125>
  %s = attn_tile.dot %qt, %kt, %none transpose_rhs : tensor<64x192xf16>, tensor<64x192xf16>, tensor<64x64xf32>
  %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%zero)
      : (tensor<64x64xf32>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
      -> (tensor<64x64xf16>, !attn_tile.softmax<64, factor = 0.125>, tensor<64x128xf32>)
  %x = attn_tile.dot %p, %vt, %scaled : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>
  attn_tile.store %x, %o[%c0, %c0] : tensor<64x128xf32>, memref<?x128xf32>
}

// -----

// CSE has given one vector, numbers divided by 16, to rows of a tile (through a gather) and to
// columns of it. It is computed once for each, while rows that need it twice share one.
// CHECK-LABEL: attn_gpu.kernel @rows_and_columns
// CHECK-DAG: %[[R:.+]] = arith.divui {{.*}} : tensor<64xindex, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
// CHECK-DAG: %[[C:.+]] = arith.divui {{.*}} : tensor<64xindex, #attn_gpu.slice<axis = 0, parent = <warps = 4, columns = 4>>>
// CHECK-NOT: arith.divui
// CHECK: attn_tile.gather %{{.+}}[%[[R]]] : {{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 1,
// CHECK: attn_tile.gather %{{.+}}[%[[R]]] : {{.*}} -> tensor<64xf32, #attn_gpu.slice<axis = 1,
// CHECK: arith.cmpi ult, %[[C]],
// CHECK: attn_tile.broadcast {{.*}} along 0
attn_gpu.kernel @rows_and_columns(%t: memref<?xf32>, %u: memref<?xf32>, %o: memref<?x64xf32>)
    target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %by = arith.constant dense<16> : tensor<64xindex>
  %two = arith.constant dense<2> : tensor<64xindex>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %number = attn_tile.coordinate along 0 : tensor<64xindex>
  %group = arith.divui %number, %by : tensor<64xindex>
  %x = attn_tile.gather %t[%group] : (memref<?xf32>, tensor<64xindex>) -> tensor<64xf32>
  %y = attn_tile.gather %u[%group] : (memref<?xf32>, tensor<64xindex>) -> tensor<64xf32>
  %sum = arith.addf %x, %y : tensor<64xf32>
  %rows = attn_tile.broadcast %sum along 1 : tensor<64xf32> -> tensor<64x64xf32>
  %first = arith.cmpi ult, %group, %two : tensor<64xindex>
  %columns = attn_tile.broadcast %first along 0 : tensor<64xi1> -> tensor<64x64xi1>
  %tile = arith.select %columns, %rows, %none : tensor<64x64xi1>, tensor<64x64xf32>
  attn_tile.store %tile, %o[%c0, %c0] : tensor<64x64xf32>, memref<?x64xf32>
}
