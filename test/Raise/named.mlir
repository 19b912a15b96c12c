// Attention by its name, of dialects that are not known.
// RUN: attn-opt %s -allow-unregistered-dialect -attn-raise -canonicalize -verify-diagnostics | FileCheck %s

!q = tensor<2x4x24x16xf32>
!k = tensor<2x2x24x16xf32>

// CHECK-LABEL: func.func @onnx(
// CHECK: attn.attention mask <top_left, causal, left = 4> scale 2.500000e-01 ins(
// CHECK: math.tanh
func.func @onnx(%q: !q, %k: !k, %v: !k) -> !q {
  %0 = "onnx.Attention"(%q, %k, %v) {is_causal = 1 : si64, scale = 0.25 : f32, softcap = 5.0 : f32, left_window_size = 4 : si64} : (!q, !k, !k) -> !q
  return %0 : !q
}

// Heads in the last of three dimensions, and a mask of bools.
// CHECK-LABEL: func.func @onnx_3d(
// CHECK: attn.attention scale 2.500000e-01 ins(%{{.+}} : tensor<2x4x24x16xf32>, tensor<2x2x24x16xf32>, tensor<2x2x24x8xf32>)
// CHECK: mask {
// CHECK: attn.read %{{.+}}[%{{.+}}, %{{.+}}] inbounds : tensor<24x24xi1>
func.func @onnx_3d(%q: tensor<2x24x64xf32>, %k: tensor<2x24x32xf32>, %v: tensor<2x24x16xf32>, %m: tensor<24x24xi1>) -> tensor<2x24x32xf32> {
  %0 = "onnx.Attention"(%q, %k, %v, %m) {q_num_heads = 4 : si64, kv_num_heads = 2 : si64} : (tensor<2x24x64xf32>, tensor<2x24x32xf32>, tensor<2x24x16xf32>, tensor<24x24xi1>) -> tensor<2x24x32xf32>
  return %0 : tensor<2x24x32xf32>
}

// torch-mlir's own type of tensors.
// CHECK-LABEL: func.func @torch(
// CHECK: "torch_c.to_builtin_tensor"
// CHECK: attn.attention mask <top_left, causal> scale 2.500000e-01
// CHECK: "torch_c.from_builtin_tensor"
// CHECK-NOT: torch.operator
func.func @torch(%q: !torch.vtensor<[2,4,24,16],f32>, %k: !torch.vtensor<[2,2,24,16],f32>) -> !torch.vtensor<[2,4,24,16],f32> {
  %0 = "torch.operator"(%q, %k, %k) <{name = "onnx.Attention"}> {torch.onnx.is_causal = 1 : si64} : (!torch.vtensor<[2,4,24,16],f32>, !torch.vtensor<[2,2,24,16],f32>, !torch.vtensor<[2,2,24,16],f32>) -> !torch.vtensor<[2,4,24,16],f32>
  return %0 : !torch.vtensor<[2,4,24,16],f32>
}

// CHECK-LABEL: func.func @iree(
// CHECK: attn.attention scale 1.250000e-01
// CHECK: math.tanh
func.func @iree(%q: tensor<8x24x16xf16>, %k: tensor<8x24x16xf16>, %o: tensor<8x24x16xf16>) -> tensor<8x24x16xf16> {
  %scale = arith.constant 0.125 : f16
  %0 = "iree_linalg_ext.attention"(%q, %k, %k, %scale, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (b, i, n)>]}> ({
  ^bb0(%s: f32):
    %t = math.tanh %s : f32
    "iree_linalg_ext.yield"(%t) : (f32) -> ()
  }) : (tensor<8x24x16xf16>, tensor<8x24x16xf16>, tensor<8x24x16xf16>, f16, tensor<8x24x16xf16>) -> tensor<8x24x16xf16>
  return %0 : tensor<8x24x16xf16>
}

// A mask of one batch entry has no elements for others.
// CHECK-LABEL: func.func @small_mask(
// CHECK: "tm_tensor.attention"
func.func @small_mask(%q: tensor<2x8x16xf32>, %m: tensor<1x8x8xf32>, %o: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  // expected-remark@below {{attention was not raised: expected a mask of the scores' shape}}
  %0 = "tm_tensor.attention"(%q, %q, %q, %m, %o) ({}) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<1x8x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// IREE keeps pairs by the lowest bit of a mask of integers.
// CHECK-LABEL: func.func @iree_mask_of_bytes(
// CHECK: attn.attention scale 5.000000e-01
// CHECK: mask {
// CHECK: %[[BYTE:.+]] = attn.read {{.+}} : tensor<2x8x8xi8>
// CHECK: %[[KEPT:.+]] = arith.trunci %[[BYTE]] : i8 to i1
// CHECK: attn.yield %[[KEPT]] : i1
func.func @iree_mask_of_bytes(%q: tensor<2x8x4xf32>, %k: tensor<2x8x4xf32>, %m: tensor<2x8x8xi8>, %o: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %scale = arith.constant 0.5 : f32
  %0 = "iree_linalg_ext.attention"(%q, %k, %k, %scale, %m, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (b, i, j)>, affine_map<(b, i, n, d, j) -> (b, i, n)>]}> ({
  ^bb0(%s: f32):
    "iree_linalg_ext.yield"(%s) : (f32) -> ()
  }) : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, f32, tensor<2x8x8xi8>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// CHECK-LABEL: func.func @iree_region_of_integers(
// CHECK: "iree_linalg_ext.attention"
func.func @iree_region_of_integers(%q: tensor<2x8x4xf32>, %o: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %scale = arith.constant 0.5 : f32
  // expected-remark@below {{attention was not raised: expected a region on one score, which is a float}}
  %0 = "iree_linalg_ext.attention"(%q, %q, %q, %scale, %o) <{indexing_maps = [
      affine_map<(b, i, n, d, j) -> (b, i, d)>, affine_map<(b, i, n, d, j) -> (b, j, d)>,
      affine_map<(b, i, n, d, j) -> (b, j, n)>, affine_map<(b, i, n, d, j) -> ()>,
      affine_map<(b, i, n, d, j) -> (b, i, n)>]}> ({
  ^bb0(%s: i32):
    %t = arith.sitofp %s : i32 to f32
    "iree_linalg_ext.yield"(%t) : (f32) -> ()
  }) : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, f32, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}
