// RUN: attn-opt %s -attn-raise -verify-diagnostics -split-input-file | FileCheck %s

// Keys from before the first row and new ones, both of dynamic numbers: the causal mask ends at the last key.
// CHECK-LABEL: func.func @causal(
// CHECK: attn.attention mask <bottom_right, causal> scale
// CHECK-NOT: mask {
// CHECK: return
#ij = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @causal(%q: tensor<4x?x16xf32>, %past: tensor<4x?x16xf32>, %new: tensor<4x?x16xf32>) -> tensor<4x?x16xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %k = tensor.concat dim(1) %past, %new : (tensor<4x?x16xf32>, tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %rows = tensor.dim %new, %c1 : tensor<4x?x16xf32>
  %first = tensor.dim %past, %c1 : tensor<4x?x16xf32>
  %keys = tensor.dim %k, %c1 : tensor<4x?x16xf32>
  %qe = tensor.empty(%rows) : tensor<4x?x16xf32>
  // The query has as many rows as there are new keys.
  %copy = linalg.add ins(%q, %new : tensor<4x?x16xf32>, tensor<4x?x16xf32>) outs(%qe : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %se = tensor.empty(%rows, %keys) : tensor<4x?x?xf32>
  %te = tensor.empty(%keys) : tensor<4x16x?xf32>
  %t = linalg.transpose ins(%k : tensor<4x?x16xf32>) outs(%te : tensor<4x16x?xf32>) permutation = [0, 2, 1]
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %s = linalg.batch_matmul ins(%copy, %t : tensor<4x?x16xf32>, tensor<4x16x?xf32>) outs(%sz : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %m = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x?x?xf32>) outs(%se : tensor<4x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %last = arith.addi %i, %first : index
    %kept = arith.cmpi sle, %j, %last : index
    %x = arith.select %kept, %in, %none : f32
    linalg.yield %x : f32
  } -> tensor<4x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<4x?x?xf32>) outs(%se : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%qe : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %o = linalg.batch_matmul ins(%p, %k : tensor<4x?x?xf32>, tensor<4x?x16xf32>) outs(%oz : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  return %o : tensor<4x?x16xf32>
}

// -----

// A window of the last 5 keys, of which the row's is one.
// CHECK-LABEL: func.func @window(
// CHECK: attn.attention mask <bottom_right, causal, left = 4> scale
// CHECK-NOT: mask {
// CHECK: return
#ij = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @window(%q: tensor<4x7x16xf32>, %k: tensor<4x?x16xf32>) -> tensor<4x7x16xf32> {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %keys = tensor.dim %k, %c1 : tensor<4x?x16xf32>
  %first = arith.subi %keys, %c7 : index
  %qe = tensor.empty() : tensor<4x7x16xf32>
  %se = tensor.empty(%keys) : tensor<4x7x?xf32>
  %te = tensor.empty(%keys) : tensor<4x16x?xf32>
  %t = linalg.transpose ins(%k : tensor<4x?x16xf32>) outs(%te : tensor<4x16x?xf32>) permutation = [0, 2, 1]
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x7x?xf32>) -> tensor<4x7x?xf32>
  %s = linalg.batch_matmul ins(%q, %t : tensor<4x7x16xf32>, tensor<4x16x?xf32>) outs(%sz : tensor<4x7x?xf32>) -> tensor<4x7x?xf32>
  %m = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x7x?xf32>) outs(%se : tensor<4x7x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %last = arith.addi %i, %first : index
    %above = arith.cmpi sle, %j, %last : index
    %distance = arith.subi %last, %j : index
    %near = arith.cmpi slt, %distance, %c5 : index
    %kept = arith.andi %above, %near : i1
    %x = arith.select %kept, %in, %none : f32
    linalg.yield %x : f32
  } -> tensor<4x7x?xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<4x7x?xf32>) outs(%se : tensor<4x7x?xf32>) -> tensor<4x7x?xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%qe : tensor<4x7x16xf32>) -> tensor<4x7x16xf32>
  %o = linalg.batch_matmul ins(%p, %k : tensor<4x7x?xf32>, tensor<4x?x16xf32>) outs(%oz : tensor<4x7x16xf32>) -> tensor<4x7x16xf32>
  return %o : tensor<4x7x16xf32>
}
