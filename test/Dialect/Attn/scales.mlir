// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -canonicalize | FileCheck %s
// RUN: attn-opt %s -attn-bufferize | FileCheck %s -check-prefix=BUFFER

!q = memref<2x4x100x64xf16>
!k = memref<2x2x90x64xf8E4M3FN>
!v = memref<2x2x90x32xi8>
!o = memref<2x4x100x32xf16>

// Scales of a tensor, of heads and of blocks of tokens; the last block is smaller.
// CHECK-LABEL: func.func @forms(
// CHECK: attn.attention ins(
// CHECK-SAME: with(query_scale %{{.+}} : memref<f32>, key_scale %{{.+}} : memref<2x2xf32>, value_scale %{{.+}} per 32 : memref<1x2x3xf32>)
// CHECK-SAME: outs(
func.func @forms(%q: !q, %k: !k, %v: !v, %qs: memref<f32>, %ks: memref<2x2xf32>, %vs: memref<1x2x3xf32>, %o: !o) {
  attn.attention ins(%q, %k, %v : !q, !k, !v)
      with(query_scale %qs : memref<f32>, key_scale %ks : memref<2x2xf32>,
           value_scale %vs per 32 : memref<1x2x3xf32>)
      outs(%o : !o)
  return
}

// Scales of channels, and scales of tokens with any strides, whose sizes are not known to equal the
// array's.
// CHECK-LABEL: func.func @strides(
// CHECK: with(key_scale %{{.+}} : memref<2x?x90xf32, strided<[?, ?, ?]>>, value_scale %{{.+}} : memref<1x2x1x32xf32>)
func.func @strides(%q: !q, %k: !k, %v: !v, %ks: memref<2x?x90xf32, strided<[?, ?, ?]>>, %vs: memref<1x2x1x32xf32>, %o: !o) {
  attn.attention ins(%q, %k, %v : !q, !k, !v)
      with(key_scale %ks : memref<2x?x90xf32, strided<[?, ?, ?]>>, value_scale %vs : memref<1x2x1x32xf32>)
      outs(%o : !o)
  return
}

// Scales of pages have their sizes.
// CHECK-LABEL: func.func @pages(
// CHECK: pages(%{{.+}} : memref<2x?xi32>) with(key_scale %{{.+}} : memref<7x2xf32>, value_scale %{{.+}} : memref<7x1x16xf32>)
func.func @pages(%q: !q, %k: memref<7x2x16x64xf8E5M2>, %t: memref<2x?xi32>, %ks: memref<7x2xf32>, %vs: memref<7x1x16xf32>, %o: !q) {
  attn.attention ins(%q, %k, %k : !q, memref<7x2x16x64xf8E5M2>, memref<7x2x16x64xf8E5M2>)
      pages(%t : memref<2x?xi32>)
      with(key_scale %ks : memref<7x2xf32>, value_scale %vs : memref<7x1x16xf32>)
      outs(%o : !q)
  return
}

// BUFFER-LABEL: func.func @tensors(
// BUFFER: with(key_scale %{{.+}} : memref<2x2x90xf32, strided<[?, ?, 1], offset: ?>>)
func.func @tensors(%q: tensor<2x4x100x64xf16>, %k: tensor<2x2x90x64xf8E4M3FN>, %ks: tensor<2x2x90xf32>,
                   %o: tensor<2x4x100x64xf16>) -> tensor<2x4x100x64xf16> {
  %0 = attn.attention ins(%q, %k, %k : tensor<2x4x100x64xf16>, tensor<2x2x90x64xf8E4M3FN>, tensor<2x2x90x64xf8E4M3FN>)
      with(key_scale %ks : tensor<2x2x90xf32>) outs(%o : tensor<2x4x100x64xf16>) -> tensor<2x4x100x64xf16>
  return %0 : tensor<2x4x100x64xf16>
}

