// RUN: attn-opt %s | attn-opt --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @layouts(
// CHECK-SAME: tensor<64x32xf32, #attn_gpu.mma<warps = 4>>
// CHECK-SAME: tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
// CHECK-SAME: tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
func.func @layouts(%a: tensor<64x32xf32, #attn_gpu.mma<warps = 4>>,
                   %b: tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>,
                   %c: tensor<64x32xf16, #attn_gpu.shared<padding = 16>>)
    -> tensor<64x32xf16, #attn_gpu.mma<warps = 4>> {
  // CHECK: attn_gpu.convert_layout %{{.+}} : tensor<64x32xf16, #attn_gpu.shared<padding = 16>> -> tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
  %0 = attn_gpu.convert_layout %c
      : tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
        -> tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
  return %0 : tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
}

// CHECK-LABEL: func.func @copy(
func.func @copy(%k: memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>,
                %j: index, %slot: memref<64x64xf16, strided<[72, 1]>, 3>) {
  %c0 = arith.constant 0 : index
  // CHECK: attn_gpu.copy_async %{{.+}} to %{{.+}} aligned :
  attn_gpu.copy_async %k[%c0, %c0, %j, %c0] to %slot aligned
      : memref<1x1x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
        to memref<64x64xf16, strided<[72, 1]>, 3>
  return
}
