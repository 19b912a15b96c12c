// cvt.f32.bf16 runs at an eighth of an integer instruction's rate, beside the exponentials: a
// bf16 becomes the upper half of an f32 by a shift or a mask of the word that holds two.

// RUN: attnc compile %s --target sm_90a --access tma --emit ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// CHECK-NOT: cvt{{.*}}f32.bf16
// CHECK: .entry main_tma
// CHECK-NOT: cvt{{.*}}f32.bf16
// CHECK: cvt.rn.bf16x2.f32 [[WORD:%r[0-9]+]],
// CHECK-NOT: cvt{{.*}}f32.bf16
// CHECK-DAG: shl.b32 {{.*}}, [[WORD]], 16
// CHECK-DAG: and.b32 {{.*}}, [[WORD]], -65536
// CHECK-NOT: cvt{{.*}}f32.bf16

!t = memref<1x2x128x128xbf16>
!row = memref<1x2x128xf32>
func.func @main(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t)
  return
}
