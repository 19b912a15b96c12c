// RUN: attn-opt %s -attn-to-tile=chip=sm_80 | FileCheck %s --check-prefix=GRID
// RUN: attn-opt %s -attn-to-tile=chip=sm_80 -attn-assign-layouts | FileCheck %s --check-prefix=LAYOUT
// RUN: attn-opt %s -attn-to-tile=chip=sm_80 -attn-assign-layouts -attn-pipeline-loads | FileCheck %s --check-prefix=COPY
// RUN: attn-opt %s -attn-to-tile=chip=sm_80 -attn-assign-layouts -attn-pipeline-loads=aligned=true \
// RUN:   -convert-attn-tile-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: attn-opt %s -attn-to-tile=chip=sm_80 -attn-assign-layouts -attn-pipeline-loads -convert-attn-tile-to-nvvm \
// RUN:   -canonicalize -attn-sink-constants -gpu-kernel-outlining | FileCheck %s --check-prefix=KERNEL
// RUN: attn-opt %s -attn-to-tile=chip=sm_80 -attn-assign-layouts -attn-pipeline-loads -verify-roundtrip -o /dev/null

!t = memref<2x3x128x64xf16>
func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// One block of 128 threads for each of 2 * 3 * 2 programs, on a linear grid.
// GRID-DAG: %[[BLOCKS:.+]] = arith.constant 12 : index
// GRID-DAG: %[[THREADS:.+]] = arith.constant 128 : index
// GRID-NOT: scf.forall
// GRID: gpu.launch blocks({{.*}}) in ({{.*}} = %[[BLOCKS]], {{.*}}) threads({{.*}}) in ({{.*}} = %[[THREADS]],
// GRID: attn_tile.dot

// Keys and values stay in shared memory, the query moves to registers once.
// LAYOUT: %[[Q:.+]] = attn_tile.load {{.*}} -> tensor<64x64xf16, #attn_tile.shared<padding = 16>>
// LAYOUT: %[[QR:.+]] = attn_tile.convert_layout %[[Q]]
// LAYOUT: scf.for
// LAYOUT: attn_tile.load {{.*}} -> tensor<64x64xf16, #attn_tile.shared<padding = 16>>
// LAYOUT: attn_tile.dot %[[QR]],
// LAYOUT: attn_tile.reduce {{.*}} -> tensor<64xf32, #attn_tile.slice<axis = 1, parent = <warps = 4>>>

// A step waits, begins the copies of the next, then works on its own slot.
// COPY: gpu.launch {{.*}} dynamic_shared_memory_size
// COPY: attn_tile.copy_async
// COPY: scf.for
// COPY-NEXT: nvvm.cp.async.wait.group 0
// COPY-NEXT: gpu.barrier
// COPY: scf.if
// COPY-COUNT-2: attn_tile.copy_async
// COPY: nvvm.cp.async.commit.group
// COPY: attn_tile.load {{.*}}#gpu.address_space<workgroup>> -> tensor
// COPY: attn_tile.dot

// NVVM-NOT: attn_tile.{{[a-z]}}
// NVVM: nvvm.cp.async.shared.global
// NVVM: nvvm.ldmatrix
// NVVM: nvvm.mma.sync
// NVVM: nvvm.shfl.sync bfly
// NVVM-NOT: attn_tile.{{[a-z]}}

// Only the arrays are parameters.
// KERNEL: gpu.launch_func @main_kernel::@main_kernel
// KERNEL-SAME: args(%{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>)
