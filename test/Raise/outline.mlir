// RUN: attn-opt %s -attn-outline | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-outline,builtin.module(attn-to-ptx{chip=sm_90a}))' | FileCheck %s --check-prefix=PTX

// Attention becomes a function of another module, which contains the transposes that strides imply,
// and a call. A product beside it stays on the host.
// CHECK: module @attention {
// CHECK: func.func @block_attention_0(%[[X:.+]]: tensor<1x24x2x16xf32>) -> tensor<1x24x2x16xf32> {
// CHECK: %[[T:.+]] = linalg.transpose ins(%[[X]]
// CHECK: attn.attention ins(%[[T]], %[[T]], %[[T]] :
// CHECK: linalg.transpose
// CHECK: func.func @alone(
// CHECK: attn.attention
// CHECK: func.func @block(
// CHECK: linalg.matmul
// CHECK: %[[O:.+]] = call @block_attention_0(%{{.+}}) : (tensor<1x24x2x16xf32>) -> tensor<1x24x2x16xf32>
// CHECK-NOT: attn.attention
// CHECK: math.exp
// CHECK: func.func private @block_attention_0(tensor<1x24x2x16xf32>) -> tensor<1x24x2x16xf32>

// PTX: module @attention
// PTX: llvm.func @attn_block_attention_0(
// PTX: func.func @block(
// PTX: linalg.matmul
// PTX: call @block_attention_0
!bshd = tensor<1x24x2x16xf32>
!bhsd = tensor<1x2x24x16xf32>
func.func @block(%x: tensor<24x32xf32>, %w: tensor<32x32xf32>) -> tensor<24x2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x32xf32>, tensor<32x32xf32>)
      outs(%z : tensor<24x32xf32>) -> tensor<24x32xf32>
  %h = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [1, 24, 2, 16]
      : tensor<24x32xf32> into !bshd
  %n = math.exp %h : !bshd
  %te = tensor.empty() : !bhsd
  %t = linalg.transpose ins(%n : !bshd) outs(%te : !bhsd) permutation = [0, 2, 1, 3]
  %a = attn.attention ins(%t, %t, %t : !bhsd, !bhsd, !bhsd) outs(%te : !bhsd) -> !bhsd
  %oe = tensor.empty() : !bshd
  %o = linalg.transpose ins(%a : !bhsd) outs(%oe : !bshd) permutation = [0, 2, 1, 3]
  %u = math.exp %o : !bshd
  %r = tensor.collapse_shape %u [[0, 1], [2], [3]] : !bshd into tensor<24x2x16xf32>
  return %r : tensor<24x2x16xf32>
}

func.func @alone(%q: !bhsd) -> !bhsd {
  %e = tensor.empty() : !bhsd
  %a = attn.attention ins(%q, %q, %q : !bhsd, !bhsd, !bhsd) outs(%e : !bhsd) -> !bhsd
  return %a : !bhsd
}
