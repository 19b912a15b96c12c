// RUN: attn-opt %s -attn-to-nvvm="chip=sm_80 access=narrow" --mlir-disable-threading -o /dev/null \
// RUN:   --mlir-print-ir-after=attn-gpu-map-grid,attn-gpu-assign-layouts,attn-gpu-expand-blocks,attn-gpu-pipeline-loads \
// RUN:   --mlir-print-ir-after=attn-gpu-expand-softmax,attn-gpu-outline-kernels 2>&1 | FileCheck %s
// RUN: attn-opt %s -attn-to-gpu="chip=sm_80 access=async16" -convert-attn-gpu-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=NVVM --implicit-check-not='{{attn_tile|attn_gpu}}.{{[a-z_]+}} %'

// What passes of the pipeline for mma.sync make of attention.

!t = memref<2x3x128x64xf16>
func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// One block of 128 threads for each of 2 * 3 * 1 programs, on a linear grid whose
// last program comes first.
// CHECK-LABEL: IR Dump After AttnGPUMapGridPass
// CHECK-DAG: %[[BLOCKS:.+]] = arith.constant 6 : index
// CHECK-NOT: attn_tile.grid
// CHECK: attn_gpu.launch @main_narrow blocks %[[BLOCKS]]
// CHECK: attn_gpu.kernel @main_narrow(
// CHECK-SAME: threads 128
// CHECK-DAG: %[[SIZE:.+]] = gpu.grid_dim x
// CHECK-DAG: %[[BLOCK:.+]] = gpu.block_id x
// CHECK: %[[LAST:.+]] = arith.subi %[[SIZE]], %{{.+}} : index
// CHECK-NEXT: arith.subi %[[LAST]], %[[BLOCK]] : index
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.dot

// Keys and values stay in shared memory, the query moves to registers once.
// CHECK-LABEL: IR Dump After AttnGPUAssignLayoutsPass
// CHECK: %[[Q:.+]] = attn_tile.load {{.*}} -> tensor<128x64xf16, #attn_gpu.shared<padding = 16>>
// CHECK: %[[QR:.+]] = attn_gpu.convert_layout %[[Q]]
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.load {{.*}} -> tensor<64x64xf16, #attn_gpu.shared<padding = 16>>
// CHECK: %[[S:.+]] = attn_tile.dot %[[QR]],
// CHECK: %[[P:.+]], %{{.+}}, %{{.+}} = attn_tile.softmax_update %[[S]], {{.*}}tensor<128x64xf32, #attn_gpu.mma<warps = 4>>
// CHECK: attn_tile.dot %[[P]],
// CHECK: attn_tile.softmax_finish {{.*}} -> tensor<128xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>

// The softmax's state stays opaque until loads and products are in their order.
// CHECK-LABEL: IR Dump After AttnGPUExpandBlocksPass
// CHECK-NOT: attn_tile.{{domain|for_blocks}} %
// CHECK: %[[INIT:.+]] = attn_tile.softmax_init : <[[STATE:.+]]>
// CHECK: scf.for {{.*}} %[[INIT]]) -> ({{.*}}, !attn_tile.softmax<[[STATE]]>) {
// CHECK: attn_tile.softmax_update
// CHECK: attn_tile.softmax_finish

// A step waits, begins the copies of the next, then computes on the slot that it has waited for.
// CHECK-LABEL: IR Dump After AttnGPUPipelineLoadsPass
// CHECK: attn_gpu.kernel {{.*}} shared
// CHECK: %[[QUERY:.+]] = attn_gpu.ring {{.*}}<1, tensor<128x64xf16, #attn_gpu.shared<padding = 16>>>
// CHECK: %[[KEYS:.+]] = attn_gpu.ring {{.*}}<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
// CHECK: %[[VALUES:.+]] = attn_gpu.ring
// CHECK: attn_gpu.fill %[[QUERY]][%{{.+}}] of
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK: attn_gpu.fill %[[KEYS]][%{{.+}}] of
// CHECK-NEXT: attn_gpu.fill %[[VALUES]][%{{.+}}] of
// CHECK: nvvm.cp.async.commit.group
// CHECK: %[[K:.+]], %{{.+}} = attn_gpu.acquire %[[KEYS]]
// CHECK: attn_tile.dot %{{.+}}, %[[K]],
// CHECK: attn_tile.softmax_update

// CHECK-LABEL: IR Dump After AttnGPUExpandSoftmaxPass
// CHECK-NOT: attn_tile.softmax
// CHECK: attn_gpu.combine_quad maxnum {{.*}} : tensor<128xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
// CHECK-NOT: attn_tile.softmax

// Only the arrays are parameters.
// CHECK-LABEL: IR Dump After AttnGPUOutlineKernelsPass
// CHECK: gpu.launch_func @attn_kernels::@main_narrow
// CHECK-SAME: args(%{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>, %{{.+}} : memref<2x3x128x64xf16>)

// MMAs and copies are ops of the NVVM dialect. For a warp's 32 rows and 64 keys and columns, each
// of two products is 2 x 8 x 4 MMAs of 16 x 8 x 16. Whole rows are copied in chunks of 16 bytes,
// and a step reads keys and values from shared memory by ldmatrix.
// NVVM: nvvm.cp.async.shared.global
// NVVM: scf.for
// NVVM: nvvm.cp.async.wait.group
// NVVM: nvvm.ldmatrix
// NVVM-COUNT-128: nvvm.mma.sync
// NVVM-NOT: nvvm.mma.sync

// The IR between passes can be printed and parsed: see round-trip-stages.test.

// The query of head dim 128 would leave too few registers: it stays in shared
// memory as well.
// RUN: attnc gen --dtype bf16 --head-dim 128 | attn-opt -attn-to-gpu="chip=sm_80 access=async16" -o /dev/null \
// RUN:   --mlir-print-ir-after=attn-gpu-assign-layouts 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: %[[Q:.+]] = attn_tile.load {{.*}} -> tensor<128x128xbf16, #attn_gpu.shared<padding = 16>>
// WIDE-NOT: attn_gpu.convert_layout
// WIDE: attn_tile.dot %[[Q]],
