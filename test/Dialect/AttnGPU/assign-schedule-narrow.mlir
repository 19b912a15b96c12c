// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90a | FileCheck %s
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_89 | FileCheck %s --check-prefix=SMALL
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_120 | FileCheck %s --check-prefix=NEW
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-multiversion=access=tma | FileCheck %s --check-prefix=TMA

// Few rows on keys and values of 8 or 4 bits: one warp extends them to registers. Its copies are by
// cp.async, also on chips with TMA, unless TMA is asked for.
// CHECK-LABEL: func.func @eight_bits(
// CHECK: attn.fallback_reasons = ["mma.sync: wgmma {{[^"]*}}single elements", {{.*}}attn.reasons = ["mma.sync: {{[^"]*}}registers", "one warp {{[^"]*}}65 to 128", "split keys: {{[^"]+}}"]
// CHECK-SAME: fallback = #attn_gpu.schedule<{{[^>]*}}copy = element
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 16, tile_kv = 32, warps = 1, mma = mma_sync, copy = cp_async, softmax = lazy, split_kv = true, ctas = 9>
// Shared memory has room for fewer CTAs.
// SMALL-LABEL: func.func @eight_bits(
// SMALL: schedule = #attn_gpu.schedule<tile_q = 16, tile_kv = 32, warps = 1, {{[^>]*}}ctas = 5>
// TMA-LABEL: func.func @eight_bits(
// TMA: mma = wgmma, copy = tma,
func.func @eight_bits(%q: memref<2x8x1x128xbf16>, %k: memref<2x2x4096x128xf8E4M3FN>) {
  attn.attention ins(%q, %k, %k : memref<2x8x1x128xbf16>, memref<2x2x4096x128xf8E4M3FN>, memref<2x2x4096x128xf8E4M3FN>)
      outs(%q : memref<2x8x1x128xbf16>)
  return
}

// CHECK-LABEL: func.func @four_bits(
// CHECK: attn.reasons = {{.*}}"one warp {{[^"]*}}up to 64"
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 16, tile_kv = 32, warps = 1, {{[^>]*}}ctas = 16>
func.func @four_bits(%q: memref<2x8x4x64xf16>, %k: memref<2x2x4096x64xi4>) {
  attn.attention ins(%q, %k, %k : memref<2x8x4x64xf16>, memref<2x2x4096x64xi4>, memref<2x2x4096x64xi4>)
      outs(%q : memref<2x8x4x64xf16>)
  return
}

// On sm_120, wide heads would spill.
// NEW-LABEL: func.func @wide(
// NEW: schedule = #attn_gpu.schedule<tile_q = 64
// CHECK-LABEL: func.func @wide(
// CHECK: attn.reasons = {{.*}}"one warp {{[^"]*}}above 128"
// CHECK-SAME: schedule = #attn_gpu.schedule<tile_q = 16, tile_kv = 32, warps = 1, {{[^>]*}}ctas = 6>
func.func @wide(%q: memref<2x8x1x256xbf16>, %k: memref<2x2x4096x256xi8>) {
  attn.attention ins(%q, %k, %k : memref<2x8x1x256xbf16>, memref<2x2x4096x256xi8>, memref<2x2x4096x256xi8>)
      outs(%q : memref<2x8x1x256xbf16>)
  return
}

// More rows than an MMA of one warp has.
// CHECK-LABEL: func.func @many_heads(
// CHECK: schedule = #attn_gpu.schedule<{{[^>]*}}mma = wgmma, copy = tma
func.func @many_heads(%q: memref<2x34x1x128xbf16>, %k: memref<2x2x4096x128xf8E4M3FN>) {
  attn.attention ins(%q, %k, %k : memref<2x34x1x128xbf16>, memref<2x2x4096x128xf8E4M3FN>, memref<2x2x4096x128xf8E4M3FN>)
      outs(%q : memref<2x34x1x128xbf16>)
  return
}

// Values of 16 bits are no operands that a warp extends.
// CHECK-LABEL: func.func @mixed(
// CHECK: schedule = #attn_gpu.schedule<{{[^>]*}}mma = wgmma, copy = tma
func.func @mixed(%q: memref<2x8x1x128xbf16>, %k: memref<2x2x4096x128xi8>, %v: memref<2x2x4096x128xbf16>) {
  attn.attention ins(%q, %k, %v : memref<2x8x1x128xbf16>, memref<2x2x4096x128xi8>, memref<2x2x4096x128xbf16>)
      outs(%q : memref<2x8x1x128xbf16>)
  return
}

// Lanes cannot divide 16 columns of values.
// CHECK-LABEL: func.func @columns(
// CHECK: schedule = #attn_gpu.schedule<{{[^>]*}}mma = wgmma, copy = tma
func.func @columns(%q: memref<2x8x1x80xbf16>, %k: memref<2x2x4096x80xi8>) {
  attn.attention ins(%q, %k, %k : memref<2x8x1x80xbf16>, memref<2x2x4096x80xi8>, memref<2x2x4096x80xi8>)
      outs(%q : memref<2x8x1x80xbf16>)
  return
}

// Pages of 48 keys: 32 keys are neither whole pages nor a part of one.
// CHECK-LABEL: func.func @pages(
// CHECK: schedule = #attn_gpu.schedule<tile_q = 64
func.func @pages(%q: memref<2x8x1x128xbf16>, %k: memref<99x2x48x128xi8>, %t: memref<2x50xi32>) {
  attn.attention ins(%q, %k, %k : memref<2x8x1x128xbf16>, memref<99x2x48x128xi8>, memref<99x2x48x128xi8>)
      pages(%t : memref<2x50xi32>) outs(%q : memref<2x8x1x128xbf16>)
  return
}
