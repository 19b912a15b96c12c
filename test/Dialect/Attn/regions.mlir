// Mask regions, captured arrays and gradients of captured numbers.
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -canonicalize | FileCheck %s -check-prefix=CANON
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER

!t = memref<2x4x100x64xf16>
!row = memref<2x4x100xf32>

// CHECK-LABEL: func.func @mask(
// CHECK: attn.attention mask <top_left, causal> ins(
// CHECK-SAME: captures(%{{.+}}, %{{.+}} : f32, memref<2x?xi32, strided<[?, ?], offset: ?>>)
// CHECK-SAME: score {
// CHECK-NEXT: ^bb0(%{{.+}}: f32, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: f32, %{{.+}}: memref<2x?xi32, strided<[?, ?], offset: ?>>):
// CHECK: attn.yield %{{.+}} : f32
// CHECK: } mask {
// CHECK-NEXT: ^bb0(%[[B:.+]]: index, %{{.+}}: index, %[[I:.+]]: index, %[[J:.+]]: index, %{{.+}}: f32, %[[IDS:.+]]: memref<2x?xi32, strided<[?, ?], offset: ?>>):
// CHECK-NEXT: %{{.+}} = attn.read %[[IDS]][%[[B]], %[[I]]] : memref<2x?xi32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: %{{.+}} = attn.read %[[IDS]][%[[B]], %[[J]]]
// CHECK: attn.yield %{{.+}} : i1
func.func @mask(%q: !t, %o: !t, %x: f32, %ids: memref<2x?xi32, strided<[?, ?], offset: ?>>) {
  attn.attention mask <top_left, causal> ins(%q, %q, %q : !t, !t, !t)
      captures(%x, %ids : f32, memref<2x?xi32, strided<[?, ?], offset: ?>>)
      outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32,
           %d: memref<2x?xi32, strided<[?, ?], offset: ?>>):
        %0 = arith.mulf %s, %c : f32
        attn.yield %0 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: f32,
           %d: memref<2x?xi32, strided<[?, ?], offset: ?>>):
        %0 = attn.read %d[%b, %i] : memref<2x?xi32, strided<[?, ?], offset: ?>>
        %1 = attn.read %d[%b, %j] : memref<2x?xi32, strided<[?, ?], offset: ?>>
        %2 = arith.cmpi eq, %0, %1 : i32
        attn.yield %2 : i1
      }
  return
}

// A number in memory is an array, too.
// CHECK-LABEL: func.func @rank_0(
// CHECK: attn.read %{{.+}}[] : memref<bf16>
func.func @rank_0(%q: !t, %o: !t, %x: memref<bf16>) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%x : memref<bf16>) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: memref<bf16>):
        %0 = attn.read %c[] : memref<bf16>
        %1 = arith.extf %0 : bf16 to f32
        %2 = arith.mulf %s, %1 : f32
        attn.yield %2 : f32
      }
  return
}

// CHECK-LABEL: func.func @backward(
// CHECK: attn.attention_backward wrt(query, captures[0, 2]) ins(
// CHECK-SAME: outs(%{{.+}}, %{{.+}}, %{{.+}} : memref<2x4x100x64xf16>, memref<f32>, memref<f32, strided<[], offset: ?>>)
// CHECK: } mask {
// Captures that no region uses are removed, and the numbers of the others change.
// CANON-LABEL: func.func @backward(
// CANON: attn.attention_backward wrt(query, captures[0, 1]) ins(
// CANON-SAME: captures(%{{.+}}, %{{.+}} : f32, f16)
// CANON: ^bb0(%{{.+}}: f32, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: f32, %{{.+}}: f16):
// CANON: ^bb0(%{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: f32, %{{.+}}: f16):
func.func @backward(%q: !t, %lse: !row, %dq: !t, %x: f32, %y: f32, %z: f16, %dx: memref<f32>,
                    %dz: memref<f32, strided<[], offset: ?>>) {
  attn.attention_backward wrt(query, captures[0, 2])
      ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%x, %y, %z : f32, f32, f16)
      outs(%dq, %dx, %dz : !t, memref<f32>, memref<f32, strided<[], offset: ?>>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32, %d: f32, %e: f16):
        %0 = arith.mulf %s, %c : f32
        attn.yield %0 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: f32, %d: f32, %e: f16):
        %0 = arith.cmpi ule, %j, %i : index
        attn.yield %0 : i1
      }
  return
}

