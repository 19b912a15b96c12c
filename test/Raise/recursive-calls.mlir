// A function that calls itself several times is not inlined without end.
// RUN: attn-opt %s -attn-raise | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: call @more(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @more(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @more(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @more(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @more(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @more(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
