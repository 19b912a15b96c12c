// Halves of a tile in registers are stored one after the other through the same shared memory.

// RUN: attn-opt %S/../../Programs/staged-halves.mlir -attn-to-gpu=chip=sm_90a | FileCheck %s
// RUN: sed 's/stages = 4/stages = 2/' %S/../../Programs/staged-halves.mlir | attn-opt -attn-to-gpu=chip=sm_90a | FileCheck %s --check-prefix=ROOM
// RUN: sed 's/128x128/128x124/g; s/128, 128\] \[1/128, 124] [1/' %S/../../Programs/staged-halves.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=COLUMNS --implicit-check-not=error:
// RUN: sed 's/warps = 8/warps = 16/' %S/../../Programs/staged-halves.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=DIVIDED --implicit-check-not=error:

// CHECK-LABEL: attn_gpu.kernel @staged_halves_tma(
// CHECK: %[[ALL:.+]] = arith.truncf %{{.+}} to tensor<128x256xf16, #attn_gpu.mma<warps = 8>>
// CHECK-DAG: %[[FIRST:.+]] = attn_gpu.columns %[[ALL]] from 0 : tensor<128x256xf16, #attn_gpu.mma<warps = 8>> -> tensor<128x128xf16, #attn_gpu.mma<warps = 8>>
// CHECK-DAG: %[[SECOND:.+]] = attn_gpu.columns %[[ALL]] from 128 : tensor<128x256xf16, #attn_gpu.mma<warps = 8>> -> tensor<128x128xf16, #attn_gpu.mma<warps = 8>>
// CHECK: attn_gpu.store_async %[[FIRST]] to %{{.+}} through [[PLACE:[0-9]+]] :
// CHECK: attn_gpu.store_async %[[SECOND]] to %{{.+}} through [[PLACE]] :
// CHECK-NOT: attn_tile.store

// ROOM: attn_gpu.store_async %{{.+}} to %{{.+}} through [[PLACE:[0-9]+]] :
// ROOM-NOT: through [[PLACE]] :
// ROOM: attn_gpu.store_async

// COLUMNS: error: 'tensor.extract_slice' op expected tiles of which 8 warps have 16 rows and 8 columns each, or a multiple, found 'tensor<128x124xf16>'
// DIVIDED: error: 'attn_gpu.columns' op expected tiles of layout swizzled, of layout shared with rows as far apart, or of one layout mma whose warps have all columns of their rows, found
