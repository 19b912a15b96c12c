// RUN: attn-opt %s -split-input-file -attn-assign-tiles -convert-attn-to-tile -canonicalize -cse | FileCheck %s

!q = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// Read once a program, and no part of the loop.
// CHECK-LABEL: func.func @sink(
// CHECK-SAME: %[[SINK:[a-z0-9]+]]: memref<4xbf16>
// CHECK: attn_tile.grid (%{{.+}}, %[[H:.+]], %{{.+}}) to
// CHECK: %[[S:.+]] = attn_tile.gather %[[SINK]][%[[H]]] : (memref<4xbf16>, index) -> bf16
// CHECK: %[[WIDE:.+]] = arith.extf %[[S]] : bf16 to f32
// CHECK: %[[ROWS:.+]] = tensor.splat %[[WIDE]] : tensor<{{[0-9]+}}xf32>
// CHECK: attn_tile.for_blocks
// CHECK-NOT: gather
// CHECK: attn_tile.softmax_finish %{{.+}} sink(%[[ROWS]] : tensor<{{[0-9]+}}xf32>) approximate
func.func @sink(%q: !q, %sink: memref<4xbf16>, %o: !q, %lse: !row) {
  attn.attention ins(%q, %q, %q : !q, !q, !q) sink(%sink : memref<4xbf16>) outs(%o, %lse : !q, !row)
  return
}

// -----

// Without keys, rows have the sink as their lse if it is finite.
// CHECK-LABEL: func.func @no_keys(
// CHECK-NOT: attn_tile.for_blocks
// CHECK: %[[ABS:.+]] = math.absf
// CHECK: %[[FINITE:.+]] = arith.cmpf olt, %[[ABS]]
// CHECK: %[[LSE:.+]] = arith.select %[[FINITE]]
// CHECK: attn_tile.store %[[LSE]]
func.func @no_keys(%q: memref<1x2x20x64xf16>, %k: memref<1x2x0x64xf16>, %sink: memref<2xf32>,
                   %o: memref<1x2x20x64xf16>, %lse: memref<1x2x20xf32>) {
  attn.attention ins(%q, %k, %k : memref<1x2x20x64xf16>, memref<1x2x0x64xf16>, memref<1x2x0x64xf16>)
      sink(%sink : memref<2xf32>) outs(%o, %lse : memref<1x2x20x64xf16>, memref<1x2x20xf32>)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// Terms are computed for rows, then summed over stretches of 64 rows, then over those of each head,
// without MMAs.
// CHECK-LABEL: func.func @d_sink(
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: memref<4xf32>)
// CHECK-NOT: attn_tile.dot
// CHECK: %[[TERMS:.+]] = attn_tile.workspace : memref<2x4x2x64xf32>
// CHECK: attn_tile.grid
// CHECK: math.exp
// CHECK: attn_tile.store
// CHECK: %[[SUMS:.+]] = attn_tile.workspace : memref<4x2x2xf32>
// CHECK: attn_tile.grid
// CHECK: attn_tile.load %[[TERMS]]
// CHECK: attn_tile.reduce add
// CHECK: attn_tile.store %{{.+}}, %[[SUMS]]
// CHECK: attn_tile.grid
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.store %{{.+}}, %[[OUT]]
// CHECK-NOT: attn_tile.grid
func.func @d_sink(%q: !q, %lse: !row, %sink: memref<4xf32>, %d: memref<4xf32>) {
  attn.attention_backward wrt(sink) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !row, !q)
      sink(%sink : memref<4xf32>) outs(%d : memref<4xf32>)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// Dropout applies to the probabilities only, not to their sum.
