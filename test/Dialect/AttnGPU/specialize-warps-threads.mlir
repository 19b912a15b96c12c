// RUN: attn-opt %s -attn-to-tile="chip=sm_90a access=async16" -attn-gpu-map-grid -attn-gpu-assign-layouts -attn-gpu-specialize-warps -verify-roundtrip \
// RUN:   | FileCheck %s --implicit-check-not=attn_nv.encode_tensor_map --implicit-check-not=store_async
// RUN: attn-opt %s -attn-to-tile="chip=sm_90a access=narrow" -attn-gpu-map-grid -attn-gpu-assign-layouts -attn-gpu-specialize-warps -verify-roundtrip \
// RUN:   | FileCheck %s --check-prefix=NARROW --implicit-check-not="] aligned" --implicit-check-not=attn_nv.encode_tensor_map

!t = memref<1x1x1024x64xf16>

// All threads of the producer copy from views, by cp.async. Each arrives at a slot's barrier when
// its part is copied, and reads the number of the next tile. wgmma reads through another proxy, so
// threads that acquire a tile execute a fence, and the rings are marked `unfenced`.
// CHECK-LABEL: attn_gpu.kernel @wgmma_async16(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<1x1x1024x64xf16>, %[[K:[a-z0-9]+]]: memref<1x1x1024x64xf16>, %[[V:[a-z0-9]+]]: memref<1x1x1024x64xf16>, %{{[a-z0-9]+}}: memref<1x1x1024x64xf16>, %{{.+}}: !llvm.ptr<1>) target
// CHECK-SAME: threads 384
// CHECK: %[[QUERIES:.+]] = attn_gpu.ring at 0 barriers {{[0-9]+}} unfenced : <2, tensor<128x64xf16, #attn_gpu.swizzled>>
// CHECK: %[[KEYS:.+]] = attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} unfenced : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: %[[VALUES:.+]] = attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} unfenced : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: attn_gpu.init_ring %[[QUERIES]] readers 2 writers 128 :
// CHECK-NEXT: attn_gpu.init_ring %[[KEYS]] readers 2 writers 128 :
// CHECK-NEXT: attn_gpu.init_ring %[[VALUES]] readers 2 writers 128 :
// CHECK-NEXT: attn_gpu.init_scheduler at {{[0-9]+}} readers 384
// CHECK: attn_gpu.roles warpgroups [2, 1] registers {{.*}} elected [false, false] {
// CHECK-NOT: attn_gpu.fill
// CHECK: attn_gpu.acquire %[[QUERIES]]
// CHECK: attn_gpu.acquire %[[KEYS]]
// CHECK: attn_gpu.acquire %[[VALUES]]
// CHECK: attn_tile.store
// CHECK: }, {
// CHECK: attn_gpu.fill %[[QUERIES]] of %[[Q]][{{.*}}] aligned by 128 after 256 : <2, tensor<128x64xf16, #attn_gpu.swizzled>>, memref<1x1x1024x64xf16>
// CHECK: attn_tile.for_blocks
// CHECK: attn_gpu.fill %[[KEYS]] of %[[K]][{{.*}}] aligned by 128 after 256 :
// CHECK: attn_gpu.fill %[[VALUES]] of %[[V]][{{.*}}] aligned by 128 after 256 :
// CHECK-NOT: attn_gpu.fill
func.func @wgmma(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async, roles = producer_consumer, scheduler = dynamic>, fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = element, roles = producer_consumer>}
  return
}

// Tiles that mma.sync reads need no fence; each warp of consumers reads and releases them by
// itself.
// CHECK-LABEL: attn_gpu.kernel @sync_async16(
// CHECK-NOT: unfenced
// CHECK: %[[QUERIES:.+]] = attn_gpu.ring at 0 barriers {{[0-9]+}} each_warp : <1,
// CHECK: %[[KEYS:.+]] = attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} each_warp : <2,
// CHECK: %[[VALUES:.+]] = attn_gpu.ring at {{[0-9]+}} barriers {{[0-9]+}} each_warp : <2,
// CHECK: attn_gpu.init_ring %[[QUERIES]] readers 8 writers 128 :
// CHECK-NEXT: attn_gpu.init_ring %[[KEYS]] readers 8 writers 128 :
// CHECK-NEXT: attn_gpu.init_ring %[[VALUES]] readers 8 writers 128 :
// CHECK-NOT: unfenced
// CHECK: attn_gpu.roles warpgroups [2, 1] registers {{.*}} elected [false, false] {
// CHECK: }, {
// CHECK: attn_gpu.fill %[[QUERIES]] of %{{.+}} aligned by 128 after 256 :
// CHECK: attn_gpu.fill %[[KEYS]] of %{{.+}} aligned by 128 after 256 :
// CHECK: attn_gpu.fill %[[VALUES]] of %{{.+}} aligned by 128 after 256 :
func.func @sync(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = mma_sync, copy = cp_async, roles = producer_consumer>, fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, roles = producer_consumer>}
  return
}

// Element by element they copy to the same rings, of rows that begin anywhere.
// NARROW-LABEL: attn_gpu.kernel @wgmma_narrow(
// NARROW-COUNT-3: attn_gpu.ring at {{.*}} unfenced : <
// NARROW-COUNT-3: attn_gpu.init_ring %{{.+}} readers 1 writers 128 :
// NARROW: elected [false, false] {
// NARROW: }, {
// NARROW-COUNT-3: attn_gpu.fill %{{.+}} of %{{.+}}] by 128 after 128 : <{{[12]}}, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<1x1x1024x64xf16>
// NARROW-LABEL: attn_gpu.kernel @sync_narrow(
// NARROW-NOT: unfenced
// NARROW-COUNT-3: attn_gpu.init_ring %{{.+}} readers 4 writers 128 :
// NARROW-NOT: unfenced
// NARROW: elected [false, false] {
// NARROW: }, {
// NARROW-COUNT-3: attn_gpu.fill %{{.+}} of %{{.+}}] by 128 after 128 : <{{[12]}}, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<1x1x1024x64xf16>
