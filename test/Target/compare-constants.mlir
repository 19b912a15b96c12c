// The distances of a thread's columns from its first one are constants. They are compared with the
// bound minus the first column, instead of sums that take a register each.

// RUN: attnc compile %s --target sm_90a --access tma --emit ptx -o - | FileCheck %s

// CHECK: .entry main_tma
// CHECK: setmaxnreg.inc
// CHECK: setp.lt.s32 {{.*}}, [[LEFT:%r[0-9]+]], 1;
// CHECK: setp.lt.s32 {{.*}}, [[LEFT]], 9;
// CHECK: setp.lt.s32 {{.*}}, [[LEFT]], 17;

!t = memref<1x2x1000x128xbf16>
!row = memref<1x2x1000xf32>
func.func @main(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward mask <top_left, causal>
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t)
  return
}
