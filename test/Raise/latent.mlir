// Scores that are the sum of two products, in linalg. Query and key are then two arrays each.
// RUN: attn-opt %s -attn-raise -split-input-file | FileCheck %s
// RUN: attn-opt %s -attn-raise=keep-rounding -split-input-file | FileCheck %s --check-prefix KEPT

!q = tensor<4x6x8xf32>
!r = tensor<4x6x3xf32>
!k = tensor<4x9x8xf32>
!s = tensor<4x6x9xf32>
!o = tensor<4x6x5xf32>
#query = affine_map<(h, i, j, d) -> (h, i, d)>
#key = affine_map<(h, i, j, d) -> (j, d)>
#score = affine_map<(h, i, j, d) -> (h, i, j)>

// The second product is added to the first one in place, and all heads share its key.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<4x6x8xf32>, %[[R:[^:]+]]: tensor<4x6x3xf32>, %[[K:[^:]+]]: tensor<4x9x8xf32>, %[[L:[^:]+]]: tensor<9x3xf32>
// CHECK: attn.attention scale 1.000000e+00 ins({{.*}} : tensor<1x4x6x8xf32>, tensor<1x4x9x8xf32>, tensor<1x4x9x5xf32>) with(query_rope %{{.*}} : tensor<1x4x6x3xf32>, key_rope %{{.*}} : tensor<1x1x9x3xf32>)
// CHECK-NOT: linalg.{{batch_matmul|generic|softmax}}
func.func @shared(%q: !q, %r: !r, %k: !k, %l: tensor<9x3xf32>, %v: tensor<4x9x5xf32>) -> !o {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %first = linalg.generic {indexing_maps = [#query, affine_map<(h, i, j, d) -> (h, j, d)>, #score],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : !q, !k) outs(%sz : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  } -> !s
  %s = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%r, %l : !r, tensor<9x3xf32>) outs(%first : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  } -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty() : !o
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !o) -> !o
  %o = linalg.batch_matmul ins(%p, %v : !s, tensor<4x9x5xf32>) outs(%oz : !o) -> !o
  return %o : !o
}

// -----

// Sums that are rounded to 16 bits are no scores of two products if every rounding is kept.
!q = tensor<4x6x8xf16>
!r = tensor<4x6x3xf16>
!k = tensor<4x8x9xf16>
!l = tensor<4x3x9xf16>
!s = tensor<4x6x9xf16>
#all = affine_map<(h, i, j) -> (h, i, j)>
// CHECK-LABEL: func.func @rounded(
// CHECK: with(query_rope
// CHECK-NOT: linalg.batch_matmul
// KEPT-LABEL: func.func @rounded(
// KEPT: linalg.batch_matmul
// KEPT: attn.attention
// KEPT-NOT: query_rope
func.func @rounded(%q: !q, %r: !r, %k: !k, %l: !l, %v: tensor<4x9x5xf16>) -> tensor<4x6x5xf16> {
  %zero = arith.constant 0.0 : f16
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f16) outs(%se : !s) -> !s
  %a = linalg.batch_matmul ins(%q, %k : !q, !k) outs(%sz : !s) -> !s
  %b = linalg.batch_matmul ins(%r, %l : !r, !l) outs(%sz : !s) -> !s
  %s = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : !s, !s) outs(%se : !s) {
  ^bb0(%x: f16, %y: f16, %z: f16):
    %0 = arith.addf %x, %y : f16
    linalg.yield %0 : f16
  } -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty() : tensor<4x6x5xf16>
  %oz = linalg.fill ins(%zero : f16) outs(%oe : tensor<4x6x5xf16>) -> tensor<4x6x5xf16>
  %o = linalg.batch_matmul ins(%p, %v : !s, tensor<4x9x5xf16>) outs(%oz : tensor<4x6x5xf16>) -> tensor<4x6x5xf16>
  return %o : tensor<4x6x5xf16>
}

// -----

// More than 256 columns of f32 are too many for one op, so the second product stays.
!q = tensor<4x6x200xf32>
!r = tensor<4x6x64xf32>
!k = tensor<4x200x9xf32>
!l = tensor<4x64x9xf32>
!s = tensor<4x6x9xf32>
#all = affine_map<(h, i, j) -> (h, i, j)>
// CHECK-LABEL: func.func @columns(
// CHECK: linalg.batch_matmul
// CHECK: attn.attention {{.*}} captures(
// CHECK-NOT: query_rope
func.func @columns(%q: !q, %r: !r, %k: !k, %l: !l, %v: tensor<4x9x5xf32>) -> tensor<4x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %a = linalg.batch_matmul ins(%q, %k : !q, !k) outs(%sz : !s) -> !s
  %b = linalg.batch_matmul ins(%r, %l : !r, !l) outs(%sz : !s) -> !s
  %s = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : !s, !s) outs(%se : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  } -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty() : tensor<4x6x5xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  %o = linalg.batch_matmul ins(%p, %v : !s, tensor<4x9x5xf32>) outs(%oz : tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  return %o : tensor<4x6x5xf32>
}

