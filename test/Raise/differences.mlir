// Values that are multiplied with differences of probabilities, in linalg.
// RUN: attn-opt %s -attn-raise -verify-diagnostics | FileCheck %s

!q = tensor<4x9x8xf32>
!s = tensor<4x9x9xf32>
#all = affine_map<(b, i, j) -> (b, i, j)>
#none = affine_map<(b, i, j) -> ()>
#heads = affine_map<(b, i, j) -> (b)>
#rows = affine_map<(b, i, j) -> (b, i)>
#columns = affine_map<(b, i, j) -> (b, j)>

func.func private @probabilities(%q: !q, %k: tensor<4x8x9xf32>) -> !s {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !s
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !q, tensor<4x8x9xf32>) outs(%zeros : !s) -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%empty : !s) -> !s
  return %p : !s
}

// A number multiplies a term.
// CHECK-LABEL: func.func @number(
// CHECK: %[[A:.+]] = attn.attention scale 1.000000e+00 ins(
// CHECK: %[[FIRST:.+]] = tensor.collapse_shape %[[A]]
// CHECK: %[[B:.+]] = attn.attention scale 1.000000e+00 ins(
// CHECK: %[[SECOND:.+]] = tensor.collapse_shape %[[B]]
// CHECK: %[[FACTORS:.+]] = linalg.broadcast ins(%arg5 : tensor<f32>)
// CHECK: %[[TERM:.+]] = arith.mulf %[[SECOND]], %[[FACTORS]]
// CHECK: %[[SUM:.+]] = arith.subf %[[FIRST]], %[[TERM]]
// CHECK-NOT: tensor<4x9x9xf32>
// CHECK: return %[[SUM]]
func.func @number(%q: !q, %k: tensor<4x8x9xf32>, %r: !q, %l: tensor<4x8x9xf32>, %v: !q, %by: tensor<f32>) -> !q {
  %zero = arith.constant 0.0 : f32
  %a = call @probabilities(%q, %k) : (!q, tensor<4x8x9xf32>) -> !s
  %b = call @probabilities(%r, %l) : (!q, tensor<4x8x9xf32>) -> !s
  %empty = tensor.empty() : !s
  %p = linalg.generic {indexing_maps = [#all, #all, #none, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %by : !s, !s, tensor<f32>) outs(%empty : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %0 = arith.mulf %y, %z : f32
    %1 = arith.subf %x, %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %of_o = tensor.empty() : !q
  %zeros = linalg.fill ins(%zero : f32) outs(%of_o : !q) -> !q
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%zeros : !q) -> !q
  return %o : !q
}

// The sum of both, with a number for each head and a constant.
// CHECK-LABEL: func.func @heads(
// CHECK: attn.attention scale 1.000000e+00 ins(
// CHECK: arith.negf
// CHECK: attn.attention scale 1.000000e+00 ins(
// CHECK: linalg.broadcast ins(%arg5 : tensor<4xf32>)
// CHECK: arith.constant 5.000000e-01
// CHECK: arith.addf
// CHECK-NOT: tensor<4x9x9xf32>
func.func @heads(%q: !q, %k: tensor<4x8x9xf32>, %r: !q, %l: tensor<4x8x9xf32>, %v: !q, %by: tensor<4xf32>) -> !q {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %a = call @probabilities(%q, %k) : (!q, tensor<4x8x9xf32>) -> !s
  %b = call @probabilities(%r, %l) : (!q, tensor<4x8x9xf32>) -> !s
  %empty = tensor.empty() : !s
  %p = linalg.generic {indexing_maps = [#all, #all, #heads, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %by : !s, !s, tensor<4xf32>) outs(%empty : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %0 = arith.mulf %y, %z : f32
    %1 = arith.mulf %0, %half : f32
    %2 = arith.negf %x : f32
    %3 = arith.addf %2, %1 : f32
    linalg.yield %3 : f32
  } -> !s
  %of_o = tensor.empty() : !q
  %zeros = linalg.fill ins(%zero : f32) outs(%of_o : !q) -> !q
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%zeros : !q) -> !q
  return %o : !q
}

// Numbers of rows or of keys are no factors of a term.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: attn.attention
func.func @rows(%q: !q, %k: tensor<4x8x9xf32>, %r: !q, %l: tensor<4x8x9xf32>, %v: !q, %by: tensor<4x9xf32>) -> !q {
  %zero = arith.constant 0.0 : f32
  %a = call @probabilities(%q, %k) : (!q, tensor<4x8x9xf32>) -> !s
  %b = call @probabilities(%r, %l) : (!q, tensor<4x8x9xf32>) -> !s
  %empty = tensor.empty() : !s
  %p = linalg.generic {indexing_maps = [#all, #all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %by : !s, !s, tensor<4x9xf32>) outs(%empty : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %0 = arith.mulf %y, %z : f32
    %1 = arith.subf %x, %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %of_o = tensor.empty() : !q
  %zeros = linalg.fill ins(%zero : f32) outs(%of_o : !q) -> !q
  // expected-remark@below {{attention was not raised: what is multiplied with values is computed from a softmax, but is none}}
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%zeros : !q) -> !q
  return %o : !q
}

// CHECK-LABEL: func.func @keys(
// CHECK-NOT: attn.attention
func.func @keys(%q: !q, %k: tensor<4x8x9xf32>, %r: !q, %l: tensor<4x8x9xf32>, %v: !q, %by: tensor<4x9xf32>) -> !q {
  %zero = arith.constant 0.0 : f32
  %a = call @probabilities(%q, %k) : (!q, tensor<4x8x9xf32>) -> !s
  %b = call @probabilities(%r, %l) : (!q, tensor<4x8x9xf32>) -> !s
  %empty = tensor.empty() : !s
  %p = linalg.generic {indexing_maps = [#all, #all, #columns, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %by : !s, !s, tensor<4x9xf32>) outs(%empty : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %0 = arith.mulf %y, %z : f32
    %1 = arith.subf %x, %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %of_o = tensor.empty() : !q
  %zeros = linalg.fill ins(%zero : f32) outs(%of_o : !q) -> !q
  // expected-remark@below {{attention was not raised: what is multiplied with values is computed from a softmax, but is none}}
  %o = linalg.batch_matmul ins(%p, %v : !s, !q) outs(%zeros : !q) -> !q
  return %o : !q
}
