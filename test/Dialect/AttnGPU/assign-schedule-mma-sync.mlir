// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_89 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_120 | FileCheck %s --check-prefixes=CHECK,SM120

// The tiles of mma.sync, from each row of its tables. The fallback for arrays whose rows
// begin anywhere has the same tiles.

// Up to head dim 64, 32 rows a warp and 64 keys.
// CHECK-LABEL: func.func @up_to_64(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>
func.func @up_to_64(%q: memref<2x3x1024x64xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x64xf16>, memref<2x3x1024x64xf16>, memref<2x3x1024x64xf16>) outs(%q : memref<2x3x1024x64xf16>)
  return
}

// Above, 32 keys; from sm_100 on there are no registers for 32 rows.
// CHECK-LABEL: func.func @above_64(
// SM80: fallback = #attn_gpu.schedule<tile_q = 128, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>
// SM80-SAME: schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>
// SM120: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>
// SM120-SAME: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>
func.func @above_64(%q: memref<2x3x1024x128xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x128xf16>, memref<2x3x1024x128xf16>, memref<2x3x1024x128xf16>) outs(%q : memref<2x3x1024x128xf16>)
  return
}

// Above 128 nowhere.
// CHECK-LABEL: func.func @above_128(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>
func.func @above_128(%q: memref<2x3x1024x192xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x192xf16>, memref<2x3x1024x192xf16>, memref<2x3x1024x192xf16>) outs(%q : memref<2x3x1024x192xf16>)
  return
}

// No more rows a warp than there are.
// CHECK-LABEL: func.func @few_rows(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>
func.func @few_rows(%q: memref<2x3x64x64xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x64x64xf16>, memref<2x3x64x64xf16>, memref<2x3x64x64xf16>) outs(%q : memref<2x3x64x64xf16>)
  return
}

// No more keys than there are, in whole steps of an MMA.
// CHECK-LABEL: func.func @few_keys(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = mma_sync, copy = cp_async>
func.func @few_keys(%q: memref<2x3x10x128xf16>) {
  attn.attention ins(%q, %q, %q : memref<2x3x10x128xf16>, memref<2x3x10x128xf16>, memref<2x3x10x128xf16>) outs(%q : memref<2x3x10x128xf16>)
  return
}

// f32 takes twice the registers and more.
// CHECK-LABEL: func.func @f32(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = mma_sync, copy = cp_async>
func.func @f32(%q: memref<2x3x1024x64xf32>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x64xf32>, memref<2x3x1024x64xf32>, memref<2x3x1024x64xf32>) outs(%q : memref<2x3x1024x64xf32>)
  return
}

// CHECK-LABEL: func.func @f32_above_64(
// CHECK: fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = mma_sync, copy = element>
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = mma_sync, copy = cp_async>
func.func @f32_above_64(%q: memref<2x3x1024x128xf32>) {
  attn.attention ins(%q, %q, %q : memref<2x3x1024x128xf32>, memref<2x3x1024x128xf32>, memref<2x3x1024x128xf32>) outs(%q : memref<2x3x1024x128xf32>)
  return
}
