// RUN: attn-opt %s -split-input-file -verify-diagnostics

!t = memref<1x2x8x16xf16>

func.func @float_mask(%t: !t) {
  attn.attention ins(%t, %t, %t : !t, !t, !t) outs(%t : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.constant 1.0 : f32
        // expected-error@below {{'attn.yield' op expected the mask region to yield 'i1', found 'f32'}}
        attn.yield %0 : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @no_yield(%t: !t) {
  // expected-error@below {{'attn.attention' op expected the mask region to end in 'attn.yield'}}
  "attn.attention"(%t, %t, %t, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>}> ({}, {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    llvm.unreachable
  }) : (!t, !t, !t, !t) -> ()
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @arguments(%t: !t) {
  // expected-error@below {{'attn.attention' op expected mask region arguments ('index', 'index', 'index', 'index'), found ('f32', 'index', 'index', 'index', 'index')}}
  attn.attention ins(%t, %t, %t : !t, !t, !t) outs(%t : !t)
      mask {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %0 = arith.constant true
        attn.yield %0 : i1
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @captures_of_both(%t: !t, %x: f32) {
  // expected-error@below {{'attn.attention' op expected mask region arguments ('index', 'index', 'index', 'index', 'f32'), found ('index', 'index', 'index', 'index')}}
  attn.attention ins(%t, %t, %t : !t, !t, !t) captures(%x : f32) outs(%t : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        attn.yield %c : f32
      }
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.constant true
        attn.yield %0 : i1
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @op_of_another_dialect(%t: !t) {
  // expected-note@below {{mask region of this op}}
  attn.attention ins(%t, %t, %t : !t, !t, !t) outs(%t : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %true = arith.constant true
        // expected-error@below {{'attn.attention' op mask region expects scalar ops of arith and math, found 'scf.if'}}
        scf.if %true {
        }
        attn.yield %true : i1
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @wrong_rank(%t: !t, %x: memref<4x4xf32>) {
  attn.attention ins(%t, %t, %t : !t, !t, !t) captures(%x : memref<4x4xf32>) outs(%t : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4x4xf32>):
        // expected-error@below {{'attn.read' op expected 2 indices for an array of type 'memref<4x4xf32>', found 1}}
        %0 = attn.read %c[%i] : memref<4x4xf32>
        attn.yield %0 : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @negative(%t: !t, %x: memref<4x4xf32>) {
  attn.attention ins(%t, %t, %t : !t, !t, !t) captures(%x : memref<4x4xf32>) outs(%t : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4x4xf32>):
        %last = arith.constant -1 : index
        // expected-error@below {{'attn.read' op expected indices of at least 0, found -1 for dimension 1}}
        %0 = attn.read %c[%i, %last] inbounds : memref<4x4xf32>
        attn.yield %0 : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @past_the_end(%t: !t, %x: memref<4x4xf32>) {
  attn.attention ins(%t, %t, %t : !t, !t, !t) captures(%x : memref<4x4xf32>) outs(%t : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4x4xf32>):
        %last = arith.constant 4 : index
        // expected-error@below {{'attn.read' op expected indices below 4, found 4 for dimension 1 (without 'inbounds', indices are clamped)}}
        %0 = attn.read %c[%i, %last] inbounds : memref<4x4xf32>
        attn.yield %0 : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @tensor_capture(%t: !t, %x: tensor<4xf32>) {
  // expected-error@below {{'attn.attention' op expected all operands to be tensors or all to be memrefs, found capture 0 of type 'tensor<4xf32>' and query of type 'memref<1x2x8x16xf16>'}}
  attn.attention ins(%t, %t, %t : !t, !t, !t) captures(%x : tensor<4xf32>) outs(%t : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: tensor<4xf32>):
        attn.yield %s : f32
      }
  return
}

// -----

!t = memref<1x2x8x16xf16>

func.func @array_of_indices(%t: !t, %x: memref<4xindex>) {
  // expected-error@below {{'attn.attention' op expected captured arrays of floats or signless integers, found capture 0 of type 'memref<4xindex>'}}
  attn.attention ins(%t, %t, %t : !t, !t, !t) captures(%x : memref<4xindex>) outs(%t : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<4xindex>):
        attn.yield %s : f32
      }
  return
}

// -----

func.func @read_elsewhere(%x: memref<4xf32>, %i: index) {
  // expected-error@below {{'attn.read' op expects parent op to be one of 'attn.attention, attn.attention_backward'}}
  %0 = attn.read %x[%i] : memref<4xf32>
  return
}