// A mask region that keeps all pairs is removed, too; a captured constant moves into both regions.
// CANON-LABEL: func.func @nothing(
// CANON: attn.attention ins(
// CANON-NOT: captures
// CANON-NOT: mask
// CANON: return
func.func @nothing(%q: !t, %o: !t, %x: f32) {
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%x : f32) outs(%o : !t)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: f32):
        %true = arith.constant true
        attn.yield %true : i1
      }
  return
}

// CANON-LABEL: func.func @constant(
// CANON: attn.attention ins(
// CANON-NOT: captures
// CANON: score {
// CANON: arith.constant 5 : index
// CANON: mask {
// CANON: arith.constant 5 : index
func.func @constant(%q: !t, %o: !t) {
  %c5 = arith.constant 5 : index
  attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%c5 : index) outs(%o : !t)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: index):
        %0 = arith.cmpi ult, %i, %c : index
        %zero = arith.constant 0.0 : f32
        %1 = arith.select %0, %s, %zero : f32
        attn.yield %1 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: index):
        %0 = arith.cmpi ult, %j, %c : index
        attn.yield %0 : i1
      }
  return
}

// A region with a gradient stays, even if it yields the score.
// CANON-LABEL: func.func @identity(
// CANON: score {
func.func @identity(%q: !t, %lse: !row, %x: f32, %dx: memref<f32>) {
  attn.attention_backward wrt(captures[0])
      ins(%q, %q, %q, %q, %lse, %q : !t, !t, !t, !t, !row, !t)
      captures(%x : f32) outs(%dx : memref<f32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        attn.yield %s : f32
      }
  return
}

// BUFFER-LABEL: func.func @tensors(
// BUFFER-SAME: %[[TABLE:[^:]+]]: memref<4x?xf32, strided<[?, 1], offset: ?>>)
// BUFFER: attn.attention_backward wrt(captures[0]) ins(
// BUFFER-SAME: captures(%{{.+}}, %[[TABLE]] : f32, memref<4x?xf32, strided<[?, 1], offset: ?>>)
// BUFFER-SAME: outs(%{{.+}} : memref<f32>)
// BUFFER-NEXT: ^bb0({{.*}}, %[[T:.+]]: memref<4x?xf32, strided<[?, 1], offset: ?>>):
// BUFFER: attn.read %[[T]][%{{.+}}, %{{.+}}] : memref<4x?xf32, strided<[?, 1], offset: ?>>
// BUFFER: } mask {
// BUFFER: ^bb0({{.*}}: memref<4x?xf32, strided<[?, 1], offset: ?>>):
// BUFFER-NOT: tensor<
func.func @tensors(%q: tensor<2x4x100x64xf16>, %lse: tensor<2x4x100xf32>, %x: f32,
                   %table: tensor<4x?xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %r = attn.attention_backward wrt(captures[0])
      ins(%q, %q, %q, %q, %lse, %q : tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>,
          tensor<2x4x100x64xf16>, tensor<2x4x100x64xf16>, tensor<2x4x100xf32>,
          tensor<2x4x100x64xf16>)
      captures(%x, %table : f32, tensor<4x?xf32>) outs(%e : tensor<f32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32, %t: tensor<4x?xf32>):
        %0 = attn.read %t[%h, %j] : tensor<4x?xf32>
        %1 = math.fma %0, %c, %s : f32
        attn.yield %1 : f32
      } mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index, %c: f32, %t: tensor<4x?xf32>):
        %0 = arith.cmpi ule, %j, %i : index
        attn.yield %0 : i1
      } -> tensor<f32>
  return %r : tensor<f32>
}
