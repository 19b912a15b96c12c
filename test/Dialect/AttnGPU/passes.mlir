// RUN: attn-opt %s -attn-to-tile="chip=sm_80 access=narrow" -o %t.tile
// RUN: attn-opt %t.tile -attn-gpu-map-grid -canonicalize -cse | FileCheck %s --check-prefix=GRID
// RUN: attn-opt %t.tile -attn-gpu-map-grid -attn-gpu-expand-blocks -canonicalize -cse -o %t.blocks
// RUN: FileCheck %s --check-prefix=OPAQUE < %t.blocks
// RUN: attn-opt %t.blocks -attn-gpu-assign-layouts -o %t.layouts
// RUN: FileCheck %s --check-prefix=LAYOUT < %t.layouts
// RUN: attn-opt %t.layouts -attn-gpu-pipeline-loads -o %t.copies
// RUN: FileCheck %s --check-prefix=COPY < %t.copies
// RUN: attn-opt %t.copies -attn-gpu-expand-softmax -o %t.softmax
// RUN: FileCheck %s --check-prefix=SOFTMAX < %t.softmax
// RUN: attn-opt %t.softmax -convert-attn-gpu-to-nvvm -canonicalize -attn-gpu-outline-kernels \
// RUN:   | FileCheck %s --check-prefix=KERNEL
// RUN: attn-opt %s -attn-to-tile="chip=sm_80 access=async16" -attn-gpu-map-grid -attn-gpu-expand-blocks -attn-gpu-assign-layouts \
// RUN:   -attn-gpu-pipeline-loads -attn-gpu-expand-softmax -convert-attn-gpu-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=NVVM --implicit-check-not='{{attn_tile|attn_gpu}}.{{[a-z_]+}} %'

// The IR after each pass can be printed and parsed.
// RUN: attn-opt %t.blocks -verify-roundtrip -o /dev/null
// RUN: attn-opt %t.layouts -verify-roundtrip -o /dev/null
// RUN: attn-opt %t.copies -verify-roundtrip -o /dev/null
// RUN: attn-opt %t.softmax -verify-roundtrip -o /dev/null

!t = memref<2x3x128x64xf16>
func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// One block of 128 threads for each of 2 * 3 * 1 programs, on a linear grid whose
// last program comes first.
// GRID-DAG: %[[BLOCKS:.+]] = arith.constant 6 : index
// GRID-NOT: attn_tile.grid
// GRID: attn_gpu.launch @main_narrow blocks %[[BLOCKS]]
// GRID: attn_gpu.kernel @main_narrow(
// GRID-SAME: threads 128
// GRID-DAG: %[[SIZE:.+]] = gpu.grid_dim x
// GRID-DAG: %[[BLOCK:.+]] = gpu.block_id x
// GRID: %[[LAST:.+]] = arith.subi %[[SIZE]], %{{.+}} : index
// GRID-NEXT: arith.subi %[[LAST]], %[[BLOCK]] : index
// GRID: attn_tile.for_blocks
// GRID: attn_tile.dot

// The softmax's state stays opaque until loads and products are in their order.
// OPAQUE-NOT: attn_tile.{{domain|for_blocks}} %
// OPAQUE: %[[INIT:.+]] = attn_tile.softmax_init : <[[STATE:.+]]>
// OPAQUE: scf.for {{.*}} %[[INIT]]) -> ({{.*}}, !attn_tile.softmax<[[STATE]]>) {
// OPAQUE: attn_tile.softmax_update
// OPAQUE: attn_tile.softmax_finish

// Keys and values stay in shared memory, the query moves to registers once.
// LAYOUT: %[[Q:.+]] = attn_tile.load {{.*}} -> tensor<128x64xf16, #attn_gpu.shared<padding = 16>>
// LAYOUT: %[[QR:.+]] = attn_gpu.convert_layout %[[Q]]
// LAYOUT: scf.for
// LAYOUT: attn_tile.load {{.*}} -> tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
// LAYOUT: %[[S:.+]] = attn_tile.dot %[[QR]],
// LAYOUT: %[[P:.+]], %{{.+}}, %{{.+}} = attn_tile.softmax_update %[[S]], {{.*}}tensor<128x64xf32, #attn_gpu.mma<warps = 4>>
// LAYOUT: attn_tile.dot %[[P]],
// LAYOUT: attn_tile.softmax_finish {{.*}} -> tensor<128xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>

// A step waits, begins the copies of the next, then works on its own slot.
// COPY: attn_gpu.kernel {{.*}} shared
// COPY: %[[QUERY:.+]] = attn_gpu.ring {{.*}}<1, tensor<128x64xf16, #attn_gpu.shared<padding = 16>>>
// COPY: %[[KEYS:.+]] = attn_gpu.ring {{.*}}<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
// COPY: %[[VALUES:.+]] = attn_gpu.ring
// COPY: attn_gpu.fill %[[QUERY]][%{{.+}}] of
// COPY: scf.for
// COPY-NEXT: nvvm.cp.async.wait.group 0
// COPY-NEXT: gpu.barrier
// COPY: scf.if
// COPY: attn_gpu.fill %[[KEYS]][%{{.+}}] of
// COPY-NEXT: attn_gpu.fill %[[VALUES]][%{{.+}}] of
// COPY: nvvm.cp.async.commit.group
// COPY: %[[K:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]]
// COPY: attn_tile.dot %{{.+}}, %[[K]],
// COPY: attn_tile.softmax_update

// SOFTMAX-NOT: attn_tile.softmax
// SOFTMAX: attn_gpu.combine_quad maxnum {{.*}} : tensor<128xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
// SOFTMAX-NOT: attn_tile.softmax

// MMAs and copies are ops of the NVVM dialect. For a warp's 32 rows and 64 keys and columns, each
// of two products is 2 x 8 x 4 MMAs of 16 x 8 x 16. Whole rows are copied in chunks of 16 bytes,
// and a step reads keys and values from shared memory by ldmatrix.
// NVVM: nvvm.cp.async.shared.global
// NVVM: scf.for
// NVVM: nvvm.cp.async.wait.group
// NVVM: nvvm.ldmatrix
// NVVM-COUNT-128: nvvm.mma.sync
// NVVM-NOT: nvvm.mma.sync

// Only the arrays are parameters.
// KERNEL: gpu.launch_func @attn_kernels::@main_narrow
// KERNEL-SAME: args(%{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>)

// The query of head dim 128 would leave too few registers: it stays in shared
// memory as well.
// RUN: attnc gen --dtype bf16 --head-dim 128 | attn-opt -attn-to-tile="chip=sm_80 access=async16" \
// RUN:   -attn-gpu-map-grid -attn-gpu-expand-blocks -canonicalize -cse -attn-gpu-assign-layouts | FileCheck %s --check-prefix=WIDE
// WIDE: %[[Q:.+]] = attn_tile.load {{.*}} -> tensor<128x128xbf16, #attn_gpu.shared<padding = 16>>
// WIDE-NOT: attn_gpu.convert_layout
// WIDE: attn_tile.dot %[[Q]],
