// Keys and values of 8 bits that the source extends, as those of a cache, are operands of 8 bits.
// RUN: attn-opt %s -attn-raise | FileCheck %s
// RUN: attnc run %s --raise random:1 random:2:0.1 random:3:0.1 --target host -o %t.raised.npy
// RUN: attnc run %s random:1 random:2:0.1 random:3:0.1 --target host -o %t.source.npy
// RUN: %numpy-python -c "import numpy as np; x, y = (np.load('%t.' + n + '.npy') for n in ('source', 'raised')); assert abs(x).max() > 0.01 and abs(x - y).max() < 1e-6"
// REQUIRES: numpy

!q = tensor<2x4x8x16xf32>
!c = tensor<2x4x24x16xf8E4M3FN>
!k = tensor<2x4x24x16xf32>
!s = tensor<2x4x8x24xf32>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#query = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#key = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#score = affine_map<(b, h, i, j, d) -> (b, h, i, j)>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<2x4x8x16xf32>, %[[K:[^:]+]]: tensor<2x4x24x16xf8E4M3FN>, %[[V:[^:]+]]: tensor<2x4x24x16xf8E4M3FN>
// CHECK-NOT: arith.extf
// CHECK: attn.attention scale 1.000000e+00 ins(%[[Q]], %[[K]], %[[V]] :
// CHECK-NOT: linalg
func.func @main(%q: !q, %kc: !c, %vc: !c) -> !q {
  %zero = arith.constant 0.0 : f32
  %ke = tensor.empty() : !k
  %k = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%kc : !c) outs(%ke : !k) {
  ^bb0(%x: f8E4M3FN, %o: f32):
    %0 = arith.extf %x : f8E4M3FN to f32
    linalg.yield %0 : f32
  } -> !k
  %v = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%vc : !c) outs(%ke : !k) {
  ^bb0(%x: f8E4M3FN, %o: f32):
    %0 = arith.extf %x : f8E4M3FN to f32
    linalg.yield %0 : f32
  } -> !k
  %se = tensor.empty() : !s
  %sz = linalg.fill ins(%zero : f32) outs(%se : !s) -> !s
  %s = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !q, !k) outs(%sz : !s) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  } -> !s
  %p = linalg.softmax dimension(3) ins(%s : !s) outs(%se : !s) -> !s
  %oe = tensor.empty() : !q
  %oz = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %o = linalg.generic {indexing_maps = [#score, affine_map<(b, h, i, j, d) -> (b, h, j, d)>, #query],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%p, %v : !s, !k) outs(%oz : !q) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  } -> !q
  return %o : !q
}
