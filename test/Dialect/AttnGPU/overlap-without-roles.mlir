// RUN: attn-opt %s -attn-to-tile="chip=sm_90a access=async16" -attn-gpu-map-grid -attn-gpu-assign-layouts -attn-gpu-expand-blocks \
// RUN:   -canonicalize -cse -attn-gpu-pipeline -attn-gpu-pipeline-loads -canonicalize -cse | FileCheck %s

// The loop is turned first: its copies are those of the keys of a step and of the values of
// the one before, both a step ahead of their use, and no slot is written that an MMA of the
// step before still reads, since each is awaited in its step. The first keys and the last
// values come by themselves.
// CHECK-LABEL: func.func @overlap(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<{{[0-9xf]+}}>, %[[K:[a-z0-9]+]]: memref<{{[0-9xf]+}}>, %[[V:[a-z0-9]+]]: memref
// CHECK: attn_gpu.fill %[[FIRST:[0-9a-z_]+]][%{{.+}}] of %[[K]][
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: gpu.barrier
// CHECK: attn_gpu.acquire %[[FIRST]]
// CHECK: attn_gpu.mma
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK: attn_gpu.fill %[[KEYS:[0-9a-z_]+]][%{{.+}}] of %[[K]][
// CHECK: attn_gpu.fill %[[VALUES:[0-9a-z_]+]][%{{.+}}] of %[[V]][
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.fence.proxy
// CHECK-NEXT: gpu.barrier
// CHECK: attn_gpu.fill %[[KEYS]][%{{.+}}] of %[[K]][
// CHECK: attn_gpu.fill %[[VALUES]][%{{.+}}] of %[[V]][
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.cp.async
// CHECK: attn_gpu.acquire %[[KEYS]]
// CHECK: %[[S:.+]] = attn_gpu.mma
// CHECK: attn_gpu.acquire %[[VALUES]]
// CHECK: %[[O:.+]] = attn_gpu.mma
// CHECK-NEXT: attn_gpu.mma_wait 1, %[[S]]
// CHECK: attn_gpu.mma_wait 0, %[[O]]
// CHECK: scf.yield
// CHECK-NOT: attn_gpu.fill {{.*}} of %[[K]][
// CHECK: attn_gpu.fill %{{.+}} of %[[V]][
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: attn_gpu.mma
// CHECK-NEXT: attn_gpu.mma_wait 0
// CHECK-NOT: attn_gpu.fill
!t = memref<1x1x1024x64xf16>
func.func @overlap(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async, overlap = true>}
  return
}
