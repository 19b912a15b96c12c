// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -canonicalize | FileCheck %s -check-prefix=CANON
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!row = memref<1x4x100xf32>

// CHECK-LABEL: func.func @forward(
// CHECK: attn.attention ins(
// CHECK-SAME: sink(%{{.+}} : memref<4xbf16>) dropout(1.000000e-01, %{{.+}}, %{{.+}} : i64, memref<i64>) captures(
// CANON-LABEL: func.func @forward(
// CANON: sink({{.*}}) dropout(
func.func @forward(%q: !q, %k: !k, %sink: memref<4xbf16>, %seed: i64, %offset: memref<i64>, %c: f32, %o: !q) {
  attn.attention ins(%q, %k, %k : !q, !k, !k) sink(%sink : memref<4xbf16>)
      dropout(0.1, %seed, %offset : i64, memref<i64>) captures(%c : f32) outs(%o : !q)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
        %0 = arith.addf %s, %x : f32
        attn.yield %0 : f32
      }
  return
}

// CHECK-LABEL: func.func @backward(
// CHECK: attn.attention_backward wrt(key, sink, captures[0]) ins(
// CHECK-SAME: sink(%{{.+}} : memref<4xbf16>) dropout(5.000000e-01, %{{.+}}, %{{.+}} : memref<1xi64>, i64) captures(
// CHECK-SAME: outs(%{{.+}}, %{{.+}}, %{{.+}} : memref<1x2x90x64xf16>, memref<4xf32>, memref<f32>)
func.func @backward(%q: !q, %k: !k, %sink: memref<4xbf16>, %seed: memref<1xi64>, %offset: i64, %c: f32, %lse: !row,
                    %dk: !k, %dsink: memref<4xf32>, %dc: memref<f32>) {
  attn.attention_backward wrt(key, sink, captures[0])
      ins(%q, %k, %k, %q, %lse, %q : !q, !k, !k, !q, !row, !q)
      sink(%sink : memref<4xbf16>) dropout(0.5, %seed, %offset : memref<1xi64>, i64)
      captures(%c : f32) outs(%dk, %dsink, %dc : !k, memref<4xf32>, memref<f32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
        %0 = arith.addf %s, %x : f32
        attn.yield %0 : f32
      }
  return
}

// Sinks of -inf, and dropout of less than 1 / 131072.
// CANON-LABEL: func.func @none(
// CANON: attn.attention ins(
// CANON-NOT: sink(
// CANON-NOT: dropout(
// CANON-SAME: outs(
func.func @none(%q: tensor<1x4x100x64xf16>, %seed: i64, %o: tensor<1x4x100x64xf16>) -> tensor<1x4x100x64xf16> {
  %sink = arith.constant dense<0xFF800000> : tensor<4xf32>
  %r = attn.attention ins(%q, %q, %q : tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>)
      sink(%sink : tensor<4xf32>) dropout(0.000007, %seed, %seed : i64, i64)
      outs(%o : tensor<1x4x100x64xf16>) -> tensor<1x4x100x64xf16>
  return %r : tensor<1x4x100x64xf16>
}

// A sink is kept if its gradient is computed, or if it is not -inf.
// CANON-LABEL: func.func @kept(
// CANON: attn.attention_backward wrt(sink) ins({{.*}} sink(
// CANON: attn.attention ins({{.*}} sink(
func.func @kept(%q: tensor<1x4x100x64xf16>, %lse: tensor<1x4x100xf32>, %ds: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<1x4x100x64xf16>) {
  %sink = arith.constant dense<0xFF800000> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = attn.attention_backward wrt(sink)
      ins(%q, %q, %q, %q, %lse, %q : tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>,
          tensor<1x4x100x64xf16>, tensor<1x4x100xf32>, tensor<1x4x100x64xf16>)
      sink(%sink : tensor<4xf32>) outs(%ds : tensor<4xf32>) -> tensor<4xf32>
  %o = attn.attention ins(%q, %q, %q : tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>)
      sink(%zero : tensor<4xf32>) outs(%q : tensor<1x4x100x64xf16>) -> tensor<1x4x100x64xf16>
  return %r, %o : tensor<4xf32>, tensor<1x4x100x64xf16>
}

// BUFFER-LABEL: func.func @tensors(
// BUFFER: attn.attention_backward wrt(sink) ins(
// BUFFER-SAME: sink(%{{.+}} : memref<4xf16, strided<[1], offset: ?>>) dropout({{.+}} : memref<i64>, i64) outs(%{{.+}} : memref<4xf16>)
// BUFFER-NOT: -> tensor
func.func @tensors(%q: tensor<1x4x100x64xf16>, %lse: tensor<1x4x100xf32>, %sink: tensor<4xf16>,
                   %seed: tensor<i64>, %offset: i64) -> tensor<4xf16> {
  %ds = tensor.empty() : tensor<4xf16>
  %r = attn.attention_backward wrt(sink)
      ins(%q, %q, %q, %q, %lse, %q : tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>, tensor<1x4x100x64xf16>,
          tensor<1x4x100x64xf16>, tensor<1x4x100xf32>, tensor<1x4x100x64xf16>)
      sink(%sink : tensor<4xf16>) dropout(0.1, %seed, %offset : tensor<i64>, i64)
      outs(%ds : tensor<4xf16>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}
