// Sizes that no tensor has, and that no number is: the attention does not depend on them, and nothing crashes.
// RUN: attn-opt %s -attn-raise | FileCheck %s

!q = tensor<?x24x16xf32>
!s = tensor<?x24x24xf32>

// The lowest number has no quotient by -1.
// CHECK-LABEL: func.func @quotient(
// CHECK: attn.attention
// CHECK-LABEL: func.func @dimension(
// CHECK: attn.attention
func.func @quotient(%q: !q, %k: tensor<?x16x24xf32>, %v: !q) -> !q {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -9223372036854775808 : index
  %minus = arith.constant -1 : index
  %n = arith.divsi %lowest, %minus : index
  %se = tensor.empty(%n) : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !q, tensor<?x16x24xf32>) outs(%sz : !s) -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty(%n) : !q
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%oz : !q) -> !q
  return %o : !q
}

func.func @dimension(%q: !q, %k: tensor<?x16x24xf32>, %v: !q) -> !q {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1 : index
  %n = tensor.dim %q, %minus : !q
  %se = tensor.empty(%n) : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !q, tensor<?x16x24xf32>) outs(%sz : !s) -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty(%n) : !q
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%oz : !q) -> !q
  return %o : !q
}
