// RUN: attn-opt %s -canonicalize | FileCheck %s

// A sum that always continues, or that is zeros anyway, needs no condition.
// CHECK-LABEL: func.func @always(
// CHECK-SAME: %[[PART:[^:]+]]: tensor<64x64xf32>
// CHECK-NEXT: return %[[PART]]
func.func @always(%part: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %true = arith.constant true
  %0 = attn_gpu.start_sum %part if %true : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @zeros(
// CHECK-NEXT: %[[ZEROS:.+]] = arith.constant dense<0.0
// CHECK-NEXT: return %[[ZEROS]]
func.func @zeros(%continues: i1) -> tensor<64x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = attn_gpu.start_sum %zeros if %continues : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @sometimes(
// CHECK: attn_gpu.start_sum
func.func @sometimes(%part: tensor<64x64xf32>, %continues: i1) -> tensor<64x64xf32> {
  %0 = attn_gpu.start_sum %part if %continues : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
