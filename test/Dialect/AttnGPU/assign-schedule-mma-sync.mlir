// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_80 | FileCheck %s
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_89 | FileCheck %s
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_120 | FileCheck %s

// Schedules of mma.sync. The fallback, for arrays whose rows begin anywhere, has the same tiles.
// ScheduleTableTest checks every row of the tables, so that their numbers are not repeated here.

// CHECK-LABEL: func.func @main(
// CHECK: fallback = #attn_gpu.schedule<[[TILES:tile_q = [0-9]+, tile_kv = [0-9]+, warps = 4]], mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<[[TILES]], mma = mma_sync, copy = cp_async>
// CHECK: fallback = #attn_gpu.schedule<[[TILES:tile_q = [0-9]+, tile_kv = [0-9]+, warps = 4]], mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<[[TILES]], mma = mma_sync, copy = cp_async>
func.func @main(%q: memref<2x3x1024x128xf16>, %f: memref<2x3x1024x128xf32>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x128xf16>, memref<2x3x1024x128xf16>, memref<2x3x1024x128xf16>) outs(%q : memref<2x3x1024x128xf16>)
  attn.attention ins(%f, %f, %f : memref<2x3x1024x128xf32>, memref<2x3x1024x128xf32>, memref<2x3x1024x128xf32>) outs(%f : memref<2x3x1024x128xf32>)
  return
}

// A warp has 32 rows of f16 at head dim 64, but no more rows than there are.
// CHECK-LABEL: func.func @few_rows(
// CHECK: schedule = #attn_gpu.schedule<tile_q = 128,
// CHECK: schedule = #attn_gpu.schedule<tile_q = 64,
func.func @few_rows(%q: memref<2x3x1024x64xf16>, %few: memref<2x3x64x64xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x64xf16>, memref<2x3x1024x64xf16>, memref<2x3x1024x64xf16>) outs(%q : memref<2x3x1024x64xf16>)
  attn.attention ins(%few, %few, %few : memref<2x3x64x64xf16>, memref<2x3x64x64xf16>, memref<2x3x64x64xf16>) outs(%few : memref<2x3x64x64xf16>)
  return
}

// A step has no more keys than there are, in whole steps of an MMA.
// CHECK-LABEL: func.func @few_keys(
// CHECK: fallback = {{.*}}, tile_kv = 16, {{.*}}schedule = {{.*}}, tile_kv = 16,
func.func @few_keys(%q: memref<2x3x10x128xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x10x128xf16>, memref<2x3x10x128xf16>, memref<2x3x10x128xf16>) outs(%q : memref<2x3x10x128xf16>)
  return
}
