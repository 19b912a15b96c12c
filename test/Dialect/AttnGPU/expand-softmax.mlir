// RUN: attn-opt %s -allow-unregistered-dialect -split-input-file -attn-gpu-expand-softmax -canonicalize -cse | FileCheck %s

// The structure of each kind of step: its branches, the values of single lanes, and the values that
// a loop carries. test/Simulator/softmax.test checks the numbers.

// A maximum of whole rows in each step.
// CHECK-LABEL: attn_gpu.kernel @strict(
// CHECK-NOT: attn_gpu.{{vote_any|reduce_thread|combine_quad}}
// CHECK: %[[R:.+]]:3 = scf.for
// CHECK: %[[S:.+]] = "test.scores"
// CHECK-NOT: scf.if
// CHECK: %[[OWN:.+]] = attn_gpu.reduce_thread maxnum %[[S]] along 1
// CHECK: attn_gpu.combine_quad maxnum %[[OWN]]
// CHECK-NOT: scf.if
// CHECK: attn_tile.reduce add %{{.+}} along 1
// CHECK-NOT: scf.if
// CHECK: scf.yield
// CHECK: math.log %[[R]]#2
// CHECK-NOT: attn_gpu.{{vote_any|reduce_thread|combine_quad}}
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf16>
!output = tensor<128x48xf32>
!rows = tensor<128xf32>
attn_gpu.kernel @strict(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}

// -----

// A step tries the exponent biases that its rows have: lanes add their own probabilities,
// and only if a sum is above 2^14 or no number, the warp looks for the maximum, makes the
// probabilities again and rescales. What a bias adds in the exponent is carried, and is
// infinite at first: no sum passes then. The sum over lanes comes after the loop.
// CHECK-LABEL: attn_gpu.kernel @lazy(
// CHECK-SAME: %[[ACC0:[^:]+]]: tensor<128x48xf32>
// CHECK-DAG: %[[LARGEST:.+]] = arith.constant dense<1.638400e+04> : tensor<128xf32>
// CHECK-DAG: %[[INF:.+]] = arith.constant dense<0x7F800000> : tensor<128xf32>
// CHECK: %[[R:.+]]:4 = scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[ACC0]], %[[M:.+]] = %{{.+}}, %[[L:.+]] = %{{.+}}, %[[OFFSET:.+]] = %[[INF]]) ->
// CHECK: %[[S:.+]] = "test.scores"
// CHECK-NOT: {{maxnum|combine_quad|scf.if|tensor<128x48xf32>}}
// CHECK: %[[P:.+]] = math.exp2 %{{.+}} : tensor<128x64xf32>
// CHECK-NOT: {{maxnum|combine_quad|scf.if|tensor<128x48xf32>}}
// CHECK: %[[SUM:.+]] = attn_gpu.reduce_thread add %[[P]] along 1
// CHECK-DAG: %[[TRIED:.+]] = arith.truncf %[[P]]
// CHECK-DAG: %[[ABOVE:.+]] = arith.cmpf ugt, %[[SUM]], %[[LARGEST]]
// CHECK: %[[ANY:.+]] = attn_gpu.vote_any %[[ABOVE]]
// CHECK: %[[NEXT:.+]]:5 = scf.if %[[ANY]]
// CHECK: %[[MAX:.+]] = attn_gpu.reduce_thread maxnum %[[S]] along 1
// CHECK: attn_gpu.combine_quad maxnum %[[MAX]]
// CHECK: arith.mulf %[[ACC]],
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[TRIED]], %[[M]], %{{.+}}, %[[OFFSET]], %[[ACC]]
// CHECK: %[[O:.+]] = "test.dot"(%[[NEXT]]#0, %[[NEXT]]#4)
// CHECK: scf.yield %[[O]], %[[NEXT]]#1, %[[NEXT]]#2, %[[NEXT]]#3
// CHECK: attn_gpu.combine_quad add %[[R]]#2
// CHECK-NOT: attn_gpu.combine_quad
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf16>
!output = tensor<128x48xf32>
!rows = tensor<128xf32>
attn_gpu.kernel @lazy(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}

// -----

