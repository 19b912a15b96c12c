// Masks of attention by its name that have fewer elements than the scores: they are repeated as the op defines, or the
// attention is not raised. Nothing is read past a mask's end.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics | FileCheck %s

!q = tensor<4x2x24x16xf32>
!open = tensor<?x2x?x16xf32>

// Dimensions of size 1 are read at 0.
// CHECK-LABEL: func.func @repeated(
// CHECK: %[[ZERO:.+]] = arith.constant 0 : index
// CHECK: attn.read %{{.+}}[%[[ZERO]], %{{[^%]+}}, %[[ZERO]], %{{.+}}] inbounds : tensor<1x2x1x24xf32>
func.func @repeated(%q: !q, %m: tensor<1x2x1x24xf32>) -> !q {
  %0 = "onnx.Attention"(%q, %q, %q, %m) : (!q, !q, !q, tensor<1x2x1x24xf32>) -> !q
  return %0 : !q
}

// Opset 23 repeats the only key of a mask.
// CHECK-LABEL: func.func @one_key(
// CHECK-NOT: arith.cmpi
// CHECK: attn.read %{{.+}}[%{{.+}}, %c0{{[_0-9]*}}] inbounds : tensor<24x1xi1>
// CHECK-NOT: arith.cmpi
func.func @one_key(%q: !q, %m: tensor<24x1xi1>) -> !q attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %0 = "onnx.Attention"(%q, %q, %q, %m) : (!q, !q, !q, tensor<24x1xi1>) -> !q
  return %0 : !q
}

// Opset 24 masks the keys that the mask lacks.
// CHECK-LABEL: func.func @fewer_keys(
// CHECK: mask {
// CHECK: %[[LAST:.+]] = arith.constant 7 : index
// CHECK: %[[HAS:.+]] = arith.cmpi sle, %{{.+}}, %[[LAST]] : index
// CHECK: %[[KEPT:.+]] = attn.read %{{.+}} : tensor<24x8xi1>
// CHECK: arith.andi %[[HAS]], %[[KEPT]] : i1
func.func @fewer_keys(%q: !q, %m: tensor<24x8xi1>) -> !q attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %0 = "onnx.Attention"(%q, %q, %q, %m) : (!q, !q, !q, tensor<24x8xi1>) -> !q
  return %0 : !q
}

// Sizes that may turn out to be 1: the read is not `inbounds`, which clamps indices. The ops that compute the mask stay,
// since its element at the row i would not be the one at row 0.
// CHECK-LABEL: func.func @open(
// CHECK: %[[MASK:.+]] = linalg.generic
// CHECK: attn.attention
// CHECK-SAME: captures(%[[MASK]] : tensor<?x?x?x?xi1>)
// CHECK: attn.read %{{[^ ]+}}[%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}] : tensor<?x?x?x?xi1>
func.func @open(%q: !open, %k: !open, %m: tensor<?x?x?x?xi32>, %e: tensor<?x?x?x?xi1>) -> !open attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %mask = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m : tensor<?x?x?x?xi32>) outs(%e : tensor<?x?x?x?xi1>) {
  ^bb0(%x: i32, %y: i1):
    %i = linalg.index 2 : index
    %row = arith.index_cast %i : index to i32
    %c = arith.cmpi sle, %x, %row : i32
    linalg.yield %c : i1
  } -> tensor<?x?x?x?xi1>
  %0 = "onnx.Attention"(%q, %k, %k, %mask) : (!open, !open, !open, tensor<?x?x?x?xi1>) -> !open
  return %0 : !open
}

// CHECK-LABEL: func.func @open_keys(
// CHECK: cf.assert %{{.+}}, "onnx.Attention: expected dimension 0 of attn_mask to be 1 or the number of rows"
// CHECK: cf.assert %{{.+}}, "onnx.Attention: expected dimension 1 of attn_mask to be no more than the number of keys"
// CHECK: %[[END:.+]] = tensor.dim %[[M:.+]], %c1
// CHECK: attn.attention
// CHECK-SAME: captures(%[[END]], %[[M]] : index, tensor<?x?xf32>)
// CHECK: mask {
// CHECK: arith.cmpi sge
func.func @open_keys(%q: !open, %k: !open, %m: tensor<?x?xf32>) -> !open attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %0 = "onnx.Attention"(%q, %k, %k, %m) : (!open, !open, !open, tensor<?x?xf32>) -> !open
  return %0 : !open
}

