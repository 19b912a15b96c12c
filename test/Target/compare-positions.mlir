// A mask region compares positions, which are indices: for arrays of fewer than 2^31 rows, as
// tensor maps have, 32-bit differences are compared with constants, and all elements of a thread
// share one difference.

// RUN: attnc compile %s --target sm_90a --access tma --emit ptx -o - | FileCheck %s
// RUN: attnc compile %s --target sm_90a --access narrow --emit ptx -o - \
// RUN:   | FileCheck %s --check-prefix=WIDE

// CHECK: .entry main_tma
// CHECK: setmaxnreg.inc
// CHECK: wgmma.mma_async
// CHECK: setp.gt.s32 {{%p[0-9]+}}, [[DISTANCE:%r[0-9]+]], -1;
// CHECK-NEXT: setp.gt.s32 {{%p[0-9]+}}, [[DISTANCE]], 0;
// CHECK-NEXT: setp.gt.s32 {{%p[0-9]+}}, [[DISTANCE]], -9;
// CHECK-NOT: sub.s32
// CHECK: setp.lt.s32 {{%p[0-9]+}}, [[DISTANCE]], 100;
// CHECK-NEXT: setp.lt.s32 {{%p[0-9]+}}, [[DISTANCE]], 101;

// WIDE: .entry main_narrow
// WIDE: mma.sync
// WIDE: setp.lt.s64 {{%p[0-9]+}}, {{%rd[0-9]+}}, 100;

!t = memref<1x2x?x128xbf16>
func.func @main(%q: !t, %k: !t, %o: !t) {
  attn.attention
      ins(%q, %k, %k : !t, !t, !t)
      outs(%o : !t)
      mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %size = arith.constant 100 : index
    %past = arith.cmpi sle, %j, %i : index
    %distance = arith.subi %i, %j : index
    %near = arith.cmpi slt, %distance, %size : index
    %keep = arith.andi %past, %near : i1
    attn.yield %keep : i1
  }
  return
}
