// RUN: attn-opt %S/../../Programs/two-multipliers.mlir | FileCheck %s --check-prefix=PRINT
// RUN: attn-opt %S/../../Programs/two-multipliers.mlir -attn-to-gpu=chip=sm_90a | FileCheck %s
// DEFINE: %{change} =
// DEFINE: %{message} =
// DEFINE: %{refused} = sed '%{change}' %S/../../Programs/two-multipliers.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=%{message} --implicit-check-not=error:
// REDEFINE: %{change} = s/apart = "minus"/apart = "other"/
// REDEFINE: %{message} = OTHER
// RUN: %{refused}
// REDEFINE: %{change} = s/apart = "minus"/apart/
// REDEFINE: %{message} = DEFAULT
// RUN: %{refused}
// REDEFINE: %{change} = s/apart = "minus"/apart = "plus"/
// REDEFINE: %{message} = IDLE
// RUN: %{refused}
// REDEFINE: %{change} = s/\(.\)other_product, .scale/\1other_product, \1product/
// REDEFINE: %{message} = BOTH
// RUN: %{refused}
// REDEFINE: %{change} = s/\(.\)ri, .lj, .no_scores/\1ri, \1lj, \1product/
// REDEFINE: %{message} = ADDED
// RUN: %{refused}
// REDEFINE: %{change} = s/registers = 120/registers = 200/
// REDEFINE: %{message} = MANY
// RUN: %{refused}
// REDEFINE: %{change} = s/registers = 104/registers = 104, late/
// REDEFINE: %{message} = LATE
// RUN: %{refused}
// REDEFINE: %{change} = s/registers = 104/warps = 8/
// REDEFINE: %{message} = WARPS
// RUN: %{refused}
// REDEFINE: %{change} = s/producer(/producer(warps = 8, /
// REDEFINE: %{message} = PRODUCER
// RUN: %{refused}
// REDEFINE: %{change} = s/warps = 8, registers = 88/registers = 88/; s/multiplier(name = "plus"/converter(warps = 8, name = "plus"/
// REDEFINE: %{message} = CONVERTER
// RUN: %{refused}
// REDEFINE: %{change} = s/apart = "minus"/apart = ""/
// REDEFINE: %{message} = EMPTY
// RUN: %{refused}
// REDEFINE: %{change} = s/apart = "minus"/apart = 3/
// REDEFINE: %{message} = NUMBER
// RUN: %{refused}

// Without multipliers, all warps compute the products marked `apart`.
// RUN: sed 's/roles = [^>]*>/roles = producer_consumer>/' %S/../../Programs/two-multipliers.mlir | attn-opt -attn-to-gpu=chip=sm_90a | FileCheck %s --check-prefix=TOGETHER

// Two roles that multiply, one of them with two warpgroups, which have half of the columns
// each. Both read loaded tiles, and put their results into rings of their own.

// PRINT: roles = [consumer(registers = 120), multiplier(name = "plus", registers = 104), multiplier(name = "minus", warps = 8, registers = 88), producer(registers = 24)]
// PRINT: attn_tile.dot {{.+}} transpose_rhs apart = "plus" :
// PRINT: attn_tile.dot {{.+}} transpose_rhs apart = "minus" :

// CHECK-LABEL: attn_gpu.kernel @two_multipliers_tma(
// CHECK-SAME: threads 640
// CHECK: attn_gpu.init_ring %[[Q:.+]] readers 1 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[R:.+]] readers 2 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[K:.+]] readers 1 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[L:.+]] readers 2 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[V:.+]] readers 1 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[P:.+]] readers 1 writers 4 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[M:.+]] readers 1 writers 8 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.roles warpgroups [1, 1, 2, 1] registers [120, 104, 88, 24] elected [false, false, false, true]
// CHECK-DAG: attn_gpu.acquire %[[V]][
// CHECK-DAG: attn_gpu.acquire %[[P]][
// CHECK-DAG: attn_gpu.acquire %[[M]][
// CHECK: }, {
// CHECK: attn_gpu.acquire %[[Q]][
// CHECK: attn_gpu.mma {{.+}} transpose_rhs : {{.+}}, tensor<64x64xf32, #attn_gpu.mma<warps = 4, first_warp = 4>>
// CHECK-NOT: attn_gpu.mma %
// CHECK: attn_gpu.put %{{.+}} to %[[P]][
// CHECK: }, {
// CHECK: attn_gpu.acquire %[[R]][
// CHECK: attn_gpu.mma {{.+}} transpose_rhs : {{.+}}, tensor<64x64xf32, #attn_gpu.mma<warps = 8, warps_n = 2, first_warp = 8>>
// CHECK-NOT: attn_gpu.mma %
// CHECK: attn_gpu.put %{{.+}} to %[[M]][
// CHECK: }, {
// CHECK: attn_gpu.fill

// TOGETHER: attn_gpu.roles warpgroups [1, 1]

// OTHER: error: 'attn_tile.dot' op expected 'apart' to name a multiplier of the schedule, 'plus' or 'minus', found 'other'
// DEFAULT: error: 'attn_tile.dot' op expected 'apart' to name a multiplier of the schedule, 'plus' or 'minus', found 'multiplier'
// IDLE: error: 'attn_gpu.kernel' op expected products that are 'apart' for a multiplier, by 'apart = "minus"', and others that read them, found none
// BOTH: error: 'arith.mulf' op expected tiles of products that are apart for one role, and constants, found 'tensor<64x64xf32>' of another op
// ADDED: error: 'attn_tile.dot' op expected element-wise ops, softmax ops, branches and products alone to read what is computed apart, found this
// MANY: error: {{.*}}: roles take more registers than there are: threads of one of 5 warpgroups each have 480 together, of which 200 are left for each consumer and 24 for the producer
// LATE: error: {{.*}}: a multiplier 'plus' that is late needs overlap, and slots for the tiles of two steps, so stages = 2
// WARPS: error: {{.*}}: at most 0 warps compute beside a multiplier 'plus' and a multiplier 'minus', not 4
// PRODUCER: error: {{.*}}: one thread copies by TMA, of a producer of 4 warps, not 8
// CONVERTER: error: {{.*}}: a converter 'plus' has 4 warps, not 8
// EMPTY: error: 'attn_tile.dot' op expected the name of a role as 'apart', found none
// NUMBER: error: {{.*}}
