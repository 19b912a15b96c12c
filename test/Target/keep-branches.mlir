// If only the last keys may be past the length, a branch masks them, which other iterations do not
// take. LLVM would turn the branch into a select for each element.

// RUN: attnc compile %s --target sm_90a --access tma --emit ptx -o - | FileCheck %s

// CHECK: .entry main_tma
// CHECK: setmaxnreg.inc
// CHECK-NOT: {{, 0fFF800000, %p|and.pred|or.pred}}
// CHECK: wgmma.mma_async
// CHECK: bra.uni [[MASK:[$0-9A-Z_a-z]+]];
// CHECK: ex2.approx.ftz.f32
// CHECK: [[MASK]]:
// CHECK: selp.f32 {{.*}}, 0fFF800000, [[ROW:%p[0-9]+]];
// CHECK-NEXT: selp.f32 {{.*}}, 0fFF800000, [[ROW]];

!t = memref<1x2x?x128xbf16>
!row = memref<1x2x?xf32>
func.func @main(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t)
  return
}