// CHECK-LABEL: func.func @dropout(
// CHECK-SAME: %[[SEED:[a-z0-9]+]]: i64, %[[OFFSET:[a-z0-9]+]]: memref<i64>
// CHECK: attn_tile.grid (%[[B:.+]], %[[H:.+]], %[[I:.+]]) to
// CHECK: %[[O:.+]] = attn_tile.gather %[[OFFSET]][] : (memref<i64>) -> i64
// CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of
// CHECK: %[[P:.+]], %{{.+}}, %{{.+}} = attn_tile.softmax_update
// CHECK: %[[KEEP:.+]] = attn_tile.random_keep %[[SEED]], %[[O]] at[%{{.+}}, %[[I]], %[[J]]] threshold 16384 rows along 0 aligned
// CHECK: %[[KEPT:.+]] = arith.select %[[KEEP]], %[[P]]
// CHECK: attn_tile.dot %[[KEPT]]
func.func @dropout(%q: !q, %seed: i64, %offset: memref<i64>, %o: !q) {
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(0.25, %seed, %offset : i64, memref<i64>) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// An origin whose keys begin anywhere.
// CHECK-LABEL: func.func @unaligned(
// CHECK: attn_tile.random_keep
// CHECK-NOT: aligned
// CHECK: return
func.func @unaligned(%q: !q, %seed: i64, %x: index, %o: !q) {
  %c0 = arith.constant 0 : index
  attn.attention ins(%q, %q, %q : !q, !q, !q) dropout(0.25, %seed, %seed : i64, i64)
      origin(%c0, %c0, %c0, %x) lengths(%x, %x) outs(%o : !q)
  return
}

// -----

!q = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// One mask of a tile, for P and for dP.
// CHECK-LABEL: func.func @dropout_backward(
// CHECK: attn_tile.for_blocks
// CHECK: %[[KEEP:.+]] = attn_tile.random_keep {{.+}} rows along 1 aligned
// CHECK-NOT: random_keep
// CHECK: arith.select %[[KEEP]]
// CHECK: arith.select %[[KEEP]]
func.func @dropout_backward(%q: !q, %lse: !row, %seed: i64, %dk: !q, %dv: !q) {
  attn.attention_backward wrt(key, value) ins(%q, %q, %q, %q, %lse, %q : !q, !q, !q, !q, !row, !q)
      dropout(0.25, %seed, %seed : i64, i64) outs(%dk, %dv : !q, !q)
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>

// A slope's gradient is summed over keys by the program of d_query, then over rows and
// batch entries.
// CHECK-LABEL: func.func @slopes(
// CHECK-SAME: %[[D:[a-z0-9]+]]: memref<4xf32>)
// CHECK-COUNT-2: attn_tile.workspace : memref<2x4x1x64xf32>
// CHECK: %[[TERMS:.+]] = attn_tile.workspace : memref<2x4x1x64xf32>
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.reduce add
// CHECK: %[[SUMS:.+]] = attn_tile.workspace : memref<4x2x1xf32>
// CHECK: attn_tile.load %[[TERMS]][
// CHECK: attn_tile.store %{{.+}}, %[[D]]
// CHECK-NOT: add :
func.func @slopes(%q: !t, %lse: !row, %slopes: memref<4xf32>, %d: memref<4xf32>) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%slopes : memref<4xf32>) outs(%d : memref<4xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<4xf32>):
        %1 = attn.read %t[%h] : memref<4xf32>
        %2 = arith.mulf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// -----

!t = memref<2x4x64x16xf16>
!row = memref<2x4x64xf32>
!bias = memref<1x4x64x64xbf16>

// A bias of all batch entries: one program adds them up, one after the other.
// CHECK-LABEL: func.func @bias(
// CHECK-SAME: %[[D:[a-z0-9]+]]: memref<1x4x64x64xbf16>)
// CHECK: %[[SUMS:.+]] = attn_tile.workspace : memref<4x64x64xf32>
// CHECK: attn_tile.grid (%{{.+}}, %[[H:.+]], %[[I:.+]]) to (%c1, %c4, %c64)
// CHECK: scf.for
// CHECK: attn_tile.for_blocks (%[[J:.+]], %{{.+}}) of
// CHECK: attn_tile.store %{{.+}}, %[[SUMS]][%[[H]], %[[I]], %[[J]]] add
// CHECK: attn_tile.grid
// CHECK: attn_tile.load %[[SUMS]]
// CHECK: arith.truncf
func.func @bias(%q: !t, %lse: !row, %bias: !bias, %d: !bias) {
  attn.attention_backward wrt(captures[0]) ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%bias : !bias) outs(%d : !bias)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: !bias):
        %0 = attn.read %t[%b, %h, %i, %j] : !bias
        %1 = arith.extf %0 : bf16 to f32
        %2 = arith.addf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}
