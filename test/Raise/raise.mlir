// Attention that is raised, with masks, regions and scales; and attention that is not raised, with
// a remark.
// RUN: attn-opt %s -attn-raise -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// Softmax as one op, a factor on the query, keys transposed before.
// CHECK-LABEL: func.func @softmax_op(
// CHECK-SAME: %[[Q:.+]]: tensor<6x8x16xf16>, %[[K:.+]]: tensor<6x16x12xf16>, %[[V:.+]]: tensor<6x12x4xf16>
// CHECK-DAG: %[[Q4:.+]] = tensor.expand_shape %[[Q]] {{.*}} into tensor<6x1x8x16xf16>
// CHECK-DAG: %[[T:.+]] = linalg.transpose ins(%[[K]] {{.*}} permutation = [0, 2, 1]
// CHECK-DAG: %[[K4:.+]] = tensor.expand_shape %[[T]] {{.*}} into tensor<6x1x12x16xf16>
// CHECK-DAG: %[[V4:.+]] = tensor.expand_shape %[[V]] {{.*}} into tensor<6x1x12x4xf16>
// CHECK: %[[R:.+]] = attn.attention scale 1.250000e-01 ins(%[[Q4]], %[[K4]], %[[V4]] :
// CHECK-SAME: -> tensor<6x1x8x4xf32>
// CHECK-NOT: linalg.batch_matmul
// CHECK: return
func.func @softmax_op(%q: tensor<6x8x16xf16>, %k: tensor<6x16x12xf16>, %v: tensor<6x12x4xf16>) -> tensor<6x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant dense<0.125> : tensor<6x8x16xf16>
  %scaled = arith.mulf %q, %factor : tensor<6x8x16xf16>
  %e = tensor.empty() : tensor<6x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x12xf32>) -> tensor<6x8x12xf32>
  %s = linalg.batch_matmul ins(%scaled, %k : tensor<6x8x16xf16>, tensor<6x16x12xf16>) outs(%z : tensor<6x8x12xf32>) -> tensor<6x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<6x8x12xf32>) outs(%e : tensor<6x8x12xf32>) -> tensor<6x8x12xf32>
  %h = arith.truncf %p : tensor<6x8x12xf32> to tensor<6x8x12xf16>
  %oe = tensor.empty() : tensor<6x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  %o = linalg.batch_matmul ins(%h, %v : tensor<6x8x12xf16>, tensor<6x12x4xf16>) outs(%oz : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  return %o : tensor<6x8x4xf32>
}

// -----