// All three inputs have 8 bits, and the output, too; its scale is one of heads.
// CHECK-LABEL: func.func @eight_bits(
// CHECK: with(query_scale %{{.+}} per 64 : memref<2x4x2xf32>, output_scale %{{.+}} : memref<1x4xf32>)
func.func @eight_bits(%q: memref<2x4x100x64xf8E5M2>, %k: !k, %v: !v, %qs: memref<2x4x2xf32>, %os: memref<1x4xf32>,
                      %o: memref<2x4x100x32xf8E4M3FN>) {
  attn.attention ins(%q, %k, %v : memref<2x4x100x64xf8E5M2>, !k, !v)
      with(query_scale %qs per 64 : memref<2x4x2xf32>, output_scale %os : memref<1x4xf32>)
      outs(%o : memref<2x4x100x32xf8E4M3FN>)
  return
}

// CHECK-LABEL: func.func @gradients(
// CHECK: attn.attention_backward ins(
// CHECK-SAME: with(query_scale %{{.+}} : memref<f32>, key_scale %{{.+}} : memref<2x2x90xf32>, value_scale %{{.+}} : memref<1x2x1x32xf32>)
func.func @gradients(%q: memref<2x4x100x64xf8E5M2>, %k: !k, %v: !v, %o: memref<2x4x100x32xbf16>, %lse: memref<2x4x100xf32>,
                     %qs: memref<f32>, %ks: memref<2x2x90xf32>, %vs: memref<1x2x1x32xf32>,
                     %dq: memref<2x4x100x64xbf16>, %dk: memref<2x2x90x64xf32>, %dv: memref<2x2x90x32xbf16>) {
  attn.attention_backward ins(%q, %k, %v, %o, %lse, %o : memref<2x4x100x64xf8E5M2>, !k, !v, memref<2x4x100x32xbf16>,
                              memref<2x4x100xf32>, memref<2x4x100x32xbf16>)
      with(query_scale %qs : memref<f32>, key_scale %ks : memref<2x2x90xf32>, value_scale %vs : memref<1x2x1x32xf32>)
      outs(%dq, %dk, %dv : memref<2x4x100x64xbf16>, memref<2x2x90x64xf32>, memref<2x2x90x32xbf16>)
  return
}

// CHECK-LABEL: func.func @narrow_products(
// CHECK: attn.attention_backward wrt(query) deterministic narrow_products ins(
// BUFFER-LABEL: func.func @narrow_products(
// BUFFER: attn.attention_backward wrt(query) deterministic narrow_products ins(
func.func @narrow_products(%q: memref<2x4x100x64xf8E5M2>, %o: memref<2x4x100x64xbf16>, %lse: memref<2x4x100xf32>) {
  attn.attention_backward wrt(query) deterministic narrow_products
      ins(%q, %q, %q, %o, %lse, %o : memref<2x4x100x64xf8E5M2>, memref<2x4x100x64xf8E5M2>, memref<2x4x100x64xf8E5M2>,
                                     memref<2x4x100x64xbf16>, memref<2x4x100xf32>, memref<2x4x100x64xbf16>)
      outs(%o : memref<2x4x100x64xbf16>)
  return
}

// CHECK-LABEL: func.func @which_narrow_products(
// CHECK: attn.attention_backward wrt(query) narrow_products<all> ins(
// CHECK: attn.attention_backward wrt(query) narrow_products ins(
// BUFFER-LABEL: func.func @which_narrow_products(
// BUFFER: attn.attention_backward wrt(query) narrow_products<all> ins(
func.func @which_narrow_products(%q: memref<2x4x100x64xf8E4M3FN>, %o: memref<2x4x100x64xbf16>, %lse: memref<2x4x100xf32>) {
  attn.attention_backward wrt(query) narrow_products<all>
      ins(%q, %q, %q, %o, %lse, %o : memref<2x4x100x64xf8E4M3FN>, memref<2x4x100x64xf8E4M3FN>, memref<2x4x100x64xf8E4M3FN>,
                                     memref<2x4x100x64xbf16>, memref<2x4x100xf32>, memref<2x4x100x64xbf16>)
      outs(%o : memref<2x4x100x64xbf16>)
  attn.attention_backward wrt(query) narrow_products<scores>
      ins(%q, %q, %q, %o, %lse, %o : memref<2x4x100x64xf8E4M3FN>, memref<2x4x100x64xf8E4M3FN>, memref<2x4x100x64xf8E4M3FN>,
                                     memref<2x4x100x64xbf16>, memref<2x4x100xf32>, memref<2x4x100x64xbf16>)
      outs(%o : memref<2x4x100x64xbf16>)
  return
}

