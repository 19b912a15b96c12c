// Functions that are called, names that are taken, and results that are used at different places.
// RUN: attn-opt %s -attn-outline | FileCheck %s

// CHECK: module @attention {
// CHECK: func.func @called(
// CHECK: attn.attention
// CHECK: func.func @calls(
// CHECK: call @called(
// CHECK: func.func @taken_attention_0(
// CHECK: func.func @taken(
// CHECK: call @taken_attention_0_0(
// CHECK: func.func @late(
// CHECK: call @late_attention_0(
// CHECK: math.exp
// CHECK: tensor.expand_shape
// CHECK: func.func private @called(tensor<1x2x24x16xf32>) -> tensor<1x2x24x16xf32>
// CHECK: func.func private @taken_attention_0_0(
// CHECK: func.func private @late_attention_0(

// A function that another one calls is declared where it was.
!bhsd = tensor<1x2x24x16xf32>
func.func private @called(%q: !bhsd) -> !bhsd {
  %e = tensor.empty() : !bhsd
  %a = attn.attention ins(%q, %q, %q : !bhsd, !bhsd, !bhsd) outs(%e : !bhsd) -> !bhsd
  return %a : !bhsd
}

func.func @calls(%q: !bhsd) -> !bhsd {
  %n = math.exp %q : !bhsd
  %a = call @called(%n) : (!bhsd) -> !bhsd
  return %a : !bhsd
}

// The outlined function does not get the name of another one.
func.func @taken_attention_0(%q: !bhsd) -> !bhsd {
  %n = math.exp %q : !bhsd
  return %n : !bhsd
}

func.func @taken(%q: !bhsd) -> !bhsd {
  %n = math.exp %q : !bhsd
  %e = tensor.empty() : !bhsd
  %a = attn.attention ins(%n, %n, %n : !bhsd, !bhsd, !bhsd) outs(%e : !bhsd) -> !bhsd
  return %a : !bhsd
}

// The size in the last result's shape is computed from the first result.
!open = tensor<1x2x?x16xf32>
func.func @late(%q: !open) -> (!open, tensor<1x2x?x4xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %q, %c2 : !open
  %e = tensor.empty(%d) : !open
  %f = tensor.empty(%d) : tensor<1x2x?xf32>
  %o, %l = attn.attention ins(%q, %q, %q : !open, !open, !open) outs(%e, %f : !open, tensor<1x2x?xf32>) -> !open, tensor<1x2x?xf32>
  %u = math.exp %o : !open
  %m = tensor.dim %u, %c2 : !open
  %k = arith.divui %m, %c4 : index
  %x = tensor.expand_shape %l [[0], [1], [2, 3]] output_shape [1, 2, %k, 4] : tensor<1x2x?xf32> into tensor<1x2x?x4xf32>
  return %u, %x : !open, tensor<1x2x?x4xf32>
}
