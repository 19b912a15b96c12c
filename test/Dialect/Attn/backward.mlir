// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -canonicalize | FileCheck %s -check-prefix=CANON
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER

!q = memref<1x4x100x64xf16>
!k = memref<1x2x90x64xf16>
!v = memref<1x2x90x32xf16>
!o = memref<1x4x100x32xf16>
!row = memref<1x4x100xf32>

// CHECK-LABEL: func.func @all(
// CHECK: attn.attention_backward mask <top_left, causal> scale {{.+}} deterministic ins(
// CHECK-SAME: d_lse(%{{.+}} : memref<1x4x100xf32>)
// CHECK-SAME: captures(%{{.+}} : f32)
// CHECK-SAME: outs(%{{.+}}, %{{.+}}, %{{.+}} : memref<1x4x100x64xf16>, memref<1x2x90x64xf16>, memref<1x2x90x32xf16>)
// CHECK-SAME: score {
func.func @all(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %dlse: !row, %cap: f32,
               %dq: !q, %dk: !k, %dv: !v) {
  attn.attention_backward mask <top_left, causal> scale 0.25 deterministic
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      d_lse(%dlse : !row)
      captures(%cap : f32)
      outs(%dq, %dk, %dv : !q, !k, !v)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        %0 = arith.addf %s, %c : f32
        attn.yield %0 : f32
      }
  return
}

// Outs may be f32, and are those that wrt names.
// CHECK-LABEL: func.func @some(
// CHECK: attn.attention_backward wrt(query, value) ins(
// CHECK-SAME: outs(%{{.+}}, %{{.+}} : memref<1x4x100x64xf32>, memref<1x2x90x32xf16>)
func.func @some(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o,
                %dq: memref<1x4x100x64xf32>, %dv: !v) {
  attn.attention_backward wrt(query, value)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      outs(%dq, %dv : memref<1x4x100x64xf32>, !v)
  return
}

// A mask that never masks, a region that does nothing and an origin of zeros.
// CANON-LABEL: func.func @plain(
// CANON: attn.attention_backward wrt(key) ins(
// CANON-NOT: captures
// CANON-NOT: origin
// CANON-NOT: score
// CANON: return
func.func @plain(%q: !q, %k: !k, %v: !v, %o: !o, %lse: !row, %do: !o, %x: f32, %dk: !k) {
  %c0 = arith.constant 0 : index
  attn.attention_backward mask <top_left, left = 5000> wrt(key)
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !v, !o, !row, !o)
      captures(%x : f32)
      origin(%c0, %c0, %c0, %c0)
      outs(%dk : !k)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
        attn.yield %s : f32
      }
  return
}

// BUFFER-LABEL: func.func @tensors(
// BUFFER: attn.attention_backward wrt(key, value) ins(
// BUFFER-SAME: outs(%alloc, %alloc_0 : memref<1x2x90x64xf16>, memref<1x2x90x32xf16>)
// BUFFER-NOT: -> tensor
func.func @tensors(%q: tensor<1x4x100x64xf16>, %k: tensor<1x2x90x64xf16>, %v: tensor<1x2x90x32xf16>,
                   %o: tensor<1x4x100x32xf16>, %lse: tensor<1x4x100xf32>, %do: tensor<1x4x100x32xf16>)
    -> (tensor<1x2x90x64xf16>, tensor<1x2x90x32xf16>) {
  %dk = tensor.empty() : tensor<1x2x90x64xf16>
  %dv = tensor.empty() : tensor<1x2x90x32xf16>
  %r:2 = attn.attention_backward wrt(key, value)
      ins(%q, %k, %v, %o, %lse, %do : tensor<1x4x100x64xf16>, tensor<1x2x90x64xf16>, tensor<1x2x90x32xf16>,
          tensor<1x4x100x32xf16>, tensor<1x4x100xf32>, tensor<1x4x100x32xf16>)
      outs(%dk, %dv : tensor<1x2x90x64xf16>, tensor<1x2x90x32xf16>)
      -> tensor<1x2x90x64xf16>, tensor<1x2x90x32xf16>
  return %r#0, %r#1 : tensor<1x2x90x64xf16>, tensor<1x2x90x32xf16>
}