// CHECK-LABEL: func.func @unknown_opset(
// CHECK-NOT: attn.attention
func.func @unknown_opset(%q: !open, %k: !open, %m: tensor<?x?xf32>) -> !open {
  // expected-remark@below {{attention was not raised: the mask may be of fewer keys, which opset 23 repeats and opset 24 masks, and no torch.onnx_meta.opset_version of the function says which}}
  %0 = "onnx.Attention"(%q, %k, %k, %m) : (!open, !open, !open, tensor<?x?xf32>) -> !open
  return %0 : !open
}

// CHECK-LABEL: func.func @batch(
// CHECK-NOT: attn.attention
func.func @batch(%q: !q, %m: tensor<3x2x24x24xf32>) -> !q {
  // expected-remark@below {{attention was not raised: expected a mask whose size of dimension 0 is 1 or 4, found 3}}
  %0 = "onnx.Attention"(%q, %q, %q, %m) : (!q, !q, !q, tensor<3x2x24x24xf32>) -> !q
  return %0 : !q
}

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: attn.attention
func.func @rows(%q: tensor<4x2x1x16xf32>, %k: !q, %m: tensor<24x24xf32>) -> tensor<4x2x1x16xf32> {
  // expected-remark@below {{attention was not raised: expected a mask whose size of dimension 0 is 1, found 24}}
  %0 = "onnx.Attention"(%q, %k, %k, %m) : (tensor<4x2x1x16xf32>, !q, !q, tensor<24x24xf32>) -> tensor<4x2x1x16xf32>
  return %0 : tensor<4x2x1x16xf32>
}

// CHECK-LABEL: func.func @more_keys(
// CHECK-NOT: attn.attention
func.func @more_keys(%q: !q, %m: tensor<24x25xf32>) -> !q attributes {torch.onnx_meta.opset_version = 24 : si64} {
  // expected-remark@below {{attention was not raised: expected a mask of no more keys than the key has}}
  %0 = "onnx.Attention"(%q, %q, %q, %m) : (!q, !q, !q, tensor<24x25xf32>) -> !q
  return %0 : !q
}

// CHECK-LABEL: func.func @iree(
// CHECK-NOT: attn.attention
func.func @iree(%q: tensor<8x24x16xf16>, %m: tensor<2x24x24xf16>, %o: tensor<8x24x16xf16>) -> tensor<8x24x16xf16> {
  %scale = arith.constant 0.125 : f16
  // expected-remark@below {{attention was not raised: expected a mask whose indices are loops, and that has an element for each of their iterations}}
  %0 = "iree_linalg_ext.attention"(%q, %q, %q, %scale, %m, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (b, i, j)>, affine_map<(b, i, n, d, j) -> (b, i, n)>]}> ({
  ^bb0(%s: f32):
    "iree_linalg_ext.yield"(%s) : (f32) -> ()
  }) : (tensor<8x24x16xf16>, tensor<8x24x16xf16>, tensor<8x24x16xf16>, f16, tensor<2x24x24xf16>, tensor<8x24x16xf16>) -> tensor<8x24x16xf16>
  return %0 : tensor<8x24x16xf16>
}

// CHECK-LABEL: func.func @iree_repeated(
// CHECK: attn.read %{{.+}}[%c0{{[_0-9]*}}, %{{.+}}, %{{.+}}] inbounds : tensor<1x24x24xf16>
func.func @iree_repeated(%q: tensor<8x24x16xf16>, %m: tensor<1x24x24xf16>, %o: tensor<8x24x16xf16>) -> tensor<8x24x16xf16> {
  %scale = arith.constant 0.125 : f16
  %0 = "iree_linalg_ext.attention"(%q, %q, %q, %scale, %m, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (0, i, j)>, affine_map<(b, i, n, d, j) -> (b, i, n)>]}> ({
  ^bb0(%s: f32):
    "iree_linalg_ext.yield"(%s) : (f32) -> ()
  }) : (tensor<8x24x16xf16>, tensor<8x24x16xf16>, tensor<8x24x16xf16>, f16, tensor<1x24x24xf16>, tensor<8x24x16xf16>) -> tensor<8x24x16xf16>
  return %0 : tensor<8x24x16xf16>
}
