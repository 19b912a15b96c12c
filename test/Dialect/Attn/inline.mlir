// RUN: attn-opt %s -inline | FileCheck %s

!t = memref<1x2x64x64xf16>

// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @main(
// CHECK-NOT: call
// CHECK: scf.for
// CHECK: attn.attention
// CHECK: attn.yield
// CHECK: attn.attention
// CHECK: return
func.func private @layer(%q: !t, %o: !t, %x: f32) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%x : f32) outs(%o : !t) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
    %0 = arith.mulf %s, %c : f32
    attn.yield %0 : f32
  }
  return
}
func.func private @layers(%q: !t, %o: !t, %x: f32) {
  call @layer(%q, %o, %x) : (!t, !t, f32) -> ()
  return
}
func.func @main(%q: !t, %o: !t, %p: !t, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @layers(%q, %o, %x) : (!t, !t, f32) -> ()
  }
  call @layer(%q, %p, %x) : (!t, !t, f32) -> ()
  return
}
