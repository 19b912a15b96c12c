// RUN: attn-opt %s -attn-check-arrays -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @static_sizes(
func.func @static_sizes(%q: memref<2x4x8x16xf16>, %k: memref<2x2x6x16xf16>, %l: memref<2x4x8xf32>, %n: index) {
  // CHECK-NOT: cf.assert
  // CHECK: return
  attn.attention
      ins(%q, %k, %k : memref<2x4x8x16xf16>, memref<2x2x6x16xf16>, memref<2x2x6x16xf16>)
      lengths(%n, %n)
      outs(%q, %l : memref<2x4x8x16xf16>, memref<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @all(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<?x?x?x16xf16>, %[[K:[^:]+]]: memref<?x?x?x16xf16>, %[[V:[^:]+]]: memref<?x?x?x16xf16>,
// CHECK-SAME:    %[[O:[^:]+]]: memref<?x?x?x16xf16>, %[[L:[^:]+]]: memref<?x?x?xf32>)
func.func @all(%q: memref<?x?x?x16xf16>, %k: memref<?x?x?x16xf16>, %v: memref<?x?x?x16xf16>,
               %o: memref<?x?x?x16xf16>, %l: memref<?x?x?xf32>) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.+]] = arith.constant 2 : index

  // CHECK: %[[QB:.+]] = memref.dim %[[Q]], %[[C0]]
  // CHECK: %[[KB:.+]] = memref.dim %[[K]], %[[C0]]
  // CHECK: %[[EQ:.+]] = arith.cmpi eq, %[[QB]], %[[KB]]
  // CHECK: cf.assert %[[EQ]], "attn.attention: expected equal batch sizes in query and key"
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal batch sizes in query and value"

  // CHECK: %[[KH:.+]] = memref.dim %[[K]], %[[C1]]
  // CHECK: %[[VH:.+]] = memref.dim %[[V]], %[[C1]]
  // CHECK: %[[EQ:.+]] = arith.cmpi eq, %[[KH]], %[[VH]]
  // CHECK: cf.assert %[[EQ]], "attn.attention: expected equal head counts in key and value"

  // CHECK: %[[KL:.+]] = memref.dim %[[K]], %[[C2]]
  // CHECK: %[[VL:.+]] = memref.dim %[[V]], %[[C2]]
  // CHECK: %[[EQ:.+]] = arith.cmpi eq, %[[KL]], %[[VL]]
  // CHECK: cf.assert %[[EQ]], "attn.attention: expected equal lengths in key and value"

  // No division by a count of zero.
  // CHECK: %[[QH:.+]] = memref.dim %[[Q]], %[[C1]]
  // CHECK: %[[KH:.+]] = memref.dim %[[K]], %[[C1]]
  // CHECK: %[[DIVISOR:.+]] = arith.maxui %[[KH]], %[[C1]]
  // CHECK: arith.remui %[[QH]], %[[DIVISOR]]
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected the number of query heads to be a multiple of the number of key and value heads"

  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal batch sizes in query and output"
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal batch sizes in query and lse"
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal head counts in query and output"
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal head counts in query and lse"
  // CHECK: %[[QL:.+]] = memref.dim %[[Q]], %[[C2]]
  // CHECK: %[[OL:.+]] = memref.dim %[[O]], %[[C2]]
  // CHECK: %[[EQ:.+]] = arith.cmpi eq, %[[QL]], %[[OL]]
  // CHECK: cf.assert %[[EQ]], "attn.attention: expected equal lengths in query and output"
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal lengths in query and lse"
  // CHECK-NOT: cf.assert
  // CHECK: attn.attention
  attn.attention
      ins(%q, %k, %v : memref<?x?x?x16xf16>, memref<?x?x?x16xf16>, memref<?x?x?x16xf16>)
      outs(%o, %l : memref<?x?x?x16xf16>, memref<?x?x?xf32>)
  return
}

// Sizes that are equal by their types are not checked; a static size is compared as a constant.
// CHECK-LABEL: func.func @some(
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<?x4x8x16xf16>, %[[K:[^:]+]]: tensor<2x2x5x16xf16>, %[[O:[^:]+]]: tensor<2x4x8x16xf16>)
func.func @some(%q: tensor<?x4x8x16xf16>, %k: tensor<2x2x5x16xf16>, %o: tensor<2x4x8x16xf16>)
    -> tensor<2x4x8x16xf16> {
  // CHECK-DAG: %[[TWO:.+]] = arith.constant 2 : index
  // CHECK: %[[QB:.+]] = tensor.dim %[[Q]],
  // CHECK: %[[EQ:.+]] = arith.cmpi eq, %[[QB]], %[[TWO]]
  // CHECK: cf.assert %[[EQ]], "attn.attention: expected equal batch sizes in query and key"
  // CHECK-NOT: head
  // CHECK-NOT: lengths
  // CHECK: attn.attention
  %r = attn.attention
      ins(%q, %k, %k : tensor<?x4x8x16xf16>, tensor<2x2x5x16xf16>, tensor<2x2x5x16xf16>)
      outs(%o : tensor<2x4x8x16xf16>) -> tensor<2x4x8x16xf16>
  return %r : tensor<2x4x8x16xf16>
}

// Each op in a body has its own checks.
// CHECK-LABEL: func.func @in_a_loop(
func.func @in_a_loop(%q: memref<1x1x?x16xf16>, %o: memref<1x1x?x16xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK: cf.assert %{{.+}}, "attn.attention: expected equal lengths in query and output"
  // CHECK: attn.attention
  scf.for %i = %c0 to %n step %c1 {
    attn.attention
        ins(%q, %q, %q : memref<1x1x?x16xf16>, memref<1x1x?x16xf16>, memref<1x1x?x16xf16>)
        outs(%o : memref<1x1x?x16xf16>)
  }
  return
}

// The array must have the element of a constant index, also of the largest one.
// CHECK-LABEL: func.func @constant_indices(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x1x8x16xf16>, %[[T:[^:]+]]: memref<?x?xf32>
func.func @constant_indices(%q: memref<1x1x8x16xf16>, %t: memref<?x?xf32>, %o: memref<1x1x8x16xf16>) {
  // CHECK-DAG: %[[C3:.+]] = arith.constant 3 : index
  // CHECK-DAG: %[[LARGEST:.+]] = arith.constant 9223372036854775807 : index
  // CHECK: %[[ROWS:.+]] = memref.dim %[[T]], %{{.+}}
  // CHECK: %[[ENOUGH:.+]] = arith.cmpi sgt, %[[ROWS]], %[[C3]]
  // CHECK: cf.assert %[[ENOUGH]], "attn.attention: expected dimension 0 of capture 0 to have more than 3 elements"
  // CHECK: %[[COLUMNS:.+]] = memref.dim %[[T]], %{{.+}}
  // CHECK: %[[ENOUGH:.+]] = arith.cmpi sgt, %[[COLUMNS]], %[[LARGEST]]
  // CHECK: cf.assert %[[ENOUGH]], "attn.attention: expected dimension 1 of capture 0 to have more than 9223372036854775807 elements"
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      captures(%t : memref<?x?xf32>)
      outs(%o : memref<1x1x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %own: memref<?x?xf32>):
      %three = arith.constant 3 : index
      %largest = arith.constant 9223372036854775807 : index
      %0 = attn.read %own[%three, %largest] inbounds : memref<?x?xf32>
      %1 = arith.addf %s, %0 : f32
      attn.yield %1 : f32
    }
  return
}
