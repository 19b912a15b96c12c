// RUN: attn-opt %S/../../Programs/four-roles.mlir | FileCheck %s --check-prefix=PRINT
// RUN: attn-opt %S/../../Programs/four-roles.mlir -attn-to-gpu=chip=sm_90a | FileCheck %s
// RUN: sed 's/transpose_rhs apart/transpose_rhs/' %S/../../Programs/four-roles.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/attn_tile.yield %next : !output/attn_tile.store %rounded, %k[%h, %j, %c0] : !rounded, !array\n&/' %S/../../Programs/four-roles.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=OTHER

// Four roles: two warpgroups with half of the columns each, one that extends values, one
// that multiplies for the first two, and one that copies.

// PRINT: roles = [converter, multiplier, producer]
// PRINT: attn_tile.dot {{.+}} transpose_rhs apart

// CHECK-LABEL: attn_gpu.kernel @four_roles_tma(
// CHECK: attn_gpu.init_ring %[[Q:.+]] readers 1 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[K:.+]] readers 1 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[V:.+]] readers 4 : <2, tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[W:.+]] readers 2 writers 4 : <2, tensor<64x128xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[P:.+]] readers 2 writers 4 : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.roles warpgroups [2, 1, 1, 1] registers [168, 56, 64, 24] elected [false, false, false, true]
// CHECK-DAG: attn_gpu.acquire %[[W]][
// CHECK-DAG: attn_gpu.acquire %[[P]][
// CHECK: attn_gpu.mma {{.+}}, tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
// CHECK: attn_gpu.mma_wait
// CHECK: attn_gpu.release %[[P]][
// CHECK: }, {
// CHECK: attn_gpu.acquire %[[V]][
// CHECK-NOT: = attn_gpu.mma %
// CHECK: attn_gpu.put %{{.+}} to %[[W]][
// CHECK: }, {
// CHECK: attn_gpu.acquire %[[Q]][
// CHECK: attn_gpu.acquire %[[K]][
// CHECK: attn_gpu.mma {{.+}} transpose_rhs : {{.+}}, tensor<64x64xf32, #attn_gpu.mma<warps = 4, first_warp = 12>>
// CHECK: attn_gpu.put %{{.+}} to %[[P]][
// CHECK: }, {
// CHECK: attn_gpu.fill

// NONE: error: 'attn_gpu.kernel' op expected products that are 'apart' for a multiplier, and others that read them, found none
// OTHER: error: 'attn_tile.store' op expected element-wise ops, softmax ops, branches and products alone to read what is computed apart, found this