// The first step of a state has no running max to keep, so it has no branch. It rescales
// accumulators that are not known to be zeros.
// CHECK-LABEL: attn_gpu.kernel @first_step(
// CHECK-SAME: %[[ACC0:[^:]+]]: tensor<128x48xf32>
// CHECK: %[[S:.+]] = "test.scores"
// CHECK-NOT: {{scf.if|vote_any|arith.mulf %.* : tensor<128x48xf32>}}
// CHECK: %[[MAX:.+]] = attn_gpu.reduce_thread maxnum %[[S]] along 1
// CHECK: %[[ALL:.+]] = attn_gpu.combine_quad maxnum %[[MAX]]
// CHECK-NOT: {{scf.if|vote_any}}
// CHECK: %[[SCALED0:.+]] = arith.mulf %[[ACC0]], {{.*}} : tensor<128x48xf32>
// CHECK-NOT: {{scf.if|vote_any}}
// CHECK: %[[P:.+]] = math.exp2 %{{.+}} : tensor<128x64xf32>
// CHECK: %[[P16:.+]] = arith.truncf %[[P]]
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[SCALED0]], {{.*}} = %[[P16]])
// CHECK: %[[O:.+]] = "test.dot"
// CHECK: attn_gpu.vote_any
// CHECK: scf.if
// CHECK: arith.mulf %[[O]],
// CHECK: } else {
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf16>
!output = tensor<128x48xf32>
!rows = tensor<128xf32>
attn_gpu.kernel @first_step(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %s0 = "test.scores"() : () -> !scores
  %p0, %state0, %scaled0 = attn_tile.softmax_update %s0, %init rescale(%acc0)
      : (!scores, !state, !output) -> (!probs, !state, !output)
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %scaled0, %state = %state0, %w = %p0) -> (!output, !state, !probs) {
    %s = "test.scores"() : () -> !scores
    %o = "test.dot"(%w, %acc) : (!probs, !output) -> !output
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%o)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    scf.yield %scaled, %next, %p : !output, !state, !probs
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %r#2, %inverse) : (!output, !probs, !rows) -> ()
}

// -----

// Zeros are not rescaled.
// CHECK-LABEL: attn_gpu.kernel @first_step_of_zeros(
// CHECK: attn_gpu.combine_quad maxnum
// CHECK-NOT: arith.mulf {{.*}} : tensor<128x48xf32>
// CHECK: "test.use"
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf16>
!output = tensor<128x48xf32>
attn_gpu.kernel @first_step_of_zeros()
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %zeros = arith.constant dense<0.0> : !output
  %init = attn_tile.softmax_init : !state
  %s0 = "test.scores"() : () -> !scores
  %p0, %state0, %scaled0 = attn_tile.softmax_update %s0, %init rescale(%zeros)
      : (!scores, !state, !output) -> (!probs, !state, !output)
  %inverse, %lse = attn_tile.softmax_finish %state0 : !state -> tensor<128xf32>, tensor<128xf32>
  "test.use"(%p0, %scaled0, %inverse) : (!probs, !output, tensor<128xf32>) -> ()
}

// -----

// Row vectors have the layout of the scores' rows.
// CHECK-LABEL: attn_gpu.kernel @layout(
// CHECK: scf.for {{.*}} -> (tensor<128x48xf32, #attn_gpu.mma<warps = 8>>, [[ROWS:tensor<128xf32, #attn_gpu.slice<axis = 1, parent = <warps = 8>>>]], [[ROWS]], [[ROWS]])
// CHECK: attn_gpu.reduce_thread add %{{.+}} along 1 : tensor<128x64xf32, #attn_gpu.mma<warps = 8>> -> [[ROWS]]
// CHECK: arith.truncf %{{.+}} : tensor<128x64xf32, #attn_gpu.mma<warps = 8>> to tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
// CHECK: attn_gpu.vote_any %{{.+}} : tensor<128xi1, #attn_gpu.slice<axis = 1, parent = <warps = 8>>>
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32, #attn_gpu.mma<warps = 8>>
!probs = tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
!output = tensor<128x48xf32, #attn_gpu.mma<warps = 8>>
!rows = tensor<128xf32, #attn_gpu.slice<axis = 1, parent = <warps = 8>>>
attn_gpu.kernel @layout(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}

// -----

