// RUN: attn-opt %s --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// CHECK-LABEL: func.func @lanes(
// CHECK-SAME:    %[[S:[^:]+]]: tensor<64x32xf32>, %[[C:[^:]+]]: tensor<64xi1>
func.func @lanes(%s: tensor<64x32xf32>, %c: tensor<64xi1>) -> (tensor<64xf32>, i1) {
  // CHECK: %[[P:.+]] = attn_gpu.reduce_thread add %[[S]] along 1 : tensor<64x32xf32> -> tensor<64xf32>
  %0 = attn_gpu.reduce_thread add %s along 1 : tensor<64x32xf32> -> tensor<64xf32>
  // CHECK: attn_gpu.combine_quad add %[[P]] : tensor<64xf32>
  %1 = attn_gpu.combine_quad add %0 : tensor<64xf32>
  // CHECK: attn_gpu.vote_any %[[C]] : tensor<64xi1>
  %2 = attn_gpu.vote_any %c : tensor<64xi1>
  return %1, %2 : tensor<64xf32>, i1
}

// CHECK-LABEL: func.func @start_sum(
// CHECK-SAME: %[[PART:[^:]+]]: tensor<64x64xf32>, %[[CONTINUES:[^:]+]]: i1
func.func @start_sum(%part: tensor<64x64xf32>, %continues: i1) -> tensor<64x64xf32> {
  // CHECK: attn_gpu.start_sum %[[PART]] if %[[CONTINUES]] : tensor<64x64xf32>
  %0 = attn_gpu.start_sum %part if %continues : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
