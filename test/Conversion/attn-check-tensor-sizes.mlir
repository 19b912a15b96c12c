// Checks of dynamic sizes of ops on tensors, before they read or write outside of their arrays.
// RUN: attn-opt %s -split-input-file -attn-results-to-out-params -attn-check-tensor-sizes | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Sizes of arguments are compared once, at the begin of the function. The result has the size of the first operand.
// CHECK-LABEL: func.func @loops(
// CHECK-NOT: linalg.generic
// CHECK: cf.assert %{{.+}}, "linalg.generic: expected equal sizes in dimension 0 of argument 0 and dimension 0 of argument 1"
// CHECK-NEXT: %
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 0 of result 0 to be dimension 0 of argument 0"
// CHECK-NOT: cf.assert %{{.+}}, "linalg
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: cf.assert
// CHECK: return
func.func @loops(%a: tensor<?x8xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x8xf32>, tensor<?xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<?x8xf32>, tensor<?xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @joined(
// CHECK: cf.assert %{{.+}}, "tensor.concat: expected equal sizes in dimension 0 of argument 0 and dimension 0 of argument 1"
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 0 of result 0 to be dimension 0 of argument 0"
// CHECK: arith.addi
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 1 of result 0 to be that which is computed for it"
// CHECK: tensor.concat
func.func @joined(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @divided(
// CHECK-DAG: cf.assert %{{.+}}, "tensor.cast: expected dimension 0 of argument 1 to be of size 4"
// CHECK-DAG: cf.assert %{{.+}}, "tensor.expand_shape: expected dimension 0 of argument 0 to be the product of the 2 sizes into which it is divided"
// CHECK: tensor.expand_shape
// CHECK: cf.assert %{{.+}}, "tensor.extract_slice: expected dimension 0 of argument 0 to have the elements of a slice"
// CHECK: tensor.extract_slice
func.func @divided(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<3xf32>) {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %1 = tensor.cast %b : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.extract_slice %a[5] [3] [1] : tensor<?xf32> to tensor<3xf32>
  return %0, %1, %2 : tensor<?x4xf32>, tensor<4xf32>, tensor<3xf32>
}

// -----

// What is inserted has the sizes of the slice, and a dimension that is not divided keeps its size.
// CHECK-LABEL: func.func @inserted(
// CHECK: cf.assert %{{.+}}, "tensor.insert_slice: expected a dimension of size 9 to have the elements of a slice"
// CHECK: cf.assert %{{.+}}, "tensor.insert_slice: expected dimension 0 of argument 1 to be the size of the slice"
// CHECK: tensor.insert_slice
// CHECK: cf.assert %{{.+}}, "tensor.insert_slice: expected a dimension of size 9 to have the elements of a slice"
// CHECK-NOT: cf.assert
// CHECK: tensor.insert_slice
// CHECK: cf.assert %{{.+}}, "tensor.expand_shape: expected dimension 0 of argument 1 to be the product of the 1 sizes into which it is divided"
// CHECK-NOT: cf.assert
// CHECK: tensor.expand_shape
// CHECK-NOT: cf.assert
func.func @inserted(%a: tensor<8x9xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<8x9xf32>, tensor<8x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %b into %a[1, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<8x9xf32>
  %d = tensor.dim %b, %c0 : tensor<?xf32>
  %1 = tensor.insert_slice %b into %a[1, 0] [1, %d] [1, 1] : tensor<?xf32> into tensor<8x9xf32>
  %c = tensor.empty(%d) : tensor<?x8xf32>
  %2 = tensor.expand_shape %c [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %3 = tensor.extract %2[%c0, %c0, %c0] : tensor<?x2x4xf32>
  return %0, %1, %3 : tensor<8x9xf32>, tensor<8x9xf32>, f32
}

// -----

// Static sizes, private functions and ops in branches have no checks.
// CHECK-LABEL: func.func @static(
// CHECK-NOT: cf.assert
// CHECK-LABEL: func.func private @private(
// CHECK-NOT: cf.assert
// CHECK-LABEL: func.func @branch(
// CHECK-NOT: tensor.concat:
func.func @static(%a: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %0 = tensor.concat dim(1) %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func private @private(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @branch(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: i1, %d: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = scf.if %c -> tensor<?x8xf32> {
    %1 = tensor.concat dim(1) %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
    scf.yield %1 : tensor<?x8xf32>
  } else {
    scf.yield %d : tensor<?x8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// -----

// Loops and branches compute their results in the memory of the function's result, whose size is checked before them.
// CHECK-LABEL: func.func @loop(
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 0 of result 0 to be dimension 0 of argument 0"
// CHECK: scf.for
// CHECK-NOT: cf.assert
func.func @loop(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> tensor<?xf32> {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %1 = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @same_of_branches(
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 0 of result 0 to be dimension 0 of argument 0"
// CHECK: scf.if
// CHECK-NOT: cf.assert
// CHECK-LABEL: func.func @other_of_branches(
// CHECK: scf.if
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 0 of result 0 to be that which is computed for it"
// CHECK-LABEL: func.func @grows(
// CHECK: scf.for
// CHECK: cf.assert %{{.+}}, "expected the size of dimension 0 of result 0 to be that which is computed for it"
func.func @same_of_branches(%a: tensor<?xf32>, %x: f32, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = scf.if %c -> tensor<?xf32> {
    %1 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
func.func @other_of_branches(%a: tensor<?xf32>, %b: tensor<?xf32>, %x: f32, %c: i1) -> tensor<?xf32> {
  %0 = scf.if %c -> tensor<?xf32> {
    scf.yield %b : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
func.func @grows(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %1 = tensor.concat dim(0) %t, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
