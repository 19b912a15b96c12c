// RUN: attn-opt %s -split-input-file -attn-differentiate -verify-diagnostics | FileCheck %s

// Arrays that may be arguments of the function to differentiate, as views and selects of them may.

!t = memref<1x4x8x16xf16>

// The chosen array is one of the arguments, as is a transposed one.
func.func @chosen(%q: !t, %k: !t, %v: !t, %is: i1, %x: f16, %o: !t) {
  %c0 = arith.constant 0 : index
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  %chosen = arith.select %is, %q, %k : !t
  // expected-error@below {{'memref.store' op expected no write to an argument beside attention's to differentiate 'chosen', found one}}
  memref.store %x, %chosen[%c0, %c0, %c0, %c0] : !t
  return
}

// -----

!t = memref<1x4x8x16xf16>

func.func @transposed(%q: !t, %k: !t, %v: !t, %x: f16, %o: !t) {
  %c0 = arith.constant 0 : index
  %heads = memref.transpose %q (b, h, s, d) -> (b, s, h, d)
      : !t to memref<1x8x4x16xf16, strided<[512, 16, 128, 1]>>
  // expected-error@below {{'memref.store' op expected no write to an argument beside attention's to differentiate 'transposed', found one}}
  memref.store %x, %heads[%c0, %c0, %c0, %c0] : memref<1x8x4x16xf16, strided<[512, 16, 128, 1]>>
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// -----

!t = memref<1x4x8x16xf32>

// An array that memory names may be an argument.
func.func @named(%q: !t, %x: memref<4xf32>, %o: !t) {
  %names = memref.alloc() : memref<memref<4xf32>>
  memref.store %x, %names[] : memref<memref<4xf32>>
  %z = memref.load %names[] : memref<memref<4xf32>>
  // expected-error@below {{'attn.attention' op expected the function's argument as captured array 0 to differentiate 'named', found the result of 'memref.load', which may be a part of an argument}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%z : memref<4xf32>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4xf32>):
        %0 = attn.read %c[%h] : memref<4xf32>
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      }
  return
}

// -----

!t = memref<1x4x8x16xf16>

// A new array may be written.
// CHECK-LABEL: func.func @stored_backward(
// CHECK: %[[NEW:.+]] = memref.alloca() : memref<f32>
// CHECK: memref.store %{{.+}}, %[[NEW]][]
// CHECK: attn.attention_backward
func.func @stored(%q: !t, %k: !t, %v: !t, %x: f32, %o: !t) {
  %new = memref.alloca() : memref<f32>
  memref.store %x, %new[] : memref<f32>
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// -----

!t = memref<1x4x8x16xf32>
!row = memref<4xf32>

// The backward function would have no gradient of %x and %y.
func.func @selects(%q: !t, %x: !row, %y: !row, %is: i1, %o: !t) {
  %z = arith.select %is, %x, %y : !row
  // expected-error@below {{'attn.attention' op expected the function's argument as captured array 0 to differentiate 'selects', found the result of 'arith.select', which may be a part of an argument}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%z : !row) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: !row):
        %0 = attn.read %c[%h] : !row
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      }
  return
}

// -----

!t = memref<1x4x8x16xf32>

func.func @casts(%q: !t, %x: memref<2x2xf32>, %o: !t) {
  %own = memref.alloc() : memref<4xf32>
  %0 = memref.collapse_shape %x [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %n = %c0 to %c1 step %c1 iter_args(%its = %own) -> memref<4xf32> {
    %1 = memref.cast %0 : memref<4xf32> to memref<?xf32>
    %2 = builtin.unrealized_conversion_cast %1 : memref<?xf32> to memref<4xf32>
    scf.yield %2 : memref<4xf32>
  }
  // expected-error@below {{'attn.attention' op expected the function's argument as captured array 0 to differentiate 'casts', found the result of 'scf.for', which may be a part of an argument}}
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%z : memref<4xf32>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4xf32>):
        %3 = attn.read %c[%h] : memref<4xf32>
        %4 = arith.mulf %s, %3 : f32
        attn.yield %4 : f32
      }
  return
}

// -----

!t = tensor<1x4x8x16xf32>

func.func @tensor_view(%q: !t, %x: tensor<2x2xf32>, %o: !t) -> !t {
  %z = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  // expected-error@below {{expected the function's argument as sink to differentiate 'tensor_view', found the result of 'tensor.collapse_shape', which may be a part of an argument}}
  %r = attn.attention ins(%q, %q, %q : !t, !t, !t) sink(%z : tensor<4xf32>) outs(%o : !t) -> !t
  return %r : !t
}

// -----

!t = memref<1x4x8x16xf32>

// Globals, and arrays that the function allocates, have no gradients; nor has an array of
// the function's that the score region does not read.
// CHECK-LABEL: func.func @own_backward(
// CHECK: attn.attention_backward ins(
memref.global "private" constant @slopes : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @own(%q: !t, %x: memref<4xf32>, %y: memref<4xf32>, %is: i1, %o: !t) {
  %global = memref.get_global @slopes : memref<4xf32>
  %own = memref.alloc() : memref<4xf32>
  memref.copy %x, %own : memref<4xf32> to memref<4xf32>
  %z = arith.select %is, %global, %own : memref<4xf32>
  %w = arith.select %is, %x, %y : memref<4xf32>
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%z, %w : memref<4xf32>, memref<4xf32>)
      outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4xf32>, %d: memref<4xf32>):
        %0 = attn.read %c[%h] : memref<4xf32>
        %1 = arith.mulf %s, %0 : f32
        attn.yield %1 : f32
      }
  return
}

// -----

!t = memref<1x4x8x16xf32>

// A store to what is %q or %o, in a branch between blocks.
func.func @stores(%q: !t, %is: i1, %z: f32, %o: !t) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  %c = arith.constant 0 : index
  %m = scf.if %is -> !t {
    scf.yield %q : !t
  } else {
    scf.yield %o : !t
  }
  // expected-error@below {{'scf.execute_region' op expected no write to an argument beside attention's to differentiate 'stores', found one}}
  scf.execute_region {
    %own = memref.alloc() : !t
    cf.cond_br %is, ^bb1(%own : !t), ^bb1(%m : !t)
  ^bb1(%its: !t):
    memref.store %z, %its[%c, %c, %c, %c] : !t
    scf.yield
  }
  return
}

// -----

!t = memref<1x4x8x16xf32>

// A loop may carry memory that the function allocates, and write to it.
// CHECK-LABEL: func.func @carries_backward(
// CHECK: memref.store
// CHECK: attn.attention_backward
func.func @carries(%q: !t, %z: f32, %o: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<f32>
  %y = memref.alloc() : memref<f32>
  %r:2 = scf.for %n = %c0 to %c1 step %c1 iter_args(%a = %x, %b = %y) -> (memref<f32>, memref<f32>) {
    memref.store %z, %a[] : memref<f32>
    scf.yield %b, %a : memref<f32>, memref<f32>
  }
  attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%o : !t)
  return
}

// -----

!t = tensor<1x4x8x16xf32>

// A call cannot write to a tensor.
// CHECK-LABEL: func.func @sums_backward(
// CHECK: call @sum
// CHECK: attn.attention_backward
func.func private @sum(!t) -> i64
func.func @sums(%q: !t, %o: !t) -> !t {
  %seed = call @sum(%q) : (!t) -> i64
  %r = attn.attention ins(%q, %q, %q : !t, !t, !t) dropout(0.5, %seed, %seed : i64, i64) outs(%o : !t) -> !t
  return %r : !t
}