// -----

// Keys of 8 bits stay operands of 8 bits, but further columns of them get the type of the query.
!q = tensor<4x6x8xf32>
!r = tensor<4x6x4xf32>
!k = tensor<4x8x9xf32>
!l = tensor<4x4x9xf32>
!s = tensor<4x6x9xf32>
#all = affine_map<(h, i, j) -> (h, i, j)>
// CHECK-LABEL: func.func @narrow(
// KEPT-LABEL: func.func @narrow(
// KEPT: with(query_rope
// CHECK: %[[ROPE:.+]] = arith.extf %{{.+}} : tensor<{{.+}}xf8E4M3FN> to
// CHECK: attn.attention {{.*}} tensor<4x1x9x8xf8E4M3FN>, {{.*}} with(query_rope {{.*}} key_rope %[[ROPE]] : tensor<4x1x9x4xf32>)
// CHECK-NOT: linalg.{{batch_matmul|generic|softmax}}
func.func @narrow(%q: !q, %r: !r, %kc: tensor<4x8x9xf8E4M3FN>, %lc: tensor<4x4x9xf8E4M3FN>, %v: tensor<4x9x5xf32>) -> tensor<4x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ke = tensor.empty() : !k
  %k = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kc : tensor<4x8x9xf8E4M3FN>) outs(%ke : !k) {
  ^bb0(%x: f8E4M3FN, %y: f32):
    %0 = arith.extf %x : f8E4M3FN to f32
    linalg.yield %0 : f32
  } -> !k
  %le = tensor.empty() : !l
  %l = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%lc : tensor<4x4x9xf8E4M3FN>) outs(%le : !l) {
  ^bb0(%x: f8E4M3FN, %y: f32):
    %0 = arith.extf %x : f8E4M3FN to f32
    linalg.yield %0 : f32
  } -> !l
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %a = linalg.batch_matmul ins(%q, %k : !q, !k) outs(%sz : !s) -> !s
  %s = linalg.batch_matmul ins(%r, %l : !r, !l) outs(%a : !s) -> !s
  %p = linalg.softmax dimension(2) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty() : tensor<4x6x5xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  %o = linalg.batch_matmul ins(%p, %v : !s, tensor<4x9x5xf32>) outs(%oz : tensor<4x6x5xf32>) -> tensor<4x6x5xf32>
  return %o : tensor<4x6x5xf32>
}

// -----

// The source puts query and key together before the product. Numbers of rows and keys are dynamic.
// CHECK-LABEL: func.func @joined(
// CHECK-NOT: tensor.concat
// CHECK: attn.attention scale 1.000000e+00 ins({{.*}} : tensor<1x4x?x8xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?x5xf32>) with(query_rope %{{.*}} : tensor<1x4x?x3xf32>, key_rope %{{.*}} : tensor<1x1x?x3xf32>)
// CHECK-NOT: {{tensor.concat|linalg.batch_matmul}}
func.func @joined(%q: tensor<4x?x8xf32>, %r: tensor<4x?x3xf32>, %k: tensor<4x?x8xf32>, %l: tensor<?x3xf32>, %v: tensor<4x?x5xf32>) -> tensor<4x?x5xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %q, %c1 : tensor<4x?x8xf32>
  %keys = tensor.dim %l, %c0 : tensor<?x3xf32>
  %le = tensor.empty(%keys) : tensor<4x?x3xf32>
  %each = linalg.broadcast ins(%l : tensor<?x3xf32>) outs(%le : tensor<4x?x3xf32>) dimensions = [0]
  %query = tensor.concat dim(2) %q, %r : (tensor<4x?x8xf32>, tensor<4x?x3xf32>) -> tensor<4x?x11xf32>
  %key = tensor.concat dim(2) %k, %each : (tensor<4x?x8xf32>, tensor<4x?x3xf32>) -> tensor<4x?x11xf32>
  %te = tensor.empty(%keys) : tensor<4x11x?xf32>
  %t = linalg.transpose ins(%key : tensor<4x?x11xf32>) outs(%te : tensor<4x11x?xf32>) permutation = [0, 2, 1]
  %se = tensor.empty(%rows, %keys) : tensor<4x?x?xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %s = linalg.batch_matmul ins(%query, %t : tensor<4x?x11xf32>, tensor<4x11x?xf32>) outs(%sz : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x?x?xf32>) outs(%se : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %oe = tensor.empty(%rows) : tensor<4x?x5xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x?x5xf32>) -> tensor<4x?x5xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x?x?xf32>, tensor<4x?x5xf32>) outs(%oz : tensor<4x?x5xf32>) -> tensor<4x?x5xf32>
  return %o : tensor<4x?x5xf32>
}