// Rows that a finite number may mask everywhere: the number stays, in the region.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @finite(
// CHECK: attn.attention scale 1.000000e+00
// CHECK: arith.cmpi
// CHECK: %[[S:.+]] = arith.select %{{.+}}, %{{.+}}, %{{.+}} : f32
// CHECK-NEXT: attn.yield %[[S]] : f32
func.func @finite(%q: tensor<2x8x16xf32>, %k: tensor<2x8x16xf32>, %v: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e+30 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %kt = tensor.empty() : tensor<2x16x8xf32>
  %t = linalg.transpose ins(%k : tensor<2x8x16xf32>) outs(%kt : tensor<2x16x8xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %t : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%z : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) {
    ^bb0(%x: f32, %out: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %keep = arith.cmpi slt, %j, %i : index
      %r = arith.select %keep, %x, %low : f32
      linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %oe = tensor.empty() : tensor<2x8x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf32>, tensor<2x8x16xf32>) outs(%oz : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %o : tensor<2x8x16xf32>
}

// -----

// Lengths that are open.
// CHECK-LABEL: func.func @open(
// CHECK: attn.attention scale 1.000000e+00 ins(%{{.+}} : tensor<?x1x?x16xf32>, tensor<?x1x?x16xf32>, tensor<?x1x?x16xf32>)
// CHECK-NOT: linalg.softmax
func.func @open(%q: tensor<?x?x16xf32>, %k: tensor<?x16x?xf32>, %v: tensor<?x?x16xf32>, %z: tensor<?x?x?xf32>, %oe: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%z : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<?x?x16xf32>, tensor<?x16x?xf32>) outs(%f : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x?x?xf32>) outs(%z : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x16xf32>) outs(%oz : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}

// -----

// CHECK-LABEL: func.func @no_product(
// CHECK-NOT: attn.attention
func.func @no_product(%s: tensor<2x8x8xf32>, %v: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %oe = tensor.empty() : tensor<2x8x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  // expected-remark@below {{attention was not raised: the scores have no product of queries and keys}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf32>, tensor<2x8x16xf32>) outs(%oz : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %o : tensor<2x8x16xf32>
}

// -----

// CHECK-LABEL: func.func @doubles(
// CHECK-NOT: attn.attention
func.func @doubles(%q: tensor<2x8x16xf64>, %k: tensor<2x16x8xf64>, %v: tensor<2x8x16xf64>) -> tensor<2x8x16xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2x8x8xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x8x16xf64>, tensor<2x16x8xf64>) outs(%z : tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x8xf64>) outs(%e : tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %oe = tensor.empty() : tensor<2x8x16xf64>
  %oz = linalg.fill ins(%zero : f64) outs(%oe : tensor<2x8x16xf64>) -> tensor<2x8x16xf64>
  // expected-remark@below {{attention was not raised: its elements are not of f16, bf16 or f32}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf64>, tensor<2x8x16xf64>) outs(%oz : tensor<2x8x16xf64>) -> tensor<2x8x16xf64>
  return %o : tensor<2x8x16xf64>
}

// -----

// Attention that was there before shares nothing with what differs in its options.
// CHECK-LABEL: func.func @other_columns(
// CHECK: attn.attention {{.*}}value_dims [0, 8]
// CHECK: attn.attention {{.*}}value_dims [8, 16]
func.func @other_columns(%q: tensor<6x8x16xf16>, %k: tensor<6x12x16xf16>, %v: tensor<6x12x4xf16>, %x: tensor<1x1x8x16xf16>, %y: tensor<1x1x8x16xf16>) -> (tensor<6x8x4xf32>, tensor<1x1x8x8xf16>, tensor<1x1x8x8xf16>, tensor<1x1x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x12xf32>) -> tensor<6x8x12xf32>
  %kt = tensor.empty() : tensor<6x16x12xf16>
  %t = linalg.transpose ins(%k : tensor<6x12x16xf16>) outs(%kt : tensor<6x16x12xf16>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %t : tensor<6x8x16xf16>, tensor<6x16x12xf16>) outs(%z : tensor<6x8x12xf32>) -> tensor<6x8x12xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<6x8x12xf32>) outs(%e : tensor<6x8x12xf32>) -> tensor<6x8x12xf32>
  %h = arith.truncf %p : tensor<6x8x12xf32> to tensor<6x8x12xf16>
  %oe = tensor.empty() : tensor<6x8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  %o = linalg.batch_matmul ins(%h, %v : tensor<6x8x12xf16>, tensor<6x12x4xf16>) outs(%oz : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  %m1 = tensor.empty() : tensor<1x1x8x8xf16>
  %m2 = tensor.empty() : tensor<1x1x8xf32>
  %a = attn.attention ins(%x, %y : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>) value_dims [0, 8] outs(%m1 : tensor<1x1x8x8xf16>) -> tensor<1x1x8x8xf16>
  %b, %l = attn.attention ins(%x, %y : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>) value_dims [8, 16] outs(%m1, %m2 : tensor<1x1x8x8xf16>, tensor<1x1x8xf32>) -> tensor<1x1x8x8xf16>, tensor<1x1x8xf32>
  return %o, %a, %b, %l : tensor<6x8x4xf32>, tensor<1x1x8x8xf16>, tensor<1x1x8x8xf16>, tensor<1x1x8xf32>
}
