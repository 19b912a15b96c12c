// RUN: attn-opt %s -split-input-file -attn-assign-tiles -convert-attn-to-tile -canonicalize -cse | FileCheck %s

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xi8>

// The mean of the program's key head is read once and added in f32, after the values' scale and before the output is rounded; nothing else writes
// the output. A row without keys gets none.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[MEAN:[a-z0-9]+]]: memref<2x2x1x64xf32>, %[[O:[a-z0-9]+]]: memref<2x4x100x64xf16>
// CHECK: attn_tile.grid (%[[B:.+]], %{{.+}}, %{{.+}}) to
// CHECK: %[[KV:.+]] = affine.apply
// CHECK: attn_tile.for_blocks
// CHECK-NOT: %[[MEAN]]
// CHECK: %[[INVERSE:.+]], %{{.+}} = attn_tile.softmax_finish
// CHECK: %[[SCALED:.+]] = arith.mulf %{{.+}}, %{{.+}} : tensor<[[R:[0-9]+]]x64xf32>
// CHECK: %[[OUTPUT:.+]] = arith.mulf %[[SCALED]],
// CHECK: %[[EMPTY:.+]] = arith.cmpf oeq, %[[INVERSE]], %
// CHECK: %[[WEIGHT:.+]] = arith.select %[[EMPTY]], %
// CHECK: %[[ROW:.+]] = attn_tile.load %[[MEAN]][%[[B]], %[[KV]], %c0, %c0] : memref<2x2x1x64xf32> -> tensor<64xf32>
// CHECK: %[[OF_ROWS:.+]] = attn_tile.broadcast %[[ROW]] along 0
// CHECK: %[[WEIGHTS:.+]] = attn_tile.broadcast %[[WEIGHT]] along 1
// CHECK: %[[PART:.+]] = arith.mulf %[[OF_ROWS]], %[[WEIGHTS]] fastmath<contract>
// CHECK: %[[SUM:.+]] = arith.addf %[[OUTPUT]], %[[PART]] fastmath<contract> : tensor<[[R]]x64xf32>
// CHECK: %[[ROUNDED:.+]] = arith.truncf %[[SUM]]
// CHECK: attn_tile.store %[[ROUNDED]], %[[O]]
// CHECK-NOT: attn_tile.grid
// CHECK-NOT: attn_tile.store
func.func @mean(%q: !q, %k: !k, %vs: memref<2x2xf32>, %m: memref<2x2x1x64xf32>, %o: !q) {
  attn.attention ins(%q, %k, %k : !q, !k, !k) with(value_scale %vs : memref<2x2xf32>, value_mean %m : memref<2x2x1x64xf32>) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xi8>

// With a sink, the mean is multiplied by 1 - exp(sink - lse) in each row. A mean that is one number is splat. The output's scale is applied last.
// CHECK-LABEL: func.func @sink(
// CHECK-SAME: %[[MEAN:[a-z0-9]+]]: memref<1x1x1x1xf32>
// CHECK: %[[INVERSE:.+]], %[[LSE:.+]] = attn_tile.softmax_finish %{{.+}} sink(%[[SINK:.+]] : tensor
// CHECK: %[[LESS:.+]] = arith.subf %[[SINK]], %[[LSE]]
// CHECK: %[[P:.+]] = math.exp %[[LESS]]
// CHECK: %[[REST:.+]] = arith.subf %{{.+}}, %[[P]]
// CHECK: %[[WEIGHT:.+]] = arith.select %{{.+}}, %{{.+}}, %[[REST]]
// CHECK: attn_tile.gather %[[MEAN]][%c0, %c0, %c0, %c0]
// CHECK: attn_tile.broadcast %[[WEIGHT]] along 1
// CHECK: %[[SUM:.+]] = arith.addf
// CHECK: arith.divf
// CHECK: arith.mulf %[[SUM]], %
// CHECK: attn_tile.store
func.func @sink(%q: !q, %k: !k, %m: memref<1x1x1x1xf32>, %sink: memref<4xf32>, %os: memref<f32>, %o: memref<2x4x100x64xf8E4M3FN>) {
  attn.attention ins(%q, %k, %k : !q, !k, !k) sink(%sink : memref<4xf32>)
      with(value_mean %m : memref<1x1x1x1xf32>, output_scale %os : memref<f32>) outs(%o : memref<2x4x100x64xf8E4M3FN>)
  return
}

// -----

!q = memref<1x4x1x64xf16>
!k = memref<1x2x4096x64xi8>

// Where keys are divided among programs, each part has the mean, and the grid that merges them does not.
// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[MEAN:[a-z0-9]+]]: memref<1x2x1x64xf32>
// CHECK: attn_tile.grid
// CHECK: attn_tile.for_blocks
// CHECK: scf.if
// CHECK: attn_tile.load %[[MEAN]]
// CHECK: else
// CHECK: attn_tile.load %[[MEAN]]
// CHECK-NOT: %[[MEAN]]
func.func @split(%q: !q, %k: !k, %m: memref<1x2x1x64xf32>, %sink: memref<4xf32>, %o: !q) {
  attn.attention ins(%q, %k, %k : !q, !k, !k) sink(%sink : memref<4xf32>) with(value_mean %m : memref<1x2x1x64xf32>) outs(%o : !q)
      {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, split_kv = true>}
  return
}

// -----

!q = memref<1x4x100x64xbf16>
!k = memref<1x2x90x64xi8>
!row = memref<1x4x100xf32>

// Gradients subtract the mean from the output where they compute delta, and only there: values are copied without it.
// CHECK-LABEL: func.func @gradients(
// CHECK-SAME: %[[O:[a-z0-9]+]]: memref<1x4x100x64xbf16>, %{{[a-z0-9]+}}: memref<1x4x100xf32>, %[[MEAN:[a-z0-9]+]]: memref<1x2x1x64xf32>
// CHECK-NOT: %[[MEAN]]
// CHECK-COUNT-2: arith.sitofp
// CHECK: attn_tile.grid
// CHECK: %[[ROWS:.+]] = attn_tile.load %[[O]]
// CHECK: %[[WIDE:.+]] = arith.extf %[[ROWS]]
// CHECK: %[[OF_HEAD:.+]] = attn_tile.load %[[MEAN]]
// CHECK: %[[BROADCAST:.+]] = attn_tile.broadcast %[[OF_HEAD]] along 0
// CHECK: %[[LESS:.+]] = arith.subf %[[WIDE]], %[[BROADCAST]]
// CHECK: arith.mulf %[[LESS]],
// CHECK: attn_tile.reduce add
// CHECK-NOT: %[[MEAN]]
func.func @gradients(%q: !q, %k: !k, %o: !q, %lse: !row, %m: memref<1x2x1x64xf32>, %d: !q) {
  attn.attention_backward wrt(query) ins(%q, %k, %k, %o, %lse, %o : !q, !k, !k, !q, !row, !q)
      with(value_mean %m : memref<1x2x1x64xf32>) outs(%d : !q)
  return
}
