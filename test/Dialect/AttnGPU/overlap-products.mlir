// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-set-target=chip=sm_90a -attn-gpu-overlap-products -canonicalize | FileCheck %s

// The first step's weights before the loop, each step's product in the next one,
// beside its scores, and the last product after the loop.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: %[[K:[^:]+]]: memref<?x64xf16>, %[[V:[^:]+]]: memref<?x64xf16>, %{{[^:]+}}: index, %[[GIVEN:[^:]+]]: tensor<128x64xf32>, %[[ROW:[^:]+]]: tensor<128xf32>
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[C192:.+]] = arith.constant 192 : index
// CHECK-DAG: %[[C256:.+]] = arith.constant 256 : index
// CHECK: %[[Q:.+]] = attn_tile.load
// CHECK: %[[KEYS:.+]] = attn_tile.load %[[K]][%[[C0]], %[[C0]]] : memref<?x64xf16> -> tensor<64x64xf16>
// CHECK-NOT: attn_tile.load
// CHECK: attn_tile.dot %[[Q]], %[[KEYS]],
// CHECK: %[[SUM:.+]] = arith.addf %[[ROW]],
// CHECK: %[[WEIGHTS:.+]] = arith.truncf
// CHECK: %[[SCALED:.+]] = arith.mulf %[[GIVEN]],
// CHECK-NOT: attn_tile.dot
// CHECK-NOT: scf.if
// CHECK: %[[R:.+]]:3 = scf.for %[[J:.+]] = %[[C64]] to %[[C256]] step %[[C64]] iter_args(%[[A:.+]] = %[[SCALED]], %[[S:.+]] = %[[SUM]], %[[W:.+]] = %[[WEIGHTS]])
// CHECK-NEXT: %[[KEYS:.+]] = attn_tile.load %[[K]][%[[J]],
// CHECK-NEXT: %[[SCORES:.+]] = attn_gpu.mma %[[Q]], %[[KEYS]], %{{.+}} transpose_rhs
// CHECK-NEXT: %[[BEFORE:.+]] = arith.subi %[[J]], %[[C64]]
// CHECK-NEXT: %[[VALUES:.+]] = attn_tile.load %[[V]][%[[BEFORE]],
// CHECK-NEXT: %[[PRODUCT:.+]] = attn_gpu.mma %[[W]], %[[VALUES]], %[[A]] :
// CHECK-NEXT: attn_gpu.mma_wait 1, %[[SCORES]]
// CHECK: math.exp2
// CHECK: %[[ACC:.+]] = attn_gpu.mma_wait 0, %[[PRODUCT]]
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[S]],
// CHECK: %[[WEIGHTS:.+]] = arith.truncf
// CHECK: %[[SCALED:.+]] = arith.mulf %[[ACC]],
// CHECK: scf.yield %[[SCALED]], %[[SUM]], %[[WEIGHTS]]
// CHECK: %[[VALUES:.+]] = attn_tile.load %[[V]][%[[C192]],
// CHECK: %[[LAST:.+]] = attn_tile.dot %[[R]]#2, %[[VALUES]], %[[R]]#0 :
// CHECK-NOT: attn_tile
// CHECK: "test.use"(%[[LAST]], %[[R]]#1)

!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @steps(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// Without a step there is nothing before or after the loop.
// CHECK-LABEL: func.func @perhaps_no_steps(
// CHECK-SAME: index, %{{[^:]+}}: tensor<128x64xf32>, %[[ROW:[^:]+]]: tensor<128xf32>
// CHECK: %[[NOTHING:.+]] = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
// CHECK: %[[HAS:.+]] = arith.cmpi sgt, %{{.+}}, %{{.+}} : index
// CHECK-NOT: attn_tile.dot
// CHECK: %[[R:.+]]:2 = scf.if %[[HAS]]
// CHECK: attn_tile.dot
// CHECK: scf.for
// CHECK: attn_gpu.mma
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK: attn_tile.dot
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[NOTHING]], %[[ROW]]
// CHECK: "test.use"(%[[R]]#0, %[[R]]#1)
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @perhaps_no_steps(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %zero = arith.constant dense<0.0> : !output
      %r:2 = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// Turns pass when a step's products have begun.
// CHECK-LABEL: func.func @turns(
// CHECK: scf.for
// CHECK-COUNT-2: attn_gpu.mma
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2
// CHECK-NEXT: attn_gpu.mma_wait 1
// CHECK-NOT: attn_gpu.ping_pong_arrive
// CHECK: scf.yield
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @turns(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, ping_pong = true, roles = producer_consumer>}
    return
}

