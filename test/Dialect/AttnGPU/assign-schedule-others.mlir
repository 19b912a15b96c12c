// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90a | FileCheck %s

// Single precision has no products of warpgroups; a schedule by hand is kept and
// has no fallback.
// CHECK-LABEL: func.func @others(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>, schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>
// CHECK-NOT: fallback
// CHECK: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 128, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer>
// CHECK-NOT: fallback
func.func @others(%q: memref<2x6x1024x64xf32>, %h: memref<2x6x1024x64xf16>) {
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x64xf32>, memref<2x6x1024x64xf32>, memref<2x6x1024x64xf32>)
      outs(%q : memref<2x6x1024x64xf32>)
  attn.attention
      ins(%h, %h, %h : memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>)
      outs(%h : memref<2x6x1024x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 128, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}