// Probabilities of 8 bits: the bound of a lane's sum is 448. An exact state carries another bound,
// which an update sets to a multiple of its sums. What reads the accumulators has no part in it.
// CHECK-LABEL: attn_gpu.kernel @narrow(
// CHECK: %[[LARGEST:.+]] = arith.constant dense<4.480000e+02> : tensor<128xf32>
// CHECK: scf.for {{.*}} -> (tensor<128x48xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) {
// CHECK-NOT: arith.minnumf
// CHECK: arith.cmpf ugt, %{{.+}}, %[[LARGEST]]
// CHECK-NOT: arith.minnumf
// CHECK: arith.addf %{{.+}} : tensor<128x48xf32>
// CHECK-LABEL: attn_gpu.kernel @exact(
// CHECK: %[[LARGEST:.+]] = arith.constant dense<4.480000e+02> : tensor<128xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[LIMIT:.+]] = %[[LARGEST]]) -> (tensor<128x48xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) {
// CHECK: arith.cmpf ugt, %{{.+}}, %[[LIMIT]]
// CHECK: scf.if
// CHECK: arith.minnumf %{{.+}}, %[[LARGEST]]
// CHECK: "test.dot"
// A strict state needs no bound.
// CHECK-LABEL: attn_gpu.kernel @exact_strict(
// CHECK: scf.for {{.*}} -> (tensor<128x48xf32>, tensor<128xf32>, tensor<128xf32>) {
!state = !attn_tile.softmax<128, factor = 0.125>
!exact = !attn_tile.softmax<128, factor = 0.125, exact = true>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf8E4M3FN>
!output = tensor<128x48xf32>
!rows = tensor<128xf32>
attn_gpu.kernel @narrow(%acc0: !output, %part: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %sum = arith.addf %scaled, %part : !output
    %o = "test.dot"(%p, %sum) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}
attn_gpu.kernel @exact(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !exact
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !exact) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !exact, !output) -> (!probs, !exact, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !exact
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !exact -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}
attn_gpu.kernel @exact_strict(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !exact
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !exact) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !exact, !output) -> (!probs, !exact, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !exact
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !exact -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}

// -----

// Each launch is expanded as its schedule says. The pass does not change a state outside of a
// launch.
// CHECK-LABEL: attn_gpu.kernel @strict_too(
// CHECK-NOT: vote_any
// CHECK-LABEL: attn_gpu.kernel @lazy_too(
// CHECK: vote_any
// CHECK-LABEL: func.func @host(
// CHECK: attn_tile.softmax_init
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf16>
!output = tensor<128x48xf32>
!rows = tensor<128xf32>
attn_gpu.kernel @strict_too(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}
attn_gpu.kernel @lazy_too(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}
func.func @host() -> !rows {
  %init = attn_tile.softmax_init : !state
  %inverse, %lse = attn_tile.softmax_finish %init : !state -> !rows, !rows
  return %lse : !rows
}

// -----

