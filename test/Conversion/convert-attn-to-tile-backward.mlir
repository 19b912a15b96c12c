// RUN: attn-opt %s -split-input-file -convert-attn-to-tile -canonicalize -cse -verify-diagnostics | FileCheck %s

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

// Three grids: sums over rows; d_query, of a block of rows; d_key and d_value, of a block
// of keys, over the heads that share it.
// CHECK-LABEL: func.func @gradients(
// CHECK: %[[DELTA:.+]] = memref.alloc() : memref<1x4x100xf32>
// CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) {{.*}} step [1, 1, 64]
// CHECK: %[[SUM:.+]] = attn_tile.reduce add %{{.+}} along 1
// CHECK: attn_tile.store %[[SUM]], %[[DELTA]][%[[B]], %[[H]], %[[I]]]
// CHECK: attn_tile.grid
// CHECK: %[[DOMAIN:.+]] = attn_tile.domain rows
// CHECK: attn_tile.for_blocks ({{.+}}) of %[[DOMAIN]] iter_args(%{{.+}} = %{{.+}}) -> (tensor<64x64xf32>)
// CHECK-COUNT-3: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK: attn_tile.store %{{.+}}, %arg6
// CHECK: attn_tile.grid
// CHECK: scf.for {{.+}} -> (tensor<64x32xf32>, tensor<64x64xf32>)
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-4: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK-DAG: attn_tile.store %{{.+}}, %arg7
// CHECK-DAG: attn_tile.store %{{.+}}, %arg8
// CHECK: memref.dealloc %[[DELTA]]
func.func @gradients(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dq: !q, %dk: !k, %dv: !v) {
  attn.attention_backward mask <top_left, causal>
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dq, %dk, %dv : !q, !k, !v) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

// What only absent gradients need is not computed: d_value takes S and its own product.
// CHECK-LABEL: func.func @value(
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-2: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK: return
func.func @value(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dv: !v) {
  attn.attention_backward wrt(value)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dv : !v) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}

// -----

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

func.func @no_derivative(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dv: !v) {
  // expected-note@below {{needed for the gradients of this op's score region}}
  attn.attention_backward wrt(value)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dv : !v)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %0 = arith.bitcast %s : f32 to i32
        // expected-error@above {{'arith.bitcast' op has no derivative with respect to its operands}}
        %1 = arith.bitcast %0 : i32 to f32
        attn.yield %1 : f32
      } {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}
