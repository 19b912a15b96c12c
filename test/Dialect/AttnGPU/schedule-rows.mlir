// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule -verify-diagnostics | FileCheck %s

// The warps share columns, and nothing multiplies.
module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  // CHECK-LABEL: func.func @merge(
  // CHECK: attn.merge {{.*}} {attn.reasons = ["schedule: rows without MMAs"], schedule = #attn_gpu.schedule<tile_q = 16, tile_kv = 16, warps = 4, mma = none, copy = element>}
  func.func @merge(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
    attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">} {
  // CHECK-LABEL: func.func @own(
  // CHECK: attn.merge {{.*}} {attn.reasons = ["schedule: the module's own"], schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = mma_sync, copy = element>}
  func.func @own(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
    attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
        {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = mma_sync, copy = element>}
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">} {
  func.func @host(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
    // expected-error@below {{'attn.merge' op expected an #attn_gpu.schedule for sm_90a, found #attn.tiles<q = 64, kv = 16>}}
    attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
        {schedule = #attn.tiles<q = 64, kv = 16>}
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  func.func @no_tma(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
    // expected-error@below {{'attn.merge' op expected a schedule that fits, found #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = none, copy = tma>: sm_80 has no TMA}}
    attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
        {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 16, warps = 4, mma = none, copy = tma>}
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  func.func @wide(%o: memref<2x4x10x592xf16>, %l: memref<2x4x10xf32>) {
    // expected-error@below {{'attn.merge' op expected a head dim of at most 576, found 592}}
    attn.merge ins(%o, %l : memref<2x4x10x592xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x592xf16>)
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_80">} {
  func.func @too_many_warps(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
    // expected-error@below {{'attn.merge' op expected a schedule that fits, found #attn_gpu.schedule<tile_q = 16, tile_kv = 16, warps = 8, mma = none, copy = element>: 8 warps do not have 16 rows and 8 columns each of tiles of 16 rows and 32 columns}}
    attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
        {schedule = #attn_gpu.schedule<tile_q = 16, tile_kv = 16, warps = 8, mma = none, copy = element>}
    return
  }
}

// -----

func.func @no_target(%o: memref<2x4x10x80xf16>, %l: memref<2x4x10xf32>) {
  // expected-error@below {{expected a module with 'attn_gpu.target', found none}}
  attn.merge ins(%o, %l : memref<2x4x10x80xf16>, memref<2x4x10xf32>) outs(%o : memref<2x4x10x80xf16>)
  return
}
