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

// CHECK-LABEL: func.func @exchange(
// CHECK-SAME: tensor<64x32xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
func.func @exchange(%a: tensor<64x32xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>,
                    %b: tensor<64x32xf16, #attn_gpu.mma<warps = 4>>) {
  // CHECK: attn_gpu.local_store %{{.+}} at 1024 : tensor<64x32xf16, #attn_gpu.mma<warps = 4>> -> tensor<64x32xf16, #attn_gpu.swizzled>
  %0 = attn_gpu.local_store %b at 1024
      : tensor<64x32xf16, #attn_gpu.mma<warps = 4>> -> tensor<64x32xf16, #attn_gpu.swizzled>
  // CHECK: attn_gpu.reduce_columns maxnum %{{.+}} at 128 : tensor<64x32xf32, #attn_gpu.mma<warps = 8, warps_n = 2>> -> tensor<32xf32, #attn_gpu.slice<axis = 0, parent = <warps = 8, warps_n = 2>>>
  %1 = attn_gpu.reduce_columns maxnum %a at 128
      : tensor<64x32xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
        -> tensor<32xf32, #attn_gpu.slice<axis = 0, parent = <warps = 8, warps_n = 2>>>
  return
}

// CHECK-LABEL: func.func private @long_rows(tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>)
func.func private @long_rows(tensor<64x128xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>)

// CHECK-LABEL: func.func @spread(
// CHECK-SAME: tensor<48xf32, #attn_gpu.spread<parent = <warps = 4>>>
func.func @spread(%a: tensor<48xf32, #attn_gpu.spread<parent = <warps = 4>>>)
    -> tensor<48xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>> {
  // CHECK: attn_gpu.convert_layout %{{.+}} : tensor<48xf32, #attn_gpu.spread<parent = <warps = 4>>> -> tensor<48xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
  %0 = attn_gpu.convert_layout %a
      : tensor<48xf32, #attn_gpu.spread<parent = <warps = 4>>>
        -> tensor<48xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
  return %0 : tensor<48xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
}

// CHECK-LABEL: func.func private @right(tensor<16x64xf16, #attn_gpu.right<parent = <warps = 2, warps_n = 2, columns = 8>>>)
func.func private @right(tensor<16x64xf16, #attn_gpu.right<parent = <warps = 2, warps_n = 2, columns = 8>>>)
