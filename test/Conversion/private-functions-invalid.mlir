// RUN: attn-opt %s -split-input-file -verify-diagnostics -attn-to-ptx=chip=sm_90a

// Private functions that the inliner leaves have no stream to launch in.

!t = memref<1x2x64x64xf16>
func.func private @again(%q: !t, %o: !t) {
  // expected-error@below {{expected attention for a GPU in public functions, or in private ones that can be inlined; 'again' was not: it calls itself}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  call @again(%q, %o) : (!t, !t) -> ()
  return
}
func.func @main(%q: !t, %o: !t) {
  call @again(%q, %o) : (!t, !t) -> ()
  return
}

// -----

!t = memref<1x2x64x64xf16>
func.func private @apart(%q: !t, %o: !t) attributes {no_inline} {
  // expected-error@below {{'apart' was not: it is no_inline}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  return
}
func.func @main(%q: !t, %o: !t) {
  call @apart(%q, %o) : (!t, !t) -> ()
  return
}

// -----

!t = memref<1x2x64x64xf16>
func.func private @value(%q: !t, %o: !t) {
  // expected-error@below {{'value' was not: it is a value}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  return
}
func.func private @other(%q: !t, %o: !t) {
  return
}
func.func @main(%q: !t, %o: !t, %c: i1) {
  %f = constant @value : (!t, !t) -> ()
  %g = constant @other : (!t, !t) -> ()
  %h = arith.select %c, %f, %g : (!t, !t) -> ()
  call_indirect %h(%q, %o) : (!t, !t) -> ()
  return
}

// -----

!t = memref<1x2x64x64xf16>
func.func private @blocks(%q: !t, %o: !t, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // expected-error@below {{'blocks' was not: it has several blocks, and what calls it is in an op of one}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  cf.br ^bb2
^bb2:
  return
}
func.func @main(%q: !t, %o: !t, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @blocks(%q, %o, %c) : (!t, !t, i1) -> ()
  }
  return
}

// -----

!t = memref<1x2x64x64xf16>
func.func private @elsewhere(%q: !t, %o: !t)
func.func @main(%q: !t, %o: !t) {
  // expected-error@below {{expected attention ops alone in a function for a GPU; 'func.call' would run on the host}}
  call @elsewhere(%q, %o) : (!t, !t) -> ()
  return
}
