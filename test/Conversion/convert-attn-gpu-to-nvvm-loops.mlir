// If a launch has checked that sizes are below 2^31, loops with MMAs have counters of 32 bits;
// other loops, and loops of kernels for arrays of any size, are unchanged.

// RUN: attn-opt %s -attn-to-gpu=chip=sm_90a -convert-attn-gpu-to-nvvm | FileCheck %s

// CHECK: attn_gpu.kernel @main_tma(
// CHECK-SAME: %[[TILES:[^:]+]]: index
// CHECK: nvvm.setmaxregister decrease
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[TILES]] step %{{.+}} -> (i32, i32, i32) {
// CHECK: nvvm.setmaxregister increase
// CHECK: %[[COUNT:.+]] = arith.index_cast %[[TILES]] : index to i32
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %[[COUNT]] step %{{.+}} -> (i32, i32, i32) : i32 {
// CHECK-NEXT: arith.index_cast %[[I]] : i32 to index
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} : i32 {
// CHECK: attn_nv.wgmma
// CHECK: attn_gpu.kernel @main_narrow(
// CHECK-NOT: : i32 {{{$}}

!t = memref<1x2x?x64xbf16>
func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}