// Warpgroups that divide the scores of their rows vote together whether to compute a new maximum.
// They exchange their partial results of a row in memory after the kernel's other shared memory.
// CHECK-LABEL: attn_gpu.kernel @divided(
// CHECK-SAME: shared 1536 {
// CHECK-NOT: vote_any
// CHECK: %[[ANY:.+]] = attn_gpu.vote_warps
// CHECK: scf.if %[[ANY]]
// CHECK: %[[MAX:.+]] = attn_gpu.combine_quad maxnum
// CHECK: attn_gpu.combine_warps maxnum %[[MAX]] at 1024 : tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 8, copies = 2>>>
// CHECK: } else {
// CHECK: "test.dot"
// CHECK: %[[SUM:.+]] = attn_gpu.combine_quad add
// CHECK: attn_gpu.combine_warps add %[[SUM]] at 1024
!state = !attn_tile.softmax<64, factor = 0.125>
!scores = tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
!probs = tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>
!output = tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
!rows = tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 8, copies = 2>>>
attn_gpu.kernel @divided(%acc0: !output, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, softmax = lazy, roles = producer_consumer> threads 384 shared 1020 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %acc0, %state = %init) -> (!output, !state) {
    %s = "test.scores"() : () -> !scores
    %p, %next, %scaled = attn_tile.softmax_update %s, %state rescale(%acc)
        : (!scores, !state, !output) -> (!probs, !state, !output)
    %o = "test.dot"(%p, %scaled) : (!probs, !output) -> !output
    scf.yield %o, %next : !output, !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r#1 : !state -> !rows, !rows
  "test.use"(%r#0, %inverse, %lse) : (!output, !rows, !rows) -> ()
}

// -----

// A lazy step multiplies its exponents' factor by the factors of rows, and the scores themselves
// only where it needs a new maximum. The first step always does.
// CHECK-LABEL: attn_gpu.kernel @row_factors(
// CHECK-SAME: %[[F:[^:]+]]: tensor<128xf32>
// CHECK-DAG: %[[C:.+]] = arith.constant dense<0.180336878> : tensor<128xf32>
// CHECK: %[[FIRST:.+]] = "test.scores"
// CHECK: %[[SCALED:.+]] = arith.select
// CHECK: attn_gpu.reduce_thread maxnum %[[SCALED]] along 1
// CHECK: scf.for
// CHECK: %[[S:.+]] = "test.scores"
// CHECK-NOT: arith.mulf %[[S]]
// CHECK: %[[FC:.+]] = arith.mulf %[[F]], %[[C]]
// CHECK: %[[ROWS:.+]] = attn_tile.broadcast %[[FC]] along 1
// CHECK: math.fma %[[S]], %[[ROWS]],
// CHECK-NOT: arith.mulf %[[S]]
// CHECK: scf.if
// CHECK: %[[PRODUCT:.+]] = arith.mulf %[[S]],
// CHECK: %[[NEW:.+]] = arith.select %{{.+}}, %{{.+}}, %[[PRODUCT]]
// CHECK: attn_gpu.reduce_thread maxnum %[[NEW]] along 1
// CHECK: } else {
!state = !attn_tile.softmax<128, factor = 0.125>
!scores = tensor<128x64xf32>
!probs = tensor<128x64xf16>
attn_gpu.kernel @row_factors(%f: tensor<128xf32>, %n: index)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, softmax = lazy, roles = producer_consumer> threads 256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = attn_tile.softmax_init : !state
  %s0 = "test.scores"() : () -> !scores
  %p0, %first = attn_tile.softmax_update %s0, %init times(%f)
      : (!scores, !state, tensor<128xf32>) -> (!probs, !state)
  "test.use"(%p0) : (!probs) -> ()
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%state = %first) -> (!state) {
    %s = "test.scores"() : () -> !scores
    %p, %next = attn_tile.softmax_update %s, %state times(%f)
        : (!scores, !state, tensor<128xf32>) -> (!probs, !state)
    "test.use"(%p) : (!probs) -> ()
    scf.yield %next : !state
  }
  %inverse, %lse = attn_tile.softmax_finish %r : !state -> tensor<128xf32>, tensor<128xf32>
  "test.use"(%inverse, %lse) : (tensor<128xf32>, tensor<128xf32>) -> ()
}

// -----

// What a warp has is multiplied by the factors of its rows, with a lazy softmax only if one of them
// is not 1.
// CHECK-LABEL: attn_gpu.kernel @rescale_strict(
// CHECK-NOT: attn_gpu.vote_any
// CHECK: arith.mulf
// CHECK-NOT: attn_tile.rescale
!output = tensor<128x48xf32>
!rows = tensor<128xf32>
attn_gpu.kernel @rescale_strict(%acc: !output, %factor: !rows)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = element> threads 256 {
  %0 = attn_tile.rescale %acc by %factor : !rows, !output
  "test.use"(%0) : (!output) -> ()
}

// CHECK-LABEL: attn_gpu.kernel @rescale_lazy(
// CHECK: %[[IS:.+]] = arith.cmpf une, %{{.+}}, %{{.+}} : tensor<128xf32>
// CHECK: %[[ANY:.+]] = attn_gpu.vote_any %[[IS]]
// CHECK: scf.if %[[ANY]]
// CHECK: arith.mulf
// CHECK: } else {
// CHECK-NOT: arith.mulf
// CHECK: }
attn_gpu.kernel @rescale_lazy(%acc: !output, %factor: !rows)
    target <chip = "sm_90a"> schedule <tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = element, softmax = lazy> threads 256 {
  %0 = attn_tile.rescale %acc by %factor : !rows, !output
  "test.use"(%0) : (!output) -> ()
}