// -----

// The schedule decides.
// CHECK-LABEL: func.func @not_wanted(
// CHECK-NOT: attn_tile.dot_
// CHECK: scf.for {{.*}} = %c0
// CHECK-NOT: attn_tile.dot_
// CHECK: gpu.terminator
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @not_wanted(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer>}
    return
}

// -----

// Other chips' products end at once.
// CHECK-LABEL: func.func @not_tma(
// CHECK-NOT: attn_tile.dot_
// CHECK: scf.for {{.*}} = %c0
// CHECK-NOT: attn_tile.dot_
// CHECK: gpu.terminator
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @not_tma(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async>}
    return
}

// -----

// Another op needs the product within its step.
// CHECK-LABEL: func.func @two_uses(
// CHECK-NOT: attn_tile.dot_
// CHECK: scf.for {{.*}} = %c0
// CHECK-NOT: attn_tile.dot_
// CHECK: gpu.terminator
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @two_uses(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        "test.use"(%o) : (!output) -> ()
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// Whatever uses the accumulator has it after the wait.
// CHECK-LABEL: func.func @accumulator_elsewhere(
// CHECK: %[[PRODUCT:.+]] = attn_gpu.mma
// CHECK: %[[PRODUCT:.+]] = attn_gpu.mma
// CHECK: %[[ACC:.+]] = attn_gpu.mma_wait 0, %[[PRODUCT]]
// CHECK-NEXT: %[[OLD:.+]] = attn_tile.reduce add %[[ACC]] along 1
// CHECK-NEXT: arith.addf %{{.+}}, %[[OLD]]
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @accumulator_elsewhere(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %old = attn_tile.reduce add %acc along 1 : !output -> !row
        %next = arith.addf %sum, %old : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// Values are not transposed.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: attn_tile.dot_
// CHECK: scf.for {{.*}} = %c0
// CHECK-NOT: attn_tile.dot_
// CHECK: gpu.terminator
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @transposed(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = attn_tile.dot %p, %values, %scaled transpose_rhs : !weights, !keys, !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// One product a step has nothing to run beside.
// CHECK-LABEL: func.func @one_product(
// CHECK-NOT: attn_tile.dot_
// CHECK: scf.for {{.*}} = %c0
// CHECK-NOT: attn_tile.dot_
// CHECK: gpu.terminator
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @one_product(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %sum = %row) -> (!output, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %w = math.exp2 %s : !scores
        %add = attn_tile.reduce add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %f = attn_tile.broadcast %add along 1 : !row -> !output
        %scaled = arith.mulf %acc, %f : !output
        %o = arith.addf %scaled, %w : !output
        scf.yield %o, %next : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// What needs the step before, as the weights with its reference do, comes after
// the wait for its product; a mask, here a branch, before. A question whether the
// step is the first has its answer: yes before the loop, which leaves one branch,
// and no in it.
// CHECK-LABEL: func.func @lazy(
// CHECK: attn_tile.dot
// CHECK: scf.if
// CHECK: attn_gpu.reduce_thread maxnum
// CHECK: math.exp2
// CHECK: arith.truncf
// CHECK-NOT: scf.if
// CHECK: scf.for {{.*}} iter_args(%[[A:[^ ]+]] = %{{[^ ]+}}, %[[M:[^ ]+]] = %{{[^ ]+}}, %[[W:[^ ]+]] = %{{[^ ]+}})
// CHECK: %[[STARTED:.+]] = attn_gpu.mma %{{.+}} transpose_rhs
// CHECK: %[[PRODUCT:.+]] = attn_gpu.mma %[[W]], %{{.+}}, %[[A]] :
// CHECK-NEXT: %[[SCORES:.+]] = attn_gpu.mma_wait 1, %[[STARTED]]
// CHECK: %[[MASKED:.+]] = scf.if
// CHECK: %[[ACC:.+]] = attn_gpu.mma_wait 0, %[[PRODUCT]]
// CHECK-NEXT: %[[SHIFT:.+]] = attn_tile.broadcast %[[M]] along 1
// CHECK-NEXT: arith.subf %[[MASKED]], %[[SHIFT]]
// CHECK-NEXT: math.exp2
// CHECK: %[[TRIED:.+]] = arith.truncf
// CHECK: %[[ANY:.+]] = attn_gpu.vote_any
// CHECK-NEXT: %[[NEXT:.+]]:3 = scf.if %[[ANY]]
// CHECK: arith.mulf %[[ACC]],
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[TRIED]], %[[ACC]], %[[M]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[NEXT]]#1, %[[NEXT]]#2, %[[NEXT]]#0
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @lazy(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    %two = arith.constant dense<2.0> : !scores
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      %r:2 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %m = %row) -> (!output, !row) {
        %isFirst = arith.cmpi eq, %j, %c0 : index
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %isMasked = arith.cmpi slt, %j, %n : index
        %masked = scf.if %isMasked -> (!scores) {
          %part = arith.mulf %s, %two : !scores
          scf.yield %part : !scores
        } else {
          scf.yield %s : !scores
        }
        %shift = attn_tile.broadcast %m along 1 : !row -> !scores
        %e = arith.subf %masked, %shift : !scores
        %w = math.exp2 %e : !scores
        %sum = attn_gpu.reduce_thread add %w along 1 : !scores -> !row
        %p = arith.truncf %w : !scores to !weights
        %large = arith.cmpf ugt, %sum, %row : !row
        %any = attn_gpu.vote_any %large : tensor<128xi1>
        %changes = arith.ori %isFirst, %any : i1
        %new:3 = scf.if %changes -> (!weights, !output, !row) {
          %max = attn_gpu.reduce_thread maxnum %masked along 1 : !scores -> !row
          %shift2 = attn_tile.broadcast %max along 1 : !row -> !scores
          %e2 = arith.subf %masked, %shift2 : !scores
          %w2 = math.exp2 %e2 : !scores
          %p2 = arith.truncf %w2 : !scores to !weights
          %f = attn_tile.broadcast %max along 1 : !row -> !output
          %product = arith.mulf %acc, %f : !output
          scf.yield %p2, %product, %max : !weights, !output, !row
        } else {
          scf.yield %p, %acc, %m : !weights, !output, !row
        }
        %o = attn_tile.dot %new#0, %values, %new#1 : !weights, !keys, !output
        scf.yield %o, %new#2 : !output, !row
      }
      "test.use"(%r#0, %r#1) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}

// -----

// Warpgroups that take turns take them in steps of discarded tiles, too.
// CHECK-LABEL: func.func @discarded_turns(
// CHECK: scf.for
// CHECK-NEXT: attn_gpu.ping_pong_wait of 2
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2
// CHECK-NEXT: attn_tile.load
// CHECK-NEXT: attn_gpu.discard
// CHECK-NEXT: attn_tile.load
// CHECK-NEXT: attn_gpu.discard
// CHECK-NEXT: }
// CHECK-NOT: attn_tile.{{take|pass}}_turn
// CHECK: scf.for
// CHECK: attn_gpu.ping_pong_wait of 2
// CHECK-NEXT: attn_gpu.mma
// CHECK: attn_gpu.mma
// CHECK-NEXT: attn_gpu.ping_pong_arrive of 2
// CHECK-NEXT: attn_gpu.mma_wait 1
// CHECK-NOT: attn_tile.{{take|pass}}_turn
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @discarded_turns(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    %ones = arith.constant dense<1.0> : !row
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      scf.for %j = %c0 to %n step %c64 {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        attn_gpu.discard %keys : !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        attn_gpu.discard %values : !keys
      }
      %r:3 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %m = %row, %sum = %row) -> (!output, !row, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %max = attn_gpu.reduce_thread maxnum %s along 1 : !scores -> !row
        %above = arith.cmpf ogt, %max, %m : !row
        %any = attn_gpu.vote_any %above : tensor<128xi1>
        %new:2 = scf.if %any -> (!row, !row) {
          %all = attn_gpu.combine_quad maxnum %max : !row
          %change = arith.subf %m, %all : !row
          %alpha = math.exp2 %change : !row
          scf.yield %all, %alpha : !row, !row
        } else {
          scf.yield %m, %ones : !row, !row
        }
        %shift = attn_tile.broadcast %new#0 along 1 : !row -> !scores
        %e = arith.subf %s, %shift : !scores
        %w = math.exp2 %e : !scores
        %add = attn_gpu.reduce_thread add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %scaled = scf.if %any -> (!output) {
          %f = attn_tile.broadcast %new#1 along 1 : !row -> !output
          %product = arith.mulf %acc, %f : !output
          scf.yield %product : !output
        } else {
          scf.yield %acc : !output
        }
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %new#0, %next : !output, !row, !row
      }
      "test.use"(%r#0, %r#2) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, ping_pong = true, roles = producer_consumer>}
    return
}

// -----

// CHECK-LABEL: func.func @discarded(
// CHECK-NOT: attn_tile.{{take|pass}}_turn
// CHECK: scf.for
// CHECK-NEXT: attn_tile.load
// CHECK-NEXT: attn_gpu.discard
// CHECK-NOT: attn_tile.{{take|pass}}_turn
!array = memref<?x64xf16>
!query = tensor<128x64xf16>
!keys = tensor<64x64xf16>
!scores = tensor<128x64xf32>
!weights = tensor<128x64xf16>
!output = tensor<128x64xf32>
!row = tensor<128xf32>
func.func @discarded(%k: !array, %v: !array, %n: index, %given: !output, %row: !row) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %none = arith.constant dense<0.0> : !scores
    %ones = arith.constant dense<1.0> : !row
    gpu.launch blocks(%b0, %b1, %b2) in (%n0 = %c1, %n1 = %c1, %n2 = %c1)
        threads(%t0, %t1, %t2) in (%m0 = %c256, %m1 = %c1, %m2 = %c1) {
      %q = attn_tile.load %k[%c0, %c0] : !array -> !query
      scf.for %j = %c0 to %n step %c64 {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        attn_gpu.discard %keys : !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        attn_gpu.discard %values : !keys
      }
      %r:3 = scf.for %j = %c0 to %c256 step %c64 iter_args(%acc = %given, %m = %row, %sum = %row) -> (!output, !row, !row) {
        %keys = attn_tile.load %k[%j, %c0] : !array -> !keys
        %values = attn_tile.load %v[%j, %c0] : !array -> !keys
        %s = attn_tile.dot %q, %keys, %none transpose_rhs : !query, !keys, !scores
        %max = attn_gpu.reduce_thread maxnum %s along 1 : !scores -> !row
        %above = arith.cmpf ogt, %max, %m : !row
        %any = attn_gpu.vote_any %above : tensor<128xi1>
        %new:2 = scf.if %any -> (!row, !row) {
          %all = attn_gpu.combine_quad maxnum %max : !row
          %change = arith.subf %m, %all : !row
          %alpha = math.exp2 %change : !row
          scf.yield %all, %alpha : !row, !row
        } else {
          scf.yield %m, %ones : !row, !row
        }
        %shift = attn_tile.broadcast %new#0 along 1 : !row -> !scores
        %e = arith.subf %s, %shift : !scores
        %w = math.exp2 %e : !scores
        %add = attn_gpu.reduce_thread add %w along 1 : !scores -> !row
        %next = arith.addf %sum, %add : !row
        %p = arith.truncf %w : !scores to !weights
        %scaled = scf.if %any -> (!output) {
          %f = attn_tile.broadcast %new#1 along 1 : !row -> !output
          %product = arith.mulf %acc, %f : !output
          scf.yield %product : !output
        } else {
          scf.yield %acc : !output
        }
        %o = attn_tile.dot %p, %values, %scaled : !weights, !keys, !output
        scf.yield %o, %new#0, %next : !output, !row, !row
      }
      "test.use"(%r#0, %r#2) : (!output, !row) -> ()
      gpu.terminator
    } {attn_gpu.schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
    return
}
