// RUN: attn-opt %s -split-input-file -attn-assign-tiles -convert-attn-to-tile -verify-diagnostics
// RUN: attn-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(attn-check-arrays))' -verify-diagnostics

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @computed(%q: !t, %lse: !row, %table: memref<65537xf32>, %d: memref<65537xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<65537xf32>) outs(%d : memref<65537xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<65537xf32>):
        %0 = arith.subi %j, %i : index
        // expected-error@below {{'attn.read' op has no gradient with respect to its array: expected as indices some of b, h, i and j of the region, in this order, and any for dimensions of static sizes with at most 65536 elements together, found another for dimension 0}}
        %1 = attn.read %t[%0] : memref<65537xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @order(%q: !t, %lse: !row, %table: memref<?x?xf32>, %d: memref<?x?xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<?x?xf32>) outs(%d : memref<?x?xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?x?xf32>):
        // expected-error@below {{found another for dimension 1}}
        %1 = attn.read %t[%h, %b] : memref<?x?xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @size(%q: !t, %lse: !row, %table: memref<8xf32>, %d: memref<8xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<8xf32>) outs(%d : memref<8xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<8xf32>):
        // expected-error@below {{expected size 4 of dimension 0, which h is the index of, found 8}}
        %1 = attn.read %t[%h] : memref<8xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @keys(%q: !t, %lse: !row, %table: memref<?xf32>, %d: memref<?xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<?xf32>) outs(%d : memref<?xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?xf32>):
        // expected-error@below {{expected both i and j as indices, or neither}}
        %1 = attn.read %t[%j] : memref<?xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<4x4x64x16xf16>
!row = memref<4x4x64xf32>

func.func @several(%q: !t, %lse: !row, %table: memref<4xf32>, %d: memref<4xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<4xf32>) outs(%d : memref<4xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<4xf32>):
        // expected-note@below {{which are here}}
        %1 = attn.read %t[%h] : memref<4xf32>
        // expected-error@below {{expected the indices of its other reads}}
        %2 = attn.read %t[%b] : memref<4xf32>
        %3 = arith.mulf %1, %2 : f32
        %4 = arith.addf %s, %3 : f32
        attn.yield %4 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @placed(%q: !t, %lse: !row, %table: memref<4xf32>, %x: index, %d: memref<4xf32>) {
  // expected-error@below {{expected no origin where captured arrays have gradients, found one, and one of capture 0}}
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<4xf32>) origin(%x, %x, %x, %x) outs(%d : memref<4xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<4xf32>):
        %1 = attn.read %t[%h] : memref<4xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @pairs(%q: !t, %lse: !row, %table: memref<?x3xf32>, %d: memref<?x3xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<?x3xf32>) outs(%d : memref<?x3xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?x3xf32>):
        // expected-error@below {{expected neither i nor j beside a computed index, found one}}
        %1 = attn.read %t[%i, %h] : memref<?x3xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

func.func @together(%q: !t, %lse: !row, %table: memref<300x300xf32>, %d: memref<300x300xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%table : memref<300x300xf32>) outs(%d : memref<300x300xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<300x300xf32>):
        %c3 = arith.constant 3 : index
        %0 = arith.divui %i, %c3 : index
        // expected-error@below {{at most 65536 elements together, found another for dimension 1}}
        %1 = attn.read %t[%0, %0] : memref<300x300xf32>
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}
