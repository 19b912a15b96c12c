// RUN: attn-opt %s -attn-bufferize | FileCheck %s

// The globals of constants have the same names and order in each run, although upstream bufferises functions in an
// order that depends on addresses.
// CHECK: module
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_4 : memref<2xf32> = dense<6.0
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_3 : memref<2xf32> = dense<5.0
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_2 : memref<2xf32> = dense<4.0
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_1 : memref<2xf32> = dense<3.0
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<2.0
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<1.0
// CHECK-NEXT: func.func @one(
// CHECK-NEXT: memref.get_global @__constant_2xf32 :
func.func @one() -> tensor<2xf32> {
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @two() -> tensor<2xf32> {
  %0 = arith.constant dense<2.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @three() -> tensor<2xf32> {
  %0 = arith.constant dense<3.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @four() -> tensor<2xf32> {
  %0 = arith.constant dense<4.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @five() -> tensor<2xf32> {
  %0 = arith.constant dense<5.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// One constant for equal values.
// CHECK-LABEL: func.func @six(
// CHECK-DAG: memref.get_global @__constant_2xf32 :
// CHECK-DAG: memref.get_global @__constant_2xf32_4 :
func.func @six() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  %1 = arith.constant dense<6.0> : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
