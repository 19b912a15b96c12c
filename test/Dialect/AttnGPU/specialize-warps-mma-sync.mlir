// RUN: attn-opt %s -attn-to-tile="chip=sm_90a access=tma" -attn-gpu-map-grid -attn-gpu-assign-layouts -attn-gpu-specialize-warps -verify-roundtrip \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: attn-opt %s -attn-to-tile="chip=sm_120 access=tma" -attn-gpu-map-grid -attn-gpu-assign-layouts -attn-gpu-specialize-warps -verify-roundtrip \
// RUN:   | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: attn-opt %s -attn-to-nvvm="chip=sm_90a access=tma" | FileCheck %s --check-prefixes=NVVM,NVVM-SPLIT
// RUN: attn-opt %s -attn-to-nvvm="chip=sm_120 access=tma" | FileCheck %s --check-prefixes=NVVM --implicit-check-not=setmaxregister

// Consumers of mma.sync: all their threads read and release the tiles of each ring. A warp
// has 32 rows, so its warpgroup stores 128. Registers move where the chip can.
// CHECK-LABEL: func.func @sync(
// CHECK: attn_nv.encode_tensor_map %{{.+}} box [1, 1, 128, 64]
// CHECK: attn_nv.encode_tensor_map %{{.+}} box [1, 1, 32, 64]
// CHECK: attn_nv.encode_tensor_map %{{.+}} box [1, 1, 32, 64]
// CHECK: attn_gpu.ring at {{.*}} each_warp : <1, tensor<128x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.ring at {{.*}} each_warp : <2, tensor<32x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.ring at {{.*}} each_warp : <2, tensor<32x64xf16, #attn_gpu.swizzled>>
// CHECK-COUNT-3: attn_gpu.init_ring %{{.+}} readers 4
// CHECK: attn_nv.encode_tensor_map %{{.+}} box [1, 1, 128, 64]
// SPLIT: attn_gpu.roles warpgroups [1, 1] registers [240, 104] elected [false, true] {
// WHOLE: attn_gpu.roles warpgroups [1, 1] elected [false, true] {

// Threads begin with what the roles share, and no more: CTAs of the next kernel find some.
// NVVM-SPLIT: nvvm.maxnreg = 176
// NVVM-SPLIT-NOT: nvvm.minctasm
// Two row tiles of a warp are written and copied.
// NVVM-SPLIT: nvvm.setmaxregister decrease 104
// NVVM-SPLIT: nvvm.setmaxregister increase 240
// NVVM-NOT: wgmma
// NVVM: nvvm.mma.sync
// NVVM-COUNT-8: nvvm.stmatrix
// NVVM-NOT: nvvm.stmatrix
!t = memref<1x1x1024x64xf16>
func.func @sync(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 32, warps = 4, mma = mma_sync, copy = tma, roles = producer_consumer>}
  return
}
