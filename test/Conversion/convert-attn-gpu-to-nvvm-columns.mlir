// RUN: attn-opt %s -convert-attn-gpu-to-nvvm -canonicalize -cse | FileCheck %s --implicit-check-not=attn_tile.

// A float of a sum with a column coordinate: that of the rest, and constants of a thread's
// registers. None of them keeps a column's number. The rest is the same for all of them.

// CHECK-DAG: #[[$COLUMN:.+]] = affine_map<()[s0] -> (s0 * 2 - (s0 floordiv 4) * 8)>

!index = tensor<64x16xindex, #attn_gpu.mma<warps = 4>>
!word = tensor<64x16xi32, #attn_gpu.mma<warps = 4>>
!long = tensor<64x16xi64, #attn_gpu.mma<warps = 4>>
!tile = tensor<64x16xf32, #attn_gpu.mma<warps = 4>>
!array = memref<64x16xf32>

// CHECK-LABEL: attn_gpu.kernel @distance(
// CHECK: %[[OFFSETS:.+]] = arith.constant dense<[0.000000e+00, 1.000000e+00, -8.000000e+00, -7.000000e+00, 8.000000e+00, 9.000000e+00, 0.000000e+00, 1.000000e+00]> : vector<8xf32>
// CHECK-NOT: dense<[0, 1, 0, 1, 8, 9, 8, 9]>
// CHECK: %[[N32:.+]] = arith.index_cast %{{.+}} : vector<8xindex> to vector<8xi32>
// CHECK: %[[FIRST:.+]] = affine.apply #[[$COLUMN]]()[
// CHECK-NEXT: %[[FIRST32:.+]] = arith.index_cast %[[FIRST]] : index to i32
// CHECK-NEXT: %[[THREAD:.+]] = vector.broadcast %[[FIRST32]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[SUM:.+]] = arith.addi %[[N32]], %[[THREAD]]
// CHECK: %[[ROW:.+]] = vector.broadcast %{{.+}} : i32 to vector<8xi32>
// CHECK-NEXT: %[[REST:.+]] = arith.subi %[[SUM]], %[[ROW]]
// CHECK-NEXT: %[[FLOATS:.+]] = arith.sitofp %[[REST]] : vector<8xi32> to vector<8xf32>
// CHECK-NEXT: %[[RESULT:.+]] = arith.addf %[[FLOATS]], %[[OFFSETS]]
// CHECK: vector.extract %[[RESULT]][0]
// CHECK-NOT: arith.sitofp
attn_gpu.kernel @distance(%n: index, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !index
  %row = attn_tile.coordinate along 0 : !index
  %first = tensor.splat %n : !index
  %j = arith.addi %column, %first : !index
  %d = arith.subi %j, %row : !index
  %d32 = arith.index_cast %d : !index to !word
  %r = arith.sitofp %d32 : !word to !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// Its product with a scalar is one fused operation of the rest's product.
// CHECK-LABEL: attn_gpu.kernel @bias(
// CHECK-SAME: %{{[^:]+}}: index, %[[X:[^:]+]]: f32
// CHECK: %[[OFFSETS:.+]] = arith.constant dense<[0.000000e+00, 1.000000e+00, -8.000000e+00, -7.000000e+00, 8.000000e+00, 9.000000e+00, 0.000000e+00, 1.000000e+00]> : vector<8xf32>
// CHECK-NOT: dense<[0, 1, 0, 1, 8, 9, 8, 9]>
// CHECK: %[[XS:.+]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
// CHECK: %[[FLOATS:.+]] = arith.sitofp %{{.+}} : vector<8xi32> to vector<8xf32>
// CHECK-NEXT: %[[PRODUCT:.+]] = arith.mulf %[[XS]], %[[FLOATS]]
// CHECK-NEXT: %[[RESULT:.+]] = math.fma %[[XS]], %[[OFFSETS]], %[[PRODUCT]] : vector<8xf32>
// CHECK-NOT: arith.{{sitofp|addf}}
// CHECK: vector.extract %[[RESULT]][0]
attn_gpu.kernel @bias(%n: index, %x: f32, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !index
  %row = attn_tile.coordinate along 0 : !index
  %first = tensor.splat %n : !index
  %j = arith.addi %column, %first : !index
  %d = arith.subi %j, %row : !index
  %d32 = arith.index_cast %d : !index to !word
  %df = arith.sitofp %d32 : !word to !tile
  %xs = tensor.splat %x : !tile
  %r = arith.mulf %xs, %df fastmath<contract> : !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// CHECK-LABEL: attn_gpu.kernel @bias_from_the_right(
// CHECK-SAME: %{{[^:]+}}: index, %[[X:[^:]+]]: f32
// CHECK: %[[COLUMNS:.+]] = arith.constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00, 8.000000e+00, 9.000000e+00, 8.000000e+00, 9.000000e+00]> : vector<8xf32>
// CHECK: %[[XS:.+]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
// CHECK: %[[FLOATS:.+]] = arith.sitofp
// CHECK-NEXT: %[[PRODUCT:.+]] = arith.mulf %[[XS]], %[[FLOATS]]
// CHECK-NEXT: math.fma %[[XS]], %[[COLUMNS]], %[[PRODUCT]]
// CHECK-NOT: arith.sitofp
attn_gpu.kernel @bias_from_the_right(%ni: index, %x: f32, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %n = arith.index_cast %ni : index to i32
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %ns = tensor.splat %n : !word
  %d = arith.addi %ns, %column : !word
  %df = arith.sitofp %d : !word to !tile
  %xs = tensor.splat %x : !tile
  %r = arith.mulf %df, %xs fastmath<contract,arcp> : !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// A region that may not fuse them has the sum itself.
// CHECK-LABEL: attn_gpu.kernel @exact_product(
// CHECK: %[[FLOATS:.+]] = arith.sitofp
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[FLOATS]], %{{.+}} : vector<8xf32>
// CHECK: arith.mulf %{{.+}}, %[[SUM]]
// CHECK-NOT: math.fma
attn_gpu.kernel @exact_product(%n: index, %x: f32, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !index
  %row = attn_tile.coordinate along 0 : !index
  %first = tensor.splat %n : !index
  %j = arith.addi %column, %first : !index
  %d = arith.subi %j, %row : !index
  %d32 = arith.index_cast %d : !index to !word
  %df = arith.sitofp %d32 : !word to !tile
  %xs = tensor.splat %x : !tile
  %r = arith.mulf %xs, %df : !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// No scalar.
// CHECK-LABEL: attn_gpu.kernel @square(
// CHECK: %[[FLOATS:.+]] = arith.sitofp
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[FLOATS]], %{{.+}} : vector<8xf32>
// CHECK-NEXT: arith.mulf %[[SUM]], %[[SUM]]
// CHECK-NOT: math.fma
attn_gpu.kernel @square(%n: index, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !index
  %row = attn_tile.coordinate along 0 : !index
  %first = tensor.splat %n : !index
  %j = arith.addi %column, %first : !index
  %d = arith.subi %j, %row : !index
  %d32 = arith.index_cast %d : !index to !word
  %df = arith.sitofp %d32 : !word to !tile
  %r = arith.mulf %df, %df fastmath<contract> : !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// The column is subtracted: so are the constants. Subtracted twice, it is added.
// CHECK-LABEL: attn_gpu.kernel @subtracted(
// CHECK-SAME: %[[NI:[^:]+]]: index, %[[MI:[^:]+]]: index
// CHECK-DAG: %[[COLUMNS:.+]] = arith.constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00, 8.000000e+00, 9.000000e+00, 8.000000e+00, 9.000000e+00]> : vector<8xf32>
// CHECK-DAG: %[[MINUS:.+]] = arith.constant dense<[0.000000e+00, -1.000000e+00, 0.000000e+00, -1.000000e+00, -8.000000e+00, -9.000000e+00, -8.000000e+00, -9.000000e+00]> : vector<8xf32>
// CHECK-NOT: dense<[0, 1, 0, 1, 8, 9, 8, 9]>
// CHECK: %[[N:.+]] = arith.index_cast %[[NI]] : index to i32
// CHECK: %[[M:.+]] = arith.index_cast %[[MI]] : index to i32
// CHECK: %[[NS:.+]] = vector.broadcast %[[N]] : i32
// CHECK-NEXT: %[[MS:.+]] = vector.broadcast %[[M]] : i32
// CHECK: %[[FIRST:.+]] = affine.apply #[[$COLUMN]]()[
// CHECK-NEXT: %[[FIRST32:.+]] = arith.index_cast %[[FIRST]] : index to i32
// CHECK-NEXT: %[[THREAD:.+]] = vector.broadcast %[[FIRST32]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[REST:.+]] = arith.subi %[[NS]], %[[THREAD]]
// CHECK-NEXT: %[[FLOATS:.+]] = arith.sitofp %[[REST]]
// CHECK-NEXT: %[[R0:.+]] = arith.addf %[[FLOATS]], %[[MINUS]]
// CHECK-NEXT: %[[SUM:.+]] = arith.subi %[[MS]], %[[NS]]
// CHECK-NEXT: %[[REST:.+]] = arith.addi %[[SUM]], %[[THREAD]]
// CHECK-NEXT: %[[FLOATS:.+]] = arith.sitofp %[[REST]]
// CHECK-NEXT: %[[R1:.+]] = arith.addf %[[FLOATS]], %[[COLUMNS]]
// CHECK: vector.extract %[[R0]][0]
// CHECK: vector.extract %[[R1]][0]
attn_gpu.kernel @subtracted(%ni: index, %mi: index, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %n = arith.index_cast %ni : index to i32
  %m = arith.index_cast %mi : index to i32
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %ns = tensor.splat %n : !word
  %ms = tensor.splat %m : !word
  %d = arith.subi %ns, %column : !word
  %e = arith.subi %ms, %d : !word
  %r0 = arith.sitofp %d : !word to !tile
  %r1 = arith.sitofp %e : !word to !tile
  attn_tile.store %r0, %out[%c0, %c0] : !tile, !array
  attn_tile.store %r1, %out[%c0, %c0] : !tile, !array
}

// A value that is subtracted from the column, and that is itself a difference.
// CHECK-LABEL: attn_gpu.kernel @subtracted_from(
// CHECK-SAME: %[[NI:[^:]+]]: index, %[[MI:[^:]+]]: index
// CHECK: %[[COLUMNS:.+]] = arith.constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00, 8.000000e+00, 9.000000e+00, 8.000000e+00, 9.000000e+00]> : vector<8xf32>
// CHECK: %[[N:.+]] = arith.index_cast %[[NI]] : index to i32
// CHECK: %[[M:.+]] = arith.index_cast %[[MI]] : index to i32
// CHECK: %[[NS:.+]] = vector.broadcast %[[N]] : i32
// CHECK-NEXT: %[[MS:.+]] = vector.broadcast %[[M]] : i32
// CHECK: %[[MINUS_N:.+]] = arith.subi %{{.+}}, %[[NS]]
// CHECK-NEXT: %[[MINUS_D:.+]] = arith.addi %[[MINUS_N]], %[[MS]]
// CHECK: %[[THREAD:.+]] = vector.broadcast
// CHECK-NEXT: %[[REST:.+]] = arith.addi %[[MINUS_D]], %[[THREAD]]
// CHECK-NEXT: %[[FLOATS:.+]] = arith.sitofp %[[REST]]
// CHECK-NEXT: arith.addf %[[FLOATS]], %[[COLUMNS]]
attn_gpu.kernel @subtracted_from(%ni: index, %mi: index, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %n = arith.index_cast %ni : index to i32
  %m = arith.index_cast %mi : index to i32
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %ns = tensor.splat %n : !word
  %ms = tensor.splat %m : !word
  %d = arith.subi %ns, %ms : !word
  %e = arith.subi %column, %d : !word
  %r = arith.sitofp %e : !word to !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// Each of two columns has its constants.
// CHECK-LABEL: attn_gpu.kernel @twice(
// CHECK: %[[OFFSETS:.+]] = arith.constant dense<[0.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, 1.600000e+01, 1.800000e+01, 1.600000e+01, 1.800000e+01]> : vector<8xf32>
// CHECK: %[[THREAD:.+]] = vector.broadcast %{{.+}} : i32 to vector<8xi32>
// CHECK: %[[REST:.+]] = arith.addi %[[THREAD]], %[[THREAD]]
// CHECK-NEXT: %[[FLOATS:.+]] = arith.sitofp %[[REST]]
// CHECK-NEXT: arith.addf %[[FLOATS]], %[[OFFSETS]]
attn_gpu.kernel @twice(%out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %d = arith.addi %column, %column : !word
  %r = arith.sitofp %d : !word to !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// A number that does not depend on the column is left as it is.
// CHECK-LABEL: attn_gpu.kernel @row(
// CHECK: %[[D:.+]] = arith.subi
// CHECK-NEXT: %[[FLOATS:.+]] = arith.sitofp %[[D]] : vector<8xi32> to vector<8xf32>
// CHECK-NOT: arith.addf
// CHECK-NOT: math.fma
// CHECK: arith.mulf %[[FLOATS]], %{{.+}} fastmath<contract>
// CHECK-NOT: math.fma
attn_gpu.kernel @row(%ni: index, %x: f32, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %n = arith.index_cast %ni : index to i32
  %c0 = arith.constant 0 : index
  %row = attn_tile.coordinate along 0 : !word
  %ns = tensor.splat %n : !word
  %d = arith.subi %ns, %row : !word
  %df = arith.sitofp %d : !word to !tile
  %xs = tensor.splat %x : !tile
  %r = arith.mulf %df, %xs fastmath<contract> : !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// The float of a number of 64 bits is not that of its low word.
// CHECK-LABEL: attn_gpu.kernel @long(
// CHECK: dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xindex>
// CHECK: arith.sitofp %{{.+}} : vector<8xi64> to vector<8xf32>
// CHECK-NOT: arith.addf
attn_gpu.kernel @long(%n: index, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !index
  %first = tensor.splat %n : !index
  %j = arith.addi %column, %first : !index
  %j64 = arith.index_cast %j : !index to !long
  %r = arith.sitofp %j64 : !long to !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// A sum below a conversion to 64 bits is not split either.
// CHECK-LABEL: attn_gpu.kernel @through_long(
// CHECK: dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// CHECK: %[[LOW:.+]] = arith.trunci
// CHECK-NEXT: arith.sitofp %[[LOW]] : vector<8xi32> to vector<8xf32>
// CHECK-NOT: arith.addf
attn_gpu.kernel @through_long(%n: i64, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %wide = arith.extsi %column : !word to !long
  %ns = tensor.splat %n : !long
  %sum = arith.addi %wide, %ns : !long
  %low = arith.trunci %sum : !long to !word
  %r = arith.sitofp %low : !word to !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// A number that may be any could make the sum wrap.
// CHECK-LABEL: attn_gpu.kernel @captured(
// CHECK: %[[NUMBERS:.+]] = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// CHECK-NOT: arith.addf
// CHECK: arith.sitofp
// CHECK-NOT: arith.addf
attn_gpu.kernel @captured(%n: i32, %out: !array)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %ns = tensor.splat %n : !word
  %d = arith.addi %column, %ns : !word
  %r = arith.sitofp %d : !word to !tile
  attn_tile.store %r, %out[%c0, %c0] : !tile, !array
}

// A comparison of such a sum with a constant is one of the rest with constants, if the sum is
// said not to wrap and they do not.
// CHECK-LABEL: attn_gpu.kernel @compared(
// CHECK-DAG: %[[BOUNDS:.+]] = arith.constant dense<[100, 99, 108, 107, 92, 91, 100, 99]> : vector<8xi32>
// CHECK-DAG: %[[BOUND:.+]] = arith.constant dense<100> : vector<8xi32>
// CHECK-DAG: %[[MOST:.+]] = arith.constant dense<2147483647> : vector<8xi32>
// CHECK: %[[REST:.+]] = arith.subi %{{[0-9]+}}, %{{[0-9]+}} : vector<8xi32>
// CHECK-NEXT: arith.cmpi slt, %[[REST]], %[[BOUNDS]] : vector<8xi32>
// CHECK: arith.cmpi slt, %{{.+}}, %[[MOST]] : vector<8xi32>
// CHECK: arith.cmpi slt, %{{.+}}, %[[BOUND]] : vector<8xi32>
attn_gpu.kernel @compared(%ni: index, %out: memref<64x16xi1>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %n = arith.index_cast %ni : index to i32
  %c0 = arith.constant 0 : index
  %size = arith.constant dense<100> : !word
  %far = arith.constant dense<2147483647> : !word
  %column = attn_tile.coordinate along 1 : !word
  %row = attn_tile.coordinate along 0 : !word
  %first = tensor.splat %n : !word
  %j = arith.addi %column, %first overflow<nsw> : !word
  %d = arith.subi %j, %row overflow<nsw> : !word
  %near = arith.cmpi slt, %d, %size : !word
  %all = arith.cmpi slt, %d, %far : !word
  attn_tile.store %all, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
  attn_tile.store %near, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
  %e = arith.subi %j, %row : !word
  %other = arith.cmpi slt, %e, %size : !word
  attn_tile.store %other, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
}

// A comparison of a coordinate with a position, from which a thread's part can be subtracted, is one
// of constants. A number that may be any, such as one from memory or an argument of i32, is compared
// with the coordinates themselves: the difference would wrap near the least number.
// CHECK-LABEL: attn_gpu.kernel @bounds(
// CHECK-SAME: %{{[^:]+}}: memref<64x16xi1>, %[[P:[^:]+]]: index, %[[N:[^:]+]]: i32
// CHECK-DAG: %[[OFFSETS:.+]] = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// CHECK-DAG: %[[LEAST:.+]] = arith.constant dense<-2147483648> : vector<8xi32>
// CHECK-DAG: %[[NS:.+]] = vector.broadcast %[[N]] : i32 to vector<8xi32>
// CHECK: %[[OF_POSITION:.+]] = arith.subi
// CHECK: arith.cmpi sgt, %[[OF_POSITION]], %[[OFFSETS]] : vector<8xi32>
// CHECK: arith.cmpi slt, %{{.+}}, %[[NS]] : vector<8xi32>
// CHECK: arith.cmpi sle, %{{.+}}, %[[LEAST]] : vector<8xi32>
// CHECK: %[[READ:.+]] = memref.load
// CHECK: %[[READS:.+]] = vector.broadcast %[[READ]] : i32 to vector<8xi32>
// CHECK: arith.cmpi sge, %{{.+}}, %[[READS]] : vector<8xi32>
attn_gpu.kernel @bounds(%out: memref<64x16xi1>, %p: index, %n: i32, %memory: memref<4xi32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %least = arith.constant dense<-2147483648> : !word
  %column = attn_tile.coordinate along 1 : !word
  %p32 = arith.index_cast %p : index to i32
  %ps = tensor.splat %p32 : !word
  %ns = tensor.splat %n : !word
  %0 = arith.cmpi slt, %column, %ps : !word
  attn_tile.store %0, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
  %1 = arith.cmpi slt, %column, %ns : !word
  attn_tile.store %1, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
  %2 = arith.cmpi sle, %column, %least : !word
  attn_tile.store %2, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
  %read = attn_tile.gather %memory[%c0] : (memref<4xi32>, index) -> i32
  %reads = tensor.splat %read : !word
  %3 = arith.cmpi sge, %column, %reads : !word
  attn_tile.store %3, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
}

// Numbers of i32 that were floats or had more bits may be any, too.
// CHECK-LABEL: attn_gpu.kernel @converted_bounds(
// CHECK-SAME: %{{[^:]+}}: memref<64x16xi1>, %[[N:[^:]+]]: i64
// CHECK-DAG: %[[LOW:.+]] = arith.trunci %[[N]] : i64 to i32
// CHECK-DAG: %[[LOWS:.+]] = vector.broadcast %[[LOW]] : i32 to vector<8xi32>
// CHECK: arith.cmpi slt, %{{.+}}, %[[LOWS]] : vector<8xi32>
// CHECK: %[[WHOLE:.+]] = arith.fptosi %{{.+}} : f32 to i32
// CHECK: %[[WHOLES:.+]] = vector.broadcast %[[WHOLE]] : i32 to vector<8xi32>
// CHECK: arith.cmpi sge, %{{.+}}, %[[WHOLES]] : vector<8xi32>
attn_gpu.kernel @converted_bounds(%out: memref<64x16xi1>, %n: i64, %memory: memref<4xf32>)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %column = attn_tile.coordinate along 1 : !word
  %low = arith.trunci %n : i64 to i32
  %lows = tensor.splat %low : !word
  %0 = arith.cmpi slt, %column, %lows : !word
  attn_tile.store %0, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
  %read = attn_tile.gather %memory[%c0] : (memref<4xf32>, index) -> f32
  %whole = arith.fptosi %read : f32 to i32
  %wholes = tensor.splat %whole : !word
  %1 = arith.cmpi sge, %column, %wholes : !word
  attn_tile.store %1, %out[%c0, %c0] : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>, memref<64x16xi1>
}

// A comparison of unsigned numbers is of the coordinates themselves: the bound minus the thread's
// part may be negative, which is a large number then.
// CHECK-LABEL: attn_gpu.kernel @unsigned(
// CHECK-SAME: %{{[^:]+}}: memref<64x16xi8>, %[[N:[^:]+]]: i32
// CHECK-DAG: %[[TENS:.+]] = arith.constant dense<10> : vector<8xi32>
// CHECK-DAG: %[[NS:.+]] = vector.broadcast %[[N]] : i32 to vector<8xi32>
// CHECK: arith.cmpi ult, %{{.+}}, %[[NS]] : vector<8xi32>
// CHECK: arith.cmpi ult, %{{.+}}, %[[TENS]] : vector<8xi32>
attn_gpu.kernel @unsigned(%out: memref<64x16xi8>, %n: i32)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element> threads 128 {
  %c0 = arith.constant 0 : index
  %tens = arith.constant dense<10> : !word
  %row = attn_tile.coordinate along 0 : !word
  %column = attn_tile.coordinate along 1 : !word
  %ns = tensor.splat %n : !word
  %below = arith.cmpi ult, %column, %ns : !word
  %distance = arith.subi %row, %column overflow<nsw> : !word
  %near = arith.cmpi ult, %distance, %tens : !word
  %both = arith.andi %below, %near : tensor<64x16xi1, #attn_gpu.mma<warps = 4>>
  %bytes = arith.extui %both : tensor<64x16xi1, #attn_gpu.mma<warps = 4>> to tensor<64x16xi8, #attn_gpu.mma<warps = 4>>
  attn_tile.store %bytes, %out[%c0, %c0] : tensor<64x16xi8, #attn_gpu.mma<warps = 4>>, memref<64x16xi8>
}
