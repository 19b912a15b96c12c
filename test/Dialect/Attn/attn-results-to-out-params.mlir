// RUN: attn-opt %s -attn-results-to-out-params -split-input-file | FileCheck %s

// Tensor results become trailing parameters in their order; others stay.
// CHECK-LABEL: func.func @several(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<?x4xf32>, %[[B:[^:]+]]: tensor<2x3x4xf16>, %[[C:[^:]+]]: i32,
// CHECK-SAME:    %[[OA:[^:]+]]: memref<?x4xf32, strided<[?, 1], offset: ?>>,
// CHECK-SAME:    %[[OB:[^:]+]]: memref<2x3x4xf16, strided<[?, ?, 1], offset: ?>>) -> i32 {
func.func @several(%a: tensor<?x4xf32>, %b: tensor<2x3x4xf16>, %c: i32)
    -> (tensor<?x4xf32>, i32, tensor<2x3x4xf16>) {
  // CHECK-DAG: bufferization.materialize_in_destination %[[A]] in restrict writable %[[OA]]
  // CHECK-DAG: bufferization.materialize_in_destination %[[B]] in restrict writable %[[OB]]
  // CHECK: return %[[C]] : i32
  return %a, %c, %b : tensor<?x4xf32>, i32, tensor<2x3x4xf16>
}

// -----

// CHECK-LABEL: func.func @ranks_0_and_1(
// CHECK-SAME:    memref<f32>, %{{.+}}: memref<4xindex, strided<[1], offset: ?>>) {
func.func @ranks_0_and_1(%a: tensor<f32>, %b: tensor<4xindex>) -> (tensor<f32>, tensor<4xindex>) {
  return %a, %b : tensor<f32>, tensor<4xindex>
}

// -----

// CHECK-LABEL: func.func @same_result_twice(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<4xf32>, %[[O0:[^:]+]]: memref<4xf32, {{[^>]*}}>>, %[[O1:[^:]+]]: memref<4xf32, {{[^>]*}}>>)
func.func @same_result_twice(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: materialize_in_destination %[[A]] in restrict writable %[[O0]]
  // CHECK-DAG: materialize_in_destination %[[A]] in restrict writable %[[O1]]
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @every_return(
// CHECK-SAME:    %{{.+}}: i1, %[[A:[^:]+]]: tensor<4xf32>, %[[B:[^:]+]]: tensor<4xf32>, %[[O:[^:]+]]: memref<4xf32, {{[^>]*}}>>) {
func.func @every_return(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // CHECK: materialize_in_destination %[[A]] in restrict writable %[[O]]
  // CHECK-NEXT: return
  return %a : tensor<4xf32>
^bb2:
  // CHECK: materialize_in_destination %[[B]] in restrict writable %[[O]]
  // CHECK-NEXT: return
  return %b : tensor<4xf32>
}

// -----

// Private functions and their callers are left as they are.
// CHECK-LABEL: func.func private @private(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:    return %[[A]]
func.func private @private(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %a : tensor<?x4xf32>
}

// CHECK: func.func private @declaration(tensor<?x4xf32>) -> tensor<?x4xf32>
func.func private @declaration(tensor<?x4xf32>) -> tensor<?x4xf32>

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<?x4xf32>, %[[O:[^:]+]]: memref<?x4xf32, strided<[?, 1], offset: ?>>) {
func.func @caller(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: %[[R:.+]] = call @private(%[[A]]) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: %[[S:.+]] = call @declaration(%[[R]]) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: materialize_in_destination %[[S]] in restrict writable %[[O]]
  %r = call @private(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = call @declaration(%r) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @no_tensor_results(
// CHECK-SAME:    %{{.+}}: tensor<4xf32>, %[[M:[^:]+]]: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    return %[[M]]
func.func @no_tensor_results(%a: tensor<4xf32>, %m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
