// RUN: attn-opt %s -split-input-file -attn-gpu-multiversion=access=tma -verify-diagnostics

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90">} {
  func.func @no_wgmma(%q: memref<1x1x32x64xf16>) {
    // expected-error@below {{expected a schedule for access tma, found #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>: sm_90 has no wgmma, sm_90a has}}
    attn.attention ins(%q, %q, %q : memref<1x1x32x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
        outs(%q : memref<1x1x32x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>}
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">} {
  func.func @another_schedule(%q: memref<1x1x32x64xf16>) {
    // expected-error@below {{expected a schedule for access tma, found #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async> alone}}
    attn.attention ins(%q, %q, %q : memref<1x1x32x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
        outs(%q : memref<1x1x32x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>}
    return
  }
}

// -----

module attributes {attn_gpu.target = #attn_gpu.target<chip = "sm_90a">} {
  func.func @output_stride(%q: memref<1x1x32x64xf16>, %o: memref<1x1x32x64xf16, strided<[2080, 2080, 65, 1]>>) {
    // expected-error@below {{roles = producer_consumer>: the type of the output has strides that are not multiples of 16 bytes}}
    attn.attention ins(%q, %q, %q : memref<1x1x32x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
        outs(%o : memref<1x1x32x64xf16, strided<[2080, 2080, 65, 1]>>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer>}
    return
  }
}

// -----

func.func @no_target(%q: memref<1x1x32x64xf16>) {
  // expected-error@below {{expected a module with 'attn_gpu.target', found none; give the pass or pipeline one, as in chip=sm_90a}}
  attn.attention ins(%q, %q, %q : memref<1x1x32x64xf16>, memref<1x1x32x64xf16>, memref<1x1x32x64xf16>)
      outs(%q : memref<1x1x32x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>}
  return
}
