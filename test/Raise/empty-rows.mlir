// Conditions that set rows without keys to 0.
// RUN: attn-opt %s -attn-raise -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// -----

// Rows are empty where not any score differs from -inf.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @no_score_differs(
// CHECK: attn.attention
// CHECK-NOT: linalg.batch_matmul
// CHECK: return
func.func @no_score_differs(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>, %bias: tensor<2x8x12xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %start = arith.constant false
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %products = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = arith.addf %products, %bias : tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %ce = tensor.empty() : tensor<2x8xi1>
  %cz = linalg.fill ins(%start : i1) outs(%ce : tensor<2x8xi1>) -> tensor<2x8xi1>
  %c = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x8x12xf32>) outs(%cz : tensor<2x8xi1>) {
  ^bb0(%in: f32, %acc: i1):
    %f = arith.cmpf une, %in, %minus : f32
    %g = arith.ori %f, %acc : i1
    linalg.yield %g : i1
  } -> tensor<2x8xi1>
  %w = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %c : tensor<2x8x12xf32>, tensor<2x8xi1>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %g: i1, %out: f32):
    %u = arith.xori %g, %true : i1
    %h = arith.select %u, %zero, %in : f32
    linalg.yield %h : f32
  } -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}

// -----

// Rows are empty where all scores are -inf.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @all_are_equal(
// CHECK: attn.attention
// CHECK-NOT: linalg.batch_matmul
// CHECK: return
func.func @all_are_equal(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>, %bias: tensor<2x8x12xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %start = arith.constant true
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %products = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = arith.addf %products, %bias : tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %ce = tensor.empty() : tensor<2x8xi1>
  %cz = linalg.fill ins(%start : i1) outs(%ce : tensor<2x8xi1>) -> tensor<2x8xi1>
  %c = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x8x12xf32>) outs(%cz : tensor<2x8xi1>) {
  ^bb0(%in: f32, %acc: i1):
    %f = arith.cmpf oeq, %in, %minus : f32
    %g = arith.andi %f, %acc : i1
    linalg.yield %g : i1
  } -> tensor<2x8xi1>
  %w = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %c : tensor<2x8x12xf32>, tensor<2x8xi1>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %g: i1, %out: f32):
    %h = arith.select %g, %zero, %in : f32
    linalg.yield %h : f32
  } -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}

// -----

// A condition that holds where any score differs from -inf selects 0 in the wrong rows.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @any_differs(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @any_differs(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>, %bias: tensor<2x8x12xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %start = arith.constant false
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %products = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = arith.addf %products, %bias : tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %ce = tensor.empty() : tensor<2x8xi1>
  %cz = linalg.fill ins(%start : i1) outs(%ce : tensor<2x8xi1>) -> tensor<2x8xi1>
  %c = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x8x12xf32>) outs(%cz : tensor<2x8xi1>) {
  ^bb0(%in: f32, %acc: i1):
    %f = arith.cmpf une, %in, %minus : f32
    %g = arith.ori %f, %acc : i1
    linalg.yield %g : i1
  } -> tensor<2x8xi1>
  %w = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %c : tensor<2x8x12xf32>, tensor<2x8xi1>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %g: i1, %out: f32):
    %h = arith.select %g, %zero, %in : f32
    linalg.yield %h : f32
  } -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  // expected-remark @below {{attention was not raised: probabilities are selected by a condition that is not of rows whose scores are all -inf}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}

// -----

// So does one that holds where not all scores are -inf.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @not_all_are_equal(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @not_all_are_equal(%q: tensor<2x8x16xf32>, %k: tensor<2x16x12xf32>, %v: tensor<2x12x4xf32>, %bias: tensor<2x8x12xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %start = arith.constant true
  %e = tensor.empty() : tensor<2x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %products = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf32>, tensor<2x16x12xf32>) outs(%z : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %s = arith.addf %products, %bias : tensor<2x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x12xf32>) outs(%e : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %ce = tensor.empty() : tensor<2x8xi1>
  %cz = linalg.fill ins(%start : i1) outs(%ce : tensor<2x8xi1>) -> tensor<2x8xi1>
  %c = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x8x12xf32>) outs(%cz : tensor<2x8xi1>) {
  ^bb0(%in: f32, %acc: i1):
    %f = arith.cmpf oeq, %in, %minus : f32
    %g = arith.andi %f, %acc : i1
    linalg.yield %g : i1
  } -> tensor<2x8xi1>
  %w = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %c : tensor<2x8x12xf32>, tensor<2x8xi1>) outs(%e : tensor<2x8x12xf32>) {
  ^bb0(%in: f32, %g: i1, %out: f32):
    %u = arith.xori %g, %true : i1
    %h = arith.select %u, %zero, %in : f32
    linalg.yield %h : f32
  } -> tensor<2x8x12xf32>
  %oe = tensor.empty() : tensor<2x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  // expected-remark @below {{attention was not raised: probabilities are selected by a condition that is not of rows whose scores are all -inf}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%oz : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
