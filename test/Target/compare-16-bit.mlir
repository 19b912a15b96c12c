// PTX compares bf16 only without .ftz, and comparisons of f16 with .ftz take numbers below 2^-14
// as 0. The gradient of a score region tests whether a rounded probability is 0, which LLVM would
// do in these types.

// RUN: attnc compile %s --target sm_90a --emit ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: sed 's/xbf16/xf16/' %s > %t.mlir
// RUN: attnc compile %t.mlir --target sm_90a --emit ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// CHECK: .entry main_tma
// CHECK-NOT: setp{{.*}}.{{b?}}f16
// CHECK: setp.{{.*}}.f32

!t = memref<1x2x128x64xbf16>
!row = memref<1x2x128xf32>
func.func @main(%q: !t, %lse: !row, %do: !t, %dq: !t, %dk: !t, %dv: !t) {
  attn.attention_backward
      ins(%q, %q, %q, %q, %lse, %do : !t, !t, !t, !t, !row, !t)
      outs(%dq, %dk, %dv : !t, !t, !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %cap = arith.constant 30.0 : f32
        %0 = arith.divf %s, %cap : f32
        %1 = math.tanh %0 : f32
        %2 = arith.mulf %1, %cap : f32
        attn.yield %2 : f32
      }
  return
}
