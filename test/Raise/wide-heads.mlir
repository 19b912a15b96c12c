// Attention with more columns than an attention op may have stays.
// RUN: attn-opt %s -attn-raise -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @wide(
// CHECK: attn.attention
func.func @wide(%q: tensor<8x256xf32>, %k: tensor<256x8xf32>, %v: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x256xf32>, tensor<256x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x256xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x256xf32>) -> tensor<8x256xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x256xf32>) outs(%oz : tensor<8x256xf32>) -> tensor<8x256xf32>
  return %o : tensor<8x256xf32>
}

// CHECK-LABEL: func.func @wide_keys(
// CHECK-NOT: attn.attention
func.func @wide_keys(%q: tensor<8x257xf32>, %k: tensor<257x8xf32>, %v: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x257xf32>, tensor<257x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-remark@below {{attention was not raised: a head has 257 columns, of which queries and keys of f32 have at most 256}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x16xf32>) outs(%oz : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %o : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @wide_values(
// CHECK-NOT: attn.attention
func.func @wide_values(%q: tensor<8x16xf32>, %k: tensor<16x8xf32>, %v: tensor<8x257xf32>) -> tensor<8x257xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x16xf32>, tensor<16x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x257xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x257xf32>) -> tensor<8x257xf32>
  // expected-remark@below {{attention was not raised: a head has 257 columns, of which values of f32 have at most 256}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x257xf32>) outs(%oz : tensor<8x257xf32>) -> tensor<8x257xf32>
  return %o : tensor<8x257xf32>
}

// CHECK-LABEL: func.func @wide_halves(
// CHECK: attn.attention
func.func @wide_halves(%q: tensor<8x576xbf16>, %k: tensor<576x8xbf16>, %v: tensor<8x512xbf16>) -> tensor<8x512xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x8xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %s = linalg.matmul ins(%q, %k : tensor<8x576xbf16>, tensor<576x8xbf16>) outs(%z : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xbf16>) outs(%e : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %oe = tensor.empty() : tensor<8x512xbf16>
  %oz = linalg.fill ins(%zero : bf16) outs(%oe : tensor<8x512xbf16>) -> tensor<8x512xbf16>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xbf16>, tensor<8x512xbf16>) outs(%oz : tensor<8x512xbf16>) -> tensor<8x512xbf16>
  return %o : tensor<8x512xbf16>
}

// CHECK-LABEL: func.func @wide_keys_of_halves(
// CHECK-NOT: attn.attention
func.func @wide_keys_of_halves(%q: tensor<8x577xf16>, %k: tensor<577x8xf16>, %v: tensor<8x16xf16>) -> tensor<8x16xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<8x8xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  %s = linalg.matmul ins(%q, %k : tensor<8x577xf16>, tensor<577x8xf16>) outs(%z : tensor<8x8xf16>) -> tensor<8x8xf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  %oe = tensor.empty() : tensor<8x16xf16>
  %oz = linalg.fill ins(%zero : f16) outs(%oe : tensor<8x16xf16>) -> tensor<8x16xf16>
  // expected-remark@below {{attention was not raised: a head has 577 columns, of which queries and keys of 16 bits have at most 576}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf16>, tensor<8x16xf16>) outs(%oz : tensor<8x16xf16>) -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}

// CHECK-LABEL: func.func @wide_values_of_halves(
// CHECK-NOT: attn.attention
func.func @wide_values_of_halves(%q: tensor<8x16xbf16>, %k: tensor<16x8xbf16>, %v: tensor<8x513xbf16>) -> tensor<8x513xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x8xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %s = linalg.matmul ins(%q, %k : tensor<8x16xbf16>, tensor<16x8xbf16>) outs(%z : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xbf16>) outs(%e : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %oe = tensor.empty() : tensor<8x513xbf16>
  %oz = linalg.fill ins(%zero : bf16) outs(%oe : tensor<8x513xbf16>) -> tensor<8x513xbf16>
  // expected-remark@below {{attention was not raised: a head has 513 columns, of which values of 16 bits have at most 512}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xbf16>, tensor<8x513xbf16>) outs(%oz : tensor<8x513xbf16>) -> tensor<8x513xbf16>
  return %o : tensor<8x513xbf16>
}
