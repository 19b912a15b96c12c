// With a schedule whose roles have a multiplier, scores and the softmax are computed apart from the
// products with values. Keys arrive in groups of at most 256 columns.

// RUN: attn-opt %s -convert-attn-to-tile -split-input-file | FileCheck %s
// RUN: sed 's/ multiplier([^)]*),//' %s | attn-opt -convert-attn-to-tile -split-input-file | FileCheck %s --check-prefix=TOGETHER

// TOGETHER-NOT: attn_tile.dot {{.+}} apart
// TOGETHER-NOT: attn_tile.softmax_factor
// TOGETHER-NOT: attn_tile.reuse

!query = memref<2x16x100x576xbf16>
!key = memref<2x1x1000x576xbf16>
!output = memref<2x16x100x512xbf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = [consumer(registers = 184), multiplier(name = "scores", registers = 104), producer(registers = 40)]>

// The columns of the key that are no values are dead after the scores, and as large as the
// probabilities.

// CHECK-LABEL: func.func @within(
// CHECK: attn_tile.softmax_init
// CHECK: %[[SUMS:.+]]:3 = attn_tile.for_blocks {{.+}} iter_args(%[[ACC0:[a-z0-9]+]] = %{{[a-z_0-9]+}}, %[[ACC1:[a-z0-9]+]] = %{{[a-z_0-9]+}}, %[[STATE:[a-z0-9]+]] = %{{[a-z_0-9]+}})
// CHECK-SAME: -> (tensor<64x256xf32>, tensor<64x256xf32>, !attn_tile.softmax<
// CHECK: %[[K0:.+]] = attn_tile.load %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %c0{{[_0-9]*}}] : {{.+}} -> tensor<64x256xbf16>
// CHECK: %[[K1:.+]] = attn_tile.load %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %c256{{[_0-9]*}}] : {{.+}} -> tensor<64x256xbf16>
// CHECK: %[[K2:.+]] = attn_tile.load %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %c512{{[_0-9]*}}] : {{.+}} -> tensor<64x64xbf16>
// CHECK-NOT: attn_tile.load
// CHECK: %[[S0:.+]] = attn_tile.dot %{{.+}}, %[[K0]], %{{.+}} transpose_rhs apart = "scores"
// CHECK: %[[S1:.+]] = attn_tile.dot %{{.+}}, %[[K1]], %[[S0]] transpose_rhs apart = "scores"
// CHECK: attn_tile.dot %{{.+}}, %[[K2]], %[[S1]] transpose_rhs apart = "scores"
// CHECK: %[[P:.+]], %[[NEXT:[a-z_0-9]+]] = attn_tile.softmax_update %{{.+}}, %[[STATE]] : (tensor<64x64xf32>
// CHECK: %[[FACTOR:.+]] = attn_tile.softmax_factor %[[STATE]] to %[[NEXT]]
// CHECK: %[[R0:.+]] = attn_tile.rescale %[[ACC0]] by %[[FACTOR]]
// CHECK: %[[R1:.+]] = attn_tile.rescale %[[ACC1]] by %[[FACTOR]]
// CHECK: %[[PLACED:.+]] = attn_tile.reuse %[[P]] over %[[K2]]
// CHECK: %[[O0:.+]] = attn_tile.dot %[[PLACED]], %[[K0]], %[[R0]] : tensor<64x64xbf16>, tensor<64x256xbf16>
// CHECK: %[[O1:.+]] = attn_tile.dot %[[PLACED]], %[[K1]], %[[R1]] : tensor<64x64xbf16>, tensor<64x256xbf16>
// CHECK: attn_tile.yield %[[O0]], %[[O1]], %[[NEXT]]
// CHECK: attn_tile.softmax_finish %[[SUMS]]#2
// CHECK-NOT: attn_tile.softmax_finish
// CHECK: attn_tile.store %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %c0{{[_0-9]*}}]
// CHECK: attn_tile.store %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %c256{{[_0-9]*}}]
func.func @within(%q: !query, %k: !key, %o: !output) {
  attn.attention ins(%q, %k : !query, !key) value_dims [0, 512] outs(%o : !output) {schedule = #schedule}
  return
}

// -----

!query = memref<2x16x100x576xbf16>
!key = memref<2x1x1000x576xbf16>
!output = memref<2x16x100x512xbf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = [consumer(registers = 184), multiplier(name = "scores", registers = 104), producer(registers = 40)]>

// Groups begin where the values do. The first group has no values.

// CHECK-LABEL: func.func @last(
// CHECK: attn_tile.for_blocks
// CHECK: %[[K0:.+]] = attn_tile.load %{{.+}}%c0{{[_0-9]*}}] : {{.+}} -> tensor<64x64xbf16>
// CHECK: %[[K1:.+]] = attn_tile.load %{{.+}}%c64{{[_0-9]*}}] : {{.+}} -> tensor<64x256xbf16>
// CHECK: %[[K2:.+]] = attn_tile.load %{{.+}}%c320{{[_0-9]*}}] : {{.+}} -> tensor<64x256xbf16>
// CHECK: %[[P:.+]], %{{.+}} = attn_tile.softmax_update
// CHECK: %[[PLACED:.+]] = attn_tile.reuse %[[P]] over %[[K0]]
// CHECK: attn_tile.dot %[[PLACED]], %[[K1]], %{{.+}} :
// CHECK: attn_tile.dot %[[PLACED]], %[[K2]], %{{.+}} :
func.func @last(%q: !query, %k: !key, %o: !output) {
  attn.attention ins(%q, %k : !query, !key) value_dims [64, 576] outs(%o : !output) {schedule = #schedule}
  return
}

// -----

!query = memref<1x64x1x512xbf16>
!rope = memref<1x64x1x64xbf16>
!key = memref<9x1x64x512xbf16>
!key_rope = memref<9x1x64x64xbf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = [consumer(registers = 184), multiplier(name = "scores", registers = 104), producer(registers = 40)], split_kv = true>

// Columns in an array of their own, of pages, where keys are divided among programs: they are the
// last group.

// CHECK-LABEL: func.func @pages(
// CHECK: attn_tile.for_blocks
// CHECK: %[[K0:.+]] = attn_tile.load {{.+}} -> tensor<64x256xbf16>
// CHECK: %[[K1:.+]] = attn_tile.load {{.+}} -> tensor<64x256xbf16>
// CHECK: %[[ROPE:.+]] = attn_tile.load {{.+}} -> tensor<64x64xbf16>
// CHECK: %[[S0:.+]] = attn_tile.dot %{{.+}}, %[[K0]], %{{.+}} transpose_rhs apart = "scores"
// CHECK: %[[S1:.+]] = attn_tile.dot %{{.+}}, %[[K1]], %[[S0]] transpose_rhs apart = "scores"
// CHECK: attn_tile.dot %{{.+}}, %[[ROPE]], %[[S1]] transpose_rhs apart = "scores"
// CHECK: attn_tile.reuse %{{.+}} over %[[ROPE]]
// CHECK: scf.if
// CHECK-COUNT-2: attn_tile.store %{{.+}} : tensor<64x256xbf16>
// CHECK: else
// CHECK-COUNT-2: attn_tile.store %{{.+}} : tensor<64x256xf32>
func.func @pages(%q: !query, %qr: !rope, %k: !key, %kr: !key_rope, %t: memref<1x9xi32>, %o: !query) {
  attn.attention ins(%q, %k : !query, !key) value_dims [0, 512]
      pages(%t : memref<1x9xi32>)
      with(query_rope %qr : !rope, key_rope %kr : !key_rope) outs(%o : !query) {schedule = #schedule}
  return
}

// -----

!array = memref<1x4x200x512xbf16>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, stages = 1, softmax = lazy, roles = [consumer(registers = 184), multiplier(name = "scores", registers = 104), producer(registers = 40)]>

// Values of their own come in groups, too.

// CHECK-LABEL: func.func @values(
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-4: attn_tile.load {{.+}} -> tensor<64x256xbf16>
// CHECK-NOT: attn_tile.load
// CHECK-COUNT-2: attn_tile.dot {{.+}} apart = "scores"
// CHECK-NOT: attn_tile.reuse
// CHECK-COUNT-2: attn_tile.dot %{{.+}} : tensor<64x64xbf16>, tensor<64x256xbf16>, tensor<64x256xf32>
func.func @values(%q: !array, %k: !array, %v: !array, %o: !array) {
  attn.attention ins(%q, %k, %v : !array, !array, !array) outs(%o : !array) {schedule = #schedule}
  return
}
