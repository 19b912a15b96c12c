// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-multiversion | FileCheck %s

// A schedule for TMA that is written by hand has no fallback: its requirements are checked at run
// time.
// CHECK-LABEL: func @given_tma
// CHECK-NOT: scf.if
// CHECK: cf.assert {{.*}}, "attn.attention: expected rows of query, key and value at multiples of 16 bytes, the output's too, sizes of at least 1 and positive strides below 2^40 bytes for access tma"
// CHECK-NEXT: attn.attention {{.*}}copy = tma
!t = memref<?x?x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
func.func @given_tma(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true, roles = producer_consumer>}
  return
}
