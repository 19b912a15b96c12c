// A multiplier that has the softmax: it puts the factors of rescaling and the probabilities into
// rings in each step, and the normalisation and lse into rings once. Its loop alone carries the state.

// RUN: attn-opt %S/../../Programs/softmax-role.mlir -attn-to-gpu=chip=sm_90a | FileCheck %s
// RUN: sed 's/registers = 96/registers = 96, late/' %S/../../Programs/softmax-role.mlir | attn-opt -attn-to-gpu=chip=sm_90a | FileCheck %s --check-prefix=LATE
// DEFINE: %{change} =
// DEFINE: %{message} =
// DEFINE: %{refused} = sed '%{change}' %S/../../Programs/softmax-role.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=%{message} --implicit-check-not=error:
// REDEFINE: %{change} = s/softmax_update .s, .state : (!scores, !state) -> (!rounded, !state)/softmax_update \x25s, \x25state rescale(\x25acc) : (!scores, !state, !output) -> (!rounded, !state, !output)/; s/.p, .next = /\x25p, \x25next, \x25unused = /
// REDEFINE: %{message} = ACCUMULATORS
// RUN: %{refused}
// REDEFINE: %{change} = s/tile_q = 128/tile_q = 64/; s/warps = 8, mma/warps = 4, mma/; s/\[1, 128\]/[1, 64]/; s/(i + 128/(i + 64/; s/tensor<128/tensor<64/; s/softmax<128/softmax<64/
// REDEFINE: %{message} = DIVIDED
// RUN: %{refused}
// REDEFINE: %{change} = s/scf.yield \x25masked : !scores/attn_tile.store \x25masked, \x25lse[\x25h, \x25i] : !scores, !row\n&/
// REDEFINE: %{message} = BRANCH
// RUN: %{refused}
// REDEFINE: %{change} = s/\x25none) */\x25none, \x25last = \x25zero)/; s/(!output, !state) : !attn_tile.domain/(!output, !state, !scores) : !attn_tile.domain/; s/\x25r:2/\x25r:3/; s/yield \x25sum, \x25next : !output, !state/yield \x25sum, \x25next, \x25s : !output, !state, !scores/
// REDEFINE: %{message} = CARRIED
// RUN: %{refused}
// REDEFINE: %{change} = s/.sum = attn_tile.dot .p, .vj, .rescaled/\x25all = arith.addf \x25rescaled, \x25s : !output\n\x25sum = attn_tile.dot \x25p, \x25vj, \x25all/
// REDEFINE: %{message} = MIXED
// RUN: %{refused}

// CHECK-LABEL: attn_gpu.kernel @softmax_role_tma(
// CHECK: attn_gpu.init_ring %[[Q:.+]] readers 2 : <2, tensor<128x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[K:.+]] readers 2 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[V:.+]] readers 2 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK-DAG: attn_gpu.init_ring %[[P:.+]] readers 2 writers 8 : <2, tensor<128x64xf16, #attn_gpu.swizzled>>
// CHECK-DAG: attn_gpu.init_ring %[[ALPHA:.+]] readers 8 writers 8 : <2, tensor<128xf32, #attn_gpu.shared<padding = 0>>>
// CHECK: attn_gpu.roles warpgroups [2, 2, 1] registers [88, 96, 24] elected [false, false, true]
// The consumers carry the output alone, and multiply it only if a factor of the warp is not 1.
// CHECK: scf.for {{.+}} -> (tensor<128x64xf32, #attn_gpu.mma<warps = 8>>, i32
// CHECK-NOT: math.exp2
// CHECK: attn_gpu.vote_any
// CHECK: attn_gpu.mma {{.+}}, tensor<128x64xf32, #attn_gpu.mma<warps = 8>>
// CHECK-NOT: math.exp2
// CHECK: }, {
// CHECK: attn_gpu.mma {{.+}} transpose_rhs : {{.+}}, tensor<128x64xf32, #attn_gpu.mma<warps = 8, first_warp = 8>>
// CHECK: scf.if
// CHECK: arith.cmpi sle
// CHECK: attn_gpu.put %{{.+}} to %[[P]][
// CHECK: attn_gpu.put %{{.+}} to %[[ALPHA]][
// CHECK-NOT: attn_gpu.store_async
// CHECK: }, {
// CHECK: attn_gpu.fill

// With `late`, the probabilities and factors of a step are put when the next step's MMA has ended,
// before its softmax, and those of the last step after the loop.
// LATE: roles = [consumer(registers = 88), multiplier(name = "scores", warps = 8, registers = 96, late), producer(registers = 24)]
// LATE: attn_gpu.roles warpgroups [2, 2, 1]
// LATE: }, {
// LATE: = attn_gpu.mma %
// LATE: attn_gpu.mma_wait 0,
// LATE-NOT: attn_gpu.put
// LATE: scf.for {{.+}} -> ({{.*}}tensor<128x64xf16, #attn_gpu.mma<warps = 8, first_warp = 8>>
// LATE: = attn_gpu.mma %
// LATE-NOT: attn_gpu.put
// LATE: attn_gpu.mma_wait 0,
// LATE-NOT: math.exp2
// LATE: attn_gpu.put
// LATE: attn_gpu.put
// LATE: math.exp2
// LATE-NOT: attn_gpu.put
// LATE: scf.yield {{.+}} : {{.*}}tensor<128x64xf16, #attn_gpu.mma<warps = 8, first_warp = 8>>
// LATE: attn_gpu.put
// LATE: attn_gpu.put

// ACCUMULATORS: error: 'attn_tile.softmax_update' op expected no accumulators beside scores that are computed apart: other roles have them, and rescale them by attn_tile.softmax_factor
// DIVIDED: error: 'attn_tile.softmax_update' op expected warps of a multiplier that have all columns of their rows, as fewer warps may, found scores of 'tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2, first_warp = 4>>'
// BRANCH: error: 'scf.if' op expected a branch without effects to yield what is computed apart, found this
// CARRIED: error: 'attn_tile.yield' op expected a loop to carry no tile of those that are computed apart but softmax states, found 'tensor<128x64xf32>'
// MIXED: error: 'attn_tile.dot' op expected element-wise ops, softmax ops, branches and products alone to read what is computed apart, found this
