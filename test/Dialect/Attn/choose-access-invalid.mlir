// RUN: attn-opt %s -split-input-file -attn-choose-access=access=tma -verify-diagnostics

!t = memref<1x1x32x64xf16>
func.func @no_schedule_for_tma(%q: !t, %k: !t, %v: !t, %o: !t) {
  // expected-error@below {{expected an op and a chip that the tensor memory accelerator serves for access tma, found #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4>}}
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4>}
  return
}

// -----

!t = memref<1x1x32x64xf16>
!o = memref<1x1x32x64xf16, strided<[2080, 2080, 65, 1]>>
func.func @output_stride(%q: !t, %k: !t, %v: !t, %o: !o) {
  // expected-error@below {{expected strides that are multiples of 16 bytes for access tma, found}}
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !o) {schedule = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, access = tma>}
  return
}
