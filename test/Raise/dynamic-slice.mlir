// RUN: attn-opt %s -attn-raise | FileCheck %s

// Keys are a part of a cache whose length is a number: the part is what attention takes, not the cache.
// CHECK: %[[K:.+]] = tensor.extract_slice %arg1
// CHECK: %[[KEY:.+]] = tensor.expand_shape %[[K]]
// CHECK: attn.attention {{.+}} ins(%{{.+}}, %[[KEY]], %{{.+}} :
!q = tensor<8x24x16xf32>
func.func @main(%q: !q, %kc: tensor<8x?x16xf32>, %vc: tensor<8x?x16xf32>, %n: index) -> !q {
  %k = tensor.extract_slice %kc[0, 0, 0] [8, %n, 16] [1, 1, 1] : tensor<8x?x16xf32> to tensor<8x?x16xf32>
  %v = tensor.extract_slice %vc[0, 0, 0] [8, %n, 16] [1, 1, 1] : tensor<8x?x16xf32> to tensor<8x?x16xf32>
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty(%n) : tensor<8x24x?xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x24x?xf32>) -> tensor<8x24x?xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>]
      ins(%q, %k : !q, tensor<8x?x16xf32>) outs(%sz : tensor<8x24x?xf32>) -> tensor<8x24x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<8x24x?xf32>) outs(%se : tensor<8x24x?xf32>) -> tensor<8x24x?xf32>
  %oe = tensor.empty() : !q
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.batch_matmul ins(%p, %v : tensor<8x24x?xf32>, tensor<8x?x16xf32>) outs(%oz : !q) -> !q
  return %o : !q
}