// A mean of values comes after their scale. Of pages it has one entry.
// CHECK-LABEL: func.func @mean(
// CHECK: attn.attention ins(
// CHECK-SAME: with(value_scale %{{.+}} : memref<2x2xf32>, value_mean %{{.+}} : memref<2x2x1x32xf32, strided<[?, ?, ?, ?]>>, output_scale %{{.+}} : memref<f32>)
// CHECK: attn.attention ins(
// CHECK-SAME: with(value_mean %{{.+}} : memref<1x1x1x64xf32>)
func.func @mean(%q: !q, %k: !k, %v: !v, %vs: memref<2x2xf32>, %m: memref<2x2x1x32xf32, strided<[?, ?, ?, ?]>>, %os: memref<f32>,
                %o: memref<2x4x100x32xf8E4M3FN>, %pages: memref<7x2x16x64xf8E5M2>, %t: memref<2x?xi32>, %one: memref<1x1x1x64xf32>) {
  attn.attention ins(%q, %k, %v : !q, !k, !v)
      with(value_scale %vs : memref<2x2xf32>, value_mean %m : memref<2x2x1x32xf32, strided<[?, ?, ?, ?]>>, output_scale %os : memref<f32>)
      outs(%o : memref<2x4x100x32xf8E4M3FN>)
  attn.attention ins(%q, %pages, %pages : !q, memref<7x2x16x64xf8E5M2>, memref<7x2x16x64xf8E5M2>)
      pages(%t : memref<2x?xi32>) with(value_mean %one : memref<1x1x1x64xf32>) outs(%q : !q)
  return
}

// CHECK-LABEL: func.func @mean_in_gradients(
// CHECK: attn.attention_backward wrt(query) ins(
// CHECK-SAME: with(value_mean %{{.+}} : memref<1x2x1x32xf32>)
// BUFFER-LABEL: func.func @mean_of_tensor(
// BUFFER: with(value_mean %{{.+}} : memref<1x2x1x32xf32, strided<[?, ?, ?, 1], offset: ?>>)
func.func @mean_in_gradients(%q: !q, %k: !k, %v: !v, %o: !o, %lse: memref<2x4x100xf32>, %m: memref<1x2x1x32xf32>) {
  attn.attention_backward wrt(query) ins(%q, %k, %v, %o, %lse, %o : !q, !k, !v, !o, memref<2x4x100xf32>, !o)
      with(value_mean %m : memref<1x2x1x32xf32>) outs(%q : !q)
  return
}
func.func @mean_of_tensor(%q: tensor<2x4x100x64xf16>, %k: tensor<2x2x90x64xi8>, %v: tensor<2x2x90x32xi8>, %m: tensor<1x2x1x32xf32>,
                          %o: tensor<2x4x100x32xf16>) -> tensor<2x4x100x32xf16> {
  %0 = attn.attention ins(%q, %k, %v : tensor<2x4x100x64xf16>, tensor<2x2x90x64xi8>, tensor<2x2x90x32xi8>)
      with(value_mean %m : tensor<1x2x1x32xf32>) outs(%o : tensor<2x4x100x32xf16>) -> tensor<2x4x100x32xf16>
  return %0 : tensor<2x4x100x32xf16>
}
